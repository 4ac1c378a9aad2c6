#include "tappet/lcp/newton_lcp.hpp"

#include <algorithm>
#include <cmath>

namespace tappet::lcp {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// φ(a, b) = a + b − √(a² + b²), without cancellation where both are positive.
double fischer_burmeister(double a, double b) {
  const double root = std::hypot(a, b);
  return a + b > 0 && root > 0 ? 2 * a * b / (a + b + root) : a + b - root;
}

void solve_in_place(const Eigen::PartialPivLU<MatrixXd>& lu, const VectorXd& right, VectorXd& x) {
  x.noalias() = lu.permutationP() * right;
  lu.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(x);
  lu.matrixLU().triangularView<Eigen::Upper>().solveInPlace(x);
}

}  // namespace

double FischerBurmeisterNewton::merit(const VectorXd& z, const VectorXd& w, const VectorXd& scale,
                                      VectorXd& phi) const {
  phi.resize(z.size());
  for (int i = 0; i < z.size(); ++i) phi[i] = fischer_burmeister(scale[i] * z[i], w[i]);
  return 0.5 * phi.squaredNorm();
}

void FischerBurmeisterNewton::fill_jacobian(const MatrixXd& m, const VectorXd& z, const VectorXd& w,
                                            const VectorXd& scale) {
  // Columns are divided by their scale: the unknown is c_i z_i, of the unit of w.
  const int n = static_cast<int>(z.size());
  jacobian_.resize(n, n);
  for (int j = 0; j < n; ++j) jacobian_.col(j) = m.col(j) / scale[j];
  for (int i = 0; i < n; ++i) {
    const double a = scale[i] * z[i], b = w[i], root = std::hypot(a, b);
    // At the kink any element of the generalised derivative will do; this one treats both alike.
    const double da = root > 0 ? 1 - a / root : 1 - std::sqrt(0.5), db = root > 0 ? 1 - b / root : da;
    jacobian_.row(i) *= db;
    jacobian_(i, i) += da;
  }
}

bool FischerBurmeisterNewton::find_direction(double psi) {
  const int n = static_cast<int>(phi_.size());
  gradient_.noalias() = jacobian_.transpose() * phi_;
  trial_phi_ = -phi_;
  lu_.compute(jacobian_);
  const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
  if (pivots.minCoeff() > 1e-13 * pivots.maxCoeff()) {
    solve_in_place(lu_, trial_phi_, direction_);
    // Descent, in the sense of [De Luca, Facchinei & Kanzow 1996], with exponent 2.1.
    if (direction_.allFinite() && gradient_.dot(direction_) <= -1e-8 * std::pow(direction_.norm(), 2.1))
      return true;
  }
  // (JᵀJ + ν) d = −Jᵀ Φ, where ν falls with the residual, so that convergence stays fast at singular
  // solutions.
  normal_.noalias() = jacobian_.transpose() * jacobian_;
  const double nu = std::min(1e-2, std::sqrt(2 * psi)) * 1e-2 + 1e-14;
  normal_.diagonal().array() += nu;
  lu_.compute(normal_);
  trial_phi_ = -gradient_;
  solve_in_place(lu_, trial_phi_, direction_);
  if (!direction_.allFinite()) direction_ = -gradient_;
  return n > 0 && gradient_.dot(direction_) < 0;
}

void FischerBurmeisterNewton::polish(const MlcpView& problem, const MatrixXd& m, Measure& measure,
                                     VectorXd& z, double& best) {
  // Where c z > w the row is w = 0, else z = 0.
  const int n = problem.size();
  trial_w_ = problem.q;
  trial_w_.noalias() += m * z;
  jacobian_.setZero(n, n);
  trial_phi_.setZero(n);
  for (int i = 0; i < n; ++i) {
    if (measure.scale[i] * z[i] > trial_w_[i]) {
      trial_phi_[i] = -problem.q[i];
    } else {
      jacobian_(i, i) = 1;
    }
  }
  for (int j = 0; j < n; ++j) {
    if (jacobian_(j, j) == 1) continue;
    for (int i = 0; i < n; ++i)
      if (measure.scale[i] * z[i] > trial_w_[i]) jacobian_(i, j) = m(i, j) / measure.scale[j];
  }
  lu_.compute(jacobian_);
  solve_in_place(lu_, trial_phi_, trial_);
  if (!trial_.allFinite()) return;
  trial_ = trial_.cwiseQuotient(measure.scale).cwiseMax(0.0);
  const double now = residual(problem, trial_, measure);
  if (now < best) best = now, z = trial_;
}

int FischerBurmeisterNewton::solve(const MlcpView& problem, double tolerance, int max_steps, Measure& measure,
                                   VectorXd& z) {
  const MatrixXd& m = std::get<MatrixXd>(problem.M);
  const VectorXd& scale = measure.scale;
  x_ = z;
  double best = residual(problem, x_, measure);
  int step = 0;
  // The last merits: a step may climb, but not above the worst of them.
  constexpr int memory = 5;
  double recent[memory];
  std::fill(recent, recent + memory, INFINITY);

  w_ = problem.q;
  w_.noalias() += m * x_;
  double psi = merit(x_, w_, scale, phi_) / (measure.unit * measure.unit);
  while (best > tolerance && step < max_steps) {
    recent[step % memory] = psi;
    ++step;
    fill_jacobian(m, x_, w_, scale);
    phi_ /= measure.unit;
    if (!find_direction(psi)) break;

    // d is in units of w; back to z, and one product for the whole line.
    direction_ = direction_.cwiseQuotient(scale) * measure.unit;
    m_direction_.noalias() = m * direction_;
    const double slope = gradient_.dot(direction_.cwiseProduct(scale)) / measure.unit;
    double ceiling = 0;
    for (double value : recent) ceiling = std::max(ceiling, std::isinf(value) ? 0 : value);
    double t = 1;
    for (int halving = 0; halving < 40; ++halving, t *= 0.5) {
      trial_ = x_ + t * direction_;
      trial_w_ = w_ + t * m_direction_;
      const double next = merit(trial_, trial_w_, scale, trial_phi_) / (measure.unit * measure.unit);
      if (next <= ceiling + 1e-4 * t * slope) break;
    }
    x_ = trial_;
    w_ = problem.q;
    w_.noalias() += m * x_;
    psi = merit(x_, w_, scale, phi_) / (measure.unit * measure.unit);
    const double now = residual(problem, x_, measure);
    if (now < best) best = now, z = x_;
    if (now < 1e-3 && best > tolerance) polish(problem, m, measure, z, best);
    if (t < 1e-11) break;
  }
  if (best > 0) polish(problem, m, measure, z, best);
  return step;
}

}  // namespace tappet::lcp
