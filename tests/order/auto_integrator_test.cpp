// `integrator: auto` takes the cheaper one of its two candidates, at every tolerance of the work-precision table (bench/README.md).
#include <gtest/gtest.h>

#include "support/work_precision.hpp"

namespace tappet::testing::auto_integrator_test {
namespace {

/// Evaluations, and one per step for what a step costs beside them: projection, error control, contacts watched. Counted in
/// instructions (bench/work_precision) that is 0.25 evaluations in a large mechanism and 1.25 in a small one with a contact.
double cost(const Work& work) {
  return static_cast<double>(work.evaluations + work.steps);
}

TEST(AutoIntegrator, IsTheCheaperOneAtEveryTolerance) {
  constexpr long enough = 25;  // steps; what fewer of them cost is chance
  for (const WorkModel& model : work_models()) {
    if (model.stiff)
      continue;  // stability holds both to short steps, and which needs fewer of them is chance
    const WorkPrecision work(model);
    for (const double tolerance : work_tolerances) {
      const Work dopri5 = work.at("dopri5", tolerance), dop853 = work.at("dop853", tolerance),
                 taken = work.at("auto", tolerance);
      if (dopri5.steps < enough) continue;
      EXPECT_LE(cost(taken), model.slack * std::min(cost(dopri5), cost(dop853)))
          << model.name << " at " << tolerance << ": " << taken.integrator;
    }
  }
}

}  // namespace
}  // namespace tappet::testing::auto_integrator_test
