// The film of a bearing of finite length between what the short and the long film say.
#include <cmath>
#include <numbers>

#include "unit/contact/film_fixture.hpp"

namespace tappet::test::finite_test {
namespace {

TEST(Finite, SaysHowGoodItsTableIs) {
  const auto law = film_law("{model: finite, viscosity: 40 mPa s}");
  ASSERT_FALSE(law->traits().notes.empty());
  EXPECT_NE(law->traits().notes.back().find("film table λ = 0.5: 29 × 33, worst 0.2"), std::string::npos)
      << law->traits().notes.back();
}

TEST(Finite, BearsLessThanTheShortAndTheLongFilm) {
  const auto law = film_law("{model: finite, viscosity: 1}"),
             brief = film_law("{model: ocvirk, viscosity: 1}"),
             endless = film_law("{model: sommerfeld, viscosity: 1}");
  for (double eps : {0.1, 0.5, 0.9})
    for (double towards : {0.0, 0.7, 1.57, 2.5}) {
      const FilmInput in{{eps * 1e-4, 0}, {std::cos(towards), std::sin(towards)}};
      EXPECT_LT(law->evaluate(in).pressure_loss, brief->evaluate(in).pressure_loss);
      if (towards < 1.6) {
        EXPECT_LT(law->evaluate(in).pressure_loss, 2 * endless->evaluate(in).pressure_loss);
      }
      EXPECT_LT(law->side_flow(in), brief->side_flow(in));
    }
}

// Beyond the last row of the table the force goes on as a power of 1 − ε, and goes on growing.
TEST(Finite, GoesOnBeyondItsTable) {
  const auto law = film_law("{model: finite, viscosity: 1}");
  double before = 0;
  for (double apart = 2e-3; apart > 1e-7; apart *= 0.7) {
    const double force = -law->evaluate({{(1 - apart) * 1e-4, 0}, {1, 0}}).force[0];
    // (1 − ε)^(−3/2) in the limit of a gap far thinner than the bearing is long.
    if (before > 0) {
      EXPECT_NEAR(std::log(force / before) / std::log(1 / 0.7), 1.5, 0.06) << apart;
    }
    before = force;
  }
}

}  // namespace
}  // namespace tappet::test::finite_test
