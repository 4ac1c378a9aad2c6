#include "tappet/run/run.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/fem/body.hpp"
#include "tappet/model/model.hpp"
#include "tappet/run/contact_watch.hpp"
#include "tappet/run/integrated_run.hpp"
#include "tappet/run/moreau_run.hpp"
#include "tappet/run/structure_run.hpp"

namespace tappet {

std::unique_ptr<Run> make_run(const Model& model) {
  if (!model.structures.empty()) return std::make_unique<StructureRun>(model);
  if (model.settings.method == "moreau") return std::make_unique<MoreauRun>(model);
  return std::make_unique<IntegratedRun>(model);
}

Run::Run(const Model& m) : model(m), system(m), assembly_(assemble(m.mechanism, m.q0, m.u0, m.given, m.pos)) {
  // The columns of the result.
  for (const SignalDefinition& s : all_signals(model)) {
    const auto& patterns = model.settings.output_signals;
    const bool wanted =
        patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                        [&](const std::string& p) { return matches(p, s.name); });
    if (!wanted) continue;
    sources_.push_back(s);
    signals.push_back({s.name, s.unit});
  }
  for (const ModelEvent& event : model.events) event_names.push_back(event.name);
  for (const auto& contact : model.mechanism.contacts) contact_names.push_back(contact->name);
  for (const ContactGroup& group : model.mechanism.groups) contact_names.push_back(group.name);
  for (const auto& contact : model.structure_contacts) contact_names.push_back(contact.name);

  // The initial state: positions and velocities as assembled, auxiliary variables as they start.
  y.assign(system.size(), 0.0);
  std::copy(assembly_.q.begin(), assembly_.q.end(), y.begin());
  std::copy(assembly_.u.begin(), assembly_.u.end(), y.begin() + model.mechanism.q_size());
  place_links();
  start_auxiliary();

  // Rows of contacts that may stick are not counted: none does yet.
  int idle = 0;
  for (const auto& stick : model.mechanism.sticks) idle += stick->rows;
  const DynamicsWorkspace& w = system.evaluate(0, y.data());
  rows_ = w.constraints.rows() - idle;
  rank_ = w.constraints.rows() - w.dependent_rows;

  sample_state.assign(system.size(), 0.0);
  row_.assign(sources_.size() + 1, 0.0);
  triggers.resize(model.events.size());
}

void Run::start_auxiliary() {
  const Mechanism& m = model.mechanism;
  double* z = y.data() + m.q_size() + m.u_size();
  Kinematics k;
  resize(k, m.dimension, m.body_count());
  k.contacts = system.contact_states().data();
  update_kinematics(k, 0, y.data(), y.data() + m.q_size(), z);
  start_auxiliaries(m, k, z);
  // Contacts that are closed from the start hold energy already.
  for (const auto& contact : m.contacts)
    system.contact_states()[contact->index].touching = contact->touch(k).gap < 0;
  energy_low_ = energy_high_ = potential_energy(m, k);
  for (ContactState& state : system.contact_states()) state.touching = false;
  energy_start_ = kinetic_energy(m, k) + energy_low_;
}

// A massless link cannot start with its ends together: its second body is moved out along the pull that the
// ideal joint would exert, so that the link begins in tension.
void Run::place_links() {
  const Mechanism& m = model.mechanism;
  if (m.links.empty()) return;
  ConstraintSystem ideal(m.dimension, m.body_count(), m.assembly_constraints);
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
    double* r = y.data() + position_size(m.dimension) * (second ? bodies[1] : bodies[0]);
    for (int i = 0; i < dimensions; ++i) r[i] += (second ? 1 : -1) * link.length * out[i];
  }
  try {
    system.project(0, y.data());
  } catch (const SimulationError& e) {
    throw InputError(
        {{Severity::error, model.pos, std::string("the massless links cannot be placed: ") + e.what()}});
  }
}

double Run::step_end(long step) const {
  const double h = model.settings.step, end = model.settings.duration,
               time = h * static_cast<double>(step + 1);
  return time > end - 1e-9 * h ? end : time;
}

double Run::sample_time(long k) const {
  return std::min(static_cast<double>(k) * model.settings.output_step, model.settings.duration);
}

long Run::last_sample() const {
  // The end is always recorded, also when it is no multiple of the output step.
  return static_cast<long>(std::ceil(model.settings.duration / model.settings.output_step * (1 - 1e-12)));
}

void Run::record(const DynamicsWorkspace& w, double time, const double* state, Observer& observer) {
  const double kinetic = kinetic_energy(model.mechanism, w.k), potential = stored_energy(model.mechanism, w);
  row_[0] = time;
  SignalContext context{.model = model,
                        .k = w.k,
                        .q = system.q(state),
                        .z = system.z(state),
                        .w = &w,
                        .kinetic = kinetic,
                        .potential = potential,
                        .energy_at_start = energy_start_};
  evaluate_signals(sources_, context, row_.data() + 1);
  observer.sample(row_);

  // The ledger is looked at where samples are.
  watch_energy(kinetic, potential, system.z(state));
}

void Run::start_events() {
  if (triggers.empty()) return;
  std::vector<double> g(triggers.size());
  system.event_values(t, y.data(), g.data());
  for (std::size_t i = 0; i < triggers.size(); ++i)
    triggers[i].begin(g[i], system.event_scale(static_cast<int>(i)), event_band());
}

bool Run::report_event(int index, double time, int direction, Observer& observer) {
  const ModelEvent& event = model.events[index];
  if (event.direction != 0 && event.direction != direction) return false;
  ++events;
  observer.event({index, time});
  return event.stop;
}

void Run::watch_energy(double kinetic, double potential, const double* z) {
  energy_low_ = std::min(energy_low_, potential);
  energy_high_ = std::max(energy_high_, potential);
  kinetic_high_ = std::max(kinetic_high_, kinetic);
  residual_high_ = std::max(residual_high_, std::abs(ledger_residual(kinetic + potential, energy_start_, z)));
}

void Run::start_energy(double kinetic, double potential) {
  energy_low_ = energy_high_ = potential;
  energy_start_ = kinetic + potential;
}

std::vector<double> Run::checkpoint() const {
  std::vector<double> out = {t,
                             static_cast<double>(next_sample),
                             energy_low_,
                             energy_high_,
                             kinetic_high_,
                             residual_high_,
                             system.constraint_violation,
                             static_cast<double>(events)};
  const std::vector<double> own = memory();
  out.insert(out.end(), own.begin(), own.end());
  for (const EventTrigger& trigger : triggers)
    out.insert(out.end(), {trigger.value, trigger.largest, static_cast<double>(trigger.side), trigger.since});
  for (const ContactState& state : system.contact_states()) {
    out.resize(out.size() + contact_state_numbers);
    save(state, out.data() + out.size() - contact_state_numbers);
  }
  out.insert(out.end(), y.begin(), y.end());
  return out;
}

void Run::restore(std::span<const double> checkpoint) {
  if (checkpoint.size() != this->checkpoint().size())
    throw InputError(
        {{Severity::error, model.pos,
          "the checkpoint does not fit this model; it was written by another model or version"}});
  const double* c = checkpoint.data();
  t = *c++;
  next_sample = static_cast<long>(*c++);
  energy_low_ = *c++, energy_high_ = *c++, kinetic_high_ = *c++, residual_high_ = *c++;
  system.constraint_violation = *c++;
  events = static_cast<long>(*c++);
  restore_memory(c);
  c += memory().size();
  for (EventTrigger& trigger : triggers) {
    trigger = {c[0], c[1], static_cast<int>(c[2]), c[3]};
    c += 4;
  }
  for (ContactState& state : system.contact_states()) load(state, c), c += contact_state_numbers;
  std::copy(c, c + y.size(), y.begin());
  resumed = true;
}

RunSummary Run::describe() const {
  const Mechanism& m = model.mechanism;
  RunSummary out;
  out.bodies = m.body_count();
  out.constraints = rows_;
  out.redundant = rows_ - rank_;
  out.degrees_of_freedom = m.u_size() - rank_;
  for (const Body& body : m.bodies)
    if (!body.has_inertia) out.degrees_of_freedom -= m.dimension == Dimension::planar ? 1 : 3;
  out.bodies += static_cast<int>(model.structures.size());
  for (const auto& body : model.structures)
    out.degrees_of_freedom += body->structure.free - body->structure.moved;
  out.method = model.settings.method;
  out.integrator = integrator();
  out.notes = model.notes;
  // What repeats in the assembly also repeats in the motion, unless a joint has play.
  if (std::find(m.has_play.begin(), m.has_play.end(), true) == m.has_play.end())
    for (const std::string& text : assembly_.redundant)
      out.notes.push_back(text +
                          ": redundant; its reaction there is taken as 0 and the others carry the load");
  if (assembly_.moved > 1e-6 * m.length)
    out.notes.push_back(fmt::format("assembly moved bodies from the positions given, '{}' most, by {:.4g} m",
                                    assembly_.moved_body, assembly_.moved));
  return out;
}

void Run::finish(RunSummary& out) const {
  out.t_end = t;
  out.samples = next_sample;
  out.events = events;
  out.constraint_violation = system.constraint_violation;
  report(out);

  const double* z = system.z(y.data());
  const double moved = kinetic_high_ + (energy_high_ - energy_low_) + std::abs(z[ledger_input]) +
                       z[ledger_damping] + z[ledger_normal] + z[ledger_friction];
  // Where next to nothing moves, rounding is measured by the weights' energy instead.
  double mass = 0;
  for (const Body& body : model.mechanism.bodies) mass += body.mass;
  const double floor = 1e-6 * mass * model.mechanism.gravity.norm() * model.mechanism.length;
  out.energy_residual = moved > 0 ? residual_high_ / std::max(moved, floor) : 0;
}

}  // namespace tappet
