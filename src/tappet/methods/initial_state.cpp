#include "tappet/methods/initial_state.hpp"

#include <algorithm>

#include "tappet/base/diagnostics.hpp"

namespace tappet {
namespace {

void start_auxiliary(const Model& model, SmoothSystem& system, State& state) {
  const Mechanism& m = model.mechanism;
  std::vector<double>& y = state.y;
  double* z = y.data() + m.q_size() + m.u_size();
  Kinematics k;
  resize(k, m);
  k.contacts = system.contact_states().data();
  update_kinematics(k, 0, y.data(), y.data() + m.q_size(), z);
  start_auxiliaries(m, k, z);
}

void start_ledger(const Model& model, SmoothSystem& system, State& state) {
  const Mechanism& m = model.mechanism;
  Kinematics k;
  resize(k, m);
  k.contacts = system.contact_states().data();
  update_kinematics(k, 0, state.y.data(), state.y.data() + m.q_size(),
                    state.y.data() + m.q_size() + m.u_size());
  // Contacts that are closed from the start hold energy already.
  for (const auto& contact : m.contacts)
    system.contact_states()[contact->index].touching = contact->touch(k).gap < 0;
  Counters& c = state.counters;
  c.energy_low = c.energy_high = potential_energy(m, k);
  for (ContactState& contact : system.contact_states()) contact.touching = false;
  c.energy_start = kinetic_energy(m, k) + c.energy_low;
}

// Positions of the equilibrium. Velocities are those of the start, brought onto the joints and motions there; windings are those
// of the way, and only motions that prescribe rates begin anew.
StaticSolution start_from_statics(const Model& model, SmoothSystem& system, std::vector<double>& y) {
  const Mechanism& m = model.mechanism;
  StaticSolution found = solve_statics(model, system, y);
  if (!found.found)
    throw InputError({{Severity::error, model.settings.start_pos, "`start: static`: " + found.why}});
  DynamicsWorkspace& w = system.workspace();
  double *q = y.data(), *u = q + m.q_size(), *z = u + m.u_size();
  update_kinematics(w.k, 0, q, u, z);
  w.constraints.evaluate(w.k);
  if (w.constraints.rows() == 0) return found;
  constexpr double rounding = 1e-15;
  double speed = model.usual_speed();
  for (int i = 0; i < m.u_size(); ++i) speed = std::max(speed, std::abs(u[i]));
  project_velocities(m, u, rounding * speed, false, w);
  update_kinematics(w.k, 0, q, u, z);
  for (const Motion& motion : m.motions)
    if (motion.constraint->aux_offset >= 0)
      motion.constraint->start_aux(w.k, z + motion.constraint->aux_offset);
  return found;
}

// A massless link cannot start with its ends together: its second body is moved out along the pull that the
// ideal joint would exert, so that the link begins in tension.
void place_links(const Model& model, SmoothSystem& system, std::vector<double>& y) {
  const Mechanism& m = model.mechanism;
  if (m.links.empty()) return;
  ConstraintSystem ideal(m.dimension, m.body_count(), m.assembly_constraints, {},
                         ConstraintSystem::DrivenBodies::are_free, &m.flexible);
  DynamicsWorkspace w(m);
  w.k.contacts = system.contact_states().data();
  double* z = y.data() + m.q_size() + m.u_size();
  update_kinematics(w.k, 0, y.data(), y.data() + m.q_size(), z);
  for (const Constraint* c : m.assembly_constraints)
    if (c->aux_offset >= 0) c->start_aux(w.k, z + c->aux_offset);
  applied_forces(m, w);
  ideal.evaluate(w.k);
  ideal.factor(m.inverse_mass);
  std::vector<double> a(m.u_size()), lambda(ideal.rows());
  ideal.solve(w.h.data(), ideal.gamma().data(), a.data(), lambda.data());
  const int dimensions = m.dimension == Dimension::planar ? 2 : 3;
  for (const Mechanism::Link& link : m.links) {
    // The first rows of these joints are r_Pj − r_Pi, so their multipliers are the force on the second body.
    Vec3 pull = Vec3::Zero();
    for (int i = 0; i < dimensions; ++i) pull[i] = lambda[ideal.row_of(link.joint) + i];
    const Vec3 out = pull.norm() > 0 ? Vec3(-pull.normalized()) : Vec3(Vec3::UnitX());
    const auto& bodies = m.joints[link.joint].constraint->bodies;
    const bool second = bodies[1] != m.ground();
    double* r = y.data() + position_size(m.dimension) * m.body_of(second ? bodies[1] : bodies[0]);
    for (int i = 0; i < dimensions; ++i) r[i] += (second ? 1 : -1) * link.length * out[i];
  }
  try {
    system.project(0, y.data());
  } catch (const SimulationError& e) {
    throw InputError(
        {{Severity::error, model.pos, std::string("the massless links cannot be placed: ") + e.what()}});
  }
}

}  // namespace

Start initial_state(const Model& model, SmoothSystem& system) {
  const Mechanism& m = model.mechanism;
  Start out;
  out.assembly = assemble(m, model.q0, model.u0, model.given, model.pos);
  State& state = out.state;
  state.y.assign(system.size(), 0.0);
  std::copy(out.assembly.q.begin(), out.assembly.q.end(), state.y.begin());
  std::copy(out.assembly.u.begin(), out.assembly.u.end(), state.y.begin() + m.q_size());
  for (const StateVariable& each : m.states) state.y[m.q_size() + m.u_size() + each.offset] = each.initial;
  place_links(model, system, state.y);
  start_auxiliary(model, system, state);
  if (model.settings.start_static) out.statics = start_from_statics(model, system, state.y);
  start_ledger(model, system, state);
  state.contacts = system.contact_states();
  state.triggers.resize(model.events.size());
  state.exchanges.resize(model.controllers.size());
  state.controllers.resize(model.controllers.size());
  state.inputs = system.inputs();
  state.off = m.off;
  state.acted.assign(model.events.size(), 0.0);
  state.acted_energy = state.acted;

  // Rows of contacts that may stick are not counted: none does yet.
  int idle = 0;
  for (const auto& stick : m.sticks) idle += stick->rows;
  const DynamicsWorkspace& w = system.evaluate(0, state.y.data());
  out.rows = w.constraints.rows() - idle;
  out.rank = w.constraints.rows() - w.dependent_rows;
  return out;
}

}  // namespace tappet
