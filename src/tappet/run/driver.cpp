#include "tappet/run/driver.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/fem/flexible_fields.hpp"
#include "tappet/methods/structure_part.hpp"
#include "tappet/ode/step_errors.hpp"

namespace tappet {
namespace {

/// Rows at the ends of steps, between samples: so many at least, and so many per sample, so that they do not swell a long result. Rows at
/// peaks are not bounded by this: there are a few per impact.
constexpr long most_between = 10'000, most_between_per_sample = 2;

/// What the driver itself changes in a state within a step.
struct Extremes {
  std::size_t said;
  long samples, events, between;
  double low, high, kinetic, residual, turn;

  explicit Extremes(const Counters& c)
      : said(c.said.size()),
        samples(c.samples),
        events(c.events),
        between(c.between),
        low(c.energy_low),
        high(c.energy_high),
        kinetic(c.kinetic_high),
        residual(c.residual_high),
        turn(c.largest_turn) {}
  void put_back(Counters& c) const {
    c.said.resize(said);
    c.samples = samples, c.events = events, c.between = between;
    c.energy_low = low, c.energy_high = high, c.kinetic_high = kinetic;
    c.residual_high = residual, c.largest_turn = turn;
  }
};

/// Thrown within a step alone.
struct NotFinite {
  int component = 0;
  double to = 0;  // where the step ended, s
};

}  // namespace

Driver::Driver(const Model& model, const Method& method, const Workspace& w,
               std::vector<SignalDefinition> recorded)
    : model_(model),
      method_(method),
      recorded_(std::move(recorded)),
      controllers_(model, method),
      locator_(w.system),
      motions_(model.mechanism),
      wear_(model) {
  records_forces_ = std::any_of(recorded_.begin(), recorded_.end(),
                                [](const SignalDefinition& signal) { return signal.needs_forces; });
  row_.assign(recorded_.size() + 1, 0.0);
  events_.assign(w.system.event_count(), 0.0);
}

double Driver::sample_time(long k) const {
  return std::min(static_cast<double>(k) * model_.settings.output_step, model_.settings.duration);
}

long Driver::last_sample() const {
  // The end is always recorded, also when it is no multiple of the output step.
  return static_cast<long>(std::ceil(model_.settings.duration / model_.settings.output_step * (1 - 1e-12)));
}

void Driver::start(State& state, Workspace& w, Observer& observer) {
  sample_.resize(state.y.size());
  if (state.started) return;
  controllers_.exchange(state, w);
  method_.begin(model_, state, w);
  if (!state.triggers.empty()) w.system.event_values(state.t, state.y.data(), events_.data());
  for (std::size_t i = 0; i < state.triggers.size(); ++i)
    state.triggers[i].begin(events_[i], w.system.event_scale(static_cast<int>(i)), event_band());
  watch_motions(state, w);
  record(state.t, state.y.data(), state, w, observer);
  state.counters.samples = 1;
  state.started = true;
  wear_.begin(method_, state, w);
  hand_over(state, w, observer);
}

void Driver::watch_motions(State& state, const Workspace& w) {
  motions_.look(state.t, w.system.workspace().constraints, state.inputs, state.counters.said);
}

void Driver::watch_progress(const State& state, const Workspace& w, double until) {
  const double end = state.t < model_.settings.duration ? model_.settings.duration : until;
  const auto steps = progress_.steps_to_come(state.t, end);
  if (!steps) return;
  const std::string limit = method_.step_limit(model_, w);
  const std::string pace =
      std::isinf(*steps)
          ? fmt::format("the last {} steps did not move it on", ProgressWatch::window)
          : fmt::format(
                "at the pace of the last {} steps it would take {:.3g} more, and more than {:g} are "
                "never taken",
                ProgressWatch::window, *steps, most_steps);
  throw SimulationError(state.t,
                        fmt::format("the run stands still: {}{}{}", pace, limit.empty() ? "" : "; ", limit));
}

void Driver::watch_numbers(const State& state) {
  if (const int bad = first_not_finite(state.y.data(), static_cast<int>(state.y.size())); bad >= 0)
    throw NotFinite{bad, state.t};
}

void Driver::say_not_finite(const State& state, Workspace& w, double to, int component) const {
  const double* y = state.y.data();
  for (const double t : {state.t, 0.5 * (state.t + to), to}) {
    std::string cause = w.system.not_finite_cause(t, y);
    if (cause.empty() && !model_.structures.empty()) cause = not_finite_load(model_, t);
    if (!cause.empty()) throw SimulationError(state.t, cause);
  }
  throw_not_finite(w.system, state.t, to, y, component);
}

bool Driver::step(State& state, Workspace& w, Observer& observer, double until) {
  watch_progress(state, w, until);
  if (!controllers_.empty()) {
    // Due already where a state was set, or where the last exchange failed.
    controllers_.exchange(state, w);
    until = std::min(until, controllers_.next(state));
  }
  until = std::min(until, wear_.end_of_cycle(state));
  wear_.before_step(state);
  const Extremes before(state.counters);
  triggers_before_ = state.triggers;
  if (!acting_.empty()) {
    inputs_before_ = state.inputs, off_before_ = state.off;
    acted_before_ = state.acted, acted_energy_before_ = state.acted_energy;
  }
  bool stop = false;
  const auto undo = [&] {
    before.put_back(state.counters);
    state.triggers = triggers_before_;
    if (!acting_.empty()) {
      state.inputs = inputs_before_, state.off = off_before_;
      state.acted = acted_before_, state.acted_energy = acted_energy_before_;
    }
    w.finished.rows.clear();
    method_.undo(model_, state, w);
  };
  try {
    const StepReport report = method_.step(model_, state, w, until);
    watch_numbers(state);
    watch_motions(state, w);
    stop = find_events(report, state, w, observer);
    record_until(report, state, w, observer);
    record_between(report, state, w, observer);
    method_.settle(model_, state, w);
    if (report.contact_changes) watch_numbers(state);
    const double length = state.t - report.from;
    if (stop && state.t < sample_time(state.counters.samples) - same_instant * length &&
        state.t > sample_time(state.counters.samples - 1) + same_instant * length)
      record(state.t, state.y.data(), state, w, observer);
    episodes_.take(model_, w.steps, report.from, state, w.finished);
    if (!acting_.empty()) act(state, w, observer);
    wear_.after_step(method_, state, w);
  } catch (const NotFinite& wrong) {
    undo();
    say_not_finite(state, w, wrong.to, wrong.component);
  } catch (...) {
    // A SimulationError, or what a function of the user's threw. Where memory was short there may be nothing to go back to: then the first
    // reason is the one to tell.
    try {
      undo();
    } catch (const std::logic_error&) {
    }
    throw;
  }
  hand_over(state, w, observer);
  if (!stop && state.t < model_.settings.duration) controllers_.exchange(state, w);
  return !stop;
}

std::string Driver::run(State& state, Workspace& w, Observer& observer, double until) {
  start(state, w, observer);
  bool goes_on = true;
  while (goes_on && state.t < until) {
    goes_on = step(state, w, observer, until);
    observer.progress(state.t, until);
    if (!goes_on) break;
    const bool asked_to_stop = observer.stop_requested();
    if (method_.exact(w) && controllers_.remember() && (asked_to_stop || observer.checkpoint_due())) {
      collect(state, w);
      observer.checkpoint(state);
    }
    if (asked_to_stop && state.t < until) return fmt::format("stopped on request at t = {:.9g} s", state.t);
  }
  collect(state, w);
  // Before the rows of hits that have not ended: a run that is resumed from here says them again.
  observer.end(state);
  for (const Impact& row : under_way(model_, state)) observer.impact(row);
  return "";
}

void Driver::collect(State& state, const Workspace& w) {
  method_.collect(model_, w, state);
  controllers_.collect(state);
}

void Driver::hand_over(State& state, Workspace& w, Observer& observer) {
  Counters& c = state.counters;
  const bool forces = !method_type(model_.settings).rigid();
  for (const Impact& row : w.finished.rows) {
    observer.impact(row);
    const double length = row.end - row.start;
    const bool has_peak = forces || row.contact >= model_.first_structure_contact();
    if (!has_peak || !(row.speed_in > 0) || !(length < few_samples * model_.settings.output_step)) continue;
    c.shortest_impact = c.short_impacts > 0 ? std::min(c.shortest_impact, length) : length;
    ++c.short_impacts;
  }
  w.finished.rows.clear();
}

double Driver::event_band() const {
  return std::max(1e-12, model_.settings.tolerance);
}

// The user's events in the last step; true when one of them ends the run. The step is cut only there.
bool Driver::find_events(const StepReport& report, State& state, Workspace& w, Observer& observer) {
  acting_.clear();
  if (state.triggers.empty()) return false;
  const Scheme* scheme = method_.dense(w);
  if (!scheme) return interpolate_events(report, state, w, observer);
  last_.resize(state.triggers.size());
  for (std::size_t i = 0; i < last_.size(); ++i)
    last_[i] =
        model_.events[i].stop || model_.events[i].action.any() || report.to >= model_.settings.duration;
  passages_.clear();
  locator_.follow(w.system, *scheme, event_band(), last_, state.triggers, passages_);
  // Where something is to be done the step ends, and what it brought beyond is not looked at.
  const auto end = std::find_if(passages_.begin(), passages_.end(),
                                [&](const LocatedEvent& passage) { return ends_step(passage, state); });
  if (end != passages_.end() && end->time < report.to && end->time > report.from) {
    const LocatedEvent cause = *end;
    state.triggers = triggers_before_;
    method_.rewind(model_, state, w, cause.time);
    passages_.clear();
    locator_.follow(w.system, *scheme, event_band(), last_, state.triggers, passages_);
    const auto same = [&](const LocatedEvent& passage) { return passage.index == cause.index; };
    if (std::none_of(passages_.begin(), passages_.end(), same)) {
      passages_.push_back(cause);
      state.triggers[cause.index].side = 0, state.triggers[cause.index].since = -1;
    }
  }
  bool stop = false;
  for (const LocatedEvent& passage : passages_) {
    if (counts(passage) && model_.events[passage.index].action.record && passage.time < state.t) {
      method_.interpolate(model_, state, w, std::max(passage.time, report.from), sample_.data());
      record_at(passage.time, sample_.data(), state, w, observer);
    }
    if (report_event(passage, state, observer)) stop = true;
  }
  return stop;
}

bool Driver::counts(const LocatedEvent& passage) const {
  const int direction = model_.events[passage.index].direction;
  return direction == 0 || direction == passage.direction;
}

bool Driver::ends_step(const LocatedEvent& passage, const State& state) const {
  const ModelEvent& event = model_.events[passage.index];
  if (!counts(passage)) return false;
  if (event.stop) return true;
  const ModelEvent::Action& action = event.action;
  const bool changes = !action.off.empty() || !action.on.empty() || !action.sets.empty() || action.restart;
  return changes && !(action.once && state.acted[passage.index] > 0);
}

// Between the ends of a step that has no dense output, in straight lines.
bool Driver::interpolate_events(const StepReport& report, State& state, Workspace& w, Observer& observer) {
  bool stop = false;
  w.system.event_values(report.to, state.y.data(), events_.data());
  for (std::size_t i = 0; i < events_.size(); ++i) {
    EventTrigger& trigger = state.triggers[i];
    // Steps solve their contacts to a part of the speeds that there are.
    trigger.largest = std::max(trigger.largest, w.system.event_scale(static_cast<int>(i)));
    const double a = trigger.value, b = events_[i];
    const bool last = model_.events[i].stop || report.to >= model_.settings.duration;
    const auto passage = trigger.look(report.from, report.to, b, event_band(), last,
                                      [&] { return report.from + (report.to - report.from) * a / (a - b); });
    if (passage && report_event({static_cast<int>(i), passage->time, passage->direction}, state, observer))
      stop = true;
  }
  return stop;
}

// True when it ends the run.
bool Driver::report_event(const LocatedEvent& passage, State& state, Observer& observer) {
  const ModelEvent& event = model_.events[passage.index];
  if (!counts(passage)) return false;
  ++state.counters.events;
  observer.event({passage.index, passage.time});
  if (event.action.any() && !(event.action.once && state.acted[passage.index] > 0)) {
    acting_.push_back(passage);
    ++state.acted[passage.index];
  }
  return event.stop;
}

// What is switched takes its energy with it, and what is closed again loses some at once: the ledger's input.
void Driver::act(State& state, Workspace& w, Observer& observer) {
  double* z = state.y.data() + (w.system.z(state.y.data()) - state.y.data());
  const auto open = [&] {
    method_.evaluate(model_, state, w, state.t, state.y.data(), true);
    const Energies e = method_.energies(model_, state, w, state.y.data());
    return ledger_residual(model_.mechanism, e.kinetic + e.potential, state.counters.energy_start, z);
  };
  bool changed = false;
  for (const LocatedEvent& passage : acting_) {
    const ModelEvent::Action& action = model_.events[passage.index].action;
    if (action.record && passage.time >= state.t) record_at(state.t, state.y.data(), state, w, observer);
    if (action.off.empty() && action.on.empty() && action.sets.empty() && !action.restart) continue;
    changed = true;
    const double before = open();
    for (const int number : action.off) state.off[number] = 1;
    for (const int number : action.on) state.off[number] = 0;
    for (const auto& [input, value] : action.sets) state.inputs[input] = value;
    const double booked = z[ledger_input];
    method_.switched(model_, state, w);
    const double gained = open() - before;
    z[ledger_input] += gained;
    state.acted_energy[passage.index] += z[ledger_input] - booked;
  }
  if (changed) method_.go_on(model_, state, w);
}

void Driver::record_at(double t, const double* y, State& state, Workspace& w, Observer& observer) {
  if (!observer.wants_between()) return;
  evaluate_row(t, y, state, w);
  observer.between(row_);
  ++state.counters.between;
}

// Samples up to and including the end of the step.
void Driver::record_until(const StepReport& report, State& state, Workspace& w, Observer& observer) {
  const double slack = method_.dense(w) ? 0 : same_instant * (report.to - report.from);
  long& next = state.counters.samples;
  for (; next <= last_sample() && sample_time(next) <= state.t + slack; ++next) {
    const double at = sample_time(next);
    if (std::abs(at - state.t) <= slack) {
      record(at, state.y.data(), state, w, observer);
      continue;
    }
    method_.interpolate(model_, state, w, at, sample_.data());
    record(at, sample_.data(), state, w, observer);
  }
  for (double at = observer.next_look(); at <= state.t + slack; at = observer.next_look()) {
    const bool inside = std::abs(at - state.t) > slack;
    if (inside) method_.interpolate(model_, state, w, at, sample_.data());
    evaluate_row(at, inside ? sample_.data() : state.y.data(), state, w);
    observer.look(row_);
  }
}

// What samples would miss.
void Driver::record_between(const StepReport& report, State& state, Workspace& w, Observer& observer) {
  if (!observer.wants_between()) return;
  Counters& c = state.counters;
  std::vector<double>& at = moments_.peaks;
  at.clear();
  moments_.young = moments_.rose = moments_.fell = moments_.lasting = false;
  method_.moments(model_, state, w, few_samples * model_.settings.output_step, moments_);
  const bool last = !(state.t < sample_time(last_sample()));
  const bool room = c.between < most_between + most_between_per_sample * c.samples;
  if (std::vector<double>* held = method_.held(state)) {
    if (moments_.fell && !held->empty() && (room || !moments_.lasting)) {
      observer.between(*held);
      ++c.between;
    }
    held->clear();
    if (!moments_.rose || last) return;
    evaluate_row(state.t, state.y.data(), state, w);
    *held = row_;
    return;
  }
  if (moments_.young && !last && room) at.push_back(state.t);
  if (at.empty()) return;
  std::sort(at.begin(), at.end());
  at.erase(std::unique(at.begin(), at.end()), at.end());
  for (const double t : at) {
    if (t < report.from || t > state.t) continue;
    method_.interpolate(model_, state, w, t, sample_.data());
    evaluate_row(t, sample_.data(), state, w);
    observer.between(row_);
    ++c.between;
  }
}

Energies Driver::evaluate_row(double t, const double* y, State& state, Workspace& w) {
  method_.evaluate(model_, state, w, t, y, records_forces_);
  row_[0] = t;
  const Energies e = method_.energies(model_, state, w, y);
  method_.signals(model_, state, w, e, recorded_, y, row_.data() + 1);
  return e;
}

// Elastic bodies as evaluate_row() left them: structures, then flexible bodies that have a mesh.
void Driver::record_fields(double t, const double* y, State& state, Workspace& w, Observer& observer) {
  int number = 0;
  for (; number < static_cast<int>(model_.structures.size()); ++number) {
    fem::Fields fields;
    method_.fields(model_, state, w, y, number, fields);
    observer.fields(number, fields);
  }
  for (const FlexibleBody& body : model_.mechanism.flexible.bodies) {
    if (!body.mesh) continue;
    fem::Fields fields;
    fem::flexible_fields(body, method_.evaluate(model_, state, w, t, y, false).k, fields);
    observer.fields(number++, fields);
  }
}

// One sample; and a look at the energy ledger.
void Driver::record(double t, const double* y, State& state, Workspace& w, Observer& observer) {
  const Energies e = evaluate_row(t, y, state, w);
  observer.sample(row_);
  Counters& c = state.counters;
  const long every = model_.settings.field_samples;
  if (every > 0 && c.samples % every == 0 && observer.wants_fields()) record_fields(t, y, state, w, observer);
  if (!model_.structures.empty()) {
    c.largest_turn = std::max(c.largest_turn, method_.largest_turn(w, y));
  }
  if (y != state.y.data() && !method_.ledger_inside_steps()) return;
  c.energy_low = std::min(c.energy_low, e.potential);
  c.energy_high = std::max(c.energy_high, e.potential);
  c.kinetic_high = std::max(c.kinetic_high, e.kinetic);
  c.residual_high = std::max(
      c.residual_high,
      std::abs(ledger_residual(model_.mechanism, e.kinetic + e.potential, c.energy_start, w.system.z(y))));
}

}  // namespace tappet
