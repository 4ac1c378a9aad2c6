#include "tappet/lcp/tresca.hpp"

#include <random>

#include <gtest/gtest.h>

namespace tappet::lcp::tresca_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The conditions of the minimum, straight from their definition.
void expect_solved(const MatrixXd& A, const VectorXd& holding, const std::vector<double>& radii, int d,
                   const VectorXd& lambda, double unit) {
  const VectorXd g = A * (lambda - holding);
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const VectorXd force = lambda.segment(static_cast<int>(i) * d, d),
                   left = g.segment(static_cast<int>(i) * d, d);
    EXPECT_LE(force.norm(), radii[i] + 1e-6);
    if (force.norm() < radii[i] * (1 - 1e-5)) {
      EXPECT_LE(left.norm(), 1e-5 * unit) << i;
    } else {
      EXPECT_NEAR(left.dot(force), -left.norm() * force.norm(), 1e-5 * unit * radii[i]) << i;
    }
  }
}

// A block of mass m pulled with P, held by what its two feet may: r₁ + r₂.
TEST(Tresca, TwoFeetHoldTogetherWhatNoneHoldsAlone) {
  const double mobility = 0.5, soft = 1e-9;
  MatrixXd A = MatrixXd::Constant(2, 2, mobility);
  A.diagonal() *= 1 + soft;
  for (const double pull : {2.0, 3.9, 4.0 - 1e-6, 4.0 + 1e-6, 5.0, -4.5}) {
    const VectorXd holding =
        VectorXd::Constant(2, -pull / 2);  // evenly shared: more than the weaker foot's 1
    VectorXd lambda = holding;
    Tresca tresca;
    ASSERT_TRUE(tresca.solve(A, holding, {1, 3}, 1, lambda)) << pull;
    const double sliding = mobility * (std::abs(pull) - 4);
    const double expected = sliding > 0 ? std::copysign(sliding, pull) : 0;
    EXPECT_NEAR(tresca.accelerations()[0], expected, 2e-9) << pull;
    EXPECT_NEAR(tresca.accelerations()[1], expected, 2e-9) << pull;
    EXPECT_NEAR(lambda.sum(), std::abs(pull) < 4 ? -pull : std::copysign(4, -pull), 1e-6) << pull;
  }
}

// A slab on four feet whose middle is pulled and turned, which no foot can hold along its own share.
TEST(Tresca, AgreesWithItsConditionsForRandomBodies) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0.1, 2);
  for (int n : {1, 2, 4, 9}) {
    for (int trial = 0; trial < 50; ++trial) {
      // Three freedoms in the plane of the feet: any more than two of them repeat each other.
      MatrixXd J(2 * n, 3);
      for (int i = 0; i < n; ++i) {
        const double x = normal(random), y = normal(random);
        J.row(2 * i) << 1, 0, -y;
        J.row(2 * i + 1) << 0, 1, x;
      }
      MatrixXd A = J * Eigen::Vector3d(1, 1, 3).asDiagonal() * J.transpose();
      const Eigen::Vector3d load = trial % 2
                                       ? Eigen::Vector3d(normal(random), normal(random), 0.1 * normal(random))
                                       : Eigen::Vector3d(5 * normal(random), normal(random), normal(random));
      const VectorXd free = J * load;
      A.diagonal() *= 1 + 1e-9;
      const VectorXd holding = -A.fullPivLu().solve(free);
      std::vector<double> radii;
      for (int i = 0; i < n; ++i) radii.push_back(uniform(random));
      VectorXd lambda = holding;
      Tresca tresca;
      EXPECT_TRUE(tresca.solve(A, holding, radii, 2, lambda)) << n << " " << trial;
      expect_solved(A, holding, radii, 2, lambda, A.diagonal().maxCoeff() * 2);
    }
  }
}

}  // namespace
}  // namespace tappet::lcp::tresca_test
