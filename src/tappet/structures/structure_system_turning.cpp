// The structures of a system whose elements turn as far as they like.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/structures/structure_system.hpp"

namespace tappet {

void StructureSystem::begin_turning(const double* q, const double* u, const double* v, double h,
                                    double theta) {
  for (Part& p : parts_)
    if (p.turning) p.turning->begin(q + p.first, u + p.first, h, theta);
  aim_turning(v);
}

void StructureSystem::aim_turning(const double* v) {
  for (Part& p : parts_)
    if (p.turning) factor_turning(p, v + p.first);
}

// Under a load that makes it buckle within a step the whole tangent is not positive; Newton's method then does without the
// part that grows with the load, and takes longer.
void StructureSystem::factor_turning(Part& p, const double* v) {
  for (const bool with_load : {true, false}) {
    p.tangent.set_zero();
    p.turning->add_tangent(v, with_load, p.tangent);
    SymmetricCsr A = p.tangent;
    for (std::size_t k = 0; k < A.value.size(); ++k) A.value[k] += p.matrices.M.value[k];
    if (factor_part(p, A)) return;
  }
  throw SimulationError(
      0,
      fmt::format("structure '{}': mass and stiffness are not positive definite together; a part has neither",
                  p.body->structure.name));
}

void StructureSystem::turning_loads(const double* v, const double* change, double* forces) {
  for (Part& p : parts_)
    if (p.turning) p.turning->forces(v + p.first, change + p.first, forces + p.first);
}

void StructureSystem::turning_forces(const double* v, const double* change, double* forces) {
  turning_loads(v, change, forces);
  for (Part& p : parts_) {
    if (!p.turning) continue;
    std::copy(change + p.first, change + p.first + p.size, work_.begin() + p.first);
    for (const Driven& d : driven_) work_[d.unknown] = 0;
    multiply_add(p.tangent, -1 / p.turning->step(), work_.data() + p.first, forces + p.first);
  }
}

void StructureSystem::to_nodes(double* f) const {
  for (const Part& p : parts_)
    if (p.turning) p.turning->to_nodes(f + p.first);
}

void StructureSystem::turn_nodes(const double* v, double* q) const {
  for (const Part& p : parts_)
    if (p.turning) p.turning->turn(v + p.first, q + p.first);
}

double StructureSystem::turning_loss() const {
  double sum = 0;
  for (const Part& p : parts_)
    if (p.turning) sum += p.turning->loss();
  return sum;
}

void StructureSystem::turned_between(const double* q0, const double* q1, double part, double* q) const {
  for (const Part& p : parts_)
    if (p.turning) p.turning->between(q0 + p.first, q1 + p.first, part, q + p.first);
}

double StructureSystem::turning_size(const double* x) const {
  double sum = 0;
  for (const Part& p : parts_)
    if (p.turning) sum += p.M.form(x + p.first);
  return std::sqrt(std::max(0.0, sum));
}

}  // namespace tappet
