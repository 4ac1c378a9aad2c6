// Loads of bearings: friction is μ times the reaction that it takes part in, to rounding, and the motion is that of all forces together.
#include "tappet/multibody/bearings.hpp"

#include <gtest/gtest.h>

#include "support/run_model.hpp"
#include "tappet/run/simulation.hpp"

namespace tappet::testing::bearings_test {
namespace {

// A double pendulum that swings, with friction in both pins: each presses the other.
TEST(Bearings, AgreeWithTheirReactions) {
  const auto model = model_of_text(R"(tappet: 1
dimension: planar
gravity: [0, -9.81]
bodies:
  a: {mass: 1, inertia: 0.1, position: [0.5, 0], angular_velocity: 1}
  b: {mass: 2, inertia: 0.2, position: [1.5, 0], angular_velocity: -2}
joints:
  first: {type: revolute, bodies: [ground, a], points: [[0, 0], [-0.5, 0]], friction: {coefficient: 0.4, pin_radius: 0.1}}
  second: {type: revolute, bodies: [a, b], points: [[0.5, 0], [-0.5, 0]], friction: {coefficient: 0.3, pin_radius: 0.2, preload: 5}}
simulation: {duration: 0.1, tolerance: 1e-10}
output: {step: 0.01, signals: ["*", "*_rate"]}
)");
  const Recording r = run(*model);
  for (const auto& row : r.rows) {
    const auto at = [&](const char* name) { return row[r.column(name)]; };
    const double first = std::hypot(at("first.fx"), at("first.fy")),
                 second = std::hypot(at("second.fx"), at("second.fy"));
    EXPECT_NEAR(at("first.friction.normal"), first, 1e-12 * first);
    EXPECT_NEAR(at("second.friction.normal"), second + 5, 1e-12 * second);
    EXPECT_NEAR(std::abs(at("first.friction.tangential")), 0.4 * first, 1e-12 * first);
    // Moments of the second rod about its centre of mass: its pin's force on an arm, and friction.
    const double arm_x = -0.5 * std::cos(at("b.angle")), arm_y = -0.5 * std::sin(at("b.angle"));
    EXPECT_NEAR(0.2 * at("b.alpha"),
                arm_x * at("second.fy") - arm_y * at("second.fx") + 0.2 * at("second.friction.tangential"),
                1e-9 * (1 + std::abs(at("b.alpha"))));
    EXPECT_LT(at("second.friction.tangential") * at("second.angle_rate"), 0);
  }
}

}  // namespace
}  // namespace tappet::testing::bearings_test
