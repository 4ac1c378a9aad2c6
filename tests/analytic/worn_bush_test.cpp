// Wear in a joint against closed forms: the bush that a journal wears out, volume and work of friction, profiles that are part of the state.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/resume.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::worn_bush_test {
namespace {

using ::testing::HasSubstr;
constexpr double pi = std::numbers::pi;

// A rigid journal (R 10 mm, L 20 mm) that turns under W = 100 N and moves along x alone, in a soft bush with a play of 0.1 mm.
std::string bush(double turns, double extrapolate, const std::string& more = "", int nodes = 360) {
  constexpr double omega = 2 * pi * 10;  // ten turns in a second
  const double duration = turns / extrapolate / 10;
  return fmt::format(R"(
tappet: 1
dimension: planar
gravity: [0, 0]
bodies:
  carrier: {{mass: 0.5, inertia: 1}}
  journal: {{mass: 0.5, inertia: 1}}
joints:
  guide: {{type: translational, bodies: [ground, carrier], points: [[0, 0], [0, 0]], axis: [1, 0]}}
  pin: {{type: revolute, bodies: [carrier, journal], points: [[0, 0], [0, 0]]}}
  bush:
    type: revolute
    bodies: [ground, journal]
    points: [[0, 0], [0, 0]]
    clearance: {{model: foundation, bearing_radius: 10 mm, journal_radius: 9.9 mm, length: 20 mm, stiffness: 2e14, nodes: {},
                damping: 4e9, wear: {{law: archard, coefficient: 5e-13 m^2/N, extrapolate: {}}}{}}}
motions: {{drive: {{joint: pin, speed: {}}}}}
forces: {{load: {{type: force, body: carrier, force: [100, 0]}}}}
simulation: {{duration: {}, tolerance: 1e-7, integrator: {}}}
output: {{step: {}}}
)",
                     nodes, extrapolate, more, omega, duration, "dopri5", duration / 4);
}

// e φ₀ − c sin φ₀ = k W θ/L with cos φ₀ = c/e.
double worn_to(double turns) {
  constexpr double c = 1e-4;
  const double right = 5e-13 * 100 * 2 * pi * turns / 0.02;
  double low = 0, high = pi / 2 - 1e-9;
  for (int n = 0; n < 200; ++n) {
    const double phi = 0.5 * (low + high);
    (c * (phi / std::cos(phi) - std::sin(phi)) < right ? low : high) = phi;
  }
  return c / std::cos(low);
}

TEST(WornBush, IsAsDeepAsTheClosedForm) {
  EXPECT_NEAR(worn_to(100), 1.041827763e-4, 1e-13);
  EXPECT_NEAR(worn_to(1000), 1.206679835e-4, 1e-13);
  for (double turns : {1e2, 1e3, 1e4}) {
    // It begins where it touches already: assembly takes joints with play as ideal.
    const auto model = model_of_text(bush(turns, turns));
    Simulation simulation(model);
    State state = simulation.state();
    state.y[0] = state.y[3] = 1e-4 + 1e-8;
    simulation.set_state(state);
    Recording r;
    for (const Signal& signal : simulation.signals()) r.names.push_back(signal.name);
    r.summary = simulation.run(r);
    EXPECT_NEAR(r.last("bush.ex") / worn_to(turns), 1, 1e-4) << turns;
    EXPECT_NEAR(r.last("bush.bearing_wear_depth"), worn_to(turns) - 1e-4, 1e-3 * (worn_to(turns) - 1e-4))
        << turns;
  }
}

// Anything moves: both surfaces wear, the volume is k/μ times the work of friction, and the ledger closes.
std::string anyhow(const std::string& simulation, const std::string& extra = "") {
  return fmt::format(R"(
tappet: 1
dimension: planar
gravity: [30, -1000]
bodies:
  bearing: {{mass: 2, inertia: 1e-3, position: [0, 0], angular_velocity: -150}}
  journal: {{mass: 1, inertia: 1e-3, angular_velocity: 200}}
joints:
  axle: {{type: revolute, bodies: [ground, bearing], points: [[0, 0], [0, 0]]}}
  bush:
    type: revolute
    bodies: [bearing, journal]
    points: [[0, 0], [0, 0]]
    clearance: {{model: foundation, bearing_radius: 10 mm, journal_radius: 9.9 mm, length: 20 mm, stiffness: 1e12, damping: 1e8,
                friction: {{law: ambrosio, coefficient: 0.1, v0: 0.1 mm/s, v1: 1 mm/s}},
                wear: {{law: archard, coefficient: 5e-12, journal_coefficient: 2e-12{}}}}}
simulation: {{duration: 0.02, {}}}
output: {{step: 1 ms}}
)",
                     extra, simulation);
}

TEST(WornBush, LosesVolumeInProportionToTheWorkOfFriction) {
  for (const char* method :
       {"method: smooth, integrator: dopri5, tolerance: 1e-8",
        "method: smooth, integrator: dop853, tolerance: 1e-8", "method: event-driven, tolerance: 1e-8"}) {
    const Recording r = run_text(anyhow(method));
    const double work = r.last("energy.friction_loss");
    ASSERT_GT(work, 0.01) << method;
    EXPECT_NEAR(r.last("bush.bearing_wear") / (5e-12 / 0.1 * work), 1, 1e-9) << method;
    EXPECT_NEAR(r.last("bush.journal_wear") / (2e-12 / 0.1 * work), 1, 1e-9) << method;
    EXPECT_LT(r.largest("energy.residual"), 1e-5 * work) << method;
    EXPECT_GT(r.last("energy.wear_loss"), 0) << method;
  }
  const Recording fast = run_text(anyhow("tolerance: 1e-8", ", extrapolate: 10"));
  EXPECT_NEAR(fast.last("bush.bearing_wear") / (10 * 5e-12 / 0.1 * fast.last("energy.friction_loss")), 1,
              1e-9);
}

// A slider-crank whose wrist wears through 10⁵ revolutions: each half of the extrapolation leaves about half of the error, or less.
TEST(WornBush, ConvergesWithTheExtrapolation) {
  double depth[3];
  for (int n = 0; n < 3; ++n)
    depth[n] = run_example("oiled_joint/worn.yaml",
                           {fmt::format("simulation.duration={}", 0.4 * (1 << n)), "output.step=10 ms",
                            fmt::format("joints.wrist.clearance.wear.extrapolate={}", 25000.0 / (1 << n))})
                   .last("wrist.bearing_wear_depth");
  EXPECT_NEAR(depth[0], 10.098e-6, 5e-9);  // as the example's page has it
  EXPECT_NEAR(depth[1], 10.151e-6, 5e-9);
  EXPECT_GT(std::log2((depth[1] - depth[0]) / (depth[2] - depth[1])), 0.8);
}

TEST(WornBush, GoesOnAfterAnInterruption) {
  for (const char* method : {"method: smooth, integrator: dopri5", "method: event-driven"})
    expect_resumes(*model_of_text(anyhow(method)));
}

TEST(WornBush, SaysWhatItCannot) {
  const auto refusal = [](std::string text, const std::string& old, const std::string& now) {
    text.replace(text.find(old), old.size(), now);
    try {
      run_text(text);
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string good = anyhow("method: smooth");
  EXPECT_THAT(refusal(good, "stiffness: 1e12", "stiffness: -1"), HasSubstr("stiffness"));
  EXPECT_THAT(
      refusal(good, "ambrosio, coefficient: 0.1, v0: 0.1 mm/s, v1: 1 mm/s", "coulomb, coefficient: 0.1"),
      HasSubstr("joint 'bush' has friction by law coulomb, which keeps a memory of sticking"));
  EXPECT_THAT(refusal(good, "coefficient: 5e-12", "number: 5e-12"), HasSubstr("either `coefficient`"));
  EXPECT_THAT(refusal(good, "length: 20 mm, ", ""), HasSubstr("length"));
}

}  // namespace
}  // namespace tappet::testing::worn_bush_test
