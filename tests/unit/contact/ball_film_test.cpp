// The film around a ball against integrals of its pressure, its limits, and the energy that it takes.
#include "tappet/contact/ball_film.hpp"

#include <cmath>
#include <numbers>
#include <random>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <gtest/gtest.h>

#include "tappet/contact/normal_law.hpp"

namespace tappet::test::ball_film_test {
namespace {

constexpr double pi = std::numbers::pi;
using Quadrature = boost::math::quadrature::gauss_kronrod<double, 61>;

constexpr double mu = 0.04, R = 10e-3, c = 1e-4;
constexpr double push = mu * R * R * R * R / (c * c * c), shear = mu * R * R * R * R / c;

TEST(BallFilm, IsSqueezedAsTheIntegralOfItsPressure) {
  const BallFilm film(mu, R, c);
  for (double eps : {1e-9, 1e-3, 0.1, 0.299, 0.301, 0.7, 0.95, 0.999}) {
    // p = (3 μ R² w/(c³ ε))/H²: the force −2π R² ∫ p cos ϑ sin ϑ dϑ.
    const auto integrand = [&](double x) {
      return 3 * push / R / R / eps * (1 / std::pow(1 - eps * x, 2) - 1) * x;
    };
    const double force = -2 * pi * R * R * Quadrature::integrate(integrand, -1.0, 1.0, 15, 1e-14);
    const auto out = film.evaluate({0, 0, eps * c}, {0, 0, 1}, Vec3::Zero());
    const double lost = eps < 1e-6 ? 1e-6 : eps < 0.01 ? 1e-10 : 1e-11;  // digits that the integral loses
    EXPECT_NEAR(out.force.z() / force, 1, lost) << eps;
    EXPECT_NEAR(out.force.head<2>().norm(), 0, 1e-12 * std::abs(force));
    EXPECT_NEAR(out.pressure_loss, -out.force.z(), 1e-12 * std::abs(force));
  }
  EXPECT_NEAR(ball_squeeze(0), 4.0 / 3, 1e-15);
}

// Across e: elements of order two; a quarter of the error with cells half as wide; Stokes' value of the concentric gap in the middle.
TEST(BallFilm, IsSweptAsItsEquationSays) {
  for (double eps : {0.0, 0.5, 0.9, 0.99}) {
    double G[3];
    for (int n = 0; n < 3; ++n) G[n] = solved_ball_sweep(eps, 100 << n);
    EXPECT_NEAR(std::log2((G[1] - G[0]) / (G[2] - G[1])), 2, 0.1) << eps;
  }
  EXPECT_NEAR(ball_sweep(0), 1, 1e-9);
  double worst = 0;
  for (double eps : {0.013, 0.11, 0.37, 0.52, 0.83, 0.951, 0.9907, 0.9985, 0.9998}) {
    const double fine = (4 * solved_ball_sweep(eps, 16000) - solved_ball_sweep(eps, 8000)) / 3;
    worst = std::max(worst, std::abs(ball_sweep(eps) / fine - 1));
  }
  EXPECT_LT(worst, 1e-6);
}

TEST(BallFilm, IsShearedAsTheIntegralOverTheGap) {
  const BallFilm film(mu, R, c);
  for (double eps : {0.0, 0.1, 0.4, 0.95}) {
    const auto along = [&](double x) { return 2 * pi * (1 - x * x) / (1 - eps * x); };
    const auto across = [&](double x) { return pi * (1 + x * x) / (1 - eps * x); };
    const auto out = film.evaluate({0, 0, eps * c}, Vec3::Zero(), {3, 0, 2});
    EXPECT_NEAR(out.moment.z(), -2 * shear * Quadrature::integrate(along, -1.0, 1.0, 15, 1e-14),
                1e-11 * shear);
    EXPECT_NEAR(out.moment.x(), -3 * shear * Quadrature::integrate(across, -1.0, 1.0, 15, 1e-14),
                1e-11 * shear);
    EXPECT_NEAR(out.moment.y(), 0, 1e-12 * shear);
  }
}

TEST(BallFilm, IsTheSameInTheMiddleFromAllSides) {
  const BallFilm film(mu, R, c);
  std::mt19937 random(3);
  std::normal_distribution<double> any;
  const auto vector = [&] { return Vec3(any(random), any(random), any(random)); };
  for (int n = 0; n < 20; ++n) {
    const Vec3 w = vector(), spin = vector();
    const auto middle = film.evaluate(Vec3::Zero(), w, spin),
               beside = film.evaluate(1e-7 * c * vector(), w, spin);
    EXPECT_LT((middle.force + 8 * pi * push * w).norm(), 1e-9 * middle.force.norm());
    EXPECT_LT((middle.moment + 8 * pi / 3 * shear * spin).norm(), 1e-9 * middle.moment.norm());
    EXPECT_LT((middle.force - beside.force).norm(), 1e-6 * middle.force.norm());
    EXPECT_LT((middle.moment - beside.moment).norm(), 1e-6 * middle.moment.norm());
  }
}

TEST(BallFilm, TakesEnergyInEveryMotion) {
  const BallFilm film(mu, R, c);
  std::mt19937 random(5);
  std::normal_distribution<double> any;
  std::uniform_real_distribution<double> unit(0, 1);
  const auto vector = [&] { return Vec3(any(random), any(random), any(random)); };
  for (int n = 0; n < 10000; ++n) {
    const auto out =
        film.evaluate((1 - std::pow(10, -5 * unit(random))) * c * vector().normalized(), vector(), vector());
    EXPECT_GT(out.pressure_loss, 0);
    EXPECT_GT(out.shear_loss, 0);
  }
  EXPECT_THROW(film.evaluate({c, 0, 0}, Vec3::Zero(), Vec3::Zero()), LawDomainError);
}

}  // namespace
}  // namespace tappet::test::ball_film_test
