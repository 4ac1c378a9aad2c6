// Adams' POISSON.

#include <cmath>

#include "tappet/contact/curve.hpp"
#include "unit/contact/law_fixture.hpp"

namespace tappet::test::poisson_test {
namespace {

TEST(Poisson, ReboundFollowsTheCoefficient) {
  for (double c : {0.1, 0.3, 0.5, 0.7, 0.9, 1.0}) {
    const auto law = normal_law(fmt::format("{{law: poisson, penalty: 1e6, restitution: {}}}", c));
    EXPECT_NEAR(single_impact(*law, {.mass = 32.7, .speed = 2.8}).restitution, c, 2e-5) << c;
  }
  const auto plastic = normal_law("{law: poisson, penalty: 1e6, restitution: 0}");
  const ImpactResult result = single_impact(*plastic, {.mass = 32.7, .speed = 2.8});
  EXPECT_FALSE(result.separated);
  EXPECT_NEAR(result.dissipated, 0.5 * 32.7 * 2.8 * 2.8, 1e-7);
}

TEST(Poisson, AWeightMakesAHigherPenaltyMoreFaithful) {
  double before = 1;
  for (double p : {1e4, 1e5, 1e6, 1e7}) {
    const auto law = normal_law(fmt::format("{{law: poisson, penalty: {}, restitution: 0.7}}", p));
    const ImpactResult impact = single_impact(*law, {.mass = 32.7, .speed = 2.8, .load = 32.7 * 9.81});
    const double error = std::abs(impact.restitution - 0.7);
    EXPECT_LT(error, before);
    before = error;
  }
  EXPECT_LT(before, 1e-5);
}

TEST(Poisson, TheBareFormulaHasItsClosedForm) {
  // ε τ = (1 + ε)(1 − e^(−τ)), rebound ε − (1 + ε) e^(−τ): solved here by fixed-point iteration.
  for (double c : {0.3, 0.7, 1.0}) {
    double tau = 5;
    for (int k = 0; k < 200; ++k) tau = (1 + c) * -std::expm1(-tau) / c;
    const auto law =
        normal_law(fmt::format("{{law: poisson, penalty: 1e6, restitution: {}, rebound_factor: 1}}", c));
    EXPECT_NEAR(single_impact(*law, {.mass = 32.7, .speed = 2.8}).restitution, c - (1 + c) * std::exp(-tau),
                1e-9);
  }
}

// F = p(ε − 1)ẋ: m dv/dδ = −p(1 − ε), so that a mass stops m v/(p(1 − ε)) deep and stays.
TEST(Poisson, AsPrintedItBrakesAndNeverThrowsBack) {
  for (const double c : {0.0, 0.5, 0.9}) {
    const auto law =
        normal_law(fmt::format("{{law: poisson, penalty: 1e4, restitution: {}, variant: printed}}", c));
    EXPECT_DOUBLE_EQ(law->evaluate({.depth = 1e-3, .rate = 0.3, .impact_rate = 1}).force,
                     1e4 * (1 - c) * 0.3);
    EXPECT_EQ(law->evaluate({.depth = 1e-3, .rate = -0.3, .impact_rate = 1}).force, 0);
    EXPECT_EQ(law->evaluate({.depth = 1e-3, .rate = 0, .impact_rate = 1}).force, 0);
    const ImpactResult impact = single_impact(*law, {.mass = 32.7, .speed = 2.8});
    EXPECT_FALSE(impact.separated);
    EXPECT_NEAR(impact.max_depth, 32.7 * 2.8 / (1e4 * (1 - c)), 1e-6 * impact.max_depth);
  }
}

}  // namespace
}  // namespace tappet::test::poisson_test
