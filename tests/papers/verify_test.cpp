// Two slider-cranks of Flores & Ambrósio 2004 and Flores 2006 told apart: with a small clearance and friction
// the motion repeats itself, with a large one and without friction it is chaotic.
#include "tappet/studies/verify.hpp"

#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/paths.hpp"

namespace tappet::verify_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string slider_crank = testing::source_dir() + "/examples/slider_crank/clearance.yaml";
const std::string joint = "joints.wrist.clearance.";

/// How runs of the slider-crank part that begin with the slider some nanometres off.
Growth growth_from_starts(const std::vector<std::string>& settings) {
  const Value root = read_yaml_file(slider_crank);
  std::vector<Recording> runs;
  std::vector<std::string> where;
  for (const double off : {0.0, 1e-9, -1e-9, 2e-9, -2e-9}) {
    std::vector<std::string> all = settings;
    all.push_back(fmt::format("bodies.slider.position=[{:.12g} m, 0]", 0.17 + off));
    const auto model = compile_with(root, slider_crank, all, {});
    where = coordinates(metric_names(*model).signals);
    runs.push_back(record(*model));
  }
  std::vector<std::vector<double>> distances;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (std::size_t j = i + 1; j < runs.size(); ++j) distances.push_back(distance(runs[i], runs[j], where));
  return growth(runs[0], distances, parting);
}

TEST(Verify, SmallClearanceWithFrictionIsPeriodic) {
  const Verification v =
      verify(slider_crank, {joint + "journal_radius=9.8 mm", joint + "friction.coefficient=0.05"});
  EXPECT_EQ(v.character, Character::periodic) << v.verdict();
  EXPECT_THAT(v.verdict(), HasSubstr("periodic"));
  EXPECT_FALSE(v.horizon.parted);
  EXPECT_EQ(v.horizon.time, v.t_end);
  EXPECT_NEAR(v.period, 0.012, 1e-9);
  EXPECT_TRUE(v.beyond.empty());
  for (const VerifiedFigure& figure : v.figures) EXPECT_GE(figure.digits, 3) << figure.name;
  EXPECT_LT(v.energy_residual, 1e-6);
}

TEST(Verify, LargeClearanceWithoutFrictionIsChaotic) {
  const Verification v =
      verify(slider_crank, {joint + "journal_radius=9.5 mm", joint + "friction={law: none}"});
  EXPECT_EQ(v.character, Character::chaotic) << v.verdict();
  EXPECT_THAT(v.verdict(), HasSubstr("chaotic"));
  EXPECT_TRUE(v.horizon.parted);
  EXPECT_GT(v.horizon.time, 0.005);
  EXPECT_LT(v.horizon.time, 0.2);
  EXPECT_TRUE(v.sensitive());
  // The same rate, from errors of another source: starts that differ by a nanometre.
  const Growth other = growth_from_starts(
      {joint + "journal_radius=9.5 mm", joint + "friction={law: none}", "simulation.tolerance=1e-11"});
  EXPECT_TRUE(other.exponential);
  EXPECT_NEAR(v.growth.exponent / other.exponent, 1, 0.35) << v.growth.exponent << " and " << other.exponent;
  EXPECT_EQ(v.repetition.periods, 0);
  ASSERT_FALSE(v.beyond.empty());
  // Impacts under the load of the mechanism realise less than the 0.913 of a free one.
  ASSERT_EQ(v.contacts.size(), 1u);
  EXPECT_EQ(v.contacts[0].requested, 0.9);
  EXPECT_GT(v.contacts[0].median, 0.7);
  EXPECT_LT(v.contacts[0].median, 0.913 + 1e-3);
  EXPECT_GT(v.love_ratio, 1);
}

TEST(Verify, IdealMechanismIsDeterminedInAllItsFigures) {
  const Verification v =
      verify(testing::source_dir() + "/examples/slider_crank/ideal.yaml", {"simulation.duration=0.12 s"});
  EXPECT_EQ(v.character, Character::periodic) << v.verdict();
  EXPECT_EQ(v.repetition.periods, 1);
  for (const VerifiedFigure& figure : v.figures) EXPECT_GE(figure.digits, 6) << figure.name;
}

TEST(Verify, CoarseToleranceIsToldFromChaos) {
  // A pendulum is not chaotic, but a hundred swings at a coarse tolerance are not to be trusted.
  const std::string pendulum = testing::source_dir() + "/examples/pendulum/pendulum.yaml";
  const Verification coarse =
      verify(pendulum, {"simulation.tolerance=1e-4", "simulation.duration=200 s", "output.step=0.1 s"});
  EXPECT_FALSE(coarse.growth.exponential);
  EXPECT_TRUE(coarse.horizon.parted);
  EXPECT_TRUE(coarse.character == Character::unresolved || coarse.character == Character::unclear);
  EXPECT_THAT(coarse.verdict(), HasSubstr("too coarse"));
}

// Two impacts of a ball multiply its errors, and are no exponent: that is a mean over a motion which comes back.
TEST(Verify, AFewBouncesHaveNoLyapunovExponent) {
  const Value ball = read_yaml_text(R"(tappet: 1
dimension: planar
gravity: [0, -9.81]
ground: {shapes: {floor: {plane: {normal: [0, 1], point: [0, 0]}}}}
bodies: {ball: {mass: 1, inertia: 0.004, position: [0, 0.3], shapes: {s: {circle: {radius: 0.1}}}}}
contacts: {hit: {between: [ground.floor, ball.s], normal: {law: hertz, stiffness: 1e9}}}
simulation: {duration: 0.75, tolerance: 1e-9}
output: {step: 20 ms}
)",
                                    "ball.yaml");
  const Verification v = verify(ball, "ball.yaml", {});
  EXPECT_EQ(v.character, Character::determined);
  EXPECT_LT(v.returns, 3);
  EXPECT_FALSE(v.sensitive());
  EXPECT_THAT(v.verdict(), Not(HasSubstr("largest Lyapunov exponent about")));
  EXPECT_EQ(v.grows(), v.verdict().find("exponent is not measurable") != std::string::npos);
  EXPECT_TRUE(nlohmann::json::parse(verification_json(v))["lyapunov_exponent"].is_null());
}

TEST(Verify, JsonSaysTheSame) {
  const Verification v = verify(testing::source_dir() + "/examples/pendulum/pendulum.yaml", {});
  const auto json = nlohmann::json::parse(verification_json(v));
  EXPECT_EQ(json["character"], "determined");
  EXPECT_EQ(json["verdict"], v.verdict());
  EXPECT_EQ(json["runs"].size(), v.runs.size());
  EXPECT_THAT(verification_text(v), ::testing::StartsWith("All runs agree to the end"));
}

}  // namespace
}  // namespace tappet::verify_test
