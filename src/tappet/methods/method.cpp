#include "tappet/methods/method.hpp"

#include <stdexcept>

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

Eigen::MatrixXd Method::mass_matrix(const Model& model, Workspace&) const {
  const Mechanism& m = model.mechanism;
  const int width = velocity_size(m.dimension), linear = width == 3 ? 2 : 3;
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(m.u_size(), m.u_size());
  for (int b = 0; b < m.body_count(); ++b) {
    const Body& body = m.bodies[b];
    for (int i = 0; i < linear; ++i) out(width * b + i, width * b + i) = body.mass;
    if (width == 3)
      out(3 * b + 2, 3 * b + 2) = body.inertia(2, 2);
    else
      out.block<3, 3>(6 * b + 3, 6 * b + 3) = body.inertia;
  }
  return out;
}

void Method::fields(const Model&, const State&, Workspace&, const double*, int, fem::Fields&) const {
  throw std::logic_error("this method has no structures");
}

void Method::contacts(const Model& model, const State&, Workspace& w, std::vector<ContactLoad>& out) const {
  const DynamicsWorkspace& instant = w.system.workspace();
  for (const auto& contact : model.mechanism.contacts) {
    if (!w.system.contact_states()[contact->index].touching) continue;
    const Touch touch = contact->touch(instant.k);
    const ContactForce& force = instant.contacts[contact->index].force;
    ContactLoad load;
    load.id = {.entry = contact->index};
    for (int side = 0; side < 2; ++side) load.bodies[side] = contact->bodies[side];
    load.point = touch.at, load.normal = touch.normal, load.gap = touch.gap;
    load.force = force.normal * touch.normal + force.tangential;
    out.push_back(load);
  }
  for (PassingContacts* passing : w.system.passing()) passing->loads(instant.k, out);
}

}  // namespace tappet
