#include "tappet/run/structure_run.hpp"

#include <algorithm>
#include <cmath>
#include <sys/resource.h>

#include <fmt/format.h>

#include "tappet/model/model.hpp"
#include "tappet/ode/step_errors.hpp"

namespace tappet {

StructureRun::StructureRun(const Model& m)
    : MoreauRun(m),
      structures_(m),
      newmark_(m, structures_,
               {.theta = m.settings.theta,
                .contacts = {.solver = m.settings.solver,
                             .tolerance = m.settings.tolerance,
                             .facets = m.settings.facets}},
               m.mechanism.bodies.empty() ? nullptr : y.data()) {
  q_.assign(structures_.size(), 0.0);
  u_ = structures_.start_velocity();
  for (const auto& [unknown, motion, number] : structures_.driven())
    if (const double start = motion->at(0).value; std::abs(start) > 1e-12)
      throw InputError({{Severity::error, motion->pos,
                         fmt::format("the motion of '{}' begins at {:.6g} at t = 0, but the mesh is where it "
                                     "is 0; let it begin at 0, "
                                     "or move the mesh by `position`",
                                     motion->group, start)}});
  q_before_ = q_sample_ = q_;
  u_before_ = u_sample_ = u_;
  const std::size_t contacts = m.structure_contacts.size();
  node_episodes_.resize(contacts);
  sums_.resize(contacts);
  const Kinematics& k = system.evaluate(0, y.data()).k;
  if (const Spiders* spiders = newmark_.spiders()) {
    const Spiders::Mismatch off = spiders->mismatch(u_.data(), y.data() + m.mechanism.q_size(), k);
    if (off.spider >= 0) {
      const Spider& spider = m.spiders[off.spider];
      const fem::Body& body = *m.structures[spider.structure];
      throw InputError(
          {{Severity::error, body.pos,
            fmt::format("structure '{}' begins with [{:.4g}, {:.4g}, {:.4g}] m/s where '{}' is attached to "
                        "'{}', which "
                        "begins with [{:.4g}, {:.4g}, {:.4g}] m/s there; give both one `velocity`",
                        body.structure.name, off.node.x(), off.node.y(), off.node.z(), spider.group,
                        m.mechanism.bodies[spider.body].name, off.body.x(), off.body.y(), off.body.z())}});
    }
  }
  start_energy(structures_.kinetic_energy(u_.data()) + kinetic_energy(m.mechanism, k),
               structures_.potential_energy(q_.data()) + potential_energy(m.mechanism, k) +
                   newmark_.spring_dampers().potential(q_.data(), y.data()));
}

std::string StructureRun::integrator() const {
  return model.settings.theta == 0.5 ? "newmark-moreau"
                                     : fmt::format("newmark-moreau, theta {:g}", model.settings.theta);
}

void StructureRun::advance(double next) {
  const Mechanism& m = model.mechanism;
  const double h = model.settings.step;
  q_before_ = q_;
  u_before_ = u_;
  // Steps of one length are of one length to the last bit, so that the matrices are factorised once.
  const double length = std::abs(next - t - h) < 1e-9 * h ? h : next - t;
  double *q = y.data(), *u = q + m.q_size(), *z = u + m.u_size();
  if (m.bodies.empty()) {
    newmark_.step(t, length, q_.data(), u_.data(), z);
  } else {
    RigidPart rigid{stepper_, system.workspace(), q, u};
    newmark_.step(t, length, q_.data(), u_.data(), z, &rigid);
    system.project(next, y.data());
  }
  if (const int bad = first_not_finite(u_.data(), static_cast<int>(u_.size())); bad >= 0) {
    q_ = q_before_, u_ = u_before_, y = before_;
    newmark_.state_changed();
    throw_not_finite(t, bad);
  }
}

// One row of the impact table for each time that any node of a contact carries load.
void StructureRun::follow_contacts(double from, double to, Observer& observer) {
  MoreauRun::follow_contacts(from, to, observer);
  const int first = static_cast<int>(model.mechanism.contacts.size() + model.mechanism.groups.size());
  const double length = to - from;
  for (std::size_t c = 0; c < sums_.size(); ++c)
    sums_[c] = {.gap = newmark_.smallest_gap(static_cast<int>(c)),
                .normal_loss = sums_[c].normal_loss,
                .friction_loss = sums_[c].friction_loss};
  std::vector<double> fastest_in(node_episodes_.size(), 0.0), fastest_out(node_episodes_.size(), 0.0),
      deepest(node_episodes_.size(), 0.0);
  for (const NodeImpulse& p : newmark_.impulses()) {
    ContactSum& sum = sums_[p.contact];
    if (p.normal > 0) sum.add(p.normal / length, p.tangential / length, p.impulse / length, p.slip);
    sum.normal_loss += p.normal_loss;
    sum.friction_loss += p.friction_loss;
    fastest_in[p.contact] = std::max(fastest_in[p.contact], -p.rate_before);
    fastest_out[p.contact] = std::max(fastest_out[p.contact], p.rate_after);
    deepest[p.contact] = std::max(deepest[p.contact], -p.gap);
  }
  for (std::size_t c = 0; c < node_episodes_.size(); ++c) {
    Episode& e = node_episodes_[c];
    if (sums_[c].touching > 0) {
      if (!e.touching) {
        e = {.touching = true, .start = from, .speed_in = fastest_in[c]};
        max_first_penetration_ = std::max(max_first_penetration_, deepest[c]);
      }
      e.speed_out = fastest_out[c];
      e.peak_force = std::max(e.peak_force, sums_[c].normal);
      e.impulse += sums_[c].normal * length;
      e.depth = std::max(e.depth, deepest[c]);
    } else if (e.touching) {
      observer.impact(
          e.finished(first + static_cast<int>(c), from, model.structure_contacts[c].law.restitution));
      ++impacts_;
      e = {};
    }
  }
}

void StructureRun::record_start(Observer& observer) {
  record_state(system.evaluate(t, y.data()), t, model.settings.step, y.data(), q_, u_, observer);
}

// Between the ends of a step in straight lines, exact at them.
void StructureRun::record_at(double time, double length, const double* state, Observer& observer) {
  const DynamicsWorkspace& w = instant(time, length, state);
  if (state == y.data()) return record_state(w, time, length, state, q_, u_, observer);
  const double part = 1 - (t - time) / length;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    q_sample_[i] = q_before_[i] + part * (q_[i] - q_before_[i]);
    u_sample_[i] = u_before_[i] + part * (u_[i] - u_before_[i]);
  }
  record_state(w, time, length, state, q_sample_, u_sample_, observer);
}

void StructureRun::record_state(const DynamicsWorkspace& w, double time, double length, const double* state,
                                const std::vector<double>& q, const std::vector<double>& u,
                                Observer& observer) {
  const Mechanism& m = model.mechanism;
  const double kinetic = structures_.kinetic_energy(u.data()) + kinetic_energy(m, w.k),
               potential = structures_.potential_energy(q.data()) + stored_energy(m, w) +
                           newmark_.spring_dampers().potential(q.data(), system.q(state));
  row_[0] = time;
  const StructureInstant now{.system = structures_,
                             .steps = newmark_,
                             .q = q.data(),
                             .u = u.data(),
                             .u_before = u_before_.data(),
                             .u_after = u_.data(),
                             .length = length,
                             .contacts = sums_};
  SignalContext context{.model = model,
                        .k = w.k,
                        .q = system.q(state),
                        .z = system.z(state),
                        .w = &w,
                        .kinetic = kinetic,
                        .potential = potential,
                        .energy_at_start = energy_start_,
                        .structures = &now};
  evaluate_signals(sources_, context, row_.data() + 1);
  observer.sample(row_);
  if (model.settings.field_samples > 0 && next_sample % model.settings.field_samples == 0 &&
      observer.wants_fields())
    record_fields(length, q, u, observer);
  // Between the ends of a step energy and ledger do not belong together.
  if (&q == &q_) watch_energy(kinetic, potential, system.z(state));
  for (int s = 0; s < structures_.count(); ++s)
    largest_turn_ = std::max(largest_turn_, structures_.turn(s, q.data()));
}

// Every structure whole. Forces in contacts are those of the last step; a face's nodes share theirs.
void StructureRun::record_fields(double length, const std::vector<double>& q, const std::vector<double>& u,
                                 Observer& observer) {
  for (int s = 0; s < structures_.count(); ++s) {
    const fem::Structure& structure = structures_.body(s).structure;
    fem::Fields fields;
    const std::vector<double> all = fem::spread(structure, structures_.free_unknowns(s, q.data()).data());
    fields.displacement = fem::node_vectors(structure, all);
    fields.velocity =
        fem::node_vectors(structure, fem::spread(structure, structures_.free_unknowns(s, u.data()).data()));
    fields.stress = fem::element_stress(structure, all);
    fields.contact_force = newmark_.node_impulses(s);
    for (double& f : fields.contact_force) f /= length;
    observer.fields(s, fields);
  }
}

std::vector<double> StructureRun::memory() const {
  std::vector<double> out = MoreauRun::memory();
  const ContactStatistics& s = newmark_.statistics();
  out.insert(out.end(),
             {largest_turn_, static_cast<double>(s.problems), static_cast<double>(s.iterations),
              static_cast<double>(s.stalled), static_cast<double>(s.most_contacts), s.worst_residual});
  for (const Episode& e : node_episodes_)
    out.insert(out.end(),
               {e.touching ? 1.0 : 0.0, e.start, e.speed_in, e.speed_out, e.peak_force, e.impulse, e.depth});
  for (const ContactSum& sum : sums_) out.insert(out.end(), {sum.normal_loss, sum.friction_loss});
  for (const auto* list : {&newmark_.warm_start(), &q_, &u_})
    out.insert(out.end(), list->begin(), list->end());
  for (const auto& list : {newmark_.contacts().memory(), newmark_.compliance().memory()})
    out.insert(out.end(), list.begin(), list.end());
  return out;
}

void StructureRun::restore_memory(const double* c) {
  MoreauRun::restore_memory(c);
  c += MoreauRun::memory().size();
  largest_turn_ = *c++;
  ContactStatistics s;
  s.problems = static_cast<long>(*c++);
  s.iterations = static_cast<long>(*c++);
  s.stalled = static_cast<long>(*c++);
  s.most_contacts = static_cast<int>(*c++);
  s.worst_residual = *c++;
  s.worst_note = "before the run was resumed";
  newmark_.set_statistics(s);
  for (Episode& e : node_episodes_) {
    e.touching = *c++ != 0;
    e.start = *c++, e.speed_in = *c++, e.speed_out = *c++, e.peak_force = *c++, e.impulse = *c++,
    e.depth = *c++;
  }
  for (ContactSum& sum : sums_) sum.normal_loss = *c++, sum.friction_loss = *c++;
  for (auto* list : {&newmark_.warm_start(), &q_, &u_}) {
    std::copy(c, c + list->size(), list->begin());
    c += list->size();
  }
  newmark_.contacts().restore_memory(c);
  c += newmark_.contacts().memory().size();
  newmark_.compliance().restore_memory(c);
  newmark_.state_changed();
}

void StructureRun::report(RunSummary& out) const {
  MoreauRun::report(out);
  out.constraint_violation = std::max(out.constraint_violation, newmark_.largest_opening());
  out.notes.insert(out.notes.end(), structures_.notes.begin(), structures_.notes.end());
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  out.notes.push_back(fmt::format(
      "the factors of the matrices hold {:.3g} million numbers ({:.3g} MB); the program took {:.0f} MB of "
      "memory at most",
      1e-6 * static_cast<double>(structures_.factor_size()),
      8e-6 * static_cast<double>(structures_.factor_size()), usage.ru_maxrss / 1024.0));
  if (largest_turn_ > 0.1)
    out.warnings.push_back(
        fmt::format("a structure turned by about {:.2g} rad: its elements are linear and swell when they "
                    "turn; results are good up to "
                    "about 0.1 rad",
                    largest_turn_));
  const ContactStatistics& s = newmark_.statistics();
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
