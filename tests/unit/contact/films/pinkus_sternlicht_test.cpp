// The printed formulas, their limits, and how near they are to a long film without tension.
#include <cmath>
#include <numbers>

#include "unit/contact/film_fixture.hpp"

namespace tappet::test::pinkus_sternlicht_test {
namespace {

constexpr double pi = std::numbers::pi;

TEST(PinkusSternlicht, IsAsPrinted) {
  const auto law = film_law("{model: pinkus-sternlicht, viscosity: 1}");
  for (double eps : {0.05, 0.4, 0.8, 0.97})
    for (double rate : {-3.0, -0.2, 0.1, 5.0})
      for (double turning : {-2.0, -0.1, 0.3, 4.0}) {
        const double q = 1 - eps * eps, two = 2 + eps * eps;
        const double k = std::sqrt(q * (turning * turning / (4 * rate * rate) + 1 / (eps * eps)));
        const double A = 6 / (two * std::pow(q, 1.5)) * std::abs(rate);
        const double share = rate > 0 ? (k + 3) / (k + 1.5) : k / (k + 1.5);
        const auto f = long_film_force(*law, eps, rate, -0.5 * eps * turning);
        const double F_n = -A * (4 * k * eps * eps + (rate > 0 ? 1 : -1) * two * pi * share);
        const double F_t = 6 * pi * eps * turning / (two * std::sqrt(q)) * share;
        EXPECT_NEAR(f[0], F_n, 1e-11 * std::hypot(F_n, F_t));
        EXPECT_NEAR(f[1], F_t, 1e-11 * std::hypot(F_n, F_t));
      }
}

TEST(PinkusSternlicht, BecomesSommerfeldsFromBothSides) {
  const auto law = film_law("{model: pinkus-sternlicht, viscosity: 1}"),
             steady = film_law("{model: sommerfeld, viscosity: 1}");
  for (double eps : {0.1, 0.5, 0.9, 0.99})
    for (double rate : {-1e-9, 0.0, 1e-9}) {
      const auto f = long_film_force(*law, eps, rate, -0.5 * eps),
                 g = long_film_force(*steady, eps, 0, -0.5 * eps);
      for (int k : {0, 1}) EXPECT_NEAR(f[k], g[k], 1e-6 * std::hypot(g[0], g[1])) << eps;
    }
}

// Pressing alone, exact with p ≥ 0: −12 ε̇ [arccos(−ε) + ε s]/q^(3/2); parting: 12 |ε̇| [arccos ε − ε s]/q^(3/2).
TEST(PinkusSternlicht, PressesNearlyAsTheExactFilm) {
  const auto law = film_law("{model: pinkus-sternlicht, viscosity: 1}");
  for (double eps = 0.05; eps < 0.991; eps += 0.02) {
    const double q = 1 - eps * eps, s = std::sqrt(q);
    const double exact = 12 * (std::acos(-eps) + eps * s) / (q * s);
    const double ratio = -long_film_force(*law, eps, 1, 0)[0] / exact;
    EXPECT_GT(ratio, 0.98) << eps;
    EXPECT_LT(ratio, 1.09) << eps;
  }
  // Parting is the poorer side, as the page says.
  for (const auto& [eps, expected] :
       {std::pair{0.05, 0.96}, {0.3, 0.81}, {0.6, 0.74}, {0.9, 1.8}, {0.99, 22.6}}) {
    const double q = 1 - eps * eps, s = std::sqrt(q);
    const double exact = 12 * (std::acos(eps) - eps * s) / (q * s);
    EXPECT_NEAR(long_film_force(*law, eps, -1, 0)[0] / exact, expected, 0.02 * expected) << eps;
  }
}

}  // namespace
}  // namespace tappet::test::pinkus_sternlicht_test
