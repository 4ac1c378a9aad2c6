#include "tappet/stepping/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "tappet/model/model.hpp"
#include "tappet/stepping/contact_watch.hpp"
#include "tappet/stepping/event_location.hpp"
#include "tappet/stepping/scheme.hpp"
#include "tappet/stepping/smooth_system.hpp"

namespace tappet {

struct Simulation::Impl {
  explicit Impl(const Model& m);

  const Model& model;
  SmoothSystem system;
  Assembly assembly;
  std::unique_ptr<Scheme> scheme;
  EventLocator locator;
  std::unique_ptr<ContactWatch> watch;
  std::string integrator;  // what `auto` became
  int rows = 0, rank = 0;  // constraint rows of the motion, and how many of them are independent at the start

  std::vector<SignalSource> sources;  // recorded signals
  std::vector<Signal> signals;
  std::vector<std::string> contact_names, event_names;

  // The state, and what a run keeps track of; all of it is in a checkpoint.
  double t = 0;
  std::vector<double> y;
  long next_sample = 0;
  double energy_start = 0;
  double energy_low = 0, energy_high = 0;  // of the potential
  double kinetic_high = 0, residual_high = 0;
  long events = 0;
  double flight_step = 0;  // last step before a contact began
  long restarts = 0;       // checkpoints at which a multistep scheme began anew

  double last_change = -1;  // of a contact
  int same_instant = 0;

  // Working space.
  std::vector<double> sample_state, row, g_old;
  bool resumed = false;

  double sample_time(long k) const {
    return std::min(static_cast<double>(k) * model.settings.output_step, model.settings.duration);
  }
  long last_sample() const {
    // The end is always recorded, also when it is no multiple of the output step.
    return static_cast<long>(std::ceil(model.settings.duration / model.settings.output_step * (1 - 1e-12)));
  }

  void record(double time, const double* state, Observer& observer);
  void record_until(double time, Observer& observer);
  bool handle_events(Observer& observer);
  std::optional<ContactWatch::Found> step();
  void change(const ContactWatch::Found& found, Observer& observer);
  void place_links();
  std::vector<double> checkpoint();
  void loop(Observer& observer, RunSummary& summary);
};

namespace {

// Error-controlled Runge–Kutta of order 5 by default; at tight tolerances order 8 needs fewer evaluations.
std::string choose_integrator(const RunSettings& settings) {
  if (settings.integrator != "auto") return settings.integrator;
  return settings.step == 0 && settings.tolerance < 1e-6 ? "dop853" : "dopri5";
}

}  // namespace

Simulation::Impl::Impl(const Model& m)
    : model(m),
      system(m),
      assembly(assemble(m.mechanism, m.q0, m.u0, m.given, m.pos)),
      locator(system),
      watch(make_contact_watch(m, system)),
      integrator(choose_integrator(m.settings)) {
  const SchemeType* type = SchemeRegistry::instance().find(integrator);
  auto refuse = [&](const std::string& message) {
    throw InputError({{Severity::error, model.pos, message}});
  };
  if (!type)
    refuse(fmt::format("`simulation.integrator` is '{}', which does not exist; integrators: auto, {}",
                       integrator, join_names(SchemeRegistry::instance().names())));
  if (model.settings.step > 0 && !type->fixed_step)
    refuse(fmt::format(
        "`simulation.step` asks for fixed steps, which integrator '{}' does not take; leave `step` out, or "
        "use dopri5 or dop853",
        integrator));
  scheme = type->make({.tolerance = model.settings.tolerance,
                       .max_step = model.settings.max_step,
                       .fixed_step = model.settings.step});

  // The columns of the result.
  for (const SignalSource& s : all_signals(model)) {
    const auto& patterns = model.settings.output_signals;
    const bool wanted =
        patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                        [&](const std::string& p) { return matches(p, s.name); });
    if (!wanted) continue;
    sources.push_back(s);
    signals.push_back({s.name, s.unit});
  }
  for (const ModelEvent& event : model.events) event_names.push_back(event.name);
  for (const auto& contact : model.mechanism.contacts) contact_names.push_back(contact->name);

  // The initial state: positions and velocities as assembled, auxiliary variables as they start.
  y.assign(system.size(), 0.0);
  std::copy(assembly.q.begin(), assembly.q.end(), y.begin());
  std::copy(assembly.u.begin(), assembly.u.end(), y.begin() + model.mechanism.q_size());
  double* z = y.data() + model.mechanism.q_size() + model.mechanism.u_size();
  Kinematics k;
  resize(k, model.mechanism.dimension, model.mechanism.body_count());
  k.contacts = system.contact_states().data();
  place_links();
  update_kinematics(k, 0, y.data(), y.data() + model.mechanism.q_size(), z);
  start_auxiliaries(model.mechanism, k, z);
  // Contacts that are closed from the start hold energy already.
  for (const auto& contact : model.mechanism.contacts)
    system.contact_states()[contact->index].touching = contact->touch(k).gap < 0;
  energy_low = energy_high = potential_energy(model.mechanism, k);
  energy_start = kinetic_energy(model.mechanism, k) + energy_low;
  for (ContactState& state : system.contact_states()) state.touching = false;

  // Rows of contacts that may stick are not counted: none does yet.
  int idle = 0;
  for (const auto& stick : model.mechanism.sticks) idle += stick->rows;
  const DynamicsWorkspace& w = system.evaluate(0, y.data());
  rows = w.constraints.rows() - idle;
  rank = w.constraints.rows() - w.dependent_rows;

  sample_state.assign(system.size(), 0.0);
  row.assign(sources.size() + 1, 0.0);
  g_old.assign(system.event_count(), 0.0);
}

// A massless link cannot start with its ends together: its second body is moved out along the pull that the
// ideal joint would exert, so that the link begins in tension.
void Simulation::Impl::place_links() {
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

void Simulation::Impl::record(double time, const double* state, Observer& observer) {
  const DynamicsWorkspace& w = system.evaluate(time, state);
  row[0] = time;
  evaluate_signals(model, sources, w, system.q(state), system.z(state), energy_start, row.data() + 1);
  observer.sample(row);

  // The ledger is looked at where samples are.
  const double kinetic = kinetic_energy(model.mechanism, w.k),
               potential = potential_energy(model.mechanism, w.k);
  energy_low = std::min(energy_low, potential);
  energy_high = std::max(energy_high, potential);
  kinetic_high = std::max(kinetic_high, kinetic);
  residual_high =
      std::max(residual_high, std::abs(ledger_residual(kinetic + potential, energy_start, system.z(state))));
}

// Samples up to and including `time`, which lies in the scheme's last step.
void Simulation::Impl::record_until(double time, Observer& observer) {
  for (; next_sample <= last_sample() && sample_time(next_sample) <= time; ++next_sample) {
    const double at = sample_time(next_sample);
    if (at == scheme->t()) {
      record(at, scheme->y(), observer);
      continue;
    }
    scheme->interpolate(at, sample_state.data());
    system.project(at, sample_state.data());
    record(at, sample_state.data(), observer);
  }
}

// One step of the scheme, cut where a contact changes; what changes is returned, and carried out by the
// caller once the step has been recorded.
std::optional<ContactWatch::Found> Simulation::Impl::step() {
  if (model.mechanism.contacts.empty()) {
    scheme->step();
    return std::nullopt;
  }
  const double limit = watch->step_limit();
  if (limit < scheme->next_step()) scheme->suggest_step(limit);
  scheme->step();
  if (model.settings.reject_steps) {
    // Steps that end too deep in a new contact are taken again, shorter.
    for (double deep;
         (deep = watch->first_penetration(scheme->t(), scheme->y())) > model.settings.first_penetration;) {
      const double tried = scheme->t() - t;
      SchemeCounters counters = scheme->counters();
      --counters.steps, ++counters.rejected;
      scheme->set_counters(counters);
      scheme->start(system, t, y.data(), model.settings.duration);
      scheme->suggest_step(0.5 * tried);
      scheme->step();
    }
  }
  const auto found = watch->find(*scheme);
  if (found && found->kind == ContactWatch::Found::Kind::touch) flight_step = scheme->t() - scheme->t_old();
  if (found && found->time < scheme->t()) {
    scheme->interpolate(found->time, sample_state.data());
    system.project(found->time, sample_state.data());
    scheme->truncate(found->time, sample_state.data());
  }
  return found;
}

// A contact changes at the end of the step: the scheme starts anew behind it.
void Simulation::Impl::change(const ContactWatch::Found& found, Observer& observer) {
  // Changes that pile up at one instant would never end.
  same_instant = found.time - last_change <= 1e-15 * std::abs(found.time) ? same_instant + 1 : 0;
  last_change = found.time;
  if (same_instant > 100)
    throw SimulationError(
        t, fmt::format("contact '{}' changes without end at one instant", contact_names[found.contact]));
  const double suggestion = watch->change(found, t, y.data(), observer, flight_step);
  scheme->start(system, t, y.data(), model.settings.duration);
  if (suggestion > 0) scheme->suggest_step(suggestion);
  if (!g_old.empty()) system.event_values(t, y.data(), g_old.data());
}

// Locates the user's events in the last step; true when one of them ends the run.
bool Simulation::Impl::handle_events(Observer& observer) {
  if (g_old.empty()) return false;
  const auto found = locator.first(system, *scheme, g_old.data());
  if (!found) {
    std::copy(locator.values_at_end(), locator.values_at_end() + g_old.size(), g_old.begin());
    return false;
  }
  // The step is cut there, so that the next event of this step is found by the next one.
  scheme->interpolate(found->time, sample_state.data());
  system.project(found->time, sample_state.data());
  scheme->truncate(found->time, sample_state.data());
  system.event_values(found->time, sample_state.data(), g_old.data());
  g_old[found->index] = 0;
  const ModelEvent& event = model.events[found->index];
  if (event.direction != 0 && event.direction != found->direction) return false;
  ++events;
  observer.event({found->index, found->time});
  return event.stop;
}

std::vector<double> Simulation::Impl::checkpoint() {
  std::vector<double> out = {t,
                             static_cast<double>(next_sample),
                             energy_low,
                             energy_high,
                             kinetic_high,
                             residual_high,
                             system.constraint_violation,
                             static_cast<double>(events),
                             static_cast<double>(restarts),
                             flight_step,
                             last_change,
                             static_cast<double>(same_instant),
                             static_cast<double>(watch->impacts),
                             watch->max_first_penetration,
                             watch->worst_love_ratio,
                             static_cast<double>(watch->love_exceeded),
                             static_cast<double>(watch->worst_love_contact),
                             static_cast<double>(scheme->counters().steps),
                             static_cast<double>(scheme->counters().rejected),
                             static_cast<double>(scheme->counters().evaluations)};
  const std::vector<double> memory = scheme->memory();
  out.insert(out.end(), memory.begin(), memory.end());
  out.insert(out.end(), g_old.begin(), g_old.end());
  for (const ContactState& state : system.contact_states()) {
    out.resize(out.size() + contact_state_numbers);
    save(state, out.data() + out.size() - contact_state_numbers);
  }
  out.insert(out.end(), y.begin(), y.end());
  return out;
}

void Simulation::Impl::loop(Observer& observer, RunSummary& summary) {
  const double t_end = model.settings.duration;
  // Multistep schemes begin anew at these times, in every run, so that a resumed run takes the same steps.
  const double restart_every = t_end / 64;

  const std::vector<double> memory = scheme->memory();
  if (!resumed && !model.mechanism.contacts.empty()) watch->prepare(t, y.data(), observer);
  scheme->start(system, t, y.data(), t_end);
  if (resumed)
    scheme->restore_memory(memory);
  else if (!g_old.empty())
    system.event_values(t, y.data(), g_old.data());
  if (!model.mechanism.contacts.empty()) watch->start(t, y.data());
  if (next_sample == 0) {
    record(t, y.data(), observer);
    next_sample = 1;
  }
  while (t < t_end) {
    const auto found = step();
    const bool stop = handle_events(observer);
    t = scheme->t();
    std::copy(scheme->y(), scheme->y() + y.size(), y.begin());
    if (!model.mechanism.contacts.empty()) watch->accepted(*scheme);
    record_until(t, observer);
    if (found && t == found->time)
      change(*found, observer);
    else if (found || (!g_old.empty() && !model.mechanism.contacts.empty()))
      watch->start(t, y.data());
    observer.progress(t, t_end);
    if (stop) {
      if (t < sample_time(next_sample) && (next_sample == 0 || t > sample_time(next_sample - 1)))
        record(t, y.data(), observer);
      return;
    }
    const bool asked_to_stop = observer.stop_requested();
    if (scheme->restarts_at_checkpoint() && t >= static_cast<double>(restarts + 1) * restart_every &&
        t < t_end) {
      restarts = static_cast<long>(t / restart_every);
      scheme->start(system, t, y.data(), t_end);
      if (observer.checkpoint_due() || asked_to_stop) observer.checkpoint(checkpoint());
    } else if (!scheme->restarts_at_checkpoint() && (asked_to_stop || observer.checkpoint_due())) {
      observer.checkpoint(checkpoint());
    }
    if (asked_to_stop && t < t_end) {
      summary.stop_reason = fmt::format("stopped on request at t = {:.9g} s", t);
      return;
    }
  }
}

Simulation::Simulation(const Model& model) : impl_(std::make_unique<Impl>(model)) {}
Simulation::~Simulation() = default;

const std::vector<Signal>& Simulation::signals() const {
  return impl_->signals;
}
const std::vector<std::string>& Simulation::contact_names() const {
  return impl_->contact_names;
}
const std::vector<std::string>& Simulation::event_names() const {
  return impl_->event_names;
}

std::size_t Simulation::checkpoint_length() const {
  return impl_->checkpoint().size();
}

void Simulation::restore(std::span<const double> checkpoint) {
  Impl& s = *impl_;
  if (checkpoint.size() != checkpoint_length())
    throw InputError(
        {{Severity::error, s.model.pos,
          "the checkpoint does not fit this model; it was written by another model or version"}});
  const double* c = checkpoint.data();
  s.t = *c++;
  s.next_sample = static_cast<long>(*c++);
  s.energy_low = *c++, s.energy_high = *c++, s.kinetic_high = *c++, s.residual_high = *c++;
  s.system.constraint_violation = *c++;
  s.events = static_cast<long>(*c++);
  s.restarts = static_cast<long>(*c++);
  s.flight_step = *c++;
  s.last_change = *c++;
  s.same_instant = static_cast<int>(*c++);
  s.watch->impacts = static_cast<long>(*c++);
  s.watch->max_first_penetration = *c++;
  s.watch->worst_love_ratio = *c++;
  s.watch->love_exceeded = static_cast<long>(*c++);
  s.watch->worst_love_contact = static_cast<int>(*c++);
  SchemeCounters counters;
  counters.steps = static_cast<long>(*c++);
  counters.rejected = static_cast<long>(*c++);
  counters.evaluations = static_cast<long>(*c++);
  s.scheme->set_counters(counters);
  const std::size_t memory = s.scheme->memory().size();
  s.scheme->restore_memory(std::vector<double>(c, c + memory));
  c += memory;
  std::copy(c, c + s.g_old.size(), s.g_old.begin());
  c += s.g_old.size();
  for (ContactState& state : s.system.contact_states()) load(state, c), c += contact_state_numbers;
  std::copy(c, c + s.y.size(), s.y.begin());
  s.resumed = true;
}

RunSummary Simulation::describe() const {
  const Impl& s = *impl_;
  const Mechanism& m = s.model.mechanism;
  RunSummary out;
  out.bodies = m.body_count();
  out.constraints = s.rows;
  out.redundant = s.rows - s.rank;
  out.degrees_of_freedom = m.u_size() - s.rank;
  for (const Body& body : m.bodies)
    if (!body.has_inertia) out.degrees_of_freedom -= m.dimension == Dimension::planar ? 1 : 3;
  out.method = s.model.settings.method;
  out.integrator = s.integrator;
  out.notes = s.model.notes;
  // What repeats in the assembly also repeats in the motion, unless a joint has play.
  if (std::find(m.has_play.begin(), m.has_play.end(), true) == m.has_play.end())
    for (const std::string& text : s.assembly.redundant)
      out.notes.push_back(text +
                          ": redundant; its reaction there is taken as 0 and the others carry the load");
  if (s.assembly.moved > 1e-6 * m.length)
    out.notes.push_back(fmt::format("assembly moved bodies from the positions given, '{}' most, by {:.4g} m",
                                    s.assembly.moved_body, s.assembly.moved));
  return out;
}

RunSummary Simulation::run(Observer& observer) {
  Impl& s = *impl_;
  RunSummary out = describe();
  const auto begin = std::chrono::steady_clock::now();
  try {
    s.loop(observer, out);
    out.completed = out.stop_reason.empty();
  } catch (const SimulationError& e) {
    // The place where the failing step began, and why it failed.
    out.stop_reason = fmt::format("stopped at t = {:.9g} s: {}", s.t, e.what());
  }
  out.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  out.t_end = s.t;
  out.steps = s.scheme->counters().steps;
  out.rejected = s.scheme->counters().rejected;
  out.evaluations = s.scheme->counters().evaluations;
  out.samples = s.next_sample;
  out.events = s.events;
  out.impacts = s.watch->impacts;
  out.max_first_penetration = s.watch->max_first_penetration;
  if (s.watch->love_exceeded > 0)
    out.warnings.push_back(
        fmt::format("{} of {} impacts were faster than Love's limit of 1e-5 times the wave speed, '{}' at "
                    "most {:.3g} times: the contact "
                    "laws are used beyond their theory (waves, plastic flow)",
                    s.watch->love_exceeded, s.watch->impacts, s.contact_names[s.watch->worst_love_contact],
                    s.watch->worst_love_ratio));
  out.constraint_violation = s.system.constraint_violation;
  const double* z = s.system.z(s.y.data());
  const double moved = s.kinetic_high + (s.energy_high - s.energy_low) + std::abs(z[ledger_input]) +
                       z[ledger_damping] + z[ledger_normal] + z[ledger_friction];
  // Where next to nothing moves, rounding is measured by the weights' energy instead.
  double mass = 0;
  for (const Body& body : s.model.mechanism.bodies) mass += body.mass;
  const double floor = 1e-6 * mass * s.model.mechanism.gravity.norm() * s.model.mechanism.length;
  out.energy_residual = moved > 0 ? s.residual_high / std::max(moved, floor) : 0;
  return out;
}

}  // namespace tappet
