// Adams' IMPACT.

#include <cmath>
#include <numbers>

#include "tappet/contact/curve.hpp"
#include "unit/contact/law_fixture.hpp"

namespace tappet::test::impact_test {
namespace {

TEST(Impact, RestingPenetration) {
  const auto law = normal_law("{law: impact, stiffness: 1e8, exponent: 2.2, damping: 1e4, depth: 0.1 mm}");
  const double weight = 32.7 * 9.81;
  EXPECT_NEAR(law->evaluate({.depth = std::pow(weight / 1e8, 1 / 2.2)}).force, weight, 1e-10 * weight);
}

TEST(Impact, PrintedParts) {
  const auto law = normal_law("{law: impact, stiffness: 1e8, exponent: 2.2, damping: 1e4, depth: 0.1 mm}");
  const double spring = 1e8 * std::pow(5e-5, 2.2);
  // Half depth, half damping; beyond depth, all of it; never pulling.
  EXPECT_NEAR(law->evaluate({5e-5, 0.2, 0}).force, spring + 0.5 * 1e4 * 0.2, 1e-9);
  EXPECT_NEAR(law->evaluate({2e-4, 0.2, 0}).force, 1e8 * std::pow(2e-4, 2.2) + 1e4 * 0.2, 1e-9);
  EXPECT_EQ(law->evaluate({5e-5, -0.2, 0}).force, 0);
}

TEST(Impact, WithoutDampingConservesEnergyAtEveryStiffness) {
  for (double k = 1e4; k < 1e10; k *= 10) {
    const auto law = normal_law(fmt::format("{{law: impact, stiffness: {}, exponent: 1}}", k));
    const ImpactResult impact = single_impact(*law, {.mass = 32.7, .speed = 2.8});
    EXPECT_NEAR(impact.restitution, 1, 1e-11);
    EXPECT_NEAR(impact.duration / (std::numbers::pi * std::sqrt(32.7 / k)), 1, 1e-11);
  }
}

}  // namespace
}  // namespace tappet::test::impact_test
