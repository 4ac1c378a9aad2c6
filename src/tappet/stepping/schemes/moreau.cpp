#include "tappet/stepping/schemes/moreau.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"

namespace tappet {

using Eigen::VectorXd;

namespace {

/// Gaps and penetrations below this part of a contact's length scale are none.
constexpr double closed = 1e-6;
/// How much of that scale may be left of a penetration when a step ends. Contacts that are solved roughly need not be opened
/// finely.
double allowed_penetration(double tolerance) {
  return std::max(closed, 3e-3 * tolerance);
}

/// Velocity of the material point of a body at `at`, when the bodies move with u.
Vec3 point_velocity(const Kinematics& k, int body, int ground, const double* u, const Vec3& at) {
  if (body == ground) return Vec3::Zero();
  if (k.dimension == Dimension::planar) {
    const double* v = u + 3 * body;
    const Vec2 arm = at.head<2>() - k.planar[body].r;
    return {v[0] - v[2] * arm.y(), v[1] + v[2] * arm.x(), 0};
  }
  const double* v = u + 6 * body;
  const SpatialFrame& f = k.spatial[body];
  return Vec3(v[0], v[1], v[2]) + (f.R * Vec3(v[3], v[4], v[5])).cross(at - f.r);
}

/// The least γ_nE: Newton's law for a contact that closes by itself, else what closes its gap exactly.
double least_rate(double restitution, double before, double unhindered, double gap, double reach) {
  if (restitution > 0 && before < 0 && gap + reach * unhindered < 0) return -restitution * before;
  return -std::max({gap / reach, before, 0.0});
}

}  // namespace

MoreauStepper::MoreauStepper(const Mechanism& mechanism, const MoreauOptions& options)
    : mechanism_(mechanism),
      options_(options),
      problem_(mechanism, options.contacts),
      nu_(mechanism.u_size()),
      field_(mechanism) {
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
  resize(end_, mechanism.dimension, mechanism.body_count());
}

void MoreauStepper::step(double t, double h, double* q, double* u, double* z, DynamicsWorkspace& w) {
  const double theta = options_.theta;
  const auto move = [&](double time, const double* velocity) {
    for (int i = 0; i < nu_; ++i) mean_[i] = time * velocity[i];
    displace(mechanism_.dimension, mechanism_.body_count(), q, mean_.data());
  };

  // To the midpoint, and from there the velocities that all but the contacts would give.
  move((1 - theta) * h, u);
  update_kinematics(w.k, t + (1 - theta) * h, q, u, z);
  free_motion(h, u, w);

  // The contacts' impulses, and with them the velocities again.
  find_contacts(h, w);
  if (contacts_close(h, u)) {
    problem_.prepare(w.constraints);
    solve_contacts(t);
    problem_.add_impulses(P_, force_.data());
    w.constraints.solve(force_.data(), target_.data(), change_.data(), lambda_.data());
  }
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

  move(theta * h, u);
  open_gaps(t + h, q, u, z, w);
}

void MoreauStepper::free_motion(double h, const double* u, DynamicsWorkspace& w) {
  applied_forces(mechanism_, w);
  if (mechanism_.dimension == Dimension::spatial) turn_gyroscopes(h, u, w);
  for (int i = 0; i < nu_; ++i) force_[i] = h * w.h[i];

  w.constraints.evaluate(w.k);
  w.dependent_rows = w.constraints.factor(mechanism_.inverse_mass);
  w.constraints.times(u, held_.data());
  for (int r = 0; r < w.constraints.rows(); ++r)
    target_[r] = -(held_[r] + w.constraints.phi_t()[r]) / options_.theta;
  w.constraints.solve(force_.data(), target_.data(), change_.data(), lambda_.data());
  for (int i = 0; i < nu_; ++i) free_[i] = u[i] + change_[i];
}

// −ω × J ω at the mean angular velocity of the step instead of the first: then a body that turns freely keeps
// its energy.
void MoreauStepper::turn_gyroscopes(double h, const double* u, DynamicsWorkspace& w) const {
  for (int b = 0; b < mechanism_.body_count(); ++b) {
    const Body& body = mechanism_.bodies[b];
    if (!body.has_inertia) continue;
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
  problem_.clear();
  length_scale_.clear();
  slots_.clear();
  speed_ = 0;
  const double reach = options_.theta * h;
  for (const auto& contact : mechanism_.contacts) {
    const Touch touch = contact->touch(w.k);
    if (touch.normal.isZero(0)) continue;
    consider({.id = contact->index,
              .bodies = {contact->bodies[0], contact->bodies[1]},
              .touch = touch,
              .tangents = contact->tangents(w.k, touch),
              .friction = contact->rigid->friction},
             contact->length_scale, reach, w.k);
  }
  if (field_.empty()) return;
  const int own = static_cast<int>(mechanism_.contacts.size());
  const bool planar = mechanism_.dimension == Dimension::planar;
  field_.update(w.k, free_.data(), reach);
  warm_.resize(3 * (own + field_.capacity()), 0.0);
  field_.each_place(w.k, [&](const ContactField::Place& place) {
    const int before = problem_.count();
    const Touch touch = touch_at(*place.proximity, place.bodies[0], place.bodies[1], w.k);
    consider({.id = own + place.slot,
              .bodies = {place.bodies[0], place.bodies[1]},
              .touch = touch,
              .tangents = planar ? Tangents::in_plane(touch.normal) : Tangents::in_space(touch.normal, Vec3::Zero()),
              .friction = mechanism_.groups[place.group].rigid->friction},
             place.length_scale, reach, w.k);
    if (problem_.count() > before) slots_.push_back(place.slot);
  });
}

void MoreauStepper::consider(const RigidContact& contact, double length_scale, double reach, const Kinematics& k) {
  const auto speed_of = [&](int body) {
    return point_velocity(k, body, mechanism_.ground(), free_.data(), contact.touch.at).norm();
  };
  // A contact may be closed by what others do to its bodies: whatever is near takes part.
  const double speed = speed_of(contact.bodies[0]) + speed_of(contact.bodies[1]);
  if (contact.touch.gap >= reach * speed + closed * length_scale) return;
  speed_ = std::max(speed_, speed);
  problem_.add(contact, k);
  length_scale_.push_back(length_scale);
}

// Fills b, what the laws' velocities ξ would be without impulses. False when nothing would close: then there
// are none.
bool MoreauStepper::contacts_close(double h, const double* u) {
  const int n = problem_.count(), d = problem_.dimension();
  problem_.velocities(u, before_);
  problem_.velocities(free_.data(), unhindered_);
  b_.resize(n * d);
  P_.setZero(n * d);
  after_ = unhindered_;
  bool close = false;
  for (int i = 0; i < n; ++i) {
    const int row = d * i;
    const RigidLaw& rule = law(problem_.id(i));
    b_[row] = unhindered_[row] - least_rate(rule.restitution, before_[row], unhindered_[row], problem_.touch(i).gap,
                                            options_.theta * h);
    for (int k = 1; k < d; ++k)
      b_[row + k] = unhindered_[row + k] + rule.tangential_restitution * before_[row + k];
    close = close || b_[row] < 0;
  }
  return close;
}

void MoreauStepper::solve_contacts(double t) {
  const int n = problem_.count(), d = problem_.dimension();
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < d; ++k) P_[d * i + k] = warm_[3 * problem_.id(i) + k];
  solve_problem(t);

  // Friction that gained from a reversal within the step is not allowed to, where the contacts as a whole
  // would add energy.
  reversed_.assign(n, 0);
  const double scale = P_.cwiseAbs().dot(before_.cwiseAbs() + after_.cwiseAbs());
  while (contact_work() > 1e-9 * scale) {
    bool changed = false;
    for (int i = 0; i < n; ++i) {
      const auto friction = P_.segment(d * i + 1, d - 1);
      const auto sum = before_.segment(d * i + 1, d - 1) + after_.segment(d * i + 1, d - 1);
      if (reversed_[i] || !(friction.dot(sum) > 0)) continue;
      b_.segment(d * i + 1, d - 1) =
          unhindered_.segment(d * i + 1, d - 1) + before_.segment(d * i + 1, d - 1);
      reversed_[i] = 1;
      changed = true;
    }
    if (!changed) break;
    solve_problem(t);
  }
}

// Where the next solution is sought. A contact that was far begins from nothing.
void MoreauStepper::remember_impulses() {
  const int d = problem_.dimension();
  std::fill(warm_.begin(), warm_.end(), 0.0);
  for (int i = 0; i < problem_.count(); ++i)
    for (int k = 0; k < d; ++k) warm_[3 * problem_.id(i) + k] = P_[d * i + k];
}

void MoreauStepper::solve_problem(double t) {
  // Relative velocities that are nothing beside the bodies' own need not be resolved.
  const double unit =
      std::max({before_.lpNorm<Eigen::Infinity>(), unhindered_.lpNorm<Eigen::Infinity>(), 1e-3 * speed_});
  const lcp::Result result = problem_.solve(b_, unit, P_);
  ++statistics_.problems;
  statistics_.iterations += result.iterations;
  statistics_.most_contacts = std::max(statistics_.most_contacts, problem_.count());
  if (result.status == lcp::Status::infeasible || !P_.allFinite())
    throw SimulationError(
        t, fmt::format("the contacts contradict each other or a joint or motion: no impulses keep all {} of "
                       "them apart ({})",
                       problem_.count(), result.note.text()));
  if (result.status != lcp::Status::converged) ++statistics_.stalled;
  if (!(result.residual <= statistics_.worst_residual)) {
    statistics_.worst_residual = result.residual;
    statistics_.worst_note = std::string(result.note.text());
  }

  // γ_E = γ without impulses + W P.
  problem_.respond(P_, after_);
  after_ += unhindered_;
}

double MoreauStepper::contact_work() const {
  return 0.5 * P_.dot(before_ + after_);
}

void MoreauStepper::note_impulses() {
  impulses_.clear();
  const int d = problem_.dimension(), own = static_cast<int>(mechanism_.contacts.size());
  for (int i = 0; i < problem_.count(); ++i) {
    const int row = d * i;
    const auto friction = P_.segment(row + 1, d - 1);
    ContactImpulse out;
    out.contact = problem_.id(i);
    if (out.contact >= own) out.group = field_.group(out.contact - own);
    out.normal = P_[row];
    out.tangential = problem_.tangential(i, P_);
    out.rate_before = before_[row];
    out.rate_after = after_[row];
    out.gap = problem_.touch(i).gap;
    out.normal_loss = -0.5 * P_[row] * (before_[row] + after_[row]);
    out.friction_loss = -0.5 * friction.dot(before_.segment(row + 1, d - 1) + after_.segment(row + 1, d - 1));
    impulses_.push_back(out);
  }
}

// The ledger's input and damping, and the variables of motions and springs, by the midpoint.
void MoreauStepper::integrate_auxiliary(double h, const double* q, const double* u_mean, double* z,
                                        DynamicsWorkspace& w) {
  double input = h * w.powers.input;
  for (int r = 0; r < w.constraints.rows(); ++r) input -= lambda_[r] * w.constraints.phi_t()[r];
  z[ledger_input] += input;
  z[ledger_damping] += h * w.powers.damping;
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

// Gaps at the frames end_, and which contacts are to be moved apart. False when none is.
bool MoreauStepper::find_deep(double& small) {
  const int n = problem_.count(), followed = n - static_cast<int>(slots_.size());
  gap_.resize(n);
  slot_gap_.resize(slots_.size());
  field_.gaps(slots_, end_, slot_gap_.data());
  moved_.assign(mechanism_.body_count() + 1, 0);
  bool any = false;
  small = 1e300;
  for (int i = 0; i < n; ++i) {
    // Those of the field come last.
    const double gap = i < followed ? mechanism_.contacts[problem_.id(i)]->touch(end_).gap : slot_gap_[i - followed];
    impulses_[i].gap = gap;
    const double allowed = allowed_penetration(options_.contacts.tolerance) * length_scale_[i];
    // Only what carries load is pushed, and no further than it must: into the middle of what is allowed. Others, which have
    // their impact still before them, and those that are shallow just come no nearer.
    const bool deep = P_[problem_.dimension() * i] > 0 && gap < -allowed;
    gap_[i] = deep ? gap + 0.5 * allowed : std::max(gap, 0.0);
    small = std::min(small, allowed);
    if (!deep) continue;
    any = true;
    for (int side = 0; side < 2; ++side) moved_[problem_.bodies(i)[side]] = 1;
  }
  // Among many free bodies those that are not pushed themselves stay where they are.
  moved_[mechanism_.ground()] = 0;
  chosen_.clear();
  for (int i = 0; i < n; ++i)
    if (!problem_.opens_roughly() || moved_[problem_.bodies(i)[0]] || moved_[problem_.bodies(i)[1]]) chosen_.push_back(i);
  return any;
}

// Moves apart what still penetrates when the step ends, as far as contacts lost in it the energy that this takes.
void MoreauStepper::open_gaps(double t, double* q, const double* u, double* z, DynamicsWorkspace& w) {
  const int d = problem_.dimension(), passes = problem_.opens_roughly() ? 3 : 4;
  if (P_.isZero(0)) return;
  end_.contacts = w.k.contacts;
  const auto move = [&](double part) {
    for (double& each : mean_) each *= part;
    displace(mechanism_.dimension, mechanism_.body_count(), q, mean_.data());
    update_kinematics(end_, t, q, u, z);
    return potential_energy(mechanism_, end_);
  };
  update_kinematics(end_, t, q, u, z);
  double potential = potential_energy(mechanism_, end_);
  double lost = 0;  // in this step, and not yet spent
  for (const ContactImpulse& impulse : impulses_) lost += impulse.normal_loss + impulse.friction_loss;
  double small = 0;
  for (int pass = 0; find_deep(small) && pass < passes; ++pass) {
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
    problem_.respond(displacement_, lift_);
    const double all = displacement_.dot(lift_);
    for (int i : chosen_)
      own_ledger(problem_.id(i), z)[ContactPoint::aux_normal_loss] -=
          all > 0 ? work * displacement_[d * i] * lift_[d * i] / all : 0;
    if (too_much) return;
  }
}

}  // namespace tappet
