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
  const int n = dim_ * static_cast<int>(places_.size()), nu = mechanism_.u_size(),
            rows = w_.constraints.rows();
  W_.setZero(nu, n);
  X_.resize(nu, n);
  Lambda_.resize(rows, n);
  for (int column = 0; column < n; ++column) {
    const Place& place = places_[column / dim_];
    ForceSum direction{W_.col(column).data(), mechanism_.ground(), {}};
    add_opposed(mechanism_.contacts[place.contact]->bodies, w_.k, place.touch.at, place.axis[column % dim_],
                direction);
    w_.constraints.solve(W_.col(column).data(), zero_.data(), X_.col(column).data(),
                         Lambda_.col(column).data());
  }
  A().noalias() = W_.transpose() * X_;
  return places_.size() == set.size();
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
    double time = 2 * difference_time_;
    if (!continues(later, place.touch)) later = place.touch, time -= difference_time_;
    if (!continues(earlier, place.touch)) earlier = place.touch, time -= difference_time_;
    if (!(time > 0)) continue;
    c_[dim_ * i] += (later.rate - earlier.rate) / time;
    for (int r = 1; r < dim_; ++r) c_[dim_ * i + r] += place.axis[r].dot(later.slip - earlier.slip) / time;
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
}

// Unknowns: a normal force each, the tangential ones of contacts that stick; each makes its own row vanish.
void RigidContacts::build_system(const VectorXd& v) {
  const int n = static_cast<int>(places_.size());
  rows_.clear();
  for (int i = 0; i < n; ++i) rows_.push_back(dim_ * i);
  for (int i = 0; i < n; ++i)
    for (int r = 1; places_[i].sticks && r < dim_; ++r) rows_.push_back(dim_ * i + r);
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
    F_.setZero(dim_ * n);
    for (int j = 0; j < x.size(); ++j) {
      F_[rows_[j]] += x[j];
      for (int r = 1; j < n && r < dim_; ++r) F_[rows_[j] + r] += drag_(r - 1, j) * x[j];
    }
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
}

double RigidContacts::hold_margin(int contact) {
  if (first_of_[contact] < 0) return 1;
  Component& component = components_[first_of_[contact]];
  if (component.jams) return -1;
  if (component.contacts.size() > 1 || states_[contact].stick.sticking) return component.sharing.margin();
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
  if (state.stick.sticking || mechanism_.contacts[contact]->rigid->friction == 0) return 1;
  return w_.contacts[contact].touch.slip.dot(state.direction);
}

bool RigidContacts::project(double t, double* q, double* u, const double* z) {
  find_closed();
  if (closed_.empty()) return false;
  const int nu = mechanism_.u_size();
  const double no_gap = 1e-14 * mechanism_.length, no_speed = 1e-15;
  bool changed = false;

  // Mostly nothing has moved: that shows without any direction.
  const auto rests = [&](int c) {
    const Touch touch = mechanism_.contacts[c]->touch(w_.k);
    return std::abs(touch.gap) <= no_gap && std::abs(touch.rate) <= no_speed &&
           (!states_[c].stick.sticking || touch.slip.norm() <= no_speed);
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
}

bool RigidContacts::coulomb(const VectorXd& b, const VectorXd& mu, VectorXd& P) {
  cone_.b = b, cone_.mu = mu, cone_.unit = 0;
  P.setZero(b.size());
  const lcp::Result result = solver_.solve(cone_, P);
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
    const std::size_t n = contacts.size();
    laws_.resize(n), impact_.contacts.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      laws_[i] = *mechanism_.contacts[contacts[i]]->rigid;
      laws_[i].restitution = given[contacts[i]];
      impact_.contacts[i] = {.law = &laws_[i], .stuck = states_[contacts[i]].stick.sticking};
    }
    VectorXd P = VectorXd::Zero(dim_ * static_cast<int>(n));
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
  const int n = static_cast<int>(places_.size());
  // Velocities: none but those of sliding.
  VectorXd velocity = W_.transpose() * Eigen::Map<const VectorXd>(u, mechanism_.u_size());
  VectorXd mu(n);
  std::vector<char> slides(n, 0);
  const double strongest = std::max({c_.cwiseAbs().maxCoeff() + mechanism_.gravity.norm(), 1e-300});
  double delta = HUGE_VAL;
  for (int i = 0; i < n; ++i) {
    const RigidLaw& law = *mechanism_.contacts[places_[i].contact]->rigid;
    const double slip = places_[i].touch.slip.norm();
    slides[i] = slip > at_rest;
    mu[i] = slides[i] ? law.sliding(slip) : law.static_friction;
    velocity[dim_ * i] = 0;
    if (slides[i])
      delta = std::min(delta, short_time * slip / strongest);
    else
      velocity.segment(dim_ * i + 1, dim_ - 1).setZero();
  }
  const bool any_slides = delta < HUGE_VAL;
  if (!any_slides) delta = 1;

  VectorXd P, acceleration;
  std::vector<char> starts(n, 0);
  for (double lowered = first_lowered; lowered < last_lowered; lowered *= 10) {
    // With μ_s of what is at rest, a little less than it is; then with μ of what begins to slip.
    VectorXd used = mu;
    for (int i = 0; i < n; ++i)
      if (!slides[i]) used[i] *= 1 - lowered;
    bool all_stay = true;
    for (bool again = true; again;) {
      again = false;
      if (!forces_over(delta, velocity, used, P)) impossible();
      if (any_slides && (A() * P).cwiseAbs().maxCoeff() > 100 * delta * strongest) {
        VectorXd later;
        if (!forces_over(shorter * delta, velocity, used, later)) impossible();
        if ((A() * later).cwiseAbs().maxCoeff() > 0.5 * (A() * P).cwiseAbs().maxCoeff()) {
          if (!forces_over(shortest * delta, velocity, used, later)) impossible();
          apply(later, u, input);
          for (Percussion& percussion : percussions_) percussion.speed_in = percussion.speed_out = 0;
          return false;
        }
      }
      acceleration = A() * P / delta + c_;
      for (int i = 0; i < n; ++i) {
        if (slides[i] || starts[i] || !(P[dim_ * i] > 0)) continue;
        const double moves = acceleration.segment(dim_ * i + 1, dim_ - 1).norm();
        if (!(moves > std::max(0.1 * lowered * mu[i], 0.1 * no_acceleration) * strongest)) continue;
        starts[i] = 1;
        const double sliding = mechanism_.contacts[places_[i].contact]->rigid->sliding(0);
        again = again || sliding < used[i];
        used[i] = sliding;
      }
    }
    const double force = no_force * P.cwiseAbs().maxCoeff();
    for (int i = 0; i < n; ++i) all_stay = all_stay && P[dim_ * i] > force && !starts[i];
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
