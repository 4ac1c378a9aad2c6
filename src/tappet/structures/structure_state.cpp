#include "tappet/structures/structure_state.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"

namespace tappet {

void begin_structures(const StructureSystem& system, double* q, double* u) {
  for (const auto& [unknown, motion, number] : system.driven())
    if (const double start = motion->at(0).value; std::abs(start) > 1e-12)
      throw InputError({{Severity::error, motion->pos,
                         fmt::format("the motion of '{}' begins at {:.6g} at t = 0, but the mesh is where it "
                                     "is 0; let it begin at 0, "
                                     "or move the mesh by `position`",
                                     motion->group, start)}});
  std::fill(q, q + system.size(), 0.0);
  const std::vector<double> start = system.start_velocity();
  std::copy(start.begin(), start.end(), u);
}

void structure_fields(const StructureSystem& system, int structure, const double* q, const double* u,
                      std::vector<double> contact_force, fem::Fields& out) {
  const fem::Structure& of = system.body(structure).structure;
  const std::vector<double> all = fem::spread(of, system.free_unknowns(structure, q).data());
  out.displacement = fem::node_vectors(of, all);
  out.velocity = fem::node_vectors(of, fem::spread(of, system.free_unknowns(structure, u).data()));
  out.stress = fem::element_stress(of, all);
  out.contact_force = std::move(contact_force);
}

double largest_turn(const StructureSystem& system, const double* q) {
  double out = 0;
  for (int s = 0; s < system.count(); ++s) out = std::max(out, system.turn(s, q));
  return out;
}

Eigen::MatrixXd mass_with_structures(const Eigen::MatrixXd& bodies, const StructureSystem& system) {
  const Eigen::Index first = bodies.rows(), n = system.size();
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(first + n, first + n);
  out.topLeftCorner(first, first) = bodies;
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(n), column(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    unit[i] = 1;
    column.setZero();
    system.add_mass(1, unit.data(), column.data());
    out.col(first + i).tail(n) = column;
    unit[i] = 0;
  }
  return out;
}

}  // namespace tappet
