#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::films_signals_test {
namespace {

// A journal that turns about the centre of its bearing: Petrov's moment 2π μ R³ L ω/c alone, and it lasts J ω̇ = −M.
TEST(FilmSignals, ATurningJournalIsBrakedAsPetrovSays) {
  const auto r = testing::run_text(R"(
tappet: 1
dimension: planar
bodies: {shaft: {mass: 2, inertia: 1e-4, position: [0, 0], angular_velocity: 100}}
joints:
  bush:
    type: revolute
    bodies: [ground, shaft]
    points: [[0, 0], [0, 0]]
    clearance: {bearing_radius: 10 mm, journal_radius: 9.9 mm, length: 10 mm, normal: {law: hooke, stiffness: 1e8},
                lubricant: {model: ocvirk, viscosity: 40 mPa s}}
simulation: {duration: 0.1, tolerance: 1e-10}
output: {step: 0.05}
)");
  const double moment = 2 * std::numbers::pi * 0.04 * 1e-6 * 0.01 / 1e-4;  // N m s
  EXPECT_NEAR(r.value(0, "bush.film_couple"), moment * 100, 1e-12);
  EXPECT_NEAR(r.value(0, "bush.film_power"), moment * 1e4, 1e-10);
  EXPECT_NEAR(r.last("shaft.omega"), 100 * std::exp(-moment * 0.1 / 1e-4), 1e-7);
  EXPECT_EQ(r.last("bush.eccentricity_ratio"), 0);
  EXPECT_NEAR(r.last("bush.min_film"), 1e-4, 1e-18);
  EXPECT_EQ(r.last("bush.oil_flow"), 0);
  EXPECT_EQ(r.last("bush.film_fx"), 0);
  const double lost = 0.5 * 1e-4 * (1e4 - std::pow(r.last("shaft.omega"), 2));
  EXPECT_NEAR(r.last("energy.film_loss"), lost, 1e-9);
  EXPECT_NEAR(r.last("energy.residual"), 0, 1e-9);
}

}  // namespace
}  // namespace tappet::films_signals_test
