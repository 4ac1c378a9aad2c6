// Static friction above that of sliding, in time stepping: what sticks is held by μ_s, what slides is braked by μ.
//
// On a slope of tan α = 0.4 with μ_s = 0.5 and μ = 0.3 per body at rest stays; thrown up at 1 m/s it stops after
// v²/(2 g (sin α + μ cos α)) and stays; thrown down it goes on. A block on a belt, held by a spring, sticks and slips: with m = k = N = 1
// and the belt's v the spring stretches by μ_s N/k, then the block swings about μ N/k with A = (μ_s − μ) N/k until it has the belt's
// speed again. Period 2A/v + (2π − 2 atan(Aω/v))/ω, from μ − √(A² + v²/ω²) to μ + √(A² + v²/ω²).
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/resume.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::static_friction_test {
namespace {

constexpr double g = 9.81;
const double slope = std::atan(0.4);
const std::string friction = "friction: {coefficient: 0.3, static: 0.5}";

struct Thrown {
  double speed, way, bound;
};
const double stops = 1 / (2 * g * (std::sin(slope) + 0.3 * std::cos(slope))),
             slides = 1 + 0.5 * g * (std::sin(slope) - 0.3 * std::cos(slope));

/// A point mass on the slope; `group`: as a contact that comes and goes.
std::string on_slope(bool planar, bool group, double speed, double step) {
  const double along = g * std::sin(slope), down = g * std::cos(slope);
  const std::string simulation = fmt::format("{{method: moreau, duration: 1, step: {}}}", step);
  const std::string contact = fmt::format("normal: {{restitution: 0}}, {}, group: {}", friction, group);
  if (planar)
    return fmt::format(
        "tappet: 1\ndimension: planar\ngravity: [{:.17g}, {:.17g}]\nbodies: {{ball: {{mass: 2, position: [0, "
        "0.1], "
        "velocity: [{}, 0], shapes: {{skin: {{circle: {{radius: 0.1}}}}}}}}}}\n"
        "ground: {{shapes: {{floor: {{plane: {{point: [0, 0], normal: [0, 1]}}}}}}}}\n"
        "contacts: {{floor: {{between: [ground.floor, ball.skin], {}}}}}\nsimulation: {}\n",
        along, -down, speed, contact, simulation);
  return fmt::format(
      "tappet: 1\ndimension: spatial\ngravity: [{:.17g}, 0, {:.17g}]\nbodies: {{ball: {{mass: 2, position: "
      "[0, 0, 0.1], "
      "velocity: [{}, 0, 0], shapes: {{skin: {{sphere: {{radius: 0.1}}}}}}}}}}\n"
      "ground: {{shapes: {{floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}}}}}\n"
      "contacts: {{floor: {{between: [ground.floor, ball.skin], {}}}}}\nsimulation: {}\n",
      along, -down, speed, contact, simulation);
}

TEST(StaticFriction, HoldsOnASlope) {
  for (bool planar : {true, false})
    for (bool group : {false, true})
      for (double step : {1e-2, 1e-3, 1e-4})
        for (const Thrown& thrown :
             {Thrown{0, 0, 1e-12}, Thrown{-1, -stops, 70 * step * step}, Thrown{1, slides, 1e-6}}) {
          const Recording r = run_text(on_slope(planar, group, thrown.speed, step));
          ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
          EXPECT_NEAR(r.last("ball.x"), thrown.way, thrown.bound)
              << (planar ? "plane" : "space") << ", group " << group << ", step " << step << ", "
              << thrown.speed;
        }
}

// A box of 1000 kg that stands on all its corners, pulled at its top: they share its load in many ways, and together hold 3000 N.
TEST(StaticFriction, HoldsUpToTheLimitOfAllCorners) {
  const auto speed = [](bool planar, double force, const char* tolerance) {
    const auto point = [&](double x, double up) {
      return planar ? fmt::format("[{}, {}]", x, up) : fmt::format("[{}, 0, {}]", x, up);
    };
    const Recording r = run_text(fmt::format(
        "tappet: 1\ndimension: {}\ngravity: {}\nbodies: {{box: {{mass: 1000, inertia: {}, position: {}, "
        "velocity: {}, angular_velocity: {}, shapes: {{skin: {{box: {{size: {}}}}}}}}}}}\n"
        "ground: {{shapes: {{floor: {{plane: {{normal: {}}}}}}}}}\n"
        "contacts: {{floor: {{between: [ground.floor, box.skin], normal: {{restitution: 0}}, friction: "
        "{{coefficient: 0.2, static: 0.3}}}}}}\n"
        "forces: {{pull: {{type: expression, body: box, point: {}, fx: '{}'}}}}\n"
        "simulation: {{method: moreau, duration: 1, step: 1 ms{}}}\noutput: {{step: 0.1}}\n",
        planar ? "planar" : "spatial", point(0, -10), planar ? "350" : "[350, 350, 350]", point(0, 0.25),
        planar ? "[0, 0]" : "[0, 0, 0]", planar ? "0" : "[0, 0, 0]", planar ? "[2, 0.5]" : "[2, 1, 0.5]",
        point(0, 1), point(0, 0.25), force, tolerance));
    EXPECT_TRUE(r.summary.completed) << r.summary.stop_reason;
    return r.last("box.vx");
  };
  for (const bool planar : {true, false})
    for (const char* tolerance : {"", ", tolerance: 1e-10", ", tolerance: 1e-12"}) {
      SCOPED_TRACE(fmt::format("planar {}{}", planar, tolerance));
      for (const double held : {2900., 2991., 2999., 2999.9})
        EXPECT_NEAR(speed(planar, held, tolerance), 0, 1e-6) << held;
      // It lets go in the first ten steps: what it is held by is 1e-4 of its weight at most.
      EXPECT_NEAR(speed(planar, 3001, tolerance), 1.001, 0.01 * 1.001);
    }
}

// A structure: one element, stiff, thrown with all of its nodes. It is held or stopped as a point is, but for what it bends.
TEST(StaticFriction, HoldsAStructureOnASlope) {
  const auto text = [](double speed) {
    return fmt::format(
        "tappet: 1\ndimension: spatial\ngravity: [{:.17g}, 0, {:.17g}]\nmaterials: {{m: {{young: 1 GPa, "
        "poisson: 0.3, "
        "density: 1000}}}}\n"
        "bodies: {{block: {{structure: {{generate: {{block: {{size: [0.2, 0.2, 0.05], divisions: [2, 2, "
        "1]}}}}, material: m}}, "
        "velocity: [{}, 0, 0]}}}}\n"
        "ground: {{shapes: {{floor: {{plane: {{normal: [0, 0, 1]}}}}}}}}\n"
        "contacts: {{rub: {{between: [ground.floor, block.zmin], normal: {{law: newton, restitution: 0}}, "
        "{}}}}}\n"
        "simulation: {{method: moreau, theta: 0.6, duration: 1, step: 1 ms}}\noutput: {{step: 10 ms}}\n",
        g * std::sin(slope), -g * std::cos(slope), speed, friction);
  };
  for (const Thrown& thrown : {Thrown{0, 0, 1e-6}, Thrown{-1, -stops, 1e-3}, Thrown{1, slides, 1e-3}}) {
    const Recording r = run_text(text(thrown.speed));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    EXPECT_NEAR(r.last("block.x") - r.rows.front()[r.column("block.x")], thrown.way, thrown.bound)
        << thrown.speed;
  }
  expect_resumes(*model_of_text(text(-1)), 53);
}

std::string on_belt(bool planar, double step, double duration) {
  const char* three = planar ? "" : ", 0";
  const auto point = [&](double x, double y) {
    return planar ? fmt::format("[{}, {}]", x, y) : fmt::format("[{}, 0, {}]", x, y);
  };
  return fmt::format(
      "tappet: 1\ndimension: {}\ngravity: {}\nbodies:\n"
      "  belt: {{mass: 1, {} position: {}, shapes: {{top: {{plane: {{point: {}, normal: {}}}}}}}}}\n"
      "  block: {{mass: 1, position: {}, velocity: [0.1, 0{}], shapes: {{skin: {{{}: {{radius: 0.1}}}}}}}}\n"
      "joints: {{rail: {{type: translational, bodies: [ground, belt], points: [{}, {}], axis: [1, 0{}]}}}}\n"
      "motions: {{drive: {{joint: rail, speed: 0.1}}}}\n"
      "forces: {{spring: {{type: spring-damper, bodies: [ground, block], points: [{}, {}], stiffness: 1, "
      "damping: 0, "
      "length: 10}}}}\n"
      "contacts: {{rub: {{between: [belt.top, block.skin], normal: {{restitution: 0}}, {}}}}}\n"
      "simulation: {{method: moreau, duration: {}, step: {}}}\noutput: {{step: {}}}\n",
      planar ? "planar" : "spatial", planar ? "[0, -1]" : "[0, 0, -1]",
      planar ? "inertia: 1," : "inertia: [1, 1, 1],", point(0, 0), point(0, 0),
      planar ? "[0, 1]" : "[0, 0, 1]", point(0, 0.1), three, planar ? "circle" : "sphere", point(0, 0),
      point(0, 0), three, point(-10, 0.1), point(0, 0), friction, duration, step, step);
}

TEST(StaticFriction, StickSlipOnABelt) {
  const double A = 0.2, v = 0.1, period = 2 * A / v + 2 * M_PI - 2 * std::atan(A / v),
               reach = std::hypot(A, v), step = 1.25e-3;
  EXPECT_NEAR(period, 8.06888787, 1e-8);
  for (bool planar : {true, false}) {
    const Recording r = run_text(on_belt(planar, step, 60));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    const std::size_t x = r.column("block.x");
    double low = HUGE_VAL, high = -HUGE_VAL, first = -1, last = -1;
    int count = -1;
    for (std::size_t i = 1; i < r.rows.size(); ++i) {
      const double before = r.rows[i - 1][x], now = r.rows[i][x];
      if (r.rows[i][0] > 20) low = std::min(low, now), high = std::max(high, now);
      if (!(before < 0.3 && now >= 0.3)) continue;
      last = r.rows[i][0] - step * (now - 0.3) / (now - before);
      if (++count == 0) first = last;
    }
    EXPECT_NEAR((last - first) / count, period, step) << planar;
    EXPECT_NEAR(low, 0.3 - reach, 2e-5) << planar;
    EXPECT_NEAR(high, 0.3 + reach, 2e-5) << planar;
  }
  expect_resumes(*model_of_text(on_belt(true, 0.01, 20)), 317);
}

}  // namespace
}  // namespace tappet::testing::static_friction_test
