// Stribeck's falling curve.

#include <cmath>

#include "unit/contact/law_fixture.hpp"

namespace tappet::test::stribeck_test {
namespace {

TEST(Stribeck, FallsFromStaticToDynamicAndSticks) {
  for (const double alpha : {1.0, 2.0}) {
    const auto law = friction_law(fmt::format(
        "{{law: stribeck, static: 0.5, dynamic: 0.3, stribeck_velocity: 0.1, exponent: {}}}", alpha));
    EXPECT_EQ(law->traits().kind, FrictionKind::stick);
    EXPECT_EQ(law->traits().stick_velocity, 0);
    EXPECT_DOUBLE_EQ(law->evaluate(0).coefficient, 0.5);
    EXPECT_NEAR(law->evaluate(0.1).coefficient, 0.3 + 0.2 / std::exp(1.0), 1e-15);
    EXPECT_NEAR(law->evaluate(0.2).coefficient, 0.3 + 0.2 * std::exp(-std::pow(2, alpha)), 1e-15);
    EXPECT_NEAR(law->evaluate(10).coefficient, 0.3, 1e-15);
    for (const double v : {0.03, 0.1, 0.3}) {
      const double slope = (law->evaluate(v + 1e-6).coefficient - law->evaluate(v - 1e-6).coefficient) / 2e-6;
      EXPECT_NEAR(law->evaluate(v).d_speed, slope, 1e-8) << alpha << ' ' << v;
    }
  }
  std::string why;
  EXPECT_FALSE(try_friction_law("{law: stribeck, static: 0.2, dynamic: 0.3, stribeck_velocity: 0.1}", why));
}

}  // namespace
}  // namespace tappet::test::stribeck_test
