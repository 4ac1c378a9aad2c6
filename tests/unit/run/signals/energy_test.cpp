#include <cmath>

#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::energy_test {
namespace {

// A weight that falls against a dashpot of constant speed: m g = c v from the start, so that all its potential energy is damped.
TEST(EnergySignals, AWeightSinksEvenlyInADashpot) {
  const auto r = testing::run_text(R"(
tappet: 1
dimension: planar
gravity: [0, -10]
bodies: {b: {mass: 2, inertia: 0.1, position: [0, 3], velocity: [0, -4]}}
forces: {oil: {type: spring-damper, bodies: [ground, b], points: [[0, 0], [0, 0]], stiffness: 0, damping: 5, length: 0}}
simulation: {duration: 0.5, tolerance: 1e-10}
output: {step: 0.5}
)");
  EXPECT_NEAR(r.last("energy.kinetic"), 0.5 * 2 * 16, 1e-8);
  EXPECT_NEAR(r.value(0, "energy.potential") - r.last("energy.potential"), 2 * 10 * 4 * 0.5, 1e-8);
  EXPECT_NEAR(r.last("energy.damping_loss"), 2 * 10 * 4 * 0.5, 1e-8);
  for (const char* name : {"energy.input", "energy.normal_loss", "energy.friction_loss"})
    EXPECT_EQ(r.last(name), 0) << name;
  EXPECT_NEAR(r.last("energy.residual"), 0, 1e-8);
}

}  // namespace
}  // namespace tappet::energy_test
