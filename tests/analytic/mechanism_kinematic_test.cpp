// Method kinematic: positions from motions alone, reactions and drives by inverse dynamics, loads of joints in axes of bodies.
#include <cmath>
#include <filesystem>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"
#include "tappet/results/joint_loads.hpp"
#include "tappet/results/result_writer.hpp"

namespace tappet::testing::mechanism_kinematic_test {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi;

std::string crank(const std::string& motor, const std::string& simulation, bool spatial = false) {
  if (!spatial)
    return fmt::format(R"(
tappet: 1
dimension: planar
gravity: [0, -9.81]
bodies:
  crank:  {{mass: 0.30 kg, inertia: 1e-4 kg m^2, position: [25 mm, 0]}}
  rod:    {{mass: 0.21 kg, inertia: 2.5e-4 kg m^2, position: [110 mm, 0]}}
  slider: {{mass: 0.14 kg, inertia: 1e-4 kg m^2, position: [170 mm, 0]}}
joints:
  main:  {{type: revolute, bodies: [ground, crank], points: [[0, 0], [-25 mm, 0]]}}
  pin:   {{type: revolute, bodies: [crank, rod], points: [[25 mm, 0], [-60 mm, 0]]}}
  wrist: {{type: revolute, bodies: [slider, rod], points: [[0, 0], [60 mm, 0]]}}
  guide: {{type: translational, bodies: [ground, slider], points: [[0, 0], [0, 0]], axis: [1, 0]}}
motions: {{motor: {{joint: main, {}}}}}
simulation: {{{}}}
output: {{step: 1 ms}}
)",
                       motor, simulation);
  return fmt::format(R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
bodies:
  arm: {{mass: 2 kg, inertia: [0.01, 0.2, 0.2], position: [0.5, 0, 0]}}
joints:
  hinge: {{type: revolute, bodies: [ground, arm], points: [[0, 0, 0], [-0.5, 0, 0]], axis: [0, 1, 0]}}
motions: {{motor: {{joint: hinge, {}}}}}
simulation: {{{}}}
output: {{step: 1 ms}}
)",
                     motor, simulation);
}

// The same machine by method smooth, whose errors are those of its tolerance: places, rates, reactions, torque and energies.
TEST(KinematicMethod, MovesAndLoadsAsDynamicsDo) {
  for (const char* motor :
       {"angle: 20*t + 3*sin(30*t) rad", "speed: 60 rad/s", "speed: 60 + 20*sin(40*t) rad/s"}) {
    const Recording known = run_text(crank(motor, "method: kinematic, duration: 0.2")),
                    moved = run_text(
                        crank(motor, "method: smooth, duration: 0.2, tolerance: 1e-11, integrator: dop853"));
    ASSERT_TRUE(known.summary.completed) << known.summary.stop_reason;
    ASSERT_TRUE(moved.summary.completed) << moved.summary.stop_reason;
    ASSERT_EQ(known.rows.size(), moved.rows.size());
    EXPECT_LT(known.summary.constraint_violation, 1e-12);
    for (const char* signal : {"slider.x", "rod.angle", "slider.vx", "rod.alpha", "main.fx", "pin.fy",
                               "wrist.fx", "guide.fy", "motor.torque", "energy.kinetic", "energy.input"}) {
      double worst = 0;
      const double size = std::max(moved.largest(signal), 1e-9);
      for (std::size_t n = 0; n < known.rows.size(); ++n)
        worst = std::max(worst,
                         std::abs(known.rows[n][known.column(signal)] - moved.rows[n][moved.column(signal)]));
      EXPECT_LT(worst, 2e-7 * size) << motor << " " << signal;
    }
    EXPECT_LT(known.summary.energy_residual, 1e-6) << motor;
  }
}

// T = J θ̈ + m g a cos θ about the hinge; reaction m (a − g).
TEST(KinematicMethod, ArmTakesTheTorqueOfTheClosedForm) {
  const Recording r = run_text(crank("angle: 0.4*sin(5*t) rad", "method: kinematic, duration: 1", true));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  for (const auto& row : r.rows) {
    const double t = row[0], angle = 0.4 * std::sin(5 * t), rate = 2 * std::cos(5 * t),
                 second = -10 * std::sin(5 * t);
    // About +y the arm turns down as the angle grows: z = −sin θ/2.
    const double x = 0.5 * std::cos(angle), z = -0.5 * std::sin(angle);
    EXPECT_NEAR(row[r.column("arm.x")], x, 1e-13);
    EXPECT_NEAR(row[r.column("motor.torque")], (0.2 + 2 * 0.25) * second - 2 * g * x, 1e-9);
    const double ax = z * second - x * rate * rate, az = -x * second - z * rate * rate;
    EXPECT_NEAR(row[r.column("hinge.fx")], 2 * ax, 1e-9);
    EXPECT_NEAR(row[r.column("hinge.fz")], 2 * (az + g), 1e-9);
  }
}

// Springs whose oscillations would need steps of a microsecond do not: so many steps as samples.
TEST(KinematicMethod, StiffSpringsDoNotShortenItsSteps) {
  std::string text = crank("angle: 20*t rad", "method: kinematic, duration: 0.2");
  text +=
      "forces: {stop: {type: spring-damper, bodies: [ground, slider], points: [[0, 0], [0, 0]], stiffness: "
      "1e12, damping: 1e6, length: 0}}\n";
  const Recording r = run_text(text);
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_EQ(r.summary.steps, 200);
  const auto& row = r.rows[50];
  EXPECT_NEAR(row[r.column("guide.fx")], 0, 1);
}

TEST(KinematicMethod, RefusesWhatCanMoveByItself) {
  const std::string pendulum = R"(
tappet: 1
dimension: planar
bodies: {rod: {mass: 1, inertia: 1, position: [0.5, 0]}}
joints: {hinge: {type: revolute, bodies: [ground, rod], points: [[0, 0], [-0.5, 0]]}}
simulation: {method: kinematic, duration: 1}
)";
  try {
    Simulation simulation(model_of_text(pendulum));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("one degree of freedom is left, by which 'rod' can move"),
              std::string::npos)
        << error.what();
  }
  EXPECT_THROW(
      Simulation(model_of_text(crank("angle: t rad", "method: kinematic, duration: 1, integrator: bdf"))),
      InputError);
}

// The rod is too short for the whole turn: the run ends where the guide can follow no further, and says so.
TEST(KinematicMethod, EndsWhereJointsCannotFollow) {
  std::string text = crank("angle: 3*t rad", "method: kinematic, duration: 2");
  const auto swap = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  swap("[-60 mm, 0]", "[-20 mm, 0]");
  swap("[60 mm, 0]", "[20 mm, 0]");
  swap("position: [110 mm, 0]", "position: [70 mm, 0]");
  swap("position: [170 mm, 0]", "position: [90 mm, 0]");
  const Recording r = run_text(text);
  EXPECT_FALSE(r.summary.completed);
  // 50 mm sin θ = 40 mm.
  EXPECT_NEAR(r.summary.t_end, std::asin(0.8) / 3, 2e-3);
  EXPECT_NE(r.summary.stop_reason.find("cannot be closed any further"), std::string::npos)
      << r.summary.stop_reason;
}

TEST(KinematicMethod, GoesOnFromAState) {
  const auto model =
      model_of_text(crank("speed: 60 + 20*sin(40*t) rad/s", "method: kinematic, duration: 0.2"));
  Simulation whole(model), first(model), second(model);
  whole.advance(0.2);
  first.advance(0.1);
  second.restore(save(first.state()));
  second.advance(0.2);
  EXPECT_EQ(whole.state().y, second.state().y);
}

// ---- loads ----

// A pendulum driven round: on the arm, in its own axes at the hinge, F′ = m (−ω² a − g sin θ, α a + g cos θ).
TEST(JointLoads, AreInTheAxesOfTheBody) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "tappet_joint_loads.h5";
  std::filesystem::remove(file);
  const auto model = model_of_text(R"(
tappet: 1
dimension: planar
gravity: [0, -9.81]
bodies: {arm: {mass: 2, inertia: 0.2, position: [0.5, 0]}}
joints: {hinge: {type: revolute, bodies: [arm, ground], points: [[-0.5, 0], [0, 0]]}}
motions: {motor: {joint: hinge, angle: -2*t^2 rad}}
simulation: {method: kinematic, duration: 1}
output: {step: 0.05}
)");
  Simulation simulation(model);
  {
    ResultHeader header{.signals = simulation.signals(),
                        .contacts = {},
                        .events = {},
                        .title = "",
                        .model_file = "test.yaml",
                        .model_text = model->text,
                        .created = "",
                        .program_version = ""};
    ResultWriter writer = ResultWriter::create(file.string(), header);
    RunSummary summary = simulation.run(writer);
    ASSERT_TRUE(summary.completed) << summary.stop_reason;
    writer.finish(summary);
  }
  const ResultFile result(file.string());
  const JointLoads loads = joint_loads(result, "hinge");
  EXPECT_EQ(loads.body, "arm");
  ASSERT_EQ(loads.rows.size(), 21u);
  for (const auto& row : loads.rows) {
    const double t = row[0], angle = 2 * t * t, rate = 4 * t, second = 4;
    EXPECT_NEAR(row[1], 2 * (-rate * rate * 0.5 + g * std::sin(angle)), 1e-9);
    EXPECT_NEAR(row[2], 2 * (second * 0.5 + g * std::cos(angle)), 1e-9);
    EXPECT_NEAR(row[6], 0, 1e-9);  // the motor's torque is the motion's, not the joint's
  }
  EXPECT_NE(loads_table(all_joint_loads(result)).find("hinge,arm,"), std::string::npos);
  EXPECT_THROW(joint_loads(result, "hinge", "crank"), InputError);
  EXPECT_THROW(joint_loads(result, "hing"), InputError);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace tappet::testing::mechanism_kinematic_test
