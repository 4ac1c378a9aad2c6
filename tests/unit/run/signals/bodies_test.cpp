// Signals of bodies in free flight, where everything is known.
#include <cmath>

#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::bodies_test {
namespace {

using testing::Recording;
using testing::run_text;

TEST(BodySignals, OfAPlanarBodyInFlight) {
  const Recording r = run_text(R"(
tappet: 1
dimension: planar
gravity: [0, -9.81]
bodies: {b: {mass: 2, inertia: 0.1, position: [1, 2], angle: 0.3, velocity: [3, 4], angular_velocity: 5}}
simulation: {duration: 0.5, tolerance: 1e-10}
output: {step: 0.5}
)");
  const double t = 0.5, g = 9.81;
  const std::pair<const char*, double> expected[] = {{"b.x", 1 + 3 * t},
                                                     {"b.y", 2 + 4 * t - 0.5 * g * t * t},
                                                     {"b.angle", 0.3 + 5 * t},
                                                     {"b.vx", 3},
                                                     {"b.vy", 4 - g * t},
                                                     {"b.omega", 5},
                                                     {"b.ax", 0},
                                                     {"b.ay", -g},
                                                     {"b.alpha", 0}};
  for (const auto& [name, value] : expected) EXPECT_NEAR(r.last(name), value, 1e-9) << name;
}

// Euler: J₁ω̇₁ = (J₂ − J₃) ω₂ω₃ in the body's axes, which are the world's at the start.
TEST(BodySignals, OfASpatialBodyInFlight) {
  const Recording r = run_text(R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
bodies: {b: {mass: 2, inertia: [2, 3, 4], position: [1, 2, 3], velocity: [4, 5, 6], angular_velocity: [0.1, 0.2, 0.3]}}
simulation: {duration: 0.5, tolerance: 1e-10}
output: {step: 0.5}
)");
  const std::pair<const char*, double> at_start[] = {{"b.x", 1},
                                                     {"b.y", 2},
                                                     {"b.z", 3},
                                                     {"b.qw", 1},
                                                     {"b.qx", 0},
                                                     {"b.qy", 0},
                                                     {"b.qz", 0},
                                                     {"b.vx", 4},
                                                     {"b.vy", 5},
                                                     {"b.vz", 6},
                                                     {"b.wx", 0.1},
                                                     {"b.wy", 0.2},
                                                     {"b.wz", 0.3},
                                                     {"b.ax", 0},
                                                     {"b.ay", 0},
                                                     {"b.az", -9.81},
                                                     {"b.alphax", (3.0 - 4) / 2 * 0.2 * 0.3},
                                                     {"b.alphay", (4.0 - 2) / 3 * 0.3 * 0.1},
                                                     {"b.alphaz", (2.0 - 3) / 4 * 0.1 * 0.2}};
  for (const auto& [name, value] : at_start) EXPECT_NEAR(r.value(0, name), value, 1e-12) << name;
  EXPECT_NEAR(r.last("b.z"), 3 + 6 * 0.5 - 0.5 * 9.81 * 0.25, 1e-9);
  const double norm =
      std::hypot(std::hypot(r.last("b.qw"), r.last("b.qx")), std::hypot(r.last("b.qy"), r.last("b.qz")));
  EXPECT_NEAR(norm, 1, 1e-12);
}

}  // namespace
}  // namespace tappet::bodies_test
