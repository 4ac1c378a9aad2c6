#include "tappet/linalg/dense_lu.hpp"

#include <algorithm>
#include <utility>

#include <Eigen/LU>

namespace tappet {

void DenseLu::factor(Eigen::MatrixXd& a) {
  constexpr int block = 64;
  const int n = static_cast<int>(a.rows());
  const std::ptrdiff_t stride = n;
  swaps_.resize(n);
  for (int j = 0; j < n; j += block) {
    const int w = std::min(block, n - j), after = j + w;
    double* own = a.data() + j + j * stride;
    int count = 0;
    Eigen::internal::partial_lu_impl<double, Eigen::ColMajor, int>::blocked_lu(n - j, w, own, stride,
                                                                               swaps_.data() + j, count);
    for (int k = j; k < after; ++k) swaps_[k] += j;
    // The block's swaps in the columns beside it.
    for (int c = 0; c < n; ++c) {
      if (c == j) c = after;
      if (c >= n) break;
      double* column = a.data() + c * stride;
      for (int k = j; k < after; ++k) std::swap(column[k], column[swaps_[k]]);
    }
    if (after == n) break;
    auto right = a.block(j, after, w, n - after);
    a.block(j, j, w, w).triangularView<Eigen::UnitLower>().solveInPlace(right);
    product_.add(-1, plain(own + w, stride), plain(a.data() + j + after * stride, stride), n - after,
                 n - after, w, a.data() + after + after * stride, stride);
  }
}

void DenseLu::solve(const Eigen::MatrixXd& factors, Eigen::VectorXd& x) const {
  for (int k = 0; k < static_cast<int>(swaps_.size()); ++k) std::swap(x[k], x[swaps_[k]]);
  factors.triangularView<Eigen::UnitLower>().solveInPlace(x);
  factors.triangularView<Eigen::Upper>().solveInPlace(x);
}

}  // namespace tappet
