// A joint's `zero`: its coordinate, and all that is written in it, counts from there. Every joint type that has a
// coordinate, in the plane and in space, under every method.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::joint_zero_test {
namespace {

const char* const methods[] = {"method: smooth, tolerance: 1e-10", "method: moreau, step: 1 ms",
                               "method: event-driven, tolerance: 1e-10"};

struct Case {
  const char* name;
  const char* dimension;
  const char* body;    // its place at the start
  const char* joint;   // without `zero`
  const char* keys;    // the zero, and what is prescribed
  const char* signal;  // of the body that shows the coordinate with nothing taken off
  const char* coordinate;
  double zero;
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
};

class Zero : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    All, Zero,
    ::testing::Values(
        Case{"planar_revolute", "planar", "inertia: 1, angle: 0.5",
             "type: revolute, bodies: [ground, b], points: [[0, 0], [0, 0]]", "zero: 0.5", "b.angle", "angle",
             0.5},
        Case{"planar_translational", "planar", "inertia: 1, position: [0.5, 0]",
             "type: translational, bodies: [ground, b], points: [[0, 0], [0, 0]], axis: [1, 0]", "zero: 0.5",
             "b.x", "displacement", 0.5},
        Case{"planar_point_on_line", "planar", "inertia: 1, position: [0.5, 0]",
             "type: point-on-line, bodies: [ground, b], points: [[0, 0], [0, 0]], axis: [1, 0]", "zero: 0.5",
             "b.x", "displacement", 0.5},
        Case{"spatial_translational", "spatial", "inertia: [1, 1, 1], position: [0.5, 0, 0]",
             "type: translational, bodies: [ground, b], points: [[0, 0, 0], [0, 0, 0]], axis: [1, 0, 0]",
             "zero: 0.5", "b.x", "displacement", 0.5},
        Case{"spatial_point_on_line", "spatial", "inertia: [1, 1, 1], position: [0.5, 0, 0]",
             "type: point-on-line, bodies: [ground, b], points: [[0, 0, 0], [0, 0, 0]], axis: [1, 0, 0]",
             "zero: 0.5", "b.x", "displacement", 0.5},
        Case{"cylindrical_displacement", "spatial", "inertia: [1, 1, 1], position: [0.5, 0, 0]",
             "type: cylindrical, bodies: [ground, b], points: [[0, 0, 0], [0, 0, 0]], axis: [1, 0, 0]",
             "zero: 0.2, zero_displacement: 0.5", "b.x", "displacement", 0.5}),
    [](const auto& info) { return std::string(info.param.name); });

std::string model(const Case& c, const std::string& method, const std::string& more) {
  return fmt::format(R"(tappet: 1
dimension: {0}
gravity: {1}
bodies: {{b: {{mass: 2, {2}}}}}
joints: {{j: {{{3}, {4}}}}}
{5}
simulation: {{{6}, duration: 1}}
output: {{step: 0.1}}
)",
                     c.dimension, std::string(c.dimension) == "planar" ? "[0, 0]" : "[0, 0, 0]", c.body,
                     c.joint, c.keys, more, method);
}

TEST_P(Zero, DrivesAndSignalsCountFromThere) {
  const Case& c = GetParam();
  for (const char* method : methods) {
    const Recording r = run_text(
        model(c, method, fmt::format("motions: {{m: {{joint: j, {}: 0.3*sin(2*t)}}}}", c.coordinate)));
    for (const auto& row : r.rows) {
      EXPECT_NEAR(row[r.column(std::string("j.") + c.coordinate)], 0.3 * std::sin(2 * row[0]), 2e-3)
          << method;
      EXPECT_NEAR(row[r.column(c.signal)], c.zero + row[r.column(std::string("j.") + c.coordinate)], 1e-12)
          << method;
    }
  }
}

// m ẍ = −k (x − zero − rest): from `zero`, at rest, the spring swings about `rest` of the joint's own coordinate.
TEST_P(Zero, SpringsCountFromThere) {
  const Case& c = GetParam();
  const bool turns = std::string(c.coordinate) == "angle";
  const std::string spring =
      fmt::format("forces: {{s: {{type: {}-spring-damper, joint: j, stiffness: 8, damping: 0, {}: 0.1}}}}",
                  turns ? "rotational" : "translational", c.coordinate);
  const double omega = std::sqrt(8 / (turns ? 1.0 : 2.0));
  const Recording r = run_text(model(c, methods[0], spring));
  for (const auto& row : r.rows)
    EXPECT_NEAR(row[r.column(std::string("j.") + c.coordinate)], 0.1 * (1 - std::cos(omega * row[0])), 1e-8);
}

// In space angles are those between bodies whose own axes differ. A hinge along a tilted axis whose second body was turned
// about it by 2.5 rad, plus `zero`, keeps to (−π, π].
TEST(SpatialZero, TurnsTheAngleOfRevoluteCylindricalAndPlanarJoints) {
  for (const char* type : {"revolute", "cylindrical", "planar"})
    for (const char* method : methods)
      for (const double zero : {0.0, 0.7, 3.0, -2.0}) {
        const std::string text = fmt::format(R"(tappet: 1
dimension: spatial
gravity: [0, 0, 0]
bodies: {{b: {{mass: 2, inertia: [1, 1, 1], orientation: {{axis: [1, 2, 2], angle: 2.5}}}}}}
joints: {{j: {{type: {}, bodies: [ground, b], points: [[0, 0, 0], [0, 0, 0]], axis: [1, 2, 2], zero: {}}}}}
motions: {{m: {{joint: j, speed: 1}}}}
simulation: {{{}, duration: 0.5}}
output: {{step: 0.1}}
)",
                                             type, zero, method);
        const Recording r = run_text(text);
        for (const auto& row : r.rows)
          EXPECT_NEAR(std::remainder(row[r.column("j.angle")] - (2.5 - zero + row[0]), 2 * std::numbers::pi),
                      0, 1e-6)
              << type << ' ' << method << ' ' << zero;
      }
}

// Two slides of 1 kg and 2 kg, the first held to −3 times the second's displacement, pulled apart by 14 N on the second:
// (2 + 9·1) ẍ = 14 for the second.
TEST(Coupler, CouplesDisplacements) {
  for (const char* method : methods) {
    const Recording r = run_text(fmt::format(R"(tappet: 1
dimension: planar
gravity: [0, 0]
bodies:
  a: {{mass: 1, inertia: 1}}
  b: {{mass: 2, inertia: 1, position: [0, 1]}}
joints:
  left: {{type: translational, bodies: [ground, a], points: [[0, 0], [0, 0]], axis: [1, 0]}}
  right: {{type: translational, bodies: [ground, b], points: [[0, 1], [0, 0]], axis: [1, 0], zero: 0.4}}
  rope: {{type: coupler, joints: [left, right], ratio: -3}}
forces: {{pull: {{type: force, body: b, force: [14, 0]}}}}
simulation: {{{}, duration: 1}}
output: {{step: 0.1}}
)",
                                             method));
    const double a = 14 / 11.0;
    for (const auto& row : r.rows) {
      EXPECT_NEAR(row[r.column("b.x")], 0.5 * a * row[0] * row[0], 2e-3) << method;
      EXPECT_NEAR(row[r.column("a.x")], -3 * row[r.column("b.x")], 1e-9) << method;
      EXPECT_NEAR(row[r.column("rope.force")], -3 * a, 1e-9) << method;
    }
  }
}

// A weight of 1 kg at the end of a slide that is 2 m out: the guide's torque is 0 about the weight's point, and about the
// guide's own point it carries m g · 2 m.
TEST(ReactionPoint, OfTheFirstBodyIsOnRequest) {
  const char* const text = R"(tappet: 1
dimension: {}
gravity: {}
bodies: {{b: {{mass: 1, inertia: {}, position: {}}}}}
joints: {{guide: {{type: translational, bodies: [ground, b], points: {}, axis: {}}}}}
motions: {{hold: {{joint: guide, displacement: 2}}}}
simulation: {{duration: 0.1}}
output: {{step: 0.1, signals: ["guide.*"]}}
)";
  const Recording plane = run_text(
      fmt::format(fmt::runtime(text), "planar", "[0, -10]", "1", "[2, 0]", "[[0, 0], [0, 0]]", "[1, 0]"));
  EXPECT_NEAR(plane.last("guide.torque"), 0, 1e-12);
  EXPECT_NEAR(plane.last("guide.torque_at_first"), 20, 1e-12);
  const Recording space = run_text(fmt::format(fmt::runtime(text), "spatial", "[0, 0, -10]", "[1, 1, 1]",
                                               "[2, 0, 0]", "[[0, 0, 0], [0, 0, 0]]", "[1, 0, 0]"));
  EXPECT_NEAR(space.last("guide.ty"), 0, 1e-12);
  EXPECT_NEAR(space.last("guide.ty_at_first"), -20, 1e-12);
}

}  // namespace
}  // namespace tappet::testing::joint_zero_test
