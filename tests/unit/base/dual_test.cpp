#include "tappet/base/dual.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tappet::test::dual_test {
namespace {

using D = Dual<2>;

TEST(Dual, ArithmeticFollowsTheRulesOfDifferentiation) {
  const D x = D::variable(3, 0), y = D::variable(-2, 1);
  const D f = (x * y - 4 / x + 1) / (y - x);
  // f = u/v, u = xy − 4/x + 1, v = y − x
  const double u = -6 - 4.0 / 3 + 1, v = -5, u_x = -2 + 4.0 / 9, u_y = 3;
  EXPECT_DOUBLE_EQ(f.value, u / v);
  EXPECT_DOUBLE_EQ(f.d[0], (u_x * v + u) / (v * v));
  EXPECT_DOUBLE_EQ(f.d[1], (u_y * v - u) / (v * v));
}

TEST(Dual, FunctionsHaveTheirSlopes) {
  const D x = D::variable(0.7, 0);
  EXPECT_DOUBLE_EQ(sqrt(x).d[0], 0.5 / std::sqrt(0.7));
  EXPECT_DOUBLE_EQ(exp(2 * x).d[0], 2 * std::exp(1.4));
  EXPECT_DOUBLE_EQ(expm1(x).d[0], std::exp(0.7));
  EXPECT_DOUBLE_EQ(log(x).d[0], 1 / 0.7);
  EXPECT_DOUBLE_EQ(pow(x, 2.5).d[0], 2.5 * std::pow(0.7, 1.5));
  EXPECT_DOUBLE_EQ(abs(-x).d[0], 1);
  EXPECT_DOUBLE_EQ(hypot(x, D::variable(2.4, 1)).value, 2.5);
  EXPECT_DOUBLE_EQ(hypot(x, D::variable(2.4, 1)).d[0], 0.7 / 2.5);
  EXPECT_DOUBLE_EQ(hypot(x, D::variable(2.4, 1)).d[1], 2.4 / 2.5);
}

TEST(Dual, BranchesAreDecidedByValues) {
  const D x = D::variable(1, 0), y = D::variable(1, 1);
  EXPECT_TRUE(x == y);
  EXPECT_TRUE(x <= y && x >= y && !(x < y) && !(x > y));
  EXPECT_EQ(value_of(x), 1);
}

}  // namespace
}  // namespace tappet::test::dual_test
