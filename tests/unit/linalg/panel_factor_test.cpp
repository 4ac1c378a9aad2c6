#include "tappet/linalg/panel_factor.hpp"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

namespace tappet::panel_factor_test {
namespace {

using Eigen::MatrixXd;

MatrixXd definite(int n) {
  const MatrixXd a = MatrixXd::Random(n, n);
  return a * a.transpose() + n * MatrixXd::Identity(n, n);
}

// Panels narrower and wider than a block, with and without rows below.
TEST(PanelFactor, LikeTheFactorOfTheWholeMatrix) {
  DenseProduct product;
  for (const int w : {1, 5, 64, 65, 150})
    for (const int below : {0, 3, 90}) {
      const int rows = w + below;
      const MatrixXd a = definite(rows), expected = a.llt().matrixL();
      MatrixXd panel = a.leftCols(w);
      ASSERT_EQ(factor_panel(panel.data(), rows, w, product), -1);
      panel.topRows(w).triangularView<Eigen::StrictlyUpper>().setZero();
      EXPECT_LT((panel - expected.leftCols(w)).cwiseAbs().maxCoeff(), 1e-12 * rows);
    }
}

TEST(PanelFactor, NamesTheColumnThatFails) {
  DenseProduct product;
  for (const int bad : {0, 70}) {
    MatrixXd a = definite(100);
    a(bad, bad) = -1;
    EXPECT_EQ(factor_panel(a.data(), 100, 100, product), bad);
  }
}

}  // namespace
}  // namespace tappet::panel_factor_test
