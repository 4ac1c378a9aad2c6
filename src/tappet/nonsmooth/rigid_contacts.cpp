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

// Decisions: what counts as none, of the largest force or acceleration there is.
constexpr double no_margin = 1e-10, no_force = 1e-8, no_acceleration = 1e-8;
// Where a set has lost its hold μ_s is lowered by this part, and if nothing moves yet by ten times as much, so that rounding does
// not leave a contact at the rim of its cone for ever.
constexpr double first_lowered = 1e-6, last_lowered = 2e-3;
// δ, of the time in which the slowest slip would change by all of itself; for what an impulse without collision leaves; and for its size.
constexpr double short_time = 1e-3, shorter = 1e-3, shortest = 1e-6;
// A slip slower than this, of the speed of a fall through the mechanism's length (or of going through it in the run's duration), keeps its
// direction. Friction turns the direction of a slip v at the rate μ a/v, which no integration could follow down to v = 0.
constexpr double slow_slip = 1e-6;
// A solution whose residual is above this part of the velocities is none.
constexpr double no_residual = 1e-8;

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
  resize(ahead_, mechanism_.dimension, mechanism_.body_count());
  resize(behind_, mechanism_.dimension, mechanism_.body_count());
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
      if (first < 0) first = cluster_[body];
      const int other = cluster_[body], least = std::min(first, other);
      for (int& cluster : cluster_)
        if (cluster == first || cluster == other) cluster = least;
      first = least;
    }
  }
}

bool RigidContacts::any_closed() const {
  return std::any_of(states_.begin(), states_.end(), [](const ContactState& s) { return s.touching; });
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
    root[find(bodies[0])] = find(bodies[1]);
  }
  std::vector<std::vector<int>> out;
  std::vector<int> number(mechanism_.body_count(), -1);
  for (int c : set) {
    const int(&bodies)[2] = mechanism_.contacts[c]->bodies;
    const int at = find(bodies[0] == mechanism_.ground() ? bodies[1] : bodies[0]);
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
    if (states_[c].touching) same = known < closed_.size() && closed_[known++] == static_cast<int>(c);
  if (same && known == closed_.size()) return;
  closed_.clear();
  for (std::size_t c = 0; c < states_.size(); ++c)
    if (states_[c].touching) closed_.push_back(static_cast<int>(c));
  components_.clear();
  std::fill(first_of_.begin(), first_of_.end(), -1);
  for (std::vector<int>& contacts : components_of(closed_)) {
    first_of_[contacts.front()] = static_cast<int>(components_.size());
    most_closed_ = std::max(most_closed_, static_cast<int>(contacts.size()));
    components_.emplace_back();
    components_.back().contacts = std::move(contacts);
  }
}

bool RigidContacts::gather(const std::vector<int>& set) {
  turnings_.clear();
  blocks_.clear();
  places_.clear();
  for (int c : set) {
    Place place;
    place.contact = c;
    place.touch = mechanism_.contacts[c]->touch(w_.k);
    if (place.touch.normal.isZero(0)) continue;
    const Tangents tangents = mechanism_.contacts[c]->tangents(w_.k, place.touch);
    place.axis[0] = place.touch.normal, place.axis[1] = tangents.t1, place.axis[2] = tangents.t2;
    places_.push_back(place);
  }
  int couples = 0;
  for (const Place& place : places_) {
    const RollingResistance& by = mechanism_.contacts[place.contact]->resists;
    couples += (by.rolling > 0) + (by.spinning > 0);
  }
  const int own = dim_ * static_cast<int>(places_.size()), n = own + dim_ * couples, nu = mechanism_.u_size(),
            rows = w_.constraints.rows();
  W_.setZero(nu, n);
  X_.resize(nu, n);
  Lambda_.resize(rows, n);
  for (int column = 0; column < own; ++column) {
    const Place& place = places_[column / dim_];
    ForceSum direction{W_.col(column).data(), mechanism_.ground(), {}};
    add_opposed(mechanism_.contacts[place.contact]->bodies, w_.k, place.touch.at, place.axis[column % dim_],
                direction);
    w_.constraints.solve(W_.col(column).data(), zero_.data(), X_.col(column).data(),
                         Lambda_.col(column).data());
  }
  if (couples > 0) gather_couples();
  A().noalias() = W_.transpose() * X_;
  for (const CoupleBlock& block : blocks_) {
    A()(dim_ * block.block, dim_ * block.block) = block.own;
    if (turnings_[block.block - places_.size()].rows < dim_ - 1) {
      const int empty = dim_ * block.block + 2;
      A()(empty, empty) = block.own;
    }
  }
  return places_.size() == set.size();
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
    const Place& place = places_[turning.contact];
    const int(&bodies)[2] = mechanism_.contacts[place.contact]->bodies;
    turning.row = row;
    turning.rows = turning.spins ? 1 : dim_ - 1;
    const Vec3 omega = relative_turning(bodies, w_.k);
    for (int r = 0; r < turning.rows; ++r) {
      const int column = row + 1 + r;
      ForceSum direction{W_.col(column).data(), mechanism_.ground(), {}};
      add_opposed_couple(bodies, w_.k, turning.length * turning.axis[r], direction);
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
  for (int i = 0; i < nu; ++i)
    speed = std::max(speed, std::abs(u[i]) * (i % width < dim_ ? 1.0 : mechanism_.length));
  difference_time_ = speed > 0 ? difference * mechanism_.length / speed : 0;
  if (speed == 0) return;
  for (Kinematics* k : {&ahead_, &behind_}) {
    const double step = k == &ahead_ ? difference_time_ : -difference_time_;
    std::copy(q, q + mechanism_.q_size(), q_.begin());
    for (int i = 0; i < nu; ++i) step_[i] = step * u[i];
    displace(mechanism_.dimension, mechanism_.body_count(), q_.data(), step_.data());
    k->contacts = w_.k.contacts;
    update_kinematics(*k, w_.k.t, q_.data(), u, w_.k.z);
  }
}

void RigidContacts::gather_accelerations() {
  c_.noalias() = W_.transpose() * Eigen::Map<const VectorXd>(w_.a.data(), mechanism_.u_size());
  if (difference_time_ == 0) return;
  // The gaps' and slips' rates along the motion with constant u. Where a place ends, at the border of a face, one side alone knows them.
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    const ContactPoint& contact = *mechanism_.contacts[place.contact];
    Touch later = contact.touch(ahead_), earlier = contact.touch(behind_);
    const Kinematics *to = &ahead_, *from = &behind_;
    double time = 2 * difference_time_;
    if (!continues(later, place.touch)) later = place.touch, to = &w_.k, time -= difference_time_;
    if (!continues(earlier, place.touch)) earlier = place.touch, from = &w_.k, time -= difference_time_;
    if (!(time > 0)) continue;
    c_[dim_ * i] += (later.rate - earlier.rate) / time;
    for (int r = 1; r < dim_; ++r) c_[dim_ * i + r] += place.axis[r].dot(later.slip - earlier.slip) / time;
    for (const Turning& each : turnings_) {
      if (each.contact != static_cast<int>(i)) continue;
      const Vec3 change = turning(each, later, *to) - turning(each, earlier, *from);
      for (int r = 0; r < each.rows; ++r)
        c_[each.row + 1 + r] += each.length * each.axis[r].dot(change) / time;
    }
  }
}

Vector2d RigidContacts::sliding_direction(const Place& place) const {
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

double RigidContacts::sliding_friction(const Place& place) const {
  const RigidLaw& law = *mechanism_.contacts[place.contact]->rigid;
  return law.curve ? law.sliding(place.touch.slip.norm()) : law.friction;
}

// The modes of the gathered contacts as they are remembered.
void RigidContacts::take_modes() {
  for (Place& place : places_) {
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
    const Place& place = places_[i];
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
    if (body != mechanism_.ground()) mass += mechanism_.bodies[body].mass;
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
    displace(mechanism_.dimension, mechanism_.body_count(), q, step_.data());
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
    for (Place& place : places_) place.sticks = states_[place.contact].stick.sticking;
    for (Turning& turning : turnings_) turning.holds = remembered(turning).isZero(0);
    build_system(W_.transpose() * velocity);
    if (right_.cwiseAbs().maxCoeff() <= no_speed) continue;
    trial_.set(system_, right_, {}, dim_ - 1);
    for (std::size_t j = 0; j < rows_.size(); ++j) velocity += trial_.least()[j] * X_.col(rows_[j]);
    changed = true;
  }
  return changed;
}

void RigidContacts::bring_to_rest(const std::vector<int>& set, const std::vector<double>& slow, double* u) {
  Eigen::Map<VectorXd> velocity(u, mechanism_.u_size());
  std::vector<double> limit(states_.size(), 0.0);
  for (std::size_t i = 0; i < set.size(); ++i) limit[set[i]] = slow[i];
  for (const std::vector<int>& contacts : components_of(set)) {
    gather(contacts);
    for (Place& place : places_)
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
    impact_.before = W_.transpose() * Eigen::Map<const VectorXd>(u, mechanism_.u_size());
    impact_.unhindered = impact_.before;
    const std::size_t n = contacts.size(), all = n + turnings_.size();
    laws_.resize(all), impact_.contacts.resize(all);
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
    VectorXd P = VectorXd::Zero(columns());
    try {
      if (impact_.closes(dim_, 1))
        impact_.solve(w_.k.t, impact_.before.lpNorm<Eigen::Infinity>(), cone_, solver_, P);
    } catch (const SimulationError&) {
      impossible();
    }
    apply(P, u, input);
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
  for (Place& place : places_) {
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
  for (const Place& place : places_) {
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
  for (const Place& place : places_)
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
  for (const Place& place : places_) next += place.sticks ? dim_ - 1 : 0;
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

double RigidContacts::acceleration(int contact, const double* q, const double* u) {
  gather({contact});
  look_around(q, u);
  gather_accelerations();
  return c_[0];
}

}  // namespace tappet
