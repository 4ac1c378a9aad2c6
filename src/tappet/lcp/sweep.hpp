// How a Gauss–Seidel sweep walks over a matrix: what w is in one block of rows at the current iterate, and
// what a change of that block's unknowns does to the rest. One class for each form of the matrix, all with
// the same four functions:
//
//   start(M, q, z)       at the beginning of a solve, and now and then to remove the rounding that updates collect
//   gather<R>(i, z, w)   w of block row i, which has R rows (0: as many as the matrix says)
//   scatter<R>(i, dz)    the unknowns of block row i have changed by dz
//   state()              the vector that scatter() keeps in step with z; it is affine in z, so that an extrapolation of z
//                        extrapolates it
//
// The work a block is O(n) for a dense matrix, its row for a block-sparse one, and O(1) for a Gram matrix:
// two small products with the columns (bodies) that the row touches.
#pragma once

#include <Eigen/Core>

#include "tappet/lcp/matrix.hpp"
#include "tappet/lcp/problem.hpp"
#include "tappet/linalg/block_kernels.hpp"

namespace tappet::lcp {

/// Largest block of rows that a sweep solves at once.
constexpr int max_block = 12;

/// Keeps w = M z + q.
class DenseRows {
 public:
  void start(const Eigen::MatrixXd& m, const Eigen::VectorXd& q, const Eigen::VectorXd& z, int dimension) {
    m_ = &m;
    dimension_ = dimension;
    w_ = q;
    w_.noalias() += m * z;
  }
  template <int R = 0>
  void gather(int i, const double*, double* w) const {
    for (int k = 0; k < dimension_; ++k) w[k] = w_[i * dimension_ + k];
  }
  template <int R = 0>
  void scatter(int i, const double* dz) {
    for (int k = 0; k < dimension_; ++k)
      if (dz[k] != 0) w_ += dz[k] * m_->col(i * dimension_ + k);
  }
  Eigen::VectorXd& state() { return w_; }

 private:
  const Eigen::MatrixXd* m_ = nullptr;
  int dimension_ = 1;
  Eigen::VectorXd w_;
};

/// Keeps nothing: a row is multiplied out when it is asked for.
class SparseRows {
 public:
  void start(const BlockCsr& m, const Eigen::VectorXd& q, const Eigen::VectorXd&, int) {
    m_ = &m, q_ = q.data();
  }
  template <int R = 0>
  void gather(int i, const double* z, double* w) const {
    const int rows = m_->row_size(i), start = m_->row_start[i];
    for (int k = 0; k < rows; ++k) w[k] = q_[start + k];
    for (int k = m_->row_ptr[i]; k < m_->row_ptr[i + 1]; ++k) {
      const int j = m_->col[k];
      add_product(m_->value.data() + m_->value_start[k], rows, m_->col_size(j), z + m_->col_start[j], w);
    }
  }
  template <int R = 0>
  void scatter(int, const double*) {}
  Eigen::VectorXd& state() { return none_; }

 private:
  const BlockCsr* m_ = nullptr;
  const double* q_ = nullptr;
  Eigen::VectorXd none_;
};

/// Keeps v = Gᵀ z.
class GramRows {
 public:
  void start(const Gram& m, const Eigen::VectorXd& q, const Eigen::VectorXd& z, int) {
    g_ = &m.factor, q_ = q.data();
    v_.setZero(g_->cols());
    multiply_transposed_add(*g_, z.data(), v_.data());
    width_ = g_->block_cols() > 0 ? g_->col_size(0) : 0;
    for (int j = 1; j < g_->block_cols(); ++j)
      if (g_->col_size(j) != width_) width_ = 0;
  }
  template <int R = 0>
  [[gnu::always_inline]] void gather(int i, const double*, double* w) const {
    if constexpr (R > 0) {
      if (width_ == 6) return gather_bodies<R, 6>(i, w);
      if (width_ == 3) return gather_bodies<R, 3>(i, w);
    }
    const int rows = g_->row_size(i), start = g_->row_start[i];
    for (int k = 0; k < rows; ++k) w[k] = q_[start + k];
    for (int k = g_->row_ptr[i]; k < g_->row_ptr[i + 1]; ++k) {
      const int j = g_->col[k];
      add_product(g_->value.data() + g_->value_start[k], rows, g_->col_size(j), v_.data() + g_->col_start[j],
                  w);
    }
  }
  template <int R = 0>
  [[gnu::always_inline]] void scatter(int i, const double* dz) {
    if constexpr (R > 0) {
      if (width_ == 6) return scatter_bodies<R, 6>(i, dz);
      if (width_ == 3) return scatter_bodies<R, 3>(i, dz);
    }
    const int rows = g_->row_size(i);
    for (int k = g_->row_ptr[i]; k < g_->row_ptr[i + 1]; ++k) {
      const int j = g_->col[k];
      add_transposed_product(g_->value.data() + g_->value_start[k], rows, g_->col_size(j), dz,
                             v_.data() + g_->col_start[j]);
    }
  }
  Eigen::VectorXd& state() { return v_; }

 private:
  template <int R, int C>
  [[gnu::always_inline]] void gather_bodies(int i, double* w) const {
    RowSums<R> sum;
    for (int k = g_->row_ptr[i]; k < g_->row_ptr[i + 1]; ++k)
      add_product<R, C>(g_->value.data() + g_->value_start[k], v_.data() + C * g_->col[k], sum);
    const double* q = q_ + g_->row_start[i];
    for (int r = 0; r < R; ++r) w[r] = q[r] + sum[r];
  }
  template <int R, int C>
  [[gnu::always_inline]] void scatter_bodies(int i, const double* dz) {
    for (int k = g_->row_ptr[i]; k < g_->row_ptr[i + 1]; ++k)
      add_transposed_product<R, C>(g_->value.data() + g_->value_start[k], dz, v_.data() + C * g_->col[k]);
  }

  const BlockCsr* g_ = nullptr;
  const double* q_ = nullptr;
  Eigen::VectorXd v_;
  int width_ = 0;  ///< of all groups of columns: bodies; 0: they differ
};

/// One of each; with_rows() picks the one that goes with the matrix and starts it.
struct Rows {
  DenseRows dense;
  SparseRows sparse;
  GramRows gram;
};

template <class F>
void with_rows(Rows& rows, const Matrix& m, F&& f) {
  if (const auto* dense = std::get_if<Eigen::MatrixXd>(&m)) {
    f(rows.dense, *dense);
  } else if (const auto* sparse = std::get_if<BlockCsr>(&m)) {
    f(rows.sparse, *sparse);
  } else {
    f(rows.gram, std::get<Gram>(m));
  }
}

}  // namespace tappet::lcp
