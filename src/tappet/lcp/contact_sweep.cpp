#include "tappet/lcp/contact_sweep.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "tappet/lcp/matrix.hpp"

namespace tappet::lcp {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// block ← its pseudo-inverse, since the rows of a joint may repeat each other.
void pseudo_invert(Eigen::Ref<MatrixXd> block) {
  using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, max_block, max_block>;
  assert(block.rows() <= max_block);
  const Eigen::SelfAdjointEigenSolver<Block> eigen(Block(block.selfadjointView<Eigen::Lower>()));
  const double floor = 1e-12 * eigen.eigenvalues().maxCoeff();
  block.setZero();
  for (int k = 0; k < block.rows(); ++k) {
    const double value = eigen.eigenvalues()[k];
    const auto vector = eigen.eigenvectors().col(k);
    if (value > floor) block += (1 / value) * vector.lazyProduct(vector.transpose());
  }
}

template <int D>
void prepare_contacts(const ConeProblem& problem, const double* block, std::vector<OneContact<D>>& contacts) {
  contacts.resize(problem.contacts());
  for (int c = 0; c < problem.contacts(); ++c, block += D * D) contacts[c].prepare(block, problem.mu[c]);
}

}  // namespace

void ContactSweep::prepare(const ConeProblem& problem) {
  problem_ = &problem;
  block_starts(problem.W, problem.dimension, start_);
  diagonal_blocks(problem.W, start_, diagonal_);
  double* block = diagonal_.data();
  for (equality_blocks_ = 0; start_[equality_blocks_] < problem.equalities; ++equality_blocks_) {
    const int size = start_[equality_blocks_ + 1] - start_[equality_blocks_];
    pseudo_invert(Eigen::Map<MatrixXd>(block, size, size));
    block += size * size;
  }
  if (problem.dimension == 3) {
    prepare_contacts<3>(problem, block, contacts3_);
  } else {
    prepare_contacts<2>(problem, block, contacts2_);
  }
}

void ContactSweep::start(const VectorXd& r) {
  with_rows(rows_, problem_->W,
            [&](auto& rows, const auto& w) { rows.start(w, problem_->b, r, problem_->dimension); });
}

VectorXd& ContactSweep::state() {
  VectorXd* state = nullptr;
  with_rows(rows_, problem_->W, [&](auto& rows, const auto&) { state = &rows.state(); });
  return *state;
}

void ContactSweep::velocity(const VectorXd& r, VectorXd& u, VectorXd& inner) {
  if (const auto* gram = std::get_if<Gram>(&problem_->W)) {
    u = problem_->b;
    multiply_add(gram->factor, rows_.gram.state().data(), u.data());
  } else {
    multiply(problem_->W, r, problem_->b, u, inner);
  }
}

double ContactSweep::sweep(double omega, VectorXd& r) {
  double moved = 0;
  with_rows(rows_, problem_->W, [&](auto& rows, const auto&) {
    moved =
        problem_->dimension == 3 ? pass<3>(rows, contacts3_, omega, r) : pass<2>(rows, contacts2_, omega, r);
  });
  return moved;
}

template <int D, class RowsT>
double ContactSweep::pass(RowsT& rows, const std::vector<OneContact<D>>& contacts, double omega,
                          VectorXd& r) {
  const double* block = diagonal_.data();
  double u[max_block], change[max_block], moved = 0;

  for (int i = 0; i < equality_blocks_; ++i) {
    const int size = start_[i + 1] - start_[i];
    rows.gather(i, r.data(), u);
    for (int k = 0; k < size; ++k) {
      change[k] = 0;
      for (int l = 0; l < size; ++l) change[k] -= omega * block[k + l * size] * u[l];
    }
    for (int k = 0; k < size; ++k) r[start_[i] + k] += change[k];
    rows.scatter(i, change);
    block += size * size;
  }

  const int* order = problem_->order.empty() ? nullptr : problem_->order.data();
  for (int n = 0; n < problem_->contacts(); ++n) {
    const int c = order ? order[n] : n;
    double* own = r.data() + problem_->row(c);
    rows.template gather<D>(equality_blocks_ + c, r.data(), u);
    double next[D];
    std::copy(own, own + D, next);
    contacts[c].improve(u, next);
    double square = 0;
    for (int k = 0; k < D; ++k) {
      change[k] = omega * (next[k] - own[k]);
      own[k] += change[k];
      square += change[k] * change[k];
    }
    // Open before and after: nothing to tell the others.
    if (square == 0) continue;
    const double w_nn = contacts[c].normal_response();
    moved = std::max(moved, w_nn * w_nn * square);
    rows.template scatter<D>(equality_blocks_ + c, change);
  }
  return std::sqrt(moved);
}

}  // namespace tappet::lcp
