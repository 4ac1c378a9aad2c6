// Many bodies that touch: groups of contacts under methods moreau and smooth.
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/resume.hpp"
#include "support/run_model.hpp"

namespace tappet::groups_test {
namespace {

using testing::Recording;
using testing::run_text;

/// Balls of radius 0.05 m that fall into a box.
std::string pile(int count, const std::string& contact, const std::string& simulation) {
  std::string text =
      "tappet: 1\ndimension: spatial\ngravity: [0, 0, -9.81]\nground:\n  shapes:\n"
      "    floor: {plane: {normal: [0, 0, 1], point: [0, 0, 0]}}\n    left: {plane: {normal: [1, 0, 0], "
      "point: [-0.2, 0, 0]}}\n"
      "    right: {plane: {normal: [-1, 0, 0], point: [0.2, 0, 0]}}\n    front: {plane: {normal: [0, 1, 0], "
      "point: [0, -0.2, 0]}}\n"
      "    back: {plane: {normal: [0, -1, 0], point: [0, 0.2, 0]}}\nbodies:\n";
  for (int i = 0; i < count; ++i) {
    const double x = -0.11 + 0.11 * (i % 3), y = -0.11 + 0.11 * (i / 3 % 3), z = 0.06 + 0.11 * (i / 9);
    const double jitter = 0.004 * std::sin(12.9898 * i);
    text += fmt::format(
        "  b{}: {{density: 1000, position: [{}, {}, {}], shapes: {{s: {{sphere: {{radius: 0.05}}}}}}}}\n", i,
        x + jitter, y - jitter, z);
  }
  return text + fmt::format(
                    "contacts:\n  balls: {{between: [\"b*.s\", \"b*.s\"], {0}}}\n"
                    "  walls: {{between: [\"ground.*\", \"b*.s\"], {0}}}\nsimulation: {{{1}}}\noutput: "
                    "{{step: 0.02}}\n",
                    contact, simulation);
}

TEST(Groups, APileOfBallsComesToRest) {
  const Recording r = run_text(pile(63, "normal: {restitution: 0}, friction: {coefficient: 0.3}, group: true",
                                    "method: moreau, duration: 2, step: 1e-3, tolerance: 1e-3"));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_TRUE(r.summary.warnings.empty()) << r.summary.warnings[0];
  // While balls rain down less than 10⁻³ of a radius, and when that is over less than 10⁻⁴.
  for (const char* group : {"balls.penetration", "walls.penetration"}) {
    EXPECT_LT(r.largest(group), 5e-5);
    for (const auto& row : r.rows)
      EXPECT_TRUE(row[0] < 1 || row[r.column(group)] < 5e-6) << group << " at " << row[0];
  }
  // Contacts take energy or leave it.
  EXPECT_LT(r.summary.energy_residual, 1e-11);
  // Balls roll without loss: what is left is next to nothing beside what they fell with.
  const double weight = 63 * 1000 * 4 / 3.0 * M_PI * std::pow(0.05, 3) * 9.81;
  EXPECT_LT(r.last("energy.kinetic"), 1e-4 * weight * 0.2);
  EXPECT_GT(r.last("balls.touching"), 63);
  for (int i = 0; i < 63; ++i) {
    EXPECT_LT(std::abs(r.last(fmt::format("b{}.x", i))), 0.150001);
    EXPECT_GT(r.last(fmt::format("b{}.z", i)), 0.049999);
  }
}

// Followed or not, the motion is the same.
TEST(Groups, StepLikeContactsThatAreFollowed) {
  for (const std::string simulation : {"method: moreau, duration: 0.3, step: 1e-3, tolerance: 1e-8",
                                       "method: smooth, duration: 0.2, tolerance: 1e-8"}) {
    const std::string law =
        simulation.find("smooth") == std::string::npos
            ? "normal: {restitution: 0.3}, friction: {coefficient: 0.3}"
            : "normal: {law: flores, stiffness: 1e7, restitution: 0.3}, friction: {law: threlfall, "
              "coefficient: 0.3, v0: 0.01}";
    const Recording group = run_text(pile(12, law + ", group: true", simulation)),
                    each = run_text(pile(12, law + ", group: false", simulation));
    ASSERT_TRUE(group.summary.completed && each.summary.completed);
    for (int i = 0; i < 12; ++i)
      for (const char* axis : {"x", "y", "z"})
        EXPECT_NEAR(group.last(fmt::format("b{}.{}", i, axis)), each.last(fmt::format("b{}.{}", i, axis)),
                    1e-6)
            << simulation;
  }
}

// An entry that stands for more than 2,000 places is a group by itself.
TEST(Groups, AreMadeOfManyPlaces) {
  const std::string law = "normal: {restitution: 0}";
  EXPECT_TRUE(testing::model_of_text(pile(63, law, "method: moreau, duration: 1, step: 1e-3"))
                  ->mechanism.groups.empty());
  const auto many = testing::model_of_text(pile(65, law, "method: moreau, duration: 1, step: 1e-3"));
  ASSERT_EQ(many->mechanism.groups.size(), 1u);
  EXPECT_EQ(many->mechanism.groups[0].name, "balls");
  EXPECT_EQ(many->mechanism.contacts.size(), 5u * 65u);
  // Method event-driven follows each of them, and says so.
  const auto followed = testing::model_of_text(pile(65, law, "method: event-driven, duration: 1"));
  EXPECT_TRUE(followed->mechanism.groups.empty());
  EXPECT_EQ(followed->mechanism.contacts.size(), 5u * 65u + 65u * 64u / 2u);
  EXPECT_THAT(followed->notes, ::testing::Contains(::testing::HasSubstr("'balls' is a group")));
}

// By method event-driven a group has the impacts of contacts that are followed.
TEST(Groups, StrikeLikeContactsThatAreFollowed) {
  const std::string law = "normal: {restitution: 0.5}, friction: {coefficient: 0.3}",
                    simulation = "method: event-driven, duration: 0.25";
  const Recording group = run_text(pile(12, law + ", group: true", simulation)),
                  each = run_text(pile(12, law + ", group: false", simulation));
  ASSERT_TRUE(group.summary.completed) << group.summary.stop_reason;
  ASSERT_GT(each.impacts.size(), 12u);
  ASSERT_EQ(group.impacts.size(), each.impacts.size());
  for (std::size_t n = 0; n < each.impacts.size(); ++n) {
    EXPECT_EQ(group.impacts[n].start, each.impacts[n].start) << n;
    EXPECT_EQ(group.impacts[n].impulse, each.impacts[n].impulse) << n;
  }
  EXPECT_EQ(largest_difference(group, each, ".x"), 0);
  EXPECT_LT(group.summary.energy_residual, 1e-7);
}

// Two balls that overlap by d when the run begins, at rest, without gravity. Their contact counts as struck at v₀ with ½ m v₀² = U(d), and is
// thrown back as from such an impact: m v dv = −K δⁿ (1 − h v/v₀) dδ from (d, 0) to (0, e v₀) gives h e + ln(1 − h e) = −h²/2.
TEST(Groups, ThrowApartWhatOverlapsFromTheStart) {
  const double K = 1e6, d = 1e-3, c = 0.5, h = 8 * (1 - c) / (5 * c);
  const double m = 0.5 * 1000 * 4 / 3.0 * M_PI * std::pow(0.05, 3),
               v0 = std::sqrt(2 * K * std::pow(d, 2.5) / 2.5 / m);
  double low = 0, high = 1 / h;
  for (int n = 0; n < 60; ++n) {
    const double e = 0.5 * (low + high);
    (h * e + std::log1p(-h * e) > -0.5 * h * h ? low : high) = e;
  }
  for (const char* group : {"true", "false"}) {
    const Recording r = run_text(fmt::format(
        "tappet: 1\ndimension: spatial\ngravity: [0, 0, 0]\nbodies:\n"
        "  a: {{density: 1000, position: [0, 0, 0], shapes: {{s: {{sphere: {{radius: 0.05}}}}}}}}\n"
        "  b: {{density: 1000, position: [{}, 0, 0], shapes: {{s: {{sphere: {{radius: 0.05}}}}}}}}\n"
        "contacts:\n  balls: {{between: [a.s, b.s], normal: {{law: flores, stiffness: {}, restitution: {}}}, "
        "group: {}}}\n"
        "simulation: {{duration: 0.1, tolerance: 1e-9}}\n",
        0.1 - d, K, c, group));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    ASSERT_EQ(r.impacts.size(), 1u);
    EXPECT_NEAR(r.impacts[0].speed_in, v0, 1e-9 * v0) << group;
    EXPECT_NEAR(r.impacts[0].speed_out, low * v0, 1e-6 * v0) << group;
    EXPECT_NEAR(r.last("b.vx") - r.last("a.vx"), low * v0, 1e-6 * v0) << group;
    // What the contact held when the run began is in the ledger.
    EXPECT_LT(r.summary.energy_residual, 1e-6) << group;
  }
}

// Balls that overlap by up to a third of their radius when the run begins, and come to rest. With δ̇⁽⁻⁾ = 0 their damping was that of
// `rest_velocity`, so stiff that 0.135 s took 399,749 evaluations.
TEST(Groups, ComeToRestInFewStepsWhateverOverlapped) {
  std::string text =
      "tappet: 1\ndimension: spatial\ngravity: [0, 0, -9.81]\n"
      "ground: {shapes: {floor: {plane: {normal: [0, 0, 1], point: [0, 0, 0]}}}}\nbodies:\n";
  for (int i = 0; i < 18; ++i)
    text += fmt::format(
        "  b{}: {{density: 1000, position: [{}, {}, {}], shapes: {{s: {{sphere: {{radius: 0.05}}}}}}}}\n", i,
        0.09 * (i % 3) + 0.003 * i, 0.09 * (i / 3 % 3) - 0.002 * i, 0.06 + 0.11 * (i / 9));
  const std::string law = "normal: {law: flores, stiffness: 1e6, restitution: 0.3}, group: true";
  const Recording r = run_text(
      text + fmt::format("contacts:\n  balls: {{between: [\"b*.s\", \"b*.s\"], {0}}}\n"
                         "  floor: {{between: [ground.floor, \"b*.s\"], {0}}}\nsimulation: {{duration: 1}}\n",
                         law));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_LT(r.summary.evaluations, 20000);
  EXPECT_LT(r.summary.energy_residual, 1e-6);
}

// An interrupted run goes on to the same last bit.
TEST(Groups, ContinueBitIdentical) {
  for (const std::string simulation :
       {"method: moreau, duration: 0.4, step: 1e-3", "method: smooth, duration: 0.15"}) {
    const std::string law = simulation.find("smooth") == std::string::npos
                                ? "normal: {restitution: 0.3}, friction: {coefficient: 0.3}"
                                : "normal: {law: flores, stiffness: 1e7, restitution: 0.3}";
    SCOPED_TRACE(simulation);
    testing::expect_resumes(*testing::model_of_text(pile(18, law + ", group: true", simulation)));
  }
}

}  // namespace
}  // namespace tappet::groups_test
