#include "tappet/run/integrated_run.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/model/model.hpp"
#include "tappet/run/episode.hpp"

namespace tappet {
namespace {

// Error-controlled Runge–Kutta of order 5 by default; at tight tolerances order 8 needs fewer evaluations.
std::string choose_integrator(const RunSettings& settings) {
  if (settings.integrator != "auto") return settings.integrator;
  return settings.step == 0 && settings.tolerance < 1e-6 ? "dop853" : "dopri5";
}

}  // namespace

IntegratedRun::IntegratedRun(const Model& m)
    : Run(m),
      locator_(system),
      gaps_(m.mechanism, system),
      watch_(make_contact_watch(m, system)),
      integrator_(choose_integrator(m.settings)) {
  const SchemeType* type = SchemeRegistry::instance().find(integrator_);
  const auto refuse = [](const SourcePos& pos, const std::string& message) {
    throw InputError({{Severity::error, pos, message}});
  };
  if (!type)
    refuse(model.settings.integrator_pos,
           fmt::format("`simulation.integrator` is '{}', which does not exist; integrators: auto, {}",
                       integrator_, join_names(SchemeRegistry::instance().names())));
  if (model.settings.step > 0 && !type->fixed_step)
    refuse(model.settings.step_pos, fmt::format("`simulation.step` asks for fixed steps, which integrator "
                                                "'{}' does not take; leave `step` out, or "
                                                "use dopri5 or dop853",
                                                integrator_));
  scheme_ = type->make({.tolerance = model.settings.tolerance,
                        .max_step = model.settings.max_step,
                        .fixed_step = model.settings.step});
  records_forces_ = system.group_forces() ||
                    std::any_of(sources_.begin(), sources_.end(),
                                [](const SignalDefinition& signal) { return signal.needs_forces; });
}

// Forces only where a signal shows them: places and speeds are read off the frames.
void IntegratedRun::record_at(double time, const double* state, Observer& observer) {
  DynamicsWorkspace& w = system.workspace();
  if (records_forces_)
    system.evaluate(time, state);
  else
    update_kinematics(w.k, time, system.q(state), system.u(state), system.z(state));
  record(w, time, state, observer);
}

// Samples up to and including `time`, which lies in the scheme's last step.
void IntegratedRun::record_until(double time, Observer& observer) {
  for (; next_sample <= last_sample() && sample_time(next_sample) <= time; ++next_sample) {
    const double at = sample_time(next_sample);
    if (at == scheme_->t()) {
      record_at(at, scheme_->y(), observer);
      continue;
    }
    scheme_->interpolate(at, sample_state.data());
    system.project(at, sample_state.data());
    record_at(at, sample_state.data(), observer);
  }
}

// One step of the scheme, cut where a contact changes; what changes is returned, and carried out by the
// caller once the step has been recorded.
std::optional<ContactWatch::Found> IntegratedRun::step() {
  if (model.mechanism.contacts.empty()) {
    step_among_groups();
    return std::nullopt;
  }
  double limit = watch_->step_limit();
  const Kinematics& k = system.frames(t, y.data());
  for (const auto& contact : model.mechanism.contacts) limit = std::min(limit, contact->clear_time(k));
  if (limit < scheme_->next_step()) scheme_->suggest_step(limit);
  gaps_.start(t, y.data());
  step_among_groups();
  if (const auto touch = gaps_.hidden_touch(*scheme_)) cut(*touch);
  if (model.settings.reject_steps) {
    // Steps that end too deep in a new contact are taken again, shorter.
    for (double deep;
         (deep = watch_->first_penetration(scheme_->t(), scheme_->y())) > model.settings.first_penetration;) {
      const double tried = scheme_->t() - t;
      SchemeCounters counters = scheme_->counters();
      --counters.steps, ++counters.rejected;
      scheme_->set_counters(counters);
      scheme_->start(system, t, y.data(), model.settings.duration);
      scheme_->suggest_step(0.5 * tried);
      scheme_->step();
    }
  }
  const auto found = watch_->find(*scheme_);
  if (found && found->kind == ContactWatch::Found::Kind::touch)
    flight_step_ = scheme_->t() - scheme_->t_old();
  if (found && found->time < scheme_->t()) cut(found->time);
  return found;
}

// Ends the scheme's last step at `time`.
void IntegratedRun::cut(double time) {
  scheme_->interpolate(time, sample_state.data());
  system.project(time, sample_state.data());
  scheme_->truncate(time, sample_state.data());
}

// How far any surface may go in this time: twice what the fastest does, and what gravity adds.
double IntegratedRun::way(double time, const double* state) const {
  const Mechanism& m = model.mechanism;
  const int width = velocity_size(m.dimension), linear = width == 3 ? 2 : 3;
  const double* u = system.u(state);
  double fastest = m.gravity.norm() * time;
  for (int b = 0; b < m.body_count(); ++b, u += width) {
    double speed = 0, turning = 0;
    for (int i = 0; i < width; ++i) (i < linear ? speed : turning) += u[i] * u[i];
    fastest = std::max(fastest, std::sqrt(speed) + std::sqrt(turning) * system.group_forces()->reach());
  }
  return 2 * fastest * time;
}

// A step during which groups of contacts are looked after.
void IntegratedRun::step_among_groups() {
  GroupForces* groups = system.group_forces();
  if (!groups) return scheme_->step();
  double room = way(scheme_->next_step() > 0 ? scheme_->next_step() : model.settings.output_step, y.data());
  groups->look_around(system.frames(t, y.data()), room);
  // No use in going much beyond the next touch.
  const double soon = groups->time_to_touch(system.frames(t, y.data()));
  if (soon > 0 && soon < scheme_->next_step()) scheme_->suggest_step(1.05 * soon);
  scheme_->step();
  // Surfaces that got further than was looked: look further, and again.
  for (int n = 0; n < 20; ++n) {
    const double gone = way(scheme_->t() - t, scheme_->y());
    if (gone <= 2 * room) break;
    room = gone;
    groups->look_around(system.frames(t, y.data()), room);
    scheme_->start(system, t, y.data(), model.settings.duration, true);
    scheme_->step();
  }
  end_at_first_touch();
}

// Cuts the step where the first place that begins is about as deep as is allowed. Nothing acted there yet, so that the motion
// up to it is as accurate as the whole step.
void IntegratedRun::end_at_first_touch() {
  GroupForces& groups = *system.group_forces();
  double open = t, late = scheme_->t();
  sample_state.assign(scheme_->y(), scheme_->y() + y.size());
  GroupForces::Depth deep = groups.first_penetration(system.frames(late, sample_state.data()));
  if (!(deep.part > 1)) return;
  double end = late;
  for (int n = 0; n < 100 && end > open; ++n) {
    if (deep.part > 1)
      late = end;
    else if (deep.part > 0.01 || late - open <= 4e-16 * late)
      break;
    else
      open = end;
    end = deep.rate > 0 && deep.part > 1 ? end - (deep.depth - 0.5 * deep.allowed) / deep.rate
                                         : 0.5 * (open + late);
    if (!(end > open && end < late)) end = 0.5 * (open + late);
    scheme_->interpolate(end, sample_state.data());
    deep = groups.first_penetration(system.frames(end, sample_state.data()));
  }
  cut(end);
}

// After a step: places of groups that have met begin, those that have parted are impacts.
void IntegratedRun::settle_groups(Observer& observer) {
  GroupForces* groups = system.group_forces();
  if (!groups) return;
  parted_.clear();
  const bool begun = groups->settle(t, system.frames(t, y.data()), parted_);
  for (const GroupTouch& touch : parted_) {
    const Episode episode{.touching = false,
                          .group = touch.group,
                          .start = touch.start,
                          .speed_in = touch.impact_rate,
                          .speed_out = touch.parting_rate,
                          .peak_force = touch.peak_force,
                          .impulse = touch.impulse,
                          .depth = touch.max_penetration};
    const int row = static_cast<int>(model.mechanism.contacts.size()) + touch.group;
    observer.impact(episode.finished(row, touch.end, touch.requested));
    ++group_impacts_;
  }
  if (!begun) return;
  scheme_->start(system, t, y.data(), model.settings.duration, true);
  // A force that starts like δ^1.5 makes the first step's error go like h^3.5, whatever the scheme's order.
  const double rough =
      std::min(0.125, 2 * std::pow(model.settings.tolerance, 1 / 3.5)) * groups->shortest_touch();
  if (rough < scheme_->next_step()) scheme_->suggest_step(rough);
}

// A contact changes at the end of the step: the scheme starts anew behind it.
void IntegratedRun::change(const ContactWatch::Found& found, Observer& observer) {
  // Changes that pile up at one instant would never end.
  same_instant_ = found.time - last_change_ <= 1e-15 * std::abs(found.time) ? same_instant_ + 1 : 0;
  last_change_ = found.time;
  if (same_instant_ > 100)
    throw SimulationError(
        t, fmt::format("contact '{}' changes without end at one instant", contact_names[found.contact]));
  const double suggestion = watch_->change(found, t, y.data(), observer, flight_step_);
  scheme_->start(system, t, y.data(), model.settings.duration);
  if (suggestion > 0) scheme_->suggest_step(suggestion);
}

// Locates the user's events in the last step; true when one of them ends the run.
bool IntegratedRun::handle_events(Observer& observer) {
  if (triggers.empty()) return false;
  std::vector<char> last(triggers.size());
  for (std::size_t i = 0; i < last.size(); ++i)
    last[i] = model.events[i].stop || scheme_->t() >= model.settings.duration;
  passages_.clear();
  locator_.follow(system, *scheme_, event_band(), last, triggers, passages_);
  for (const LocatedEvent& passage : passages_)
    if (report_event(passage.index, passage.time, passage.direction, observer)) {
      if (passage.time < scheme_->t()) cut(std::max(passage.time, scheme_->t_old()));
      return true;
    }
  return false;
}

void IntegratedRun::loop(Observer& observer, RunSummary& summary) {
  const double t_end = model.settings.duration;
  // Multistep schemes begin anew at these times, in every run, so that a resumed run takes the same steps.
  const double restart_every = t_end / 64;

  const std::vector<double> scheme_memory = scheme_->memory();
  if (!resumed && !model.mechanism.contacts.empty()) watch_->prepare(t, y.data(), observer);
  if (GroupForces* groups = system.group_forces(); groups && !resumed) {
    // What is closed from the start.
    groups->look_around(system.frames(t, y.data()), 0);
    groups->settle(t, system.frames(t, y.data()), parted_);
  }
  scheme_->start(system, t, y.data(), t_end);
  if (resumed)
    scheme_->restore_memory(scheme_memory);
  else
    start_events();
  if (!model.mechanism.contacts.empty()) watch_->start(t, y.data());
  if (next_sample == 0) {
    record_at(t, y.data(), observer);
    next_sample = 1;
  }
  while (t < t_end) {
    const auto found = step();
    const bool stop = handle_events(observer);
    t = scheme_->t();
    std::copy(scheme_->y(), scheme_->y() + y.size(), y.begin());
    if (!model.mechanism.contacts.empty()) watch_->accepted(*scheme_);
    record_until(t, observer);
    settle_groups(observer);
    if (found && t == found->time)
      change(*found, observer);
    else if (found)
      watch_->start(t, y.data());
    observer.progress(t, t_end);
    if (stop) {
      if (t < sample_time(next_sample) && (next_sample == 0 || t > sample_time(next_sample - 1)))
        record_at(t, y.data(), observer);
      return;
    }
    const bool asked_to_stop = observer.stop_requested();
    if (scheme_->restarts_at_checkpoint() && t >= static_cast<double>(restarts_ + 1) * restart_every &&
        t < t_end) {
      restarts_ = static_cast<long>(t / restart_every);
      scheme_->start(system, t, y.data(), t_end);
      if (observer.checkpoint_due() || asked_to_stop) observer.checkpoint(checkpoint());
    } else if (!scheme_->restarts_at_checkpoint() && (asked_to_stop || observer.checkpoint_due())) {
      observer.checkpoint(checkpoint());
    }
    if (asked_to_stop && t < t_end) {
      summary.stop_reason = fmt::format("stopped on request at t = {:.9g} s", t);
      return;
    }
  }
}

std::vector<double> IntegratedRun::memory() const {
  std::vector<double> out = {static_cast<double>(restarts_),
                             flight_step_,
                             last_change_,
                             static_cast<double>(same_instant_),
                             static_cast<double>(watch_->impacts),
                             watch_->max_first_penetration,
                             watch_->worst_love_ratio,
                             static_cast<double>(watch_->love_exceeded),
                             static_cast<double>(watch_->worst_love_contact),
                             static_cast<double>(scheme_->counters().steps),
                             static_cast<double>(scheme_->counters().rejected),
                             static_cast<double>(scheme_->counters().evaluations),
                             static_cast<double>(group_impacts_)};
  if (const GroupForces* groups = system.group_forces()) {
    const std::vector<double> touching = groups->memory();
    out.insert(out.end(), touching.begin(), touching.end());
  }
  const std::vector<double> own = scheme_->memory();
  out.insert(out.end(), own.begin(), own.end());
  return out;
}

void IntegratedRun::restore_memory(const double* c) {
  restarts_ = static_cast<long>(*c++);
  flight_step_ = *c++;
  last_change_ = *c++;
  same_instant_ = static_cast<int>(*c++);
  watch_->impacts = static_cast<long>(*c++);
  watch_->max_first_penetration = *c++;
  watch_->worst_love_ratio = *c++;
  watch_->love_exceeded = static_cast<long>(*c++);
  watch_->worst_love_contact = static_cast<int>(*c++);
  SchemeCounters counters;
  counters.steps = static_cast<long>(*c++);
  counters.rejected = static_cast<long>(*c++);
  counters.evaluations = static_cast<long>(*c++);
  scheme_->set_counters(counters);
  group_impacts_ = static_cast<long>(*c++);
  if (GroupForces* groups = system.group_forces()) {
    groups->restore(c);
    c += groups->memory().size();
  }
  scheme_->restore_memory(std::vector<double>(c, c + scheme_->memory().size()));
}

namespace {

// Closed contacts that depend on each other: their problem is dense.
constexpr int many_closed = 500;

void report_impacts(const RigidContacts::Statistics& met, RunSummary& out) {
  if (met.scaled > 0)
    out.notes.push_back(fmt::format(
        "{} impacts would have gained energy by their law, and were scaled back until they did not",
        met.scaled));
  if (met.plastic > 0)
    out.notes.push_back(fmt::format(
        "{} impacts had no solution by their law, between contacts that face each other, and were plastic",
        met.plastic));
  if (met.most_closed > many_closed)
    out.notes.push_back(fmt::format(
        "{} contacts were closed that depend on each other: method event-driven solves for all of them at "
        "once, at a cost that grows with their number cubed; moreau is made for so many",
        met.most_closed));
}

}  // namespace

void IntegratedRun::report(RunSummary& out) const {
  out.steps = scheme_->counters().steps;
  out.rejected = scheme_->counters().rejected;
  out.evaluations = scheme_->counters().evaluations;
  out.impacts = watch_->impacts + group_impacts_;
  out.max_first_penetration = watch_->max_first_penetration;
  if (const GroupForces* groups = system.group_forces()) {
    out.max_first_penetration = std::max(out.max_first_penetration, groups->deepest_start());
    if (!groups->remembers_all()) out.warnings.push_back(cut_checkpoint);
  }
  if (const RigidContacts* rigid = system.rigid_contacts()) report_impacts(rigid->statistics(), out);
  out.love_ratio = watch_->worst_love_ratio;
  if (watch_->love_exceeded > 0)
    out.warnings.push_back(
        fmt::format("{} of {} impacts were faster than Love's limit of 1e-5 times the wave speed, '{}' at "
                    "most {:.3g} times: the contact "
                    "laws are used beyond their theory (waves, plastic flow)",
                    watch_->love_exceeded, watch_->impacts, contact_names[watch_->worst_love_contact],
                    watch_->worst_love_ratio));
}

}  // namespace tappet
