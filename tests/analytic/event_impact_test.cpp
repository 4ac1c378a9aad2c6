// The impact law of method event-driven: Newton's or Poisson's, scaled back where it would gain energy.
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::event_impact_test {
namespace {

/// A rod of 1 kg and 1 m at −45° that strikes the floor with the round end (1 mm) at 0.6 m/s along it and 1 m/s into it: 0.680 J.
Recording rod(const std::string& law, double e, double mu, double et) {
  return run_text(
      fmt::format("tappet: 1\ndimension: planar\ngravity: [0, 0]\nbodies:\n"
                  "  rod: {{mass: 1, inertia: 0.0833333333, position: [0, 0.36], angle: -45 deg, velocity: "
                  "[-0.6, -1], angular_velocity: 0, "
                  "shapes: {{tip: {{circle: {{radius: 1 mm, position: [0.5, 0]}}}}}}}}\n"
                  "ground: {{shapes: {{floor: {{plane: {{normal: [0, 1]}}}}}}}}\n"
                  "contacts: {{floor: {{between: [ground.floor, rod.tip], normal: {{restitution: {}}}, "
                  "friction: {{coefficient: {}, "
                  "tangential_restitution: {}}}}}}}\n"
                  "simulation: {{method: event-driven, impact_law: {}, duration: 0.02, tolerance: "
                  "1e-10}}\noutput: {{step: 0.02}}\n",
                  e, mu, et, law));
}

// Computed by a separate program that enumerates nothing and steps nothing: one impact, P = P₀ + s (P_L − P₀).
TEST(EventImpact, RodHasTheTableOfTheLaw) {
  struct Row {
    double e, mu, et, newton_energy, newton_omega, newton_e, poisson_energy, poisson_omega;
  };
  for (const Row& row : {Row{0.9, 1, 0, 0.6800, 2.54145, 0.7995, 0.5839, 2.3051},
                         {0.9, 0.5, 0, 0.6800, 2.54145, 0.7995, 0.5855, 2.4580},
                         {1, 0.3, 0, 0.6800, 2.73177, 0.8634, 0.6263, 2.8836},
                         {0.5, 1, 0, 0.5582, 2.22446, 0.5, 0.5121, 2.0341},
                         {0.9, 1, 0.5, 0.6602, 2.96625, 0.9, 0.6018, 2.8139}}) {
    const Recording newton = rod("newton", row.e, row.mu, row.et),
                    poisson = rod("poisson", row.e, row.mu, row.et);
    ASSERT_TRUE(newton.summary.completed && poisson.summary.completed);
    EXPECT_NEAR(newton.last("energy.kinetic"), row.newton_energy, 1e-4) << row.e << ' ' << row.mu;
    EXPECT_NEAR(std::abs(newton.last("rod.omega")), row.newton_omega, 1e-5) << row.e << ' ' << row.mu;
    EXPECT_NEAR(newton.impacts.at(0).restitution, row.newton_e, 1e-4) << row.e << ' ' << row.mu;
    EXPECT_NEAR(poisson.last("energy.kinetic"), row.poisson_energy, 1e-4) << row.e << ' ' << row.mu;
    EXPECT_NEAR(std::abs(poisson.last("rod.omega")), row.poisson_omega, 1e-4) << row.e << ' ' << row.mu;
    for (const Recording* r : {&newton, &poisson}) {
      EXPECT_LE(r->last("energy.kinetic"), 0.68 * (1 + 1e-9));
      EXPECT_GE(r->last("energy.friction_loss"), 0);
      EXPECT_LT(r->summary.energy_residual, 1e-12);
    }
  }
}

// Whatever strikes however: no energy is gained, nothing goes on approaching, and friction takes or leaves.
TEST(EventImpact, NothingGains) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> part(0, 1), both(-1, 1);
  for (int n = 0; n < 1000; ++n) {
    const bool planar = n % 2 == 0;
    const double e = part(random), mu = 2 * part(random), et = n % 3 == 0 ? part(random) : 0;
    const double x = both(random), y = 0.1 + part(random), inertia = std::pow(10, -2.5 * part(random));
    const std::string bodies =
        planar ? fmt::format(
                     "inertia: {}, position: [0, {:.17g}], velocity: [{}, {}], angular_velocity: {}, shapes: "
                     "{{tip: {{circle: "
                     "{{radius: 0.01, position: [{:.17g}, {:.17g}]}}}}}}",
                     inertia, y, both(random), both(random), 3 * both(random), x, 0.01 - y)
               : fmt::format(
                     "inertia: [{}, {}, {}], position: [0, 0, {:.17g}], velocity: [{}, {}, {}], "
                     "angular_velocity: [{}, {}, {}], "
                     "shapes: {{tip: {{sphere: {{radius: 0.01, position: [{:.17g}, {:.17g}, {:.17g}]}}}}}}",
                     inertia, 1.2 * inertia, 0.9 * inertia, y, both(random), both(random), both(random),
                     3 * both(random), 3 * both(random), 3 * both(random), x, both(random), 0.01 - y);
    const Recording r =
        run_text(fmt::format("tappet: 1\ndimension: {}\ngravity: {}\nbodies: {{body: {{mass: 1, {}}}}}\n"
                             "ground: {{shapes: {{floor: {{plane: {{normal: {}}}}}}}}}\n"
                             "contacts: {{floor: {{between: [ground.floor, body.tip], normal: {{restitution: "
                             "{}}}, friction: {{coefficient: {}, "
                             "tangential_restitution: {}}}}}}}\n"
                             "simulation: {{method: event-driven, impact_law: {}, duration: 1e-9, tolerance: "
                             "1e-10}}\noutput: {{step: 1e-9}}\n",
                             planar ? "planar" : "spatial", planar ? "[0, 0]" : "[0, 0, 0]", bodies,
                             planar ? "[0, 1]" : "[0, 0, 1]", e, mu, et, n % 4 < 2 ? "newton" : "poisson"));
    ASSERT_TRUE(r.summary.completed) << n << r.summary.stop_reason;
    if (r.impacts.empty()) continue;
    const double after = r.rows[0][r.column("energy.kinetic")];
    const double normal = r.rows[0][r.column("energy.normal_loss")],
                 friction = r.rows[0][r.column("energy.friction_loss")];
    EXPECT_GE(normal + friction, -1e-9 * (after + normal + friction)) << n;
    EXPECT_GE(friction, 0) << n;
    EXPECT_GE(r.impacts[0].speed_out, -1e-11) << n;
    EXPECT_LE(r.impacts[0].restitution, 1 + 1e-9 + (n % 4 < 2 ? e - 1 : 1e9)) << n;
  }
}

// Between walls that it touches both, no rebound is possible: Newton's law contradicts itself, and the ball stops.
TEST(EventImpact, BallBetweenTwoWallsStops) {
  for (const char* law : {"newton", "poisson"})
    for (double e : {0.0, 0.5, 1.0}) {
      const Recording r = run_text(fmt::format(
          "tappet: 1\ndimension: planar\ngravity: [0, 0]\nbodies: {{ball: {{mass: 1, inertia: 1, position: "
          "[0, 0], velocity: [1, 0.5], "
          "angular_velocity: 0, shapes: {{skin: {{circle: {{radius: 0.1}}}}}}}}}}\n"
          "ground: {{shapes: {{left: {{plane: {{point: [-0.1, 0], normal: [1, 0]}}}}, right: {{plane: "
          "{{point: [0.1, 0], normal: [-1, 0]}}}}}}}}\n"
          "contacts: {{left: {{between: [ground.left, ball.skin], normal: {{restitution: {}}}}}, right: "
          "{{between: [ground.right, ball.skin], "
          "normal: {{restitution: {}}}}}}}\n"
          "simulation: {{method: event-driven, impact_law: {}, duration: 1}}\noutput: {{step: 1}}\n",
          e, e, law));
      ASSERT_TRUE(r.summary.completed) << law << ' ' << e << ' ' << r.summary.stop_reason;
      EXPECT_NEAR(r.last("ball.vx"), 0, 1e-12) << law << ' ' << e;
      EXPECT_NEAR(r.last("ball.vy"), 0.5, 1e-12) << law << ' ' << e;
    }
}

// A lever that friction jams against the floor: a force along the edge of the cone holds itself, however large it is. It stops, and all
// of its energy is lost; whatever the last digits of its length are, no such force is taken for the impact's.
TEST(EventImpact, AJammedLeverStops) {
  for (int k = 0; k < 60; ++k) {
    const double length = 0.2249 + 3e-4 * k;
    const Recording r = run_text(fmt::format(
        "tappet: 1\ndimension: planar\ngravity: [0, -9.81]\n"
        "bodies: {{lever: {{mass: 3, inertia: 0.077, position: [{0}, 0.36], shapes: {{tip: {{circle: "
        "{{radius: "
        "0.1366}}}}}}}}}}\n"
        "joints: {{pin: {{type: revolute, bodies: [ground, lever], points: [[0, 0.36], [{1}, 0]]}}}}\n"
        "ground: {{shapes: {{floor: {{plane: {{normal: [0, 1]}}}}}}}}\n"
        "contacts: {{hit: {{between: [ground.floor, lever.tip], normal: {{restitution: 0.3377}}, friction: "
        "{{coefficient: "
        "0.3268}}}}}}\n"
        "simulation: {{method: event-driven, integrator: dop853, duration: 0.36, tolerance: 1e-10}}\noutput: "
        "{{step: "
        "0.12}}\n",
        length, -length));
    ASSERT_TRUE(r.summary.completed) << length << ' ' << r.summary.stop_reason;
    EXPECT_LT(r.summary.energy_residual, 1e-8) << length;
    ASSERT_FALSE(r.impacts.empty()) << length;
    for (const Impact& impact : r.impacts) EXPECT_LT(impact.impulse, 100) << length;
  }
}

}  // namespace
}  // namespace tappet::testing::event_impact_test
