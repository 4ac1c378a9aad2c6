#include "tappet/run/moreau_run.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/model/model.hpp"
#include "tappet/ode/step_errors.hpp"

namespace tappet {

MoreauRun::MoreauRun(const Model& m)
    : Run(m),
      stepper_(m.mechanism, {.theta = m.settings.theta,
                             .contacts = {.solver = m.settings.solver,
                                          .tolerance = m.settings.tolerance,
                                          .facets = m.settings.facets}}),
      strides_(m.mechanism) {
  episodes_.resize(m.mechanism.contacts.size());
  carries_.assign(m.mechanism.contacts.size(), 0);
  before_ = y;
  g_new_.resize(triggers.size());
}

std::string MoreauRun::integrator() const {
  return model.settings.theta == 0.5 ? "moreau" : fmt::format("moreau, theta {:g}", model.settings.theta);
}

void MoreauRun::loop(Observer& observer, RunSummary& summary) {
  const double t_end = model.settings.duration;
  if (!resumed) start_events();
  if (next_sample == 0) {
    record_start(observer);
    next_sample = 1;
  }
  while (t < t_end) {
    const double next = step_end(steps_);
    before_ = y;
    advance(next);
    if (const int bad = first_not_finite(y.data(), static_cast<int>(y.size())); bad >= 0) {
      y = before_;
      throw_not_finite(t, bad);
    }
    ++steps_;
    const double from = t;
    t = next;
    strides_.look(t, t - from, system.u(y.data()));
    follow_contacts(from, t, observer);
    const bool stop = find_events(from, t, observer);
    record_until(from, t, observer);
    observer.progress(t, t_end);
    if (stop) {
      if (t < sample_time(next_sample)) record_at(t, t - from, y.data(), observer);
      return;
    }
    const bool asked_to_stop = observer.stop_requested();
    if (asked_to_stop || observer.checkpoint_due()) observer.checkpoint(checkpoint());
    if (asked_to_stop && t < t_end) {
      summary.stop_reason = fmt::format("stopped on request at t = {:.9g} s", t);
      return;
    }
  }
}

void MoreauRun::advance(double next) {
  const Mechanism& m = model.mechanism;
  double *q = y.data(), *u = q + m.q_size(), *z = u + m.u_size();
  stepper_.step(t, next - t, q, u, z, system.workspace());
  system.project(next, y.data());
}

void MoreauRun::record_start(Observer& observer) {
  record(system.evaluate(t, y.data()), t, y.data(), observer);
}

// The impact table: a contact begins with the first step in which it carries load, and has ended when it
// carries none.
void MoreauRun::follow_contacts(double from, double to, Observer& observer) {
  const double length = to - from;
  const std::size_t own = model.mechanism.contacts.size(), all = own + stepper_.field().capacity();
  episodes_.resize(all);
  carries_.resize(all, 0);
  for (const ContactImpulse& impulse : stepper_.impulses()) {
    if (!(impulse.normal > 0)) continue;
    Episode& episode = episodes_[impulse.contact];
    if (!episode.touching) {
      episode = {.touching = true,
                 .group = impulse.group,
                 .start = from,
                 .speed_in = std::max(0.0, -impulse.rate_before)};
      loaded_.push_back(impulse.contact);
      max_first_penetration_ = std::max(max_first_penetration_, -impulse.gap);
    }
    carries_[impulse.contact] = 1;
    episode.speed_out = impulse.rate_after;
    episode.peak_force = std::max(episode.peak_force, impulse.normal / length);
    episode.impulse += impulse.normal;
    episode.depth = std::max(episode.depth, -impulse.gap);
  }
  std::size_t kept = 0;
  for (int c : loaded_) {
    if (carries_[c]) {
      carries_[c] = 0;
      loaded_[kept++] = c;
      continue;
    }
    Episode& episode = episodes_[c];
    const RigidLaw& law = episode.group < 0 ? *model.mechanism.contacts[c]->rigid
                                            : *model.mechanism.groups[episode.group].rigid;
    const int row = episode.group < 0 ? c : static_cast<int>(own) + episode.group;
    observer.impact(episode.finished(row, from, law.restitution));
    ++impacts_;
    episode = {};
  }
  loaded_.resize(kept);
}

// Events are found by linear interpolation in the step; true when one of them ends the run.
bool MoreauRun::find_events(double from, double to, Observer& observer) {
  if (triggers.empty()) return false;
  bool stop = false;
  system.event_values(to, y.data(), g_new_.data());
  for (std::size_t i = 0; i < triggers.size(); ++i) {
    const double a = triggers[i].value, b = g_new_[i];
    const bool last = model.events[i].stop || to >= model.settings.duration;
    const auto passage =
        triggers[i].look(from, to, b, event_band(), last, [&] { return from + (to - from) * a / (a - b); });
    if (passage && report_event(static_cast<int>(i), passage->time, passage->direction, observer))
      stop = true;
  }
  return stop;
}

// Moves a state along its own velocities.
void MoreauRun::displace_by(double time, std::vector<double>& state) const {
  const Mechanism& m = model.mechanism;
  std::vector<double> moved(m.u_size());
  for (int i = 0; i < m.u_size(); ++i) moved[i] = time * system.u(state.data())[i];
  displace(m.dimension, m.body_count(), state.data(), moved.data());
}

// Samples in the last step. Between its ends positions and velocities go in straight lines, unless contacts
// act: then velocities jump in its middle, and with them the ledger.
void MoreauRun::record_until(double from, double to, Observer& observer) {
  const double length = to - from;
  for (; next_sample <= last_sample() && sample_time(next_sample) <= to + 1e-9 * length; ++next_sample) {
    const double at = sample_time(next_sample);
    if (std::abs(at - to) <= 1e-9 * length) {
      record_at(at, length, y.data(), observer);
      continue;
    }
    const double part = (at - from) / length;
    const auto& impulses = stepper_.impulses();
    if (std::any_of(impulses.begin(), impulses.end(), [](const ContactImpulse& p) { return p.normal > 0; })) {
      const bool late = part > 1 - model.settings.theta;
      sample_state = late ? y : before_;
      displace_by(late ? at - to : at - from, sample_state);
      record_at(at, length, sample_state.data(), observer);
      continue;
    }
    for (std::size_t i = 0; i < y.size(); ++i) sample_state[i] = before_[i] + part * (y[i] - before_[i]);
    displace_by(0, sample_state);  // unit quaternions
    record_at(at, length, sample_state.data(), observer);
  }
}

void MoreauRun::record_at(double time, double length, const double* state, Observer& observer) {
  record(instant(time, length, state), time, state, observer);
}

// Forces are impulses over the length of the step, accelerations changes of velocity over it.
DynamicsWorkspace& MoreauRun::instant(double time, double length, const double* state) {
  const Mechanism& m = model.mechanism;
  DynamicsWorkspace& w = system.workspace();
  update_kinematics(w.k, time, system.q(state), system.u(state), system.z(state));
  w.constraints.evaluate(w.k);
  const double *u0 = system.u(before_.data()), *u1 = system.u(y.data());
  for (int i = 0; i < m.u_size(); ++i) w.a[i] = (u1[i] - u0[i]) / length;
  for (std::size_t r = 0; r < w.lambda.size(); ++r) w.lambda[r] = stepper_.multipliers()[r] / length;
  for (ContactInstant& instant : w.contacts) instant.force = {};
  w.groups.assign(w.groups.size(), {});
  for (const ContactImpulse& impulse : stepper_.impulses()) {
    if (impulse.group >= 0) {
      ContactSum& sum = w.groups[impulse.group];
      sum.see(impulse.gap);
      if (!(impulse.normal > 0)) continue;
      const Eigen::Map<const Vec3> total(stepper_.warm_start().data() + 3 * impulse.contact);
      sum.add(impulse.normal / length, impulse.tangential.norm() / length, total / length, impulse.slip);
      continue;
    }
    ContactForce& force = w.contacts[impulse.contact].force;
    force.normal = impulse.normal / length;
    force.tangential = impulse.tangential / length;
  }
  return w;
}

void MoreauRun::save_contact(int contact, std::vector<double>& out) const {
  const Episode& e = episodes_[contact];
  const double* warm = stepper_.warm_start().data() + 3 * contact;
  out.insert(out.end(), {e.touching ? 1.0 : 0.0, e.start, e.speed_in, e.speed_out, e.peak_force, e.impulse,
                         e.depth, warm[0], warm[1], warm[2]});
}

void MoreauRun::load_contact(int contact, const double* c) {
  const std::size_t known = contact + 1;
  if (episodes_.size() < known) episodes_.resize(known), carries_.resize(known, 0);
  if (stepper_.warm_start().size() < 3 * known) stepper_.warm_start().resize(3 * known, 0.0);
  Episode& e = episodes_[contact];
  e.touching = *c++ != 0;
  e.start = *c++, e.speed_in = *c++, e.speed_out = *c++, e.peak_force = *c++, e.impulse = *c++,
  e.depth = *c++;
  if (e.touching) loaded_.push_back(contact);
  std::copy(c, c + 3, stepper_.warm_start().begin() + 3 * contact);
}

// A checkpoint has one length. More contacts of groups than this do not carry load at once: twelve spheres
// around each, or four corners on each of four boxes.
std::size_t MoreauRun::field_room() const {
  return 16 * stepper_.field().surfaces();
}

std::vector<double> MoreauRun::memory() const {
  const ContactStatistics& s = stepper_.statistics();
  std::vector<double> out = {static_cast<double>(steps_),
                             static_cast<double>(impacts_),
                             max_first_penetration_,
                             static_cast<double>(s.problems),
                             static_cast<double>(s.iterations),
                             static_cast<double>(s.stalled),
                             static_cast<double>(s.most_contacts),
                             s.worst_residual};
  const int own = static_cast<int>(model.mechanism.contacts.size());
  for (int c = 0; c < own; ++c) save_contact(c, out);

  // Contacts of groups: how many, then each with its surfaces.
  const std::size_t count = out.size(), room = field_room();
  out.push_back(0);
  for (const ContactImpulse& impulse : stepper_.impulses()) {
    if (impulse.contact < own || !(impulse.normal > 0)) continue;
    if (out[count] == static_cast<double>(room)) {
      cut_ = true;
      break;
    }
    const ContactField::Identity at = stepper_.field().identity(impulse.contact - own);
    out.insert(out.end(), {static_cast<double>(at.first), static_cast<double>(at.second),
                           static_cast<double>(at.candidate)});
    save_contact(impulse.contact, out);
    ++out[count];
  }
  out.resize(count + 1 + room * (3 + contact_numbers), 0.0);
  return out;
}

void MoreauRun::restore_memory(const double* c) {
  steps_ = static_cast<long>(*c++);
  impacts_ = static_cast<long>(*c++);
  max_first_penetration_ = *c++;
  ContactStatistics s;
  s.problems = static_cast<long>(*c++);
  s.iterations = static_cast<long>(*c++);
  s.stalled = static_cast<long>(*c++);
  s.most_contacts = static_cast<int>(*c++);
  s.worst_residual = *c++;
  s.worst_note = "before the run was resumed";
  stepper_.set_statistics(s);
  loaded_.clear();
  const int own = static_cast<int>(model.mechanism.contacts.size());
  for (int contact = 0; contact < own; ++contact, c += contact_numbers) load_contact(contact, c);
  for (auto left = static_cast<std::size_t>(*c++); left > 0; --left, c += 3 + contact_numbers) {
    const int slot =
        stepper_.field().reopen({static_cast<int>(c[0]), static_cast<int>(c[1]), static_cast<int>(c[2])});
    load_contact(own + slot, c + 3);
    episodes_[own + slot].group = stepper_.field().group(slot);
  }
}

void MoreauRun::report(RunSummary& out) const {
  out.steps = out.evaluations = steps_;
  out.impacts = impacts_;
  out.max_first_penetration = max_first_penetration_;
  if (cut_) out.warnings.push_back(cut_checkpoint);
  if (const auto warning = strides_.warning()) out.warnings.push_back(*warning);
  const ContactStatistics& s = stepper_.statistics();
  if (s.problems == 0) return;
  out.notes.push_back(fmt::format(
      "{} contact problems of at most {} contacts, {:.1f} iterations each on average, were solved by '{}' to "
      "a residual of {:.1e} "
      "at worst ({})",
      s.problems, s.most_contacts, static_cast<double>(s.iterations) / static_cast<double>(s.problems),
      model.settings.solver, s.worst_residual, s.worst_note));
  if (s.stalled > 0)
    out.warnings.push_back(fmt::format(
        "{} of {} contact problems were not solved to the tolerance of {:.1e}: the worst residual is "
        "{:.1e} of the velocities there; try another `solver` or a shorter `step`",
        s.stalled, s.problems, model.settings.tolerance, s.worst_residual));
}

}  // namespace tappet
