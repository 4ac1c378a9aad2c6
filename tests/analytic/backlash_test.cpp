// Teeth with play: between the flanks wheels turn freely; where flanks meet they strike as masses on the pitch line.
//
//   two wheels, J and J, pitch radius r each (ratio −1), the first turning at ω₀ against the other at rest, play b:
//   s = r (φ_a + φ_b) goes from 0 to b/2 in b/(2 r ω₀); then  ṡ⁺ = −ε ṡ⁻  and  φ̇_a + … by  J Δφ̇_a = −r P = J Δφ̇_b
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/resume.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::backlash_test {
namespace {

std::string gears(bool planar, const std::string& method, const std::string& law) {
  const char* at = planar ? "[0, 0]" : "[0, 0, 0]";
  const char* away = planar ? "[0.1, 0]" : "[0.1, 0, 0]";
  const char* axis = planar ? "" : ", axis: [0, 0, 1]";
  const char* inertia = planar ? "0.02" : "[0.1, 0.1, 0.02]";
  return fmt::format(R"(tappet: 1
dimension: {}
gravity: {}
bodies:
  a: {{mass: 1, inertia: {}, angular_velocity: {}}}
  b: {{mass: 1, inertia: {}, position: {}, angular_velocity: {}}}
joints:
  first: {{type: revolute, bodies: [ground, a], points: [{}, {}]{}}}
  second: {{type: revolute, bodies: [ground, b], points: [{}, {}]{}}}
  mesh: {{type: gear, joints: [first, second], ratio: -1, backlash: 2 mm, radius: 50 mm, normal: {{{}}}}}
simulation: {{{}, duration: 0.03}}
output: {{step: 1 ms, signals: ["*", "*_rate"]}}
)",
                     planar ? "planar" : "spatial", at, inertia, planar ? "2" : "[0, 0, 2]", inertia, away,
                     planar ? "0" : "[0, 0, 0]", at, at, axis, away, at, axis, law, method);
}

// b/2 = 1 mm at r ω₀ = 100 mm/s: 10 ms. The flank pushes both: φ̇ = (2, 0) → (1 − ε, −(1 + ε)).
TEST(Backlash, FlanksStrikeByRestitution) {
  for (const bool planar : {true, false})
    for (const char* method : {"method: event-driven, tolerance: 1e-10", "method: moreau, step: 0.1 ms"}) {
      const Recording r = run_text(gears(planar, method, "restitution: 0.5"));
      ASSERT_GE(r.impacts.size(), 1u) << method;
      EXPECT_NEAR(r.impacts[0].start, 0.01, 2e-4) << method;
      EXPECT_NEAR(r.impacts[0].speed_in, 0.1, 1e-9) << method;
      EXPECT_NEAR(r.value(0.02, "first.angle_rate"), 0.5, 1e-9) << method;
      EXPECT_NEAR(r.value(0.02, "second.angle_rate"), -1.5, 1e-9) << method;
      EXPECT_NEAR(r.value(0.02, "energy.normal_loss"), 0.5 * 0.01 * 4 * 0.75, 1e-9) << method;
    }
}

// Half a swing of the pitch line's mass 1/(r²/J + r²/J) = 4 kg on k, then play again.
TEST(Backlash, FlanksAreSprings) {
  const double k = 4e8, w = std::sqrt(k / 4);
  for (const bool planar : {true, false}) {
    const Recording r =
        run_text(gears(planar, "method: smooth, tolerance: 1e-10", "law: hooke, stiffness: 4e8"));
    ASSERT_GE(r.impacts.size(), 1u);
    EXPECT_NEAR(r.impacts[0].start, 0.01, 1e-9);
    EXPECT_NEAR(r.impacts[0].end - r.impacts[0].start, std::numbers::pi / w, 1e-8);
    EXPECT_NEAR(r.impacts[0].max_penetration, 0.1 / w, 1e-5 * 0.1 / w);
    EXPECT_NEAR(r.value(0.02, "first.angle_rate"), 0, 1e-6);
    EXPECT_NEAR(r.value(0.02, "second.angle_rate"), -2, 1e-6);
  }
}

TEST(Backlash, ResumesToTheLastBit) {
  for (const bool planar : {true, false})
    for (const char* method : {"method: smooth", "method: event-driven", "method: moreau, step: 0.1 ms"})
      expect_resumes(*model_of_text(
          gears(planar, method, "law: hunt-crossley, stiffness: 1e8, exponent: 1, restitution: 0.5")));
}

// A rack on its pinion: the rack is met by a wheel of J/r² = 8 kg and is 8 kg itself; they change speeds.
TEST(Backlash, OfARack) {
  for (const char* method : {"method: event-driven, tolerance: 1e-10", "method: moreau, step: 0.1 ms"}) {
    const Recording r = run_text(fmt::format(R"(tappet: 1
dimension: planar
gravity: [0, 0]
bodies:
  a: {{mass: 1, inertia: 0.02, angular_velocity: 2}}
  b: {{mass: 8, inertia: 1, position: [0, -0.05], velocity: [0, 0]}}
joints:
  pinion: {{type: revolute, bodies: [ground, a], points: [[0, 0], [0, 0]]}}
  guide: {{type: translational, bodies: [ground, b], points: [[0, -0.05], [0, 0]], axis: [1, 0]}}
  mesh: {{type: rack, joints: [pinion, guide], radius: 50 mm, backlash: 2 mm, normal: {{restitution: 1}}}}
simulation: {{{}, duration: 0.015}}
output: {{step: 1 ms, signals: ["*", "*_rate"]}}
)",
                                             method));
    EXPECT_NEAR(r.last("pinion.angle_rate"), 0, 1e-9) << method;
    EXPECT_NEAR(r.last("guide.displacement_rate"), 0.1, 1e-9) << method;
  }
}

}  // namespace
}  // namespace tappet::testing::backlash_test
