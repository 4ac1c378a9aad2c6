// Friction laws with a stick state, in whole runs: a block in a guide whose lower wall it lies on.
//
// The block is flat, so that friction does not tilt it on its elastic corners. It starts in the middle of its
// play, falls onto the wall, rattles and settles. The incline is gravity turned.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::stick_test {
namespace {

std::string block(double gx, double gy, const std::string& friction, const std::string& forces = "") {
  return fmt::format(
      "tappet: 1\n"
      "gravity: [{:.17g}, {:.17g}]\n"
      "bodies:\n"
      "  block: {{mass: 1, inertia: 1e-3}}\n"
      "joints:\n"
      "  guide:\n"
      "    type: translational\n"
      "    bodies: [ground, block]\n"
      "    points: [[0, 0], [0, 0]]\n"
      "    axis: [1, 0]\n"
      "    clearance:\n"
      "      clearance: 1 um\n"
      "      slider_length: 100 mm\n"
      "      slider_height: 0.1 mm\n"
      "      normal: {{law: impact, stiffness: 1e7, exponent: 1, damping: 5e3, depth: 1e-7}}\n"
      "      friction: {}\n"
      "{}"
      "simulation: {{duration: 1.5, tolerance: 1e-9}}\n"
      "output: {{step: 0.01}}\n",
      gx, gy, friction, forces);
}

struct Law {
  const char* name;
  const char* text;  ///< with static and sliding coefficients 0.3
};
std::ostream& operator<<(std::ostream& out, const Law& law) {
  return out << law.name;
}

class Stick : public ::testing::TestWithParam<Law> {};

TEST_P(Stick, HoldsBelowTheFrictionAngleAndSlidesAboveIt) {
  const double g = 9.81, mu = 0.3;
  for (const double slope : {0.5, 0.95, 1.05, 2.0}) {
    const double phi = std::atan(slope * mu);
    const Recording r = run_text(block(g * std::sin(phi), -g * std::cos(phi), GetParam().text));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    EXPECT_LT(r.summary.energy_residual, 1e-6);
    const double creep = r.value(1.5, "block.x") - r.value(0.5, "block.x");
    if (slope < 1) {
      fmt::print("{} at {:.2f} of the friction angle's tangent: creep {:.1e} m in 1 s\n", GetParam().name,
                 slope, creep);
      EXPECT_LT(std::abs(creep), 1e-9);
    } else {
      const double expected = g * (std::sin(phi) - mu * std::cos(phi));
      const double found = r.value(1.5, "block.vx") - r.value(0.5, "block.vx");
      fmt::print("{} at {:.2f} of the friction angle's tangent: acceleration {:.9f}, expected {:.9f}\n",
                 GetParam().name, slope, found, expected);
      EXPECT_NEAR(found, expected, 1e-6 * g);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Laws, Stick,
    ::testing::Values(Law{"rooney-deravi", "{law: rooney-deravi, coefficient: 0.3}"},
                      Law{"karnopp", "{law: karnopp, static: 0.3, dynamic: 0.3, stick_velocity: 0.1 mm/s}"},
                      Law{"modified-karnopp",
                          "{law: modified-karnopp, static: 0.3, dynamic: 0.3, stick_velocity: 0.1 mm/s, "
                          "friction_velocity: 1 mm/s}"},
                      Law{"reset-integrator",
                          "{law: reset-integrator, static: 0.3, dynamic: 0.3, deflection: 1 um}"}),
    [](const auto& info) {
      std::string name = info.param.name;
      std::erase(name, '-');
      return name;
    });

// The friction oscillator: k 1e4 N/m, m 1 kg, g 10 m/s², μ 0.1, let go 0.85 mm from the spring's rest:
// turning points −0.65, 0.45, −0.25, 0.05 mm, where it stops after 0.125663706144 s. The block first settles,
// held by friction; the spring is attached at 0.1 s with its rest 0.85 mm away.
TEST(FrictionOscillator, TurnsAndStopsWhereTheClosedFormSays) {
  const Recording r = run_text(
      block(0, -10, "{law: rooney-deravi, coefficient: 0.1}",
            "forces:\n  spring: {type: expression, body: block, fx: 'if(t < 0.1, 0, -1e4*(x + 0.85e-3))'}\n"),
      {"simulation.duration=0.3", "output.step=10e-6", "output.signals=[block.x, block.vx]"});
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  std::vector<double> turns;
  double stopped = 0;
  for (std::size_t i = 1; i + 1 < r.rows.size(); ++i) {
    const double before = r.rows[i][1] - r.rows[i - 1][1], after = r.rows[i + 1][1] - r.rows[i][1];
    if (r.rows[i][0] > 0.11 && before * after < 0 && std::abs(r.rows[i][1]) > 1e-9)
      turns.push_back(r.rows[i][1] + 0.85e-3);
    if (std::abs(r.rows[i][2]) > 1e-9) stopped = r.rows[i][0];
  }
  fmt::print("turning points");
  for (std::size_t i = 0; i < std::min<std::size_t>(turns.size(), 3); ++i)
    fmt::print(" {:.6f}", 1e3 * turns[i]);
  fmt::print(" mm, at rest at {:.6f} mm after {:.5f} s\n", 1e3 * (r.last("block.x") + 0.85e-3),
             stopped - 0.1);
  ASSERT_GE(turns.size(), 3u);
  const double expected[] = {-0.65e-3, 0.45e-3, -0.25e-3};
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(turns[i], expected[i], 1e-6 * 0.85e-3 + 5e-9);  // samples: ½ ω² A (5 µs)²
  EXPECT_NEAR(r.last("block.x") + 0.85e-3, 0.05e-3, 1e-6 * 0.85e-3);
  EXPECT_NEAR(stopped - 0.1, 0.125663706144, 2e-5);
}

// Stick-slip on a belt: m = k = 1, belt at 0.2 m/s, static friction 1 N, sliding friction 0.5 N. The block
// rides with the belt until the spring's force is 1 N, slips back and is caught again: period 8.902605407815
// s.
TEST(StickSlipOnABelt, HasThePeriodOfTheClosedForm) {
  const Recording r = run_text(
      "tappet: 1\n"
      "gravity: [0, -10]\n"
      "bodies:\n"
      "  belt: {mass: 1, inertia: 1}\n"
      "  block: {mass: 1, inertia: 1e-3, velocity: [0.2, 0]}\n"
      "joints:\n"
      "  rail: {type: translational, bodies: [ground, belt], points: [[0, 0], [0, 0]], axis: [1, 0]}\n"
      "  bed:\n"
      "    type: translational\n"
      "    bodies: [belt, block]\n"
      "    points: [[0, 0], [0, 0]]\n"
      "    axis: [1, 0]\n"
      "    clearance:\n"
      "      clearance: 1 um\n"
      "      slider_length: 100 mm\n"
      "      slider_height: 0.1 mm\n"
      "      normal: {law: impact, stiffness: 1e5, exponent: 1, damping: 500, depth: 1e-6}\n"
      "      friction: {law: karnopp, static: 0.1, dynamic: 0.05, stick_velocity: 1e-9}\n"
      "motions: {drive: {joint: rail, speed: 0.2 m/s}}\n"
      "forces: {spring: {type: expression, body: block, fx: -x, fy: 0}}\n"
      "events: {passes: {signal: block.x, level: 0.9, direction: rising}}\n"
      "simulation: {duration: 32, tolerance: 1e-12}\n"
      "output: {step: 1}\n");
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_LT(r.summary.energy_residual, 1e-6);
  ASSERT_GE(r.events.size(), 3u);
  for (std::size_t i = 2; i < r.events.size(); ++i) {
    const double period = r.events[i].time - r.events[i - 1].time;
    fmt::print("stick-slip period {:.12f} s, off by {:.1e}\n", period, period / 8.902605407815 - 1);
    EXPECT_NEAR(period, 8.902605407815, 1e-6 * 8.9);
  }
}

}  // namespace
}  // namespace tappet::testing::stick_test
