// Normals that oppose each other: wedges, guides that jam, and Painlevé's rod, by method event-driven.
//
// Forces are found from velocities over a vanishing time, which always exist [Stewart1998]; where an impulse is left when the
// time has vanished there are no forces, and that impulse is an impact without collision.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::event_wedge_test {
namespace {

/// A disc (in space: a ball) of 1 kg, 0.1 m and 5e-3 kg m² in a groove of 90°, turning at 5 rad/s.
Recording groove(bool planar, double mu, double e, double x, double y, double duration, double step) {
  const auto vector = [&](double a, double b) {
    return planar ? fmt::format("[{:.17g}, {:.17g}]", a, b) : fmt::format("[{:.17g}, 0, {:.17g}]", a, b);
  };
  return run_text(fmt::format(
      "tappet: 1\ndimension: {}\ngravity: {}\nbodies:\n"
      "  disc: {{mass: 1, inertia: {}, position: {}, velocity: {}, angular_velocity: {}, shapes: {{rim: "
      "{{{}: {{radius: 0.1}}}}}}}}\n"
      "ground: {{shapes: {{left: {{plane: {{normal: {}}}}}, right: {{plane: {{normal: {}}}}}}}}}\n"
      "contacts:\n  left: {{between: [ground.left, disc.rim], normal: {{restitution: {}}}, friction: "
      "{{coefficient: {}}}}}\n"
      "  right: {{between: [ground.right, disc.rim], normal: {{restitution: {}}}, friction: {{coefficient: "
      "{}}}}}\n"
      "simulation: {{method: event-driven, duration: {:.17g}, tolerance: 1e-10}}\noutput: {{step: "
      "{:.17g}}}\n",
      planar ? "planar" : "spatial", vector(0, -9.81), planar ? "5e-3" : "[5e-3, 5e-3, 5e-3]", vector(x, y),
      planar ? "[0, 0]" : "[0, 0, 0]", planar ? "5" : "[0, -5, 0]", planar ? "circle" : "sphere",
      vector(1, 1), vector(-1, 1), e, mu, e, mu, duration, step));
}

class Groove : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Dimensions, Groove, ::testing::Values(true, false),
                         [](const auto& info) { return info.param ? "Planar" : "Spatial"; });

// Seated: N = (1 ∓ μ)/(1 + μ²) m g/√2, ω̇ = −√2 μ m g R/((1 + μ²) I).
TEST_P(Groove, SeatedDiscTurnsUntilItStops) {
  for (double mu : {0.1, 0.5}) {
    const double rate = std::sqrt(2.0) * mu * 9.81 * 0.1 / ((1 + mu * mu) * 5e-3), stop = 5 / rate;
    const Recording r = groove(GetParam(), mu, 0.3, 0, 0.1 * std::sqrt(2.0), 1.25 * stop, stop / 4);
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    const std::string omega = GetParam() ? "disc.omega" : "disc.wy";
    EXPECT_NEAR(std::abs(r.rows[2][r.column(omega)]), 2.5, 1e-9) << mu;
    const double n[2] = {(1 - mu) / (1 + mu * mu) * 9.81 / std::sqrt(2.0),
                         (1 + mu) / (1 + mu * mu) * 9.81 / std::sqrt(2.0)};
    const double left = r.rows[2][r.column("left.normal")], right = r.rows[2][r.column("right.normal")];
    EXPECT_NEAR(std::min(left, right), n[0], 1e-8) << mu;
    EXPECT_NEAR(std::max(left, right), n[1], 1e-8) << mu;
    EXPECT_NEAR(r.last(omega), 0, 1e-12) << mu;
    // It has turned by ω²/2ω̇, all of which friction took: energy and angle are one.
    EXPECT_NEAR(r.last("energy.friction_loss"), 0.5 * 5e-3 * 25, 1e-9) << mu;
    if (GetParam()) {
      EXPECT_NEAR(r.last("disc.angle"), 25 / (2 * rate), 1e-9) << mu;
    }
  }
  EXPECT_NEAR(std::sqrt(2.0) * 0.1 * 9.81 * 0.1 / (1.01 * 5e-3), 27.472149, 1e-6);
}

TEST_P(Groove, DroppedDiscComesToRestOnBothFlanks) {
  for (double mu : {0.1, 0.5, 1.2})
    for (double e : {0.0, 0.3, 0.8}) {
      const Recording r = groove(GetParam(), mu, e, 0.001, 0.16, e == 0.8 ? 4 : 2, 0.5);
      ASSERT_TRUE(r.summary.completed) << mu << ' ' << e << ' ' << r.summary.stop_reason;
      EXPECT_NEAR(r.last(GetParam() ? "disc.omega" : "disc.wy"), 0, 1e-12) << mu << ' ' << e;
      EXPECT_NEAR(r.last(GetParam() ? "disc.y" : "disc.z"), 0.1 * std::sqrt(2.0), 1e-9) << mu << ' ' << e;
      EXPECT_NEAR(r.last("disc.x"), 0, 1e-9) << mu << ' ' << e;
      EXPECT_LT(r.summary.energy_residual, 1e-8) << mu << ' ' << e;
      EXPECT_GE(r.last("energy.friction_loss"), 0) << mu << ' ' << e;
    }
}

// Without friction nothing stops it.
TEST_P(Groove, SmoothFlanksLeaveItTurning) {
  const Recording r = groove(GetParam(), 0, 0.3, 0.001, 0.16, 2, 0.5);
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_NEAR(std::abs(r.last(GetParam() ? "disc.omega" : "disc.wy")), 5, 1e-12);
}

/// A slider 0.2 m long, pulled by 10 N at 0.3 m beside its guide: it jams where μ > L/2a = 1/3.
Recording guide(double mu, double e, double play, double force = 10, double side = 0.3, double duration = 1) {
  return run_text(fmt::format(
      "tappet: 1\ndimension: planar\ngravity: [0, 0]\nbodies:\n"
      "  slider: {{mass: 1, inertia: 2e-3, position: [0, 0], velocity: [0, 0], angular_velocity: 0, shapes: "
      "{{skin: {{box: {{size: [0.2, 0.1]}}}}}}}}\n"
      "ground: {{shapes: {{below: {{plane: {{point: [0, {:.17g}], normal: [0, 1]}}}}, above: {{plane: "
      "{{point: [0, {:.17g}], normal: [0, -1]}}}}}}}}\n"
      "contacts:\n  below: {{between: [ground.below, slider.skin], normal: {{restitution: {}}}, friction: "
      "{{coefficient: {}}}}}\n"
      "  above: {{between: [ground.above, slider.skin], normal: {{restitution: {}}}, friction: "
      "{{coefficient: {}}}}}\n"
      "forces: {{pull: {{type: force, body: slider, point: [0, {}], force: [{}, 0]}}}}\n"
      "simulation: {{method: event-driven, duration: {}, tolerance: 1e-10}}\noutput: {{step: 0.05}}\n",
      -0.05 - play, 0.05 + play, e, mu, e, mu, side, force, duration));
}

TEST(Guide, SlidesBelowTheLimitAndJamsAboveIt) {
  // With 1 mm of play the separate program of the closed form has 0.998 and 0.397 m/s.
  EXPECT_NEAR(guide(0.3, 0.3, 1e-3).last("slider.vx"), 0.998, 5e-4);
  EXPECT_NEAR(guide(0.32, 0.3, 1e-3).last("slider.vx"), 0.397, 5e-4);
  for (double mu : {0.35, 0.4, 0.8})
    for (double e : {0.0, 0.3, 0.8}) {
      const Recording r = guide(mu, e, 1e-3);
      ASSERT_TRUE(r.summary.completed) << mu << ' ' << e << ' ' << r.summary.stop_reason;
      EXPECT_NEAR(r.last("slider.vx"), 0, 1e-12) << mu << ' ' << e;
      EXPECT_NEAR(r.last("slider.x"), r.value(0.9, "slider.x"), 1e-12) << mu << ' ' << e;
      EXPECT_LT(r.last("slider.x"), 0.1) << mu << ' ' << e;
    }
}

// As the play vanishes a = (F/m)(1 − 2μa/L).
TEST(Guide, WithoutPlayItHasTheAccelerationOfTheClosedForm) {
  for (double force : {10.0, -10.0})
    for (double side : {0.3, -0.3})
      for (double mu : {0.1, 0.3}) {
        const Recording r = guide(mu, 0, 1e-7, force, side);
        ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
        EXPECT_NEAR(r.last("slider.vx"), force * (1 - 3 * mu), 1e-4) << force << ' ' << side << ' ' << mu;
      }
}

TEST(Guide, JamsInAllDirections) {
  for (double force : {10.0, -10.0})
    for (double side : {0.3, -0.3}) {
      const Recording r = guide(0.4, 0.3, 1e-3, force, side);
      ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
      EXPECT_NEAR(r.last("slider.vx"), 0, 1e-12) << force << ' ' << side;
    }
}

/// A uniform rod of 1 kg and 1 m at 60° whose lower end slides on the floor. `lean` 1: the rod rises to the right. The end is round, and
/// touches where the rod's end is.
Recording rod(bool planar, double lean, double speed, double mu) {
  const double a = std::numbers::pi / 3, radius = 0.01, angle = lean * a;
  const double x = lean * 0.5 * std::cos(a), y = 0.5 * std::sin(a);
  const double along = -0.5 * lean + radius * std::sin(angle), across = radius * std::cos(angle);
  const std::string body =
      planar ? fmt::format(
                   "inertia: 0.083333333333333333, position: [{:.17g}, {:.17g}], angle: {:.17g}, velocity: "
                   "[{}, 0], "
                   "angular_velocity: 0, shapes: {{tip: {{circle: {{radius: {}, position: [{:.17g}, "
                   "{:.17g}]}}}}}}",
                   x, y, angle, speed, radius, along, across)
             : fmt::format(
                   "inertia: [0.01, 0.083333333333333333, 0.083333333333333333], position: [{:.17g}, 0, "
                   "{:.17g}], "
                   "orientation: {{axis: [0, -1, 0], angle: {:.17g}}}, velocity: [{}, 0, 0], "
                   "angular_velocity: [0, 0, 0], "
                   "shapes: {{tip: {{sphere: {{radius: {}, position: [{:.17g}, 0, {:.17g}]}}}}}}",
                   x, y, angle, speed, radius, along, across);
  return run_text(fmt::format(
      "tappet: 1\ndimension: {}\ngravity: {}\nbodies: {{rod: {{mass: 1, {}}}}}\n"
      "ground: {{shapes: {{floor: {{plane: {{normal: {}}}}}}}}}\n"
      "contacts: {{floor: {{between: [ground.floor, rod.tip], normal: {{restitution: 0}}, friction: "
      "{{coefficient: {}}}}}}}\n"
      "simulation: {{method: event-driven, duration: 0.01, tolerance: 1e-10}}\noutput: {{step: 1e-3}}\n",
      planar ? "planar" : "spatial", planar ? "[0, -9.81]" : "[0, 0, -9.81]", body,
      planar ? "[0, 1]" : "[0, 0, 1]", mu));
}

// A_nn = (1 + 3 cos²θ)/m, A_nt = 3 sin θ cos θ/m: with μ = 2 friction that pushes into the rod leaves no normal force. The tip
// stops at once: P = −A⁻¹ (0, v).
TEST(Painleve, TheTipStopsWithoutACollision) {
  for (bool planar : {true, false})
    for (double lean : {1.0, -1.0}) {
      const Recording r = rod(planar, lean, -lean, 2);
      ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
      ASSERT_EQ(r.impacts.size(), 1u);
      EXPECT_EQ(r.impacts[0].speed_in, 0);
      EXPECT_EQ(r.impacts[0].start, 0);
      EXPECT_NEAR(r.impacts[0].impulse, 0.3247595, 1e-7);
      EXPECT_NEAR(r.value(0, "rod.vx"), lean * (-1 + 0.4375), 1e-7);
      EXPECT_NEAR(r.value(0, planar ? "rod.vy" : "rod.vz"), 0.3247595, 1e-7);
      const double kinetic = r.value(0, "energy.kinetic");
      EXPECT_NEAR(kinetic - 0.5, -0.21875, 1e-7);
      EXPECT_LT(r.summary.energy_residual, 1e-9);
    }
}

// The other way it slides on: F_n = m g/(A_nn + μ A_nt).
TEST(Painleve, TheOtherWayItSlidesOn) {
  for (bool planar : {true, false})
    for (double lean : {1.0, -1.0}) {
      const Recording r = rod(planar, lean, lean, 2);
      ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
      EXPECT_TRUE(r.impacts.empty());
      EXPECT_NEAR(r.value(0, "floor.normal"), 9.81 / (1.75 + 2 * 0.75 * std::sqrt(3.0)), 1e-7);
      EXPECT_NEAR(9.81 / (1.75 + 2 * 0.75 * std::sqrt(3.0)), 2.25617, 1e-5);
      EXPECT_NEAR(r.value(0, "rod.vx"), lean, 1e-12);
    }
}

}  // namespace
}  // namespace tappet::testing::event_wedge_test
