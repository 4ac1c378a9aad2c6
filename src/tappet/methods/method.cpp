#include "tappet/methods/method.hpp"

#include <stdexcept>

#include "tappet/equilibrium/dense_matrices.hpp"

namespace tappet {

void Method::signals(const Model& model, const State& state, Workspace& w, const Energies& energy,
                     const std::vector<SignalDefinition>& signals, const double* y, double* out) const {
  const DynamicsWorkspace& instant = w.system.workspace();
  SignalContext context{.model = model,
                        .k = instant.k,
                        .q = w.system.q(y),
                        .z = w.system.z(y),
                        .w = &instant,
                        .kinetic = energy.kinetic,
                        .potential = energy.potential,
                        .energy_at_start = state.counters.energy_start};
  evaluate_signals(signals, context, out);
}

Energies Method::energies(const Model& model, const State&, Workspace& w, const double*) const {
  const DynamicsWorkspace& instant = w.system.workspace();
  return {kinetic_energy(model.mechanism, instant.k), stored_energy(model.mechanism, instant)};
}

Eigen::MatrixXd Method::mass_matrix(const Model& model, Workspace& w) const {
  return dense_mass(model.mechanism, w.system.workspace().k);
}

void Method::fields(const Model&, const State&, Workspace&, const double*, int, fem::Fields&) const {
  throw std::logic_error("this method has no structures");
}

void Method::contacts(const Model& model, const State&, Workspace& w, std::vector<ContactLoad>& out) const {
  const DynamicsWorkspace& instant = w.system.workspace();
  for (const auto& contact : model.mechanism.contacts) {
    if (!w.system.contact_states()[contact->index].touching || contact->turns) continue;
    const Touch touch = contact->touch(instant.k);
    const ContactForce& force = instant.contacts[contact->index].force;
    ContactLoad load;
    load.id = {.entry = contact->index};
    for (int side = 0; side < 2; ++side) load.bodies[side] = contact->bodies[side];
    load.point = touch.at, load.normal = touch.normal, load.gap = touch.gap;
    load.force = contact->resultant(touch, force);
    out.push_back(load);
  }
  for (PassingContacts* passing : w.system.passing()) passing->loads(instant.k, out);
}

}  // namespace tappet
