#include "tappet/multibody/bearings.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include <Eigen/LU>
#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/multibody/joint_friction.hpp"

namespace tappet {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Loads are found when they change by less than this part of the largest.
constexpr double found = 1e-14;
constexpr int most_iterations = 100;

Eigen::Map<VectorXd> mapped(std::vector<double>& v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}

}  // namespace

Bearings::Bearings(const Mechanism& mechanism, const ConstraintSystem& constraints)
    : count_(static_cast<int>(mechanism.bearings.size())) {
  h_.setZero(mechanism.u_size(), count_);
  x_.setZero(mechanism.u_size(), count_);
  lambda_.setZero(constraints.rows(), count_);
  unit_.resize(count_);
  slides_.assign(count_, 0);
  zero_.assign(constraints.rows(), 0.0);
  others.assign(constraints.rows(), 0.0);
}

void Bearings::find_directions(const Mechanism& mechanism, DynamicsWorkspace& w) {
  for (int b = 0; b < count_; ++b) {
    const ContactPoint& contact = *mechanism.contacts[mechanism.bearings[b]];
    Touch& touch = w.contacts[contact.index].touch = contact.touch(w.k);
    unit_[b] = {.normal = 1};
    contact.rub(w.k, touch, unit_[b]);
    h_.col(b).setZero();
    slides_[b] = !unit_[b].tangential.isZero(0);
    if (!slides_[b]) continue;
    // Where bodies bend, as forces on frames first.
    const bool bends = mechanism.flexible.modes > 0;
    if (bends) along_.assign(mechanism.frame_force_size(), 0.0);
    ForceSum sum{bends ? along_.data() : h_.col(b).data(), mechanism.ground(), {}};
    for (int direction = 1; direction < 3; ++direction) {
      CoordinateRow row;
      contact.row(w.k, direction, row);
      add_along(row, contact.planar, unit_[b].tangential[direction - 1], sum);
    }
    if (bends) {
      w.constraints.to_bodies(along_.data());
      std::copy_n(along_.begin(), mechanism.u_size(), h_.col(b).data());
    }
    w.constraints.solve(h_.col(b).data(), zero_.data(), x_.col(b).data(), lambda_.col(b).data());
  }
}

void Bearings::find_loads(const Mechanism& mechanism, DynamicsWorkspace& w, const VectorXd& N,
                          VectorXd& out) {
  mapped(w.lambda) = first_ + mapped(others);
  for (int b = 0; b < count_; ++b)
    if (slides_[b]) mapped(w.lambda) += N[b] * lambda_.col(b);
  out.resize(count_);
  for (int b = 0; b < count_; ++b) {
    const ContactPoint& contact = *mechanism.contacts[mechanism.bearings[b]];
    const Reaction at = reaction(w, contact.joint);
    out[b] = is_off(w.k, contact.with_switch)
                 ? 0.0
                 : preload_of(contact, w.k) + contact.load(w.k, at.force, at.torque);
  }
}

void Bearings::refuse_self_locking(const Mechanism& mechanism, DynamicsWorkspace& w) {
  MatrixXd Q = MatrixXd::Zero(count_, count_);
  for (int c = 0; c < count_; ++c) {
    if (!slides_[c]) continue;
    mapped(w.lambda) = lambda_.col(c);
    for (int b = 0; b < count_; ++b) {
      const ContactPoint& contact = *mechanism.contacts[mechanism.bearings[b]];
      const Reaction at = reaction(w, contact.joint);
      if (slides_[b]) Q(b, c) = contact.load(w.k, at.force, at.torque);
    }
  }
  if (Q.rowwise().sum().maxCoeff() < 1) return;
  // ρ < 1 if and only if (1 − Q)⁻¹ exists and has no negative element.
  const Eigen::FullPivLU<MatrixXd> lu(MatrixXd::Identity(count_, count_) - Q);
  if (lu.isInvertible() && lu.inverse().minCoeff() >= 0) return;
  Eigen::Index worst = 0;
  const double most = Q.diagonal().maxCoeff(&worst);
  throw SimulationError(w.k.t, fmt::format("friction locks joint '{}' by itself: of every newton that "
                                           "presses it, its own friction makes {:.3g} N "
                                           "more, so that reactions and friction do not determine each "
                                           "other; less friction, or longer arms, do",
                                           mechanism.contacts[mechanism.bearings[worst]]->name, most));
}

void Bearings::solve(const Mechanism& mechanism, DynamicsWorkspace& w) {
  find_directions(mechanism, w);
  first_ = mapped(w.lambda);
  refuse_self_locking(mechanism, w);

  VectorXd N = VectorXd::Zero(count_), loads, next;
  find_loads(mechanism, w, N, N);
  find_loads(mechanism, w, N, loads);
  // Broyden: B approximates the inverse of the Jacobian of g(N) − N.
  MatrixXd B = -MatrixXd::Identity(count_, count_);
  VectorXd off = loads - N;
  for (int n = 0; n < most_iterations && off.cwiseAbs().maxCoeff() > found * N.cwiseAbs().maxCoeff(); ++n) {
    const VectorXd step = -B * off;
    N += step;
    find_loads(mechanism, w, N, loads);
    const VectorXd change = loads - N - off;
    off += change;
    const VectorXd by = B * change;
    const double weight = step.dot(by);
    if (weight != 0) B += (step - by) * (step.transpose() * B) / weight;
  }
  mapped(w.lambda) -= mapped(others);

  for (int b = 0; b < count_; ++b) {
    ContactInstant& now = w.contacts[mechanism.bearings[b]];
    now.force = {.normal = N[b],
                 .tangential = N[b] * unit_[b].tangential,
                 .friction_loss = N[b] * unit_[b].friction_loss};
    if (!slides_[b]) continue;
    mapped(w.a) += N[b] * x_.col(b);
    mapped(w.h) += N[b] * h_.col(b);
    w.powers.friction += now.force.friction_loss;
  }
}

// What dynamics.cpp calls.
std::shared_ptr<Bearings> make_bearings(const Mechanism& mechanism, const ConstraintSystem& constraints);
void solve_bearings(const Mechanism& mechanism, DynamicsWorkspace& w);

std::shared_ptr<Bearings> make_bearings(const Mechanism& mechanism, const ConstraintSystem& constraints) {
  return std::make_shared<Bearings>(mechanism, constraints);
}
void solve_bearings(const Mechanism& mechanism, DynamicsWorkspace& w) {
  w.bearings->solve(mechanism, w);
}

}  // namespace tappet
