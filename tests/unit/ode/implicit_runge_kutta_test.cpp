#include "tappet/ode/implicit_runge_kutta.hpp"

#include <complex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "support/ode_problems.hpp"
#include "tappet/base/diagnostics.hpp"

namespace tappet::testing::implicit_runge_kutta_test {
namespace {

using ::testing::HasSubstr;

class Implicit : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Schemes, Implicit, ::testing::Values("implicit-euler", "sdirk2"),
                         [](const auto& info) {
                           return std::string(info.param) == "sdirk2" ? "sdirk2" : "implicit_euler";
                         });

/// What one step of y' = λ y multiplies y by, z = λ h [Hairer1996, IV.3, table 3.1; Alexander1977].
std::complex<double> stability(const std::string& scheme, std::complex<double> z) {
  if (scheme == "implicit-euler") return 1.0 / (1.0 - z);
  const double g = 1 - std::sqrt(0.5);
  return (1.0 + (1 - 2 * g) * z) / ((1.0 - g * z) * (1.0 - g * z));
}

// A linear oscillation is a power of the stability function, whatever the step: here from a hundredth of 1/ω to a hundred times it.
TEST_P(Implicit, AnOscillationIsAPowerOfTheStabilityFunction) {
  for (const double omega : {0.1, 1.0, 10.0, 1000.0}) {
    FunctionSystem system(
        2, [=](double, const double* y, double* f) { f[0] = y[1], f[1] = -omega * omega * y[0]; });
    const double h = 0.1;
    const auto scheme = make_scheme(GetParam(), {.fixed_step = h});
    scheme->start(system, 0, std::vector<double>{1, 0}.data(), 100);
    std::complex<double> exact = 1;  // y₀ − i y₁/ω turns as e^{iωt}
    for (int n = 0; n < 20; ++n) {
      scheme->step();
      exact *= stability(GetParam(), {0, omega * h});
      EXPECT_NEAR(scheme->y()[0], exact.real(), 1e-9) << omega;
      EXPECT_NEAR(scheme->y()[1] / omega, -exact.imag(), 1e-9) << omega;
    }
  }
}

// Prothero and Robinson's problem y' = λ(y − cos t) − sin t with −λh = 1e4: what begins off the slow solution y = cos t is there
// after the first steps, where an explicit method would need steps of 2e-6.
TEST_P(Implicit, FollowsTheSlowSolutionOfAStiffProblem) {
  const double lambda = -1e6, h = 0.01;
  FunctionSystem system(
      1, [=](double t, const double* y, double* f) { f[0] = lambda * (y[0] - std::cos(t)) - std::sin(t); });
  const auto scheme = make_scheme(GetParam(), {.fixed_step = h});
  scheme->start(system, 0, std::vector<double>{2}.data(), 10);
  scheme->step();
  EXPECT_NEAR(scheme->y()[0] - std::cos(h), std::real(stability(GetParam(), lambda * h)), 1e-6);
  while (scheme->t() < 10) scheme->step();
  EXPECT_NEAR(scheme->y()[0], std::cos(10.0), 1e-7);
  const auto explicit_scheme = make_scheme("dopri5", {.fixed_step = h});
  explicit_scheme->start(system, 0, std::vector<double>{2}.data(), 10);
  EXPECT_THROW(while (explicit_scheme->t() < 10) explicit_scheme->step(), SimulationError);
}

// Quadratures that no rate depends on are as good as what they follow, and make no step fail.
TEST_P(Implicit, WhatNoRateDependsOnFollows) {
  const double omega = 1e4;
  FunctionSystem system(3, [=](double, const double* y, double* f) {
    f[0] = y[1], f[1] = -omega * omega * y[0], f[2] = -1e9 * f[1];
  });
  const auto scheme = make_scheme(GetParam(), {.fixed_step = 1e-3});
  const std::vector<double> y = run(*scheme, system, {1, 0, 0}, 0.05);
  EXPECT_NEAR(y[2] / -1e9, y[1], 1e-9 * omega);  // ∫ y₁' is y₁
}

TEST_P(Implicit, StepsAreEqualAndLandOnTheEnd) {
  FunctionSystem system = oscillator();
  const auto scheme = make_scheme(GetParam(), {.fixed_step = 0.1});
  scheme->start(system, 0, oscillator_start().data(), 10.05);
  for (int n = 1; n <= 100; ++n) {
    scheme->step();
    EXPECT_EQ(scheme->t(), n * 0.1);
  }
  scheme->step();
  EXPECT_EQ(scheme->t(), 10.05);
  EXPECT_EQ(scheme->counters().steps, 101);
  EXPECT_THROW(scheme->step(), std::logic_error);
}

TEST_P(Implicit, DenseOutputMeetsTheEndsAndGoesOnFromATruncatedStep) {
  CartesianPendulum pendulum;
  const auto scheme = make_scheme(GetParam(), {.fixed_step = 0.05});
  scheme->start(pendulum, 0, CartesianPendulum::start().data(), 5);
  std::vector<double> y(4), last = CartesianPendulum::start();
  for (int n = 0; n < 20; ++n) {
    scheme->step();
    EXPECT_NEAR(std::hypot(scheme->y()[0], scheme->y()[1]), 1, 1e-14);
    scheme->interpolate(scheme->t_old(), y.data());
    EXPECT_EQ(y, last);
    last.assign(scheme->y(), scheme->y() + 4);
    const double h = scheme->t() - scheme->t_old();
    scheme->interpolate(scheme->t() - 1e-9 * h, y.data());
    EXPECT_LT(largest_difference(y, last), 1e-7);
    if (n % 5 != 3) continue;
    const double middle = scheme->t_old() + 0.3 * h, early = scheme->t_old() + 0.2 * h;
    std::vector<double> before(4), after(4);
    scheme->interpolate(early, before.data());
    scheme->interpolate(middle, last.data());
    pendulum.project(middle, last.data());
    scheme->truncate(middle, last.data());
    scheme->interpolate(early, after.data());
    EXPECT_EQ(before, after);
    EXPECT_EQ(scheme->t(), middle);
  }
}

TEST_P(Implicit, ResumesBitForBit) {
  CartesianPendulum pendulum;
  const SchemeOptions options{.fixed_step = 0.0123};
  const auto whole = make_scheme(GetParam(), options), resumed = make_scheme(GetParam(), options);
  whole->start(pendulum, 0, CartesianPendulum::start().data(), 3);
  for (int n = 0; n < 37; ++n) whole->step();
  resumed->start(pendulum, whole->t(), whole->y(), 3);
  AnyValue memory;
  whole->store(memory);
  resumed->restore(memory);
  while (whole->t() < 3) {
    whole->step(), resumed->step();
    EXPECT_EQ(whole->t(), resumed->t());
    EXPECT_EQ(std::vector<double>(whole->y(), whole->y() + 4),
              std::vector<double>(resumed->y(), resumed->y() + 4));
  }
  EXPECT_THROW(resumed->restore({}), std::invalid_argument);
}

TEST_P(Implicit, AllocatesNothingAfterItsFirstStep) {
  CartesianPendulum pendulum;
  const auto scheme = make_scheme(GetParam(), {.fixed_step = 0.01});
  const std::vector<double> start = CartesianPendulum::start();
  scheme->start(pendulum, 0, start.data(), 2);
  scheme->step();
  const long before = allocations();
  while (scheme->t() < 2) scheme->step();
  EXPECT_EQ(allocations(), before);
}

// y₁ = y + h y₁² has no solution for h y > 1/4.
TEST_P(Implicit, SaysThatAStepWasNotSolved) {
  FunctionSystem system(1, [](double, const double* y, double* f) { f[0] = y[0] * y[0]; });
  const auto scheme = make_scheme(GetParam(), {.fixed_step = 1});
  scheme->start(system, 0, std::vector<double>{4}.data(), 10);
  try {
    scheme->step();
    FAIL();
  } catch (const SimulationError& error) {
    EXPECT_THAT(error.what(), HasSubstr("an implicit step of 1 s were not solved"));
  }
  EXPECT_EQ(scheme->t(), 0);
  EXPECT_EQ(scheme->y()[0], 4);
}

TEST_P(Implicit, RefusesToChooseItsSteps) {
  EXPECT_THROW(make_scheme(GetParam(), {.tolerance = 1e-6}), std::invalid_argument);
}

}  // namespace
}  // namespace tappet::testing::implicit_runge_kutta_test
