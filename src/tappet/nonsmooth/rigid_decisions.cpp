// What happens to contacts at an instant: impacts, and what holds, slides, turns or opens from then on.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/nonsmooth/rigid_contacts.hpp"

namespace tappet {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

// Decisions: what counts as none, of the largest force or acceleration there is.
constexpr double no_margin = 1e-10, no_force = 1e-8, no_acceleration = 1e-8;
// Where a set has lost its hold μ_s is lowered by this part, and if nothing moves yet by ten times as much, so that rounding does
// not leave a contact at the rim of its cone for ever.
constexpr double first_lowered = 1e-6, last_lowered = 2e-3;
// δ, of the time in which the slowest slip would change by all of itself; for what an impulse without collision leaves; and for its size.
constexpr double short_time = 1e-3, shorter = 1e-3, shortest = 1e-6;

}  // namespace

void RigidContacts::bring_to_rest(const std::vector<int>& set, const std::vector<double>& slow, double* u) {
  Eigen::Map<VectorXd> velocity(u, mechanism_.u_size());
  std::vector<double> limit(states_.size(), 0.0);
  for (std::size_t i = 0; i < set.size(); ++i) limit[set[i]] = slow[i];
  for (const std::vector<int>& contacts : components_of(set)) {
    gather(contacts);
    for (ClosedContact& place : places_)
      place.sticks = mechanism_.contacts[place.contact]->rigid->static_friction > 0 &&
                     place.touch.slip.norm() <= limit[place.contact];
    for (Turning& turning : turnings_)
      turning.holds = turning.speed.norm() <= limit[places_[turning.contact].contact];
    build_system(W_.transpose() * velocity);
    if (right_.cwiseAbs().maxCoeff() == 0) continue;
    trial_.set(system_, right_, {}, dim_ - 1);
    for (std::size_t j = 0; j < rows_.size(); ++j) velocity += trial_.least()[j] * X_.col(rows_[j]);
  }
}

// u += M̂⁻¹ W P, and what P did at each contact.
void RigidContacts::apply(const VectorXd& P, double* u, double& input) {
  Eigen::Map<VectorXd> velocity(u, mechanism_.u_size());
  const VectorXd before = W_.transpose() * velocity;
  velocity += X_ * P;
  const VectorXd after = W_.transpose() * velocity, reactions = Lambda_ * P;
  for (int r = 0; r < w_.constraints.rows(); ++r) input -= reactions[r] * w_.constraints.phi_t()[r];
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const int r = dim_ * static_cast<int>(i);
    const VectorXd mean = 0.5 * (before.segment(r, dim_) + after.segment(r, dim_));
    const ImpactLoss loss = impact_loss(dim_, P.data() + r, mean.data());
    percussions_.push_back({.contact = places_[i].contact,
                            .speed_in = -before[r],
                            .speed_out = after[r],
                            .impulse = P[r],
                            .normal_loss = loss.normal,
                            .friction_loss = loss.friction});
  }
  Percussion* own = percussions_.data() + percussions_.size() - places_.size();
  for (const Turning& turning : turnings_)
    for (int r = turning.row + 1; r <= turning.row + turning.rows; ++r)
      own[turning.contact].friction_loss -= P[r] * 0.5 * (before[r] + after[r]);
}

bool RigidContacts::coulomb(const VectorXd& b, const VectorXd& mu, VectorXd& P) {
  cone_.b = b, cone_.mu = mu, cone_.unit = 0;
  P.setZero(b.size());
  const lcp::Result result = solve_with_couples(solver_, blocks_, nullptr, cone_, P);
  return result.status == lcp::Status::converged ||
         (result.status != lcp::Status::infeasible && result.residual < no_residual);
}

const std::vector<RigidContacts::Percussion>& RigidContacts::impact(const std::vector<int>& set,
                                                                    const std::vector<double>& restitution,
                                                                    double* u, double& input) {
  percussions_.clear();
  std::vector<double> given(states_.size(), 0.0);
  for (std::size_t i = 0; i < set.size(); ++i) given[set[i]] = restitution[i];
  for (const std::vector<int>& contacts : components_of(set)) {
    gather(contacts);
    gather_joints();
    impact_.before = W_.transpose() * Eigen::Map<const VectorXd>(u, mechanism_.u_size());
    impact_.unhindered = impact_.before;
    const std::size_t n = contacts.size(), all = n + turnings_.size();
    laws_.resize(all), impact_.contacts.resize(all + joints_.size());
    for (std::size_t i = 0; i < n; ++i) {
      laws_[i] = *mechanism_.contacts[contacts[i]]->rigid;
      laws_[i].restitution = given[contacts[i]];
      impact_.contacts[i] = {.law = &laws_[i], .stuck = states_[contacts[i]].stick.sticking};
    }
    for (std::size_t i = n; i < all; ++i) {
      laws_[i] = turnings_[i - n].law();
      impact_.contacts[i] = {
          .law = &laws_[i], .couple_of = turnings_[i - n].contact, .own = blocks_[i - n].own};
    }
    for (std::size_t i = 0; i < joints_.size(); ++i)
      impact_.contacts[all + i] = {
          .law = &joints_[i].law,
          .stuck = joints_[i].contact < static_cast<int>(held_.size()) && held_[joints_[i].contact],
          .couple_of = static_cast<int>(all + i),
          .bearing = true,
          .own = joints_[i].own};
    VectorXd P = VectorXd::Zero(W_.cols());
    solve_impact(P);
    const VectorXd before = impact_.before;
    apply(P, u, input);
    book_joints(P, before, W_.transpose() * Eigen::Map<const VectorXd>(u, mechanism_.u_size()));
  }
  return percussions_;
}

bool RigidContacts::decide(const std::vector<int>& set, const double* q, double* u, double at_rest,
                           double& input) {
  percussions_.clear();
  look_around(q, u);
  for (const std::vector<int>& contacts : components_of(set)) {
    gather(contacts);
    gather_accelerations();
    if (!holds(at_rest) && !find_modes(at_rest, u, input)) return false;
  }
  return true;
}

// Can all of them stay closed, and stick where they are at rest? Then they do.
bool RigidContacts::holds(double at_rest) {
  for (ClosedContact& place : places_) {
    const RigidLaw& law = *mechanism_.contacts[place.contact]->rigid;
    const bool slides = place.touch.slip.norm() > at_rest;
    if (slides) states_[place.contact].direction = place.touch.slip.normalized();
    place.sticks = !slides && law.static_friction > 0;
    place.direction = slides && law.friction > 0 ? sliding_direction(place) : Vector2d::Zero();
  }
  set_turning_modes(at_rest);
  if (!share(trial_)) return false;
  const VectorXd& x = trial_.least();
  if ((system_ * x - right_).cwiseAbs().maxCoeff() > no_acceleration * right_.cwiseAbs().maxCoeff())
    return false;
  if (!(trial_.margin() > no_margin)) return false;
  for (const ClosedContact& place : places_) {
    ContactState& state = states_[place.contact];
    state.touching = true;
    state.branch = 0;
    state.stick = {};
    state.stick.sticking = place.sticks;
  }
  for (const Turning& turning : turnings_) remember(turning, turning.direction);
  return true;
}

// F = P/δ of the gathered set. Where it has no solution the accelerations that curvature makes are in the way: rows that repeat each
// other then ask for different ones.
bool RigidContacts::forces_over(double delta, const VectorXd& velocity, const VectorXd& mu, VectorXd& P) {
  if (coulomb(velocity + delta * c_, mu, P)) return true;
  const VectorXd straight = W_.transpose() * Eigen::Map<const VectorXd>(w_.a.data(), mechanism_.u_size());
  return coulomb(velocity + delta * straight, mu, P);
}

bool RigidContacts::find_modes(double at_rest, double* u, double& input) {
  const int n = static_cast<int>(places_.size()), all = n + static_cast<int>(turnings_.size());
  // Velocities: none but those of sliding.
  VectorXd velocity = W_.transpose() * Eigen::Map<const VectorXd>(u, mechanism_.u_size());
  VectorXd mu(all);
  std::vector<char> slides(all, 0);
  const double strongest = std::max({c_.cwiseAbs().maxCoeff() + mechanism_.gravity.norm(), 1e-300});
  double delta = HUGE_VAL;
  for (int i = 0; i < all; ++i) {
    const double slip = i < n ? places_[i].touch.slip.norm() : turnings_[i - n].speed.norm();
    slides[i] = slip > at_rest;
    if (i < n) {
      const RigidLaw& law = *mechanism_.contacts[places_[i].contact]->rigid;
      mu[i] = slides[i] ? law.sliding(slip) : law.static_friction;
    } else {
      mu[i] = turnings_[i - n].mu();
    }
    velocity[dim_ * i] = 0;
    if (slides[i])
      delta = std::min(delta, short_time * slip / strongest);
    else
      velocity.segment(dim_ * i + 1, dim_ - 1).setZero();
  }
  const bool any_slides = delta < HUGE_VAL;
  if (!any_slides) delta = 1;

  // What couples have in place of normals is no velocity.
  const auto jump = [&](const VectorXd& by) {
    VectorXd out = A() * by;
    for (const CoupleBlock& block : blocks_) out[dim_ * block.block] = 0;
    return out.cwiseAbs().maxCoeff();
  };
  VectorXd P, acceleration;
  std::vector<char> starts(all, 0);
  for (double lowered = first_lowered; lowered < last_lowered; lowered *= 10) {
    // With μ_s of what is at rest, a little less than it is; then with μ of what begins to slip.
    VectorXd used = mu;
    for (int i = 0; i < all; ++i)
      if (!slides[i]) used[i] *= 1 - lowered;
    bool all_stay = true;
    for (bool again = true; again;) {
      again = false;
      if (!forces_over(delta, velocity, used, P)) impossible();
      if (any_slides && jump(P) > 100 * delta * strongest) {
        VectorXd later;
        if (!forces_over(shorter * delta, velocity, used, later)) impossible();
        if (jump(later) > 0.5 * jump(P)) {
          if (!forces_over(shortest * delta, velocity, used, later)) impossible();
          apply(later, u, input);
          for (Percussion& percussion : percussions_) percussion.speed_in = percussion.speed_out = 0;
          return false;
        }
      }
      acceleration = A() * P / delta + c_;
      for (int i = 0; i < all; ++i) {
        if (slides[i] || starts[i] || !(P[dim_ * i] > 0)) continue;
        const double moves = acceleration.segment(dim_ * i + 1, dim_ - 1).norm();
        if (!(moves > std::max(0.1 * lowered * mu[i], 0.1 * no_acceleration) * strongest)) continue;
        starts[i] = 1;
        const double sliding = i < n ? mechanism_.contacts[places_[i].contact]->rigid->sliding(0) : mu[i];
        again = again || sliding < used[i];
        used[i] = sliding;
      }
    }
    const double force = no_force * P.cwiseAbs().maxCoeff();
    for (int i = 0; i < all; ++i) all_stay = all_stay && P[dim_ * i] > force && !starts[i];
    if (!all_stay) break;
  }

  const double force = no_force * std::max(P.cwiseAbs().maxCoeff(), 1e-300);
  for (int i = 0; i < n; ++i) {
    ContactState& state = states_[places_[i].contact];
    const int r = dim_ * i;
    state.touching = P[r] > force;
    state.branch = !state.touching && acceleration[r] <= no_acceleration * strongest ? 1 : 0;
    state.stick = {};
    if (!state.touching || slides[i]) continue;
    state.stick.sticking = mu[i] > 0 && !starts[i];
    // Friction opposes the slip that begins.
    const bool rubs = P.segment(r + 1, dim_ - 1).norm() > 0;
    state.direction.setZero();
    for (int k = 1; k < dim_; ++k)
      state.direction += (rubs ? -P[r + k] : acceleration[r + k]) * places_[i].axis[k];
    if (state.direction.norm() > 0) state.direction.normalize();
  }
  for (int i = n; i < all; ++i) {
    const Turning& turning = turnings_[i - n];
    Vector2d direction = slides[i] ? turning.speed : Vector2d::Zero();
    // The couple opposes the turning that begins.
    for (int r = 0; !slides[i] && starts[i] && r < turning.rows; ++r) direction[r] = -P[dim_ * i + 1 + r];
    remember(turning, direction.norm() > 0 ? Vector2d(direction.normalized()) : Vector2d::Zero());
  }
  std::vector<int> closed;
  for (const ClosedContact& place : places_)
    if (states_[place.contact].touching) closed.push_back(place.contact);
  drop_what_cannot_stay(closed);
  return true;
}

// With μ lowered one contact may have begun to slip where another should have opened: what does not hold in the modes found, with μ as it
// is, is let go one by one.
void RigidContacts::drop_what_cannot_stay(std::vector<int>& closed) {
  while (!closed.empty()) {
    gather(closed);
    gather_accelerations();
    take_modes();
    if (!share(trial_) || trial_.margin() > -no_margin) return;
    const VectorXd x = trial_.forces();
    const int n = static_cast<int>(closed.size());
    double worst = HUGE_VAL;
    int at = 0;
    for (int i = 0, tangent = n; i < n; ++i) {
      const double mu = mechanism_.contacts[closed[i]]->rigid->static_friction;
      const double margin = places_[i].sticks ? mu * x[i] - x.segment(tangent, dim_ - 1).norm() : x[i];
      if (margin < worst) worst = margin, at = i;
      if (places_[i].sticks) tangent += dim_ - 1;
    }
    if (lets_go(x, worst)) continue;
    ContactState& state = states_[closed[at]];
    if (places_[at].sticks && x[at] > 0) {
      state.stick = {};
      state.direction.setZero();
      int tangent = n;
      for (int i = 0; i < at; ++i) tangent += places_[i].sticks ? dim_ - 1 : 0;
      for (int r = 1; r < dim_; ++r) state.direction -= x[tangent + r - 1] * places_[at].axis[r];
      state.direction.normalize();
    } else {
      state.touching = false;
      state.branch = 1;
      state.stick = {};
      closed.erase(closed.begin() + at);
    }
  }
}

// A couple that holds with a smaller margin than `worst` turns.
bool RigidContacts::lets_go(const VectorXd& x, double worst) {
  int next = static_cast<int>(places_.size());
  for (const ClosedContact& place : places_) next += place.sticks ? dim_ - 1 : 0;
  const Turning* at = nullptr;
  Vector2d direction = Vector2d::Zero();
  for (const Turning& turning : turnings_) {
    if (!turning.holds) continue;
    Vector2d couple = Vector2d::Zero();
    couple.head(turning.rows) = x.segment(next, turning.rows);
    next += turning.rows;
    const double margin = turning.mu() * x[turning.contact] - couple.norm();
    if (!(margin < worst) || !(x[turning.contact] > 0)) continue;
    worst = margin, at = &turning, direction = -couple.normalized();
  }
  if (at) remember(*at, direction);
  return at;
}

void RigidContacts::impossible() const {
  double worst = HUGE_VAL;
  int at = places_.front().contact;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const double mu = mechanism_.contacts[places_[i].contact]->rigid->friction;
    const int r = dim_ * static_cast<int>(i);
    const double effective = A()(r, r) - mu * A().block(r, r + 1, 1, dim_ - 1).norm();
    if (effective < worst) worst = effective, at = places_[i].contact;
  }
  throw SimulationError(
      w_.k.t, fmt::format("no forces or impulses were found that satisfy Coulomb's law at '{}' and the other "
                          "contacts at once. Use method moreau, or smooth, whose contacts have stiffness",
                          mechanism_.contacts[at]->name));
}

}  // namespace tappet
