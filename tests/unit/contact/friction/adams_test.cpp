// Adams' cubic steps.

#include "unit/contact/law_fixture.hpp"

namespace tappet::test::adams_test {
namespace {

TEST(Adams, PrintedShape) {
  const auto law = friction_law(
      "{law: adams, static: 0.3, dynamic: 0.1, stiction_velocity: 0.1 m/s, friction_velocity: 1 m/s}");
  // STEP(0.05, −0.1, −0.3, 0.1, 0.3) with Δ = 3/4: −0.3 + 0.6 · 27/32.
  EXPECT_NEAR(law->evaluate(0.05).coefficient, -0.3 + 0.6 * 27 / 32, 1e-15);
  EXPECT_DOUBLE_EQ(law->evaluate(0.1).coefficient, 0.3);
  EXPECT_NEAR(law->evaluate(0.55).coefficient, 0.2, 1e-15);
  EXPECT_EQ(law->evaluate(2).coefficient, 0.1);
}

// As Giesbers saw it (section 3.3.3): for V_s ≥ V_d the coefficient jumps at V_s, and V_d is disregarded.
TEST(Adams, FrictionVelocityBelowStictionVelocityIsDisregarded) {
  for (const double V_d : {1.0, 0.1}) {
    const auto law = friction_law(fmt::format(
        "{{law: adams, static: 0.3, dynamic: 0.1, stiction_velocity: 1, friction_velocity: {}}}", V_d));
    // STEP(0.5, −1, −0.3, 1, 0.3) with Δ = 3/4.
    EXPECT_NEAR(law->evaluate(0.5).coefficient, -0.3 + 0.6 * 27 / 32, 1e-15);
    EXPECT_DOUBLE_EQ(law->evaluate(1).coefficient, 0.3);
    EXPECT_EQ(law->evaluate(1.0000001).coefficient, 0.1);
    EXPECT_EQ(law->evaluate(5).coefficient, 0.1);
    ASSERT_EQ(law->traits().kinks, std::vector<double>{1});
    // Beyond its end the first branch goes on level.
    EXPECT_EQ(law->evaluate_branch(0, 2).coefficient, 0.3);
    EXPECT_EQ(law->evaluate_branch(0, 2).d_speed, 0);
  }
}

}  // namespace
}  // namespace tappet::test::adams_test
