// Where nothing acts, or what moves is driven evenly, steps may be as long as the run: surfaces must not pass through each
// other within one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::long_steps_test {
namespace {

class LongSteps : public ::testing::TestWithParam<const char*> {
 protected:
  bool rigid() const { return GetParam() == std::string("event-driven"); }
  std::string law(double restitution) const {
    return rigid() ? fmt::format("normal: {{restitution: {}}}", restitution)
                   : "normal: {law: hertz, stiffness: 1e10 N/m^1.5, exponent: 1.5}";
  }
};

// Without gravity a ball at 100 m/s flies 10 m to a plate of 1 mm, and back.
Recording shot(const std::string& law, const std::string& simulation) {
  return run_text(fmt::format(R"(tappet: 1
dimension: spatial
gravity: [0, 0, 0]
bodies:
  ball: {{mass: 10 g, inertia: [4e-8, 4e-8, 4e-8], velocity: [100, 0, 0], shapes: {{skin: {{sphere: {{radius: 2 mm}}}}}}}}
ground: {{shapes: {{plate: {{box: {{size: [1 mm, 100 mm, 100 mm], position: [10 m, 0, 0]}}}}}}}}
contacts: {{hit: {{between: [ball.skin, ground.plate], {}}}}}
simulation: {{{}, duration: 0.2 s, tolerance: 1e-8}}
output: {{step: 0.1 s}})",
                              law, simulation));
}

TEST_P(LongSteps, ABallDoesNotFlyThroughAThinPlate) {
  const Recording run = shot(law(1), fmt::format("method: {}", GetParam()));
  ASSERT_EQ(run.impacts.size(), 1u);
  EXPECT_NEAR(run.impacts[0].start, (10 - 2.5e-3) / 100, 1e-9);
  EXPECT_NEAR(run.last("ball.vx"), -100, 1e-3);
}

// Fixed steps may be too long; then that is said.
TEST(Strides, MoreauWarnsOfStepsThatMayMissAContact) {
  const Recording rough = shot("normal: {restitution: 1}", "method: moreau, step: 0.3 ms");
  ASSERT_EQ(rough.summary.warnings.size(), 1u);
  EXPECT_NE(rough.summary.warnings[0].find("body 'ball' went 0.03 m"), std::string::npos)
      << rough.summary.warnings[0];
  EXPECT_NE(rough.summary.warnings[0].find("overlaps on 0.005 m"), std::string::npos)
      << rough.summary.warnings[0];
  const Recording fine = shot("normal: {restitution: 1}", "method: moreau, step: 10 us");
  EXPECT_TRUE(fine.summary.warnings.empty());
  EXPECT_EQ(fine.impacts.size(), 1u);
  EXPECT_NEAR(fine.last("ball.vx"), -100, 1e-9);
}

// A wheel turns evenly ten times; each turn its pin meets a post that lies 0.2 rad of the turn long in its way.
TEST_P(LongSteps, APinThatTurnsEvenlyMeetsWhatIsInItsWay) {
  const Recording run = run_text(fmt::format(R"(tappet: 1
dimension: planar
gravity: [0, 0]
bodies:
  wheel: {{mass: 1 kg, inertia: 1e-2 kg m^2, shapes: {{pin: {{circle: {{radius: 5 mm, position: [100 mm, 0]}}}}}}}}
  post: {{mass: 50 g, inertia: 1e-5 kg m^2, position: [0, 100 mm], shapes: {{skin: {{circle: {{radius: 5 mm}}}}}}}}
joints: {{axle: {{type: revolute, bodies: [ground, wheel], points: [[0, 0], [0, 0]]}}}}
motions: {{motor: {{joint: axle, speed: 10 rad/s}}}}
contacts: {{hit: {{between: [wheel.pin, post.skin], {}}}}}
simulation: {{method: {}, duration: 6 s, tolerance: 1e-8}}
output: {{step: 1 s}})",
                                             law(1), GetParam()));
  // The pin's way to the post is 90° less the angle at which circles of 5 mm touch.
  ASSERT_GE(run.impacts.size(), 1u);
  const double angle = std::numbers::pi / 2 - 2 * std::asin(5.0 / 100);
  EXPECT_NEAR(run.impacts[0].start, angle / 10, 1e-8);
  // e = 1 against a pin that nothing stops: the relative velocity along the line of centres turns round.
  const double along = 1 * std::cos(std::asin(5.0 / 100));
  EXPECT_NEAR(std::hypot(run.last("post.vx"), run.last("post.vy")), 2 * along, rigid() ? 1e-8 : 0.02);
}

// A driven Scotch yoke with 0.2 mm of play on each side stays within it, over twenty turns.
TEST_P(LongSteps, AYokeStaysOnItsPin) {
  const Recording run = run_text(
      fmt::format(R"(tappet: 1
dimension: planar
gravity: [0, 0]
bodies:
  crank: {{mass: 1 kg, inertia: 1e-3 kg m^2, shapes: {{pin: {{circle: {{radius: 8 mm, position: [40 mm, 0]}}}}}}}}
  yoke:
    mass: 0.5 kg
    inertia: 1e-3 kg m^2
    position: [40 mm, 0]
    shapes:
      right: {{box: {{size: [10 mm, 120 mm], position: [13.2 mm, 0]}}}}
      left: {{box: {{size: [10 mm, 120 mm], position: [-13.2 mm, 0]}}}}
joints:
  main: {{type: revolute, bodies: [ground, crank], points: [[0, 0], [0, 0]]}}
  guide: {{type: translational, bodies: [ground, yoke], points: [[0, 0], [0, 0]], axis: [1, 0]}}
motions: {{motor: {{joint: main, speed: 600 rpm}}}}
contacts:
  right: {{between: [crank.pin, yoke.right], {0}}}
  left: {{between: [crank.pin, yoke.left], {0}}}
simulation: {{method: {1}, duration: 2 s, tolerance: 1e-7}}
output: {{step: 1 ms}})",
                  rigid() ? "normal: {restitution: 0.5}"
                          : "normal: {law: flores, stiffness: 1e9 N/m^1.5, exponent: 1.5, restitution: 0.5}",
                  GetParam()));
  EXPECT_TRUE(run.summary.completed) << run.summary.stop_reason;
  EXPECT_GT(run.impacts.size(), 40u);  // to the other side and back in each turn
  for (const std::vector<double>& row : run.rows) {
    const double play = row[run.column("yoke.x")] - 40e-3 * std::cos(row[run.column("crank.angle")]);
    ASSERT_LT(std::abs(play), rigid() ? 0.2e-3 + 1e-8 : 0.4e-3) << "t = " << row[0];
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, LongSteps, ::testing::Values("smooth", "event-driven"),
                         [](const auto& info) { return info.param[0] == 's' ? "Smooth" : "EventDriven"; });

}  // namespace
}  // namespace tappet::testing::long_steps_test
