#include "tappet/ode/bracketed_zero.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tappet::bracketed_zero_test {
namespace {

struct Counted {
  double zero = 0;
  int calls = 0;
};

template <class Function>
Counted find(Function f, double a, double b, double tolerance) {
  Counted out;
  out.zero = bracketed_zero([&](double x) { return ++out.calls, f(x); }, a, f(a), b, f(b), tolerance);
  return out;
}

// Cubics as dense output has them: a handful of probes to the last digit, and the right end of the bracket.
TEST(BracketedZero, SmoothFunctionsInAFewProbes) {
  const auto cubic = [](double x) { return (x - 0.3) * (1 + x * x); };
  const Counted found = find(cubic, 0, 1, 4e-16);
  EXPECT_NEAR(found.zero, 0.3, 4e-16);
  EXPECT_GE(cubic(found.zero), 0);
  EXPECT_LE(found.calls, 10);
}

TEST(BracketedZero, StraightLinesAtOnce) {
  EXPECT_LE(find([](double x) { return x - 0.25; }, 0, 1, 1e-15).calls, 2);
}

// Where interpolation is of no use bisection bounds the work: 2⁻⁵³ of the bracket in little more than 53 probes.
TEST(BracketedZero, NeverMuchSlowerThanBisection) {
  const Counted jump = find([](double x) { return x < 0.7 ? -1.0 : 1e-9; }, 0, 1, 1e-15);
  EXPECT_NEAR(jump.zero, 0.7, 1e-15);
  EXPECT_LE(jump.calls, 60);
  const Counted flat = find([](double x) { return std::pow(x - 0.4, 9); }, 0, 1, 1e-12);
  EXPECT_NEAR(flat.zero, 0.4, 2e-2);  // below that (x − 0.4)⁹ is rounding of nothing, but has its sign
  EXPECT_LE(flat.calls, 80);
}

TEST(BracketedZero, NoNearerThanAsked) {
  const auto f = [](double x) { return std::exp(x) - 2; };
  const Counted coarse = find(f, 0, 1, 1e-3), fine = find(f, 0, 1, 1e-15);
  EXPECT_NEAR(coarse.zero, std::log(2.0), 1e-3);
  EXPECT_GE(f(coarse.zero), 0);
  EXPECT_LT(coarse.calls, fine.calls);
}

// A function that is not negative anywhere has its zero where it begins.
TEST(BracketedZero, AlreadyThereAtTheBeginning) {
  EXPECT_NEAR(find([](double x) { return x; }, 0, 1, 1e-15).zero, 0, 2e-15);
  EXPECT_NEAR(find([](double x) { return 1 + x; }, 0, 1, 1e-15).zero, 0, 2e-15);
}

}  // namespace
}  // namespace tappet::bracketed_zero_test
