// The contact problem of a step of structures: which nodes take part, its matrix, its solution.
#include <algorithm>

#include "tappet/base/diagnostics.hpp"
#include "tappet/nonsmooth/thresholds.hpp"
#include "tappet/structures/newmark_moreau.hpp"

namespace tappet {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// The upper triangle like the lower, tile by tile.
void mirror_lower(MatrixXd& m) {
  constexpr int tile = 32;
  const int n = static_cast<int>(m.rows());
  for (int j = 0; j < n; j += tile)
    for (int i = j; i < n; i += tile)
      for (int jj = j; jj < std::min(j + tile, n); ++jj)
        for (int ii = std::max(i, jj + 1); ii < std::min(i + tile, n); ++ii) m(jj, ii) = m(ii, jj);
}

}  // namespace

NewmarkMoreau::Row NewmarkMoreau::row_of(const NodeTouch& touch, const Vec3& direction) {
  Row row;
  for (int k = 0; k < touch.count; ++k)
    for (int d = 0; d < 3; ++d) {
      const int unknown = system_.unknown(touch.structures[k], touch.nodes[k], d);
      const double value = touch.weight[k] * direction[d];
      if (unknown >= 0 && value != 0) compliance_.add(row, unknown, value);
    }
  return row;
}

// Contacts of nodes that are closed in the middle of the step, or would be when it ends.
void NewmarkMoreau::find_contacts(double t, double h, const double* q, const double* u,
                                  const RigidPart* rigid) {
  const double reach = options_.theta * h, none = thresholds::closed * contacts_.edge();
  StructureContacts::Bodies bodies;
  if (rigid) bodies = {&rigid->workspace.k, rigid->u, rigid->stepper.free_velocities().data()};
  const double speed = contacts_.fastest(t, q, u, change_.data(), bodies);
  contacts_.find(t + (1 - options_.theta) * h, t, t + h, q, none + 2 * reach * speed, bodies, near_);
  touches_.clear();
  for (NodeTouch& touch : near_) {
    if (stopped_) touch.lift_before = touch.lift_after = 0;
    const Vec3& n = touch.normal;
    Vec3 before = Vec3::Zero(), change = Vec3::Zero();
    for (int k = 0; k < touch.count; ++k) {
      before += touch.weight[k] * system_.velocity(touch.structures[k], touch.nodes[k], u);
      change += touch.weight[k] * system_.velocity(touch.structures[k], touch.nodes[k], change_.data());
    }
    double first = n.dot(before) - touch.lift_before, last = n.dot(before + change) - touch.lift_after;
    if (touch.body >= 0) {
      const SpatialFrame& f = rigid->workspace.k.spatial[touch.body];
      const auto surface = [&](const double* all) {
        const double* own = all + 6 * touch.body;
        return n.dot(Vec3(own[0], own[1], own[2]) +
                     (f.R * Vec3(own[3], own[4], own[5])).cross(touch.at - f.r));
      };
      first += touch.body_side * surface(bodies.u), last += touch.body_side * surface(bodies.free);
    }
    const double approach = -std::min({first, last, 0.0});
    // Nodes without mass follow at once what the impulses of others do, and so do all in the long steps of statics: whatever is
    // near takes part.
    if (stopped_ || touch.gap <= none + 2 * reach * approach || is_light(touch)) touches_.push_back(touch);
  }
}

// Rows of everything that takes part, and its velocities as the step begins and as it would end.
void NewmarkMoreau::gather_rows(double h, const double* u, const double* from, RigidPart* rigid) {
  const int touched = static_cast<int>(touches_.size()), spiders = spiders_ ? spiders_->rows() : 0;
  together_ = rigid && (spiders_ || forces_on_bodies_ ||
                        std::any_of(touches_.begin(), touches_.end(),
                                    [](const NodeTouch& touch) { return touch.body >= 0; }));
  places_.clear();
  rows_.clear();
  for (const NodeTouch& touch : touches_) {
    places_.push_back({&model_.structure_contacts[touch.contact].law, touch.gap, false, is_light(touch)});
    const Mat3 axes = touch.axes();
    for (int k = 0; k < 3; ++k) rows_.push_back(row_of(touch, axes.col(k)));
  }
  if (together_) {
    const ContactProblem& own = rigid->stepper.near();
    for (int i = 0; i < own.count(); ++i)
      places_.push_back({&rigid->stepper.law(own.id(i)), own.touch(i).gap, false, false});
    rows_.resize(3 * places_.size());
  }
  const int rows = static_cast<int>(rows_.size());
  before_.setZero(rows), unhindered_.setZero(rows), P_.setZero(rows);
  for (int i = 0; i < touched; ++i) {
    // In the contact's own axes: these turn with its normal, without a jump wherever that is not near x.
    const int at = 3 * contacts_.point(touches_[i].contact, touches_[i].number);
    P_.segment<3>(3 * i) = Eigen::Map<const Vec3>(warm_.data() + at);
  }
  for (int r = 0; r < rows; ++r) {
    // The ground's velocity is the mean of both, as the nodes' is: then its displacement is followed without
    // drift.
    const bool lifts = r % 3 == 0 && r < 3 * touched;
    before_[r] = compliance_.dot(rows_[r], u) - (lifts ? touches_[r / 3].lift_before : 0);
    unhindered_[r] = compliance_.dot(rows_[r], from) + compliance_.dot(rows_[r], change_.data()) -
                     (lifts ? touches_[r / 3].lift_after : 0);
  }
  if (!together_) return;

  // The rigid bodies' side.
  const Kinematics& k = rigid->workspace.k;
  const ContactProblem& own = rigid->stepper.near();
  const int nu = model_.mechanism.u_size();
  body_rows_.setZero(nu, rows + spiders);
  for (int i = 0; i < touched; ++i) {
    const NodeTouch& touch = touches_[i];
    if (touch.body < 0) continue;
    const SpatialFrame& f = k.spatial[touch.body];
    const Mat3 axes = touch.axes();
    for (int d = 0; d < 3; ++d) {
      body_rows_.block<3, 1>(6 * touch.body, 3 * i + d) = touch.body_side * axes.col(d);
      body_rows_.block<3, 1>(6 * touch.body + 3, 3 * i + d) =
          touch.body_side * (f.R.transpose() * (touch.at - f.r).cross(axes.col(d)));
    }
  }
  VectorXd unit = VectorXd::Zero(3 * own.count());
  for (int r = 0; r < unit.size(); ++r) {
    unit[r] = 1;
    own.add_impulses(unit, body_rows_.col(3 * touched + r).data());
    unit[r] = 0;
  }
  rigid->stepper.guess(P_.data() + 3 * touched);
  if (spiders_) spiders_->body_rows(k, body_rows_.rightCols(spiders));
  body_changes_.resize(nu, rows + spiders);
  ConstraintSystem& joints = rigid->workspace.constraints;
  const VectorXd held = VectorXd::Zero(joints.rows());
  VectorXd reactions(joints.rows());
  for (int r = 0; r < rows + spiders; ++r)
    joints.solve(body_rows_.col(r).data(), held.data(), body_changes_.col(r).data(), reactions.data());
  const Eigen::Map<const VectorXd> first(rigid->u, nu), last(rigid->stepper.free_velocities().data(), nu);
  body_change_ = last - first;
  body_start_ = first;
  before_ += body_rows_.leftCols(rows).transpose() * first;
  unhindered_ += body_rows_.leftCols(rows).transpose() * last;
  if (!spiders_) return;

  // What is missing from the velocities that spiders ask for: G ((1−θ) u_A + θ u_E) = −g_A/h.
  largest_opening_ = std::max(largest_opening_, openings_.lpNorm<Eigen::Infinity>());
  const double theta = options_.theta;
  spider_free_ = body_rows_.rightCols(spiders).transpose() * (last + (1 - theta) / theta * first) +
                 openings_ / (theta * h);
  for (int g = 0; g < spiders; ++g)
    spider_free_[g] +=
        compliance_.dot(spiders_->row(g), from) / theta + compliance_.dot(spiders_->row(g), change_.data());
}

// Which contacts stuck in the step before, or do as the run begins.
void NewmarkMoreau::recall_sticking(double t, const RigidPart* rigid) {
  const int touched = static_cast<int>(touches_.size());
  const double speed = std::max(before_.lpNorm<Eigen::Infinity>(), unhindered_.lpNorm<Eigen::Infinity>());
  for (int i = 0; i < touched && !stuck_.empty(); ++i) {
    const NodeTouch& touch = touches_[i];
    places_[i].stuck =
        t > 0 ? stuck_[contacts_.point(touch.contact, touch.number)]
              : sticks_at_start(touch.gap, contacts_.edge(), before_.data() + 3 * i + 1, 3, speed);
  }
  const VectorXd own = before_.tail(before_.size() - 3 * touched);
  for (std::size_t i = touched; i < places_.size(); ++i)
    places_[i].stuck = rigid->stepper.was_stuck(t, static_cast<int>(i) - touched, own);
}

// W of contacts alone; made anew only when others touch or their directions have changed.
void NewmarkMoreau::make_matrix() {
  compliance_.complete();
  if (made_version_ == compliance_.version() && made_rows_ == rows_) {
    problem_.matrix = matrices_;
    return;
  }
  std::vector<const Row*> rows;
  for (const Row& row : rows_) rows.push_back(&row);
  w().resize(static_cast<int>(rows.size()), static_cast<int>(rows.size()));
  compliance_.among(rows, w());
  mirror_lower(w());
  made_rows_ = rows_, made_version_ = compliance_.version();
  problem_.matrix = ++matrices_;
}

// W of springs, contacts and spiders; then the spiders' rows are eliminated.
void NewmarkMoreau::eliminate_spiders(double t) {
  const int ns = static_cast<int>(springs_.size()), nr = static_cast<int>(rows_.size()),
            ng = spiders_ ? spiders_->rows() : 0, n = ns + nr;
  compliance_.complete();
  std::vector<const Row*> rows;
  for (const Spring& spring : springs_) rows.push_back(&spring.row);
  for (const Row& row : rows_) rows.push_back(&row);
  for (int g = 0; g < ng; ++g) rows.push_back(&spiders_->row(g));
  all_.resize(n + ng, n + ng);
  compliance_.among(rows, all_);
  if (together_)
    all_.bottomRightCorner(nr + ng, nr + ng).triangularView<Eigen::Lower>() +=
        body_rows_.transpose() * body_changes_;
  if (forces_on_bodies_) {
    all_.topLeftCorner(ns, ns).triangularView<Eigen::Lower>() += spring_bodies_.transpose() * spring_changes_;
    all_.bottomLeftCorner(nr + ng, ns) += body_rows_.transpose() * spring_changes_;
  }
  mirror_lower(all_);
  // A stop of a joint has no tangents: they respond to themselves alone.
  for (int i = static_cast<int>(touches_.size()); together_ && i < static_cast<int>(places_.size()); ++i)
    for (int row = ns + 3 * i + 1; row < ns + 3 * i + 3; ++row)
      if (all_(row, row) == 0) all_(row, row) = all_(ns + 3 * i, ns + 3 * i);
  all_free_.resize(n);
  for (int i = 0; i < ns; ++i) all_free_[i] = compliance_.dot(springs_[i].row, change_.data());
  if (forces_on_bodies_) all_free_.head(ns) += spring_bodies_.transpose() * body_change_;
  all_free_.tail(nr) = unhindered_;
  if (ng == 0) return;
  spider_factor_.compute(all_.bottomRightCorner(ng, ng));
  if (spider_factor_.info() != Eigen::Success ||
      !(spider_factor_.vectorD().minCoeff() > 1e-14 * spider_factor_.vectorD().maxCoeff()))
    throw SimulationError(
        t, "nodes that are attached to a rigid body are held in another way too: the body cannot follow");
  spider_response_ = spider_factor_.solve(all_.bottomLeftCorner(ng, n));
  all_free_ -= spider_response_.transpose() * spider_free_;
  all_.topLeftCorner(n, n) -= all_.topRightCorner(n, ng) * spider_response_;
}

void NewmarkMoreau::solve_contacts(double t, const VectorXd& free, double h) {
  const int n = static_cast<int>(places_.size());
  if (n == 0) return;
  impact_.contacts.resize(n);
  for (int i = 0; i < n; ++i) {
    const StepContact& place = places_[i];
    impact_.contacts[i] = {.law = place.law, .gap = place.gap, .stuck = place.stuck, .massless = place.light};
  }
  impact_.before = before_;
  impact_.unhindered = free;
  impact_.at_rest = stopped_;
  if (!impact_.closes(3, options_.theta * h)) {
    P_.setZero();
    return;
  }
  const double unit =
      std::max(before_.lpNorm<Eigen::Infinity>(), impact_.approach().lpNorm<Eigen::Infinity>());
  impact_.solve(t, unit, problem_, solver_, P_);
}

}  // namespace tappet
