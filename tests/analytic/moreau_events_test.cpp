// User events and the impact table of method moreau.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/resume.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::moreau_events_test {
namespace {

std::string sliding(const std::string& events, double gravity_along = 0) {
  return fmt::format(
      "tappet: 1\ndimension: spatial\ngravity: [{}, 0, -9.81]\nbodies: {{ball: {{mass: 2, position: [0, 0, "
      "0.1], velocity: "
      "[2.943, 0, 0], shapes: {{skin: {{sphere: {{radius: 0.1}}}}}}}}}}\n"
      "ground: {{shapes: {{floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}}}}}\n"
      "contacts: {{floor: {{between: [ground.floor, ball.skin], normal: {{restitution: 0}}, friction: "
      "{{coefficient: "
      "0.3}}}}}}\n"
      "events: {{{}}}\nsimulation: {{method: moreau, duration: 3, step: 1e-3}}\n",
      gravity_along, events);
}

// It stops after v/(μ g) = 1 s, and stays: one event, whatever rounding does afterwards.
TEST(MoreauEvents, ABodyThatComesToRestFiresOnce) {
  for (double along : {0.0, -1.0}) {  // held against a force, too
    const Recording r = run_text(sliding("rests: {signal: ball.vx, level: 0}", along));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    ASSERT_EQ(r.events.size(), 1u) << along;
    EXPECT_NEAR(r.events[0].time, 2.943 / (0.3 * 9.81 - along), 2e-3);
  }
}

// A box that slides on its corners does not leave the floor; what its solver leaves of the velocities, a part of the speed of sliding, is
// no event.
TEST(MoreauEvents, WhatTheSolverLeavesFiresNothing) {
  for (const char* tolerance : {"1e-6", "1e-8", "1e-10"})
    for (const char* quantity : {"box.vy", "box.omega", "box.angle"}) {
      const Recording r = run_text(fmt::format(
          "tappet: 1\ndimension: planar\ngravity: [0, -10]\nbodies: {{box: {{mass: 1, inertia: 0.01, "
          "position: "
          "[0, 0.1], velocity: [6, 0], angular_velocity: 0, shapes: {{skin: {{box: {{size: [0.4, "
          "0.2]}}}}}}}}}}\n"
          "ground: {{shapes: {{floor: {{plane: {{normal: [0, 1]}}}}}}}}\n"
          "contacts: {{floor: {{between: [ground.floor, box.skin], normal: {{restitution: 0}}, friction: "
          "{{coefficient: 0.3}}}}}}\n"
          "events: {{leaves: {{signal: {}, level: 0}}, rests: {{signal: box.vx, level: 0}}}}\n"
          "simulation: {{method: moreau, duration: 3, step: 1e-4, tolerance: {}}}\noutput: {{step: 0.1}}\n",
          quantity, tolerance));
      ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
      ASSERT_EQ(r.events.size(), 1u) << quantity << ", tolerance " << tolerance;
      EXPECT_NEAR(r.events[0].time, 2, 2e-4) << quantity;
    }
}

TEST(MoreauEvents, PassingALevelIsFoundWithinTheStep) {
  const Recording r = run_text(sliding("passes: {signal: ball.x, level: 1, direction: rising}"));
  // x = v t − ½ μ g t².
  const double a = 0.3 * 9.81, v = 2.943, t = (v - std::sqrt(v * v - 2 * a)) / a;
  ASSERT_EQ(r.events.size(), 1u);
  EXPECT_NEAR(r.events[0].time, t, 1e-5);
  expect_resumes(*model_of_text(sliding("rests: {signal: ball.vx, level: 0}")), 411);
}

// A ball that lies on the floor and is drawn up after 0.5 s: its contact has a row from the start on, with all of its impulse.
TEST(MoreauEvents, AContactThatIsClosedFromTheStartHasARow) {
  const Recording r = run_text(
      "tappet: 1\ndimension: spatial\ngravity: [0, 0, -10]\nbodies: {ball: {mass: 2, position: [0, 0, 0.1], "
      "velocity: [0, 0, "
      "0], shapes: {skin: {sphere: {radius: 0.1}}}}}\n"
      "ground: {shapes: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}}\n"
      "contacts: {floor: {between: [ground.floor, ball.skin], normal: {restitution: 0}}}\n"
      "forces: {lift: {type: force, body: ball, force: [0, 0, '40*t']}}\n"
      "simulation: {method: moreau, duration: 1, step: 1e-3}\n");
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  ASSERT_EQ(r.impacts.size(), 1u);
  EXPECT_EQ(r.impacts[0].start, 0);
  EXPECT_NEAR(r.impacts[0].end, 0.5, 2e-3);
  EXPECT_NEAR(r.impacts[0].impulse, 20 * 0.5 - 0.5 * 40 * 0.25, 1e-2);
}

}  // namespace
}  // namespace tappet::testing::moreau_events_test
