#include "tappet/equilibrium/static_holds.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/multibody/joint_friction.hpp"
#include "tappet/multibody/rows.hpp"

namespace tappet {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// μ that holds the contact at rest; 0: nothing does.
double holding_coefficient(const ContactPoint& contact) {
  if (contact.rigid) return contact.rigid->static_friction;
  if (!contact.friction_law) return 0;
  const FrictionTraits& traits = contact.friction_law->traits();
  return traits.kind == FrictionKind::regularised ? 0 : traits.static_coefficient;
}

}  // namespace

StaticHolds::StaticHolds(const Mechanism& mechanism) : m_(mechanism) {
  for (const auto& contact : m_.contacts) {
    const double mu = holding_coefficient(*contact);
    const bool presses = contact->rigid && !contact->bearing;
    if (!presses && !(mu > 0)) continue;
    Hold hold;
    hold.contact = contact.get();
    hold.mu = contact->by_rows && !contact->bearing ? 0 : mu;
    holds_.push_back(std::move(hold));
  }
  frames_.assign(m_.frame_force_size(), 0.0);
}

int StaticHolds::directions_of(const Hold& hold) const {
  if (hold.contact->bearing) return hold.contact->sliding_directions();
  return hold.contact->planar ? 1 : 2;
}

// Forces on frames, gathered.
void StaticHolds::along(const DynamicsWorkspace& w, const Hold& hold, const Touch& touch, const Vec3& force) {
  ForceSum sum{frames_.data(), m_.ground(), {}};
  add_opposed(hold.contact->bodies, w.k, touch.at, force, sum);
}

void StaticHolds::refer(const DynamicsWorkspace& w) {
  for (Hold& hold : holds_) {
    const ContactPoint& contact = *hold.contact;
    if (!(hold.mu > 0)) continue;
    const int count = directions_of(hold);
    hold.directions.setZero(count, m_.u_size());
    const auto take = [&](int row) {
      w.constraints.to_bodies(frames_.data());
      hold.directions.row(row) = Eigen::Map<const VectorXd>(frames_.data(), m_.u_size()).transpose();
    };
    if (contact.bearing) {
      const Reaction at = reaction(w, contact.joint);
      hold.normal = preload_of(contact, w.k) + contact.load(w.k, at.force, at.torque);
      for (int direction = 0; direction < count; ++direction) {
        CoordinateRow row;
        contact.row(w.k, 1 + direction, row);
        std::fill(frames_.begin(), frames_.end(), 0.0);
        ForceSum sum{frames_.data(), m_.ground(), {}};
        add_along(row, contact.planar, 1, sum);
        take(direction);
      }
      continue;
    }
    const Touch touch = contact.touch(w.k);
    if (touch.normal.isZero(0)) continue;
    hold.tangent[0] =
        contact.planar ? Vec3(-touch.normal.y(), touch.normal.x(), 0) : any_perpendicular(touch.normal);
    hold.tangent[1] = touch.normal.cross(hold.tangent[0]);
    for (int direction = 0; direction < count; ++direction) {
      std::fill(frames_.begin(), frames_.end(), 0.0);
      along(w, hold, touch, hold.tangent[direction]);
      take(direction);
    }
  }
}

MatrixXd StaticHolds::sliding_in_joints() const {
  MatrixXd out(0, m_.u_size());
  for (const Hold& hold : holds_) {
    if (!hold.contact->bearing) continue;
    out.conservativeResize(out.rows() + hold.directions.rows(), Eigen::NoChange);
    out.bottomRows(hold.directions.rows()) = hold.directions;
  }
  return out;
}

void StaticHolds::add(const DynamicsWorkspace& w, const VectorXd& d, VectorXd& f) {
  std::fill(frames_.begin(), frames_.end(), 0.0);
  opening_ = 0;
  for (Hold& hold : holds_) {
    const ContactPoint& contact = *hold.contact;
    hold.friction_now.setZero();
    hold.normal_now = hold.normal;
    Touch touch;
    if (!contact.bearing) {
      touch = contact.touch(w.k);
      if (contact.rigid) {
        const double pressed = hold.normal - rho_ * touch.gap;
        hold.gap_now = touch.gap;
        hold.normal_now = touch.normal.isZero(0) ? 0
                          : frozen_              ? (hold.presses ? pressed : 0)
                                                 : std::max(0.0, pressed);
        if (hold.normal_now > 0 || touch.gap < 0) opening_ = std::max(opening_, std::abs(touch.gap));
        if (contact.by_rows) {
          CoordinateRow row;
          contact.row(w.k, 0, row);
          ForceSum sum{frames_.data(), m_.ground(), {}};
          add_along(row, contact.planar, hold.normal_now, sum);
        } else {
          along(w, hold, touch, hold.normal_now * touch.normal);
        }
      } else {
        hold.normal_now = w.contacts[contact.index].force.normal;
      }
    }
    if (!(hold.mu > 0) || !(hold.normal_now > 0)) continue;
    const double most = hold.mu * hold.normal_now;
    Vec3 trial = hold.friction;
    if (frozen_) {
      if (hold.slides && hold.friction.norm() > 0) trial *= most / hold.friction.norm();
    } else {
      // What the bodies slid since the reference, less what friction cannot hold.
      const VectorXd slid = hold.directions * d;
      for (int direction = 0; direction < slid.size(); ++direction)
        trial -= rho_ * slid[direction] *
                 (contact.bearing ? Vec3(Vec3::Unit(direction)) : hold.tangent[direction]);
    }
    if (!contact.bearing) trial -= trial.dot(touch.normal) * touch.normal;
    const double size = trial.norm();
    hold.friction_now = size > most && !frozen_ ? Vec3(most / size * trial) : trial;
    if (!contact.bearing) {
      along(w, hold, touch, hold.friction_now);
      continue;
    }
    for (int direction = 0; direction < directions_of(hold); ++direction) {
      CoordinateRow row;
      contact.row(w.k, 1 + direction, row);
      ForceSum sum{frames_.data(), m_.ground(), {}};
      add_along(row, contact.planar, hold.friction_now[direction], sum);
    }
  }
  w.constraints.to_bodies(frames_.data());
  f += Eigen::Map<const VectorXd>(frames_.data(), m_.u_size());
}

void StaticHolds::keep() {
  for (Hold& hold : holds_) {
    hold.friction = hold.friction_now;
    if (!hold.contact->rigid) hold.normal = hold.normal_now;
  }
}

void StaticHolds::press_on() {
  constexpr double enough = 0.1, harder = 10;
  for (Hold& hold : holds_)
    if (hold.contact->rigid) hold.normal = hold.normal_now;
  if (opening_ > enough * opening_before_) rho_ *= harder;
  opening_before_ = opening_;
}

VectorXd StaticHolds::components(const Hold& hold, const Vec3& force) {
  VectorXd out(hold.directions.rows());
  for (Eigen::Index i = 0; i < out.size(); ++i)
    out[i] = hold.contact->bearing ? force[i] : force.dot(hold.tangent[i]);
  return out;
}

void StaticHolds::begin_step() {
  constexpr double at_its_limit = 1 - 1e-6;
  constexpr double no_gap = 1e-12;  // of the mechanism's length
  for (Hold& hold : holds_) {
    hold.presses = hold.normal_now > 0 || hold.gap_now <= no_gap * m_.length;
    hold.most = hold.mu * hold.normal_now;
    hold.held = components(hold, hold.friction_now);
    const double size = hold.held.norm();
    hold.slides = hold.mu > 0 && size >= at_its_limit * hold.most;
    hold.limit = size > 0 ? VectorXd(hold.most / size * hold.held) : hold.held;
    hold.trial = hold.held, hold.slid = VectorXd::Zero(hold.held.size());
  }
}

bool StaticHolds::decide(const VectorXd& d) {
  bool changed = false;
  for (Hold& hold : holds_) {
    if (!(hold.most > 0)) continue;
    const VectorXd slid = hold.directions * d, trial = hold.held - rho_ * slid;
    const double size = trial.norm();
    const bool slides = size > hold.most;
    // What turns round sticks on the way.
    if (hold.slides && (!slides || trial.dot(hold.limit) < 0)) {
      hold.slides = false, changed = true;
    } else if (slides) {
      const VectorXd limit = hold.most / size * trial;
      changed = changed || !hold.slides || (limit - hold.limit).norm() > 1e-6 * hold.most;
      hold.slides = true, hold.limit = limit;
      hold.trial = trial, hold.slid = slid;
    }
  }
  return changed;
}

// −∂T/∂s: ρ where it sticks; where it slides, ρ (μ_s N/|t|)(1 − t tᵀ/t²), which turns its direction.
MatrixXd StaticHolds::stiffness_of(const Hold& hold) const {
  const Eigen::Index n = hold.directions.rows();
  const MatrixXd one = MatrixXd::Identity(n, n);
  if (!hold.slides) return rho_ * one;
  const double square = hold.trial.squaredNorm();
  if (!(square > 0)) return MatrixXd::Zero(n, n);
  return rho_ * hold.most / std::sqrt(square) * (one - hold.trial * hold.trial.transpose() / square);
}

MatrixXd StaticHolds::stiffness_along(const MatrixXd& N) const {
  MatrixXd out = MatrixXd::Zero(N.cols(), N.cols());
  for (const Hold& hold : holds_) {
    if (!(hold.most > 0)) continue;
    const MatrixXd along = hold.directions * N;
    out += along.transpose() * stiffness_of(hold) * along;
  }
  return out;
}

VectorXd StaticHolds::sliding_along(const MatrixXd& N) const {
  VectorXd out = VectorXd::Zero(N.cols());
  for (const Hold& hold : holds_)
    if (hold.most > 0 && hold.slides)
      out += N.transpose() *
             (hold.directions.transpose() * (hold.limit - hold.held + stiffness_of(hold) * hold.slid));
  return out;
}

bool StaticHolds::any_slides() const {
  return std::any_of(holds_.begin(), holds_.end(),
                     [](const Hold& hold) { return hold.most > 0 && hold.slides; });
}

VectorXd StaticHolds::change_along(const MatrixXd& N, const VectorXd& d) const {
  VectorXd out = VectorXd::Zero(N.cols());
  for (const Hold& hold : holds_) {
    if (!(hold.most > 0)) continue;
    VectorXd trial = hold.held - rho_ * (hold.directions * d);
    if (const double size = trial.norm(); size > hold.most) trial *= hold.most / size;
    out += N.transpose() * (hold.directions.transpose() * (trial - hold.held));
  }
  return out;
}

std::vector<std::string> StaticHolds::notes(const DynamicsWorkspace& w) const {
  std::vector<std::string> out;
  for (const auto& contact : m_.contacts) {
    if (contact->rigid || contact->by_rows || !contact->friction_law) continue;
    const FrictionTraits& traits = contact->friction_law->traits();
    if (traits.kind != FrictionKind::regularised || !(traits.static_coefficient > 0)) continue;
    if (!(w.contacts[contact->index].force.normal > 0)) continue;
    out.push_back(fmt::format(
        "contact '{}' has a friction law of the sliding velocity, which gives no force at rest: the "
        "equilibrium is one without it; laws that hold (coulomb, stribeck, karnopp) do",
        contact->name));
  }
  return out;
}

}  // namespace tappet
