// Friction that remembers a direction, on a normal that turns: a ball rolls and slides in its socket.
//
// The ball (m, R, uniform: I = 2/5 m R²) falls to the bottom, comes to rest there and is then pushed about.
// The point of contact wanders over the socket, so the tangents that friction counts by must come along.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::stick_in_space_test {
namespace {

std::string ball(bool planar, const std::string& friction, const std::string& push,
                 const std::string& start = "") {
  return fmt::format(
      "tappet: 1\n"
      "dimension: {}\n"
      "gravity: {}\n"
      "bodies:\n"
      "  ball: {{mass: 1, inertia: {}{}}}\n"
      "joints:\n"
      "  bowl:\n"
      "    type: {}\n"
      "    bodies: [ground, ball]\n"
      "    points: {}\n"
      "    clearance:\n"
      "      bearing_radius: 20 mm\n"
      "      journal_radius: 10 mm\n"
      "      normal: {{law: impact, stiffness: 1e6, exponent: 1, damping: 1e3, depth: 1e-7}}\n"
      "      friction: {}\n"
      "forces: {{push: {{type: expression, body: ball, {}}}}}\n"
      "simulation: {{duration: 1, tolerance: 1e-10}}\n"
      "output: {{step: 5e-3}}\n",
      planar ? "planar" : "spatial", planar ? "[0, -9.81]" : "[0, 0, -9.81]",
      planar ? "4e-5" : "[4e-5, 4e-5, 4e-5]", start, planar ? "revolute" : "spherical",
      planar ? "[[0, 0], [0, 0]]" : "[[0, 0, 0], [0, 0, 0]]", friction, push);
}

struct Law {
  const char* name;
  const char* text;
  friend std::ostream& operator<<(std::ostream& out, const Law& law) { return out << law.name; }
};

class StickInSpace : public ::testing::TestWithParam<Law> {};

// Pushed to and fro hard enough to slide, stick and roll, in an upright plane at 37° to the axes, the ball
// does what a disc of its inertia does in the plane.
TEST_P(StickInSpace, IsStickInThePlane) {
  const double c = std::cos(37 * std::numbers::pi / 180), s = std::sin(37 * std::numbers::pi / 180);
  const auto push = [](double size) {
    return fmt::format("'if(t < 0.2, 0, {:.17g}*sin(40*(t - 0.2)))'", size);
  };
  const Recording disc = run_text(ball(true, GetParam().text, fmt::format("fx: {}", push(12))));
  const Recording round = run_text(
      ball(false, GetParam().text, fmt::format("fx: {}, fy: {}, fz: 0", push(12 * c), push(12 * s))));
  ASSERT_TRUE(disc.summary.completed && round.summary.completed) << round.summary.stop_reason;
  EXPECT_LT(round.summary.energy_residual, 1e-6);
  double apart = 0, off = 0;
  for (const auto& row : disc.rows) {
    const double x = round.value(row[0], "ball.x"), y = round.value(row[0], "ball.y");
    apart = std::max({apart, std::abs(c * x + s * y - row[disc.column("ball.x")]),
                      std::abs(round.value(row[0], "ball.z") - row[disc.column("ball.y")])});
    off = std::max(off, std::abs(c * y - s * x));
  }
  const double loss = round.last("bowl.friction_loss") / disc.last("bowl.friction_loss") - 1;
  fmt::print(
      "{}: {:.1e} m from the disc's path of ± 10 mm, {:.1e} m off its plane; friction loss {:.4f} J, off by "
      "{:.1e}\n",
      GetParam().name, apart, off, disc.last("bowl.friction_loss"), loss);
  EXPECT_GT(disc.last("bowl.friction_loss"), 0.1);  // it did slide
  EXPECT_LT(apart, 1e-7);
  EXPECT_LT(off, 1e-6);
  EXPECT_NEAR(loss, 0, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(
    Laws, StickInSpace,
    ::testing::Values(Law{"RooneyDeravi", "{law: rooney-deravi, coefficient: 0.1}"},
                      Law{"Karnopp", "{law: karnopp, static: 0.15, dynamic: 0.1, stick_velocity: 1 mm/s}"},
                      Law{"ModifiedKarnopp",
                          "{law: modified-karnopp, static: 0.15, dynamic: 0.1, stick_velocity: 1 mm/s, "
                          "friction_velocity: 10 mm/s}"},
                      Law{"ResetIntegrator",
                          "{law: reset-integrator, static: 0.1, dynamic: 0.1, deflection: 1 um}"}),
    [](const auto& info) { return info.param.name; });

// Rolling without sliding inside a sphere, a ball's spin about the normal is constant, whatever pushes at its
// centre: I ω̇·n = 0 because the contact force acts along n from the centre, and ω·ṅ = 0 because ṅ ∝ n × ω.
// The friction that holds does no work: the ledger closes with the work of the push alone.
TEST(RollingBall, KeepsItsSpinAboutTheNormal) {
  const Recording r = run_text(ball(false, "{law: rooney-deravi, coefficient: 0.5}",
                                    "fx: 'if(t < 0.2, 0, 3*cos(30*(t - 0.2)))', "
                                    "fy: 'if(t < 0.2, 0, 3*sin(30*(t - 0.2)))', fz: 0",
                                    ", angular_velocity: [0, 0, 20]"));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_LT(r.summary.energy_residual, 1e-9);
  double wander = 0, furthest = 0, slid = 0;
  for (const auto& row : r.rows) {
    if (row[0] < 0.25) continue;
    const Vec3 e(row[r.column("bowl.ex")], row[r.column("bowl.ey")], row[r.column("bowl.ez")]);
    const Vec3 w(row[r.column("ball.wx")], row[r.column("ball.wy")], row[r.column("ball.wz")]);
    wander = std::max(wander, std::abs(-w.dot(e) / e.norm() - 20));
    furthest = std::max(furthest, std::hypot(e.x(), e.y()));
    slid = std::max(slid, row[r.column("bowl.speed")]);
  }
  fmt::print(
      "ball rolls up to {:.1f} mm from the middle; spin about the normal wanders by {:.1e} of 20 rad/s; "
      "ledger {:.1e}\n",
      1e3 * furthest, wander, r.summary.energy_residual);
  EXPECT_GT(furthest, 5e-3);
  EXPECT_LT(slid, 1e-9);
  EXPECT_LT(wander, 1e-7);
}

}  // namespace
}  // namespace tappet::testing::stick_in_space_test
