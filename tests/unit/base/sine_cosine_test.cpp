#include "tappet/base/sine_cosine.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

namespace tappet::sine_cosine_test {
namespace {

struct Both {
  double sine, cosine;
};
Both both(double angle) {
  Both out{};
  sine_cosine(angle, out.sine, out.cosine);
  return out;
}

// Against the C library's in extended precision: all entries of the table, both sides of the middles between them, many turns.
TEST(SineCosine, WithinRoundingOfExtendedPrecision) {
  double worst = 0;
  for (const double turns : {0.0, 1.0, -3.0, 20.0, -1234.0, 3900.0})
    for (int n = 0; n < 2048; ++n) {
      const double angle = 2 * std::numbers::pi * (turns + n / 2048.0);
      const Both found = both(angle);
      worst = std::max(worst,
                       static_cast<double>(std::abs(found.sine - std::sin(static_cast<long double>(angle)))));
      worst = std::max(
          worst, static_cast<double>(std::abs(found.cosine - std::cos(static_cast<long double>(angle)))));
    }
  EXPECT_LT(worst, 1.5e-16);
}

TEST(SineCosine, ExactWhereTheyAre) {
  EXPECT_EQ(both(0.0).sine, 0);
  EXPECT_EQ(both(0.0).cosine, 1);
  // A small angle keeps all its digits.
  EXPECT_EQ(both(1e-9).sine, 1e-9);
  EXPECT_EQ(both(-1e-9).sine, -1e-9);
}

TEST(SineCosine, OddAndEven) {
  for (double angle = 0.01; angle < 100; angle *= 1.37) {
    EXPECT_EQ(both(-angle).sine, -both(angle).sine) << angle;
    EXPECT_EQ(both(-angle).cosine, both(angle).cosine) << angle;
  }
}

TEST(SineCosine, AngleBeyondTheTableAndNoNumber) {
  EXPECT_DOUBLE_EQ(both(1e9).sine, std::sin(1e9));
  EXPECT_DOUBLE_EQ(both(-1e9).cosine, std::cos(1e9));
  EXPECT_TRUE(std::isnan(both(std::numeric_limits<double>::quiet_NaN()).sine));
  EXPECT_TRUE(std::isnan(both(std::numeric_limits<double>::infinity()).cosine));
}

}  // namespace
}  // namespace tappet::sine_cosine_test
