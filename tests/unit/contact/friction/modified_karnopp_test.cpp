// The falling coefficient.

#include "unit/contact/law_fixture.hpp"

namespace tappet::test::modified_karnopp_test {
namespace {

TEST(ModifiedKarnopp, FallsFromTheBandOn) {
  const auto law = friction_law(
      "{law: modified-karnopp, static: 0.3, dynamic: 0.2, stick_velocity: 0.01, friction_velocity: 0.11}");
  EXPECT_EQ(law->evaluate(0.005).coefficient, 0.3);
  EXPECT_NEAR(law->evaluate(0.06).coefficient, 0.25, 1e-15);
  EXPECT_EQ(law->evaluate(0.2).coefficient, 0.2);
}

}  // namespace
}  // namespace tappet::test::modified_karnopp_test
