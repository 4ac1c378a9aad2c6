#include <cmath>

#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::motions_test {
namespace {

// A weight on an arm that is turned evenly: the torque is m g r cos θ, and the power that times the speed.
TEST(MotionSignals, TorqueAndPowerOfAnArmTurnedEvenly) {
  const auto r = testing::run_text(R"(
tappet: 1
dimension: planar
gravity: [0, -9.81]
bodies: {arm: {mass: 2, inertia: 0.1, position: [0.5, 0]}}
joints: {pin: {type: revolute, bodies: [ground, arm], points: [[0, 0], [-0.5, 0]]}}
motions: {motor: {joint: pin, speed: 3}}
simulation: {duration: 0.4}
output: {step: 0.1}
)");
  for (const double t : {0.0, 0.1, 0.4}) {
    const double torque = 2 * 9.81 * 0.5 * std::cos(3 * t);
    EXPECT_NEAR(r.value(t, "motor.torque"), torque, 1e-8) << t;
    EXPECT_NEAR(r.value(t, "motor.power"), 3 * torque, 1e-7) << t;
  }
}

}  // namespace
}  // namespace tappet::motions_test
