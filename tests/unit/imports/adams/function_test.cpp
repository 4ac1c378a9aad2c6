#include "tappet/imports/adams/function.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tappet/base/expression.hpp"

namespace tappet::adams::function_test {
namespace {

using std::numbers::pi;
using ::testing::HasSubstr;

double value(const std::string& function, double t) {
  std::string rest;
  const std::string text = translate(function, {});
  const double out = Expression::parse(text, {"t"}, rest)(t);
  EXPECT_EQ(rest, "") << text;
  return out;
}

double cubic(double x, double x0, double h0, double x1, double h1) {
  const double s = std::clamp((x - x0) / (x1 - x0), 0.0, 1.0);
  return h0 + (h1 - h0) * s * s * (3 - 2 * s);
}

// Every function by its definition in Adams' manual, at places before, within and behind what it changes.
TEST(AdamsFunction, HaveTheirDefinitions) {
  for (double t : {-0.7, -0.2, 0.0, 0.3, 0.9, 1.0, 1.4, 2.5}) {
    const double s = std::clamp(t, 0.0, 1.0);
    const struct {
      const char* function;
      double expected;
    } all[] = {
        {"2*TIME - 3", 2 * t - 3},
        {"-TIME**2", -t * t},
        {"2**3**2 + 0*TIME", 512},
        {"2*-3", -6},
        {"TIME**-2 * TIME**2 * 0", t == 0 ? NAN : 0},
        {"30D*TIME", pi / 6 * t},
        {"SIN(PI*TIME)", std::sin(pi * t)},
        {"RTOD*DTOR", 1},
        {"ABS(TIME) + SQRT(4) + EXP(TIME) + ATAN2(1, 2)", std::abs(t) + 2 + std::exp(t) + std::atan2(1, 2)},
        {"AINT(2*TIME)", std::trunc(2 * t)},
        {"ANINT(TIME)", std::round(t)},
        {"DIM(TIME, 0.5)", std::max(t - 0.5, 0.0)},
        {"MAX(TIME, 1) + MIN(TIME, 0)", std::max(t, 1.0) + std::min(t, 0.0)},
        {"MOD(5*TIME, 2)", std::fmod(5 * t, 2)},
        {"SIGN(3, TIME)", t < 0 ? -3.0 : 3.0},
        {"STEP(TIME, 0, 2, 1, 5)", cubic(t, 0, 2, 1, 5)},
        {"STEP5(TIME, 0, 2, 1, 5)", 2 + 3 * s * s * s * (10 - 15 * s + 6 * s * s)},
        {"HAVSIN(TIME, 0, 2, 1, 5)", 3.5 + 1.5 * std::sin(pi * (s - 0.5))},
        {"SHF(TIME, 0.1, 2, 3, 0.4, 5)", 2 * std::sin(3 * (t - 0.1) - 0.4) + 5},
        {"POLY(TIME, 0.5, 1, 2, 3)", 1 + 2 * (t - 0.5) + 3 * (t - 0.5) * (t - 0.5)},
        {"CHEBY(TIME, 0.5, 1, 2, 3, 4)", 1 + 2 * (t - 0.5) + 3 * (2 * std::pow(t - 0.5, 2) - 1) +
                                             4 * (4 * std::pow(t - 0.5, 3) - 3 * (t - 0.5))},
        {"FORCOS(TIME, 0.5, 2, 1, 3, 4)", 1 + 3 * std::cos(2 * (t - 0.5)) + 4 * std::cos(4 * (t - 0.5))},
        {"FORSIN(TIME, 0.5, 2, 1, 3, 4)", 1 + 3 * std::sin(2 * (t - 0.5)) + 4 * std::sin(4 * (t - 0.5))},
        {"IF(TIME: 1, 2, 3)", t < 0    ? 1.0
                              : t == 0 ? 2.0
                                       : 3.0},
        {"IMPACT(TIME, -2, 1, 100, 1.5, 7, 0.2)",
         t < 1 ? 100 * std::pow(1 - t, 1.5) + 7 * 2 * cubic(t, 0.8, 1, 1, 0) : 0},
        {"IMPACT(TIME, 50, 1, 100, 1.5, 7, 0.2)",
         t < 1 ? std::max(0.0, 100 * std::pow(1 - t, 1.5) - 7 * 50 * cubic(t, 0.8, 1, 1, 0)) : 0},
        {"BISTOP(TIME, 0, 0.2, 1, 100, 1.5, 7, 0.2)", t < 0.2 ? 100 * std::pow(0.2 - t, 1.5)
                                                      : t > 1 ? -100 * std::pow(t - 1, 1.5)
                                                              : 0}};
    for (const auto& one : all) {
      if (std::isnan(one.expected)) continue;
      EXPECT_NEAR(value(one.function, t), one.expected, 1e-12 * (1 + std::abs(one.expected)))
          << one.function << " at " << t;
    }
  }
}

TEST(AdamsFunction, VariablesStandForTheirFunctions) {
  const std::map<std::string, std::string> variables = {
      {"1", "2*TIME"}, {"2", "VARVAL(1) + 1"}, {"3", "VARVAL(3)"}};
  FunctionContext context;
  context.variables = &variables;
  EXPECT_EQ(translate("3*VARVAL(2)", context), "3*((2*t) + 1)");
  EXPECT_THROW(translate("VARVAL(3)", context), Untranslatable);
  EXPECT_THROW(translate("VARVAL(7)", context), Untranslatable);
}

TEST(AdamsFunction, MeasuresAreAskedForByTheirNumbers) {
  FunctionContext context;
  context.measures = [](const std::string& name, const std::vector<std::string>& ids) {
    EXPECT_EQ(name, "DM");
    EXPECT_THAT(ids, ::testing::ElementsAre("204", "205"));
    return std::string("x");
  };
  EXPECT_EQ(translate("-100.0*(dm(0204, 205)-2.0)", context), "-100*(x - 2)");
}

TEST(AdamsFunction, FaultsSayWhatAndWhy) {
  for (const auto& [function, words] : {std::pair{"2*", "it ends where a number is expected"},
                                        {"(1 + 2", "a closing parenthesis is missing"},
                                        {"1 2", "does not continue it"},
                                        {"SIN(1, 2)", "SIN takes 1 arguments, not 2"},
                                        {"DM(1, 2)", "DM cannot be used here: only TIME can"},
                                        {"FOO", "FOO is nothing that the model file knows"},
                                        {"AKISPL(TIME, 0, 1)", "AKISPL cannot be used here"},
                                        {"$", "'$' is not expected there"}}) {
    try {
      translate(function, {});
      FAIL() << function;
    } catch (const Untranslatable& fault) {
      EXPECT_THAT(fault.what(), HasSubstr(words));
    }
  }
  EXPECT_THROW(translate(std::string(5000, '('), {}), Untranslatable);
}

// Arguments that the translation says several times, variables that stand for others, signs without end: a kilobyte can mean any length.
TEST(AdamsFunction, WhatGrowsWithoutEndIsRefused) {
  std::map<std::string, std::string> variables = {{"1", "TIME"}};
  for (int i = 2; i <= 60; ++i)
    variables[std::to_string(i)] =
        "VARVAL(" + std::to_string(i - 1) + ")+VARVAL(" + std::to_string(i - 1) + ")";
  for (int i = 1001; i <= 3000; ++i) variables[std::to_string(i)] = "VARVAL(" + std::to_string(i + 1) + ")";
  FunctionContext context;
  context.variables = &variables;
  std::string choice = "TIME", power = "2", sign = "2*";
  for (int i = 0; i < 60; ++i) choice = "IF(" + choice + ":0,1,2)";
  for (int i = 0; i < 100'000; ++i) power += "**2", sign += "-";
  for (const auto& [function, words] :
       {std::pair<std::string, std::string>{"VARVAL(60)", "more than 131072 characters"},
        {choice, "more than 131072 characters"},
        {"VARVAL(1001)", "nested more than 200 deep"},
        {power, "nested more than 200 deep"},
        {sign + "3", "nested more than 200 deep"}}) {
    try {
      translate(function, context);
      FAIL() << function.substr(0, 100);
    } catch (const Untranslatable& fault) {
      EXPECT_THAT(fault.what(), HasSubstr(words));
    }
  }
}

}  // namespace
}  // namespace tappet::adams::function_test
