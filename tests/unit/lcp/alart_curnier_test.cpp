#include "tappet/lcp/alart_curnier.hpp"

#include <gtest/gtest.h>

#include "unit/lcp/stored_problems.hpp"

namespace tappet::lcp::alart_curnier_test {
namespace {

template <int D>
void check_derivatives(std::uint64_t seed) {
  using Law = AlartCurnier<D>;
  using Vector = typename Law::Vector;
  stored::Random random(seed);
  int seen[3] = {0, 0, 0};
  for (int trial = 0; trial < 600; ++trial) {
    const Law law{random.uniform(0, 1), random.uniform(0.5, 2), random.uniform(0.5, 2)};
    const Vector r = random.vector(D), u = random.vector(D), direction_r = random.vector(D),
                 direction_u = random.vector(D);
    Vector phi, ahead, behind;
    typename Law::Block a, b;
    const Regime regime = law.evaluate(r, u, phi, &a, &b);
    const double step = 1e-6;
    const Regime next = law.evaluate(r + step * direction_r, u + step * direction_u, ahead, nullptr, nullptr);
    const Regime last =
        law.evaluate(r - step * direction_r, u - step * direction_u, behind, nullptr, nullptr);
    if (next != regime || last != regime) continue;
    ++seen[static_cast<int>(regime)];
    const Vector expected = (ahead - behind) / (2 * step);
    EXPECT_NEAR((a * direction_r + b * direction_u - expected).norm(), 0, 1e-6 * (1 + expected.norm()));
  }
  for (int count : seen) EXPECT_GT(count, 20);
}

TEST(AlartCurnier, DerivativesMatchDifferences) {
  check_derivatives<2>(3);
  check_derivatives<3>(4);
}

TEST(AlartCurnier, VanishesWhereCoulombsLawHolds) {
  const AlartCurnier<3> law{0.5, 2, 3};
  Eigen::Vector3d phi;
  // Open, sticking inside the cone, and sliding against the friction on its rim.
  law.evaluate({0, 0, 0}, {1, 2, 3}, phi, nullptr, nullptr);
  EXPECT_EQ(phi.norm(), 0);
  law.evaluate({2, 0.3, 0.4}, {0, 0, 0}, phi, nullptr, nullptr);
  EXPECT_EQ(phi.norm(), 0);
  law.evaluate({2, -0.6, 0.8}, {0, 3, -4}, phi, nullptr, nullptr);
  EXPECT_NEAR(phi.norm(), 0, 1e-15);
  // ... and not where friction pushes forward.
  law.evaluate({2, 0.6, -0.8}, {0, 3, -4}, phi, nullptr, nullptr);
  EXPECT_GT(phi.norm(), 1);
}

}  // namespace
}  // namespace tappet::lcp::alart_curnier_test
