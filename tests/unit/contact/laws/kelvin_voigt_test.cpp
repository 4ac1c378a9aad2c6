// Kelvin–Voigt: printed and matched.

#include <cmath>

#include "tappet/contact/curve.hpp"
#include "unit/contact/law_fixture.hpp"

namespace tappet::test::kelvin_voigt_test {
namespace {

TEST(KelvinVoigt, RealisesTheRootOfItsRatio) {
  for (double c : {0.1, 0.5, 0.9, 1.0}) {
    const auto printed =
        normal_law(fmt::format("{{law: kelvin-voigt, stiffness: 1.5e8, restitution: {}}}", c));
    const auto matched = normal_law(
        fmt::format("{{law: kelvin-voigt, stiffness: 1.5e8, restitution: {}, variant: matched}}", c));
    EXPECT_NEAR(single_impact(*printed, {.speed = 1}).restitution, std::sqrt(c), 2e-8) << c;
    EXPECT_NEAR(single_impact(*matched, {.speed = 1}).restitution, c, 2e-8) << c;
    EXPECT_DOUBLE_EQ(printed->evaluate({1e-5, 1, 1}).force, 1500);
    EXPECT_DOUBLE_EQ(printed->evaluate({1e-5, -1, 1}).force, 1500 * c);
    EXPECT_DOUBLE_EQ(matched->evaluate({1e-5, -1, 1}).force, 1500 * c * c);
  }
}

}  // namespace
}  // namespace tappet::test::kelvin_voigt_test
