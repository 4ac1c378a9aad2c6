// Films between surfaces that give way, with oil that stiffens: what becomes of them where neither matters, closed forms, convergence.
#include "tappet/lubrication/elastic_film.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace tappet::test::elastic_film_test {
namespace {

using namespace lubrication;
constexpr double pi = std::numbers::pi;

ElasticFilmProblem bearing(double eps) {
  return {.eccentricity = eps,
          .radius = 10e-3,
          .length = 10e-3,
          .clearance = 20e-6,
          .viscosity = 0.04,
          .speed = 300};
}
double load(const ElasticFilm& film) {
  return std::hypot(film.along, film.across);
}

TEST(ElasticFilm, IsThatOfRigidSurfacesWhereNothingGivesWay) {
  ReynoldsSolver solver;
  for (const Supply supply : {Supply::none, Supply::widest_gap})
    for (const double eps : {0.2, 0.6, 0.9}) {
      ElasticFilmProblem p = bearing(eps);
      p.supply = supply;
      const ElasticFilm film = solve_elastic_film(p);
      const FilmSolution rigid = solver.solve({eps, -pi / 2, 0.5, supply, p.around, p.along});
      // F = (12 μ R⁴ w/c³) I with w = ½ ω ε c.
      const double unit =
          6 * p.viscosity * std::pow(p.radius, 4) * p.speed * eps / (p.clearance * p.clearance);
      // Two ways to write the same terms: both of order two.
      EXPECT_NEAR(-film.along / unit, rigid.I_n, 5e-3 * std::hypot(rigid.I_n, rigid.I_t)) << eps;
      EXPECT_NEAR(-film.across / unit, rigid.I_t, 5e-3 * std::hypot(rigid.I_n, rigid.I_t)) << eps;
      EXPECT_NEAR(film.thinnest, p.clearance * (1 - eps), 2e-3 * p.clearance);
    }
}

// With Barus' law (1 − e^(−αp))/α is the pressure of oil that does not stiffen.
TEST(ElasticFilm, StiffensAsTheReducedPressureSays) {
  ElasticFilmProblem p = bearing(0.8);
  const ElasticFilm plain = solve_elastic_film(p);
  for (const double part : {0.5, 0.9}) {
    p.pressure_viscosity = part / plain.highest;
    // Of order two in the cells: compared at two widths.
    double off[2];
    for (int n = 0; n < 2; ++n) {
      p.around = 48 << n, p.along = 3 << n;
      ElasticFilmProblem q = p;
      q.pressure_viscosity = 0;
      const ElasticFilm a = solve_elastic_film(q), b = solve_elastic_film(p);
      const double expected = -std::log1p(-p.pressure_viscosity * a.highest) / p.pressure_viscosity;
      off[n] = std::abs(b.highest / expected - 1);
    }
    EXPECT_LT(off[1], 0.5 * off[0] + 1e-6) << part;
    EXPECT_LT(off[1], part < 0.8 ? 2e-3 : 2e-2) << part;
  }
  // Roelands' law has the same slope at first, and grows less.
  p.around = 96, p.along = 6;
  p.pressure_viscosity = 0.4 / plain.highest;
  const double barus = load(solve_elastic_film(p));
  p.roelands = true;
  const double roelands = load(solve_elastic_film(p));
  EXPECT_LT(roelands, barus);
  EXPECT_GT(roelands, load(plain));
}

// Deflection in the middle of a square, 8 ln(1 + √2) a/π, and far from it that of a point force, area/(π r).
TEST(ElasticFilm, BendsAsLovesRectangle) {
  EXPECT_NEAR(love_deflection(0, 0, 2, 2), 8 * std::log(1 + std::sqrt(2.0)) * 2 / pi, 1e-14);
  EXPECT_NEAR(love_deflection(30, 40, 0.5, 0.25), 0.5 / (pi * 50), 1e-6);
  EXPECT_EQ(love_deflection(0.3, 0.4, 1, 2), love_deflection(-0.3, 0.4, 1, 2));
  // A corner's is half of a rectangle's that is twice as large, in the middle, over two: four corners meet there.
  EXPECT_NEAR(4 * love_deflection(1, 2, 1, 2), love_deflection(0, 0, 2, 4), 1e-13);
}

TEST(ElasticFilm, GivesWay) {
  // The first order in C: half of the compliance, half of the change.
  ElasticFilmProblem p = bearing(0.7);
  const ElasticFilm rigid = solve_elastic_film(p);
  double change[2];
  for (int n = 0; n < 2; ++n) {
    p.compliance = (n + 1) * 1e-3 * rigid.thinnest / rigid.highest;
    const ElasticFilm film = solve_elastic_film(p);
    change[n] = film.across - rigid.across;
    // The gap is what geometry and pressure make it.
    for (std::size_t i = 0; i < film.angles.size(); ++i)
      for (std::size_t j = 0; j < film.places.size(); ++j) {
        const std::size_t cell = i * film.places.size() + j;
        EXPECT_NEAR(film.gap[cell],
                    p.clearance * (1 - 0.7 * std::cos(film.angles[i])) + p.compliance * film.pressure[cell],
                    1e-12 * p.clearance);
      }
  }
  EXPECT_NEAR(change[1] / change[0], 2, 0.05);
  // Soft surfaces bear where rigid ones would overlap, and the film does not vanish.
  p.eccentricity = 1.05;
  p.compliance = 0;
  EXPECT_THROW(solve_elastic_film(p), std::runtime_error);
  p.modulus = 1e9;
  const ElasticFilm soft = solve_elastic_film(p);
  EXPECT_GT(soft.thinnest, 0);
  EXPECT_GT(load(soft), 0);
}

// Cells half as wide leave a third to a quarter of the error, with all of it at once.
TEST(ElasticFilm, ConvergesWithItsCells) {
  for (const bool half_space : {false, true}) {
    ElasticFilmProblem p = bearing(0.3);
    const ElasticFilm rigid = solve_elastic_film(p);
    p.pressure_viscosity = 0.3 / rigid.highest;
    if (half_space)
      p.modulus = 5e10;
    else
      p.compliance = 0.2 * rigid.thinnest / rigid.highest;
    double W[3];
    for (int n = 0; n < 3; ++n) {
      p.around = 32 << n, p.along = 2 << n;
      W[n] = load(solve_elastic_film(p));
    }
    const double order = std::log2((W[1] - W[0]) / (W[2] - W[1]));
    fmt::print("{}: {:.1f}, {:.1f}, {:.1f} N, order {:.2f}; rigid {:.1f} N\n",
               half_space ? "half spaces" : "liner", W[0], W[1], W[2], order, load(rigid));
    // Not yet asymptotic: 1.6 to 1.9 here, 2 for rigid surfaces on finer grids (reynolds_test.cpp).
    EXPECT_GT(order, 1.5) << half_space;
    EXPECT_LT(order, 2.3) << half_space;
  }
}

}  // namespace
}  // namespace tappet::test::elastic_film_test
