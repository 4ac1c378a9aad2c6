// Threlfall as printed.

#include <cmath>

#include "unit/contact/law_fixture.hpp"

namespace tappet::test::threlfall_test {
namespace {

TEST(Threlfall, PrintedShape) {
  const auto law = friction_law("{law: threlfall, coefficient: 0.2, v0: 10 mm/s}");
  EXPECT_NEAR(law->evaluate(5e-3).coefficient, 0.2 * (1 - std::exp(-1.5)), 1e-15);
  EXPECT_NEAR(law->evaluate(1).coefficient, 0.95 * 0.2, 5e-5);
  EXPECT_DOUBLE_EQ(law->evaluate(10e-3).coefficient, law->evaluate(1).coefficient);
}

// Flores 2006, equation 15: the rise alone, towards μ itself.
TEST(Threlfall, AsPrintedIn2006) {
  const auto law = friction_law("{law: threlfall, coefficient: 0.2, v0: 10 mm/s, variant: 2006}");
  for (const double v : {1e-4, 5e-3, 10e-3, 0.02, 0.1})
    EXPECT_NEAR(law->evaluate(v).coefficient, 0.2 * (1 - std::exp(-300 * v)), 1e-15) << v;
  EXPECT_TRUE(law->traits().kinks.empty());
  EXPECT_EQ(law->traits().sliding_coefficient, 0.2);
}

}  // namespace
}  // namespace tappet::test::threlfall_test
