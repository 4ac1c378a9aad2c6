#include "tappet/lcp/tresca.hpp"

#include <algorithm>
#include <cmath>

namespace tappet::lcp {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

struct TrescaLimits {
  // Sweeps before Newton's method and where it is stuck, each time twice as many; Newton's steps; the shortest part of one.
  static constexpr int sweeps = 30, steps = 60;
  static constexpr double shortest = 1e-3;
  // Φ in units of the largest disc: what is sought, and what is good enough, since rounding leaves 10⁻¹⁶ over the compliance.
  static constexpr double sought = 1e-9, sufficient = 1e-6;
};

}  // namespace

// Newton's method on Φ_i = λ_i − P_i(x_i),  x_i = λ_i − g_i/s_i,  where P_i is the nearest point of the disc and s_i the contact's own
// diagonal of A: Φ = 0 is what the minimum says.
double Tresca::evaluate(const MatrixXd& A, const VectorXd& lambda, const std::vector<double>& radii) {
  g_.noalias() = A * (lambda - holding_);
  phi_.resize(lambda.size());
  x_.resize(lambda.size());
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i) * d_;
    x_.segment(at, d_) = lambda.segment(at, d_) - g_.segment(at, d_) / scale_[static_cast<Eigen::Index>(i)];
    const double size = x_.segment(at, d_).norm();
    phi_.segment(at, d_) =
        lambda.segment(at, d_) - (size > radii[i] ? radii[i] / size : 1.0) * x_.segment(at, d_);
  }
  return phi_.norm();
}

// Its generalised derivative: I − P'_i (I − A_i/s_i); inside the disc P' = I, outside r/‖x‖ (I − x̂ x̂ᵀ).
void Tresca::differentiate(const MatrixXd& A, const std::vector<double>& radii) {
  jacobian_.setIdentity(A.rows(), A.cols());
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i) * d_;
    MatrixXd turn = MatrixXd::Identity(d_, d_);
    const double size = x_.segment(at, d_).norm();
    if (size > radii[i]) {
      const VectorXd along = x_.segment(at, d_) / size;
      turn = radii[i] / size * (turn - along * along.transpose());
    }
    jacobian_.block(at, at, d_, d_) -= turn;
    jacobian_.middleRows(at, d_) += turn * A.middleRows(at, d_) / scale_[static_cast<Eigen::Index>(i)];
  }
}

void Tresca::sweep(const MatrixXd& A, const std::vector<double>& radii, VectorXd& lambda) {
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i) * d_;
    VectorXd moved = lambda.segment(at, d_) -
                     A.middleRows(at, d_) * (lambda - holding_) / scale_[static_cast<Eigen::Index>(i)];
    const double size = moved.norm();
    lambda.segment(at, d_) = size > radii[i] ? VectorXd(radii[i] / size * moved) : moved;
  }
}

bool Tresca::solve(const MatrixXd& A, const VectorXd& holding, const std::vector<double>& radii,
                   int dimension, VectorXd& lambda) {
  d_ = dimension;
  holding_ = holding;
  scale_.resize(static_cast<Eigen::Index>(radii.size()));
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i) * d_;
    // The largest eigenvalue of the block, or the trace above it: sweeps then never overshoot.
    scale_[static_cast<Eigen::Index>(i)] = std::max(A.block(at, at, d_, d_).trace(), 1e-300);
  }
  const double unit = std::max(*std::max_element(radii.begin(), radii.end()), 1e-300);
  const double enough = TrescaLimits::sought * unit;
  double merit = evaluate(A, lambda, radii);
  bool stuck = true;
  for (int step = 0; step < TrescaLimits::steps && merit > enough; ++step) {
    if (stuck) {
      for (int k = 0; k < TrescaLimits::sweeps << std::min(step, 6); ++k) sweep(A, radii, lambda);
      merit = evaluate(A, lambda, radii);
    }
    differentiate(A, radii);
    lu_.compute(jacobian_);
    step_ = -lu_.solve(phi_);
    stuck = true;
    for (double part = 1; step_.allFinite() && stuck && part > TrescaLimits::shortest; part *= 0.5) {
      trial_ = lambda + part * step_;
      const double found = evaluate(A, trial_, radii);
      if (!(found < (1 - 0.1 * part) * merit)) continue;
      merit = found;
      lambda = trial_;
      stuck = false;
    }
    if (stuck) evaluate(A, lambda, radii);
  }
  return evaluate(A, lambda, radii) <= TrescaLimits::sufficient * unit;
}

}  // namespace tappet::lcp
