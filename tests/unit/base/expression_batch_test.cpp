#include "tappet/base/expression_batch.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tappet/base/definitions.hpp"

namespace tappet::expression_batch_test {
namespace {

Expression parsed(const std::string& text, const Definitions* definitions = nullptr) {
  std::string rest;
  return Expression::parse(text, {"t"}, rest, definitions);
}

/// Operations of a batch of these.
int operations(const std::vector<Expression>& all) {
  std::vector<const Expression*> pointers;
  for (const Expression& e : all) pointers.push_back(&e);
  return ExpressionBatch(pointers).operations();
}

/// The same numbers as one by one, to the last bit, over a range of t.
void expect_same_jets(const std::vector<Expression>& all) {
  std::vector<const Expression*> pointers;
  for (const Expression& e : all) pointers.push_back(&e);
  ExpressionBatch batch(pointers);
  ASSERT_EQ(batch.jets().size(), all.size());
  for (double t = -2; t < 4; t += 0.173) {
    batch.evaluate(t);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Jet one = all[i].jet(t), other = batch.jets()[i];
      for (const auto& [a, b] : {std::pair(one.value, other.value), {one.d1, other.d1}, {one.d2, other.d2}})
        EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b)))
            << all[i].text() << " at " << t << ": " << a << " and " << b;
    }
  }
}

TEST(ExpressionBatch, EvaluatesEveryFunctionAsAnExpressionDoes) {
  std::vector<Expression> all = {Expression(), Expression::constant(3), parsed("t"),
                                 parsed("2*pi*t").scaled(0.001)};
  for (const char* text : {"sin(t)*cos(3*t)",
                           "tan(t/5)",
                           "asin(t/9) + acos(t/9)",
                           "atan(t)",
                           "atan2(t, 1 - t)",
                           "sinh(t) - cosh(t)",
                           "tanh(t)",
                           "exp(-t^2)",
                           "log(5 + t)",
                           "log10(5 + t)",
                           "sqrt(t + 2)",
                           "abs(t) + sign(t)",
                           "floor(t) + mod(t, 0.7)",
                           "min(t, 1, 2*t)",
                           "max(t, 0)",
                           "t^3 - t^4 + t^0.5",
                           "(2 + sin(t))^t",
                           "-t",
                           "if(t < 1, t, 2 - t)",
                           "if(t >= 0, 1/t, t)",
                           "step(t, 0, 1, 2, 5)",
                           "step(t, 0, t, 2, 2*t)",
                           "(t <= 1) + (t == 0) + (t != 2) + (t > 3)",
                           "sqrt(t)"})
    all.push_back(parsed(text));
  expect_same_jets(all);
}

TEST(ExpressionBatch, EvaluatesDefinitionsAsAnExpressionDoes) {
  Definitions definitions;
  definitions.add("gait", "1");
  definitions.add("between(x, low, high)", "min(max(x, low), high)");
  definitions.add("ease(x)", "between(x, 0, 1)^3*(10 - 15*between(x, 0, 1) + 6*between(x, 0, 1)^2)");
  definitions.add("level(n, row)", "if(gait == 2, n*row, 0)");
  definitions.add("foot(c, row)", "ease(c - floor(c)) + level(floor(c), row) + row*0.3");
  definitions.add("unused(a, b)", "a");
  std::vector<Expression> all;
  for (const char* text :
       {"foot(t/3, 1)", "foot(t/3, -1)", "foot(t, 0)", "unused(t, sin(t))", "level(t, 2)", "gait"})
    all.push_back(parsed(text, &definitions));
  expect_same_jets(all);
}

// An input is a value like the variable, and its default where none is handed over.
TEST(ExpressionBatch, EvaluatesInputsAsAnExpressionDoes) {
  Definitions d;
  d.add_input("a", "", 3);
  d.add_input("b", "", 5);
  std::vector<Expression> expressions;
  for (const char* text : {"a", "a*t + b", "sin(b*t)/(a*t + b)", "2*t"}) {
    std::string rest;
    expressions.push_back(Expression::parse(text, {"t"}, rest, &d, Inputs::allowed));
  }
  std::vector<const Expression*> all;
  for (const Expression& e : expressions) all.push_back(&e);
  ExpressionBatch batch(all);
  EXPECT_TRUE(batch.uses_inputs());
  EXPECT_FALSE(ExpressionBatch(std::span(all).last(1)).uses_inputs());
  const double values[] = {-1.5, 0.25};
  for (const double* inputs : {static_cast<const double*>(nullptr), values}) {
    batch.evaluate(0.7, inputs);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Jet jet = all[i]->jet(0.7, inputs);
      EXPECT_EQ(batch.jets()[i].value, jet.value) << i;
      EXPECT_EQ(batch.jets()[i].d1, jet.d1) << i;
      EXPECT_EQ(batch.jets()[i].d2, jet.d2) << i;
    }
  }
}

TEST(ExpressionBatch, ComputesOnceWhatIsCommon) {
  const Expression f = parsed("sin(t/3)^2 + cos(t/3)"), g = parsed("1 - cos(t/3)");
  const int alone = operations({f});
  EXPECT_EQ(alone, 5);  // t/3, sin, ^2, cos, +
  EXPECT_EQ(operations({f, f}), alone);
  EXPECT_EQ(operations({f, g}), alone + 1);
  EXPECT_EQ(operations({Expression::constant(2), parsed("sin(1) + 2")}), 0);
  // What a definition does not use is not computed.
  Definitions definitions;
  definitions.add("first(a, b)", "a");
  EXPECT_EQ(operations({parsed("first(t + 1, sin(t))", &definitions)}), 1);
}

}  // namespace
}  // namespace tappet::expression_batch_test
