// Friction in crosses and balls, brakes by a preload that changes, and joints with friction that are struck: against closed forms.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/resume.hpp"
#include "support/run_model.hpp"
#include "tappet/base/diagnostics.hpp"

namespace tappet::testing::joint_friction_parts_test {
namespace {

using ::testing::HasSubstr;

const char* const methods[] = {"method: smooth, tolerance: 1e-10",
                               "method: smooth, tolerance: 1e-9, integrator: bdf",
                               "method: event-driven, tolerance: 1e-10", "method: moreau, step: 1 ms"};
double error_of(const std::string& method) {
  return method.find("moreau") != std::string::npos ? 2e-3
         : method.find("bdf") != std::string::npos  ? 1e-5
                                                    : 1e-8;
}

std::string turning(const std::string& joint, const char* velocity, const std::string& method) {
  return fmt::format(R"(tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
bodies: {{b: {{mass: 1, inertia: [0.5, 0.5, 0.5], angular_velocity: {}}}}}
joints: {{j: {{bodies: [ground, b], points: [[0, 0, 0], [0, 0, 0]], {}}}}}
simulation: {{{}, duration: 3}}
output: {{step: 0.1}}
)",
                     velocity, joint, method);
}

// A ball of inertia I in a cross: about each pin the couple is μ r N, and ω̇ = α̈ a_i + β̈ a_j + … with the rest across both, so that each
// pin slows down by itself, by μ r N/I = 0.4, with N = m g + N₀ = 10, and holds.
std::string cross(const std::string& method, const char* law = "coefficient: 0.2") {
  return turning(
      fmt::format("type: universal, axes: [[0, 0, 1], [1, 0, 0]], friction: {{{}, pin_radius: 0.1, "
                  "friction_arm: 0.1, preload: 0.19}}",
                  law),
      "[0.8, 0, 0.4]", method);
}

TEST(Cross, SlowsDownAboutEachPin) {
  for (const char* method : methods) {
    const Recording r = run_text(cross(method));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    for (const auto& row : r.rows) {
      const double t = row[0], first = std::max(0.0, 0.4 - 0.4 * t), second = std::max(0.0, 0.8 - 0.4 * t);
      EXPECT_NEAR(row[r.column("b.wz")], first, error_of(method)) << method << t;
      EXPECT_NEAR(std::hypot(row[r.column("b.wx")], row[r.column("b.wy")]), second, error_of(method))
          << method << t;
      // By steps forces are known from the first one on.
      if (t > 0) {
        EXPECT_NEAR(row[r.column("j.friction.first.normal")], 10, 1e-6) << method << t;
      }
      if (t > 0.05 && t < 0.95) {
        EXPECT_NEAR(std::abs(row[r.column("j.friction.second.tangential")]), 2, 1e-6) << method << t;
      }
    }
    // Turned by 0.2 about z of the ground and by 0.8 about x of its own.
    EXPECT_NEAR(r.last("b.qw"), std::cos(0.1) * std::cos(0.4), error_of(method)) << method;
    EXPECT_NEAR(r.last("b.qx"), std::cos(0.1) * std::sin(0.4), error_of(method)) << method;
    EXPECT_NEAR(r.last("b.qz"), std::sin(0.1) * std::cos(0.4), error_of(method)) << method;
    EXPECT_NEAR(r.last("energy.friction_loss"), 0.25 * (0.64 + 0.16), 10 * error_of(method)) << method;
    EXPECT_LT(std::abs(r.last("energy.residual")), 10 * error_of(method)) << method;
  }
}

TEST(Cross, ResumesToTheLastBit) {
  for (const char* method : {"method: smooth, tolerance: 1e-6", "method: event-driven, tolerance: 1e-6",
                             "method: moreau, step: 10 ms"})
    expect_resumes(*model_of_text(cross(method, "coefficient: 0.2, static: 0.3")), 6);
}

// A ball on a stud: swing slows down by μ R N/I = 0.4, whatever its direction, and twist by μ r N/I = 0.2, each by itself.
std::string ball(const std::string& method) {
  return turning(
      "type: spherical, friction: {coefficient: 0.2, ball_radius: 0.1, twist_radius: 0.05, stud: [0, 0, 2], "
      "preload: 0.19}",
      "[0.5, 0.2, 0.3]", method);
}

TEST(Ball, SlowsDownItsSwingAndItsTwist) {
  for (const char* method : methods) {
    const Recording r = run_text(ball(method));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    for (const auto& row : r.rows) {
      const double t = row[0], swing = std::max(0.0, std::hypot(0.5, 0.2) - 0.4 * t),
                   twist = std::max(0.0, 0.3 - 0.2 * t);
      const Vec3 w(row[r.column("b.wx")], row[r.column("b.wy")], row[r.column("b.wz")]);
      const Eigen::Quaterniond q(row[r.column("b.qw")], row[r.column("b.qx")], row[r.column("b.qy")],
                                 row[r.column("b.qz")]);
      const double about = w.dot(q * Vec3::UnitZ());
      EXPECT_NEAR(about, twist, error_of(method)) << method << t;
      EXPECT_NEAR((w - about * (q * Vec3::UnitZ())).norm(), swing, error_of(method)) << method << t;
    }
    EXPECT_NEAR(r.last("j.friction.swing.friction_loss"), 0.25 * 0.29, 10 * error_of(method)) << method;
    EXPECT_NEAR(r.last("j.friction.twist.friction_loss"), 0.25 * 0.09, 10 * error_of(method)) << method;
    EXPECT_LT(std::abs(r.last("energy.residual")), 10 * error_of(method)) << method;
  }
  for (const char* method : {"method: smooth, tolerance: 1e-6", "method: event-driven, tolerance: 1e-6",
                             "method: moreau, step: 10 ms"})
    expect_resumes(*model_of_text(ball(method)), 6);
}

TEST(Ball, SaysWhatItCannot) {
  try {
    model_of_text(turning("type: spherical, friction: {coefficient: 0.2, ball_radius: 0.1, stud: [0, 0, 0]}",
                          "[0, 0, 0]", "method: smooth"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("`stud` of joint 'j' has no length"));
  }
}

// A wheel of inertia 2 that turns with 3 rad/s, braked by μ r N(t) = 0.05 N(t).
std::string wheel(const std::string& preload, const std::string& method, const char* more = "") {
  return fmt::format(R"(tappet: 1
dimension: planar
gravity: [0, 0]
{}
bodies: {{w: {{mass: 1, inertia: 2, angular_velocity: 3}}}}
joints: {{h: {{type: revolute, bodies: [ground, w], points: [[0, 0], [0, 0]], friction: {{coefficient: 0.5, pin_radius: 0.1, preload: {}}}}}}}
simulation: {{{}, duration: 3}}
output: {{step: 0.1}}
)",
                     more, preload, method);
}

TEST(Brake, FollowsItsPreload) {
  for (const char* method : methods) {
    const Recording rising = run_text(wheel("80*t N", method));
    for (const auto& row : rising.rows) {
      const double t = std::min(row[0], std::sqrt(3.0));
      EXPECT_NEAR(row[rising.column("w.omega")], 3 - t * t, 10 * error_of(method)) << method << row[0];
      EXPECT_NEAR(row[rising.column("w.angle")], 3 * t - t * t * t / 3, 10 * error_of(method))
          << method << row[0];
    }
    // In proportion to the speed it is a viscous one.
    const Recording viscous = run_text(wheel("20*abs(w.omega)", method));
    EXPECT_NEAR(viscous.last("w.omega"), 3 * std::exp(-0.5 * 3), 10 * error_of(method)) << method;
  }
}

TEST(Brake, IsSetByAnEvent) {
  for (const char* method : methods) {
    const std::string text =
        wheel("brake", method,
              "inputs: {brake: {default: 0, unit: N}}\nevents: {now: {when: t > 0.5, action: {set: "
              "{brake: 100}}}}");
    const Recording r = run_text(text);
    EXPECT_NEAR(r.value(0.4, "w.angle"), 1.2, error_of(method)) << method;
    EXPECT_NEAR(r.value(1.0, "w.omega"), 3 - 2.5 * 0.5, 5 * error_of(method)) << method;
    EXPECT_NEAR(r.last("w.angle"), 1.5 + 1.8, 5 * error_of(method)) << method;
    EXPECT_NEAR(r.last("w.omega"), 0, 1e-9) << method;
    expect_resumes(*model_of_text(text), 6);
  }
}

TEST(Brake, ThatPullsIsSaid) {
  for (const char* method : methods) {
    const Recording r = run_text(wheel("1 - t N", method));
    EXPECT_FALSE(r.summary.completed) << method;
    EXPECT_THAT(r.summary.stop_reason, HasSubstr("`preload` of 'h.friction' is -")) << method;
  }
}

// A ball of mass m strikes the slope (normal n = (−0.6, 0.8)) of a slide of mass M straight down with v: the impulse P along n presses the
// slide's guide with 0.8 P, whose friction takes μ 0.8 P of what pushes it, 0.6 P, or all of it.
std::string strike(const char* friction, const char* method, bool planar) {
  const char* zero = planar ? "[0, 0]" : "[0, 0, 0]";
  return fmt::format(R"(tappet: 1
dimension: {}
gravity: {}
bodies:
  slide: {{mass: 2, inertia: {}, velocity: {}, shapes: {{face: {{plane: {{point: {}, normal: {}}}}}}}}}
  ball: {{mass: 1, inertia: {}, position: {}, velocity: {}, shapes: {{skin: {{{}: {{radius: 0.05}}}}}}}}
joints: {{guide: {{type: translational, bodies: [ground, slide], points: [{}, {}], axis: {}, friction: {{{}}}}}}}
contacts: {{hit: {{between: [slide.face, ball.skin], normal: {{restitution: 0.5}}}}}}
simulation: {{{}, duration: 0.2}}
output: {{step: 0.01}}
)",
                     planar ? "planar" : "spatial", zero, planar ? "1" : "[1, 1, 1]", zero, zero,
                     planar ? "[-0.6, 0.8]" : "[-0.6, 0, 0.8]", planar ? "1" : "[1, 1, 1]",
                     planar ? "[-0.03, 0.14]" : "[-0.03, 0, 0.14]", planar ? "[0, -1]" : "[0, 0, -1]",
                     planar ? "circle" : "sphere", zero, zero, planar ? "[1, 0]" : "[1, 0, 0]", friction,
                     method);
}

TEST(StruckJoint, RubsInTheImpact) {
  struct Case {
    const char* friction;
    double mu;  // above 0.75 it holds
  };
  for (const bool planar : {true, false})
    for (const Case& c : {Case{"coefficient: 0.3", 0.3}, Case{"coefficient: 0.8", 0.8},
                          Case{"coefficient: 0.3, static: 0.8, preload: 1", 0.8}})
      for (const char* method : {"method: event-driven, tolerance: 1e-10", "method: moreau, step: 1 ms"}) {
        const Recording r = run_text(strike(c.friction, method, planar));
        ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
        const double left = std::max(0.0, 0.6 - 0.8 * c.mu);
        const double P = 1.5 * 0.8 / (1 + 0.6 * left / 2), V = P * left / 2;
        EXPECT_NEAR(r.last("slide.vx"), V, 1e-6) << method << c.friction;
        EXPECT_NEAR(r.last("ball.vx"), -0.6 * P, 1e-6) << method << c.friction;
        EXPECT_NEAR(r.last(planar ? "ball.vy" : "ball.vz"), -1 + 0.8 * P, 1e-6) << method << c.friction;
        EXPECT_NEAR(r.last("guide.friction.friction_loss"), left > 0 ? 0.8 * c.mu * P * V / 2 : 0, 1e-6)
            << method << c.friction;
        EXPECT_NEAR(r.last("energy.residual"), 0, 1e-8) << method << c.friction;
        ASSERT_EQ(r.impacts.size(), 1u) << method;
      }
}

TEST(StruckJoint, GoesOnToTheLastBit) {
  expect_resumes(*model_of_text(strike("coefficient: 0.3, static: 0.4", "method: event-driven", true)), 6);
}

}  // namespace
}  // namespace tappet::testing::joint_friction_parts_test
