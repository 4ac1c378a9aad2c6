// What a model begins with and should not: surfaces that overlap, motions that jump; and the warning of a ledger that does not close.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::start_overlap_test {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// A ball of 1 kg and 0.1 m whose centre is this high above the floor; K = 1e6 N/m.
std::string ball(double height, const char* method, bool group = false) {
  return fmt::format(
      "tappet: 1\ndimension: spatial\ngravity: [0, 0, -10]\n"
      "bodies: {{ball: {{mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, {}], velocity: [0, 0, 0], "
      "shapes: {{skin: "
      "{{sphere: {{radius: 0.1}}}}}}}}}}\n"
      "ground: {{shapes: {{floor: {{plane: {{normal: [0, 0, 1]}}}}}}}}\n"
      "contacts: {{c: {{between: [ground.floor, ball.skin], normal: {{law: hooke, stiffness: 1e6, "
      "restitution: 0.5}}, group: {}}}}}\n"
      "simulation: {{method: {}, duration: 0.1{}}}\noutput: {{step: 0.01}}\n",
      height, group, method, std::string(method) == "moreau" ? ", step: 1e-3" : "");
}

RunSummary described(const std::string& text) {
  const auto model = model_of_text(text);
  return Simulation(*model).describe();
}

// 50 mm deep a spring of 1e6 N/m holds 1250 J, enough for 125 m; in place its ball would have 1 J (m g ℓ with ℓ = 0.05 m gives 0.5 J).
TEST(StartOverlap, IsSaidByEveryMethod) {
  const std::pair<const char*, const char*> methods[] = {
      {"smooth", "holds 1250 J"}, {"moreau", "method moreau"}, {"event-driven", "method event-driven moves"}};
  for (const bool group : {false, true})
    for (const auto& [method, words] : methods) {
      const RunSummary before = described(ball(0.05, method, group));
      EXPECT_THAT(before.warnings,
                  Contains(AllOf(HasSubstr("contact 'c' overlaps by 0.05 m"), HasSubstr(words))))
          << method << group;
      const RunSummary after = run_text(ball(0.05, method, group)).summary;
      EXPECT_THAT(after.warnings, Contains(HasSubstr("overlaps by 0.05 m"))) << method << group;
      // Touching and apart are nothing to speak of.
      for (const double height : {0.1, 0.3})
        EXPECT_THAT(described(ball(height, method, group)).warnings, Not(Contains(HasSubstr("overlaps"))))
            << method << height << group;
    }
}

// m g/K = 10 µm deep its weight is carried: a note with the force, no warning, and it stays there.
TEST(StartOverlap, WhereTheWeightIsCarriedIsNotAFault) {
  const Recording r = run_text(ball(0.1 - 1e-5, "smooth"));
  EXPECT_THAT(r.summary.warnings, IsEmpty());
  EXPECT_THAT(r.summary.notes, Contains(AllOf(HasSubstr("overlaps by 1e-05 m"), HasSubstr("10 N"))));
  EXPECT_NEAR(r.last("ball.z"), 0.1 - 1e-5, 1e-12);
}

std::string crank(const std::string& motion, const char* method = "smooth") {
  return fmt::format(
      "tappet: 1\ngravity: [0, -10]\n"
      "bodies: {{rod: {{mass: 1, inertia: 0.1, position: [0.5, 0]}}}}\n"
      "joints: {{hinge: {{type: revolute, bodies: [ground, rod], points: [[0, 0], [-0.5, 0]]}}}}\n"
      "motions: {{motor: {{joint: hinge, {}}}}}\n"
      "simulation: {{method: {}, duration: 1{}}}\noutput: {{step: 0.01}}\n",
      motion, method, std::string(method) == "moreau" ? ", step: 1e-3" : "");
}

TEST(MotionJumps, AreSaidWithTimeAndSize) {
  struct Case {
    const char *motion, *words;
  };
  const Case table[] = {
      {"angle: 'if(t < 0.503, 0, 1)'", "motion 'motor' jumps by 1 rad at t = 0.503 s"},
      {"angle: '0.2*t + 0.5*floor(t + 0.25)'", "motion 'motor' jumps by 0.5 rad at t = 0.75 s"},
      {"speed: 'if(t < 0.5, 1, 3) rad/s'", "motion 'motor' jumps by 2 rad/s at t = 0.5 s"},
      {"angle: 'abs(t - 0.403)'", "the rate of motion 'motor' jumps by 2 rad/s at t = 0.403 s"}};
  for (const char* method : {"smooth", "moreau", "event-driven"})
    for (const Case& c : table)
      EXPECT_THAT(run_text(crank(c.motion, method)).summary.warnings, Contains(HasSubstr(c.words)))
          << method << ", " << c.motion;
}

// What is steep but continuous, what turns whole turns, and what only bends has no jump.
TEST(MotionJumps, AreNotSeenWhereThereAreNone) {
  for (const char* motion : {"angle: '300*t'", "angle: 'mod(20*t, 2*pi)'", "angle: 'sin(200*t)'",
                             "angle: 'step(t, 0.5, 0, 0.5001, 1)'", "speed: 'abs(t - 0.5) rad/s'",
                             "acceleration: 'if(t < 0.5, 0, 1) rad/s^2'"})
    EXPECT_THAT(run_text(crank(motion)).summary.warnings, Not(Contains(HasSubstr("jumps")))) << motion;
}

// A jump lifts the rod by m g ℓ sin 1 = 4.2 J, and no force did it.
TEST(EnergyLedger, WarnsWhereItDoesNotClose) {
  EXPECT_THAT(run_text(crank("angle: 'if(t < 0.5, 0, 1)'")).summary.warnings,
              Contains(HasSubstr("the energy ledger does not close")));
  const Recording good = run_text(crank("angle: 'sin(t)'"));
  EXPECT_LT(good.summary.energy_residual, 1e-6);
  EXPECT_THAT(good.summary.warnings, IsEmpty());
}

}  // namespace
}  // namespace tappet::testing::start_overlap_test
