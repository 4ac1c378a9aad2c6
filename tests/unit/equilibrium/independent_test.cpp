#include "tappet/equilibrium/independent.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace tappet::testing::independent_test {
namespace {

using Eigen::MatrixXd;

// Rows that repeat others, rows of other sizes, and a velocity that cannot change.
TEST(IndependentVelocities, AreThoseThatTheRowsLeaveFree) {
  MatrixXd J(4, 6);
  J << 1, 2, 0, 0, 1, 0,      //
      0, 1e3, -1e3, 0, 0, 0,  //
      2, 5, -1, 0, 2, 0,      // twice the first and a thousandth of the second
      0, 0, 0, 0, 0, 0;
  MatrixXd G = MatrixXd::Identity(6, 6);
  G(0, 0) = 4, G(0, 1) = G(1, 0) = 0.5, G(3, 3) = 0;
  const Independent free = independent_velocities(J, G);
  EXPECT_EQ(free.rank, 2);
  EXPECT_EQ(free.count(), 3);
  EXPECT_LT((J * free.N).norm(), 1e-12 * J.norm());
  EXPECT_LT((free.D * free.N - MatrixXd::Identity(3, 3)).norm(), 1e-14);
  EXPECT_LT((free.N.transpose() * G * free.N - MatrixXd::Identity(3, 3)).norm(), 1e-14);
  EXPECT_EQ(free.N.row(3).norm(), 0);
  // Corrections along G⁻¹ Jᵀ are not seen.
  const std::vector<int> movable = {0, 1, 2, 4, 5};
  const MatrixXd inner = G(movable, movable), rows = J(Eigen::all, movable);
  EXPECT_LT((free.D(Eigen::all, movable) * inner.inverse() * rows.transpose()).norm(), 1e-12 * J.norm());
}

TEST(IndependentVelocities, MultipliersTakeWhatTheyCan) {
  MatrixXd J(2, 3);
  J << 1, 0, 0,  //
      1, 0, 0;
  const Eigen::Vector3d f(3, 5, 0);
  const Eigen::VectorXd lambda = multipliers_for(J, MatrixXd::Identity(3, 3), f);
  EXPECT_NEAR(lambda[0], 1.5, 1e-14);  // two that repeat each other share
  EXPECT_NEAR(lambda[1], 1.5, 1e-14);
}

}  // namespace
}  // namespace tappet::testing::independent_test
