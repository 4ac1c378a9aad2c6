#include "tappet/stepping/static_contact.hpp"

#include <algorithm>
#include <cmath>

#include "tappet/fem/modes.hpp"

namespace tappet {
namespace {

/// Some periods of the slowest elastic mode, s.
double long_step(const Model& model) {
  double slowest = 1e300;
  for (const auto& body : model.structures) {
    const fem::StructureMatrices m = fem::assemble(fem::with_motions_held(*body));
    const fem::Modes modes = fem::lowest_modes(m.K, m.M, 8, 1e-4);
    const double highest = modes.omega2.back();
    for (double w2 : modes.omega2)
      if (w2 > 1e-5 * highest) slowest = std::min(slowest, w2);
  }
  return 30 / std::sqrt(slowest);
}

}  // namespace

StaticContact solve_static_contact(const Model& model, int most_steps) {
  StructureSystem system(model);
  const double h = long_step(model);
  NewmarkMoreau stepper(
      model, system,
      {.theta = 1,
       .contacts = {.solver = model.settings.solver, .tolerance = 1e-10, .facets = model.settings.facets}});
  std::vector<double> q(system.size(), 0.0), u(system.size(), 0.0), before, z(ledger_size, 0.0);
  stepper.stop_time();
  for (const auto& [unknown, motion] : system.driven()) q[unknown] = motion->at(0).value;
  StaticContact out;
  while (out.steps < most_steps && !out.converged) {
    before = q;
    std::fill(u.begin(), u.end(), 0.0);
    stepper.step(0, h, q.data(), u.data(), z.data());
    ++out.steps;
    double moved = 0, size = 1e-300;
    for (std::size_t i = 0; i < q.size(); ++i) {
      moved = std::max(moved, std::abs(q[i] - before[i]));
      size = std::max(size, std::abs(q[i]));
    }
    out.moved = moved / size;
    out.converged = out.moved < 1e-9;
  }
  for (int s = 0; s < system.count(); ++s) out.q.push_back(system.free_unknowns(s, q.data()));
  out.normal.assign(model.structure_contacts.size(), 0.0);
  out.nodes.resize(model.structure_contacts.size());
  for (NodeImpulse p : stepper.impulses()) {
    p.impulse /= h, p.normal /= h;
    out.normal[p.contact] += p.normal;
    out.nodes[p.contact].push_back(p);
  }
  return out;
}

}  // namespace tappet
