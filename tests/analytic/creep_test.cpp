// A body at rest on a law of speed alone sinks for ever, v = m g/p after a while m/p; the run says so, with the figures.
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::creep_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

Recording on_floor(const std::string& normal, double height = 0.1, double duration = 2) {
  return run_text(
      fmt::format("tappet: 1\ngravity: [0, -10]\n"
                  "bodies: {{ball: {{mass: 1, inertia: 0.01, position: [0, {}], velocity: [0, 0], "
                  "angular_velocity: 0, shapes: {{skin: "
                  "{{circle: {{radius: 0.1}}}}}}}}}}\n"
                  "ground: {{shapes: {{floor: {{plane: {{normal: [0, 1]}}}}}}}}\n"
                  "contacts: {{c: {{between: [ground.floor, ball.skin], normal: {}}}}}\n"
                  "simulation: {{duration: {}}}\noutput: {{step: 0.01}}\n",
                  height, normal, duration));
}

TEST(Creep, IsSaidWithSpeedAndDepth) {
  struct Case {
    const char* law;
    double p;
  };
  for (const Case& c : {Case{"{law: poisson, penalty: 1000, restitution: 0.5}", 1000},
                        Case{"{law: poisson, penalty: 1000, restitution: 0.5, variant: printed}", 500}}) {
    const Recording r = on_floor(c.law);
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    const double speed = 10 / c.p, depth = speed * (2 - 1 / c.p);
    EXPECT_NEAR(0.1 - r.last("ball.y"), depth, 1e-7) << c.law;
    EXPECT_THAT(r.summary.warnings, Contains(AllOf(HasSubstr("contact 'c' creeps"), HasSubstr("10 N"),
                                                   HasSubstr(fmt::format("{:.3g} m/s", speed)),
                                                   HasSubstr(fmt::format("{:.4g} m ", depth)))))
        << c.law;
  }
}

TEST(Creep, IsNotSaidOfWhatRestsBouncesOrJustTouches) {
  for (const char* law :
       {"{law: hooke, stiffness: 1e5}", "{law: hunt-crossley, stiffness: 1e6, restitution: 0.3}",
        "{law: kelvin-voigt, stiffness: 1e5, restitution: 0.5}",
        "{law: impact, stiffness: 1e5, exponent: 1.5, damping: 500, depth: 0.1 mm}"})
    for (const double height : {0.1, 0.105})
      for (const double duration : {0.5, 0.0320}) {
        const Recording r = on_floor(law, height, duration);
        ASSERT_TRUE(r.summary.completed) << law << r.summary.stop_reason;
        EXPECT_THAT(r.summary.warnings, Not(Contains(HasSubstr("creeps"))))
            << law << height << ' ' << duration;
      }
}

}  // namespace
}  // namespace tappet::testing::creep_test
