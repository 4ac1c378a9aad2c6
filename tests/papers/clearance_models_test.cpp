// The two other models of clearance of Flores & Ambrósio 2004, massless link and spring-damper: they run,
// their energy is accounted for, and with little play the mechanism moves as the ideal one does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::clearance_models_test {
namespace {

class ClearanceModel : public ::testing::TestWithParam<const char*> {};

TEST_P(ClearanceModel, ApproachesTheIdealMechanism) {
  const std::vector<std::string> common = {"output.signals=[slider.*, energy.*]", "output.step=20e-6",
                                           "simulation.tolerance=1e-9"};
  const Recording ideal = run_example("slider_crank/ideal.yaml", common);
  double last = HUGE_VAL;
  for (const double clearance : {0.5, 0.1, 0.02}) {
    std::vector<std::string> settings = common;
    settings.push_back(fmt::format("joints.wrist.clearance.journal_radius={} mm", 10 - clearance));
    const Recording r = run_example(std::string("slider_crank/") + GetParam() + ".yaml", settings);
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    EXPECT_LT(r.summary.energy_residual, 1e-6);
    EXPECT_LT(r.summary.constraint_violation, 1e-10);
    const double off = largest_difference(r, ideal, "slider.x"),
                 speed = largest_difference(r, ideal, "slider.vx");
    fmt::print("{}, clearance {} mm: slider off by {:.4f} mm, {:.3f} m/s; ledger {:.1e}\n", GetParam(),
               clearance, 1e3 * off, speed, r.summary.energy_residual);
    // The play itself, turned by the rod's slope, and what the spring gives way.
    EXPECT_LT(off, 1.2e-3 * clearance + 0.02e-3);
    EXPECT_LT(off, last);
    last = off;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, ClearanceModel, ::testing::Values("massless_link", "spring_damper"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tappet::testing::clearance_models_test
