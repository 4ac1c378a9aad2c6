#include "tappet/linalg/block_lu.hpp"

#include <algorithm>
#include <cassert>

#include <Eigen/LU>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

namespace tappet {

namespace {

using Eigen::Map;
using Eigen::MatrixXd;

/// C −= A B with the sizes of rigid bodies unrolled.
void subtract_product(const double* a, const double* b, double* c, int rows, int inner, int cols) {
  if (rows == 6 && inner == 6 && cols == 6) {
    using Block = Eigen::Matrix<double, 6, 6>;
    Map<Block>(c).noalias() -= Map<const Block>(a).lazyProduct(Map<const Block>(b));
  } else if (rows == 3 && inner == 3 && cols == 3) {
    using Block = Eigen::Matrix<double, 3, 3>;
    Map<Block>(c).noalias() -= Map<const Block>(a).lazyProduct(Map<const Block>(b));
  } else {
    Map<MatrixXd>(c, rows, cols).noalias() -=
        Map<const MatrixXd>(a, rows, inner).lazyProduct(Map<const MatrixXd>(b, inner, cols));
  }
}

template <int N>
bool invert(double* d, int size) {
  using Block = Eigen::Matrix<double, N, N>;
  Map<Block> block(d, size, size);
  const Eigen::PartialPivLU<Block> lu(block);
  const auto pivots = lu.matrixLU().diagonal().cwiseAbs();
  if (!(pivots.minCoeff() > 1e-300) || !lu.matrixLU().allFinite()) return false;
  block = lu.inverse();
  return true;
}

}  // namespace

void BlockLu::analyse(std::span<const int> sizes, std::span<const std::pair<int, int>> coupled) {
  const int n = static_cast<int>(sizes.size());
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(2 * coupled.size() + n);
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 1.0);
  for (const auto& [i, j] : coupled) {
    entries.emplace_back(i, j, 1.0);
    entries.emplace_back(j, i, 1.0);
  }
  Eigen::SparseMatrix<double> graph(n, n);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(graph, permutation);
  order_.assign(permutation.indices().data(), permutation.indices().data() + n);
  place_.resize(n);
  for (int k = 0; k < n; ++k) place_[order_[k]] = k;

  size_.resize(n);
  offset_.resize(n);
  std::vector<int> old_offset(n + 1, 0);
  for (int i = 0; i < n; ++i) old_offset[i + 1] = old_offset[i] + sizes[i];
  for (int k = 0; k < n; ++k) size_[k] = sizes[order_[k]], offset_[k] = old_offset[order_[k]];

  // Fill, column by column: a column's rows are its own neighbours and what its children in the elimination
  // tree pass on.
  column_.assign(1, 0);
  rows_.clear();
  std::vector<std::vector<int>> children(n);
  std::vector<int> mark(n, -1);
  for (int k = 0; k < n; ++k) {
    const auto begin = rows_.size();
    mark[k] = k;
    const auto take = [&](int i) {
      if (i > k && mark[i] != k) mark[i] = k, rows_.push_back(i);
    };
    for (Eigen::SparseMatrix<double>::InnerIterator it(graph, order_[k]); it; ++it)
      take(place_[static_cast<int>(it.row())]);
    for (int child : children[k])
      for (int at = column_[child]; at < column_[child + 1]; ++at) take(rows_[at]);
    std::sort(rows_.begin() + static_cast<std::ptrdiff_t>(begin), rows_.end());
    column_.push_back(static_cast<int>(rows_.size()));
    if (rows_.size() > begin) children[rows_[begin]].push_back(k);
  }

  start_.assign(1, 0);
  diagonal_start_.assign(1, 0);
  for (int k = 0; k < n; ++k) {
    diagonal_start_.push_back(diagonal_start_.back() + size_[k] * size_[k]);
    for (int at = column_[k]; at < column_[k + 1]; ++at)
      start_.push_back(start_.back() + size_[k] * size_[rows_[at]]);
  }
  lower_.resize(start_.back());
  upper_.resize(start_.back());
  diagonal_.resize(diagonal_start_.back());
  work_.resize(old_offset[n]);
}

void BlockLu::set_zero() {
  std::fill(lower_.begin(), lower_.end(), 0.0);
  std::fill(upper_.begin(), upper_.end(), 0.0);
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
}

int BlockLu::position(int i, int k) const {
  const auto begin = rows_.begin() + column_[k], end = rows_.begin() + column_[k + 1];
  const auto at = std::lower_bound(begin, end, i);
  assert(at != end && *at == i);
  return static_cast<int>(at - rows_.begin());
}

void BlockLu::add(int i, int j, const Eigen::Ref<const MatrixXd>& block) {
  const int a = place_[i], b = place_[j];
  double* target = a == b  ? diagonal_.data() + diagonal_start_[a]
                   : a > b ? lower(position(a, b))
                           : upper(position(b, a));
  Map<MatrixXd>(target, size_[a], size_[b]) += block;
}

void BlockLu::add_to_diagonal(double value) {
  for (int k = 0; k < static_cast<int>(size_.size()); ++k)
    for (int l = 0; l < size_[k]; ++l) diagonal_[diagonal_start_[k] + l * (size_[k] + 1)] += value;
}

bool BlockLu::factor() {
  for (int k = 0; k < static_cast<int>(size_.size()); ++k) {
    const int size = size_[k];
    double* d = diagonal_.data() + diagonal_start_[k];
    const bool regular = size == 6   ? invert<6>(d, 6)
                         : size == 3 ? invert<3>(d, 3)
                                     : invert<Eigen::Dynamic>(d, size);
    if (!regular) return false;

    // L(i, k) = A(i, k) D⁻¹.
    for (int at = column_[k]; at < column_[k + 1]; ++at) {
      Map<MatrixXd> block(lower(at), size_[rows_[at]], size);
      work_.resize(std::max<std::size_t>(work_.size(), block.size()));
      Map<MatrixXd> product(work_.data(), block.rows(), size);
      product.setZero();
      subtract_product(block.data(), d, product.data(), static_cast<int>(block.rows()), size, size);
      block = -product;
    }

    // A(i, j) −= L(i, k) A(k, j) for all pairs in the column; (i, j) and (j, i) lie at the same place of
    // column min(i, j).
    for (int a = column_[k]; a < column_[k + 1]; ++a) {
      const int i = rows_[a];
      subtract_product(lower(a), upper(a), diagonal_.data() + diagonal_start_[i], size_[i], size, size_[i]);
      int target = column_[i];
      for (int b = a + 1; b < column_[k + 1]; ++b) {
        const int j = rows_[b];
        while (rows_[target] != j) ++target;
        subtract_product(lower(b), upper(a), lower(target), size_[j], size, size_[i]);
        subtract_product(lower(a), upper(b), upper(target), size_[i], size, size_[j]);
      }
    }
  }
  return true;
}

void BlockLu::solve(Eigen::VectorXd& x) const {
  const int n = static_cast<int>(size_.size());
  const auto part = [&](int k) { return x.segment(offset_[k], size_[k]); };
  for (int k = 0; k < n; ++k)
    for (int at = column_[k]; at < column_[k + 1]; ++at) {
      const int i = rows_[at];
      part(i).noalias() -=
          Map<const MatrixXd>(lower_.data() + start_[at], size_[i], size_[k]).lazyProduct(part(k));
    }
  for (int k = n - 1; k >= 0; --k) {
    for (int at = column_[k]; at < column_[k + 1]; ++at) {
      const int i = rows_[at];
      part(k).noalias() -=
          Map<const MatrixXd>(upper_.data() + start_[at], size_[k], size_[i]).lazyProduct(part(i));
    }
    Map<Eigen::VectorXd> solved(work_.data(), size_[k]);
    solved =
        Map<const MatrixXd>(diagonal_.data() + diagonal_start_[k], size_[k], size_[k]).lazyProduct(part(k));
    part(k) = solved;
  }
}

}  // namespace tappet
