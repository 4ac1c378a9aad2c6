#include "tappet/nonsmooth/rigid_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/QR>
#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/lcp/friction_lcp.hpp"

namespace tappet {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

// Corners of the polygon that stands for the friction disc where a linear problem must decide in space.
constexpr int facets = 16;

// Displacement, of the mechanism's length, over which velocities are differenced: rounding then costs 1e-11, the cubic term
// 1e-11 of the accelerations that curvature makes.
constexpr double difference = 3e-6;

}  // namespace

RigidContacts::RigidContacts(const Model& model, DynamicsWorkspace& w, std::vector<ContactState>& states)
    : model_(model),
      mechanism_(model.mechanism),
      w_(w),
      states_(states),
      dim_(model.mechanism.dimension == Dimension::planar ? 2 : 3),
      lemke_(lcp::make_solver("lemke", {.tolerance = 1e-9, .warm_start = false})),
      cones_(lcp::make_solver("auto", {.tolerance = 1e-12, .warm_start = false})) {
  resize(ahead_, mechanism_.dimension, mechanism_.body_count());
  resize(behind_, mechanism_.dimension, mechanism_.body_count());
  q_.assign(mechanism_.q_size(), 0.0);
  step_.assign(mechanism_.u_size(), 0.0);
  zero_.assign(w.constraints.rows(), 0.0);
}

bool RigidContacts::any_closed() const {
  return std::any_of(states_.begin(), states_.end(), [](const ContactState& s) { return s.touching; });
}

void RigidContacts::gather(const std::vector<int>& set) {
  const int n = dim_ * static_cast<int>(set.size()), nu = mechanism_.u_size(), rows = w_.constraints.rows();
  places_.clear();
  W_.setZero(nu, n);
  X_.resize(nu, n);
  Lambda_.resize(rows, n);
  for (int c : set) {
    Place place;
    place.contact = c;
    place.touch = mechanism_.contacts[c]->touch(w_.k);
    const Tangents tangents = mechanism_.contacts[c]->tangents(w_.k, place.touch);
    place.axis[0] = place.touch.normal, place.axis[1] = tangents.t1, place.axis[2] = tangents.t2;
    const int first = dim_ * static_cast<int>(places_.size());
    for (int r = 0; r < dim_; ++r) {
      ForceSum direction{W_.col(first + r).data(), mechanism_.ground(), {}};
      add_opposed(mechanism_.contacts[c]->bodies, w_.k, place.touch.at, place.axis[r], direction);
      w_.constraints.solve(W_.col(first + r).data(), zero_.data(), X_.col(first + r).data(),
                           Lambda_.col(first + r).data());
    }
    places_.push_back(place);
  }
  A_.noalias() = W_.transpose() * X_;
}

void RigidContacts::gather_accelerations(const double* q, const double* u) {
  const int nu = mechanism_.u_size(), n = static_cast<int>(W_.cols());
  c_ = W_.transpose() * Eigen::Map<const VectorXd>(w_.a.data(), nu);
  // The gaps' and slips' rates along the motion with constant u.
  double speed = 0;
  const int width = velocity_size(mechanism_.dimension), linear = dim_;
  for (int i = 0; i < nu; ++i)
    speed = std::max(speed, std::abs(u[i]) * (i % width < linear ? 1.0 : mechanism_.length));
  if (speed == 0 || n == 0) return;
  const double h = difference * mechanism_.length / speed;
  for (Kinematics* k : {&ahead_, &behind_}) {
    const double step = k == &ahead_ ? h : -h;
    std::copy(q, q + mechanism_.q_size(), q_.begin());
    for (int i = 0; i < nu; ++i) step_[i] = step * u[i];
    displace(mechanism_.dimension, mechanism_.body_count(), q_.data(), step_.data());
    k->contacts = w_.k.contacts;
    update_kinematics(*k, w_.k.t, q_.data(), u, w_.k.z);
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const ContactPoint& contact = *mechanism_.contacts[places_[i].contact];
    const Touch later = contact.touch(ahead_), earlier = contact.touch(behind_);
    c_[dim_ * i] += (later.rate - earlier.rate) / (2 * h);
    for (int r = 1; r < dim_; ++r)
      c_[dim_ * i + r] += places_[i].axis[r].dot(later.slip - earlier.slip) / (2 * h);
  }
}

Vector2d RigidContacts::sliding_direction(const Place& place, double at_rest) const {
  const auto components = [&](const Vec3& v) {
    return Vector2d(v.dot(place.axis[1]), dim_ == 3 ? v.dot(place.axis[2]) : 0.0);
  };
  const Vec3& remembered = states_[place.contact].direction;
  // In the plane the remembered side holds until its event; in space the direction turns with the slip.
  const bool turns = dim_ == 3 && place.touch.slip.norm() > at_rest && place.touch.slip.dot(remembered) > 0;
  const Vector2d d = components(turns ? place.touch.slip : remembered);
  return d.norm() > 0 ? Vector2d(d.normalized()) : Vector2d::UnitX();
}

void RigidContacts::impossible() const {
  double worst = HUGE_VAL;
  int at = places_.front().contact;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const double mu = mechanism_.contacts[places_[i].contact]->rigid->friction;
    const int r = dim_ * static_cast<int>(i);
    const double effective = A_(r, r) - mu * A_.block(r, r + 1, 1, dim_ - 1).norm();
    if (effective < worst) worst = effective, at = places_[i].contact;
  }
  const std::string& name = mechanism_.contacts[at]->name;
  if (worst > 0)
    throw SimulationError(
        w_.k.t,
        fmt::format("no forces were found that satisfy Coulomb's law at '{}' and the other contacts at once. "
                    "Use method moreau, or smooth, whose contacts have stiffness",
                    name));
  throw SimulationError(w_.k.t, fmt::format("no contact force satisfies Coulomb's law at '{}': with rigid "
                                            "bodies and so much friction the normal "
                                            "force has no solution there (Painlevé's paradox; A_nn − μ|A_nt| "
                                            "= {:.3g} 1/kg). Lower the coefficient of "
                                            "friction, or use method smooth, whose contacts have stiffness",
                                            name, worst));
}

void RigidContacts::react(const double* q, const double* u) {
  closed_.clear();
  for (std::size_t c = 0; c < states_.size(); ++c)
    if (states_[c].touching) closed_.push_back(static_cast<int>(c));
  if (closed_.empty()) return;
  gather(closed_);
  gather_accelerations(q, u);

  // Unknowns x: a normal force each, the tangential ones of contacts that stick; each makes the acceleration of its own row vanish.
  const int n = static_cast<int>(closed_.size());
  choose_rows();
  const int unknowns = static_cast<int>(rows_.size());
  drag_.resize(2, n);  // friction of a sliding contact, of its normal force
  for (int i = 0; i < n; ++i) {
    const double mu = mechanism_.contacts[closed_[i]]->rigid->friction;
    const bool drags = !states_[closed_[i]].stick.sticking && mu > 0;
    drag_.col(i) =
        drags ? Vector2d(-mu * sliding_direction(places_[i], 1e-9 * mechanism_.length)) : Vector2d::Zero();
  }
  system_.resize(unknowns, unknowns);
  x_.resize(unknowns);
  for (int j = 0; j < unknowns; ++j) {
    for (int i = 0; i < unknowns; ++i) {
      system_(i, j) = A_(rows_[i], rows_[j]);
      if (j < n)
        for (int r = 1; r < dim_; ++r) system_(i, j) += drag_(r - 1, j) * A_(rows_[i], rows_[j] + r);
    }
    x_[j] = -c_[rows_[j]];
  }
  for (int i = 0; i < n; ++i)
    if (!(system_(i, i) > 0)) impossible();
  least_solution();
  F_.setZero(dim_ * n);
  for (int j = 0; j < unknowns; ++j) {
    F_[rows_[j]] += x_[j];
    if (j < n)
      for (int r = 1; r < dim_; ++r) F_[rows_[j] + r] += drag_(r - 1, j) * x_[j];
  }

  Eigen::Map<VectorXd>(w_.a.data(), W_.rows()).noalias() += X_ * F_;
  Eigen::Map<VectorXd>(w_.h.data(), W_.rows()).noalias() += W_ * F_;
  reactions_.noalias() = Lambda_ * F_;
  for (int r = 0; r < w_.constraints.rows(); ++r) {
    w_.lambda[r] += reactions_[r];
    w_.powers.input -= reactions_[r] * w_.constraints.phi_t()[r];
  }
  for (int i = 0; i < n; ++i) {
    ContactInstant& now = w_.contacts[closed_[i]];
    now.touch = places_[i].touch;
    now.force = {};
    now.force.normal = F_[dim_ * i];
    for (int r = 1; r < dim_; ++r) now.force.tangential += F_[dim_ * i + r] * places_[i].axis[r];
    if (!states_[closed_[i]].stick.sticking)
      now.force.friction_loss = -now.force.tangential.dot(now.touch.slip);
    w_.powers.friction += now.force.friction_loss;
  }
}

bool RigidContacts::project(double t, double* q, double* u, const double* z) {
  closed_.clear();
  for (std::size_t c = 0; c < states_.size(); ++c)
    if (states_[c].touching) closed_.push_back(static_cast<int>(c));
  if (closed_.empty()) return false;
  const int n = static_cast<int>(closed_.size()), nu = mechanism_.u_size();
  bool changed = false;
  w_.constraints.factor(mechanism_.inverse_mass);
  gather(closed_);

  // Positions: along the normals until the gaps vanish.
  for (int pass = 0; pass < 4; ++pass) {
    system_.resize(n, n);
    x_.resize(n);
    for (int i = 0; i < n; ++i) {
      x_[i] = -places_[i].touch.gap;
      for (int j = 0; j < n; ++j) system_(i, j) = A_(dim_ * i, dim_ * j);
    }
    if (x_.cwiseAbs().maxCoeff() <= 1e-14 * mechanism_.length) break;
    least_solution();
    Eigen::Map<VectorXd> moved(step_.data(), nu);
    moved.setZero();
    for (int i = 0; i < n; ++i) moved += x_[i] * X_.col(dim_ * i);
    displace(mechanism_.dimension, mechanism_.body_count(), q, step_.data());
    update_kinematics(w_.k, t, q, u, z);
    w_.constraints.evaluate(w_.k);
    w_.constraints.factor(mechanism_.inverse_mass);
    gather(closed_);
    changed = true;
  }

  // Velocities: normal ones, and the tangential ones of contacts that stick.
  choose_rows();
  const int unknowns = static_cast<int>(rows_.size());
  Eigen::Map<VectorXd> velocity(u, nu);
  system_.resize(unknowns, unknowns);
  x_.resize(unknowns);
  for (int j = 0; j < unknowns; ++j) {
    for (int i = 0; i < unknowns; ++i) system_(i, j) = A_(rows_[i], rows_[j]);
    x_[j] = -W_.col(rows_[j]).dot(velocity);
  }
  if (x_.cwiseAbs().maxCoeff() <= 1e-15) return changed;
  least_solution();
  for (int j = 0; j < unknowns; ++j) velocity += x_[j] * X_.col(rows_[j]);
  return true;
}

// Normals of the closed contacts first, then the tangents of those that stick.
void RigidContacts::choose_rows() {
  rows_.clear();
  for (std::size_t i = 0; i < closed_.size(); ++i) rows_.push_back(dim_ * static_cast<int>(i));
  for (std::size_t i = 0; i < closed_.size(); ++i)
    if (states_[closed_[i]].stick.sticking)
      for (int r = 1; r < dim_; ++r) rows_.push_back(dim_ * static_cast<int>(i) + r);
}

// x ← the least solution of system x = x: loads that repeated contacts share are the smallest that do.
void RigidContacts::least_solution() {
  if (x_.size() == 1) {
    x_[0] /= system_(0, 0);
    return;
  }
  least_.compute(system_);
  x_ = least_.solve(x_).eval();
}

// The linear complementarity problem of [Stewart & Trinkle 1996], with one direction each way in the plane, where it is
// exact, and a polygon in space. Contacts that slide already have their friction in the normal column.
void RigidContacts::solve(const VectorXd& b, const VectorXd& mu, const std::vector<char>& slides,
                          const std::vector<Vector2d>& direction, const VectorXd& floor, VectorXd& F) {
  const int n = static_cast<int>(places_.size()), sides = dim_ == 2 ? 2 : facets;
  std::vector<int> free;
  for (int i = 0; i < n; ++i)
    if (!slides[i] && mu[i] > 0) free.push_back(i);
  const int nf = static_cast<int>(free.size()), size = n + nf * (sides + 1);

  // F = B z for z = (F_n − floor, β, σ), and the rows Bw of w that are γ̇ along n and along the facets.
  MatrixXd B = MatrixXd::Zero(dim_ * n, size), rows = MatrixXd::Zero(size, dim_ * n);
  for (int i = 0; i < n; ++i) {
    B(dim_ * i, i) = rows(i, dim_ * i) = 1;
    if (slides[i])
      for (int r = 1; r < dim_; ++r) B(dim_ * i + r, i) = -mu[i] * direction[i][r - 1];
  }
  for (int f = 0; f < nf; ++f)
    for (int s = 0; s < sides; ++s) {
      const double angle = 2 * std::numbers::pi * s / sides;
      const double along[2] = {dim_ == 2 ? (s == 0 ? 1.0 : -1.0) : std::cos(angle), std::sin(angle)};
      for (int r = 1; r < dim_; ++r)
        B(dim_ * free[f] + r, n + f * sides + s) = rows(n + f * sides + s, dim_ * free[f] + r) = along[r - 1];
    }
  lcp::Lcp problem;
  MatrixXd M = rows * A_ * B;
  VectorXd base = VectorXd::Zero(dim_ * n);
  for (int i = 0; i < n; ++i) base += floor[i] * B.col(i);
  VectorXd q = rows * (b + A_ * base);
  for (int f = 0; f < nf; ++f) {
    const int i = free[f], sigma = n + nf * sides + f;
    const double unit = lcp::friction_row_factor(A_(dim_ * i, dim_ * i), A_(dim_ * i + 1, dim_ * i + 1));
    for (int s = 0; s < sides; ++s) {
      M(n + f * sides + s, sigma) = 1;
      M(sigma, n + f * sides + s) = -unit;
    }
    M(sigma, i) = unit * mu[i];
    q[sigma] = unit * mu[i] * floor[i];
  }
  problem.M = std::move(M);
  problem.q = std::move(q);
  VectorXd z;
  const lcp::Result result = lemke_->solve(problem, z);
  if (result.status != lcp::Status::converged) impossible();
  F = base + B * z;
}

void RigidContacts::solve_cones(const VectorXd& b, const VectorXd& mu, VectorXd& F) {
  lcp::ConeProblem problem;
  problem.dimension = dim_;
  problem.W = A_;
  problem.b = b;
  problem.mu = mu;
  const lcp::Result result = cones_->solve(problem, F);
  if (result.status == lcp::Status::infeasible || !(result.residual < 1e-8)) impossible();
}

const std::vector<RigidContacts::Percussion>& RigidContacts::impact(const std::vector<int>& set,
                                                                    const std::vector<double>& restitution,
                                                                    double* u, double& input) {
  gather(set);
  const int n = static_cast<int>(set.size()), nu = mechanism_.u_size();
  Eigen::Map<VectorXd> velocity(u, nu);
  const VectorXd before = W_.transpose() * velocity;
  VectorXd mu(n), none = VectorXd::Zero(n), P = VectorXd::Zero(dim_ * n);
  for (int i = 0; i < n; ++i) mu[i] = mechanism_.contacts[set[i]]->rigid->friction;
  const std::vector<char> slides(n, 0);
  const std::vector<Vector2d> direction(n, Vector2d::Zero());
  const bool exact_cones = dim_ == 3 && mu.maxCoeff() > 0;

  if (model_.settings.impact_law == ImpactLaw::newton) {
    VectorXd b = before;
    for (int i = 0; i < n; ++i) {
      b[dim_ * i] *= 1 + restitution[i];
      b.segment(dim_ * i + 1, dim_ - 1) *= 1 + mechanism_.contacts[set[i]]->rigid->tangential_restitution;
    }
    exact_cones ? solve_cones(b, mu, P) : solve(b, mu, slides, direction, none, P);
  } else {
    // Compression to relative rest, then expansion with ε times what was stored.
    exact_cones ? solve_cones(before, mu, P) : solve(before, mu, slides, direction, none, P);
    VectorXd stored(n), expansion = VectorXd::Zero(dim_ * n);
    for (int i = 0; i < n; ++i) stored[i] = restitution[i] * P[dim_ * i];
    if (stored.maxCoeff() > 0) {
      solve(before + A_ * P, mu, slides, direction, stored, expansion);
      P += expansion;
    }
  }

  velocity += X_ * P;
  const VectorXd after = W_.transpose() * velocity;
  const VectorXd reactions = Lambda_ * P;
  for (int r = 0; r < w_.constraints.rows(); ++r) input -= reactions[r] * w_.constraints.phi_t()[r];
  percussions_.clear();
  for (int i = 0; i < n; ++i) {
    const int r = dim_ * i;
    percussions_.push_back(
        {.contact = set[i],
         .speed_in = -before[r],
         .speed_out = after[r],
         .impulse = P[r],
         .normal_loss = -0.5 * P[r] * (after[r] + before[r]),
         .friction_loss = -0.5 * P.segment(r + 1, dim_ - 1)
                                     .dot(after.segment(r + 1, dim_ - 1) + before.segment(r + 1, dim_ - 1))});
  }
  return percussions_;
}

void RigidContacts::decide(const std::vector<int>& set, const double* q, const double* u, double at_rest,
                           int overcome) {
  if (set.empty()) return;
  gather(set);
  gather_accelerations(q, u);
  const int n = static_cast<int>(set.size());
  VectorXd mu(n), none = VectorXd::Zero(n), F = VectorXd::Zero(dim_ * n);
  std::vector<char> slides(n, 0);
  std::vector<Vector2d> direction(n, Vector2d::Zero());
  for (int i = 0; i < n; ++i) {
    const RigidLaw& law = *mechanism_.contacts[set[i]]->rigid;
    slides[i] = places_[i].touch.slip.norm() > at_rest;
    mu[i] = slides[i] ? law.friction : law.static_friction;
    if (!slides[i]) continue;
    states_[set[i]].direction = places_[i].touch.slip.normalized();
    direction[i] = sliding_direction(places_[i], at_rest);
  }
  // In space a polygon would let go before the cone does, in its own direction: only where some slide already is it good enough.
  if (dim_ == 3 && mu.maxCoeff() > 0 &&
      std::none_of(slides.begin(), slides.end(), [](char each) { return each; }))
    solve_cones(c_, mu, F);
  else
    solve(c_, mu, slides, direction, none, F);

  const VectorXd acceleration = A_ * F + c_;
  const double force = 1e-10 * std::max(F.cwiseAbs().maxCoeff(), 1e-300),
               still = 1e-10 * std::max({c_.cwiseAbs().maxCoeff(), mechanism_.gravity.norm(), 1e-300});
  for (int i = 0; i < n; ++i) {
    ContactState& state = states_[set[i]];
    const int r = dim_ * i;
    state.touching = F[r] > force;
    state.branch = !state.touching && acceleration[r] <= still ? 1 : 0;
    state.stick = {};
    if (!state.touching || slides[i]) continue;
    const auto slip = acceleration.segment(r + 1, dim_ - 1);
    const double friction = F.segment(r + 1, dim_ - 1).norm();
    const bool lets_go = set[i] == overcome && friction >= (1 - 1e-8) * mu[i] * F[r];
    state.stick.sticking = mu[i] > 0 && slip.norm() <= still && !lets_go;
    state.direction.setZero();
    for (int k = 1; k < dim_; ++k)
      state.direction += (lets_go ? -F[r + k] : acceleration[r + k]) * places_[i].axis[k];
    if (state.direction.norm() > 0) state.direction.normalize();
  }
}

double RigidContacts::acceleration(int contact, const double* q, const double* u) {
  gather({contact});
  gather_accelerations(q, u);
  return c_[0];
}

double RigidContacts::normal_margin(int contact) const {
  return w_.contacts[contact].force.normal;
}

double RigidContacts::friction_margin(int contact) const {
  const ContactInstant& now = w_.contacts[contact];
  const RigidLaw& law = *mechanism_.contacts[contact]->rigid;
  if (law.friction == 0 && law.static_friction == 0) return 1;
  if (states_[contact].stick.sticking)
    return law.static_friction * now.force.normal - now.force.tangential.norm();
  return now.touch.slip.dot(states_[contact].direction);
}

}  // namespace tappet
