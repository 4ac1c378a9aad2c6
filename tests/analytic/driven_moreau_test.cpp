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

}  // namespace
}  // namespace tappet::testing::driven_moreau_test
