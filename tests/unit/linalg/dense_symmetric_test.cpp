#include "tappet/linalg/dense_symmetric.hpp"

#include <Eigen/Core>
#include <gtest/gtest.h>

namespace tappet::dense_symmetric_test {
namespace {

TEST(DenseSymmetric, LikeTheWholeMatrix) {
  for (int n = 0; n < 30; ++n) {
    Eigen::MatrixXd a = Eigen::MatrixXd::Random(n, n);
    const Eigen::VectorXd x = Eigen::VectorXd::Random(n), y = Eigen::VectorXd::Random(n);
    const Eigen::VectorXd expected = y + a.selfadjointView<Eigen::Lower>() * x;
    // What stands above the diagonal does not count.
    a.triangularView<Eigen::StrictlyUpper>().setConstant(std::numeric_limits<double>::quiet_NaN());
    Eigen::VectorXd found = y;
    add_symmetric_product(a.data(), n, x.data(), found.data());
    EXPECT_LE((found - expected).norm(), 1e-14 * n) << n;
  }
}

}  // namespace
}  // namespace tappet::dense_symmetric_test
