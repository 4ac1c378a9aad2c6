// What a tolerance means: the error of a run is proportional to it, and it is the same in every integrator.
#include <gtest/gtest.h>

#include "support/ode_problems.hpp"

namespace tappet::testing::tolerance_test {
namespace {

class Tolerance : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Registry, Tolerance, ::testing::ValuesIn(error_controlled_schemes()),
                         [](const auto& info) { return info.param; });

const std::vector<double> tolerances = {1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11};

void expect_proportional(const std::string& scheme_name, OdeSystem& system, const std::vector<double>& start,
                         double t_end, const std::vector<double>& exact) {
  std::vector<double> errors;
  for (double tolerance : tolerances) {
    const auto scheme = make_scheme(scheme_name, {.tolerance = tolerance});
    errors.push_back(largest_difference(run(*scheme, system, start, t_end), exact));
  }
  const double slope = log_slope(tolerances, errors);
  ::testing::Test::RecordProperty("slope", std::to_string(slope));
  ::testing::Test::RecordProperty("error_at_1e-8", std::to_string(errors[3] / 1e-8) + " tolerances");
  EXPECT_GT(slope, 0.6);
  EXPECT_LT(slope, 1.4);
}

TEST_P(Tolerance, ErrorOfAKeplerOrbitIsProportional) {
  FunctionSystem system = kepler();
  expect_proportional(GetParam(), system, kepler_start(0.3), 5, kepler_at(0.3, 5));
}

TEST_P(Tolerance, ErrorOfThePendulumIsProportional) {
  CartesianPendulum pendulum;
  expect_proportional(GetParam(), pendulum, CartesianPendulum::start(), 2 * CartesianPendulum::half_period(),
                      CartesianPendulum::start());
}

TEST_P(Tolerance, AllSchemesAgreeWithinAHundredTolerances) {
  CartesianPendulum pendulum;
  FunctionSystem swing = oscillator();
  for (double tolerance : {1e-5, 1e-7, 1e-9}) {
    const auto reference = make_scheme("dop853", {.tolerance = 1e-13}),
               scheme = make_scheme(GetParam(), {.tolerance = tolerance});
    EXPECT_LT(largest_difference(run(*scheme, pendulum, CartesianPendulum::start(), 1),
                                 run(*reference, pendulum, CartesianPendulum::start(), 1)),
              100 * tolerance);
    EXPECT_LT(largest_difference(run(*scheme, swing, oscillator_start(), 3), oscillator_at(3)),
              100 * tolerance);
  }
}

/// Many copies of one oscillator take the same steps as one: the largest component counts, not the mean or
/// the sum.
TEST_P(Tolerance, DoesNotDependOnTheSizeOfTheSystem) {
  const auto steps = [&](int copies) {
    FunctionSystem system(2 * copies, [=](double, const double* y, double* f) {
      for (int i = 0; i < copies; ++i) f[2 * i] = y[2 * i + 1], f[2 * i + 1] = -y[2 * i];
    });
    std::vector<double> start(2 * copies);
    for (int i = 0; i < copies; ++i) start[2 * i] = 1;
    const auto scheme = make_scheme(GetParam(), {.tolerance = 1e-7});
    run(*scheme, system, start, 20);
    return scheme->counters().steps;
  };
  EXPECT_EQ(steps(1), steps(50));
}

}  // namespace
}  // namespace tappet::testing::tolerance_test
