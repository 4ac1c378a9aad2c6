// Film and dry contact as parts of one: smooth, passive, with a potential.
#include "tappet/contact/mixed_film.hpp"

#include <cmath>
#include <random>

#include "unit/contact/film_fixture.hpp"

namespace tappet::test::mixed_film_test {
namespace {

constexpr double c = 1e-4, tolerance = 1e-5, least = 1e-6;

std::unique_ptr<FilmLaw> mixed() {
  return fading_film(film_law("{model: ocvirk, viscosity: 40 mPa s}"), tolerance, least);
}

TEST(MixedFilm, IsTheFilmWhereThereIsRoomAndGoneWhereThereIsNone) {
  const auto pure = film_law("{model: ocvirk, viscosity: 40 mPa s}"), both = mixed();
  for (double eps : {0.0, 0.5, 0.979}) {
    const FilmInput in{{eps * c, 0}, {0.3, 0.4}, 10};
    EXPECT_EQ(both->evaluate(in).force, pure->evaluate(in).force);
    EXPECT_EQ(both->evaluate(in).couple, pure->evaluate(in).couple);
  }
  const FilmOutput out = both->evaluate({{c + 1.0001 * tolerance, 0}, {0.3, 0.4}, 10});
  EXPECT_EQ(out.force[0], 0);
  EXPECT_EQ(out.couple, 0);
}

TEST(MixedFilm, TakesEnergyAndHasNoJumps) {
  const auto both = mixed();
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int n = 0; n < 20'000; ++n) {
    const double size = c * (1 + 0.12 * unit(random)), at = 3 * unit(random);
    const FilmInput in{
        {size * std::cos(at), size * std::sin(at)}, {unit(random), unit(random)}, 100 * unit(random)};
    ASSERT_GE(both->evaluate(in).pressure_loss, 0);
    ASSERT_GE(both->evaluate(in).shear_loss, 0);
  }
  // Along a path through c − 2 h_*, c and c + e_t: value and slope go on.
  const auto at = [&](double size) { return both->evaluate({{size, 0}, {1, 0.3}}).force[0]; };
  for (double place : {c - 2 * least, c - least, c, c + tolerance}) {
    const double h = 1e-4 * least, here = at(place);
    EXPECT_NEAR(at(place + h), at(place - h), 1e-3 * (std::abs(here) + 1e-3 * std::abs(at(c))));
    const double before = (3 * here - 4 * at(place - h) + at(place - 2 * h)) / (2 * h);
    const double after = (-3 * here + 4 * at(place + h) - at(place + 2 * h)) / (2 * h);
    EXPECT_NEAR(before, after, 1e-3 * std::abs(at(c)) / least) << place;
  }
}

TEST(MixedFilm, KeepsAGap) {
  EXPECT_EQ(kept_film(-1.0, 0.1), 0.1);
  EXPECT_EQ(kept_film(0.0, 0.1), 0.1);
  EXPECT_DOUBLE_EQ(kept_film(0.2, 0.1), 0.2);
  EXPECT_EQ(kept_film(5.0, 0.1), 5.0);
  double before = 0.1;
  for (double h = 0.001; h < 0.3; h += 0.001) {
    EXPECT_GE(kept_film(h, 0.1), before);
    EXPECT_GE(kept_film(h, 0.1), h);
    before = kept_film(h, 0.1);
  }
}

// The force at no rate is the slope of what is stored, and F δ̇ = dU/dt + P.
TEST(MixedFilm, DryPartHasAPotential) {
  for (const char* text : {"{law: hertz, stiffness: 1e10}", "{law: hooke, stiffness: 1e8}",
                           "{law: lankarani-nikravesh, stiffness: 1e10, restitution: 0.7}"}) {
    const std::shared_ptr<const NormalLaw> dry = normal_law(text);
    const auto part = growing_contact(dry, tolerance);
    for (double depth : {1e-7, 3e-6, 9e-6, 1.1e-5, 4e-5}) {
      const NormalOutput here = part->evaluate({.depth = depth, .rate = 0, .impact_rate = 0.1});
      const double h = 1e-3 * depth;
      const auto stored = [&](double d) {
        return part->evaluate({.depth = d, .rate = 0, .impact_rate = 0.1}).stored_energy;
      };
      const double slope =
          (8 * (stored(depth + h) - stored(depth - h)) - stored(depth + 2 * h) + stored(depth - 2 * h)) /
          (12 * h);
      EXPECT_NEAR(slope, here.force, 1e-6 * here.force) << text << " " << depth;
      const NormalOutput moving = part->evaluate({.depth = depth, .rate = 0.05, .impact_rate = 0.1});
      EXPECT_NEAR(moving.force * 0.05, here.force * 0.05 + moving.dissipated_power, 1e-9 * moving.force)
          << text;
      if (depth > tolerance) {
        EXPECT_EQ(here.force, dry->evaluate({.depth = depth, .rate = 0, .impact_rate = 0.1}).force);
      }
    }
  }
}

}  // namespace
}  // namespace tappet::test::mixed_film_test
