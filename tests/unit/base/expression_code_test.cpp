#include "tappet/base/expression_code.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tappet/base/definitions.hpp"
#include "tappet/base/expression.hpp"
#include "tappet/base/expression_parser.hpp"

namespace tappet::expression_code_test {
namespace {

std::size_t length(const std::string& text, const Definitions* definitions = nullptr) {
  return parse_expression(text, {"t"}, definitions).ops.size();
}

TEST(ExpressionCode, NumbersAreComputedAtOnce) {
  EXPECT_EQ(length("2*3 + sin(pi/6)^2"), 1u);
  EXPECT_EQ(length("2*3*t"), 3u);
  EXPECT_EQ(length("step(2, 0, 1, 4, 5)"), 1u);
}

TEST(ExpressionCode, AKnownConditionLeavesOneBranch) {
  EXPECT_EQ(length("if(2 > 1, t, exp(t))"), 1u);
  EXPECT_EQ(length("if(2 < 1, t, exp(t))"), 2u);
  EXPECT_EQ(length("if(t < 1, t, exp(t))"), 7u);
}

// What is cut away must not disturb what lies on the stack above and below it: the same call with an argument
// that is 2 but is not known to be.
TEST(ExpressionCode, DefinitionsAreTheSameForNumbersAndForValues) {
  Definitions d;
  d.add("g(x, y)", "x*x + y/(2 + x)");
  d.add("f(k, x)", "if(k == 1, sin(x), if(k == 2, g(x, g(k, x))*x, x)) + g(x, k)");
  d.add("h(x, k)", "x + f(k, if(k == 2, g(k, x), 3*x)) - f(k, k)");
  EXPECT_EQ(length("f(2, 3)", &d), 1u);
  EXPECT_LT(length("h(t, 2)", &d), length("h(t, 2 + 0*t)", &d) / 2);
  for (const char* k : {"1", "2", "3"}) {
    std::string rest;
    const std::string known = fmt::format("1 + h(1 + t*t, {})", k),
                      unknown = fmt::format("1 + h(1 + t*t, {} + 0*t)", k);
    const Expression a = Expression::parse(known, {"t"}, rest, &d),
                     b = Expression::parse(unknown, {"t"}, rest, &d);
    for (double t : {-1.0, 0.3, 2.0}) {
      const Jet ja = a.jet(t), jb = b.jet(t);
      EXPECT_DOUBLE_EQ(ja.value, jb.value) << known;
      EXPECT_DOUBLE_EQ(ja.d1, jb.d1) << known;
      EXPECT_DOUBLE_EQ(ja.d2, jb.d2) << known;
    }
  }
}

// A definition that comes out as a number takes its arguments with it.
TEST(ExpressionCode, ArgumentsThatDoNotMatterAreGone) {
  Definitions d;
  d.add("chosen", "1");
  d.add("f(x)", "if(chosen, 4, x)");
  EXPECT_EQ(length("f(exp(t))", &d), 1u);
}

}  // namespace
}  // namespace tappet::expression_code_test
