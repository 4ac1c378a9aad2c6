#include "tappet/multibody/distance_motion.hpp"

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"
#include "tappet/base/diagnostics.hpp"

namespace tappet::testing::distance_motion_test {
namespace {

using ::testing::HasSubstr;

Recording run_in(const char* dimension, const std::string& body) {
  return run_text(fmt::format(
      "tappet: 1\ndimension: {}\n{}simulation: {{duration: 1, tolerance: 1e-10}}\noutput: {{step: 0.05}}\n",
      dimension, body));
}

// A weight of 2 kg hangs 1 + 0.1 sin 3t below the ceiling. Downwards m f″ = m g + λ: the actuator pulls with
// m (g − f″).
TEST(DistanceMotion, HoldsAWeight) {
  const Recording r = run_in("planar", R"(gravity: [0, -9.81]
bodies: {weight: {mass: 2, inertia: 0.1, position: [0, -1]}}
joints: {guide: {type: translational, bodies: [ground, weight], points: [[0, 0], [0, 0]], axis: [0, 1]}}
motions: {hoist: {bodies: [ground, weight], points: [[0, 0], [0, 0]], distance: 1 + 0.1*sin(3*t)}}
)");
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  for (const auto& row : r.rows) {
    const double t = row[0], rate = 0.3 * std::cos(3 * t), acceleration = -0.9 * std::sin(3 * t);
    const double force = 2 * (acceleration - 9.81);
    EXPECT_NEAR(row[r.column("weight.y")], -1 - 0.1 * std::sin(3 * t), 1e-9);
    EXPECT_NEAR(row[r.column("hoist.force")], force, 1e-7);
    EXPECT_NEAR(row[r.column("hoist.power")], force * rate, 1e-7);
  }
}

// A boom of 2 m hinged at the origin, raised by a cylinder from (0, 0, -1) to its tip: the law of cosines
// gives its length for the angle 0.3 t², and what the cylinder puts in is what the boom has.
TEST(DistanceMotion, RaisesABoomInSpace) {
  const Recording r = run_in("spatial", R"(gravity: [0, 0, -9.81]
bodies: {boom: {mass: 3, inertia: [0.01, 1, 1], position: [1, 0, 0]}}
joints: {hinge: {type: revolute, bodies: [ground, boom], points: [[0, 0, 0], [-1, 0, 0]], axis: [0, -1, 0]}}
motions: {cylinder: {bodies: [ground, boom], points: [[0, 0, -1], [1, 0, 0]], distance: sqrt(5 + 4*sin(0.3*t^2))}}
)");
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  for (const auto& row : r.rows) {
    const double t = row[0], angle = 0.3 * t * t, rate = 0.6 * t;
    EXPECT_NEAR(row[r.column("hinge.angle")], angle, 1e-8);
    const double torque = 4 * 0.6 + 3 * 9.81 * std::cos(angle);  // about the hinge: J α + m g x
    EXPECT_NEAR(row[r.column("cylinder.power")], torque * rate, 1e-6);
  }
  EXPECT_LT(r.largest("energy.residual"), 1e-6);
}

std::string fault(const std::string& motion) {
  try {
    run_in("planar",
           fmt::format("bodies: {{a: {{mass: 1, inertia: 1, position: [1, 0]}}}}\nmotions: {{m: {}}}\n",
                       motion));
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(DistanceMotion, FaultsAreSentences) {
  EXPECT_THAT(fault("{bodies: [ground, b], points: [[0, 0], [0, 0]], distance: 1}"),
              HasSubstr("body 'b', which does not exist"));
  EXPECT_THAT(fault("{bodies: [a, a], points: [[0, 0], [0, 0]], distance: 1}"),
              HasSubstr("two bodies are needed"));
  EXPECT_THAT(fault("{bodies: [ground, a], distance: 1}"), HasSubstr("gives no `points`"));
  EXPECT_THAT(fault("{bodies: [ground, a], points: [[0, 0], [0, 0]], distance: -1}"),
              HasSubstr("must be > 0"));
  EXPECT_THAT(fault("{bodies: [ground, a], points: [[0, 0], [0, 0]], distance: 1, speed: 2}"),
              HasSubstr("only `distance`"));
  EXPECT_THAT(fault("{body: a, x: 1, distance: 1}"), HasSubstr("has no meaning there"));
  EXPECT_THAT(fault("{body: a, bodies: [ground, a]}"), HasSubstr("exactly one of"));
}

}  // namespace
}  // namespace tappet::testing::distance_motion_test
