// A flexible rod in a slider-crank against the published digits of the test set for initial value problems.
#include "support/flexible_crank.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::flexible_crank_test {
namespace {

TEST(FlexibleCrank, AcceleratesAtTheStartAsPublished) {
  FlexibleCrank crank;
  crank.simulation = "duration: 1e-6, tolerance: 1e-10";
  crank.output = "output: {step: 1e-6}";
  const Recording r = run_text(crank.text());
  const auto start = [&](const char* name) { return r.rows.front()[r.column(name)]; };
  EXPECT_NEAR(start("rod.alpha"), -1.344541576709835e-03, 1e-10 * 150 * 150);
  EXPECT_NEAR(start("slider.ax"), -5.062194924760362e+03, 1e-10 * 5062);
  EXPECT_NEAR(start("rod.qdd1"), -6.829725363303234e-05, 1e-10 * 150 * 150);
  EXPECT_NEAR(start("rod.qdd2"), 0, 1e-10 * 150 * 150);
  EXPECT_NEAR(start("rod.qdd3"), -4.268463042277786, 1e-9);
  EXPECT_NEAR(start("rod.qdd4"), 2.098336327652156e-01, 1e-9);
}

TEST(FlexibleCrank, IsWhereItWasPublishedToBe) {
  FlexibleCrank crank;
  crank.simulation = "duration: 0.1, integrator: dop853, tolerance: 1e-13";
  const Recording r = run_text(crank.text());
  const struct {
    const char* name;
    double value;
  } published[] = {{"rod.angle", -3.311734988256306e-01}, {"slider.x", 1.697373328430721e-01},
                   {"rod.q1", 1.8931928997009e-04},       {"rod.q2", 2.3757512499866e-05},
                   {"rod.q3", -5.3238967707486e-06},      {"rod.q4", -8.3633132788078e-06}};
  for (const auto& p : published) {
    printf("%-10s %.15g  relative %.1e\n", p.name, r.last(p.name), r.last(p.name) / p.value - 1);
    EXPECT_NEAR(r.last(p.name), p.value, 1e-8 * std::abs(p.value)) << p.name;
  }
  EXPECT_LT(r.summary.energy_residual, 1e-9);
}

}  // namespace
}  // namespace tappet::testing::flexible_crank_test
