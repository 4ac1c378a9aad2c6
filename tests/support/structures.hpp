// Structures put together by hand, for tests that need no model file.
#pragma once

#include <cmath>
#include <functional>
#include <stdexcept>

#include "tappet/fem/statics.hpp"
#include "tappet/fem/structure.hpp"

namespace tappet::test {

/// Elements of one type on all cells of its shape.
inline fem::Structure one_material(fem::Mesh mesh, const char* element, const fem::Elastic& material,
                                   const fem::Section& section = {}) {
  fem::Structure s;
  s.name = "test";
  s.mesh = std::move(mesh);
  s.materials = {material};
  s.sections = {section};
  const fem::ElementType* type = fem::ElementRegistry::instance().find(element);
  if (!type) throw std::logic_error(element);
  for (int c = 0; c < static_cast<int>(s.mesh.cells.size()); ++c)
    if (s.mesh.cells[c].shape == type->shape)
      s.add_element(*type, s.mesh.nodes_of(c), 0, 0, s.mesh.cells[c].label);
  return s;
}

/// Holds unknowns ("xyz" displacements, "XYZ" rotations) of the nodes that `where` picks.
inline void hold(fem::Structure& s, const char* what, const std::function<bool(const Vec3&)>& where) {
  const std::string letters = "xyzXYZ";
  for (int n = 0; n < static_cast<int>(s.mesh.nodes.size()); ++n) {
    if (!where(s.mesh.nodes[n])) continue;
    fem::Support support{n, {}};
    for (const char* c = what; *c; ++c) support.held[letters.find(*c)] = true;
    s.supports.push_back(support);
  }
}

inline int nearest_node(const fem::Mesh& mesh, const Vec3& x) {
  int best = 0;
  for (int n = 0; n < static_cast<int>(mesh.nodes.size()); ++n)
    if ((mesh.nodes[n] - x).norm() < (mesh.nodes[best] - x).norm()) best = n;
  return best;
}

/// Solves for point loads; throws when a mechanism is left.
struct Load {
  Vec3 at, force;
};
inline std::vector<double> solve_loads(fem::Structure& s, const std::vector<Load>& loads) {
  fem::number_unknowns(s);
  const fem::StructureMatrices m = fem::assemble(s);
  std::vector<double> f(s.free, 0.0);
  for (const Load& load : loads) {
    const int node = nearest_node(s.mesh, load.at);
    for (int d = 0; d < 3; ++d)
      if (const int k = s.free_unknown(node, d); k >= 0) f[k] += load.force[d];
  }
  const fem::StaticSolution out = fem::solve_static(s, m, f);
  if (!out.mechanisms.empty()) throw std::runtime_error(out.mechanisms[0]);
  return fem::spread(s, out.q.data());
}

inline Vec3 displacement(const fem::Structure& s, const std::vector<double>& all, const Vec3& at) {
  const int first = s.first_unknown[nearest_node(s.mesh, at)];
  return {all[first], all[first + 1], all[first + 2]};
}

}  // namespace tappet::test
