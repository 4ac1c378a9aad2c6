#include "tappet/nonsmooth/moreau.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/multibody/joint_friction.hpp"
#include "tappet/multibody/not_finite.hpp"
#include "tappet/nonsmooth/thresholds.hpp"

namespace tappet {

using Eigen::VectorXd;

namespace {

/// By how much of the mechanism's length joints are open half-way through a step: by so much do rows seem to differ that repeat others
/// wherever the joints are closed, and their pivots are the square of it. Kept, such a pivot asks for reactions of up to 10⁹ N s and makes
/// noise of what contacts do: below 10⁻⁹ more than 10⁻⁷ of it. Above 10⁻⁶ a pivot may be that of a mechanism near a singular position.
double openness(const ConstraintSystem& constraints, double length) {
  double open = 0;
  for (const double phi : constraints.phi()) open = std::max(open, std::abs(phi));
  return std::clamp(open / length, 3e-5, 1e-3);
}

}  // namespace

MoreauStepper::MoreauStepper(const Mechanism& mechanism, const MoreauOptions& options)
    : mechanism_(mechanism),
      options_(options),
      problem_(mechanism, options.contacts),
      nu_(mechanism.u_size()),
      field_(mechanism),
      impact_(options.impact_law, 0.5) {
  int rows = 0;
  for (const Constraint* c : mechanism.constraints) {
    rows += c->rows;
    has_auxiliary_ = has_auxiliary_ || c->aux_offset >= 0;
  }
  for (const auto& force : mechanism.forces) has_auxiliary_ = has_auxiliary_ || force->aux_offset >= 0;
  for (auto* like_u : {&force_, &change_, &free_, &mean_}) like_u->assign(nu_, 0.0);
  for (auto* row : {&target_, &lambda_, &held_}) row->assign(rows, 0.0);
  zdot_.assign(mechanism.aux_size, 0.0);
  warm_.assign(3 * mechanism.contacts.size(), 0.0);
  for (const auto& contact : mechanism.contacts)
    holds_ = holds_ || (contact->rigid && holds(*contact->rigid));
  for (const auto& group : mechanism.groups) holds_ = holds_ || (group.rigid && holds(*group.rigid));
  if (holds_) stuck_.assign(mechanism.contacts.size(), 0);
  for (const auto& contact : mechanism.contacts) resists_ = resists_ || contact->resists.any();
  for (const auto& group : mechanism.groups) resists_ = resists_ || group.resists.any();
  if (resists_) warm_couples_ = warm_;
  resize(end_, mechanism);
}

void MoreauStepper::step(double t, double h, double* q, double* u, double* z, DynamicsWorkspace& w) {
  begin(t, h, q, u, z, w);
  collide(t, h, u, w);
  finish(t, h, q, u, z, w);
}

// q ⊕ time · velocity.
void MoreauStepper::move(double time, const double* velocity, double* q) {
  for (int i = 0; i < nu_; ++i) mean_[i] = time * velocity[i];
  displace(mechanism_, q, mean_.data());
}

// To the midpoint, and from there the velocities that all but the contacts would give.
void MoreauStepper::begin(double t, double h, double* q, const double* u, const double* z,
                          DynamicsWorkspace& w, const double* push) {
  const double theta = options_.theta;
  if (redundant_ < 0) {
    update_kinematics(w.k, t, q, u, z);
    w.constraints.evaluate(w.k);
    redundant_ = w.constraints.factor(mechanism_.inverse_mass);
  }
  move((1 - theta) * h, u, q);
  update_kinematics(w.k, t + (1 - theta) * h, q, u, z);
  free_motion(h, u, push, w);
  if (mechanism_.flexible.modes > 0) take_mean_velocities(t + (1 - theta) * h, h, q, u, z, w);
  find_contacts(h, w);
}

// The contacts' impulses, and with them the velocities again.
void MoreauStepper::collide(double t, double h, const double* u, DynamicsWorkspace& w) {
  sticks_.clear();
  if (!contacts_close(t, h, u)) return;
  problem_.prepare(w.constraints);
  if (problem_.bearings() > 0) return solve_with_bearings(t, h, w);
  solve_contacts(t);
  problem_.add_impulses(P_, force_.data());
  w.constraints.solve(force_.data(), target_.data(), change_.data(), lambda_.data());
}

void MoreauStepper::take(const Eigen::VectorXd& P, std::vector<char> sticks, const double* others,
                         const double* u, DynamicsWorkspace& w) {
  P_ = P;
  sticks_ = std::move(sticks);
  problem_.velocities(u, impact_.before);
  problem_.prepare(w.constraints);
  problem_.add_impulses(P_, force_.data());
  for (int i = 0; i < nu_; ++i) force_[i] += others[i];
  w.constraints.solve(force_.data(), target_.data(), change_.data(), lambda_.data());
  for (int i = 0; i < nu_; ++i) mean_[i] = u[i] + change_[i];
  problem_.velocities(mean_.data(), after_);
}

void MoreauStepper::finish(double t, double h, double* q, double* u, double* z, DynamicsWorkspace& w) {
  remember_impulses();

  // Where energy went: motions and forces do work, contacts lose it.
  for (int i = 0; i < nu_; ++i) mean_[i] = u[i] + 0.5 * change_[i];
  integrate_auxiliary(h, q, mean_.data(), z, w);
  for (int i = 0; i < nu_; ++i) u[i] += change_[i];
  note_impulses();
  for (const ContactImpulse& impulse : impulses_) {
    z[ledger_normal] += impulse.normal_loss;
    z[ledger_friction] += impulse.friction_loss;
    double* own = own_ledger(impulse.contact, z);
    own[0] += impulse.normal, own[1] += impulse.normal_loss, own[2] += impulse.friction_loss;
  }
  for (const BearingImpulse& bearing : bearings_) {
    double* own = own_ledger(bearing.contact, z);
    z[ledger_friction] += bearing.loss;
    own[ContactPoint::aux_impulse] += bearing.normal, own[ContactPoint::aux_friction_loss] += bearing.loss;
  }

  move(options_.theta * h, u, q);
  w.constraints.set_elastic_step(0);
  open_gaps(t + h, options_.theta * h, q, u, z, w);
  std::fill(w.impulses.begin(), w.impulses.end(), 0.0);
}

void MoreauStepper::add_projection(const DynamicsWorkspace& w, double* z) {
  for (int r = 0; r < w.constraints.rows(); ++r) {
    z[ledger_input] -= w.impulses[r] * w.constraints.phi_t()[r];
    lambda_[r] += w.impulses[r];
  }
}

void MoreauStepper::free_motion(double h, const double* u, const double* push, DynamicsWorkspace& w) {
  applied_forces(mechanism_, w);
  if (!std::all_of(w.h.begin(), w.h.end(), [](double each) { return std::isfinite(each); }))
    if (const std::string cause = not_finite_cause(mechanism_, w.k); !cause.empty())
      throw SimulationError(w.k.t, cause);
  if (mechanism_.dimension == Dimension::spatial) turn_gyroscopes(h, u, w);
  for (int i = 0; i < nu_; ++i) force_[i] = h * w.h[i];
  for (int b = 0; push && b < mechanism_.body_count(); ++b, push += 6) {
    Eigen::Map<Vec3>{force_.data() + 6 * b} += Eigen::Map<const Vec3>(push);
    Eigen::Map<Vec3>{force_.data() + 6 * b + 3} +=
        w.k.spatial[b].R.transpose() * Eigen::Map<const Vec3>(push + 3);
  }

  w.constraints.evaluate(w.k);
  w.constraints.set_elastic_step(h);
  factor(w);
  w.constraints.times(u, held_.data());
  for (int r = 0; r < w.constraints.rows(); ++r)
    target_[r] = -(held_[r] + w.constraints.phi_t()[r]) / options_.theta;
  w.constraints.solve(force_.data(), target_.data(), change_.data(), lambda_.data());
  for (int i = 0; i < nu_; ++i) free_[i] = u[i] + change_[i];
}

// Forces that grow with velocities, the inertia of bodies that bend above all, at the mean velocity of the step: then a body that turns
// and bends freely keeps its energy. Elastic damping is in the mass matrix already.
void MoreauStepper::take_mean_velocities(double t, double h, const double* q, const double* u,
                                         const double* z, DynamicsWorkspace& w) {
  constexpr int passes = 4;
  const int modes = mechanism_.flexible.modes;
  for (int n = 0; n < passes; ++n) {
    for (int i = 0; i < nu_; ++i) mean_[i] = u[i] + 0.5 * change_[i];
    update_kinematics(w.k, t, q, mean_.data(), z);
    applied_forces(mechanism_, w);
    for (const FlexibleBody& body : mechanism_.flexible.bodies)
      for (int k = 0; k < body.modes; ++k) {
        const int i = nu_ - modes + body.first + k;
        w.h[i] += body.damping[k] * (mean_[i] - u[i]);
      }
    for (int i = 0; i < nu_; ++i) force_[i] = h * w.h[i];
    w.constraints.solve(force_.data(), target_.data(), change_.data(), lambda_.data());
  }
  for (int i = 0; i < nu_; ++i) free_[i] = u[i] + change_[i];
}

// Half-way through a step as many rows depend on others as where the joints are closed. More would be those of a body so light beside
// others that its rows seem to repeat theirs.
void MoreauStepper::factor(DynamicsWorkspace& w) {
  const double open = redundant_ > 0 ? openness(w.constraints, mechanism_.length) : 0;
  w.dependent_rows = w.constraints.factor(mechanism_.inverse_mass, open);
  if (open > 0 && w.dependent_rows > redundant_)
    w.dependent_rows = w.constraints.factor(mechanism_.inverse_mass);
}

// −ω × J ω at the mean angular velocity of the step instead of the first: then a body that turns freely keeps
// its energy.
void MoreauStepper::turn_gyroscopes(double h, const double* u, DynamicsWorkspace& w) const {
  // Those of bodies that bend: take_mean_velocities().
  const auto bends = [&](int b) {
    return std::any_of(mechanism_.flexible.bodies.begin(), mechanism_.flexible.bodies.end(),
                       [&](const FlexibleBody& flexible) { return flexible.body == b; });
  };
  for (int b = 0; b < mechanism_.body_count(); ++b) {
    const Body& body = mechanism_.bodies[b];
    if (!body.has_inertia || bends(b)) continue;
    const Mat3& J = body.inertia;
    const Eigen::Map<const Vec3> first(u + 6 * b + 3);
    const Vec3 explicit_torque = -first.cross(J * first);
    if (explicit_torque.isZero(0)) continue;
    Eigen::Map<Vec3> torque(w.h.data() + 6 * b + 3);
    const Vec3 applied = torque - explicit_torque;
    Vec3 mean = first, gyroscopic = explicit_torque;
    for (int n = 0; n < 20; ++n) {
      const Vec3 next = first + 0.5 * h * (mechanism_.inverse_mass.angular[b] * (applied + gyroscopic));
      const double moved = (next - mean).norm();
      mean = next;
      gyroscopic = -mean.cross(J * mean);
      if (moved <= 1e-15 * mean.norm()) break;
    }
    torque = applied + gyroscopic;
  }
}

const RigidLaw& MoreauStepper::law(int contact) const {
  const int own = static_cast<int>(mechanism_.contacts.size());
  return contact < own ? *mechanism_.contacts[contact]->rigid
                       : *mechanism_.groups[field_.group(contact - own)].rigid;
}

// Contacts that may be closed when the step ends.
void MoreauStepper::find_contacts(double h, const DynamicsWorkspace& w) {
  problem_.clear(w.k, &w.constraints);
  length_scale_.clear();
  slots_.clear();
  speed_ = 0;
  look_ahead(w);
  const double reach = options_.theta * h;
  for (const auto& contact : mechanism_.contacts) {
    if (contact->bearing || is_off(w.k, contact->with_switch)) continue;
    const Touch touch = contact->touch(w.k);
    if (contact->by_rows) {
      if (stop_may_close(*contact, touch, w.k, reach)) {
        problem_.add({.id = contact->index,
                      .bodies = {contact->bodies[0], contact->bodies[1]},
                      .touch = touch,
                      .tangents = {},
                      .length = contact->length_scale,
                      .along = contact.get()});
        length_scale_.push_back(contact->length_scale);
      }
      continue;
    }
    if (touch.normal.isZero(0) ||
        !may_close(contact->bodies, touch.at, touch.gap, contact->length_scale, reach))
      continue;
    problem_.add({.id = contact->index,
                  .bodies = {contact->bodies[0], contact->bodies[1]},
                  .touch = touch,
                  .tangents = contact->tangents(w.k, touch),
                  .friction = contact->rigid->friction,
                  .resists = contact->resists.any() ? &contact->resists : nullptr,
                  .length = contact->length_scale});
    length_scale_.push_back(contact->length_scale);
  }
  const auto add_others = [&] {
    problem_.add_couples();
    for (const int b : mechanism_.bearings) problem_.add_bearing(*mechanism_.contacts[b]);
  };
  if (field_.empty()) return add_others();
  const int own = static_cast<int>(mechanism_.contacts.size());
  const bool planar = mechanism_.dimension == Dimension::planar;
  field_.update(w.k, free_.data(), reach);
  warm_.resize(3 * (own + field_.capacity()), 0.0);
  if (resists_) warm_couples_.resize(warm_.size(), 0.0);
  field_.each_place(w.k, [&](const ContactField::Place& place) {
    const Proximity& found = *place.proximity;
    const Vec3 at = found.common_point();
    if (!may_close(place.bodies, at, found.gap, place.length_scale, reach)) return;
    problem_.add({.id = own + place.slot,
                  .bodies = {place.bodies[0], place.bodies[1]},
                  .touch = {.gap = found.gap, .normal = found.normal, .at = at},
                  .tangents = planar ? Tangents::in_plane(found.normal)
                                     : Tangents::in_space(found.normal, Vec3::Zero()),
                  .friction = mechanism_.groups[place.group].rigid->friction,
                  .resists = mechanism_.groups[place.group].resists.any()
                                 ? &mechanism_.groups[place.group].resists
                                 : nullptr,
                  .length = place.length_scale});
    length_scale_.push_back(place.length_scale);
    slots_.push_back(place.slot);
  });
  add_others();
}

// How the bodies would move without contacts, in world axes.
void MoreauStepper::look_ahead(const DynamicsWorkspace& w) {
  const Kinematics& k = w.k;
  const int bodies = mechanism_.frame_count(), width = velocity_size(k.dimension);
  ahead_.assign(bodies + 1, {});
  const double* all = free_.data();
  if (mechanism_.flexible.modes > 0) {
    of_frames_.resize(width * bodies);
    w.constraints.frame_velocities(all, of_frames_.data());
    all = of_frames_.data();
  }
  for (int b = 0; b < bodies; ++b) {
    const double* u = all + width * b;
    Ahead& body = ahead_[b];
    if (k.dimension == Dimension::planar) {
      body = {{k.planar[b].r.x(), k.planar[b].r.y(), 0}, {u[0], u[1], 0}, {0, 0, u[2]}};
    } else {
      body = {k.spatial[b].r, {u[0], u[1], u[2]}, k.spatial[b].R * Vec3(u[3], u[4], u[5])};
    }
  }
}

// A contact may be closed by what others do to its bodies: whatever is near takes part.
bool MoreauStepper::may_close(const int (&bodies)[2], const Vec3& at, double gap, double length_scale,
                              double reach) {
  double speed = 0;
  for (const int b : bodies) speed += (ahead_[b].v + ahead_[b].w.cross(at - ahead_[b].r)).norm();
  if (gap >= reach * speed + thresholds::closed * length_scale) return false;
  speed_ = std::max(speed_, speed);
  return true;
}

// The same of a stop: others may press all bodies that its coordinates are of.
bool MoreauStepper::stop_may_close(const ContactPoint& stop, const Touch& touch, const Kinematics& k,
                                   double reach) {
  CoordinateRow row;
  stop.row(k, 0, row);
  const int linear = k.dimension == Dimension::planar ? 2 : 3, angular = linear == 2 ? 1 : 3;
  double speed = 0;
  for (int n = 0; n < row.count; ++n) {
    const Ahead& body = ahead_[row.bodies[n]];
    speed += Eigen::Map<const Eigen::VectorXd>(row.J[n], linear).norm() * body.v.norm() +
             Eigen::Map<const Eigen::VectorXd>(row.J[n] + linear, angular).norm() * body.w.norm();
  }
  if (touch.gap >= reach * speed + thresholds::closed * stop.length_scale) return false;
  speed_ = std::max(speed_, speed);
  return true;
}

// False when nothing would close: then there are no impulses.
bool MoreauStepper::contacts_close(double t, double h, const double* u) {
  const int n = problem_.count();
  problem_.velocities(u, free_.data(), impact_.before, impact_.unhindered);
  P_.setZero(problem_.blocks() * problem_.dimension());
  after_ = impact_.unhindered;
  // Many contacts that may be left a little too deep may be left a little open as well. Were they not, a pile at rest would
  // chase the errors of its own steps, and every step would begin from a worse guess.
  const double open =
      problem_.opens_roughly() ? thresholds::allowed_penetration(options_.contacts.tolerance) : 0;
  impact_.contacts.resize(n);
  for (int i = 0; i < n; ++i)
    impact_.contacts[i] = {.law = &law(problem_.id(i)),
                           .gap = problem_.touch(i).gap - open * length_scale_[i],
                           .stuck = holds_ && was_stuck(t, i, impact_.before)};
  couple_laws_.clear();
  for (const Couple& couple : problem_.couples()) couple_laws_.push_back(couple.law());
  for (std::size_t i = 0; i < couple_laws_.size(); ++i)
    impact_.contacts.push_back({.law = &couple_laws_[i], .couple_of = problem_.couples()[i].contact});
  for (int i = 0; i < problem_.bearings(); ++i) {
    const int block = problem_.first_bearing() + i, id = problem_.bearing(i).index, d = problem_.dimension();
    const double* slip = impact_.before.data() + d * block + 1;
    const bool stuck =
        holds_ && (t <= 0 ? sticks_at_start(0, 1, slip, d, impact_.before.lpNorm<Eigen::Infinity>())
                          : id < static_cast<int>(stuck_.size()) && stuck_[id]);
    impact_.contacts.push_back(
        {.law = &*problem_.bearing(i).rigid, .stuck = stuck, .couple_of = block, .bearing = true});
  }
  return impact_.closes(problem_.dimension(), options_.theta * h);
}

// ∫ N dt of the bearings in this step, by the reactions λ_; how much they changed, of the largest.
double MoreauStepper::bearing_loads(double h, DynamicsWorkspace& w) {
  double change = 0, largest = 0;
  loads_.resize(problem_.bearings());
  w.lambda = lambda_;
  for (int i = 0; i < problem_.bearings(); ++i) {
    const ContactPoint& contact = problem_.bearing(i);
    const Reaction at = reaction(w, contact.joint);
    const double load = is_off(w.k, contact.with_switch)
                            ? 0.0
                            : h * preload_of(contact, w.k) + contact.load(w.k, at.force, at.torque);
    change = std::max(change, std::abs(load - loads_[i]));
    largest = std::max(largest, load);
    loads_[i] = load;
  }
  return largest > 0 ? change / largest : 0;
}

void MoreauStepper::solve_with_bearings(double t, double h, DynamicsWorkspace& w) {
  constexpr int most = 200;
  unloaded_ = force_;
  loads_.assign(problem_.bearings(), 0.0);
  bearing_loads(h, w);
  // What stuck is held by all it takes to begin with, so that static friction is seen where it holds itself by the load that it makes.
  const double speed =
      std::max(impact_.before.lpNorm<Eigen::Infinity>(), impact_.unhindered.lpNorm<Eigen::Infinity>());
  for (int i = 0; i < problem_.bearings(); ++i) {
    ImpactContact& bearing = impact_.contacts[problem_.first_bearing() + i];
    bearing.own = problem_.bearing_response(i);
    if (bearing.stuck && bearing.own > 0)
      loads_[i] = std::max(loads_[i], thresholds::ample_load * speed / bearing.own);
  }
  for (int n = 0; n < most; ++n) {
    sticks_.clear();
    for (int i = 0; i < problem_.bearings(); ++i)
      P_[problem_.dimension() * (problem_.first_bearing() + i)] = loads_[i];
    solve_contacts(t);
    force_ = unloaded_;
    problem_.add_impulses(P_, force_.data());
    w.constraints.solve(force_.data(), target_.data(), change_.data(), lambda_.data());
    if (bearing_loads(h, w) <= options_.contacts.tolerance) return;
  }
  throw SimulationError(
      t, fmt::format("friction locks joint '{}' by itself: the loads of joints grow with the friction that "
                     "they make, and "
                     "reactions and friction do not determine each other; less friction, or longer arms, do",
                     problem_.bearing(0).name));
}

void MoreauStepper::solve_contacts(double t) {
  guess(P_.data());
  for (int i = 0; i < static_cast<int>(couple_laws_.size()); ++i)
    impact_.contacts[problem_.count() + i].own = problem_.own_response(i);
  // Relative velocities that are nothing beside the bodies' own need not be resolved.
  const double unit = std::max({impact_.before.lpNorm<Eigen::Infinity>(),
                                impact_.unhindered.lpNorm<Eigen::Infinity>(), 1e-3 * speed_});
  impact_.solve(t, unit, problem_.cones(), problem_.solver(), P_);
  after_ = impact_.after();
  if (!holds_) return;
  for (int i = 0; i < problem_.count(); ++i) sticks_.push_back(impact_.sticks(i));
  for (int i = 0; i < problem_.bearings(); ++i)
    sticks_.push_back(impact_.sticks(problem_.first_bearing() + i));
}

bool MoreauStepper::was_stuck(double t, int near, const VectorXd& before) const {
  const int d = problem_.dimension(), id = problem_.id(near);
  if (t <= 0)
    return sticks_at_start(problem_.touch(near).gap, length_scale_[near], before.data() + d * near + 1, d,
                           speed_);
  return id < static_cast<int>(stuck_.size()) && stuck_[id];
}

// A contact that was far begins from nothing.
void MoreauStepper::guess(double* P) const {
  for (int i = 0; i < problem_.count(); ++i)
    problem_.set_impulse(i, Eigen::Map<const Vec3>(warm_.data() + 3 * problem_.id(i)),
                         P + problem_.dimension() * i);
  for (int i = 0; i < static_cast<int>(problem_.couples().size()); ++i)
    problem_.set_couple(
        i, Eigen::Map<const Vec3>(warm_couples_.data() + 3 * problem_.id(problem_.couples()[i].contact)), P);
}

void MoreauStepper::remember_impulses() {
  std::fill(warm_.begin(), warm_.end(), 0.0);
  for (int i = 0; i < problem_.count(); ++i)
    Eigen::Map<Vec3>(warm_.data() + 3 * problem_.id(i)) = problem_.impulse(i, P_);
  if (resists_) {
    std::fill(warm_couples_.begin(), warm_couples_.end(), 0.0);
    for (int i = 0; i < static_cast<int>(problem_.couples().size()); ++i)
      Eigen::Map<Vec3>(warm_couples_.data() + 3 * problem_.id(problem_.couples()[i].contact)) +=
          problem_.couple(i, P_);
  }
  if (!holds_) return;
  stuck_.assign(warm_.size() / 3, 0);
  for (int i = 0; i < static_cast<int>(sticks_.size()); ++i)
    stuck_[i < problem_.count() ? problem_.id(i) : problem_.bearing(i - problem_.count()).index] = sticks_[i];
}

void MoreauStepper::note_bearings() {
  bearings_.clear();
  const int d = problem_.dimension();
  for (int i = 0; i < problem_.bearings(); ++i) {
    const int row = d * (problem_.first_bearing() + i);
    BearingImpulse out{.contact = problem_.bearing(i).index, .normal = P_[row]};
    for (int k = 1; k < d; ++k) {
      out.tangential[k - 1] = P_[row + k];
      out.loss -= P_[row + k] * 0.5 * (impact_.before[row + k] + after_[row + k]);
    }
    bearings_.push_back(out);
  }
}

void MoreauStepper::note_impulses() {
  note_bearings();
  impulses_.clear();
  const int d = problem_.dimension(), own = static_cast<int>(mechanism_.contacts.size());
  for (int i = 0; i < problem_.count(); ++i) {
    const int row = d * i;
    ContactImpulse out;
    out.contact = problem_.id(i);
    if (out.contact >= own) out.group = field_.group(out.contact - own);
    out.normal = P_[row];
    out.tangential = problem_.tangential(i, P_);
    out.rate_before = impact_.before[row];
    out.rate_after = after_[row];
    out.slip = after_.segment(row + 1, d - 1).norm();
    out.gap = problem_.touch(i).gap;
    double mean[3] = {};
    for (int k = 0; k < d; ++k) mean[k] = 0.5 * (impact_.before[row + k] + after_[row + k]);
    const ImpactLoss loss = impact_loss(d, P_.data() + row, mean);
    out.normal_loss = loss.normal, out.friction_loss = loss.friction;
    impulses_.push_back(out);
  }
  for (std::size_t i = 0; i < problem_.couples().size(); ++i) {
    const int row = problem_.row(static_cast<int>(i));
    ContactImpulse& out = impulses_[problem_.couples()[i].contact];
    out.couple += problem_.couple(static_cast<int>(i), P_);
    for (int k = 1; k < d; ++k)
      out.friction_loss -= P_[row + k] * 0.5 * (impact_.before[row + k] + after_[row + k]);
  }
}

// The ledger's input and damping, and the variables of motions and springs, by the midpoint.
void MoreauStepper::integrate_auxiliary(double h, const double* q, const double* u_mean, double* z,
                                        DynamicsWorkspace& w) {
  double input = h * w.powers.input;
  for (int r = 0; r < w.constraints.rows(); ++r) input -= lambda_[r] * w.constraints.phi_t()[r];
  z[ledger_input] += input;
  z[ledger_damping] += h * w.powers.damping;
  for (std::size_t f = 0; f < mechanism_.flexible.bodies.size(); ++f) {
    const FlexibleBody& body = mechanism_.flexible.bodies[f];
    const Eigen::Map<const Eigen::ArrayXd> rates(u_mean + nu_ - mechanism_.flexible.modes + body.first,
                                                 body.modes);
    z[ledger_damping] +=
        h * ((body.damping.array() * rates.square()).sum() - w.constraints.instant(static_cast<int>(f)).loss);
  }
  if (!has_auxiliary_) return;
  update_kinematics(w.k, w.k.t, q, u_mean, z);
  std::fill(zdot_.begin(), zdot_.end(), 0.0);
  for (const Constraint* c : mechanism_.constraints)
    if (c->aux_offset >= 0) c->aux_rates(w.k, zdot_.data() + c->aux_offset);
  for (const auto& force : mechanism_.forces)
    if (force->aux_offset >= 0) force->aux_rates(w.k, zdot_.data() + force->aux_offset);
  for (std::size_t i = ledger_size; i < zdot_.size(); ++i) z[i] += h * zdot_[i];
}

// Where a contact keeps its impulse and losses.
double* MoreauStepper::own_ledger(int contact, double* z) const {
  const int own = static_cast<int>(mechanism_.contacts.size());
  return z + (contact < own ? mechanism_.contacts[contact]->aux_offset
                            : mechanism_.groups[field_.group(contact - own)].aux_offset);
}

// Gaps of these contacts at the frames end_.
void MoreauStepper::measure_gaps(const std::vector<int>& contacts) {
  // Those of the field come last.
  const int followed = problem_.count() - static_cast<int>(slots_.size());
  chosen_slots_.clear();
  for (int i : contacts) {
    if (i < followed)
      impulses_[i].gap = mechanism_.contacts[problem_.id(i)]->touch(end_).gap;
    else
      chosen_slots_.push_back(slots_[i - followed]);
  }
  slot_gap_.resize(chosen_slots_.size());
  field_.gaps(chosen_slots_, end_, slot_gap_.data());
  const double* gap = slot_gap_.data();
  for (int i : contacts)
    if (i >= followed) impulses_[i].gap = *gap++;
}

// Gaps of all contacts at the frames end_, to which the bodies went within θh = `reach`. Where surfaces went a way that is little
// beside the penetration that is allowed, gaps changed by as much as their rates say; the others are measured.
void MoreauStepper::find_gaps(double reach, const double* u) {
  constexpr double little = 0.1;
  const int followed = problem_.count() - static_cast<int>(slots_.size());
  const double allowed = thresholds::allowed_penetration(options_.contacts.tolerance);
  chosen_.clear();
  field_.measure_ways(end_, u, reach);
  for (int i = 0; i < problem_.count(); ++i) {
    if (i >= followed && field_.way(slots_[i - followed]) <= little * allowed * length_scale_[i])
      impulses_[i].gap += reach * impulses_[i].rate_after;
    else
      chosen_.push_back(i);
  }
  measure_gaps(chosen_);
}

// Which contacts are to be moved apart. False when none is `enough` times as deep as it may be.
bool MoreauStepper::find_deep(double enough, double& small) {
  const int n = problem_.count();
  const bool rough = problem_.opens_roughly();
  gap_.resize(n);
  moved_.assign(mechanism_.frame_count() + 1, 0);
  bool any = false;
  small = 1e300;
  for (int i = 0; i < n; ++i) {
    const double gap = impulses_[i].gap,
                 allowed = thresholds::allowed_penetration(options_.contacts.tolerance) * length_scale_[i];
    // Only what carries load is pushed, and no further than it must: into the middle of what is allowed. Others, which have
    // their impact still before them, and those that are shallow just come no nearer; among many, no deeper than that.
    const bool deep = P_[problem_.dimension() * i] > 0 && gap < -allowed;
    gap_[i] = deep ? gap + 0.5 * allowed : std::max(gap + (rough ? 0.5 * allowed : 0), 0.0);
    small = std::min(small, allowed);
    if (!deep) continue;
    any = any || gap < -enough * allowed;
    for (int side = 0; side < 2; ++side) moved_[problem_.bodies(i)[side]] = 1;
  }
  // Among many free bodies, what is deep and what touches it.
  moved_[mechanism_.ground()] = 0;
  choose_moved(!rough);
  return any;
}

// The contacts of bodies that are moved.
void MoreauStepper::choose_moved(bool all) {
  chosen_.clear();
  for (int i = 0; i < problem_.count(); ++i)
    if (all || moved_[problem_.bodies(i)[0]] || moved_[problem_.bodies(i)[1]]) chosen_.push_back(i);
}

// Moves apart what still penetrates when the step ends, as far as contacts lost in it the energy that this takes.
void MoreauStepper::open_gaps(double t, double reach, double* q, const double* u, double* z,
                              DynamicsWorkspace& w) {
  const int d = problem_.dimension(), passes = problem_.opens_roughly() ? 3 : 4;
  if (P_.isZero(0)) return;
  end_.contacts = w.k.contacts, end_.off = w.k.off;
  take_inputs(end_, w.k.feed ? w.k.set_inputs : w.k.inputs);
  const auto move = [&](double part) {
    for (double& each : mean_) each *= part;
    displace(mechanism_, q, mean_.data());
    update_kinematics(end_, t, q, u, z);
    return potential_energy(mechanism_, end_);
  };
  update_kinematics(end_, t, q, u, z);
  find_gaps(reach, u);
  double potential = potential_energy(mechanism_, end_);
  double lost = 0;  // in this step, and not yet spent
  for (const ContactImpulse& impulse : impulses_) lost += impulse.normal_loss + impulse.friction_loss;
  double small = 0;
  // Among many contacts a second pass is for what is far too deep; the rest is left to the next step.
  const double again = problem_.opens_roughly() ? 2 : 1;
  for (int pass = 0; pass < passes && find_deep(pass == 0 ? 1 : again, small); ++pass) {
    problem_.open_gaps(chosen_, gap_, 0.25 * small, displacement_);
    std::fill(force_.begin(), force_.end(), 0.0);
    problem_.add_impulses(displacement_, force_.data());
    std::fill(held_.begin(), held_.end(), 0.0);
    w.constraints.solve(force_.data(), held_.data(), mean_.data(), target_.data());

    lost = std::max(0.0, lost);
    double work = move(1) - potential;
    const bool too_much = work > lost;
    if (too_much) work = move(lost / work - 1) - potential;
    potential += work;
    lost -= work;
    z[ledger_normal] -= work;
    double all = 0;
    for (std::size_t n = 0; n < chosen_.size(); ++n) all += displacement_[d * chosen_[n]] * problem_.lift(n);
    for (std::size_t n = 0; n < chosen_.size(); ++n)
      own_ledger(problem_.id(chosen_[n]), z)[ContactPoint::aux_normal_loss] -=
          all > 0 ? work * displacement_[d * chosen_[n]] * problem_.lift(n) / all : 0;
    // Those that were pushed against have moved as well.
    for (int i : chosen_)
      for (int side = 0; side < 2; ++side) moved_[problem_.bodies(i)[side]] = 1;
    moved_[mechanism_.ground()] = 0;
    choose_moved(!problem_.opens_roughly());
    measure_gaps(chosen_);
    if (too_much) return;
  }
}

}  // namespace tappet
