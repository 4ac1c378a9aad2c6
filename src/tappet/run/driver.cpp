#include "tappet/run/driver.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"

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

}  // namespace

Driver::Driver(const Model& model, const Method& method, const Workspace& w,
               std::vector<SignalDefinition> recorded)
    : model_(model),
      method_(method),
      recorded_(std::move(recorded)),
      locator_(w.system),
      motions_(model.mechanism) {
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
  method_.begin(model_, state, w);
  if (!state.triggers.empty()) w.system.event_values(state.t, state.y.data(), events_.data());
  for (std::size_t i = 0; i < state.triggers.size(); ++i)
    state.triggers[i].begin(events_[i], w.system.event_scale(static_cast<int>(i)), event_band());
  watch_motions(state, w);
  record(state.t, state.y.data(), state, w, observer);
  state.counters.samples = 1;
  state.started = true;
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
  throw SimulationError(
      state.t,
      fmt::format("the run stands still: at the pace of the last {} steps it would take {:.3g} more, "
                  "and more than {:g} are never taken{}{}",
                  ProgressWatch::window, *steps, most_steps, limit.empty() ? "" : "; ", limit));
}

bool Driver::step(State& state, Workspace& w, Observer& observer, double until) {
  watch_progress(state, w, until);
  const Extremes before(state.counters);
  triggers_before_ = state.triggers;
  bool stop = false;
  try {
    const StepReport report = method_.step(model_, state, w, until);
    watch_motions(state, w);
    stop = find_events(report, state, w, observer);
    record_until(report, state, w, observer);
    record_between(report, state, w, observer);
    method_.settle(model_, state, w);
    const double length = state.t - report.from;
    if (stop && state.t < sample_time(state.counters.samples) - same_instant * length &&
        state.t > sample_time(state.counters.samples - 1) + same_instant * length)
      record(state.t, state.y.data(), state, w, observer);
    episodes_.take(model_, w.steps, report.from, state, w.finished);
  } catch (...) {
    // A SimulationError, or what a function of the user's threw.
    before.put_back(state.counters);
    state.triggers = triggers_before_;
    w.finished.rows.clear();
    method_.undo(model_, state, w);
    throw;
  }
  hand_over(state, w, observer);
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
    if (method_.exact(w) && (asked_to_stop || observer.checkpoint_due())) {
      method_.collect(model_, w, state);
      observer.checkpoint(state);
    }
    if (asked_to_stop && state.t < until) return fmt::format("stopped on request at t = {:.9g} s", state.t);
  }
  method_.collect(model_, w, state);
  observer.end(state);
  return "";
}

void Driver::hand_over(State& state, Workspace& w, Observer& observer) {
  Counters& c = state.counters;
  const bool forces = !method_type(model_.settings).rigid();
  for (const Impact& row : w.finished.rows) {
    observer.impact(row);
    const double length = row.end - row.start;
    if (!forces || !(row.speed_in > 0) || !(length < few_samples * model_.settings.output_step)) continue;
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
  if (state.triggers.empty()) return false;
  const Scheme* scheme = method_.dense(w);
  if (!scheme) return interpolate_events(report, state, w, observer);
  last_.resize(state.triggers.size());
  for (std::size_t i = 0; i < last_.size(); ++i)
    last_[i] = model_.events[i].stop || report.to >= model_.settings.duration;
  passages_.clear();
  locator_.follow(w.system, *scheme, event_band(), last_, state.triggers, passages_);
  for (const LocatedEvent& passage : passages_) {
    if (!report_event(passage, state, observer)) continue;
    if (passage.time < report.to) method_.rewind(model_, state, w, std::max(passage.time, report.from));
    return true;
  }
  return false;
}

// Between the ends of a step that has no dense output, in straight lines.
bool Driver::interpolate_events(const StepReport& report, State& state, Workspace& w, Observer& observer) {
  bool stop = false;
  w.system.event_values(report.to, state.y.data(), events_.data());
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const double a = state.triggers[i].value, b = events_[i];
    const bool last = model_.events[i].stop || report.to >= model_.settings.duration;
    const auto passage = state.triggers[i].look(report.from, report.to, b, event_band(), last, [&] {
      return report.from + (report.to - report.from) * a / (a - b);
    });
    if (passage && report_event({static_cast<int>(i), passage->time, passage->direction}, state, observer))
      stop = true;
  }
  return stop;
}

// True when it ends the run.
bool Driver::report_event(const LocatedEvent& passage, State& state, Observer& observer) const {
  const ModelEvent& event = model_.events[passage.index];
  if (event.direction != 0 && event.direction != passage.direction) return false;
  ++state.counters.events;
  observer.event({passage.index, passage.time});
  return event.stop;
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
}

// What samples would miss.
void Driver::record_between(const StepReport& report, State& state, Workspace& w, Observer& observer) {
  if (!observer.wants_between()) return;
  Counters& c = state.counters;
  std::vector<double>& at = moments_.peaks;
  at.clear();
  moments_.young = false;
  method_.moments(model_, state, w, few_samples * model_.settings.output_step, moments_);
  if (moments_.young && state.t < sample_time(last_sample()) &&
      c.between < most_between + most_between_per_sample * c.samples)
    at.push_back(state.t);
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

// One sample; and a look at the energy ledger.
void Driver::record(double t, const double* y, State& state, Workspace& w, Observer& observer) {
  const Energies e = evaluate_row(t, y, state, w);
  observer.sample(row_);
  Counters& c = state.counters;
  if (!model_.structures.empty()) {
    const long every = model_.settings.field_samples;
    if (every > 0 && c.samples % every == 0 && observer.wants_fields())
      for (int s = 0; s < static_cast<int>(model_.structures.size()); ++s) {
        fem::Fields fields;
        method_.fields(model_, state, w, y, s, fields);
        observer.fields(s, fields);
      }
    c.largest_turn = std::max(c.largest_turn, method_.largest_turn(w, y));
  }
  if (y != state.y.data() && !method_.ledger_inside_steps()) return;
  c.energy_low = std::min(c.energy_low, e.potential);
  c.energy_high = std::max(c.energy_high, e.potential);
  c.kinetic_high = std::max(c.kinetic_high, e.kinetic);
  c.residual_high = std::max(
      c.residual_high, std::abs(ledger_residual(e.kinetic + e.potential, c.energy_start, w.system.z(y))));
}

}  // namespace tappet
