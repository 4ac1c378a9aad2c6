// What a model begins with and should not: surfaces that overlap, motions that jump; and the warning of a ledger that does not close.
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>

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

// Rigid bodies stand beside each other before anything moves, whichever way they go then: z = r + v t − g t²/2, with v = −e v₀ where they
// approach. It stood still where they part, found by random models: a contact that overlaps and opens was past its zero in every step.
TEST(StartOverlap, EventDrivenBodiesPartAndGoOn) {
  for (const auto& [before, after] : {std::pair{0.6, 0.6}, {-0.6, 0.3}, {0.0, 0.0}}) {
    std::string text = ball(0.05, "event-driven");
    const std::string still = "velocity: [0, 0, 0]";
    text.replace(text.find(still), still.size(), fmt::format("velocity: [0.2, 0, {}]", before));
    const Recording r = run_text(text);
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    const double fall = after > 0 ? 5 * 0.05 * 0.05 : 0;
    EXPECT_NEAR(r.value(0.05, "ball.z"), 0.1 + after * 0.05 - fall, 1e-9) << before;
    EXPECT_NEAR(r.value(0.05, "ball.x"), 0.01, 1e-9) << before;
    EXPECT_LT(r.summary.steps, 100) << before;
  }
}

// m g/K = 10 µm deep its weight is carried: a note with the force, no warning, and it stays there.
TEST(StartOverlap, WhereTheWeightIsCarriedIsNotAFault) {
  const Recording r = run_text(ball(0.1 - 1e-5, "smooth"));
  EXPECT_THAT(r.summary.warnings, IsEmpty());
  EXPECT_THAT(r.summary.notes, Contains(AllOf(HasSubstr("overlaps by 1e-05 m"), HasSubstr("10 N"))));
  EXPECT_NEAR(r.last("ball.z"), 0.1 - 1e-5, 1e-12);
}

/// A block of 0.2 × 0.2 × 0.1 m whose foot is this high above the floor.
std::string block(double height, const std::string& method, const std::string& more = "") {
  return fmt::format(
      "tappet: 1\ndimension: spatial\ngravity: [0, 0, -10]\nmaterials: {{m: {{young: 1 GPa, poisson: 0.3, "
      "density: 1000}}}}\n"
      "bodies:\n  block: {{position: [0, 0, {}], structure: {{generate: {{block: {{size: [0.2, 0.2, 0.1], "
      "divisions: [2, 2, 1]}}}}, material: m}}}}\n{}"
      "ground: {{shapes: {{floor: {{plane: {{normal: [0, 0, 1]}}}}}}}}\n"
      "contacts:\n  foot: {{between: [ground.floor, block.zmin], normal: {{{}}}}}\n{}"
      "simulation: {{method: {}, duration: 1e-4{}}}\noutput: {{step: 1e-4}}\n",
      height, more.empty() ? "" : more.substr(0, more.find('|')),
      method == "smooth" ? "law: hooke, stiffness: 1e6" : "law: newton, restitution: 0",
      more.empty() ? "" : more.substr(more.find('|') + 1), method, method == "moreau" ? ", step: 1e-5" : "");
}

// Nine nodes 5 mm below the floor: each of 1e6 N/m holds 12.5 J, together 112.5 J beside the block's 40 N.
TEST(StartOverlap, OfNodesOnASurfaceIsSaidWithPlaceAndDepth) {
  for (const std::string method : {"smooth", "moreau"}) {
    const auto words =
        AllOf(HasSubstr("contact 'foot' overlaps by 0.005 m at the start"), HasSubstr("of 'block' at ["),
              HasSubstr(", -0.005] m"), HasSubstr("the deepest of 9 places"),
              HasSubstr(method == "smooth" ? "holds 112.5 J" : "method moreau takes them as touching"));
    EXPECT_THAT(described(block(-0.005, method)).warnings, Contains(words)) << method;
    EXPECT_THAT(run_text(block(-0.005, method)).summary.warnings, Contains(words)) << method;
    for (const double height : {0.0, 0.01})
      EXPECT_THAT(described(block(height, method)).warnings, Not(Contains(HasSubstr("overlaps")))) << height;
  }
}

// On faces of another structure: what is inside the solid, not what is beside it or beyond it.
TEST(StartOverlap, OfNodesInAnotherStructureIsSaid) {
  const auto upper = [](double x, double y, double z) {
    return block(
        0, "moreau",
        fmt::format("  upper: {{position: [{}, {}, {}], structure: {{generate: {{block: {{size: [0.1, 0.1, "
                    "0.1], divisions: [1, 1, 1]}}}}, material: m}}}}\n|  lid: {{between: [block.zmax, "
                    "upper.zmin], normal: {{law: newton, restitution: 0}}}}\n",
                    x, y, z));
  };
  // Inside, over the rim, and flush with two sides.
  for (const auto& [x, y, places] : {std::tuple{0.05, 0.05, 4}, {0.12, 0.05, 2}, {0.0, 0.0, 4}})
    EXPECT_THAT(described(upper(x, y, 0.098)).warnings,
                Contains(AllOf(HasSubstr("contact 'lid' overlaps by 0.002 m"), HasSubstr("of 'upper' at ["),
                               HasSubstr(fmt::format("the deepest of {} places", places)))))
        << x;
  // On it, above it, beside it, below it.
  for (const auto& [x, z] : {std::pair{0.05, 0.1}, {0.05, 0.12}, {0.25, 0.05}, {0.05, -0.3}})
    EXPECT_THAT(described(upper(x, 0.05, z)).warnings, Not(Contains(HasSubstr("'lid' overlaps"))))
        << x << ' ' << z;
}

// A rigid ball whose centre is 48 mm above the faces, of 50 mm.
TEST(StartOverlap, OfABallOnFacesIsSaid) {
  for (const auto& [z, depth] : {std::pair{0.148, 0.002}, {0.15, 0.0}, {0.09, 0.06}}) {
    const auto warnings =
        described(
            block(0, "moreau",
                  fmt::format(
                      "  ball: {{mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0.1, 0.1, {}], shapes: "
                      "{{skin: {{sphere: {{radius: 0.05}}}}}}}}\n|  top: {{between: [block.zmax, "
                      "ball.skin], normal: {{law: newton, restitution: 0}}}}\n",
                      z)))
            .warnings;
    const auto said = HasSubstr(fmt::format("contact 'top' overlaps by {} m", depth));
    EXPECT_EQ(::testing::Value(warnings, Contains(said)), depth > 0) << z;
    EXPECT_EQ(::testing::Value(warnings, Contains(HasSubstr("'top' overlaps"))), depth > 0) << z;
  }
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
