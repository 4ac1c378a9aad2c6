// The relation between hysteresis factor and realised restitution.

#include "tappet/contact/restitution.hpp"

#include <cmath>
#include <limits>

#include "unit/contact/law_fixture.hpp"

namespace tappet::test::restitution_test {
namespace {

TEST(Restitution, RelationIsSolvedToRounding) {
  for (double h : {1e-9, 1e-6, 1e-3, 0.01, 0.1425, 0.75, 1.35, 5.0, 14.4}) {
    const double e = realised_restitution(h);
    // G(h, e) = h (1 + e) − ln((1 + h)/(1 − h e)) = 0. Rounding of e by ε e moves G by G_e ε e, and the h that belongs to it by h_e ε e.
    const long double E = e, H = h, rest = 1 - H * E;
    const double G = static_cast<double>(H * (1 + E) - std::log1p(H) + std::log1p(-H * E));
    const double G_e = static_cast<double>(H - H / rest),
                 G_h = static_cast<double>(1 + E - 1 / (1 + H) - E / rest);
    const double rounding = 4 * std::numeric_limits<double>::epsilon();
    EXPECT_LE(std::abs(G), rounding * (std::abs(G_e) * e + h)) << h;
    EXPECT_LE(std::abs(hysteresis_for(e) - h), rounding * (std::abs(G_e / G_h) * e + h)) << h;
  }
  EXPECT_EQ(realised_restitution(0), 1);
  EXPECT_EQ(hysteresis_for(1), 0);
  EXPECT_NEAR(realised_restitution(1e-9), 1 - 2e-9 / 3, 1e-15);
}

}  // namespace
}  // namespace tappet::test::restitution_test
