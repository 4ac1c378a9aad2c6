#include "tappet/linalg/dense_lu.hpp"

#include <gtest/gtest.h>

namespace tappet::dense_lu_test {
namespace {

// Below, at and above the size of a block; without pivoting the zeros on the diagonal would end it.
TEST(DenseLu, SolvesWhatMultiplicationMade) {
  DenseLu lu;
  for (const int n : {1, 5, 64, 65, 200}) {
    Eigen::MatrixXd a = Eigen::MatrixXd::Random(n, n);
    if (n > 1) a.diagonal().setZero();
    const Eigen::VectorXd x = Eigen::VectorXd::Random(n);
    Eigen::VectorXd found = a * x;
    Eigen::MatrixXd factors = a;
    lu.factor(factors);
    lu.solve(factors, found);
    EXPECT_LT((found - x).norm(), 1e-9 * x.norm()) << n;
  }
}

}  // namespace
}  // namespace tappet::dense_lu_test
