// Adams' cubic steps.

#include "unit/contact/law_fixture.hpp"

namespace tappet::test {
namespace {

TEST(Adams, PrintedShape) {
  const auto law = friction_law(
      "{law: adams, static: 0.3, dynamic: 0.1, stiction_velocity: 0.1 m/s, friction_velocity: 1 m/s}");
  // STEP(0.05, −0.1, −0.3, 0.1, 0.3) with Δ = 3/4: −0.3 + 0.6 · 27/32.
  EXPECT_NEAR(law->evaluate(0.05).coefficient, -0.3 + 0.6 * 27 / 32, 1e-15);
  EXPECT_DOUBLE_EQ(law->evaluate(0.1).coefficient, 0.3);
  EXPECT_NEAR(law->evaluate(0.55).coefficient, 0.2, 1e-15);
  EXPECT_EQ(law->evaluate(2).coefficient, 0.1);
  std::string why;
  EXPECT_FALSE(try_friction_law(
      "{law: adams, static: 0.3, dynamic: 0.1, stiction_velocity: 1, friction_velocity: 0.1}", why));
}

}  // namespace
}  // namespace tappet::test
