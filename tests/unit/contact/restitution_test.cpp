// The relation between hysteresis factor and realised restitution.

#include "tappet/contact/restitution.hpp"

#include <cmath>

#include "unit/contact/law_fixture.hpp"

namespace tappet::test::restitution_test {
namespace {

TEST(Restitution, RelationIsSolvedToRounding) {
  for (double h : {1e-9, 1e-6, 1e-3, 0.01, 0.1425, 0.75, 1.35, 5.0, 14.4}) {
    const long double e = realised_restitution(h);
    const long double left = h * (1 + e), right = std::log((1 + h) / (1 - h * e));
    EXPECT_NEAR(static_cast<double>(left - right), 0, h > 3 ? 1e-4 : 1e-14) << h;
    if (h > 10) continue;
    EXPECT_NEAR(hysteresis_for(static_cast<double>(e)) / h, 1, 1e-6) << h;
  }
  EXPECT_EQ(realised_restitution(0), 1);
  EXPECT_EQ(hysteresis_for(1), 0);
  EXPECT_NEAR(realised_restitution(1e-9), 1 - 2e-9 / 3, 1e-15);
}

}  // namespace
}  // namespace tappet::test::restitution_test
