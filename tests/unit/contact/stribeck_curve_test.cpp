// The three parts of a Stribeck curve.
#include "tappet/contact/stribeck_curve.hpp"

#include <cmath>
#include <numbers>

#include "tappet/contact/mixed_film.hpp"
#include "unit/contact/film_fixture.hpp"

namespace tappet::test::stribeck_curve_test {
namespace {

constexpr double R = 10e-3, L = 10e-3, c = 1e-4, sigma = 1e-6, mu = 0.04, boundary = 0.12;

TEST(StribeckCurve, FallsFromBoundaryFrictionAndRisesWithTheFilm) {
  const RoughJournal rough({sigma, 1e11, 2e-6, 115e9}, R, L, c);
  const auto film = fading_film(film_law("{model: ocvirk, viscosity: 40 mPa s}"), HUGE_VAL, sigma);
  constexpr double load = 100;
  // At rest the summits bear all of it.
  const StribeckPoint slow = stribeck_point(*film, rough, boundary, load, 1e-9);
  EXPECT_NEAR(slow.coefficient, boundary / std::sqrt(1 + boundary * boundary), 1e-5);
  EXPECT_NEAR(slow.film_share, 0, 1e-4);
  double least = 1, at = 0, gap = 0;
  for (double speed = 1e-4; speed < 100; speed *= 1.1) {
    const StribeckPoint p = stribeck_point(*film, rough, boundary, load, speed);
    if (p.coefficient < least) least = p.coefficient, at = speed, gap = c * (1 - p.eccentricity) / sigma;
  }
  EXPECT_LT(least, 0.2 * boundary);
  // Where summits part: a few σ.
  EXPECT_GT(gap, 2);
  EXPECT_LT(gap, 6);
  double before = 1;
  for (double speed = 1e-4; speed < at; speed *= 1.3) {
    const double now = stribeck_point(*film, rough, boundary, load, speed).coefficient;
    EXPECT_LT(now, before) << speed;
    before = now;
  }
  before = least;
  for (double speed = 1.5 * at; speed < 100; speed *= 1.3) {
    const double now = stribeck_point(*film, rough, boundary, load, speed).coefficient;
    EXPECT_GT(now, before) << speed;
    before = now;
  }
}

TEST(StribeckCurve, EndsAsPetrovSays) {
  const RoughJournal rough({sigma, 1e11, 2e-6, 115e9}, R, L, c);
  const auto film = fading_film(film_law("{model: ocvirk, viscosity: 40 mPa s}"), HUGE_VAL, sigma);
  constexpr double speed = 1;
  const double petrov = 2 * std::numbers::pi * mu * R * R * R * L * (speed / R) / c;
  for (double load : {1e-2, 1e-4})
    EXPECT_NEAR(stribeck_point(*film, rough, boundary, load, speed).coefficient * R * load / petrov, 1, 1e-3);
}

}  // namespace
}  // namespace tappet::test::stribeck_curve_test
