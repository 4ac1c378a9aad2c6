#include "tappet/equilibrium/extrapolated_difference.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tappet::testing::extrapolated_difference_test {
namespace {

TEST(ExtrapolatedDifference, IsAsGoodAsRoundingAndKnowsIt) {
  const auto found = extrapolated_difference(
      [](double x) { return Eigen::Vector4d(std::sin(1 + x), std::exp(3 * x), 5 + 2 * x, x * x); }, 0.02);
  const double exact[] = {std::cos(1.0), 3, 2, 0};
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(found.value[i], exact[i], 1e-12) << i;
    EXPECT_LE(std::abs(found.value[i] - exact[i]), 10 * found.error[i] + 1e-13) << i;
    EXPECT_LT(found.error[i], 1e-11) << i;
  }
}

// |x − x³| has no derivative at 0: D(h) = 0 by symmetry, which is known; x|x| + |x|^1.5 sign(x) has one that is reached slowly.
TEST(ExtrapolatedDifference, SaysWhereItIsNotSure) {
  const auto found = extrapolated_difference(
      [](double x) { return Eigen::VectorXd::Constant(1, std::copysign(std::pow(std::abs(x), 1.5), x)); },
      0.02);
  EXPECT_GT(found.error[0], 1e-6);
  EXPECT_LT(std::abs(found.value[0]), 0.1);
}

}  // namespace
}  // namespace tappet::testing::extrapolated_difference_test
