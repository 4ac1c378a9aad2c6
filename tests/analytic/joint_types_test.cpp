// The joints of shafts and threads, couplers of several coordinates, and the primitives that joints are made of.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/resume.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::joint_types_test {
namespace {

const char* const methods[] = {"method: smooth, tolerance: 1e-10",
                               "method: smooth, tolerance: 1e-10, integrator: bdf",
                               "method: event-driven, tolerance: 1e-10", "method: moreau, step: 0.5 ms"};
double error_of(const std::string& method) {
  return method.find("moreau") == std::string::npos ? 1e-6 : 2e-3;
}

// A nut of mass m and inertia J falls along its thread: m + J (2π/p)² is as heavy as m g pulls.
TEST(Screw, FallsAsItTurns) {
  for (const char* method : methods) {
    const std::string text = fmt::format(R"(tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
bodies: {{nut: {{mass: 2, inertia: [0.1, 0.1, 0.05]}}}}
joints: {{thread: {{type: screw, bodies: [ground, nut], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1], pitch: 0.5}}}}
simulation: {{{}, duration: 2}}
output: {{step: 0.5, signals: ["*", "*_rate"]}}
)",
                                         method);
    const Recording r = run_text(text);
    const double lead = 0.5 / (2 * std::numbers::pi), a = -9.81 * 2 / (2 + 0.05 / (lead * lead));
    EXPECT_NEAR(r.last("nut.z"), 0.5 * a * 4, error_of(method)) << method;
    EXPECT_NEAR(r.last("thread.angle_rate"), 2 * a / lead, error_of(method)) << method;
    expect_resumes(*model_of_text(text), 4);
  }
}

// Shafts at β: the constant-velocity joint passes the turn on as it is, the universal joint with ω₂/ω₁ = cos β/(1 − sin²β cos²φ), φ = 0
// where the driving shaft's fork is in the plane of both shafts.
std::string shafts(const char* type, const char* axes, const char* method) {
  return fmt::format(R"(tappet: 1
dimension: spatial
gravity: [0, 0, 0]
bodies:
  first: {{mass: 1, inertia: [0.1, 0.1, 0.1]}}
  second: {{mass: 1, inertia: [0.1, 0.1, 0.1]}}
joints:
  in: {{type: revolute, bodies: [ground, first], points: [[0, 0, 0], [0, 0, 0]], axis: [1, 0, 0]}}
  out: {{type: cylindrical, bodies: [ground, second], points: [[0, 0, 0], [0, 0, 0]], axis: [0.8, 0.6, 0]}}
  link: {{type: {}, bodies: [first, second], points: [[0, 0, 0], [0, 0, 0]], axes: {}}}
motions: {{drive: {{joint: in, speed: 2 rad/s}}}}
simulation: {{{}, duration: 3}}
output: {{step: 0.1, signals: ["*", "*_rate"]}}
)",
                     type, axes, method);
}

TEST(ConstantVelocity, PassesTheTurnOn) {
  for (const char* method : methods) {
    const Recording r = run_text(shafts("constant-velocity", "[[1, 0, 0], [0.8, 0.6, 0]]", method));
    for (const auto& row : r.rows)
      EXPECT_NEAR(row[r.column("out.angle_rate")], 2, error_of(method)) << method << " " << row[0];
  }
  expect_resumes(*model_of_text(shafts("constant-velocity", "[[1, 0, 0], [0.8, 0.6, 0]]", "method: smooth")),
                 4);
}

TEST(ConstantVelocity, CancelsWhatAUniversalJointAdds) {
  // The driving fork's axis is across both shafts at the start: φ = 90° + 2 t.
  const Recording r = run_text(shafts("universal", "[[0, 0, 1], [-0.6, 0.8, 0]]", methods[0]));
  double most = 0;
  for (const auto& row : r.rows) {
    const double c = std::cos(0.5 * std::numbers::pi + 2 * row[0]);
    EXPECT_NEAR(row[r.column("out.angle_rate")], 2 * 0.8 / (1 - 0.36 * c * c), 1e-6) << row[0];
    most = std::max(most, std::abs(row[r.column("out.angle_rate")] - 2));
  }
  EXPECT_GT(most, 0.3);
}

// Three racks share one pull as a balance does: s₁ + s₂ − 2 s₃ = 0 with multipliers 1 : 1 : −2; masses m, forces F on the third:
//   m s̈₁ = m s̈₂ = λ, m s̈₃ = F − 2 λ, s̈₃ = (s̈₁ + s̈₂)/2 = λ/m   ⇒   s̈ = F/(3 m)
TEST(Coupler, OfThreeCoordinates) {
  for (const char* method : methods) {
    const Recording r = run_text(fmt::format(R"(tappet: 1
dimension: planar
gravity: [0, 0]
bodies:
  a: {{mass: 2, inertia: 1}}
  b: {{mass: 2, inertia: 1, position: [0, 1]}}
  c: {{mass: 2, inertia: 1, position: [0, 2]}}
joints:
  ga: {{type: translational, bodies: [ground, a], points: [[0, 0], [0, 0]], axis: [1, 0]}}
  gb: {{type: translational, bodies: [ground, b], points: [[0, 1], [0, 0]], axis: [1, 0]}}
  gc: {{type: translational, bodies: [ground, c], points: [[0, 2], [0, 0]], axis: [1, 0]}}
  beam: {{type: coupler, joints: [ga, gb, gc], scales: [1, 1, -2]}}
forces: {{pull: {{type: force, body: c, force: [12, 0]}}}}
simulation: {{{}, duration: 1}}
output: {{step: 0.5}}
)",
                                             method));
    for (const char* body : {"a.x", "b.x", "c.x"})
      EXPECT_NEAR(r.last(body), 1, error_of(method)) << method << body;
  }
}

// A puck on a tilted plane: in-plane and two directions kept square are a plane joint; it slides down with g sin α.
TEST(Primitives, MakeAPlane) {
  for (const char* method : methods) {
    const Recording r = run_text(fmt::format(R"(tappet: 1
dimension: spatial
gravity: [0, 0, -10]
bodies: {{puck: {{mass: 1, inertia: [1, 2, 3], angular_velocity: [-1.2, 0, 1.6]}}}}
joints:
  floor: {{type: in-plane, bodies: [ground, puck], points: [[0, 0, 0], [0, 0, 0]], axis: [-0.6, 0, 0.8]}}
  upright: {{type: parallel, bodies: [ground, puck], axes: [[-0.6, 0, 0.8], [-0.6, 0, 0.8]]}}
simulation: {{{}, duration: 1}}
output: {{step: 0.5}}
)",
                                             method));
    EXPECT_NEAR(r.last("puck.x"), -0.5 * 6 * 0.8, error_of(method)) << method;
    EXPECT_NEAR(r.last("puck.z"), -0.5 * 6 * 0.6, error_of(method)) << method;
    EXPECT_NEAR(r.last("puck.wz"), 1.6, error_of(method)) << method;
  }
}

// A rod whose direction stays square to the vertical: a spherical joint and one such condition let it turn about the vertical and itself.
TEST(Primitives, KeepDirectionsSquare) {
  const Recording r = run_text(R"(tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
bodies: {rod: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [1, 0, 0], angular_velocity: [0, 0, 3], velocity: [0, 3, 0]}}
joints:
  ball: {type: spherical, bodies: [ground, rod], points: [[0, 0, 0], [-1, 0, 0]]}
  level: {type: perpendicular, bodies: [ground, rod], axes: [[0, 0, 1], [1, 0, 0]]}
simulation: {method: smooth, tolerance: 1e-10, duration: 1}
output: {step: 0.5}
)");
  EXPECT_NEAR(r.last("rod.x"), std::cos(3.0), 1e-7);
  EXPECT_NEAR(r.last("rod.y"), std::sin(3.0), 1e-7);
  EXPECT_NEAR(r.last("rod.z"), 0, 1e-10);
}

// A bead in a groove that is a circle of 400 points, which their spline meets to 1e-9 of its radius: a pendulum, below and right round.
std::string bead(double speed, bool groove, const char* method) {
  std::string curve;
  for (int n = 0; n < 400; ++n)
    curve += fmt::format("{}[{:.17g}, {:.17g}]", n ? ", " : "", std::cos(n * std::numbers::pi / 200),
                         std::sin(n * std::numbers::pi / 200));
  return fmt::format(R"(tappet: 1
dimension: planar
gravity: [0, -9.81]
bodies: {{b: {{mass: 2, inertia: 1e-9, position: [1, 0], velocity: [0, {}]{}}}}}
joints: {{j: {{bodies: [ground, b], {}}}}}
simulation: {{{}, duration: 1.5}}
output: {{step: 0.1}}
)",
                     speed, groove ? ", angular_velocity: 0" : "",
                     groove ? "type: point-on-curve, point: [0, 0], closed: true, curve: [" + curve + "]"
                            : "type: revolute, points: [[0, 0], [-1, 0]]",
                     method);
}

TEST(PointOnCurve, IsAPendulum) {
  for (const double speed : {-1.0, 8.0})
    for (const char* method : methods) {
      const Recording groove = run_text(bead(speed, true, method)),
                      rod = run_text(bead(speed, false, method));
      for (const auto& row : groove.rows) {
        EXPECT_NEAR(row[groove.column("b.x")], rod.value(row[0], "b.x"), error_of(method))
            << method << speed << " " << row[0];
        EXPECT_NEAR(row[groove.column("b.y")], rod.value(row[0], "b.y"), error_of(method))
            << method << speed << " " << row[0];
      }
    }
  expect_resumes(*model_of_text(bead(-1, true, "method: smooth")), 4);
}

// The end of a beam that is clamped to the ground, pressed by F and damped to rest: F L³/(3 E I) and F L²/(2 E I); pulled: F L/(E A).
TEST(Beam, BendsAsACantilever) {
  for (const bool planar : {true, false}) {
    const Recording r = run_text(fmt::format(
        R"(tappet: 1
dimension: {}
gravity: {}
bodies: {{tip: {{mass: 1, inertia: {}, position: {}}}}}
forces:
  rod: {{type: beam, bodies: [ground, tip], points: [{}, {}], young: 1e6, {}area: 1e-2, second_moments: {}, damping_time: 0.05}}
  pull: {{type: force, body: tip, force: {}}}
simulation: {{method: smooth, tolerance: 1e-9, duration: 20}}
output: {{step: 1}}
)",
        planar ? "planar" : "spatial", planar ? "[0, 0]" : "[0, 0, 0]", planar ? "0.1" : "[0.1, 0.1, 0.1]",
        planar ? "[2, 0]" : "[2, 0, 0]", planar ? "[0, 0]" : "[0, 0, 0]", planar ? "[0, 0]" : "[0, 0, 0]",
        planar ? "" : "shear: 4e5, torsion_constant: 1e-4, up: [0, 1, 0], ",
        planar ? "[1e-4]" : "[2e-4, 1e-4]", planar ? "[0.1, 0.01]" : "[0.1, 0.01, 0.01]"));
    const double EI = 100;
    EXPECT_NEAR(r.last("tip.x"), 2 + 0.1 * 2 / 1e4, 1e-8);
    EXPECT_NEAR(r.last("tip.y"), 0.01 * 8 / (3 * EI), 1e-7);
    if (planar) {
      EXPECT_NEAR(r.last("tip.angle"), 0.01 * 4 / (2 * EI), 1e-7);
      continue;
    }
    EXPECT_NEAR(r.last("tip.z"), 0.01 * 8 / (3 * 2 * EI), 1e-7);
    EXPECT_NEAR(2 * r.last("tip.qz"), 0.01 * 4 / (2 * EI), 1e-7);
    EXPECT_NEAR(-2 * r.last("tip.qy"), 0.01 * 4 / (2 * 2 * EI), 1e-7);
  }
}

}  // namespace
}  // namespace tappet::testing::joint_types_test
