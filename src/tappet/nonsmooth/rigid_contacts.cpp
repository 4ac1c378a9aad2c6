#include "tappet/nonsmooth/rigid_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"

namespace tappet {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

// Displacement, of the mechanism's length, over which velocities are differenced: rounding then costs 1e-11, the cubic term
// 1e-11 of the accelerations that curvature makes.
constexpr double difference = 3e-6;

// A slip slower than this, of the speed of a fall through the mechanism's length (or of going through it in the run's duration), keeps its
// direction. Friction turns the direction of a slip v at the rate μ a/v, which no integration could follow down to v = 0.
constexpr double slow_slip = 1e-6;

/// Is it the same place a little later or earlier? Its normal has hardly turned; what faces nothing has none.
bool continues(const Touch& other, const Touch& now) {
  return other.normal.dot(now.normal) > 0.5;
}

}  // namespace

RigidContacts::RigidContacts(const Model& model, DynamicsWorkspace& w, std::vector<ContactState>& states)
    : model_(model),
      mechanism_(model.mechanism),
      w_(w),
      states_(states),
      dim_(model.mechanism.dimension == Dimension::planar ? 2 : 3),
      // In the plane pivoting, which is exact; in space cones.
      solver_({.solver = dim_ == 2 ? "lemke" : "auto", .tolerance = 1e-12, .rescue = dim_ == 2}),
      impact_(model.settings.impact_law, 0.5) {
  impact_.instant = true;
  impact_.no_solution = no_residual;
  cone_.dimension = dim_;
  resize(ahead_, mechanism_);
  resize(behind_, mechanism_);
  ahead_.off = behind_.off = w.k.off;
  q_.assign(mechanism_.q_size(), 0.0);
  step_.assign(mechanism_.u_size(), 0.0);
  zero_.assign(w.constraints.rows(), 0.0);
  first_of_.assign(mechanism_.contacts.size(), -1);
  for (const auto& contact : mechanism_.contacts) resists_ = resists_ || contact->resists.any();
  turning_slip_ = slow_slip * std::max(mechanism_.length / model.settings.duration,
                                       std::sqrt(mechanism_.gravity.norm() * mechanism_.length));

  // Bodies that joints connect: each has the least number among them.
  cluster_.resize(mechanism_.body_count());
  std::iota(cluster_.begin(), cluster_.end(), 0);
  for (const Constraint* constraint : mechanism_.constraints) {
    int first = -1;
    for (int body : constraint->bodies) {
      if (body >= mechanism_.ground()) continue;
      body = mechanism_.body_of(body);
      if (first < 0) first = cluster_[body];
      const int other = cluster_[body], least = std::min(first, other);
      for (int& cluster : cluster_)
        if (cluster == first || cluster == other) cluster = least;
      first = least;
    }
  }
}

bool RigidContacts::any_closed() const {
  for (std::size_t c = 0; c < states_.size(); ++c)
    if (states_[c].touching && mechanism_.contacts[c]->rigid) return true;
  return false;
}

std::vector<std::vector<int>> RigidContacts::components_of(const std::vector<int>& set) {
  // Clusters that a contact connects become one.
  std::vector<int> root(mechanism_.body_count());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int body) {
    int at = cluster_[body];
    while (root[at] != at) at = root[at] = root[root[at]];
    return at;
  };
  for (int c : set) {
    const int(&bodies)[2] = mechanism_.contacts[c]->bodies;
    if (bodies[0] == mechanism_.ground() || bodies[1] == mechanism_.ground()) continue;
    root[find(mechanism_.body_of(bodies[0]))] = find(mechanism_.body_of(bodies[1]));
  }
  std::vector<std::vector<int>> out;
  std::vector<int> number(mechanism_.body_count(), -1);
  for (int c : set) {
    const int(&bodies)[2] = mechanism_.contacts[c]->bodies;
    const int at = find(mechanism_.body_of(bodies[0] == mechanism_.ground() ? bodies[1] : bodies[0]));
    if (number[at] < 0) number[at] = static_cast<int>(out.size()), out.emplace_back();
    out[number[at]].push_back(c);
  }
  return out;
}

// The closed contacts and their components, if they are others than before.
void RigidContacts::find_closed() {
  // Mostly they are the same: that shows without a list.
  std::size_t known = 0;
  bool same = true;
  for (std::size_t c = 0; same && c < states_.size(); ++c)
    if (states_[c].touching && mechanism_.contacts[c]->rigid)
      same = known < closed_.size() && closed_[known++] == static_cast<int>(c);
  if (same && known == closed_.size()) return;
  closed_.clear();
  for (std::size_t c = 0; c < states_.size(); ++c)
    if (states_[c].touching && mechanism_.contacts[c]->rigid) closed_.push_back(static_cast<int>(c));
  components_.clear();
  std::fill(first_of_.begin(), first_of_.end(), -1);
  for (std::vector<int>& contacts : components_of(closed_)) {
    first_of_[contacts.front()] = static_cast<int>(components_.size());
    most_closed_ = std::max(most_closed_, static_cast<int>(contacts.size()));
    components_.emplace_back();
    components_.back().contacts = std::move(contacts);
  }
}

// Where a column of W_ is gathered: where bodies bend, as forces on frames first.
double* RigidContacts::along(int column) {
  if (mechanism_.flexible.modes == 0) return W_.col(column).data();
  along_.assign(mechanism_.frame_force_size(), 0.0);
  return along_.data();
}

void RigidContacts::take_along(int column) {
  if (mechanism_.flexible.modes == 0) return;
  w_.constraints.to_bodies(along_.data());
  std::copy_n(along_.begin(), mechanism_.u_size(), W_.col(column).data());
}

bool RigidContacts::gather(const std::vector<int>& set) {
  turnings_.clear();
  blocks_.clear();
  joints_.clear();
  int couples = 0;
  places_.clear();
  for (int c : set) {
    ClosedContact place;
    place.contact = c;
    place.touch = mechanism_.contacts[c]->touch(w_.k);
    if (place.touch.normal.isZero(0)) continue;
    const Tangents tangents = mechanism_.contacts[c]->tangents(w_.k, place.touch);
    place.axis[0] = place.touch.normal, place.axis[1] = tangents.t1, place.axis[2] = tangents.t2;
    places_.push_back(place);
  }
  for (const ClosedContact& place : places_) {
    const RollingResistance& by = mechanism_.contacts[place.contact]->resists;
    couples += (by.rolling > 0) + (by.spinning > 0);
  }
  const int contact_columns = dim_ * static_cast<int>(places_.size()), n = contact_columns + dim_ * couples,
            nu = mechanism_.u_size(), rows = w_.constraints.rows();
  W_.setZero(nu, n);
  X_.resize(nu, n);
  Lambda_.resize(rows, n);
  for (int column = 0; column < contact_columns; ++column) {
    const ClosedContact& place = places_[column / dim_];
    ForceSum direction{along(column), mechanism_.ground(), {}};
    const ContactPoint& contact = *mechanism_.contacts[place.contact];
    if (contact.by_rows) {
      CoordinateRow row;
      contact.row(w_.k, column % dim_, row);
      add_along(row, contact.planar, 1, direction);
    } else {
      add_opposed(contact.bodies, w_.k, place.touch.at, place.axis[column % dim_], direction);
    }
    take_along(column);
    w_.constraints.solve(W_.col(column).data(), zero_.data(), X_.col(column).data(),
                         Lambda_.col(column).data());
  }
  if (couples > 0) gather_couples();
  fill_responses();
  return places_.size() == set.size();
}

// A of what is gathered; rows that stand for nothing respond to themselves alone.
void RigidContacts::fill_responses() {
  A().noalias() = W_.transpose() * X_;
  // A stop has no tangents: they respond to themselves alone.
  for (std::size_t i = 0; i < places_.size(); ++i)
    for (int r = dim_ * static_cast<int>(i) + 1;
         mechanism_.contacts[places_[i].contact]->by_rows && r % dim_ != 0; ++r)
      A()(r, r) = A()(dim_ * i, dim_ * i);
  for (const CoupleBlock& block : blocks_) {
    A()(dim_ * block.block, dim_ * block.block) = block.own;
    if (turnings_[block.block - places_.size()].rows < dim_ - 1) {
      const int empty = dim_ * block.block + 2;
      A()(empty, empty) = block.own;
    }
  }
  for (const JointBlock& joint : joints_)
    for (int r = 0; r < dim_; ++r)
      if (r == 0 || r > joint.directions) A()(joint.row + r, joint.row + r) = joint.own;
}

void RigidContacts::gather_couples() {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const ContactPoint& contact = *mechanism_.contacts[places_[i].contact];
    for_each_couple(contact.resists, static_cast<int>(i), contact.length_scale, dim_ == 2,
                    places_[i].touch.normal, {places_[i].axis[1], places_[i].axis[2]},
                    [&](const Couple& couple) { turnings_.push_back({couple}); });
  }
  int row = dim_ * static_cast<int>(places_.size());
  X_.rightCols(X_.cols() - row).setZero();
  Lambda_.rightCols(Lambda_.cols() - row).setZero();
  for (Turning& turning : turnings_) {
    const ClosedContact& place = places_[turning.contact];
    const int(&bodies)[2] = mechanism_.contacts[place.contact]->bodies;
    turning.row = row;
    turning.rows = turning.spins ? 1 : dim_ - 1;
    const Vec3 omega = relative_turning(bodies, w_.k);
    for (int r = 0; r < turning.rows; ++r) {
      const int column = row + 1 + r;
      ForceSum direction{along(column), mechanism_.ground(), {}};
      add_opposed_couple(bodies, w_.k, turning.length * turning.axis[r], direction);
      take_along(column);
      w_.constraints.solve(W_.col(column).data(), zero_.data(), X_.col(column).data(),
                           Lambda_.col(column).data());
      turning.speed[r] = turning.length * omega.dot(turning.axis[r]);
    }
    const int normal = dim_ * turning.contact;
    const double own = W_.col(normal).dot(X_.col(normal));
    blocks_.push_back({row / dim_, turning.contact, own > 0 ? own : 1});
    row += dim_;
  }
}

Vec3 RigidContacts::turning(const Turning& turning, const Touch& touch, const Kinematics& k) const {
  const Vec3 omega = relative_turning(mechanism_.contacts[places_[turning.contact].contact]->bodies, k);
  const double spin = omega.dot(touch.normal);
  // As seen from the normal of the moment.
  if (turning.spins) return spin * turning.axis[0];
  return omega - spin * touch.normal;
}

Vector2d RigidContacts::remembered(const Turning& turning) const {
  const ContactState& state = states_[places_[turning.contact].contact];
  if (turning.spins) return {state.spinning, 0};
  return {state.rolling.dot(turning.axis[0]), state.rolling.dot(turning.axis[1])};
}

void RigidContacts::remember(const Turning& turning, const Vector2d& direction) {
  ContactState& state = states_[places_[turning.contact].contact];
  if (turning.spins)
    state.spinning = direction[0];
  else
    state.rolling = direction[0] * turning.axis[0] + direction[1] * turning.axis[1];
}

void RigidContacts::set_turning_modes(double at_rest) {
  for (Turning& turning : turnings_) {
    turning.holds = !(turning.speed.norm() > at_rest);
    turning.direction = turning.holds ? Vector2d::Zero() : Vector2d(turning.speed.normalized());
  }
}

void RigidContacts::follow_turning(int contact, const Touch& touch, const Kinematics& k, double at_rest) {
  ContactState& state = states_[contact];
  const ContactPoint& point = *mechanism_.contacts[contact];
  if (dim_ == 2 || state.rolling.isZero(0)) return;
  const Vec3 omega = relative_turning(point.bodies, k);
  const Vec3 roll = omega - omega.dot(touch.normal) * touch.normal;
  if (point.length_scale * roll.norm() > std::max(at_rest, turning_slip_) && roll.dot(state.rolling) > 0)
    state.rolling = roll.normalized();
}

void RigidContacts::look_around(const double* q, const double* u) {
  const int nu = mechanism_.u_size(), width = velocity_size(mechanism_.dimension);
  double speed = 0;
  for (int i = 0; i < nu - mechanism_.flexible.modes; ++i)
    speed = std::max(speed, std::abs(u[i]) * (i % width < dim_ ? 1.0 : mechanism_.length));
  difference_time_ = speed > 0 ? difference * mechanism_.length / speed : 0;
  if (speed == 0) return;
  for (Kinematics* k : {&ahead_, &behind_}) {
    const double step = k == &ahead_ ? difference_time_ : -difference_time_;
    std::copy(q, q + mechanism_.q_size(), q_.begin());
    for (int i = 0; i < nu; ++i) step_[i] = step * u[i];
    displace(mechanism_, q_.data(), step_.data());
    k->contacts = w_.k.contacts;
    update_kinematics(*k, w_.k.t, q_.data(), u, w_.k.z);
  }
}

void RigidContacts::gather_accelerations() {
  c_.noalias() = W_.transpose() * Eigen::Map<const VectorXd>(w_.a.data(), mechanism_.u_size());
  if (difference_time_ == 0) return;
  // The gaps' and slips' rates along the motion with constant u. Where a place ends, at the border of a face, one side alone knows them.
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const ClosedContact& place = places_[i];
    const ContactPoint& contact = *mechanism_.contacts[place.contact];
    Touch later = contact.touch(ahead_), earlier = contact.touch(behind_);
    const Kinematics *after = &ahead_, *before = &behind_;
    double time = 2 * difference_time_;
    if (!continues(later, place.touch)) later = place.touch, after = &w_.k, time -= difference_time_;
    if (!continues(earlier, place.touch)) earlier = place.touch, before = &w_.k, time -= difference_time_;
    if (!(time > 0)) continue;
    c_[dim_ * i] += (later.rate - earlier.rate) / time;
    for (int r = 1; r < dim_; ++r) c_[dim_ * i + r] += place.axis[r].dot(later.slip - earlier.slip) / time;
    for (const Turning& each : turnings_) {
      if (each.contact != static_cast<int>(i)) continue;
      const Vec3 change = turning(each, later, *after) - turning(each, earlier, *before);
      for (int r = 0; r < each.rows; ++r)
        c_[each.row + 1 + r] += each.length * each.axis[r].dot(change) / time;
    }
  }
}

Vector2d RigidContacts::sliding_direction(const ClosedContact& place) const {
  const auto components = [&](const Vec3& v) {
    return Vector2d(v.dot(place.axis[1]), dim_ == 3 ? v.dot(place.axis[2]) : 0.0);
  };
  const Vec3& remembered = states_[place.contact].direction;
  // In the plane the remembered side holds until its event; in space the direction turns with the slip.
  const bool turns =
      dim_ == 3 && place.touch.slip.norm() > turning_slip_ && place.touch.slip.dot(remembered) > 0;
  const Vector2d d = components(turns ? place.touch.slip : remembered);
  return d.norm() > 0 ? Vector2d(d.normalized()) : Vector2d::UnitX();
}

double RigidContacts::sliding_friction(const ClosedContact& place) const {
  const RigidLaw& law = *mechanism_.contacts[place.contact]->rigid;
  return law.curve ? law.sliding(place.touch.slip.norm()) : law.friction;
}

// The modes of the gathered contacts as they are remembered.
void RigidContacts::take_modes() {
  for (ClosedContact& place : places_) {
    place.sticks = states_[place.contact].stick.sticking;
    const bool drags = !place.sticks && mechanism_.contacts[place.contact]->rigid->friction > 0;
    place.direction = drags ? sliding_direction(place) : Vector2d::Zero();
  }
  for (Turning& turning : turnings_) {
    const Vector2d known = remembered(turning);
    turning.holds = known.isZero(0);
    // In space the direction turns with ω, as that of a slip does.
    const bool turns = dim_ == 3 && turning.speed.norm() > turning_slip_ && turning.speed.dot(known) > 0;
    turning.direction = turning.holds ? known : (turns ? turning.speed : known).normalized();
  }
}

// Unknowns: a normal force each, the tangential ones of contacts that stick, couples that hold; each makes its own row vanish.
void RigidContacts::build_system(const VectorXd& v) {
  const int n = static_cast<int>(places_.size());
  rows_.clear();
  for (int i = 0; i < n; ++i) rows_.push_back(dim_ * i);
  for (int i = 0; i < n; ++i)
    for (int r = 1; places_[i].sticks && r < dim_; ++r) rows_.push_back(dim_ * i + r);
  for (const Turning& turning : turnings_)
    for (int r = 0; turning.holds && r < turning.rows; ++r) rows_.push_back(turning.row + 1 + r);
  const int unknowns = static_cast<int>(rows_.size());
  drag_.resize(2, n);  // friction of a sliding contact, of its normal force
  for (int i = 0; i < n; ++i) drag_.col(i) = -sliding_friction(places_[i]) * places_[i].direction;
  system_.resize(unknowns, unknowns);
  right_.resize(unknowns);
  for (int j = 0; j < unknowns; ++j) {
    for (int i = 0; i < unknowns; ++i) {
      system_(i, j) = A()(rows_[i], rows_[j]);
      for (int r = 1; j < n && r < dim_; ++r) system_(i, j) += drag_(r - 1, j) * A()(rows_[i], rows_[j] + r);
    }
    right_[j] = -v[rows_[j]];
  }
  for (const Turning& turning : turnings_)
    for (int i = 0; i < unknowns; ++i)
      for (int r = 0; r < turning.rows; ++r)
        system_(i, turning.contact) -=
            turning.mu() * turning.direction[r] * A()(rows_[i], turning.row + 1 + r);
}

bool RigidContacts::share(LoadSharing& sharing) {
  build_system(c_);
  const int n = static_cast<int>(places_.size());
  std::vector<LoadSharing::Member> members(n);
  int next = n;
  for (int i = 0; i < n; ++i) {
    if (!places_[i].sticks) continue;
    members[i] = {next, mechanism_.contacts[places_[i].contact]->rigid->static_friction};
    next += dim_ - 1;
  }
  for (const Turning& turning : turnings_) {
    if (!turning.holds) continue;
    members.push_back({next, turning.mu(), turning.contact, turning.rows});
    next += turning.rows;
  }
  sharing.set(system_, right_, std::move(members), dim_ - 1);
  for (int i = 0; i < n; ++i)
    if (!(system_(i, i) > 0)) return false;
  return true;
}

void RigidContacts::react(const double* q, const double* u) {
  find_closed();
  if (closed_.empty()) return;
  look_around(q, u);
  for (Component& component : components_) {
    // Past its border a place is no more: what was held there lets go, at the latest.
    const bool all = gather(component.contacts);
    component.jams = !all;
    if (places_.empty()) continue;
    gather_accelerations();
    take_modes();
    component.jams = !share(component.sharing) || !all;
    const VectorXd& x = component.sharing.forces();
    const int n = static_cast<int>(places_.size());
    F_.setZero(columns());
    for (int j = 0; j < x.size(); ++j) {
      F_[rows_[j]] += x[j];
      for (int r = 1; j < n && r < dim_; ++r) F_[rows_[j] + r] += drag_(r - 1, j) * x[j];
    }
    for (const Turning& turning : turnings_)
      for (int r = 0; r < turning.rows; ++r)
        F_[turning.row + 1 + r] -= turning.mu() * turning.direction[r] * x[turning.contact];
    add_reactions();
  }
}

void RigidContacts::add_reactions() {
  Eigen::Map<VectorXd>(w_.a.data(), W_.rows()).noalias() += X_ * F_;
  Eigen::Map<VectorXd>(w_.h.data(), W_.rows()).noalias() += W_ * F_;
  reactions_.noalias() = Lambda_ * F_;
  for (int r = 0; r < w_.constraints.rows(); ++r) {
    w_.lambda[r] += reactions_[r];
    w_.powers.input -= reactions_[r] * w_.constraints.phi_t()[r];
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const ClosedContact& place = places_[i];
    ContactInstant& now = w_.contacts[place.contact];
    now.touch = place.touch;
    now.force = {};
    now.force.normal = F_[dim_ * i];
    for (int r = 1; r < dim_; ++r) now.force.tangential += F_[dim_ * i + r] * place.axis[r];
    if (!place.sticks) now.force.friction_loss = -now.force.tangential.dot(now.touch.slip);
    w_.powers.friction += now.force.friction_loss;
  }
  for (const Turning& turning : turnings_) {
    ContactForce& force = w_.contacts[places_[turning.contact].contact].force;
    double loss = 0;
    for (int r = 0; r < turning.rows; ++r) {
      force.couple += turning.length * F_[turning.row + 1 + r] * turning.axis[r];
      if (!turning.holds) loss -= F_[turning.row + 1 + r] * turning.speed[r];
    }
    force.friction_loss += loss;
    w_.powers.friction += loss;
  }
}

double RigidContacts::hold_margin(int contact) {
  if (first_of_[contact] < 0) return 1;
  Component& component = components_[first_of_[contact]];
  if (component.jams) return -1;
  const ContactState& state = states_[contact];
  const RollingResistance& by = mechanism_.contacts[contact]->resists;
  if (component.contacts.size() > 1 || state.stick.sticking || (by.rolling > 0 && state.rolling.isZero(0)) ||
      (by.spinning > 0 && state.spinning == 0))
    return component.sharing.margin();
  // The force of one contact that slides, beside that of a fall, or of going through the mechanism's length in the run's duration: of
  // itself it would be a part of 1 or −1, whose jump could only be found by halving.
  double mass = 0;
  for (const int body : mechanism_.contacts[contact]->bodies)
    if (body != mechanism_.ground()) mass += mechanism_.bodies[mechanism_.body_of(body)].mass;
  const double speed = turning_slip_ / slow_slip, force = component.sharing.least()[0];
  return force / (std::abs(force) + mass * speed * speed / mechanism_.length);
}

double RigidContacts::slip_margin(int contact) const {
  const ContactState& state = states_[contact];
  const ContactPoint& point = *mechanism_.contacts[contact];
  double least = 1;
  if (!state.stick.sticking && point.rigid->friction > 0)
    least = w_.contacts[contact].touch.slip.dot(state.direction);
  if (!resists_) return least;
  const Vec3 omega = relative_turning(point.bodies, w_.k);
  if (!state.rolling.isZero(0)) least = std::min(least, point.length_scale * omega.dot(state.rolling));
  if (state.spinning != 0)
    least =
        std::min(least, point.length_scale * omega.dot(w_.contacts[contact].touch.normal) * state.spinning);
  return least;
}

// The largest speed, ℓ ω, of what couples of a closed contact hold.
double RigidContacts::held_turning(const ContactPoint& point, const Touch& touch) const {
  const ContactState& state = states_[point.index];
  const Vec3 omega = relative_turning(point.bodies, w_.k);
  const double spin = omega.dot(touch.normal);
  double out = 0;
  if (point.resists.rolling > 0 && state.rolling.isZero(0))
    out = point.length_scale * (omega - spin * touch.normal).norm();
  if (point.resists.spinning > 0 && state.spinning == 0)
    out = std::max(out, point.length_scale * std::abs(spin));
  return out;
}

bool RigidContacts::project(double t, double* q, double* u, const double* z) {
  find_closed();
  if (closed_.empty()) return false;
  const int nu = mechanism_.u_size();
  const double no_gap = 1e-14 * mechanism_.length, no_speed = 1e-15;
  bool changed = false;

  // Mostly nothing has moved: that shows without any direction.
  const auto rests = [&](int c) {
    const ContactPoint& point = *mechanism_.contacts[c];
    const Touch touch = point.touch(w_.k);
    return std::abs(touch.gap) <= no_gap && std::abs(touch.rate) <= no_speed &&
           (!states_[c].stick.sticking || touch.slip.norm() <= no_speed) &&
           (!point.resists.any() || held_turning(point, touch) <= no_speed);
  };
  if (std::all_of(closed_.begin(), closed_.end(), rests)) return false;
  w_.constraints.factor(mechanism_.inverse_mass);

  // Positions: along the normals until the gaps vanish.
  for (int pass = 0; pass < 4; ++pass) {
    Eigen::Map<VectorXd> moved(step_.data(), nu);
    moved.setZero();
    double widest = 0;
    for (const Component& component : components_) {
      gather(component.contacts);
      if (places_.empty()) continue;
      VectorXd gaps = VectorXd::Zero(W_.cols());
      for (std::size_t i = 0; i < places_.size(); ++i) gaps[dim_ * i] = places_[i].touch.gap;
      widest = std::max(widest, gaps.cwiseAbs().maxCoeff());
      if (gaps.cwiseAbs().maxCoeff() <= no_gap) continue;
      build_system(gaps);
      trial_.set(system_, right_, {}, dim_ - 1);
      for (std::size_t j = 0; j < rows_.size(); ++j) moved += trial_.least()[j] * X_.col(rows_[j]);
    }
    if (widest <= no_gap) break;
    displace(mechanism_, q, step_.data());
    update_kinematics(w_.k, t, q, u, z);
    w_.constraints.evaluate(w_.k);
    w_.constraints.factor(mechanism_.inverse_mass);
    changed = true;
  }

  // Velocities: normal ones, and the tangential ones of contacts that stick.
  Eigen::Map<VectorXd> velocity(u, nu);
  for (const Component& component : components_) {
    gather(component.contacts);
    if (places_.empty()) continue;
    for (ClosedContact& place : places_) place.sticks = states_[place.contact].stick.sticking;
    for (Turning& turning : turnings_) turning.holds = remembered(turning).isZero(0);
    build_system(W_.transpose() * velocity);
    if (right_.cwiseAbs().maxCoeff() <= no_speed) continue;
    trial_.set(system_, right_, {}, dim_ - 1);
    for (std::size_t j = 0; j < rows_.size(); ++j) velocity += trial_.least()[j] * X_.col(rows_[j]);
    changed = true;
  }
  return changed;
}

double RigidContacts::acceleration(int contact, const double* q, const double* u) {
  gather({contact});
  look_around(q, u);
  gather_accelerations();
  return c_[0];
}

}  // namespace tappet
