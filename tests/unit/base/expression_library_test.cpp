#include "tappet/base/expression_library.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tappet/base/definitions.hpp"
#include "tappet/base/expression.hpp"

namespace tappet::expression_library_test {
namespace {

using ::testing::HasSubstr;

Expression of(const std::string& text, const std::vector<std::string>& variables = {"x"}) {
  std::string rest;
  const Expression out = Expression::parse(text, variables, rest);
  EXPECT_EQ(rest, "");
  return out;
}

/// Value and derivatives by their definitions.
struct Case {
  const char* text;
  double (*f)(double x);
};

double s(double x) {
  return (x - 1) / 2;
}

const Case cases[] = {
    {"step5(x, 1, 2, 3, 7)",
     [](double x) {
       return x <= 1 ? 2 : x >= 3 ? 7 : 2 + 5 * std::pow(s(x), 3) * (10 - 15 * s(x) + 6 * s(x) * s(x));
     }},
    {"havsin(x, 1, 2, 3, 7)",
     [](double x) { return x <= 1   ? 2
                           : x >= 3 ? 7
                                    : 4.5 + 2.5 * std::sin(M_PI * (s(x) - 0.5)); }},
    {"shf(x, 0.3, 2, 5, 0.1, 4)", [](double x) { return 2 * std::sin(5 * (x - 0.3) - 0.1) + 4; }},
    {"shf(x, 0.3, 2, 5, 0.1)", [](double x) { return 2 * std::sin(5 * (x - 0.3) - 0.1); }},
    {"poly(x, 0.5, 1, 2, 3, 4)",
     [](double x) {
       const double u = x - 0.5;
       return 1 + 2 * u + 3 * u * u + 4 * u * u * u;
     }},
    {"cheby(x, 0.5, 1, 2, 3, 4, 5)",
     [](double x) {
       const double u = x - 0.5;
       return 1 + 2 * u + 3 * (2 * u * u - 1) + 4 * (4 * u * u * u - 3 * u) +
              5 * (8 * u * u * u * u - 8 * u * u + 1);
     }},
    {"forcos(x, 0.2, 3, 1, 2, 4)",
     [](double x) { return 1 + 2 * std::cos(3 * (x - 0.2)) + 4 * std::cos(6 * (x - 0.2)); }},
    {"forsin(x, 0.2, 3, 1, 2, 4)",
     [](double x) { return 1 + 2 * std::sin(3 * (x - 0.2)) + 4 * std::sin(6 * (x - 0.2)); }},
    {"impact(x, 0.3, 2, 50, 1.5, 7, 0.5)",
     [](double x) {
       if (x >= 2) return 0.0;
       const double u = std::min(1.0, std::max(0.0, (2 - x) / 0.5));
       return std::max(0.0, 50 * std::pow(2 - x, 1.5) - 7 * 0.3 * u * u * (3 - 2 * u));
     }},
    {"bistop(x, 0.3, 1, 2, 50, 1.5, 7, 0.5)",
     [](double x) {
       const auto share = [](double depth) {
         const double u = std::min(1.0, std::max(0.0, depth / 0.5));
         return u * u * (3 - 2 * u);
       };
       if (x < 1) return std::max(0.0, 50 * std::pow(1 - x, 1.5) - 7 * 0.3 * share(1 - x));
       if (x > 2) return std::min(0.0, -50 * std::pow(x - 2, 1.5) - 7 * 0.3 * share(x - 2));
       return 0.0;
     }},
    {"dim(x, 1.3)", [](double x) { return std::max(x - 1.3, 0.0); }},
    {"sign(x, -2)", [](double x) { return -std::abs(x); }},
    {"sign(2, x - 1.1)", [](double x) { return std::copysign(2.0, x - 1.1); }},
    {"aint(3*x)", [](double x) { return std::trunc(3 * x); }},
    {"anint(3*x)", [](double x) { return std::round(3 * x); }},
    {"rem(5*x, 3)", [](double x) { return std::fmod(5 * x, 3); }},
};

TEST(ExpressionLibrary, FunctionsAndTheirDerivatives) {
  for (const Case& each : cases) {
    const Expression e = of(each.text);
    for (double x = -1.977; x < 4; x += 0.211) {
      SCOPED_TRACE(std::string(each.text) + " at " + std::to_string(x));
      const Jet jet = e.jet(x);
      EXPECT_NEAR(jet.value, each.f(x), 1e-11 * std::max(1.0, std::abs(each.f(x))));
      EXPECT_EQ(jet.value, e(x));
      // Differences of the sixth order, away from kinks and steps.
      constexpr double h = 1e-3;
      const auto d = [&](double (*f)(double), double at) {
        return (45 * (f(at + h) - f(at - h)) - 9 * (f(at + 2 * h) - f(at - 2 * h)) +
                (f(at + 3 * h) - f(at - 3 * h))) /
               (60 * h);
      };
      const double slope = d(each.f, x);
      const bool smooth = std::abs(slope - d(each.f, x + 1e-9)) < 1e-5 * (1 + std::abs(slope)) &&
                          std::abs(each.f(x + 3 * h) - each.f(x - 3 * h)) < 1;
      if (!smooth) continue;
      EXPECT_NEAR(jet.d1, slope, 1e-6 * (1 + std::abs(slope)));
    }
  }
}

TEST(ExpressionLibrary, ADefinitionComesFirst) {
  Definitions definitions;
  definitions.add("havsin(a)", "3*a");
  std::string rest;
  EXPECT_EQ(Expression::parse("havsin(2)", {}, rest, &definitions)(0), 6);
}

TEST(ExpressionLibrary, Refuses) {
  const auto refused = [](const std::string& text) -> std::string {
    try {
      of(text);
      return "accepted";
    } catch (const ExpressionError& e) {
      return e.what();
    }
  };
  EXPECT_THAT(refused("step5(x, 1, 2, 3)"), HasSubstr("'step5' takes 5 arguments, not 4"));
  EXPECT_THAT(refused("shf(x, 1)"), HasSubstr("'shf' takes 5 or 6 arguments, not 2"));
  EXPECT_THAT(refused("poly(x, 1)"), HasSubstr("'poly' takes 3 to 40 arguments, not 2"));
  EXPECT_THAT(refused("havsin(x, 3, 0, 1, 1)"), HasSubstr("needs x0 < x1, not 3 and 1"));
  EXPECT_THAT(refused("STEP5(x, 0, 0, 1, 1)"), HasSubstr("did you mean 'step5'?"));
  EXPECT_THAT(refused("sign(1, 2, 3)"), HasSubstr("'sign' takes 1 argument, not 3"));
  EXPECT_FALSE(in_library("sin"));
  for (const std::string& name : library_names()) EXPECT_TRUE(in_library(name));
}

}  // namespace
}  // namespace tappet::expression_library_test
