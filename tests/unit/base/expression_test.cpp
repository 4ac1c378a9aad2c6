#include "tappet/base/expression.hpp"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tappet::expression_test {

using ::testing::HasSubstr;

namespace {

constexpr double pi = std::numbers::pi;

double value(const std::string& text) {
  std::string rest;
  const double x = Expression::parse(text, {}, rest)(std::span<const double>());
  EXPECT_EQ(rest, "") << text;
  return x;
}

struct Split {
  double value;
  std::string unit;
  bool operator==(const Split&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Split& s) {
  return out << s.value << " [" << s.unit << "]";
}

/// Value at t = 3 and what is left for the unit.
Split split(const std::string& text) {
  std::string rest;
  const Expression e = Expression::parse(text, {"t"}, rest);
  return {e(3.0), rest};
}

std::string fault(const std::string& text, const std::vector<std::string>& variables = {}) {
  try {
    std::string rest;
    Expression::parse(text, variables, rest);
  } catch (const ExpressionError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST(Expression, Arithmetic) {
  EXPECT_EQ(value("1 + 2*3"), 7);
  EXPECT_EQ(value("(1 + 2)*3"), 9);
  EXPECT_EQ(value("2 - 3 - 4"), -5);
  EXPECT_EQ(value("24/4/3"), 2);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("(-2)^2"), 4);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("--3"), 3);
  EXPECT_EQ(value("2*-3"), -6);
  EXPECT_EQ(value("+3"), 3);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("5."), 5);
  EXPECT_EQ(value("1e-5"), 1e-5);
  EXPECT_EQ(value("1E+5"), 1e5);
  EXPECT_EQ(value("1/3"), 1.0 / 3);
  EXPECT_EQ(value(" 2*pi "), 2 * pi);
  EXPECT_EQ(value("e"), std::numbers::e);
}

TEST(Expression, Functions) {
  EXPECT_EQ(value("sin(1)"), std::sin(1));
  EXPECT_EQ(value("atan2(1, -2)"), std::atan2(1, -2));
  EXPECT_EQ(value("log(2)"), std::log(2));
  EXPECT_EQ(value("log10(1000)"), 3);
  EXPECT_EQ(value("min(3, 1, 2)"), 1);
  EXPECT_EQ(value("max(3, 1)"), 3);
  EXPECT_EQ(value("mod(-1, 3)"), 2);
  EXPECT_EQ(value("floor(-1.5)"), -2);
  EXPECT_EQ(value("sign(-4)"), -1);
  EXPECT_EQ(value("abs(-4)"), 4);
  EXPECT_EQ(value("if(1 < 2, 10, 20)"), 10);
  EXPECT_EQ(value("if(1 >= 2, 10, 20)"), 20);
  EXPECT_EQ(value("(1 == 1) + (1 != 1) + (2 > 1) + (1 <= 1)"), 3);
  EXPECT_EQ(value("step(0, 1, 5, 2, 9)"), 5);
  EXPECT_EQ(value("step(1.5, 1, 5, 2, 9)"), 7);
  EXPECT_EQ(value("step(3, 1, 5, 2, 9)"), 9);
}

TEST(Expression, WhatCannotContinueIsTheUnit) {
  EXPECT_EQ(split("1e-5 kg m^2"), (Split{1e-5, "kg m^2"}));
  EXPECT_EQ(split("2 m"), (Split{2, "m"}));
  EXPECT_EQ(split("t s"), (Split{3, "s"}));
  EXPECT_EQ(split("9.8mm"), (Split{9.8, "mm"}));
  EXPECT_EQ(split("5000 rpm"), (Split{5000, "rpm"}));
  EXPECT_EQ(split("-3 mm"), (Split{-3, "mm"}));
  EXPECT_EQ(split("2*pi*t rad"), (Split{6 * pi, "rad"}));
  EXPECT_EQ(split("500*t rad/s"), (Split{1500, "rad/s"}));
  EXPECT_EQ(split("sin(2*t) m"), (Split{std::sin(6), "m"}));
  EXPECT_EQ(split("5 min"), (Split{5, "min"}));
  EXPECT_EQ(split("1/2 mm"), (Split{0.5, "mm"}));
  EXPECT_EQ(split("10 N/m"), (Split{10, "N/m"}));
  EXPECT_EQ(split("2e3m"), (Split{2000, "m"}));
  EXPECT_EQ(split("2 e"), (Split{2, "e"}));
  EXPECT_EQ(split("5 1/s"), (Split{5, "1/s"}));
  EXPECT_EQ(split("5 %"), (Split{5, "%"}));
  EXPECT_EQ(split("10 µs "), (Split{10, "µs"}));
  EXPECT_EQ(split("30°"), (Split{30, "°"}));
  EXPECT_EQ(split("(t+1)^2 mm"), (Split{16, "mm"}));
  EXPECT_EQ(split("t"), (Split{3, ""}));
}

TEST(Expression, FaultsAreSentences) {
  EXPECT_EQ(fault("3*x", {"t"}), "unknown name 'x' in '3*x'; known: t, pi and e");
  EXPECT_EQ(fault("3*x"), "unknown name 'x' in '3*x'; only numbers, pi and e may be used here");
  EXPECT_EQ(fault("5/s"), "unknown name 's' in '5/s'; a unit 'per s' stands behind a space, as in '5 1/s'");
  EXPECT_THAT(fault("3*timee", {"time"}), HasSubstr("did you mean 'time'?"));
  EXPECT_THAT(fault("sinn(1)"), HasSubstr("unknown function 'sinn'; did you mean 'sin'?"));
  EXPECT_THAT(fault("sin 1"), HasSubstr("needs its arguments in parentheses"));
  EXPECT_THAT(fault("sin(1, 2)"), HasSubstr("'sin' takes 1 argument, not 2"));
  EXPECT_THAT(fault("atan2()"), HasSubstr("takes 2 arguments, not 0"));
  EXPECT_THAT(fault("min(1)"), HasSubstr("takes 2 or more arguments, not 1"));
  EXPECT_THAT(fault(""), HasSubstr("nothing is given"));
  EXPECT_THAT(fault("   "), HasSubstr("nothing is given"));
  EXPECT_THAT(fault("2*"), HasSubstr("ends where"));
  EXPECT_THAT(fault("(1 + 2"), HasSubstr("')' is missing"));
  EXPECT_THAT(fault("(1 2)"), HasSubstr("unexpected '2'"));
  EXPECT_THAT(fault("1 2"), HasSubstr("unexpected '2'"));
  EXPECT_THAT(fault("1,5"), HasSubstr("unexpected ','"));
  EXPECT_THAT(fault("2*µ"), HasSubstr("unexpected 'µ'"));
  EXPECT_THAT(fault("1 < 2 < 3"), HasSubstr("chained"));
  EXPECT_THAT(fault("1e999"), HasSubstr("cannot be held"));
  EXPECT_THAT(fault("inf"), HasSubstr("not a finite number"));
  EXPECT_THAT(fault("nan"), HasSubstr("not a finite number"));
  EXPECT_NE(fault(".inf"), "no error");
  EXPECT_THAT(fault("step(t, 2, 0, 1, 0)", {"t"}), HasSubstr("needs x0 < x1"));
  EXPECT_THAT(fault("1_000"), HasSubstr("digits cannot be grouped"));
  EXPECT_THAT(fault("kg"), HasSubstr("unknown name 'kg'"));
}

TEST(Expression, FaultsKnowTheirColumn) {
  try {
    std::string rest;
    Expression::parse("1 + foo", {}, rest);
    FAIL();
  } catch (const ExpressionError& error) {
    EXPECT_EQ(error.column(), 4);
  }
}

TEST(Expression, NestingIsLimited) {
  const std::string deep = std::string(10000, '(') + "1" + std::string(10000, ')');
  EXPECT_NE(fault(deep), "no error");
  EXPECT_THAT(fault(std::string(4000, '(') + "1" + std::string(4000, ')')), HasSubstr("nested"));
  EXPECT_NE(fault(std::string(1 << 20, '-') + "1"), "no error");
  std::string tower = "t";
  for (int i = 0; i < 3000; ++i) tower += "^t";
  EXPECT_THAT(fault(tower, {"t"}), HasSubstr("nested"));
  // Operands that wait on the stack: t+(t+(t+...
  std::string waiting;
  for (int i = 0; i < 90; ++i) waiting += "t+(";
  waiting += 't';
  waiting.append(90, ')');
  EXPECT_THAT(fault(waiting, {"t"}), HasSubstr("nested"));
  EXPECT_EQ(value(std::string(5000, '-') + "1"), 1);
}

TEST(Expression, ConstantsAreFolded) {
  std::string rest;
  EXPECT_TRUE(Expression::parse("2*pi*sin(3)", {"t"}, rest).is_constant());
  EXPECT_FALSE(Expression::parse("0*t", {"t"}, rest).is_constant());
  EXPECT_TRUE(Expression().is_constant());
  EXPECT_EQ(Expression()(1.0), 0);
  EXPECT_EQ(Expression::constant(2.5)(1.0), 2.5);
  EXPECT_EQ(Expression::constant(2.5).text(), "2.5");
  EXPECT_EQ(Expression::parse("2*t  rad", {"t"}, rest).text(), "2*t");
}

TEST(Expression, Scaled) {
  std::string rest;
  const Expression e = Expression::parse("t^2", {"t"}, rest).scaled(0.5);
  EXPECT_EQ(e(3.0), 4.5);
  EXPECT_EQ(e.jet(3.0).d1, 3);
  EXPECT_EQ(e.jet(3.0).d2, 1);
  EXPECT_EQ(e.text(), "(t^2)*0.5");
  EXPECT_EQ(Expression::constant(4).scaled(0.5)(0.0), 2);
  EXPECT_EQ(Expression().scaled(3)(0.0), 0);
}

TEST(Expression, SeveralVariables) {
  std::string rest;
  const Expression e = Expression::parse("x^2*v + t", {"x", "v", "t"}, rest);
  const double values[] = {3, 5, 7};
  EXPECT_EQ(e(values), 52);
  // derivatives with respect to the first alone
  EXPECT_EQ(e.jet(values).d1, 30);
  EXPECT_EQ(e.jet(values).d2, 10);
}

// Every function's derivatives against central differences of the value, at points inside its domain.
TEST(Expression, DerivativesAgreeWithDifferences) {
  const char* texts[] = {"sin(t)",
                         "cos(t)",
                         "tan(t)",
                         "asin(t/2)",
                         "acos(t/2)",
                         "atan(3*t)",
                         "atan2(t^2, 1+t)",
                         "sinh(t)",
                         "cosh(t)",
                         "tanh(t)",
                         "exp(-t^2)",
                         "log(1+t)",
                         "log10(1+t)",
                         "sqrt(t)",
                         "abs(t-2)*t",
                         "t^3",
                         "t^2.5",
                         "2^t",
                         "t^t",
                         "(1+t)/(2+t^2)",
                         "min(t,t^2)",
                         "max(t,t^2)*t",
                         "mod(t^2, 3)",
                         "sign(t)*t^2",
                         "floor(t)+t^2",
                         "if(t<9,t^3,0)",
                         "step(t, 0.1, 1, 2, 4)",
                         "step(t^2, 0.1, t, 4, 3*t)",
                         "-t*t+t-1",
                         "sin(2*pi*t)/(1+exp(t))",
                         "atan2(-t, t^2-3)",
                         "mod(5, 1+t)"};
  for (const char* text : texts) {
    std::string rest;
    const Expression e = Expression::parse(text, {"t"}, rest);
    for (const double t : {0.3, 0.7, 1.2, 1.4}) {
      const double h = 1e-4;
      const Jet jet = e.jet(t);
      EXPECT_EQ(jet.value, e(t)) << text;
      EXPECT_NEAR(jet.d1, (e(t + h) - e(t - h)) / (2 * h), 2e-5 * (1 + std::abs(jet.d1)))
          << text << " at " << t;
      EXPECT_NEAR(jet.d2, (e.jet(t + h).d1 - e.jet(t - h).d1) / (2 * h), 2e-5 * (1 + std::abs(jet.d2)))
          << text << " at " << t;
    }
  }
}

TEST(Expression, DerivativesAtAwkwardPoints) {
  const auto jet = [](const std::string& text, double t) {
    std::string rest;
    return Expression::parse(text, {"t"}, rest).jet(t);
  };
  EXPECT_EQ(jet("t^2", 0).d2, 2);
  EXPECT_EQ(jet("t^1", 0).d1, 1);
  EXPECT_EQ(jet("t^1", 0).d2, 0);
  EXPECT_EQ(jet("t^0", 0).d1, 0);
  EXPECT_EQ(jet("sqrt(0*2) + t", 0).d1, 1);
  EXPECT_EQ(jet("if(t > 0, sqrt(t), 0)", 0).d1, 0);
  EXPECT_EQ(jet("abs(t)", 0).d1, 0);
  // A step begins and ends at rest.
  EXPECT_EQ(jet("step(t, 0, 0, 1, 5)", 0).d1, 0);
  EXPECT_EQ(jet("step(t, 0, 0, 1, 5)", 1).d1, 0);
  EXPECT_EQ(jet("step(t, 0, 0, 1, 5)", 0.5).d1, 7.5);
}

}  // namespace tappet::expression_test
