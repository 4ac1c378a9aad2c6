#include "tappet/nonsmooth/load_sharing.hpp"

#include <algorithm>
#include <cmath>

namespace tappet {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Pivots of S below this part of the largest are rounding: rows that repeat others.
constexpr double rank_tolerance = 1e-10;
// Forces with margins above this part of their sum need no programme.
constexpr double plenty = 1e-3;
// A set that clamps itself without limit has this margin.
constexpr double largest_margin = 1;
// ρ: keeps y finite where the margin does not depend on it. The margin is off by its square.
constexpr double regularisation = 1e-6;
// ν/τ at the end, and what τ grows by from one minimum to the next.
constexpr double margin_tolerance = 1e-12, growth = 100;
// Newton steps per minimum; λ below which it is met, and below which Newton's method is sure to converge.
constexpr int most_newton_steps = 60;
constexpr double met = 1e-3, sure = 0.25;

// Whether two unknowns are far from depending on each other, so that determinants will do: the pivots of S's decomposition are its
// longer column and the determinant over that.
bool independent(const MatrixXd& system) {
  constexpr double well = 1e-2;
  const double longer = std::max(system.col(0).squaredNorm(), system.col(1).squaredNorm());
  return std::abs(system(0, 0) * system(1, 1) - system(0, 1) * system(1, 0)) > well * longer;
}

}  // namespace

void LoadSharing::set(const MatrixXd& system, const VectorXd& right, std::vector<Member> members,
                      int tangents) {
  members_ = std::move(members);
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (members_[i].normal < 0) members_[i].normal = static_cast<int>(i);
    if (members_[i].size == 0) members_[i].size = tangents;
  }
  const int n = static_cast<int>(right.size());
  freedom_ = 0;
  if (n == 1) {
    least_ = right / system(0, 0);
  } else if (n == 2 && independent(system)) {
    // Mostly one contact that sticks, in the plane.
    const double determinant = system(0, 0) * system(1, 1) - system(0, 1) * system(1, 0);
    least_.resize(2);
    least_[0] = (system(1, 1) * right[0] - system(0, 1) * right[1]) / determinant;
    least_[1] = (system(0, 0) * right[1] - system(1, 0) * right[0]) / determinant;
  } else {
    decomposition_.setThreshold(rank_tolerance);
    decomposition_.compute(system);
    least_ = decomposition_.solve(right);
    freedom_ = n - static_cast<int>(decomposition_.rank());
  }
  unit_ = std::max(least_.cwiseAbs().sum(), 1e-300);
  margin_of_least_ = margin_of(least_);
}

// The least margin of all members at x, in units of force.
double LoadSharing::margin_of(const VectorXd& x) const {
  double worst = HUGE_VAL;
  for (const Member& member : members_) {
    const double margin = member.tangent < 0
                              ? x[member.normal]
                              : member.mu * x[member.normal] - x.segment(member.tangent, member.size).norm();
    worst = std::min(worst, margin / unit_);
  }
  return worst;
}

void LoadSharing::find_freedom() {
  free_ =
      decomposition_.colsPermutation() * MatrixXd(decomposition_.matrixZ().transpose().rightCols(freedom_));
}

double LoadSharing::margin() {
  if (freedom_ == 0 || margin_of_least_ >= plenty) return margin_of_least_;
  find_freedom();
  VectorXd v;
  return std::min(plenty, solve_margin(plenty, v));
}

const VectorXd& LoadSharing::forces() {
  if (freedom_ == 0 || margin_of_least_ >= 0) return least_;
  find_freedom();
  VectorXd v;
  if (solve_margin(margin_tolerance, v) > 0) {
    // Inside all cones: from here to the least of them.
    v[freedom_] = 0;
    const double last = 2.0 * static_cast<double>(members_.size()) / margin_tolerance;
    for (double tau = 1; tau < last; tau *= growth) descend(tau, 1, true, v);
  }
  shared_ = unit_ * at(v);
  return shared_;
}

// The largest m, or one that is `enough`, and its v.
double LoadSharing::solve_margin(double enough, VectorXd& v) {
  v = VectorXd::Zero(freedom_ + 1);
  v[freedom_] = std::min(margin_of_least_, 0.0) - 0.1;
  const double last = 2.0 * static_cast<double>(members_.size()) / margin_tolerance;
  for (double tau = 1; tau < last; tau *= growth) {
    descend(tau, regularisation, false, v);
    if (v[freedom_] > enough) break;
  }
  return v[freedom_];
}

// x/unit.
VectorXd LoadSharing::at(const VectorXd& v) const {
  return least_ / unit_ + free_ * v.head(freedom_);
}

bool LoadSharing::inside(const VectorXd& v, double& barrier) const {
  const VectorXd x = at(v);
  const double m = v[freedom_];
  if (!(m < largest_margin)) return false;
  barrier = -std::log(largest_margin - m);
  for (const Member& member : members_) {
    const double s = (member.tangent < 0 ? 1 : member.mu) * x[member.normal] - m;
    const double t = member.tangent < 0 ? 0 : x.segment(member.tangent, member.size).norm();
    if (!(s > t)) return false;
    barrier -= member.tangent < 0 ? std::log(s) : std::log(s - t) + std::log(s + t);
  }
  return true;
}

// Gradient and second derivatives of the barrier. With d = s² − ‖w‖², g = ∇d: −log d has −g/d and g gᵀ/d² − ∇²d/d.
void LoadSharing::add_barrier(const VectorXd& v) {
  const VectorXd x = at(v);
  const int n = freedom_ + 1;
  const double m = v[freedom_], room = largest_margin - m;
  barrier_.gradient[freedom_] += 1 / room;
  barrier_.hessian(freedom_, freedom_) += 1 / (room * room);
  VectorXd of_s(n), g(n);
  MatrixXd of_w;
  for (const Member& member : members_) {
    const double own = member.tangent < 0 ? 1 : member.mu, s = own * x[member.normal] - m;
    of_s << own * free_.row(member.normal).transpose(), -1;
    if (member.tangent < 0) {
      barrier_.gradient -= of_s / s;
      barrier_.hessian.noalias() += of_s * (of_s / (s * s)).transpose();
      continue;
    }
    const auto w = x.segment(member.tangent, member.size);
    of_w.resize(member.size, n);
    of_w << free_.middleRows(member.tangent, member.size), VectorXd::Zero(member.size);
    const double size = w.norm(), d = (s - size) * (s + size);
    g = 2 * (s * of_s - of_w.transpose() * w) / d;
    barrier_.gradient -= g;
    barrier_.hessian.noalias() += g * g.transpose();
    barrier_.hessian.noalias() -= of_s * (of_s * (2 / d)).transpose();
    barrier_.hessian.noalias() += of_w.transpose() * (of_w * (2 / d));
  }
}

void LoadSharing::descend(double tau, double rho, bool fixed, VectorXd& v) {
  const int ny = freedom_, n = fixed ? ny : ny + 1;
  const auto objective = [&](const VectorXd& at) {
    return tau * (0.5 * rho * at.head(ny).squaredNorm() - at[ny]);
  };
  double value = 0;
  if (!inside(v, value)) return;
  value += objective(v);
  for (int step = 0; step < most_newton_steps; ++step) {
    barrier_.gradient = VectorXd::Zero(ny + 1);
    barrier_.hessian = MatrixXd::Zero(ny + 1, ny + 1);
    add_barrier(v);
    barrier_.gradient.head(ny) += tau * rho * v.head(ny);
    barrier_.gradient[ny] -= tau;
    barrier_.hessian.diagonal().head(ny).array() += tau * rho;
    factor_.compute(barrier_.hessian.topLeftCorner(n, n));
    VectorXd direction = VectorXd::Zero(ny + 1);
    direction.head(n) = -factor_.solve(barrier_.gradient.head(n));
    // λ: what Newton's method is away from the minimum, in the barrier's own measure.
    const double slope = direction.dot(barrier_.gradient), lambda = std::sqrt(std::max(0.0, -slope));
    if (factor_.info() != Eigen::Success || !(lambda > met)) return;
    if (lambda < sure) {  // a whole step stays inside and squares λ
      v += direction;
      value = HUGE_VAL;
      continue;
    }
    if (value == HUGE_VAL) inside(v, value), value += objective(v);
    double part = 1;
    for (; part > 1e-12; part *= 0.5) {
      double trial = 0;
      const VectorXd next = v + part * direction;
      if (!inside(next, trial)) continue;
      trial += objective(next);
      if (!(trial <= value + 0.1 * part * slope)) continue;
      v = next;
      value = trial;
      break;
    }
    if (part <= 1e-12) return;
  }
}

}  // namespace tappet
