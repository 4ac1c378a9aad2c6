#include "tappet/base/lookup_table.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace tappet::lookup_table_test {
namespace {

std::vector<double> sampled(const std::vector<double>& x, double (*f)(double)) {
  std::vector<double> out;
  for (const double each : x) out.push_back(f(each));
  return out;
}

double cubic(double x) {
  return 2 - x + 3 * x * x - 0.5 * x * x * x;
}

TEST(LookupTable, SplineMeetsCubicPolynomialWithItsDerivatives) {
  const std::vector<double> x{-1, -0.4, 0.1, 0.9, 1.2, 2.5};
  const LookupTable table("f", x, sampled(x, cubic), {});
  for (double at = -1; at <= 2.5; at += 0.07) {
    const Jet f = table.at(at);
    EXPECT_NEAR(f.value, cubic(at), 1e-13);
    EXPECT_NEAR(f.d1, -1 + 6 * at - 1.5 * at * at, 1e-12);
    EXPECT_NEAR(f.d2, 6 - 3 * at, 1e-11);
  }
}

TEST(LookupTable, SplineOfThreePointsIsTheirParabola) {
  const LookupTable table("f", {0, 1, 3}, {1, 0, 4}, {});  // (x − 1)²
  for (const double at : {0.0, 0.3, 1.0, 2.2, 3.0}) {
    EXPECT_NEAR(table.at(at).value, (at - 1) * (at - 1), 1e-14);
    EXPECT_NEAR(table.at(at).d1, 2 * (at - 1), 1e-14);
    EXPECT_NEAR(table.at(at).d2, 2, 1e-13);
  }
}

// The error of a spline is of the fourth order, that of Akima's and of straight lines of the second at least.
TEST(LookupTable, OrdersOfInterpolation) {
  const auto error = [](Interpolation kind, int n) {
    std::vector<double> x;
    for (int i = 0; i <= n; ++i) x.push_back(3.0 * i / n);
    const LookupTable table("f", x, sampled(x, [](double t) { return std::sin(t); }), {.interpolate = kind});
    double worst = 0;
    for (double at = 0; at <= 3; at += 0.001)
      worst = std::max(worst, std::abs(table.at(at).value - std::sin(at)));
    return worst;
  };
  EXPECT_GT(error(Interpolation::cubic, 20) / error(Interpolation::cubic, 40), 14);
  EXPECT_GT(error(Interpolation::linear, 20) / error(Interpolation::linear, 40), 3.8);
  EXPECT_GT(error(Interpolation::akima, 20) / error(Interpolation::akima, 40), 3.8);
}

TEST(LookupTable, AkimaStaysStraightBesideAKink) {
  const std::vector<double> x{0, 1, 2, 3, 4, 5, 6}, f{0, 0, 0, 0, 1, 2, 3};
  const LookupTable akima("f", x, f, {.interpolate = Interpolation::akima}), spline("f", x, f, {});
  double worst = 0;
  for (double at = 0; at <= 2; at += 0.05) {
    EXPECT_EQ(akima.at(at).value, 0);
    worst = std::max(worst, std::abs(spline.at(at).value));
  }
  EXPECT_GT(worst, 0.01);
  for (double at = 4; at <= 6; at += 0.05) EXPECT_NEAR(akima.at(at).value, at - 3, 1e-15);
}

TEST(LookupTable, PeriodGoesOnWithItsSlopeAndCurvature) {
  std::vector<double> x, f;
  const int n = 36;
  for (int i = 0; i <= n; ++i) {
    x.push_back(2 * std::numbers::pi * i / n);
    f.push_back(i == n ? 0.0 : std::sin(x.back()));
  }
  const LookupTable table("f", x, f, {.periodic = true});
  const double before = 2 * std::numbers::pi - 1e-9, after = 2 * std::numbers::pi + 1e-9;
  EXPECT_NEAR(table.at(before).d1, table.at(after).d1, 1e-8);
  EXPECT_NEAR(table.at(before).d2, table.at(after).d2, 1e-7);
  for (const double at : {-7.0, 0.4, 9.0, 30.0}) EXPECT_NEAR(table.at(at).value, std::sin(at), 1e-5);
}

TEST(LookupTable, OutsideOfThePoints) {
  const std::vector<double> x{0, 1, 2, 3}, f{0, 1, 4, 9};  // x²
  const LookupTable line("f", x, f, {}), hold("f", x, f, {.outside = Outside::hold}),
      stop("f", x, f, {.outside = Outside::stop});
  EXPECT_NEAR(line.at(5).value, 9 + 6 * 2, 1e-12);
  EXPECT_NEAR(line.at(5).d1, 6, 1e-12);
  EXPECT_EQ(line.at(5).d2, 0);
  EXPECT_EQ(hold.at(5).value, 9);
  EXPECT_EQ(hold.at(-1).value, 0);
  EXPECT_EQ(hold.at(5).d1, 0);
  EXPECT_TRUE(std::isnan(stop.at(5).value));
  EXPECT_NEAR(stop.at(3).value, 9, 1e-13);
}

// A product of cubic polynomials is met by both splines, with all derivatives.
TEST(LookupTable, GridMeetsAProductOfCubics) {
  const auto g = [](double y) { return 1 + y - y * y * y; };
  const std::vector<double> x{0, 0.3, 1, 1.4, 2}, y{-1, 0, 0.7, 1.1};
  std::vector<double> f;
  for (const double a : x)
    for (const double b : y) f.push_back(cubic(a) * g(b));
  const LookupTable table("f", x, y, f, {});
  EXPECT_EQ(table.variables(), 2);
  for (const double a : {0.0, 0.2, 0.9, 1.7, 2.0})
    for (const double b : {-1.0, -0.2, 0.5, 1.1}) {
      const Patch p = table.at(a, b);
      const double f1 = -1 + 6 * a - 1.5 * a * a, f2 = 6 - 3 * a, g1 = 1 - 3 * b * b, g2 = -6 * b;
      EXPECT_NEAR(p.f, cubic(a) * g(b), 1e-12);
      EXPECT_NEAR(p.x, f1 * g(b), 1e-12);
      EXPECT_NEAR(p.y, cubic(a) * g1, 1e-12);
      EXPECT_NEAR(p.xx, f2 * g(b), 1e-11);
      EXPECT_NEAR(p.xy, f1 * g1, 1e-11);
      EXPECT_NEAR(p.yy, cubic(a) * g2, 1e-11);
    }
  // Beyond it goes on as a plane in each direction.
  EXPECT_NEAR(table.at(3, 0).f, table.at(2, 0).f + table.at(2, 0).x, 1e-12);
  EXPECT_EQ(table.at(3, 0).xx, 0);
}

}  // namespace
}  // namespace tappet::lookup_table_test
