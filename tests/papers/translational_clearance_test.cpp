// The slider-crank with a translational clearance joint of Flores, Leine and Glocker: as the corners stiffen,
// the smooth method approaches rigid impacts with e = 0.4.
#include "support/run_model.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace tappet::testing {
namespace {

// Impact times of the rigid mechanism, event-driven in higher precision.
constexpr double rigid[] = {2.692502752e-3, 5.607797868e-3, 7.465635170e-3};

TEST(TranslationalClearance, ApproachesRigidImpactsAsTheCornersStiffen) {
  double last[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
  for (const char* stiffness : {"1e7", "1e8", "1e9", "1e10", "1e11"}) {
    const Recording r =
        run_example("translational_clearance/model.yaml",
                    {std::string("joints.guide.clearance.normal.stiffness=") + stiffness,
                     "simulation.duration=9.5e-3", "simulation.tolerance=1e-10", "output.step=1e-3"});
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    EXPECT_LT(r.summary.energy_residual, 1e-6);
    // Two corners that strike at once are one impact.
    std::vector<double> starts;
    for (const Impact& i : r.impacts)
      if (starts.empty() || i.start > starts.back() + 1e-6) starts.push_back(i.start);
    ASSERT_GE(starts.size(), 3u) << r.impacts.size();
    double error[3];
    for (int i = 0; i < 3; ++i) error[i] = std::abs(starts[i] / rigid[i] - 1);
    fmt::print("stiffness {:>5}: impacts at {:.9e} {:.9e} {:.9e} s, off by {:.1e} {:.1e} {:.1e}\n", stiffness,
               starts[0], starts[1], starts[2], error[0], error[1], error[2]);
    EXPECT_LT(error[0], 2e-9);  // free flight: no matter how stiff
    for (int i = 1; i < 3; ++i) {
      EXPECT_LT(error[i], 0.5 * last[i]) << i;
      last[i] = error[i];
    }
  }
  EXPECT_LT(last[1], 1e-3);
  EXPECT_LT(last[2], 1e-3);
}

}  // namespace
}  // namespace tappet::testing
