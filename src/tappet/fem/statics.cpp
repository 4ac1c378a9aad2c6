#include "tappet/fem/statics.hpp"

#include <cmath>

#include "tappet/fem/internal_forces.hpp"
#include "tappet/fem/modes.hpp"
#include "tappet/linalg/supernodal_cholesky.hpp"

namespace tappet::fem {

std::vector<std::string> mechanisms(const Structure& s, const StructureMatrices& m) {
  // With a mass that every unknown has, so that massless parts are found as well.
  SymmetricCsr unit = m.K;
  unit.set_zero();
  for (int i = 0; i < unit.rows(); ++i) unit.value[unit.row_ptr[i + 1] - 1] = 1;
  double largest = 0;
  for (int i = 0; i < m.K.rows(); ++i) largest = std::max(largest, m.K.value[m.K.row_ptr[i + 1] - 1]);
  const Modes modes = lowest_modes(m.K, unit, std::min(s.free, 7), 1e-6);
  std::vector<std::string> out;
  for (std::size_t k = 0; k < modes.omega2.size(); ++k)
    if (modes.omega2[k] < 1e-12 * largest)
      out.push_back(describe_motion(s, modes.shapes.col(static_cast<int>(k)).data()));
  return out;
}

std::vector<double> static_forces(const Body& body, const Structure& s, const StructureMatrices& m,
                                  const Vec3& gravity) {
  std::vector<double> f(s.free, 0.0);
  add_weight(s, m.M, gravity, f.data());
  for (const NodeLoad& load : body.loads)
    for (int n : load.nodes)
      for (int d = 0; d < 3; ++d)
        if (const int k = s.free_unknown(n, d); k >= 0)
          f[k] += load.force[d](0.0) / static_cast<double>(load.nodes.size());
  for (const NodeLoad& load : body.loads)
    for (int n : load.nodes)
      for (int d = 0; d < 3; ++d)
        if (const int k = s.free_unknown(n, 3 + d); k >= 0)
          f[k] += load.moment[d](0.0) / static_cast<double>(load.nodes.size());
  if (body.motions.empty()) return f;
  // −K_fp q_p: what the supports' displacement pulls.
  const std::vector<double> rest(s.free, 0.0);
  const std::vector<double> pull = internal_forces(s, spread_with_motions(body, s, rest.data(), 0));
  for (int i = 0; i < s.unknowns; ++i)
    if (s.free_of[i] >= 0) f[s.free_of[i]] -= pull[i];
  return f;
}

Vec3 support_force(const Body& body, const Structure& s, const std::vector<double>& all,
                   const Vec3& gravity) {
  const std::vector<double> inner = internal_forces(s, all), weight = weights(s, gravity);
  Vec3 out = Vec3::Zero();
  const auto held = [&](int n, int d) { return d < s.node_unknowns[n] && s.free_unknown(n, d) < 0; };
  for (int n = 0; n < static_cast<int>(s.mesh.nodes.size()); ++n)
    for (int d = 0; d < 3; ++d)
      if (const int i = s.first_unknown[n] + d; held(n, d)) out[d] += inner[i] - weight[i];
  for (const NodeLoad& load : body.loads)
    for (int n : load.nodes)
      for (int d = 0; d < 3; ++d)
        if (held(n, d)) out[d] -= load.force[d](0.0) / static_cast<double>(load.nodes.size());
  return out;
}

StaticSolution solve_static(const Structure& s, const StructureMatrices& m, const std::vector<double>& f) {
  StaticSolution out;
  SupernodalCholesky factor;
  factor.analyse(m.K);
  if (const int row = factor.factor(m.K, 1e-11); row >= 0) {
    out.mechanisms = mechanisms(s, m);
    if (!out.mechanisms.empty()) return out;
    // Ill-conditioned, but held: shells that are very thin look like this.
    if (factor.factor(m.K, 0) >= 0) {
      out.mechanisms.push_back("a motion that rounding hides (the stiffnesses differ too much)");
      return out;
    }
  }
  out.q = f;
  factor.solve(out.q.data());
  // One step of refinement costs little and helps thin shells.
  std::vector<double> r = f;
  multiply_add(m.K, -1, out.q.data(), r.data());
  factor.solve(r.data());
  for (std::size_t i = 0; i < r.size(); ++i) out.q[i] += r[i];
  return out;
}

}  // namespace tappet::fem
