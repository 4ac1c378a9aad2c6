// Method moreau against closed forms: bouncing, sliding, rolling, and energy that never grows.
#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::moreau_test {
namespace {

using testing::Recording;
using testing::run_text;

constexpr double g = 9.81;

/// A ball of radius 0.1 m above the floor. `body` is added to its keys, `contact` to those of the contact.
std::string ball(const std::string& body, const std::string& contact, const std::string& simulation,
                 const std::string& gravity = "[0, 0, -9.81]") {
  return fmt::format(
      "tappet: 1\ndimension: spatial\ngravity: {}\nbodies:\n"
      "  ball: {{mass: 2, {}, shapes: {{skin: {{sphere: {{radius: 0.1}}}}}}}}\n"
      "ground:\n  shapes: {{floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}}}\n"
      "contacts:\n  floor: {{between: [ground.floor, ball.skin], {}}}\n"
      "simulation: {{method: moreau, {}}}\n",
      gravity, body, contact, simulation);
}

// Requested and realised restitution agree for every height, ε and step: 1 cm to 10 m, 0.1 ms to 10 ms. Once from the impact table,
// once from the velocities before and after.
TEST(Moreau, RestitutionIsRealised) {
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int trial = 0; trial < 400; ++trial) {
    const double height = 0.01 * std::pow(10, 3 * uniform(engine)), e = uniform(engine),
                 step = std::pow(10, -4 + 2 * uniform(engine)), fall = std::sqrt(2 * height / g),
                 speed = g * fall;
    const Recording r = run_text(ball(fmt::format("position: [0, 0, {}], velocity: [0, 0, 0]", 0.1 + height),
                                      fmt::format("normal: {{restitution: {}}}", e),
                                      fmt::format("duration: {}, step: {}", 1.5 * fall + 4 * step, step)) +
                                 fmt::format("output: {{step: {}}}\n", step));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    ASSERT_FALSE(r.impacts.empty()) << height << ' ' << e << ' ' << step;
    const Impact& first = r.impacts[0];
    EXPECT_EQ(first.requested, e);
    EXPECT_NEAR(first.restitution, e, 1e-6) << height << ' ' << step;
    EXPECT_NEAR(first.speed_in, speed, g * step * 1.001) << "a step early or late";
    double before = 0, after = 0;
    for (const auto& row : r.rows) {
      after = row[r.column("ball.vz")];
      if (after > before) break;
      before = after;
    }
    EXPECT_NEAR(after / -before, e, 1e-6) << height << ' ' << step;
  }
}

// An elastic ball comes back to its height, for ever: flight is exact and impacts keep the energy.
TEST(Moreau, AnElasticBallKeepsItsEnergy) {
  const Recording r = run_text(ball("position: [0, 0, 1.1], velocity: [0.3, 0, 0]",
                                    "normal: {restitution: 1}", "duration: 20, step: 1e-3"));
  const std::size_t kinetic = r.column("energy.kinetic"), potential = r.column("energy.potential");
  EXPECT_GT(r.impacts.size(), 15u);
  for (const auto& row : r.rows) EXPECT_NEAR(row[kinetic] + row[potential], 2 * g * 1.1 + 0.09, 1e-6);
}

// Dropped without restitution it lies on the floor, not in it and not above it.
TEST(Moreau, APlasticBallComesToLieOnTheFloor) {
  const Recording r = run_text(ball("position: [0, 0, 0.15], velocity: [0, 0, 0]", "normal: {restitution: 0}",
                                    "duration: 1, step: 1e-3"));
  // Penetrations below a millionth of the ball's radius count as none.
  EXPECT_NEAR(r.last("floor.gap"), 0, 1e-7);
  EXPECT_NEAR(r.last("floor.normal"), 2 * g, 1e-5) << "it carries the weight";
  for (const auto& row : r.rows) EXPECT_GE(row[r.column("floor.gap")], -1e-7);
}

/// A block (a ball that does not turn) on a floor inclined by `angle`: gravity is turned instead.
Recording block(double angle, double mu, double speed, double duration) {
  return run_text(ball(fmt::format("position: [0, 0, 0.1], velocity: [{}, 0, 0]", speed),
                       fmt::format("normal: {{restitution: 0}}, friction: {{coefficient: {}}}", mu),
                       fmt::format("duration: {}, step: 1e-4", duration),
                       fmt::format("[{}, 0, {}]", g * std::sin(angle), -g * std::cos(angle))));
}

TEST(Moreau, ABlockOnAnInclineSticksBelowTheFrictionAngle) {
  const double mu = 0.4, limit = std::atan(mu);
  const Recording below = block(limit - 0.01, mu, 0, 1);
  EXPECT_NEAR(below.last("ball.x"), 0, 1e-12);
  EXPECT_NEAR(below.last("floor.tangential"), 2 * g * std::sin(limit - 0.01), 1e-6);

  const double angle = limit + 0.01, a = g * (std::sin(angle) - mu * std::cos(angle));
  const Recording above = block(angle, mu, 0, 1);
  EXPECT_NEAR(above.last("ball.vx"), a, 1e-9);
  EXPECT_NEAR(above.last("ball.x"), 0.5 * a, 1e-3 * a);
}

TEST(Moreau, ASlidingBlockStopsWhereItShould) {
  const double mu = 0.3, v = 2, time = v / (mu * g), way = v * v / (2 * mu * g);
  const Recording r = block(0, mu, v, 1);
  EXPECT_NEAR(r.last("ball.vx"), 0, 1e-12);
  EXPECT_NEAR(r.last("ball.x"), way, 1e-6);
  EXPECT_NEAR(r.last("energy.friction_loss"), 0.5 * 2 * v * v, 1e-9);
  double stopped = 0;
  for (const auto& row : r.rows)
    if (row[r.column("ball.vx")] > 1e-6) stopped = row[0];
  EXPECT_NEAR(stopped, time, 2e-3);
}

// A ball thrown flat slides until it rolls: at 5/7 of its speed, after 2v/(7μg), in a direction that friction
// keeps.
TEST(Moreau, ASlidingBallComesToRoll) {
  const double mu = 0.2, v = 3, time = 2 * v / (7 * mu * g), inertia = 0.4 * 2 * 0.01;
  for (const char* solver : {"auto", "nsgs", "newton", "pgs", "apgd"}) {
    const Recording r =
        run_text(ball(fmt::format("inertia: [{0}, {0}, {0}], position: [0, 0, 0.1], velocity: [{1}, {2}, 0], "
                                  "angular_velocity: [0, 0, 0]",
                                  inertia, v * 0.6, v * 0.8),
                      fmt::format("normal: {{restitution: 0}}, friction: {{coefficient: {}}}", mu),
                      fmt::format("duration: 1, step: 1e-4, solver: {}", solver)));
    EXPECT_NEAR(std::hypot(r.last("ball.vx"), r.last("ball.vy")), v * 5 / 7, 1e-5) << solver;
    EXPECT_NEAR(r.last("ball.vy") / r.last("ball.vx"), 0.8 / 0.6, 1e-6) << solver;
    EXPECT_NEAR(r.last("ball.wx"), -r.last("ball.vy") / 0.1, 1e-5) << solver;
    EXPECT_NEAR(r.last("ball.x"), 0.6 * (v * time - 0.5 * mu * g * time * time + v * 5 / 7 * (1 - time)),
                1e-3)
        << solver;
  }
}

// Friction within a polygon of n corners is that of the corner nearest to −v, until v is midway between two corners: then it slides on along
// that bisector, held by the middle of the polygon's side, μ N cos(π/n).
Vec3 slid_by_polygon(double vx, double vy, int n, double deceleration, double time) {
  const double speed = std::hypot(vx, vy), sector = 2 * M_PI / n;
  const double corner = sector * std::round(std::atan2(vy, vx) / sector), off = std::atan2(vy, vx) - corner;
  const double along = speed * std::cos(off), across = speed * std::sin(off);
  const double until = (along - std::abs(across) / std::tan(sector / 2)) / deceleration;
  const auto turned = [](double angle, double length) {
    return Vec3(length * std::cos(angle), length * std::sin(angle), 0);
  };
  if (time < until) return turned(corner, along - deceleration * time) + turned(corner + M_PI / 2, across);
  const double left = std::abs(across) / std::sin(sector / 2);
  return turned(corner + std::copysign(sector / 2, off),
                left - deceleration * std::cos(sector / 2) * (time - until));
}

TEST(Moreau, FacetsComeNearToTheCone) {
  const double mu = 0.2, v = 3;
  for (int facets : {4, 16, 64}) {
    const Recording r =
        run_text(ball(fmt::format("position: [0, 0, 0.1], velocity: [{}, {}, 0]", v * 0.6, v * 0.8),
                      fmt::format("normal: {{restitution: 0}}, friction: {{coefficient: {}}}", mu),
                      fmt::format("duration: 0.5, step: 1e-3, solver: lemke, facets: {}", facets)));
    const Vec3 expected = slid_by_polygon(0.6 * v, 0.8 * v, facets, mu * g, 0.5);
    // The change from a corner to a side takes one step.
    EXPECT_NEAR(r.last("ball.vx"), expected.x(), mu * g * 1e-3) << facets;
    EXPECT_NEAR(r.last("ball.vy"), expected.y(), mu * g * 1e-3) << facets;
    // The cone's own answer is as near as the polygon is to it.
    EXPECT_LT((expected - Vec3(0.6, 0.8, 0) * (v - mu * g * 0.5)).norm(), v * M_PI / facets) << facets;
  }
}

// ε_t: a superball thrown straight down with spin comes off sideways. With friction that never slides, γ_t⁺ =
// −ε_t γ_t⁻.
TEST(Moreau, TangentialRestitutionIsRealised) {
  for (double e : {0.0, 0.5, 1.0}) {
    const Recording r = run_text(
        ball("inertia: [0.008, 0.008, 0.008], position: [0, 0, 0.2], velocity: [0, 0, -3], angular_velocity: "
             "[0, 20, 0]",
             fmt::format(
                 "normal: {{restitution: 1}}, friction: {{coefficient: 10, tangential_restitution: {}}}", e),
             "duration: 0.05, step: 1e-5"));
    // The lowest point moves at v_x − ω R; before: −2 m/s. The impact may come a step early, 0.03 mm above
    // the floor.
    EXPECT_NEAR(r.last("ball.vx") - 0.1 * r.last("ball.wy"), 2 * e, 1e-3) << e;
  }
}

/// Bodies tied to each other and thrown into a corner of four planes.
std::string corner_scene(std::mt19937& engine) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto random = [&] { return uniform(engine); };
  const double e = 0.5 + 0.5 * random(), mu = 0.5 + 0.5 * random(),
               tangential = engine() % 2 ? 0 : 0.5 + 0.5 * random();
  std::string text = "tappet: 1\ndimension: spatial\ngravity: [0, 0, -9.81]\nbodies:\n";
  const auto vector = [&](double size) {
    return fmt::format("[{}, {}, {}]", size * random(), size * random(), size * random());
  };
  for (int b = 0; b < 3; ++b) {
    // The second body is tied to the first: its velocity follows.
    const std::string motion =
        b == 1 ? "" : fmt::format("velocity: {}, angular_velocity: {}, ", vector(2), vector(9));
    text += fmt::format(
        "  b{}: {{mass: {}, inertia: [{}, {}, {}], position: [{}, {}, {}], {}"
        "shapes: {{s: {{sphere: {{radius: 0.1, position: [{}, 0, 0.02]}}}}}}}}\n",
        b, 1.5 + random(), 0.01 + 0.002 * random(), 0.012 + 0.002 * random(), 0.014 + 0.002 * random(),
        0.4 * b - 0.4, 0, 0.6, motion, 0.03 * random());
  }
  text +=
      "joints:\n  tie: {type: spherical, bodies: [b0, b1], points: [[0.2, 0, 0], [-0.2, 0, 0]]}\n"
      "ground:\n  shapes:\n    floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
      "    left: {plane: {point: [-1, 0, 0], normal: [0.96, 0, 0.28]}}\n"
      "    right: {plane: {point: [1, 0, 0], normal: [-0.96, 0, 0.28]}}\n"
      "    back: {plane: {point: [0, 0.5, 0], normal: [0, -1, 0]}}\n";
  text += fmt::format(
      "contacts:\n  all: {{between: ['ground.*', 'b*.s'], normal: {{restitution: {}}}, "
      "friction: {{coefficient: {}, tangential_restitution: {}}}}}\n"
      "simulation: {{method: moreau, duration: 2, step: 1e-3}}\noutput: {{step: 1e-3, signals: "
      "['energy.*']}}\n",
      e, mu, tangential);
  return text;
}

// Contacts only take energy, in every step. What is left over besides is the error of the free motion: of
// gyroscopic moments and of the joint, second order in the step.
TEST(Moreau, EnergyNeverGrowsThroughContact) {
  std::mt19937 engine(5);
  for (int scene = 0; scene < 12; ++scene) {
    const Recording r = run_text(corner_scene(engine));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    const auto energy = [&](const std::vector<double>& row) {
      return row[r.column("energy.kinetic")] + row[r.column("energy.potential")];
    };
    const auto loss = [&](const std::vector<double>& row) {
      return row[r.column("energy.normal_loss")] + row[r.column("energy.friction_loss")];
    };
    const double scale = energy(r.rows[0]);
    for (std::size_t n = 1; n < r.rows.size(); ++n)
      ASSERT_GE(loss(r.rows[n]) - loss(r.rows[n - 1]), -1e-7 * scale)
          << "scene " << scene << ", t = " << r.rows[n][0];
    EXPECT_GT(loss(r.rows.back()), 0.1 * scale)
        << "scene " << scene << ": nothing was lost, so nothing was tested";
    EXPECT_LT(r.summary.energy_residual, 3e-3) << "scene " << scene;
    EXPECT_TRUE(r.summary.warnings.empty()) << r.summary.warnings[0];
  }
}

// A ton on a rod of 10 g swings as on one of 1 mg, whose pin then is all but a repetition of the other: it must not be taken for one, also
// where another joint is.
TEST(Moreau, LightLinksHoldHeavyBodies) {
  const auto end = [](double rod, bool repeated) {
    const Recording r = run_text(fmt::format(
        "tappet: 1\ndimension: planar\ngravity: [0, -9.81]\nbodies:\n  rod: {{mass: {}, inertia: {}, "
        "position: [0.5, 0]}}\n"
        "  bob: {{mass: 1000, inertia: 10, position: [1, 0]}}\njoints:\n"
        "  hook: {{type: revolute, bodies: [ground, rod], points: [[0, 0], [-0.5, 0]]}}\n{}"
        "  pin: {{type: revolute, bodies: [rod, bob], points: [[0.5, 0], [0, 0]]}}\n"
        "simulation: {{method: moreau, duration: 2, step: 0.01}}\n",
        rod, rod / 12,
        repeated ? "  again: {type: revolute, bodies: [rod, ground], points: [[-0.5, 0], [0, 0]]}\n" : ""));
    EXPECT_TRUE(r.summary.completed) << r.summary.stop_reason;
    return r.last("bob.x");
  };
  for (const bool repeated : {false, true})
    EXPECT_NEAR(end(1e-6, repeated), end(1e-2, repeated), 1e-5) << repeated;
}

// Wrong input is refused with its place, before anything runs.
TEST(Moreau, RefusesWhatItCannotDo) {
  const auto fault = [](const std::string& simulation, const std::string& contact) -> std::string {
    try {
      run_text(ball("position: [0, 0, 1]", contact, simulation));
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  const std::string rough = "normal: {restitution: 0}, friction: {coefficient: 0.3}";
  EXPECT_NE(fault("duration: 1", rough).find("needs `simulation.step`"), std::string::npos);
  EXPECT_NE(fault("duration: 1, step: 1e-3, solver: magic", rough).find("'magic', which does not exist"),
            std::string::npos);
  EXPECT_NE(fault("duration: 1, step: 1e-3, solver: lemke", rough).find("needs `facets`"), std::string::npos);
  EXPECT_NE(fault("duration: 1, step: 1e-3, solver: principal-pivoting", rough)
                .find("does not solve contact problems"),
            std::string::npos);
  EXPECT_EQ(fault("duration: 0.01, step: 1e-3, solver: principal-pivoting", "normal: {restitution: 0}"), "");
}

}  // namespace
}  // namespace tappet::moreau_test
