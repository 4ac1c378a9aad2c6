#include "tappet/model/stability.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tappet::stability_test {
namespace {

const std::vector<Vec2> square = {{1, 1}, {-1, -1}, {1, -1}, {-1, 1}, {0, 0}, {1, 1}, {1, 0}};

TEST(Stability, MarginIsTheDistanceFromTheNearestEdge) {
  EXPECT_NEAR(stability_margin(square, {0, 0}), 1, 1e-15);
  EXPECT_NEAR(stability_margin(square, {0.7, -0.2}), 0.3, 1e-15);
  EXPECT_NEAR(stability_margin(square, {1, 0.5}), 0, 1e-15);
  // An edge that slopes: x + y = 1 is 1/√2 from the origin.
  EXPECT_NEAR(stability_margin({{2, -1}, {-1, 2}, {-5, -5}}, {0, 0}), std::sqrt(0.5), 1e-15);
}

TEST(Stability, MarginIsNegativeOutside) {
  EXPECT_NEAR(stability_margin(square, {1.5, 0}), -0.5, 1e-15);
  EXPECT_NEAR(stability_margin(square, {2, 2}), -std::sqrt(2.0), 1e-15);
}

TEST(Stability, LessThanATriangleSupportsNothing) {
  EXPECT_EQ(stability_margin({}, {0, 0}), 0);
  EXPECT_NEAR(stability_margin({{3, 4}}, {0, 0}), -5, 1e-15);
  EXPECT_NEAR(stability_margin({{-1, 1}, {1, 1}}, {0, 0}), -1, 1e-15);
  EXPECT_NEAR(stability_margin({{-1, 0}, {0, 0}, {1, 0}, {2, 0}}, {0.5, 0}), 0, 1e-15);
}

}  // namespace
}  // namespace tappet::stability_test
