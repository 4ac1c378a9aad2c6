// Measured order of convergence with fixed steps: of the solution, of the dense output, and on a manifold.
#include <algorithm>

#include <gtest/gtest.h>

#include "support/ode_problems.hpp"

namespace tappet::testing::runge_kutta_convergence_test {
namespace {

struct Expected {
  const char* name;
  double order, slack;
  int dense_order;
  std::vector<int> steps;
  friend std::ostream& operator<<(std::ostream& out, const Expected& e) { return out << e.name; }
};

class FixedSteps : public ::testing::TestWithParam<Expected> {};

const Expected expectations[] = {
    {"dopri5", 5, 0.2, 4, {448, 512, 640, 800, 960}},
    {"dop853", 8, 0.3, 7, {64, 72, 80, 96, 112}},
    {"implicit-euler", 1, 0.1, 1, {25600, 51200, 102400}},
    {"sdirk2", 2, 0.1, 2, {800, 1600, 3200}},
};

INSTANTIATE_TEST_SUITE_P(Schemes, FixedSteps, ::testing::ValuesIn(expectations), [](const auto& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(FixedSteps, KeplerOrbitConvergesWithTheNominalOrder) {
  FunctionSystem system = kepler();
  const double e = 0.2, t_end = 2.5 * std::numbers::pi;
  std::vector<double> sizes, found;
  for (int steps : GetParam().steps) {
    const auto scheme = make_scheme(GetParam().name, {.fixed_step = t_end / steps});
    const std::vector<double> y = run(*scheme, system, kepler_start(e), t_end);
    EXPECT_EQ(scheme->t(), t_end);
    EXPECT_EQ(scheme->counters().steps, steps);
    sizes.push_back(t_end / steps), found.push_back(largest_difference(y, kepler_at(e, t_end)));
  }
  const double order = log_slope(sizes, found);
  RecordProperty("order", std::to_string(order));
  EXPECT_NEAR(order, GetParam().order, GetParam().slack);
}

/// Largest error of the dense output inside one step from exact values: order + 1 in h.
TEST_P(FixedSteps, DenseOutputOfOneStepHasItsOrder) {
  FunctionSystem system = kepler();
  const double e = 0.2;
  std::vector<double> sizes, found, y(4);
  for (double h : {0.2, 0.1, 0.05}) {
    const auto scheme = make_scheme(GetParam().name, {.fixed_step = h});
    scheme->start(system, 0.5, kepler_at(e, 0.5).data(), 10);
    scheme->step();
    double largest = 0;
    for (int i = 1; i < 20; ++i) {
      scheme->interpolate(0.5 + h * i / 20, y.data());
      largest = std::max(largest, largest_difference(y, kepler_at(e, 0.5 + h * i / 20)));
    }
    sizes.push_back(h), found.push_back(largest);
  }
  const double order = log_slope(sizes, found) - 1;
  RecordProperty("dense_order", std::to_string(order));
  EXPECT_NEAR(order, GetParam().dense_order, 0.4);
}

TEST_P(FixedSteps, ProjectionKeepsTheOrderOnTheManifold) {
  CartesianPendulum pendulum;
  const double t_end = CartesianPendulum::half_period();
  std::vector<double> sizes, found;
  for (int steps : GetParam().steps) {
    const auto scheme = make_scheme(GetParam().name, {.fixed_step = t_end / (steps / 2)});
    const std::vector<double> y = run(*scheme, pendulum, CartesianPendulum::start(), t_end);
    EXPECT_NEAR(std::hypot(y[0], y[1]), 1, 1e-15);
    sizes.push_back(1.0 / steps), found.push_back(largest_difference(y, {-1, 0, 0, 0}));
  }
  EXPECT_GT(log_slope(sizes, found), GetParam().order - 0.4);
}

}  // namespace
}  // namespace tappet::testing::runge_kutta_convergence_test
