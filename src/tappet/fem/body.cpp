#include "tappet/fem/body.hpp"

#include <fmt/format.h>

namespace tappet::fem {

Structure with_motions_held(const Body& body) {
  Structure s = body.structure;
  if (s.moved == 0) return s;
  for (const SupportMotion& motion : body.motions)
    for (int n : motion.nodes) {
      s.supports.push_back({.node = n});
      s.supports.back().held[motion.direction] = true;
    }
  number_unknowns(s);
  s.moved = 0;
  return s;
}

std::vector<double> spread_with_motions(const Body& body, const Structure& held, const double* free,
                                        double t) {
  std::vector<double> all = spread(held, free);
  for (const SupportMotion& motion : body.motions)
    for (int n : motion.nodes) all[held.first_unknown[n] + motion.direction] = motion.at(t).value;
  return all;
}

std::vector<int> nodes_of_group(const Structure& s, const std::string& group, const SourcePos& pos,
                                Diagnostics& diagnostics) {
  if (const Group* g = s.mesh.find_group(group)) {
    std::vector<int> out;
    if (s.node_unknowns.empty()) return out;  // the structure has a fault, which was reported
    for (int n : g->nodes)
      if (s.node_unknowns[n] > 0) out.push_back(n);
    return out;
  }
  const std::vector<std::string> known = s.mesh.group_names();
  diagnostics.error(pos, fmt::format("structure '{}' has no group '{}' in its mesh; groups: {}", s.name,
                                     group, known.empty() ? "none" : join_names(known, 20)));
  return {};
}

}  // namespace tappet::fem
