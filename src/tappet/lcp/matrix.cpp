#include "tappet/lcp/matrix.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "tappet/linalg/block_kernels.hpp"

namespace tappet::lcp {

using Eigen::MatrixXd;
using Eigen::VectorXd;

int rows(const Matrix& m) {
  if (const auto* dense = std::get_if<MatrixXd>(&m)) return static_cast<int>(dense->rows());
  if (const auto* sparse = std::get_if<BlockCsr>(&m)) return sparse->rows();
  return std::get<Gram>(m).factor.rows();
}

void multiply(const Matrix& m, const VectorXd& z, const VectorXd& q, VectorXd& w, VectorXd& inner) {
  w = q;
  if (z.isZero(0)) return;
  if (const auto* dense = std::get_if<MatrixXd>(&m)) {
    w.noalias() += *dense * z;
  } else if (const auto* sparse = std::get_if<BlockCsr>(&m)) {
    multiply_add(*sparse, z.data(), w.data());
  } else {
    const BlockCsr& factor = std::get<Gram>(m).factor;
    inner.setZero(factor.cols());
    multiply_transposed_add(factor, z.data(), inner.data());
    multiply_add(factor, inner.data(), w.data());
  }
}

void multiply_transposed(const Matrix& m, const VectorXd& x, VectorXd& y, VectorXd& inner) {
  y.setZero(x.size());
  if (const auto* dense = std::get_if<MatrixXd>(&m)) {
    y.noalias() += dense->transpose() * x;
  } else if (const auto* sparse = std::get_if<BlockCsr>(&m)) {
    multiply_transposed_add(*sparse, x.data(), y.data());
  } else {
    const BlockCsr& factor = std::get<Gram>(m).factor;
    inner.setZero(factor.cols());
    multiply_transposed_add(factor, x.data(), inner.data());
    multiply_add(factor, inner.data(), y.data());
  }
}

void column_scale(const Matrix& m, VectorXd& scale) {
  scale.setZero(rows(m));
  if (const auto* dense = std::get_if<MatrixXd>(&m)) {
    for (int j = 0; j < scale.size(); ++j) scale[j] = dense->col(j).lpNorm<Eigen::Infinity>();
  } else if (const auto* sparse = std::get_if<BlockCsr>(&m)) {
    for (int i = 0; i < sparse->block_rows(); ++i)
      for (int k = sparse->row_ptr[i]; k < sparse->row_ptr[i + 1]; ++k) {
        const auto block = sparse->block(i, k);
        auto part = scale.segment(sparse->col_start[sparse->col[k]], block.cols());
        part = part.cwiseMax(block.cwiseAbs().colwise().maxCoeff().transpose());
      }
  } else {
    const BlockCsr& factor = std::get<Gram>(m).factor;
    for (int i = 0; i < factor.block_rows(); ++i)
      for (int k = factor.row_ptr[i]; k < factor.row_ptr[i + 1]; ++k)
        with_block(factor.value.data() + factor.value_start[k], factor.row_size(i),
                   factor.col_size(factor.col[k]), [&](const auto& g) {
                     scale.segment<std::decay_t<decltype(g)>::RowsAtCompileTime>(
                         factor.row_start[i], g.rows()) += g.rowwise().squaredNorm();
                   });
  }
  for (double& s : scale)
    if (!(s > 0)) s = 1;
}

void to_dense(const Matrix& m, MatrixXd& out) {
  if (const auto* dense = std::get_if<MatrixXd>(&m)) {
    out = *dense;
  } else if (const auto* sparse = std::get_if<BlockCsr>(&m)) {
    out = sparse->dense();
  } else {
    out = gram(std::get<Gram>(m).factor).dense();
  }
}

void block_starts(const Matrix& m, int dimension, std::vector<int>& start) {
  if (const auto* sparse = std::get_if<BlockCsr>(&m)) {
    start = sparse->row_start;
  } else if (const auto* product = std::get_if<Gram>(&m)) {
    start = product->factor.row_start;
  } else {
    start.clear();
    for (int row = 0; row <= rows(m); row += dimension) start.push_back(row);
    assert(start.back() == rows(m));
  }
}

namespace {

/// out = Σ G Gᵀ over the blocks of block row i, which are R × C.
template <int R, int C>
void square_row(const BlockCsr& factor, int i, double* out) {
  RowSums<R*(R + 1) / 2> sum;
  for (int k = factor.row_ptr[i]; k < factor.row_ptr[i + 1]; ++k)
    add_square<R, C>(factor.value.data() + factor.value_start[k], sum);
  for (int r = 0, at = 0; r < R; ++r)
    for (int c = 0; c <= r; ++c, ++at) out[r + R * c] = out[c + R * r] = sum[at];
}

/// The same for blocks of any sizes.
void square_row(const BlockCsr& factor, int i, double* out) {
  const int size = factor.row_size(i);
  const auto all = [&](int columns) {
    return std::all_of(factor.col.begin() + factor.row_ptr[i], factor.col.begin() + factor.row_ptr[i + 1],
                       [&](int j) { return factor.col_size(j) == columns; });
  };
  if (size == 3 && all(6)) return square_row<3, 6>(factor, i, out);
  if (size == 2 && all(3)) return square_row<2, 3>(factor, i, out);
  if (size == 1 && all(6)) return square_row<1, 6>(factor, i, out);
  Eigen::Map<MatrixXd> target(out, size, size);
  target.setZero();
  for (int k = factor.row_ptr[i]; k < factor.row_ptr[i + 1]; ++k)
    target += factor.block(i, k).lazyProduct(factor.block(i, k).transpose());
}

}  // namespace

void diagonal_blocks(const Matrix& m, const std::vector<int>& block_start, std::vector<double>& blocks) {
  const int count = static_cast<int>(block_start.size()) - 1;
  int total = 0;
  for (int i = 0; i < count; ++i) {
    const int size = block_start[i + 1] - block_start[i];
    total += size * size;
  }
  blocks.assign(total, 0.0);

  double* out = blocks.data();
  for (int i = 0; i < count; ++i) {
    const int size = block_start[i + 1] - block_start[i];
    Eigen::Map<MatrixXd> target(out, size, size);
    if (const auto* dense = std::get_if<MatrixXd>(&m)) {
      target = dense->block(block_start[i], block_start[i], size, size);
    } else if (const auto* sparse = std::get_if<BlockCsr>(&m)) {
      for (int k = sparse->row_ptr[i]; k < sparse->row_ptr[i + 1]; ++k)
        if (sparse->col[k] == i) target = sparse->block(i, k);
    } else {
      square_row(std::get<Gram>(m).factor, i, out);
    }
    out += size * size;
  }
}

namespace {

/// Equal up to a share, where `small` is what counts as nothing beside the largest entries.
template <class A, class B>
bool equal(const A& a, const B& b, double share, double small) {
  return ((a - b).cwiseAbs().array() <= share * (a.cwiseAbs() + b.cwiseAbs()).array() + small).all();
}

}  // namespace

bool is_symmetric(const Matrix& m, double tolerance) {
  if (std::holds_alternative<Gram>(m)) return true;
  if (const auto* dense = std::get_if<MatrixXd>(&m)) {
    const double small = dense->size() > 0 ? 0.01 * tolerance * dense->cwiseAbs().maxCoeff() : 0;
    for (int j = 0; j < dense->cols(); ++j)
      if (!equal(dense->col(j).head(j), dense->row(j).head(j).transpose(), tolerance, small)) return false;
    return true;
  }
  // Each block above the diagonal is looked for, transposed, below it.
  const BlockCsr& sparse = std::get<BlockCsr>(m);
  double small = 0;
  for (double v : sparse.value) small = std::max(small, 0.01 * tolerance * std::abs(v));
  for (int i = 0; i < sparse.block_rows(); ++i)
    for (int k = sparse.row_ptr[i]; k < sparse.row_ptr[i + 1]; ++k) {
      const int j = sparse.col[k];
      const auto begin = sparse.col.begin() + sparse.row_ptr[j],
                 end = sparse.col.begin() + sparse.row_ptr[j + 1];
      const auto at = std::lower_bound(begin, end, i);
      if (at == end || *at != i) return false;
      const int l = static_cast<int>(at - sparse.col.begin());
      if (!equal(sparse.block(i, k), sparse.block(j, l).transpose(), tolerance, small)) return false;
    }
  return true;
}

}  // namespace tappet::lcp
