#include "tappet/lcp/scale_back.hpp"

#include <cmath>
#include <numbers>
#include <random>

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace tappet::lcp::scale_back_test {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

/// A rod of 1 kg and 1 m with round ends of 1 mm, at 45° to the floor; it comes down with (−0.6, −1) m/s: 0.68 J.
struct Rod {
  MatrixXd H = MatrixXd(2, 3);
  Eigen::Vector3d mass = {1, 1, 0.0833333333}, u = {-0.6, -1, 0};
  Rod() {
    const double arm = 0.5 * std::numbers::sqrt2 / 2;
    H << 0, 1, arm, 1, 0, arm + 1e-3;
  }
  MatrixXd G() const { return H * mass.cwiseInverse().asDiagonal() * H.transpose(); }
  VectorXd before() const { return H * u; }
  double energy(const VectorXd& P) const {
    const Eigen::Vector3d after = u + mass.cwiseInverse().asDiagonal() * (H.transpose() * P);
    return 0.5 * after.dot(mass.asDiagonal() * after);
  }
};

TEST(ScaleBack, KeepsTheEnergyOfARodThatNewtonsLawWouldSpeedUp) {
  const Rod rod;
  const MatrixXd G = rod.G();
  const VectorXd before = rod.before();
  // Both the plastic solution and Newton's, with ε = 0.9 along the normal and 0 along the tangent, stick.
  const VectorXd plastic = -G.inverse() * before;
  const VectorXd newton = -G.inverse() * Vector2d(1.9 * before[0], before[1]);
  EXPECT_LE(std::abs(plastic[1]), plastic[0]);
  EXPECT_LE(std::abs(newton[1]), newton[0]);
  EXPECT_NEAR(rod.energy(newton), 0.7334, 5e-5);
  const double s = scale_back(G, plastic, newton, before, before);
  EXPECT_NEAR(s, 0.8883, 5e-5);
  EXPECT_NEAR(rod.energy(plastic + s * (newton - plastic)), 0.68, 1e-14);
}

TEST(ScaleBack, LeavesALawThatLosesAlone) {
  const Rod rod;
  const MatrixXd G = rod.G();
  const VectorXd before = rod.before();
  const VectorXd plastic = -G.inverse() * before;
  const VectorXd newton = -G.inverse() * Vector2d(1.5 * before[0], before[1]);
  EXPECT_NEAR(rod.energy(newton), 0.5582, 5e-5);
  EXPECT_EQ(scale_back(G, plastic, newton, before, before), 1);
}

// Whatever the ends, work vanishes in between exactly where its signs differ, and from the end without gain up to there
// nothing is gained.
TEST(ScaleBack, FindsTheZeroOfTheWorkInBothDirections) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const auto draw = [&](int rows, int cols) {
    return MatrixXd(MatrixXd::NullaryExpr(rows, cols, [&] { return normal(random); }));
  };
  int down = 0, up = 0;
  for (int n = 0; n < 2000; ++n) {
    const MatrixXd H = draw(6, 1 + n % 6), G = H * H.transpose();
    const VectorXd before = draw(6, 1), free = before + 0.1 * draw(6, 1), P0 = 0.3 * draw(6, 1),
                   P1 = 0.3 * draw(6, 1);
    const double theta = n % 2 ? 0.5 : 0.7, s = scale_back(G, P0, P1, before, free, theta);
    const auto work = [&](const VectorXd& P) { return contact_work(P, before, free + G * P, theta); };
    const double scale = work_scale(P0, before, free + G * P0) + work_scale(P1, before, free + G * P1);
    if (work(P0) > 0 && work(P1) > 0) {
      EXPECT_EQ(s, 0);
    } else if (work(P0) <= 0 && work(P1) <= 0) {
      EXPECT_EQ(s, 1);
    } else {
      EXPECT_NEAR(work(P0 + s * (P1 - P0)), 0, 1e-12 * scale);
      const bool gains_last = work(P1) > 0;
      (gains_last ? up : down) += 1;
      const double half = gains_last ? 0.5 * s : 0.5 * (1 + s);
      EXPECT_LE(work(P0 + half * (P1 - P0)), 1e-12 * scale);
    }
  }
  EXPECT_GT(down, 100);
  EXPECT_GT(up, 100);
}

}  // namespace
}  // namespace tappet::lcp::scale_back_test
