// Greenwood and Tripp against known values of F_n, derivatives, and the energy.
#include "tappet/contact/asperity.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace tappet::test::asperity_test {
namespace {

TEST(Asperity, TailOfAGaussianIsAsTabulated) {
  EXPECT_NEAR(gaussian_tail(2.5, 0), std::pow(2, 0.25) * std::tgamma(1.75) / std::sqrt(std::numbers::pi),
              1e-12);
  EXPECT_NEAR(gaussian_tail(2.5, 0), 0.616634, 5e-7);
  EXPECT_NEAR(gaussian_tail(2.5, 1), 8.05623e-2, 5e-8);
  EXPECT_NEAR(gaussian_tail(2.5, 2), 5.42371e-3, 5e-9);
  EXPECT_NEAR(gaussian_tail(2.5, 3), 1.70873e-4, 5e-10);
  EXPECT_NEAR(gaussian_tail(2.5, 4), 2.35338e-6, 5e-12);
  // F_0 is the complement of the normal distribution, F_1 and F_2 follow by parts.
  for (double x : {-8.0, -1.0, 0.0, 0.5, 3.0, 8.0}) {
    const double F0 = 0.5 * std::erfc(x / std::numbers::sqrt2);
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
    EXPECT_NEAR(gaussian_tail(0, x) / F0, 1, 1e-10) << x;
    if (x < 5) {
      EXPECT_NEAR(gaussian_tail(1, x) / (density - x * F0), 1, 1e-8) << x;
      EXPECT_NEAR(gaussian_tail(2, x) / ((1 + x * x) * F0 - x * density), 1, 1e-6) << x;
    }
  }
}

TEST(Asperity, PressureIsTheSlopeOfWhatIsStored) {
  const GreenwoodTripp rough{1e-6, 1e11, 2e-6, 115e9};
  for (double h : {-1e-6, 0.0, 1e-6, 2.5e-6, 4e-6}) {
    const double d = 1e-9;
    const double slope = (rough.stored(h - d) - rough.stored(h + d)) / (2 * d);
    EXPECT_NEAR(slope / rough.pressure(h), 1, 1e-5) << h;
  }
  // η β σ = 0.2, √(σ/β) = 0.7071: the factor written out.
  EXPECT_NEAR(rough.pressure(0), 4.73908 * 0.04 * 0.707107 * 115e9 * 0.616634, 1e-4 * rough.pressure(0));
  EXPECT_NEAR(rough.contact_share(0), std::numbers::pi * std::numbers::pi * 0.04 * 0.5, 1e-10);
  EXPECT_EQ(rough.contact_share(-1e-3), 1);
}

}  // namespace
}  // namespace tappet::test::asperity_test
