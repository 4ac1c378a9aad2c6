// Friction in ideal joints in an impact of rigid bodies (rigid_contacts.hpp).
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/multibody/joint_friction.hpp"
#include "tappet/nonsmooth/rigid_contacts.hpp"
#include "tappet/nonsmooth/thresholds.hpp"

namespace tappet {
namespace {

using Eigen::VectorXd;

// Loads are found when they change by less than this part of the largest.
constexpr double found = 1e-12;
constexpr int most_rounds = 200;
// A joint that friction moves by less than this part of what it moves another has nothing to slide: a motion or a hold prescribes it.
constexpr double no_response = 1e-12;

}  // namespace

// Their columns follow those of contacts and couples. Those of what nothing can move are empty.
void RigidContacts::gather_joints() {
  joints_.clear();
  int column = static_cast<int>(W_.cols());
  double most = 0;
  for (const int b : mechanism_.bearings) {
    const ContactPoint& contact = *mechanism_.contacts[b];
    if (is_off(w_.k, contact.with_switch)) continue;
    JointBlock block{.contact = b,
                     .row = column,
                     .directions = contact.sliding_directions(),
                     .law = rigid_friction(contact.friction_law)};
    for (Eigen::MatrixXd* matrix : {&W_, &X_, &Lambda_}) {
      matrix->conservativeResize(Eigen::NoChange, column + dim_);
      matrix->rightCols(dim_).setZero();
    }
    double response = 0;
    for (int r = 1; r <= block.directions; ++r) {
      CoordinateRow row;
      contact.row(w_.k, r, row);
      ForceSum direction{along(column + r), mechanism_.ground(), {}};
      add_along(row, contact.planar, 1, direction);
      take_along(column + r);
      w_.constraints.solve(W_.col(column + r).data(), zero_.data(), X_.col(column + r).data(),
                           Lambda_.col(column + r).data());
      response = std::max(response, W_.col(column + r).dot(X_.col(column + r)));
    }
    most = std::max(most, response);
    block.own = response;
    joints_.push_back(std::move(block));
    column += dim_;
  }
  for (JointBlock& joint : joints_) {
    if (joint.own > no_response * most) continue;
    joint.own = 1;
    joint.directions = 0;
    for (Eigen::MatrixXd* matrix : {&W_, &X_, &Lambda_}) matrix->middleCols(joint.row, dim_).setZero();
  }
  if (!joints_.empty()) fill_responses();
}

// By how much the loads changed, of the largest.
double RigidContacts::find_joint_loads(const VectorXd& P) {
  const std::vector<double> kept = w_.lambda;
  Eigen::Map<VectorXd>(w_.lambda.data(), static_cast<Eigen::Index>(kept.size())) = Lambda_ * P;
  double change = 0, largest = 0;
  for (JointBlock& joint : joints_) {
    const ContactPoint& contact = *mechanism_.contacts[joint.contact];
    const Reaction at = reaction(w_, contact.joint);
    const double load = contact.load(w_.k, at.force, at.torque);
    change = std::max(change, std::abs(load - joint.load));
    largest = std::max(largest, load);
    joint.load = load;
  }
  w_.lambda = kept;
  return largest > 0 ? change / largest : 0;
}

// What held before is held by all it takes to begin with, so that static friction is seen where it holds itself by the load that it makes.
void RigidContacts::solve_impact(VectorXd& P) {
  const double speed = impact_.before.lpNorm<Eigen::Infinity>();
  for (std::size_t i = 0; i < joints_.size(); ++i)
    if (impact_.contacts[impact_.contacts.size() - joints_.size() + i].stuck)
      joints_[i].load = thresholds::ample_load * speed / joints_[i].own;
  for (int n = 0; n < most_rounds; ++n) {
    for (const JointBlock& joint : joints_) P[joint.row] = joint.load;
    try {
      if (impact_.closes(dim_, 1))
        impact_.solve(w_.k.t, impact_.before.lpNorm<Eigen::Infinity>(), cone_, solver_, P);
    } catch (const SimulationError&) {
      impossible();
    }
    if (joints_.empty() || find_joint_loads(P) <= found) return;
  }
  throw SimulationError(
      w_.k.t,
      fmt::format(
          "friction locks joint '{}' by itself in an impact: the loads of joints grow with the friction "
          "that "
          "they make, and reactions and friction do not determine each other; less friction, or longer "
          "arms, do",
          mechanism_.contacts[joints_.front().contact]->name));
}

void RigidContacts::book_joints(const VectorXd& P, const VectorXd& before, const VectorXd& after) {
  for (const JointBlock& joint : joints_) {
    Percussion out{.contact = joint.contact, .impulse = joint.load};
    for (int r = joint.row + 1; r <= joint.row + joint.directions; ++r)
      out.friction_loss -= P[r] * 0.5 * (before[r] + after[r]);
    percussions_.push_back(out);
  }
}

}  // namespace tappet
