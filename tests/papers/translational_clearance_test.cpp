// The slider-crank with a translational clearance joint of Flores, Leine and Glocker: as the corners stiffen, the smooth
// method approaches rigid impacts with e = 0.4.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "support/run_model.hpp"

namespace tappet::testing {
namespace {

// Impact times of the rigid mechanism, event-driven in higher precision.
constexpr double rigid[] = {2.692502752e-3, 5.607797868e-3, 7.465635170e-3};

TEST(TranslationalClearance, ApproachesRigidImpactsAsTheCornersStiffen) {
  double last[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
  for (const char* stiffness : {"1e7", "1e8", "1e9", "1e10", "1e11"}) {
    const Recording r = run_example("translational_clearance/model.yaml",
                                    {std::string("joints.guide.clearance.normal.stiffness=") + stiffness,
                                     "simulation.duration=8.5e-3", "simulation.tolerance=1e-10", "output.step=1e-3"});
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    ASSERT_GE(r.impacts.size(), 3u);
    EXPECT_LT(r.summary.energy_residual, 1e-6);
    double error[3];
    for (int i = 0; i < 3; ++i) error[i] = std::abs(r.impacts[i].start / rigid[i] - 1);
    fmt::print("stiffness {:>5}: impacts at {:.9e} {:.9e} {:.9e} s, off by {:.1e} {:.1e} {:.1e}\n", stiffness,
               r.impacts[0].start, r.impacts[1].start, r.impacts[2].start, error[0], error[1], error[2]);
    EXPECT_LT(error[0], 2e-9);  // free flight: no matter how stiff
    for (int i = 1; i < 3; ++i) {
      EXPECT_LT(error[i], 0.5 * last[i]) << i;
      last[i] = error[i];
    }
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(r.impacts[i].restitution, 0.4, 0.05) << i;
  }
  EXPECT_LT(last[1], 1e-4);
  EXPECT_LT(last[2], 1e-4);
}

}  // namespace
}  // namespace tappet::testing
