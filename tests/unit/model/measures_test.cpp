// Signals of the user's own: what they are made of, at every sample, by every method.
#include "tappet/model/measures.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::measures_test {
namespace {

using ::testing::HasSubstr;

std::string crank(const std::string& measures, const std::string& more = "") {
  return "tappet: 1\ndefine: {half: 0.5}\nbodies: {crank-1: {mass: 2, inertia: 0.1, position: [0.1, "
         "0]}}\ngravity: [0, -9.81]\n"
         "joints: {pin: {type: revolute, bodies: [ground, crank-1], points: [[0, 0], [-0.1, 0]]}}\n"
         "motions: {motor: {joint: pin, speed: 10 rad/s}}\nsimulation: {duration: 0.5 s" +
         more + "}\noutput: {step: 10 ms, measures: " + measures + "}\n";
}

TEST(Measures, AreTheirExpressionAtEverySample) {
  const Recording run =
      run_text(crank("{power: {value: motor.torque*crank-1.omega, unit: W}, speed: {value: "
                     "half*2*sqrt(crank-1.vx^2 + crank-1.vy^2), unit: m/s}, "
                     "less: {value: crank-1.x-crank-1.y, unit: m}}"));
  ASSERT_GT(run.rows.size(), 40u);
  for (const auto& row : run.rows) {
    const auto at = [&](const std::string& name) { return row[run.column(name)]; };
    EXPECT_EQ(at("power"), at("motor.torque") * at("crank-1.omega"));
    EXPECT_NEAR(at("speed"), 1, 1e-9);  // ω r of the centre, 10 rad/s · 0.1 m
    EXPECT_EQ(at("less"), at("crank-1.x") - at("crank-1.y"));
  }
}

// The motor's power is the rate of the energy that it puts in: m g r cos φ ω.
TEST(Measures, PowerIsTheRateOfTheWork) {
  const Recording run = run_text(crank("{power: {value: motor.torque*crank-1.omega, unit: W}}"));
  for (const auto& row : run.rows)
    EXPECT_NEAR(row[run.column("power")], 2 * 9.81 * 0.1 * std::cos(10 * row[0]) * 10, 1e-6);
}

TEST(Measures, KnowTheTime) {
  const Recording run = run_text(crank("{way: {value: 2*t + crank-1.omega*time, unit: rad}}"));
  for (const auto& row : run.rows) EXPECT_NEAR(row[run.column("way")], 12 * row[0], 1e-9);
}

TEST(Measures, AreSignalsEverywhereWithTheirUnit) {
  const auto model = model_of_text(crank("{power: {value: motor.torque*crank-1.omega, unit: W}}"));
  const Simulation simulation(*model);
  const auto at = std::find_if(simulation.signals().begin(), simulation.signals().end(),
                               [](const Signal& s) { return s.name == "power"; });
  ASSERT_NE(at, simulation.signals().end());
  EXPECT_EQ(at->unit, "W");
  EXPECT_NEAR(simulation.value("power"), 2 * 9.81 * 0.1 * 10, 1e-9);
  // Recorded where other signals are chosen, too: it was asked for by being written.
  const Recording chosen = run(*model_of_text(crank("{power: {value: motor.torque*crank-1.omega, unit: W}}"),
                                              {"output.signals=[crank-1.x]"}));
  EXPECT_EQ(chosen.names, (std::vector<std::string>{"crank-1.x", "power"}));
}

TEST(Measures, FaultsHaveTheirPlace) {
  const auto fault = [](const std::string& measures) {
    try {
      model_of_text(crank(measures));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(fault("{p: {value: moter.torque}}"),
              HasSubstr("there is no signal 'moter.torque'; did you mean 'motor.torque'?"));
  EXPECT_THAT(fault("{p: {value: motor.torque W}}"), HasSubstr("its unit goes under `unit`"));
  EXPECT_THAT(fault("{p: {value: motor.torque, unit: kW}}"), HasSubstr("not a unit of the SI itself"));
  EXPECT_THAT(fault("{p: {value: motor.torque*(}}"), HasSubstr("measure 'p' is"));
  EXPECT_THAT(fault("{p: {value: motor.torque, unit: parsnips}}"), HasSubstr("'unit' of measure 'p'"));
  EXPECT_THAT(fault("{p: {unit: W}}"), HasSubstr("missing key 'value'"));
}

}  // namespace
}  // namespace tappet::testing::measures_test
