// The long film against integrals of its pressure.
#include <cmath>
#include <numbers>

#include <boost/math/quadrature/gauss_kronrod.hpp>

#include "unit/contact/film_fixture.hpp"

namespace tappet::test::sommerfeld_test {
namespace {

constexpr double pi = std::numbers::pi;
using Quadrature = boost::math::quadrature::gauss_kronrod<double, 61>;

// Sommerfeld's pressure for ω_eff = 1 in units of μ R²/c², θ = ϑ + π from the widest gap.
double turning(double eps, double theta) {
  const double h = 1 + eps * std::cos(theta);
  return 6 * eps * (2 + eps * std::cos(theta)) * std::sin(theta) / ((2 + eps * eps) * h * h);
}
// … and of squeezing with ε̇ = 1, from H³ p′ = 12 sin θ: p = (6/ε)/h² against p where the gap is widest.
double squeezing(double eps, double theta) {
  const double h = 1 + eps * std::cos(theta);
  return 6 / eps * (1 / (h * h) - 1 / ((1 + eps) * (1 + eps)));
}

TEST(Sommerfeld, TurnsAsTheIntegralOfItsPressure) {
  const auto half = film_law("{model: sommerfeld, viscosity: 1}"),
             full = film_law("{model: sommerfeld, viscosity: 1, film: full}");
  for (double eps : {0.1, 0.5, 0.9, 0.99}) {
    // The force on the journal is −∫ p u, and u·n = cos ϑ = −cos θ, u·t = −sin θ.
    const auto force = [&](double to, bool across) {
      return Quadrature::integrate(
          [&](double a) { return turning(eps, a) * (across ? std::sin(a) : std::cos(a)); }, 0.0, to, 15,
          1e-13);
    };
    const auto f = long_film_force(*half, eps, 0, -0.5 * eps), g = long_film_force(*full, eps, 0, -0.5 * eps);
    EXPECT_NEAR(f[0], force(pi, false), 1e-9 * std::abs(f[0]));
    EXPECT_NEAR(f[1], force(pi, true), 1e-9 * std::abs(f[1]));
    EXPECT_NEAR(g[0], 0, 1e-9 * std::abs(g[1]));
    EXPECT_NEAR(g[1], force(2 * pi, true), 1e-9 * std::abs(g[1]));
    EXPECT_NEAR(f[0], -12 * eps * eps / ((2 + eps * eps) * (1 - eps * eps)), 1e-11 * std::abs(f[0]));
  }
}

TEST(Sommerfeld, IsSqueezedAsTheIntegralOfItsPressure) {
  const auto full = film_law("{model: sommerfeld, viscosity: 1, film: full}"),
             half = film_law("{model: sommerfeld, viscosity: 1}");
  for (double eps : {0.1, 0.5, 0.9}) {
    const double whole = Quadrature::integrate([&](double a) { return squeezing(eps, a) * std::cos(a); }, 0.0,
                                               2 * pi, 15, 1e-13);
    EXPECT_NEAR(long_film_force(*full, eps, 1, 0)[0], whole, 1e-9 * std::abs(whole));
    EXPECT_NEAR(long_film_force(*half, eps, 1, 0)[0], whole / 2, 1e-9 * std::abs(whole));
    EXPECT_EQ(long_film_force(*half, eps, 1, 0)[1], 0);
  }
}

}  // namespace
}  // namespace tappet::test::sommerfeld_test
