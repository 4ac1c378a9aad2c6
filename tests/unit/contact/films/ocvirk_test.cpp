// The short film against integrals of its pressure, and published times of squeezing.
#include <cmath>
#include <numbers>

#include <boost/math/quadrature/gauss_kronrod.hpp>

#include "unit/contact/film_fixture.hpp"

namespace tappet::test::ocvirk_test {
namespace {

constexpr double pi = std::numbers::pi;
using Quadrature = boost::math::quadrature::gauss_kronrod<double, 61>;

// −∫ (w·u) u/H³ dϑ over an arc.
std::array<double, 2> integrated(double eps, double w_n, double w_t, double from, double to) {
  const auto part = [&](bool across) {
    return -Quadrature::integrate(
        [&](double a) {
          const double H = 1 - eps * std::cos(a);
          return (w_n * std::cos(a) + w_t * std::sin(a)) * (across ? std::sin(a) : std::cos(a)) / (H * H * H);
        },
        from, to, 15, 1e-13);
  };
  return {part(false), part(true)};
}

TEST(Ocvirk, IsTheIntegralOfItsPressure) {
  const auto reynolds = film_law("{model: ocvirk, viscosity: 1}");
  const auto half = film_law("{model: ocvirk, viscosity: 1, film: half-sommerfeld}");
  for (double eps : {0.0, 1e-6, 0.1, 0.5, 0.9, 0.99})
    for (double towards = 0.05; towards < 2 * pi; towards += 0.3) {
      const double w_n = std::cos(towards), w_t = std::sin(towards);
      const auto a = short_film_force(*reynolds, eps, w_n, w_t);
      const auto b = integrated(eps, w_n, w_t, towards - pi / 2, towards + pi / 2);
      const auto f = short_film_force(*half, eps, w_n, w_t);
      const auto g = w_t > 0 ? integrated(eps, w_n, w_t, 0, pi) : integrated(eps, w_n, w_t, -pi, 0);
      for (int k : {0, 1}) {
        EXPECT_NEAR(a[k], b[k], 1e-9 * std::hypot(b[0], b[1])) << eps << " " << towards;
        EXPECT_NEAR(f[k], g[k], 1e-11 * std::hypot(g[0], g[1])) << eps << " " << towards;
      }
    }
}

// Under a constant load W, W dt = −F_n(ε̇)/ε̇ dε: the time in units of μ R L³/(W c²).
double squeeze_time(const FilmLaw& law, double to) {
  return Quadrature::integrate([&](double eps) { return -short_film_force(law, eps, 1, 0)[0]; }, 0.0, to, 15,
                               1e-13);
}

TEST(Ocvirk, SqueezesInThePublishedTime) {
  const auto half = film_law("{model: ocvirk, viscosity: 1, film: half-sommerfeld}");
  EXPECT_NEAR(squeeze_time(*half, 0.5), 1.20919958, 1e-8);
  EXPECT_NEAR(squeeze_time(*half, 0.9), 17.06993962, 1e-8);
  const auto reynolds = film_law("{model: ocvirk, viscosity: 1}");
  EXPECT_NEAR(squeeze_time(*reynolds, 0.5), 1.94559943, 1e-8);
  EXPECT_NEAR(squeeze_time(*reynolds, 0.9), 33.50170123, 1e-8);
}

// Steady turning, e along x: w = ½ ω e across. So (D/L)² = ε/(2 q²) √(16 ε² + π² q), tan β = π s/(4 ε).
TEST(Ocvirk, BearsWhenItTurns) {
  for (const char* film : {"reynolds", "half-sommerfeld"}) {
    const auto law = film_law(std::string("{model: ocvirk, viscosity: 1, film: ") + film + "}");
    for (double eps : {0.1, 0.5, 0.9}) {
      const double q = 1 - eps * eps;
      const auto f = short_film_force(*law, eps, 0, -0.5 * eps);
      // So = F ψ²/(B D η ω) with F in μ R L³/c² ω: So (D/L)² = F/(2 …)·4/… = 2 F
      EXPECT_NEAR(2 * std::hypot(f[0], f[1]), eps / (2 * q * q) * std::sqrt(16 * eps * eps + pi * pi * q),
                  1e-11);
      EXPECT_NEAR(std::atan2(f[1], -f[0]), std::atan(pi * std::sqrt(q) / (4 * eps)), 1e-12);
      EXPECT_NEAR(law->side_flow({.e = {eps * 1e-4, 0}, .w = {0, -0.5}}),
                  law->bearing().radius * law->bearing().length, 1e-17);
    }
  }
}

}  // namespace
}  // namespace tappet::test::ocvirk_test
