// Wear over many cycles with control of the error: how it converges, what it says of itself, lives, and that an interrupted run goes on.
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/resume.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::wear_cycles_test {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;

// The slider-crank of examples/oiled_joint/worn.yaml on a softer bed, so that it runs quickly, to 10⁵ revolutions.
std::string crank(
    const std::string& wear, const std::string& simulation = "duration: 100 s, tolerance: 1e-6",
    const std::string& more = "events: {end: {signal: wrist.revolutions, level: 1e5, stop: true}}") {
  return fmt::format(R"(
tappet: 1
dimension: planar
gravity: [0, 0]
bodies:
  crank:  {{mass: 0.30 kg, inertia: 1e-5 kg m^2, position: [25 mm, 0]}}
  rod:    {{mass: 0.21 kg, inertia: 2.5e-4 kg m^2, position: [110 mm, 0]}}
  slider: {{mass: 0.14 kg, inertia: 1e-4 kg m^2, position: [170 mm, 0]}}
joints:
  main:  {{type: revolute, bodies: [ground, crank], points: [[0, 0], [-25 mm, 0]]}}
  pin:   {{type: revolute, bodies: [crank, rod], points: [[25 mm, 0], [-60 mm, 0]]}}
  guide: {{type: translational, bodies: [ground, slider], points: [[0, 0], [0, 0]], axis: [1, 0]}}
  wrist:
    type: revolute
    bodies: [slider, rod]
    points: [[0, 0], [60 mm, 0]]
    clearance:
      model: foundation
      bearing_radius: 10 mm
      journal_radius: 9.95 mm
      length: 20 mm
      stiffness: 1e11 Pa/m
      damping: 1e8 Pa s/m
      friction: {{law: ambrosio, coefficient: 0.1, v0: 0.1 mm/s, v1: 1 mm/s}}
      wear: {{law: archard, coefficient: 1e-13 m^2/N{}}}
motions:
  motor: {{joint: main, speed: 600 rpm}}
simulation: {{{}}}
output: {{step: 0.05, signals: ["wrist.*"]}}
{}
)",
                     wear, simulation, more);
}

std::vector<double> profile(const Recording& r) {
  std::vector<double> out;
  for (int n = 0; n < 360; n += 5) out.push_back(r.last(fmt::format("wrist.bearing_depth_{}", n)));
  return out;
}

double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t n = 0; n < a.size(); ++n) most = std::max(most, std::abs(a[n] - b[n]));
  return most;
}

// The profile converges with the tolerance, and the run says what it errs by.
TEST(WearCycles, ConvergeWithTheTolerance) {
  std::vector<double> profiles[4];
  double said[4], ran[4];
  const double tolerance[] = {0.4, 0.2, 0.1, 0.03};
  for (int n = 0; n < 4; ++n) {
    const Recording r =
        run_text(crank(fmt::format(", update: every 1 rev, extrapolate: 1e6, tolerance: {}", tolerance[n])));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    EXPECT_NEAR(r.last("wrist.revolutions"), 1e5, 1);
    profiles[n] = profile(r), said[n] = r.last("wrist.wear_error"), ran[n] = r.summary.t_end / 0.1;
  }
  double errors[3];
  for (int n = 0; n < 3; ++n) {
    errors[n] = apart(profiles[n], profiles[3]);
    fmt::print("tolerance {:6}: {:5.1f} revolutions run, error {:.3f} µm, said {:.3f} µm\n", tolerance[n],
               ran[n], 1e6 * errors[n], 1e6 * said[n]);
    // What it says is what it errs by, within the size of what is left in the reference.
    EXPECT_LT(errors[n], 2 * said[n]);
  }
  fmt::print("order {:.2f}\n", std::log2(errors[0] / errors[2]) / 2);
  EXPECT_LE(errors[1], errors[0]);  // both may be held by how fast the pace may grow
  EXPECT_LE(errors[2], errors[1]);
}

TEST(WearCycles, GoOnAfterAnInterruption) {
  const std::string wear =
      ", journal_coefficient: 2e-14, update: every 1 rev, extrapolate: 1000, life: 0.1 um";
  for (const char* method :
       {"method: smooth, integrator: dopri5", "method: smooth, integrator: bdf", "method: event-driven"})
    expect_resumes(
        *model_of_text(crank(wear, fmt::format("duration: 0.65 s, tolerance: 1e-5, {}", method), "")), 8);
}

// A life ends where the depth says it does, whatever the pace.
TEST(WearCycles, SayWhenALifeIsOver) {
  const Recording r = run_text(crank(", update: every 1 rev, extrapolate: 1e6, tolerance: 0.1, life: 3 um"));
  double revolutions = 0;
  const std::size_t depth = r.column("wrist.bearing_wear_depth"), turned = r.column("wrist.revolutions");
  for (std::size_t n = 1; n < r.rows.size(); ++n) {
    const double before = r.rows[n - 1][depth], now = r.rows[n][depth];
    if (before < 3e-6 && now >= 3e-6)
      revolutions = r.rows[n - 1][turned] +
                    (3e-6 - before) / (now - before) * (r.rows[n][turned] - r.rows[n - 1][turned]);
  }
  ASSERT_GT(revolutions, 0);
  std::string said;
  for (const std::string& note : r.summary.notes)
    if (note.find("its `life`, 3 µm of wear, is over after ") != std::string::npos) said = note;
  ASSERT_FALSE(said.empty());
  const double number = std::stod(said.substr(said.find("after ") + 6));
  // Between two samples the depth does not grow evenly.
  EXPECT_NEAR(number / revolutions, 1, 0.1) << said;
  EXPECT_THAT(r.summary.notes, Contains(HasSubstr("the bearing has lost")));
  const Recording long_lived = run_text(crank(", extrapolate: 10, life: 3 um", "duration: 0.2 s", ""));
  EXPECT_THAT(long_lived.summary.notes, Contains(HasSubstr("its `life`, 3 µm of wear, is not over")));
}

// A cycle may be a time; what wears is the same.
TEST(WearCycles, CountRevolutionsOrTimes) {
  const std::string rest = ", extrapolate: 100", end = "duration: 1 s, tolerance: 1e-6";
  const Recording a = run_text(crank(", update: every 1 rev" + rest, end, "")),
                  b = run_text(crank(", update: 0.1 s" + rest, end, ""));
  EXPECT_EQ(a.last("wrist.bearing_wear"), b.last("wrist.bearing_wear"));
  EXPECT_EQ(a.last("wrist.revolutions"), b.last("wrist.revolutions"));
  const Recording two = run_text(crank(", update: every 2 rev" + rest, end, ""));
  EXPECT_GT(two.last("wrist.revolutions"), 10);
}

TEST(WearCycles, SayWhatTheyCannot) {
  const auto refusal = [](const std::string& wear, const std::string& simulation = "duration: 0.1 s") {
    try {
      run_text(crank(wear, simulation, ""));
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refusal(", update: every 3 mm"), HasSubstr("joint 'wrist': `update` is 'every 3 mm'"));
  EXPECT_THAT(refusal(", update: every -1 rev"), HasSubstr("it must be > 0"));
  EXPECT_THAT(refusal(", update: now and then"), HasSubstr("it is written every 1 rev, or every 0.1 s"));
  EXPECT_THAT(refusal(", tolerance: 0.1"), HasSubstr("`tolerance` of wear is that of cycles of `update`"));
  EXPECT_THAT(refusal(", life: -1 um"), HasSubstr("life"));
  EXPECT_THAT(refusal(", update: every 1 rev", "duration: 0.1 s, method: moreau, step: 1e-5"),
              HasSubstr("joint 'wrist' wears in cycles of `update`"));
  std::string text = crank(", update: every 1 rev", "duration: 0.1 s", "");
  text.replace(text.find("600 rpm"), 7, "60 + t rad/s");
  try {
    run_text(text);
    ADD_FAILURE();
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("the model has no motion of one constant speed"));
  }
}

}  // namespace
}  // namespace tappet::testing::wear_cycles_test
