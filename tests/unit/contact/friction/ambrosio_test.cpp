// Ambrósio as printed.

#include "unit/contact/law_fixture.hpp"

namespace tappet::test::ambrosio_test {
namespace {

TEST(Ambrosio, PrintedShape) {
  const auto law = friction_law("{law: ambrosio, coefficient: 0.03, v0: 1 mm/s, v1: 10 mm/s}");
  EXPECT_EQ(law->evaluate(0.9e-3).coefficient, 0);
  EXPECT_DOUBLE_EQ(law->evaluate(5.5e-3).coefficient, 0.015);
  EXPECT_EQ(law->evaluate(11e-3).coefficient, 0.03);
  std::string why;
  EXPECT_FALSE(try_friction_law("{law: ambrosio, coefficient: 0.03, v0: 10 mm/s, v1: 1 mm/s}", why));
  EXPECT_NE(why.find("'v1'"), std::string::npos) << why;
}

}  // namespace
}  // namespace tappet::test::ambrosio_test
