// Runs that cannot go on: a number that is not one, and steps that lead nowhere. Each says who, by which formula, when and from what,
// and keeps what was computed.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::failures_test {
namespace {

using ::testing::HasSubstr;

/// A disc above a floor, with forces and motions and laws as given.
std::string disc(const std::string& forces,
                 const std::string& normal = "{law: hooke, stiffness: 1e5, restitution: 0.5}",
                 const std::string& motions = "{}") {
  return fmt::format(
      "tappet: 1\ngravity: [0, -10]\n"
      "bodies: {{disc: {{mass: 1, inertia: 0.01, position: [0, 1.1], velocity: [0, 0], angular_velocity: 0, "
      "shapes: {{rim: "
      "{{circle: {{radius: 0.1}}}}}}}}}}\n"
      "ground: {{shapes: {{floor: {{plane: {{point: [0, 0], normal: [0, 1]}}}}}}}}\n"
      "contacts: {{bounce: {{between: [ground.floor, disc.rim], normal: {}}}}}\n"
      "forces: {}\nmotions: {}\n"
      "simulation: {{duration: 1}}\noutput: {{step: 0.01}}\n",
      normal, forces, motions);
}

struct Way {
  const char* name;
  std::vector<std::string> settings;
};
const std::vector<Way>& force_laws() {
  static const std::vector<Way> ways = {
      {"smooth", {}},
      {"dopri5", {"simulation.integrator=dopri5"}},
      {"adams", {"simulation.integrator=adams"}},
      {"bdf", {"simulation.integrator=bdf"}},
      {"fixed steps", {"simulation.step=1e-3"}},
      {"implicit", {"simulation.integrator=implicit-euler", "simulation.step=1e-3"}}};
  return ways;
}
std::vector<Way> all_ways() {
  std::vector<Way> ways = force_laws();
  ways.push_back({"event-driven", {"simulation.method=event-driven"}});
  ways.push_back({"moreau", {"simulation.method=moreau", "simulation.step=1e-3"}});
  return ways;
}

/// Stopped near `time`, for this reason, with every sample up to there.
void expect_stopped(const Recording& r, double time, const std::vector<std::string>& words,
                    const std::string& way) {
  EXPECT_FALSE(r.summary.completed) << way;
  EXPECT_NEAR(r.summary.t_end, time, 2e-3) << way << ": " << r.summary.stop_reason;
  for (const std::string& word : words) EXPECT_THAT(r.summary.stop_reason, HasSubstr(word)) << way;
  EXPECT_GE(r.rows.size(), 1 + static_cast<std::size_t>(std::floor(r.summary.t_end / 0.01 - 1e-6))) << way;
  for (const auto& row : r.rows)
    for (const double value : row) EXPECT_FALSE(std::isnan(value)) << way;
}

// The floor is met after √(2/10) s = 0.447 s; the rate is positive until the deepest point, a quarter of a period π√(m/K)/2 = 5 ms
// later, where the logarithm ends.
TEST(NotFinite, ALawOfTheUsers) {
  for (const Way& way : force_laws()) {
    const Recording r = run_text(
        disc("{}", "{law: expression, force: 1e5*depth + 0*log(rate), restitution: 0.5}"), way.settings);
    const double touch = std::sqrt(0.2), omega = std::sqrt(1e5), v = std::sqrt(20.0);
    // Under gravity the turning point is a little later: δ̇ = v cos ωτ + (g/ω) sin ωτ.
    const double turn = touch + (std::numbers::pi - std::atan(v * omega / 10)) / omega;
    expect_stopped(r, turn,
                   {"contact 'bounce'", "1e5*depth + 0*log(rate)", "rate = -", "depth = ", "t = 0.4"},
                   way.name);
  }
}

TEST(NotFinite, AForceOfTheUsers) {
  for (const Way& way : all_ways()) {
    const Recording r =
        run_text(disc("{push: {type: expression, body: disc, fx: sqrt(0.3 - t), fy: 0}}"), way.settings);
    expect_stopped(r, 0.3, {"force 'push'", "'sqrt(0.3 - t)' is nan", "t = 0.3", "vy = -"}, way.name);
    const Recording of_time =
        run_text(disc("{push: {type: force, body: disc, force: ['sqrt(0.3 - t)', 0]}}"), way.settings);
    expect_stopped(of_time, 0.3, {"force 'push'", "sqrt(0.3 - t)"}, way.name);
    // It falls by 5 cm in 0.1 s, a pull of 0.2 N or less changes that by 1 %. The equations of an implicit step are searched where they
    // are defined, and said to have no solution.
    if (std::string(way.name) == "implicit") continue;
    const Recording spring = run_text(disc("{rope: {type: spring-damper, bodies: [ground, disc], points: "
                                           "[[0, 2], [0, 0]], length: 0.9, force: "
                                           "sqrt(0.05 - x) N}}"),
                                      way.settings);
    expect_stopped(spring, 0.1, {"force 'rope'", "sqrt(0.05 - x)", "x = 0.05"}, way.name);
  }
}

TEST(NotFinite, AMotionOfTheUsers) {
  for (const Way& way : all_ways()) {
    const Recording r = run_text(disc("{}", "{law: hooke, stiffness: 1e5, restitution: 0.5}",
                                      "{drive: {body: disc, x: t^3*(0.3 - t)^2.5}}"),
                                 way.settings);
    expect_stopped(r, 0.3, {"motion 'drive'", "t^3*(0.3 - t)^2.5"}, way.name);
  }
}

// 1e300 N m on a disc: its speed is a number, its power is not.
TEST(NotFinite, ATorqueThatIsTooLarge) {
  for (const Way& way : all_ways()) {
    const Recording r = run_text(disc("{twist: {type: torque, body: disc, torque: 1e300*t}}"), way.settings);
    EXPECT_FALSE(r.summary.completed) << way.name;
    EXPECT_LE(r.summary.t_end, 2e-3) << way.name;
    EXPECT_THAT(r.summary.stop_reason, ::testing::AnyOf(HasSubstr("twist"), HasSubstr("disc"))) << way.name;
    EXPECT_THAT(r.summary.stop_reason, ::testing::Not(HasSubstr("inf "))) << way.name;
  }
}

// A motion lowers a disc into the floor, in the plane and on an arm in space: at 1 m/s from 1 m above it meets it after 1 s; on an arm of
// 0.5 m that turns by 1 rad/s from 0.2 m above after asin(0.4) s. Nothing gives way there.
TEST(RigidOnRigid, AMotionIntoTheFloorIsNamed) {
  const std::string lowered =
      "tappet: 1\ngravity: [0, -10]\n"
      "bodies: {disc: {mass: 1, inertia: 0.01, position: [0, 1.1], shapes: {rim: {circle: {radius: 0.1}}}}}\n"
      "ground: {shapes: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}}\n"
      "joints: {rail: {type: translational, bodies: [ground, disc], points: [[0, 1.1], [0, 0]], axis: [0, "
      "1]}}\n"
      "motions: {press: {joint: rail, speed: -1}}\n"
      "contacts: {bounce: {between: [ground.floor, disc.rim], normal: {restitution: 0.5}}}\n"
      "simulation: {method: event-driven, duration: 2}\noutput: {step: 0.01}\n";
  const std::string swung =
      "tappet: 1\ndimension: spatial\ngravity: [0, 0, -10]\n"
      "bodies: {arm: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.5, 0, 0.3], shapes: {tip: {sphere: "
      "{radius: 0.1}}}}}\n"
      "ground: {shapes: {floor: {plane: {normal: [0, 0, 1]}}}}\n"
      "joints: {pin: {type: revolute, bodies: [ground, arm], points: [[0, 0, 0.3], [-0.5, 0, 0]], axis: [0, "
      "1, "
      "0]}}\n"
      "motions: {press: {joint: pin, speed: 1}}\n"
      "contacts: {bounce: {between: [ground.floor, arm.tip], normal: {restitution: 0.5}, friction: {law: "
      "coulomb, coefficient: 0.3}}}\n"
      "simulation: {method: event-driven, duration: 2}\noutput: {step: 0.01}\n";
  for (const auto& [model, time] : {std::pair(lowered, 1.0), std::pair(swung, std::asin(0.4))}) {
    const Recording r = run_text(model);
    EXPECT_FALSE(r.summary.completed);
    // What was computed ends with the step before.
    EXPECT_LE(r.summary.t_end, time + 1e-9);
    EXPECT_THAT(
        r.summary.stop_reason,
        HasSubstr(fmt::format("contact 'bounce' closes at {:.6g} s, and no force can part its bodies: a "
                              "prescribed motion",
                              time)));
  }
}

TEST(Standstill, AStepThatIsTooShortIsRefused) {
  try {
    run_text(disc("{}"), {"simulation.max_step=1e-300"});
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("`simulation.max_step` of 1e-300 s"));
  }
}

// Steps of one length, and steps whose length the integrator alone decides, are cut where they end too deep.
TEST(Standstill, StepRejectionEndsWithEveryIntegrator) {
  for (const Way& way : force_laws()) {
    std::vector<std::string> settings = way.settings;
    settings.push_back("simulation.contact_detection={strategy: step-rejection, penetration: 1e-6}");
    const Recording r = run_text(disc("{}"), settings);
    ASSERT_TRUE(r.summary.completed) << way.name << ": " << r.summary.stop_reason;
    ASSERT_EQ(r.impacts.size(), 1u) << way.name;
    EXPECT_NEAR(r.impacts[0].start, std::sqrt(0.2), 1e-3) << way.name;
    EXPECT_LE(r.summary.max_first_penetration, 1e-6) << way.name;
  }
}

}  // namespace
}  // namespace tappet::testing::failures_test
