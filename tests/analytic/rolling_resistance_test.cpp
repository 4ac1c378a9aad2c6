// Rolling and spinning resistance against closed forms.
//
// A ball or disc that rolls without sliding: (m + I/R²) v̇ = −δ_r m g/R, so that v̇ = −(5/7) g δ_r/R for a ball and −(2/3) g δ_r/R for a
// disc. A ball that spins on the spot: I ω̇ = −δ_s m g.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::rolling_resistance_test {
namespace {

constexpr double g = 10, R = 0.1, m = 2, K = 1e6, delta = 2e-3, v0 = 0.5;

std::string ball(bool planar, bool group, const std::string& velocity, const std::string& spin,
                 const std::string& contact, const std::string& method = "smooth") {
  const double I = planar ? 0.5 * m * R * R : 0.4 * m * R * R;
  return fmt::format(
      "tappet: 1\ndimension: {}\ngravity: [0, {}{}]\n"
      "bodies: {{ball: {{mass: {}, inertia: {}, position: [0, {}{}], velocity: {}, angular_velocity: {}, "
      "shapes: {{skin: {{{}: "
      "{{radius: {}}}}}}}}}}}\n"
      "ground: {{shapes: {{floor: {{plane: {{normal: [0, {}1]}}}}}}}}\n"
      "contacts: {{c: {{between: [ground.floor, ball.skin], group: {}, normal: {{law: hooke, stiffness: {}, "
      "restitution: 0}}, "
      "friction: {{law: bengisu-akay, static: 0.5, dynamic: 0.5, v0: 1 mm/s, kappa: 10}}, {}}}}}\n"
      "simulation: {{method: {}, duration: 1, tolerance: 1e-9{}}}\noutput: {{step: 0.01}}\n",
      planar ? "planar" : "spatial", planar ? "" : "0, ", -g, m,
      planar ? fmt::format("{}", I) : fmt::format("[{0}, {0}, {0}]", I), planar ? "" : "0, ", R - m * g / K,
      velocity, spin, planar ? "circle" : "sphere", R, planar ? "" : "0, ", group, K, contact, method,
      method == "moreau" ? ", step: 1e-3" : "");
}

TEST(RollingResistance, SlowsABallAndADiscDown) {
  for (const bool planar : {true, false})
    for (const bool group : {true, false}) {
      const Recording r =
          run_text(ball(planar, group, planar ? "[0.5, 0]" : "[0.5, 0, 0]", planar ? "-5" : "[0, 5, 0]",
                        fmt::format("rolling_resistance: {}, rolling_velocity: 1e-3", delta)));
      ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
      const double slows = (planar ? 2.0 / 3 : 5.0 / 7) * g * delta / R;
      // Friction that is continuous through rest creeps by a part of v0 = 1 mm/s.
      EXPECT_NEAR(r.value(0.5, "ball.vx") - r.last("ball.vx"), slows * 0.5, 1e-5) << planar << group;
      EXPECT_NEAR(r.last("ball.vx"), v0 - slows, 1e-3) << planar << group;
      EXPECT_LT(r.summary.energy_residual, 1e-6) << planar << group;
    }
}

TEST(SpinningResistance, StopsABallThatSpinsOnTheSpot) {
  const double omega = 10, spins = 5e-3, slows = spins * m * g / (0.4 * m * R * R);
  for (const bool group : {true, false}) {
    const Recording r = run_text(ball(false, group, "[0, 0, 0]", "[0, 0, 10]",
                                      fmt::format("spinning_resistance: {}, rolling_velocity: 1e-3", spins)));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    for (const double t : {0.2, 0.4, 0.6})
      EXPECT_NEAR(r.value(t, "ball.wz"), omega - slows * t, 1e-6) << group;
    // It would stand after 0.8 s.
    EXPECT_NEAR(r.last("ball.wz"), 0, 1e-3) << group;
    EXPECT_LT(r.summary.energy_residual, 1e-6) << group;
  }
}

}  // namespace
}  // namespace tappet::testing::rolling_resistance_test
