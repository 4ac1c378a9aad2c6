// Orders of method moreau: first through impacts, second where nothing touches.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::moreau_convergence_test {
namespace {

using testing::Recording;
using testing::run_example;
using testing::run_text;

/// Slope of log(error) over log(step), least squares.
double slope(const std::vector<double>& steps, const std::vector<double>& errors) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const double n = static_cast<double>(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double x = std::log(steps[i]), y = std::log(errors[i]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/// Height of a ball dropped from `drop` with restitution e at time t.
double bouncing_height(double drop, double e, double t) {
  constexpr double g = 9.81;
  double at = std::sqrt(2 * drop / g), v = e * g * at;
  if (t < at) return drop - 0.5 * g * t * t;
  while (at + 2 * v / g < t) at += 2 * v / g, v *= e;
  return v * (t - at) - 0.5 * g * (t - at) * (t - at);
}

// Where in a step the impact falls is chance, so the error is averaged over heights.
TEST(MoreauConvergence, ABouncingBallIsFirstOrder) {
  const std::vector<double> steps = {4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4};
  std::vector<double> errors;
  for (double step : steps) {
    double sum = 0;
    for (int n = 0; n < 30; ++n) {
      const double drop = 0.5 + 0.0137 * n;
      const Recording r = run_text(fmt::format(
          "tappet: 1\ndimension: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
          "  ball: {{mass: 1, position: [0, 0, {}], velocity: [0, 0, 0], shapes: {{skin: {{sphere: {{radius: "
          "0.1}}}}}}}}\n"
          "ground:\n  shapes: {{floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}}}\n"
          "contacts: {{floor: {{between: [ground.floor, ball.skin], normal: {{restitution: 0.8}}}}}}\n"
          "simulation: {{method: moreau, duration: 1.5, step: {}}}\noutput: {{step: 0.1, signals: "
          "[ball.z]}}\n",
          0.1 + drop, step));
      const double error = r.last("ball.z") - 0.1 - bouncing_height(drop, 0.8, 1.5);
      sum += error * error / 30;
    }
    errors.push_back(std::sqrt(sum));
  }
  EXPECT_NEAR(slope(steps, errors), 1, 0.2);
  EXPECT_LT(errors.back(), 3 * steps.back());
}

// [Flores, Leine & Glocker 2010] with e = 0.4 and μ = 0: angles and speeds at 50 ms, computed event by event
// to 1e-9.
TEST(MoreauConvergence, TranslationalClearanceApproachesRigidImpacts) {
  const auto error = [](double step) {
    const Recording r = run_example("translational_clearance/model.yaml",
                                    {"simulation.method=moreau", fmt::format("simulation.step={}", step),
                                     "simulation.tolerance=1e-10", "output.step=0.05"});
    EXPECT_LT(r.summary.constraint_violation, 1e-11);
    EXPECT_LT(r.summary.energy_residual, 1e-4);
    return std::max({std::abs(r.last("crank.angle") - 4.799104509),
                     std::abs(r.last("rod.angle") - 0.5252027332),
                     0.01 * std::abs(r.last("crank.omega") - 68.55594453),
                     0.01 * std::abs(r.last("rod.omega") + 3.422607346)});
  };
  const std::vector<double> steps = {8e-5, 4e-5, 2e-5, 1e-5, 5e-6, 2.5e-6};
  std::vector<double> errors;
  for (double step : steps) errors.push_back(error(step));
  EXPECT_LT(error(1e-5), 3e-4);
  EXPECT_NEAR(slope(steps, errors), 1, 0.35);
}

// Nothing touches: the midpoint rule with joints that hold its mean velocity is of second order, and keeps
// the energy.
TEST(MoreauConvergence, APendulumIsSecondOrder) {
  const std::string text =
      "tappet: 1\ndimension: planar\ngravity: [0, -9.81]\nbodies:\n"
      "  bob: {mass: 2, inertia: 0.1, position: [0.5, 0], velocity: [0, 0], angular_velocity: 0}\n"
      "joints: {pin: {type: revolute, bodies: [ground, bob], points: [[0, 0], [-0.5, 0]]}}\n"
      "output: {step: 1, signals: [bob.angle, energy.*]}\n";
  const double exact = run_text(text + "simulation: {duration: 1, tolerance: 1e-12}\n").last("bob.angle");
  const std::vector<double> steps = {4e-3, 2e-3, 1e-3};
  std::vector<double> errors;
  for (double step : steps) {
    const Recording r =
        run_text(text + fmt::format("simulation: {{method: moreau, duration: 1, step: {}}}\n", step));
    errors.push_back(std::abs(r.last("bob.angle") - exact));
    EXPECT_LT(r.summary.energy_residual, 4 * step * step) << step;
  }
  EXPECT_NEAR(slope(steps, errors), 2, 0.2);
}

}  // namespace
}  // namespace tappet::moreau_convergence_test
