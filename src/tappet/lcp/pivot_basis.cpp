#include "tappet/lcp/pivot_basis.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tappet::lcp {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void PivotBasis::start(const MatrixXd& m, const VectorXd& q, const VectorXd& scale, const VectorXd& cover) {
  const int n = static_cast<int>(q.size());
  m_ = &m;
  scale_ = scale;
  cover_ = cover;
  q_scale_ = n > 0 ? q.lpNorm<Eigen::Infinity>() : 0;
  if (!(q_scale_ > 0)) q_scale_ = 1;
  q_ = q / q_scale_;
  basic_.resize(n);
  row_of_.assign(2 * n + 1, -1);
  for (int i = 0; i < n; ++i) basic_[i] = row_of_[i] = i;
  inverse_.setIdentity(n, n);
  x_ = q_;
  since_factor_ = 0;
  entering_ = -1;
}

bool PivotBasis::start_from(const std::vector<char>& in_basis) {
  const int n = size();
  row_of_.assign(2 * n + 1, -1);
  for (int i = 0; i < n; ++i) {
    basic_[i] = in_basis[i] ? n + i : i;
    row_of_[basic_[i]] = i;
  }
  refactor();
  // Singular to working precision: the inverse has run away.
  if (inverse_.allFinite() && inverse_.cwiseAbs().maxCoeff() < 1e10) return true;
  for (int i = 0; i < n; ++i) {
    row_of_[basic_[i]] = -1;
    basic_[i] = i;
    row_of_[i] = i;
  }
  inverse_.setIdentity(n, n);
  x_ = q_;
  return false;
}

void PivotBasis::column_of(int variable, Eigen::Ref<VectorXd> out) const {
  const int n = size();
  if (variable < n) {
    out.setZero();
    out[variable] = 1;
  } else if (variable < 2 * n) {
    out = m_->col(variable - n) * (-1 / scale_[variable - n]);
  } else {
    out = -cover_;
  }
}

const VectorXd& PivotBasis::enter(int variable) {
  entering_ = variable;
  if (variable < size()) {
    column_ = inverse_.col(variable);
  } else {
    own_.resize(size());
    column_of(variable, own_);
    column_.noalias() = inverse_ * own_;
  }
  return column_;
}

void PivotBasis::pivot(int row) {
  assert(entering_ >= 0 && column_[row] != 0);
  row_of_[basic_[row]] = -1;
  basic_[row] = entering_;
  row_of_[entering_] = row;
  entering_ = -1;

  if (++since_factor_ >= std::max(50, size())) {
    refactor();
    return;
  }
  // One row operation: the pivot row divided, and subtracted from the others.
  const double theta = x_[row] / column_[row], pivot = column_[row];
  column_[row] = 0;
  x_.noalias() -= theta * column_;
  x_[row] = theta;
  for (int j = 0; j < size(); ++j) {
    const double factor = inverse_(row, j) / pivot;
    if (factor == 0) continue;
    inverse_.col(j).noalias() -= factor * column_;
    inverse_(row, j) = factor;
  }
}

void PivotBasis::refactor() {
  const int n = size();
  work_.resize(n, n);
  for (int i = 0; i < n; ++i) column_of(basic_[i], work_.col(i));
  lu_.compute(work_);
  work_.setIdentity();
  inverse_.noalias() = lu_.permutationP() * work_;
  lu_.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(inverse_);
  lu_.matrixLU().triangularView<Eigen::Upper>().solveInPlace(inverse_);
  x_.noalias() = inverse_ * q_;
  since_factor_ = 0;
}

bool PivotBasis::lexicographically_before(int i, int k) const {
  const auto before = [](double a, double b) {
    return std::abs(a - b) > 1e-12 * (std::abs(a) + std::abs(b)) + 1e-14;
  };
  for (int j = 0; j < size(); ++j) {
    const double a = inverse_(i, j) / column_[i], b = inverse_(k, j) / column_[k];
    if (before(a, b)) return a < b;
  }
  return i < k;
}

void PivotBasis::solution(VectorXd& z) {
  // One step of iterative refinement against the columns of M themselves.
  const int n = size();
  residual_ = q_;
  own_.resize(n);
  for (int i = 0; i < n; ++i) {
    column_of(basic_[i], own_);
    residual_.noalias() -= x_[i] * own_;
  }
  x_.noalias() += inverse_ * residual_;

  z.setZero(n);
  for (int i = 0; i < n; ++i) {
    const int j = basic_[i] - n;
    if (j >= 0 && j < n) z[j] = std::max(0.0, x_[i]) * q_scale_ / scale_[j];
  }
}

void PivotBasis::ray(VectorXd& z) const {
  const int n = size();
  z.setZero(n);
  const auto set = [&](int variable, double value) {
    const int j = variable - n;
    if (j >= 0 && j < n) z[j] = std::max(0.0, value) / scale_[j];
  };
  for (int i = 0; i < n; ++i) set(basic_[i], -column_[i]);
  set(entering_, 1);
}

}  // namespace tappet::lcp
