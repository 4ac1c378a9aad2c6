// Limits of joints' coordinates: a body that meets the end of its joint, in the plane and in space, about and along an axis, under every
// method. The joint's coordinate c has the mass m (kg, or kg m² of an angle) and runs at the speed 1 into its limit at 0.5.
//
//   smooth, F = k δ by an arm a:   half a swing of ω = a √(k/m): lasts π/ω, is as deep as a/ω, presses with k a/ω, rebounds with 1
//   event-driven, moreau:          ċ⁺ = −ε ċ⁻, lost: ½ m (1 − ε²)
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/resume.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::joint_limits_test {
namespace {

struct Case {
  const char* name;
  const char* dimension;
  const char* body;   // with its speed
  const char* joint;  // without limits
  const char* key;
  const char* contact;  // that is met
  const char* rate;
  double mass, arm;
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
};

const Case cases[] = {
    {"planar_revolute", "planar", "mass: 3, inertia: 2, angular_velocity: 1",
     "type: revolute, bodies: [ground, b], points: [[0, 0], [0, 0]]", "limits", "j.to", "j.angle_rate", 2,
     0.5},
    {"planar_translational", "planar", "mass: 2, inertia: 1, velocity: [1, 0]",
     "type: translational, bodies: [ground, b], points: [[0, 0], [0, 0]], axis: [1, 0]", "limits", "j.to",
     "j.displacement_rate", 2, 1},
    {"spatial_revolute", "spatial", "mass: 3, inertia: [1, 1, 2], angular_velocity: [0, 0, 1]",
     "type: revolute, bodies: [ground, b], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1]", "limits", "j.to",
     "j.angle_rate", 2, 0.5},
    {"spatial_translational", "spatial", "mass: 2, inertia: [1, 1, 1], velocity: [0, 0, 1]",
     "type: translational, bodies: [ground, b], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1]", "limits",
     "j.to", "j.displacement_rate", 2, 1},
    {"cylindrical_angle", "spatial", "mass: 3, inertia: [1, 1, 2], angular_velocity: [0, 0, 1]",
     "type: cylindrical, bodies: [ground, b], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1]", "limits",
     "j.to", "j.angle_rate", 2, 0.5},
    {"cylindrical_displacement", "spatial", "mass: 2, inertia: [1, 1, 1], velocity: [0, 0, 1]",
     "type: cylindrical, bodies: [ground, b], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1]",
     "limits_displacement", "j.displacement_to", "j.displacement_rate", 2, 1},
    // I + m (p/2π)² = 2
    {"screw", "spatial", "mass: 4, inertia: [1, 1, 1], velocity: [0, 0, 0.5], angular_velocity: [0, 0, 1]",
     "type: screw, bodies: [ground, b], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1], pitch: pi", "limits",
     "j.to", "j.angle_rate", 2, 0.5},
};

std::string model(const Case& c, const std::string& law, const std::string& method,
                  const std::string& more = "", const std::string& from = "from: -0.3, ") {
  const bool planar = std::string(c.dimension) == "planar";
  const bool angular = c.arm != 1;
  return fmt::format(R"(tappet: 1
dimension: {}
gravity: {}
bodies: {{b: {{{}}}}}
joints: {{j: {{{}, {}: {{{}to: 0.5{}, normal: {{{}}}}}}}}}
{}
simulation: {{{}, duration: 0.7}}
output: {{step: 0.01, signals: ["*", "*_rate"]}}
)",
                     c.dimension, planar ? "[0, 0]" : "[0, 0, 0]", c.body, c.joint, c.key, from,
                     angular ? fmt::format(", arm: {}", c.arm) : "", law, more, method);
}

class Limits : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, Limits, ::testing::ValuesIn(cases),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(Limits, ASpringIsHalfASwing) {
  const Case& c = GetParam();
  const double k = 2e4 / (c.arm * c.arm), w = c.arm * std::sqrt(k / c.mass);
  for (const char* integrator : {"dopri5", "dop853", "adams", "bdf"}) {
    const Recording r =
        run_text(model(c, fmt::format("law: hooke, stiffness: {}", k),
                       fmt::format("method: smooth, integrator: {}, tolerance: 1e-11", integrator)));
    ASSERT_EQ(r.impacts.size(), 1u) << integrator;
    const Impact& impact = r.impacts[0];
    EXPECT_NEAR(impact.start, 0.5, 1e-8) << integrator;
    EXPECT_NEAR(impact.end, 0.5 + std::numbers::pi / w, 1e-6) << integrator;
    EXPECT_NEAR(impact.max_penetration, c.arm / w, 1e-5 * c.arm / w) << integrator;
    EXPECT_NEAR(impact.peak_force, k * c.arm / w, 1e-5 * k * c.arm / w) << integrator;
    EXPECT_NEAR(impact.impulse, 2 * c.mass / c.arm, 1e-5) << integrator;
    EXPECT_NEAR(r.last(c.rate), -1, 1e-6) << integrator;
  }
}

TEST_P(Limits, RigidStopsGiveBackByRestitution) {
  const Case& c = GetParam();
  for (const char* method : {"method: event-driven, tolerance: 1e-10", "method: moreau, step: 1 ms"}) {
    const Recording r = run_text(model(c, "restitution: 0.6", method));
    const bool exact = std::string(method).find("event") != std::string::npos;
    ASSERT_EQ(r.impacts.size(), 1u) << method;
    EXPECT_NEAR(r.impacts[0].start, 0.5, exact ? 1e-9 : 2e-3) << method;
    EXPECT_NEAR(r.impacts[0].speed_in, c.arm, 1e-9) << method;
    EXPECT_NEAR(r.impacts[0].speed_out, 0.6 * c.arm, 1e-9) << method;
    EXPECT_NEAR(r.last(c.rate), -0.6, 1e-9) << method;
    EXPECT_NEAR(r.last("energy.normal_loss"), 0.5 * c.mass * (1 - 0.36), 1e-9) << method;
    EXPECT_NEAR(r.last(std::string(c.contact) + ".normal_loss"), 0.5 * c.mass * (1 - 0.36), 1e-9) << method;
    EXPECT_LT(std::abs(r.last("energy.residual")), 1e-9) << method;
  }
}

TEST_P(Limits, ResumeToTheLastBit) {
  for (const char* method : {"method: smooth", "method: event-driven", "method: moreau, step: 2 ms",
                             "method: smooth, integrator: bdf"})
    expect_resumes(*model_of_text(
        model(GetParam(), "law: hunt-crossley, stiffness: 1e5, exponent: 1.5, restitution: 0.5", method)));
}

// Pressed against its stop by a spring, whose force is one of the joint's coordinate.
TEST(LimitsAtRest, HoldTheLoad) {
  for (const Case& c : cases) {
    const bool angular = c.arm != 1;
    const std::string push = fmt::format("forces: {{push: {{type: {}, joint: j, {}: 3}}}}",
                                         angular ? "rotational-spring-damper" : "translational-spring-damper",
                                         angular ? "torque" : "force");
    for (const char* method : {"method: event-driven, tolerance: 1e-10", "method: moreau, step: 1 ms"}) {
      const std::string text = model(c, "restitution: 0", method, push);
      const Recording r = run_text(text, {"simulation.duration=4"});
      // The spring's moment counts against the coordinate or along it: the body rests at one of both ends.
      const std::string coordinate = angular ? "j.angle" : "j.displacement";
      const bool up = r.last(coordinate) > 0;
      const std::string name =
          std::string(c.contact).substr(0, std::string(c.contact).size() - 2) + (up ? "to" : "from");
      EXPECT_NEAR(r.last(coordinate), up ? 0.5 : -0.3, 1e-6) << c.name << " " << method;
      EXPECT_NEAR(r.last(name + ".normal"), 3 / c.arm, 1e-6) << c.name << " " << method;
      EXPECT_NEAR(r.last(c.rate), 0, 1e-9) << c.name << " " << method;
    }
  }
}

// A shaft that makes one and a half turns; angles of joints in space are known up to whole turns only.
TEST(LimitsInSpace, CountWholeTurns) {
  for (const char* method : {"method: smooth, tolerance: 1e-9", "method: event-driven, tolerance: 1e-9",
                             "method: moreau, step: 1 ms"}) {
    const Recording r = run_text(fmt::format(R"(tappet: 1
dimension: spatial
gravity: [0, 0, 0]
bodies: {{b: {{mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 10]}}}}
joints:
  j:
    type: revolute
    bodies: [ground, b]
    points: [[0, 0, 0], [0, 0, 0]]
    axis: [0, 0, 1]
    limits: {{from: -1 rev, to: 1.5 rev, normal: {{law: hunt-crossley, stiffness: 1e6, exponent: 1.5, restitution: 0.9}}}}
simulation: {{{}, duration: 1.2}}
output: {{step: 0.1, signals: ["*", "*_rate"]}}
)",
                                             method));
    ASSERT_EQ(r.impacts.size(), 1u) << method;
    EXPECT_NEAR(r.impacts[0].start, 0.3 * std::numbers::pi, 2e-3) << method;
    EXPECT_LT(r.last("j.angle_rate"), 0) << method;
  }
}

TEST(LimitsAtTheStart, ThatAreViolatedAreSaid) {
  const std::string text = R"(tappet: 1
dimension: planar
gravity: [0, 0]
bodies: {b: {mass: 1, inertia: 1, angle: 70 deg}}
joints: {j: {type: revolute, bodies: [ground, b], points: [[0, 0], [0, 0]], limits: {to: 60 deg, normal: {law: hooke, stiffness: 1e3}}}}
simulation: {duration: 0.1}
)";
  const Recording r = run_text(text);
  ASSERT_FALSE(r.summary.warnings.empty());
  EXPECT_NE(
      r.summary.warnings[0].find("joint 'j' stands 10 deg beyond its limit `to` of 60 deg at the start"),
      std::string::npos)
      << r.summary.warnings[0];
}

std::string error_of(const std::string& limits) {
  try {
    model_of_text(fmt::format(R"(tappet: 1
dimension: planar
bodies: {{b: {{mass: 1, inertia: 1}}}}
joints: {{j: {{type: revolute, bodies: [ground, b], points: [[0, 0], [0, 0]], limits: {}}}}}
simulation: {{duration: 0.1}}
)",
                              limits));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LimitsOfNothing, AreRefused) {
  EXPECT_NE(error_of("{normal: {law: hooke, stiffness: 1}}")
                .find("`limits` of joint 'j' needs `from` or `to`, or both"),
            std::string::npos);
  EXPECT_NE(error_of("{from: 1, to: -1, normal: {law: hooke, stiffness: 1}}")
                .find("`to` must be larger than `from`"),
            std::string::npos);
  EXPECT_NE(error_of("{from: 1 m, normal: {law: hooke, stiffness: 1}}").find("test.yaml:4"),
            std::string::npos);
}

}  // namespace
}  // namespace tappet::testing::joint_limits_test
