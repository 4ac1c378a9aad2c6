#include "tappet/linalg/panel_factor.hpp"

#include <algorithm>

#include <Eigen/Cholesky>

namespace tappet {

int factor_panel(double* panel, int rows, int w, DenseProduct& product) {
  using Block = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
  constexpr int block = 64;
  const std::ptrdiff_t stride = rows;
  for (int j = 0; j < w; j += block) {
    const int n = std::min(block, w - j), after = j + n;
    double* own = panel + j * stride;
    Block head(own + j, n, n, Eigen::OuterStride<>(stride));
    Eigen::Ref<Eigen::MatrixXd, 0, Eigen::OuterStride<>> triangle(head);
    const auto failed = Eigen::internal::llt_inplace<double, Eigen::Lower>::blocked(triangle);
    if (failed >= 0) return j + static_cast<int>(failed);
    if (after == rows) break;
    Block under(own + after, rows - after, n, Eigen::OuterStride<>(stride));
    head.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(under);
    product.add(-1, plain(own + after, stride), transposed(own + after, stride), rows - after, w - after, n,
                panel + after + after * stride, stride, Triangle::lower);
  }
  return -1;
}

}  // namespace tappet
