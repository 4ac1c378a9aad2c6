#include "tappet/base/definitions.hpp"

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tappet/base/expression.hpp"
#include "tappet/base/units.hpp"

namespace tappet::definitions_test {
namespace {

using ::testing::HasSubstr;

Expression read(const Definitions& definitions, const std::string& text,
                std::vector<std::string> variables = {"t"}) {
  std::string rest;
  return Expression::parse(text, variables, rest, &definitions);
}

TEST(Definitions, ConstantsAreInSi) {
  Definitions d;
  d.add("rise", "170 mm");
  d.add("turn", "90 deg");
  d.add("half", "rise/2");
  EXPECT_DOUBLE_EQ(read(d, "2*half + 1")(0.0), 1.17);
  EXPECT_DOUBLE_EQ(read(d, "turn")(0.0), std::acos(0.0));
  EXPECT_TRUE(read(d, "half^2").is_constant());
}

// Functions call functions, each argument is computed once, and derivatives go through all of them.
TEST(Definitions, FunctionsHaveExactDerivatives) {
  Definitions d;
  d.add("square(x)", "x*x");
  d.add("hypot(x, y)", "sqrt(square(x) + square(y))");
  d.add("scaled(x)", "2*x mm");
  EXPECT_DOUBLE_EQ(read(d, "1 + hypot(3, 4)*2")(0.0), 11);
  EXPECT_TRUE(read(d, "hypot(3, 4)").is_constant());
  EXPECT_DOUBLE_EQ(read(d, "scaled(t)")(3.0), 0.006);

  // √(t² + 9) at t = 4: value 5, slope t/5, curvature 9/125.
  const Jet jet = read(d, "5 - (5 - hypot(t, 3))").jet(4.0);
  EXPECT_NEAR(jet.value, 5, 1e-14);
  EXPECT_NEAR(jet.d1, 0.8, 1e-14);
  EXPECT_NEAR(jet.d2, 9.0 / 125, 1e-14);
}

// Thirty levels that use their argument twice would be 2³⁰ operations if arguments were copied.
TEST(Definitions, DeepCallsStayShort) {
  Definitions d;
  d.add("f0(x)", "x - x/2");
  for (int i = 1; i < 30; ++i) d.add(fmt::format("f{}(x)", i), fmt::format("f{}(x - x/2)", i - 1));
  EXPECT_NEAR(read(d, "f29(t)")(1.0), std::pow(0.5, 30), 1e-24);
}

std::string fault(Definitions d, const std::string& head, const std::string& text) {
  try {
    d.add(head, text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

TEST(Definitions, FaultsAreSentences) {
  Definitions d;
  d.add("f(x)", "x");
  EXPECT_THAT(fault(d, "sin", "1"), HasSubstr("has a meaning already"));
  EXPECT_THAT(fault(d, "2x", "1"), HasSubstr("a name consists of the letters a–z"));
  EXPECT_THAT(fault(d, "g(x, x)", "1"), HasSubstr("is there twice"));
  EXPECT_THAT(fault(d, "g(x", "1"), HasSubstr("')' is missing"));
  EXPECT_THAT(fault(d, "f", "1"), HasSubstr("'f' is defined twice"));
  EXPECT_THAT(fault(d, "g", "t"), HasSubstr("unknown name 't'"));
  EXPECT_THAT(fault(d, "g", "g + 1"), HasSubstr("unknown name 'g'"));
  EXPECT_THAT(fault(d, "g", "f(1, 2)"), HasSubstr("'f' takes 1 argument, not 2"));
  EXPECT_THAT(fault(d, "g", "3 furlongs per week"), ::testing::Not("none"));
}

// ---- inputs ----

Expression read_inputs(const Definitions& definitions, const std::string& text) {
  std::string rest;
  return Expression::parse(text, {"t"}, rest, &definitions, Inputs::allowed);
}

TEST(Definitions, InputsHaveTheValuesThatAreHandedOver) {
  Definitions d;
  d.add_input("a", "N", 3);
  d.add_input("b", "", 5);
  d.add("both(x)", "a*x + b");
  const double values[] = {10, 20};
  const Expression e = read_inputs(d, "both(t)^2");
  EXPECT_EQ(e(2.0), 121);  // by default
  EXPECT_EQ(e(2.0, values), 1600);
  EXPECT_FALSE(read_inputs(d, "2*b").is_constant());
  EXPECT_TRUE(e.uses_inputs());
  EXPECT_FALSE(read_inputs(d, "2*t").uses_inputs());
  // They do not vary in time: d/dt (a t + b)² = 2 (a t + b) a.
  const Jet jet = e.jet(2.0, values);
  EXPECT_EQ(jet.d1, 2 * 40 * 10);
  EXPECT_EQ(jet.d2, 2 * 10 * 10);
  EXPECT_EQ(read_inputs(d, "a").scaled(2)(0.0, values), 20);
  EXPECT_EQ(read_inputs(d, "if(b > 10, 1, t)")(0.5), 0.5);  // not chosen by the default
  EXPECT_EQ(read_inputs(d, "if(b > 10, 1, t)")(0.5, values), 1);
}

TEST(Definitions, InputsAreNotedWhereTheyAreUsed) {
  Definitions d;
  d.add_input("a", "", 0);
  d.add_input("b", "", 0);
  d.add("twice", "2*a");
  EXPECT_FALSE(*d.inputs()[0].used);  // a definition alone is no use
  read_inputs(d, "twice");
  EXPECT_TRUE(*d.inputs()[0].used);
  EXPECT_FALSE(*d.inputs()[1].used);
}

}  // namespace
}  // namespace tappet::definitions_test
