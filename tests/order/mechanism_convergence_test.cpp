// Measured order of convergence on a mechanism, through the model file: a rod pendulum with fixed steps.
#include <algorithm>

#include <gtest/gtest.h>

#include "support/ode_problems.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::mechanism_convergence_test {
namespace {

struct Expected {
  const char* integrator;
  double order;
  std::vector<int> steps;
  friend std::ostream& operator<<(std::ostream& out, const Expected& e) { return out << e.integrator; }
};

class PendulumOrder : public ::testing::TestWithParam<Expected> {};
INSTANTIATE_TEST_SUITE_P(FixedSteps, PendulumOrder,
                         ::testing::Values(Expected{"dopri5", 5, {100, 120, 160, 200, 240}},
                                           Expected{"dop853", 8, {20, 24, 28, 32, 40, 48}},
                                           Expected{"implicit-euler", 1, {4000, 8000, 16000}},
                                           Expected{"sdirk2", 2, {400, 800, 1600}}),
                         [](const auto& info) {
                           std::string name = info.param.integrator;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(PendulumOrder, IsTheNominalOne) {
  const std::string text = R"(tappet: 1
dimension: planar
gravity: [0, -9.81]
bodies:
  rod: {mass: 1, inertia: 1/12, position: [0.5, 0]}
joints:
  hinge: {type: revolute, bodies: [ground, rod], points: [[0, 0], [-0.5, 0]]}
simulation: {duration: 2}
output: {step: 0.5}
)";
  const Recording exact = run_text(text, {"simulation.tolerance=1e-14", "simulation.integrator=dop853"});
  std::vector<double> sizes, errors;
  for (int steps : GetParam().steps) {
    const Recording r = run_text(text, {std::string("simulation.integrator=") + GetParam().integrator,
                                        "simulation.step=2/" + std::to_string(steps)});
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    sizes.push_back(2.0 / steps);
    errors.push_back(
        std::max(largest_difference(r, exact, ".angle"), largest_difference(r, exact, ".omega")));
  }
  const double order = log_slope(sizes, errors);
  RecordProperty("order", std::to_string(order));
  EXPECT_NEAR(order, GetParam().order, 0.5);
}

}  // namespace
}  // namespace tappet::testing::mechanism_convergence_test
