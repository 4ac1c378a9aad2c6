// A cylinder set down upright stays where it is, on whatever flat thing it stands: its weight rests on three
// points of its rim, (m g/3k)^(1/e) deep.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::standing_cylinder_test {
namespace {

struct Floor {
  const char *name, *shape;
};

const Floor floors[] = {
    {"plane", "plane: {normal: [0, 0, 1]}"},
    {"profile", "profile: {points: [[-1, 0], [1, 0]]}"},
    {"box", "box: {size: [1, 0.8, 0.2], position: [0.05, 0.1, -0.1]}"},
    {"hull", "hull: {points: [[0.5, 0, 0], [-0.3, 0.5, 0], [-0.3, -0.5, 0], [0, 0, -0.4]]}"},
    {"larger cylinder", "cylinder: {radius: 0.3, length: 0.2, position: [0.05, 0, -0.1]}"},
    {"smaller cylinder", "cylinder: {radius: 0.06, length: 0.2, position: [0, 0, -0.1]}"},
};

constexpr double m = 2, g = 9.81, k = 1e6, half = 0.15;

Recording stand(const Floor& floor) {
  const double depth = m * g / (3 * k);
  return run(*model_of_text(fmt::format(
      "tappet: 1\ndimension: spatial\ngravity: [0, 0, -{}]\nbodies:\n  can: {{mass: {}, inertia: [0.02, "
      "0.02, 0.01], "
      "position: [0, 0, {:.17g}], shapes: {{skin: {{cylinder: {{radius: 0.1, length: {}}}}}}}}}\nground:\n "
      " shapes: "
      "{{floor: {{{}}}}}\ncontacts:\n  foot: {{between: [ground.floor, can.skin], normal: {{law: impact, "
      "stiffness: {}, "
      "exponent: 1, damping: 500, depth: 1 um}}, friction: {{law: coulomb, coefficient: 0.4}}}}\nsimulation: "
      "{{duration: 1, tolerance: 1e-8}}\noutput: {{step: 20 ms}}\n",
      g, m, half - depth, 2 * half, floor.shape, k)));
}

TEST(StandingCylinder, StaysPut) {
  for (const Floor& floor : floors) {
    SCOPED_TRACE(floor.name);
    const Recording r = stand(floor);
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    EXPECT_NEAR(r.last("can.x"), 0, 1e-7);
    EXPECT_NEAR(r.last("can.y"), 0, 1e-7);
    EXPECT_NEAR(r.last("can.z"), half - m * g / (3 * k), 2e-6);
    EXPECT_NEAR(r.last("can.qw"), 1, 1e-9);
  }
}

// Rigid, set down with a tilt of 1°, it rocks and comes to stand.
TEST(StandingCylinder, ComesToStandFromATilt) {
  const double tilt = 1 * std::numbers::pi / 180, height = half * std::cos(tilt) + 0.1 * std::sin(tilt);
  for (const Floor& floor : {floors[0], floors[1], floors[2], floors[3], floors[4]}) {
    SCOPED_TRACE(floor.name);
    const Recording r = run(*model_of_text(fmt::format(
        "tappet: 1\ndimension: spatial\ngravity: [0, 0, -{}]\nbodies:\n  can: {{mass: {}, inertia: [0.02, "
        "0.02, 0.01], "
        "position: [0, 0, {:.17g}], orientation: {{axis: [0.6, 0.8, 0], angle: 1 deg}}, shapes: {{skin: "
        "{{cylinder: "
        "{{radius: 0.1, length: {}}}}}}}}}\nground:\n  shapes: {{floor: {{{}}}}}\ncontacts:\n  foot: "
        "{{between: "
        "[ground.floor, can.skin], normal: {{law: newton, restitution: 0}}, friction: {{law: coulomb, "
        "coefficient: "
        "0.4}}}}\nsimulation: {{method: moreau, step: 1 ms, duration: 1}}\noutput: {{step: 20 ms}}\n",
        g, m, height, 2 * half, floor.shape)));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    EXPECT_NEAR(r.last("can.qw"), 1, 1e-9);
    EXPECT_NEAR(r.last("can.z"), half, 2e-6);
  }
}

}  // namespace
}  // namespace tappet::testing::standing_cylinder_test
