#include "tappet/stepping/structure_run.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/model/model.hpp"
#include "tappet/stepping/step_errors.hpp"

namespace tappet {

StructureRun::StructureRun(const Model& m)
    : Run(m),
      structures_(m),
      stepper_(m, structures_,
               {.theta = m.settings.theta,
                .contacts = {.solver = m.settings.solver,
                             .tolerance = m.settings.tolerance,
                             .facets = m.settings.facets}}) {
  q_.assign(structures_.size(), 0.0);
  u_ = structures_.start_velocity();
  for (const auto& [unknown, motion] : structures_.driven())
    if (const double start = motion->at(0).value; std::abs(start) > 1e-12)
      throw InputError({{Severity::error, motion->pos,
                         fmt::format("the motion of '{}' begins at {:.6g} at t = 0, but the mesh is where it "
                                     "is 0; let it begin at 0, "
                                     "or move the mesh by `position`",
                                     motion->group, start)}});
  q_before_ = q_sample_ = q_;
  u_before_ = u_sample_ = u_;
  const std::size_t contacts = m.structure_contacts.size();
  episodes_.resize(contacts);
  force_.assign(contacts, Vec3::Zero());
  for (auto* one : {&normal_, &slip_, &loaded_, &normal_loss_, &friction_loss_}) one->assign(contacts, 0.0);
  start_energy(structures_.kinetic_energy(u_.data()), structures_.potential_energy(q_.data()));
}

std::string StructureRun::integrator() const {
  return model.settings.theta == 0.5 ? "newmark-moreau"
                                     : fmt::format("newmark-moreau, theta {:g}", model.settings.theta);
}

void StructureRun::loop(Observer& observer, RunSummary& summary) {
  const double t_end = model.settings.duration, h = model.settings.step;
  double* z = y.data() + model.mechanism.q_size() + model.mechanism.u_size();
  if (next_sample == 0) {
    record_state(t, h, q_, u_, observer);
    next_sample = 1;
  }
  while (t < t_end) {
    const double next = step_end(steps_);
    q_before_ = q_;
    u_before_ = u_;
    // Steps of one length are of one length to the last bit, so that the matrices are factorised once.
    const double length = std::abs(next - t - h) < 1e-9 * h ? h : next - t;
    stepper_.step(t, length, q_.data(), u_.data(), z);
    if (const int bad = first_not_finite(u_.data(), static_cast<int>(u_.size())); bad >= 0) {
      q_ = q_before_, u_ = u_before_;
      throw_not_finite(t, bad);
    }
    ++steps_;
    const double from = t;
    t = next;
    follow_contacts(from, t, observer);
    record_until(from, t, observer);
    observer.progress(t, t_end);
    const bool asked_to_stop = observer.stop_requested();
    if (asked_to_stop || observer.checkpoint_due()) observer.checkpoint(checkpoint());
    if (asked_to_stop && t < t_end) {
      summary.stop_reason = fmt::format("stopped on request at t = {:.9g} s", t);
      return;
    }
  }
}

// One row of the impact table for each time that any node of a contact carries load.
void StructureRun::follow_contacts(double from, double to, Observer& observer) {
  const double length = to - from;
  std::fill(force_.begin(), force_.end(), Vec3::Zero());
  for (auto* one : {&normal_, &slip_, &loaded_}) std::fill(one->begin(), one->end(), 0.0);
  std::vector<double> fastest_in(episodes_.size(), 0.0), fastest_out(episodes_.size(), 0.0),
      deepest(episodes_.size(), 0.0);
  for (const NodeImpulse& p : stepper_.impulses()) {
    force_[p.contact] += p.impulse;
    normal_[p.contact] += p.normal;
    slip_[p.contact] = std::max(slip_[p.contact], p.slip);
    loaded_[p.contact] += p.normal > 0;
    normal_loss_[p.contact] += p.normal_loss;
    friction_loss_[p.contact] += p.friction_loss;
    fastest_in[p.contact] = std::max(fastest_in[p.contact], -p.rate_before);
    fastest_out[p.contact] = std::max(fastest_out[p.contact], p.rate_after);
    deepest[p.contact] = std::max(deepest[p.contact], -p.gap);
  }
  for (std::size_t c = 0; c < episodes_.size(); ++c) {
    Episode& e = episodes_[c];
    if (loaded_[c] > 0) {
      if (!e.touching) {
        e = {.touching = true, .start = from, .speed_in = fastest_in[c]};
        max_first_penetration_ = std::max(max_first_penetration_, deepest[c]);
      }
      e.speed_out = fastest_out[c];
      e.peak_force = std::max(e.peak_force, normal_[c] / length);
      e.impulse += normal_[c];
      e.depth = std::max(e.depth, deepest[c]);
    } else if (e.touching) {
      observer.impact(e.finished(static_cast<int>(c), from, model.structure_contacts[c].law.restitution));
      ++impacts_;
      e = {};
    }
  }
}

// Samples in the last step: straight lines between its ends, exact at them.
void StructureRun::record_until(double from, double to, Observer& observer) {
  const double length = to - from;
  for (; next_sample <= last_sample() && sample_time(next_sample) <= to + 1e-9 * length; ++next_sample) {
    const double at = sample_time(next_sample), part = (at - from) / length;
    if (std::abs(at - to) <= 1e-9 * length) {
      record_state(at, length, q_, u_, observer);
      continue;
    }
    for (std::size_t i = 0; i < q_.size(); ++i) {
      q_sample_[i] = q_before_[i] + part * (q_[i] - q_before_[i]);
      u_sample_[i] = u_before_[i] + part * (u_[i] - u_before_[i]);
    }
    record_state(at, length, q_sample_, u_sample_, observer);
  }
}

double StructureRun::value(const SignalSource& s, double length, const double* q, const double* u,
                           double kinetic, double potential) const {
  using Kind_ = SignalSource::Kind;
  const double* z = system.z(y.data());
  const auto node = [&] { return model.structures[s.index]->points[s.part].node; };
  switch (s.kind) {
    case Kind_::kinetic:
      return kinetic;
    case Kind_::potential:
      return potential;
    case Kind_::input:
      return z[ledger_input];
    case Kind_::damping_loss:
      return z[ledger_damping];
    case Kind_::normal_loss:
      return z[ledger_normal];
    case Kind_::friction_loss:
      return z[ledger_friction];
    case Kind_::residual:
      return ledger_residual(kinetic + potential, energy_start_, z);
    case Kind_::centre:
      return structures_.centre(s.index, q)[s.component];
    case Kind_::centre_velocity:
      return structures_.centre_velocity(s.index, u)[s.component];
    case Kind_::point_position:
      return structures_.position(s.index, node(), q)[s.component];
    case Kind_::point_displacement:
      return structures_.position(s.index, node(), q)[s.component] -
             model.structures[s.index]->structure.mesh.nodes[node()][s.component];
    case Kind_::point_velocity:
      return structures_.velocity(s.index, node(), u)[s.component];
    case Kind_::point_acceleration:
      return (structures_.velocity(s.index, node(), u_.data())[s.component] -
              structures_.velocity(s.index, node(), u_before_.data())[s.component]) /
             length;
    case Kind_::nodes_contact:
      switch (s.component) {
        case SignalSource::nodes_gap: {
          // Far from everything, or before the first step, there is no gap to tell.
          const double gap = stepper_.smallest_gap(s.index);
          return std::isfinite(gap) ? gap : 0;
        }
        case SignalSource::nodes_normal:
          return normal_[s.index] / length;
        case SignalSource::nodes_slip:
          return slip_[s.index];
        case SignalSource::nodes_loaded:
          return loaded_[s.index];
        case SignalSource::nodes_normal_loss:
          return normal_loss_[s.index];
        case SignalSource::nodes_friction_loss:
          return friction_loss_[s.index];
        default:
          return force_[s.index][s.component - SignalSource::nodes_fx] / length;
      }
    default:
      return 0;
  }
}

void StructureRun::record_state(double time, double length, const std::vector<double>& q,
                                const std::vector<double>& u, Observer& observer) {
  const double kinetic = structures_.kinetic_energy(u.data()),
               potential = structures_.potential_energy(q.data());
  row_[0] = time;
  for (std::size_t i = 0; i < sources_.size(); ++i)
    row_[i + 1] = value(sources_[i], length, q.data(), u.data(), kinetic, potential);
  observer.sample(row_);
  // Between the ends of a step energy and ledger do not belong together.
  if (&q == &q_) watch_energy(kinetic, potential, system.z(y.data()));
  for (int s = 0; s < structures_.count(); ++s)
    largest_turn_ = std::max(largest_turn_, structures_.turn(s, q.data()));
}

std::vector<double> StructureRun::memory() const {
  const ContactStatistics& s = stepper_.statistics();
  std::vector<double> out = {static_cast<double>(steps_),
                             static_cast<double>(impacts_),
                             max_first_penetration_,
                             largest_turn_,
                             static_cast<double>(s.problems),
                             static_cast<double>(s.iterations),
                             static_cast<double>(s.stalled),
                             static_cast<double>(s.most_contacts),
                             s.worst_residual};
  for (const Episode& e : episodes_)
    out.insert(out.end(),
               {e.touching ? 1.0 : 0.0, e.start, e.speed_in, e.speed_out, e.peak_force, e.impulse, e.depth});
  for (const auto* list : {&normal_loss_, &friction_loss_, &stepper_.warm_start(), &q_, &u_})
    out.insert(out.end(), list->begin(), list->end());
  return out;
}

void StructureRun::restore_memory(const double* c) {
  steps_ = static_cast<long>(*c++);
  impacts_ = static_cast<long>(*c++);
  max_first_penetration_ = *c++, largest_turn_ = *c++;
  ContactStatistics s;
  s.problems = static_cast<long>(*c++);
  s.iterations = static_cast<long>(*c++);
  s.stalled = static_cast<long>(*c++);
  s.most_contacts = static_cast<int>(*c++);
  s.worst_residual = *c++;
  s.worst_note = "before the run was resumed";
  stepper_.set_statistics(s);
  for (Episode& e : episodes_) {
    e.touching = *c++ != 0;
    e.start = *c++, e.speed_in = *c++, e.speed_out = *c++, e.peak_force = *c++, e.impulse = *c++,
    e.depth = *c++;
  }
  for (auto* list : {&normal_loss_, &friction_loss_, &stepper_.warm_start(), &q_, &u_}) {
    std::copy(c, c + list->size(), list->begin());
    c += list->size();
  }
}

void StructureRun::report(RunSummary& out) const {
  out.steps = out.evaluations = steps_;
  out.impacts = impacts_;
  out.max_first_penetration = max_first_penetration_;
  out.notes.insert(out.notes.end(), structures_.notes.begin(), structures_.notes.end());
  out.notes.push_back(fmt::format("the factors of the matrices hold {:.3g} million numbers ({:.3g} MB)",
                                  1e-6 * static_cast<double>(structures_.factor_size()),
                                  8e-6 * static_cast<double>(structures_.factor_size())));
  if (largest_turn_ > 0.1)
    out.warnings.push_back(
        fmt::format("a structure turned by about {:.2g} rad: its elements are linear and swell when they "
                    "turn; results are good up to "
                    "about 0.1 rad",
                    largest_turn_));
  const ContactStatistics& s = stepper_.statistics();
  if (s.problems == 0) return;
  out.notes.push_back(fmt::format(
      "{} contact problems of at most {} nodes, {:.1f} iterations each on average, were solved by '{}' to a "
      "residual of {:.1e} "
      "at worst ({})",
      s.problems, s.most_contacts, static_cast<double>(s.iterations) / static_cast<double>(s.problems),
      model.settings.solver, s.worst_residual, s.worst_note));
  if (s.stalled > 0)
    out.warnings.push_back(
        fmt::format("{} of {} contact problems were not solved to the tolerance of {:.1e}: the worst "
                    "residual is {:.1e} of the velocities "
                    "there; try another `solver` or a shorter `step`",
                    s.stalled, s.problems, model.settings.tolerance, s.worst_residual));
}

}  // namespace tappet
