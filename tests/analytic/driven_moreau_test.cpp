// Driven mechanisms under method moreau: the work of bringing velocities back onto joints that move is the motor's.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::driven_moreau_test {
namespace {

// The slider-crank with clearance over twenty turns: what the motor put in is what is there or was lost.
TEST(DrivenMoreau, LedgerOfTheSliderCrankCloses) {
  const Recording r = run_example("slider_crank/clearance.yaml",
                                  {"simulation.method=moreau", "simulation.step=10 us", "output.step=1 ms"});
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  fmt::print("residual {:.2e}, input {:.2f} J\n", r.summary.energy_residual, r.last("energy.input"));
  EXPECT_LT(r.summary.energy_residual, 1e-4);
}

// Without clearance the torque is that of method smooth, up to the half step by which a mean over the step lags.
TEST(DrivenMoreau, TorqueIsThatOfMethodSmooth) {
  const std::vector<std::string> common = {"simulation.duration=12 ms", "output.step=0.1 ms"};
  const auto run_with = [&](std::vector<std::string> more) {
    more.insert(more.end(), common.begin(), common.end());
    return run_example("slider_crank/ideal.yaml", more);
  };
  const Recording smooth = run_with({"simulation.tolerance=1e-11"});
  const double peak = smooth.largest("motor.torque");
  double last = 0;
  for (double step : {1e-5, 5e-6, 2.5e-6}) {
    const Recording r = run_with({"simulation.method=moreau", fmt::format("simulation.step={}", step)});
    ASSERT_EQ(r.rows.size(), smooth.rows.size());
    double worst = 0, input = 0;
    for (std::size_t i = 1; i < r.rows.size(); ++i) {
      worst = std::max(worst, std::abs(r.rows[i][r.column("motor.torque")] -
                                       smooth.rows[i][smooth.column("motor.torque")]));
      input = std::max(input, std::abs(r.rows[i][r.column("energy.input")] -
                                       smooth.rows[i][smooth.column("energy.input")]));
    }
    fmt::print("step {}: torque off by {:.2e} of its peak, input by {:.1e} J\n", step, worst / peak, input);
    EXPECT_LT(worst / peak, 1500 * step);
    EXPECT_LT(input, 1e-4 * smooth.largest("energy.input"));
    if (last > 0) {
      EXPECT_NEAR(last / worst, 2, 0.2);
    }
    last = worst;
  }
}

// A rod of 1 kg and 0.5 m hangs from a crank of 0.1 m that turns at 10 rad/s: of second order, and so is what the ledger lacks.
TEST(DrivenMoreau, RodOnACrankIsOfSecondOrder) {
  const auto run_with = [](const std::string& simulation) {
    return run_text(
        fmt::format("tappet: 1\ndimension: planar\ngravity: [0, -9.81]\nbodies:\n"
                    "  crank: {{mass: 1, inertia: 0.01, position: [0, 0], angular_velocity: 10}}\n"
                    "  rod: {{mass: 1, inertia: {:.17g}, position: [0.1, -0.25], angle: {:.17g}, velocity: "
                    "[0, 1], angular_velocity: 0}}\n"
                    "joints:\n  main: {{type: revolute, bodies: [ground, crank], points: [[0, 0], [0, 0]]}}\n"
                    "  pin: {{type: revolute, bodies: [crank, rod], points: [[0.1, 0], [-0.25, 0]]}}\n"
                    "motions: {{motor: {{joint: main, speed: 10}}}}\nsimulation: {{{}, duration: "
                    "2}}\noutput: {{step: 0.1}}\n",
                    1.0 / 12 * 0.25, -M_PI / 2, simulation));
  };
  const double exact = run_with("method: smooth, tolerance: 1e-12").last("rod.angle");
  double last = 0, last_lack = 0;
  for (double step : {4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4}) {
    const Recording r = run_with(fmt::format("method: moreau, step: {}", step));
    const auto energy = [&](const std::vector<double>& row) {
      return row[r.column("energy.kinetic")] + row[r.column("energy.potential")] -
             row[r.column("energy.input")];
    };
    const double error = std::abs(r.last("rod.angle") - exact),
                 lack = std::abs(energy(r.rows.back()) - energy(r.rows.front()));
    fmt::print("step {}: angle off by {:.2e}, energy by {:.1e} J\n", step, error, lack);
    if (last > 0) {
      EXPECT_NEAR(std::log2(last / error), 2, 0.1) << step;
      EXPECT_GE(last_lack / lack, step < 1e-3 ? 3.9 : 3.5) << step;
    }
    last = error, last_lack = lack;
  }
  EXPECT_LT(last, 1e-5);
}

}  // namespace
}  // namespace tappet::testing::driven_moreau_test
