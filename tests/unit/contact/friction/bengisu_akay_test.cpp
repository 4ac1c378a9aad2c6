// Bengisu–Akay as meant.

#include <cmath>

#include "unit/contact/law_fixture.hpp"

namespace tappet::test::bengisu_akay_test {
namespace {

TEST(BengisuAkay, PrintedShape) {
  const auto law = friction_law("{law: bengisu-akay, static: 0.3, dynamic: 0.1, v0: 10 mm/s, kappa: 50}");
  EXPECT_EQ(law->evaluate(0).coefficient, 0);
  EXPECT_DOUBLE_EQ(law->evaluate(10e-3).coefficient, 0.3);
  EXPECT_EQ(law->evaluate(10e-3).d_speed, 0);
  EXPECT_NEAR(law->evaluate(10e-3 + 1.0 / 50).coefficient, 0.1 + 0.2 * std::exp(-1.0), 1e-15);
  EXPECT_NEAR(law->evaluate(10).coefficient, 0.1, 1e-15);
}

}  // namespace
}  // namespace tappet::test::bengisu_akay_test
