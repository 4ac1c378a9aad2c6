// The slider bearing against Reynolds' closed forms, squeezing, tilting, and the energy that it takes.
#include "tappet/contact/pad_film.hpp"

#include <cmath>
#include <random>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <gtest/gtest.h>

#include "tappet/contact/normal_law.hpp"

namespace tappet::test::pad_film_test {
namespace {

constexpr double mu = 0.04, a = 0.02, B = 0.3;

// Inclined pad, h from h₁ (1 + K) down to h₁ where the wall goes: F, drag and where the load is.
TEST(PadFilm, IsReynoldsInclinedPad) {
  const PadFilm pad{mu, a, B, false};
  constexpr double h1 = 2e-5, U = 3, L = 2 * a;
  for (double K : {1e-6, 0.01, 0.5, 1.1889, 5.0, 100.0}) {
    const auto out = pad.evaluate({.start = h1 * (1 + K), .end = h1, .slide = U});
    // Closed forms lose digits at small K: their leading terms there.
    const double shape = K < 1e-3 ? K / 12 : (std::log(1 + K) - 2 * K / (K + 2)) / (K * K);
    const double force = 6 * mu * U * L * L * B / (h1 * h1) * shape;
    EXPECT_NEAR(out.force / force, 1, K < 1e-3 ? 3 * K : 1e-10) << K;
    const double drag = -mu * U * L * B / h1 * (4 / K * std::log(1 + K) - 6 / (K + 2));
    if (K > 1e-3) {
      EXPECT_NEAR(out.wall_drag / drag, 1, 1e-10) << K;
    }
    EXPECT_NEAR(out.loss, -out.wall_drag * U, 1e-12 * out.loss);
    // The pad and the wall together: what is left is the load on the incline.
    EXPECT_NEAR(out.drag + out.wall_drag, -K * h1 / L * out.force, 1e-9 * std::abs(out.drag));
  }
  // The other way a film that may not pull has nothing to bear with.
  EXPECT_EQ(pad.evaluate({.start = h1, .end = 2 * h1, .slide = U}).force, 0);
  const PadFilm full{mu, a, B, true};
  EXPECT_NEAR(full.evaluate({.start = h1, .end = 2 * h1, .slide = U}).force,
              -full.evaluate({.start = 2 * h1, .end = h1, .slide = U}).force, 1e-9);
}

TEST(PadFilm, IsTheSqueezeFilmOfParallelPlates) {
  const PadFilm pad{mu, a, B, false}, full{mu, a, B, true};
  constexpr double h = 3e-5, V = 0.2;
  const double force = 8 * mu * V * a * a * a * B / (h * h * h);
  const auto out = pad.evaluate({.start = h, .end = h, .approach = -V});
  EXPECT_NEAR(out.force / force, 1, 1e-12);
  EXPECT_NEAR(out.loss, force * V, 1e-12 * force * V);
  EXPECT_EQ(pad.evaluate({.start = h, .end = h, .approach = V}).force, 0);
  EXPECT_NEAR(full.evaluate({.start = h, .end = h, .approach = V}).force / -force, 1, 1e-12);
  // ∂h/∂t = W x: h³ p′ = 12 μ (½ W x² + C), M = 12 μ B W a⁵ (…) with ∫ p = 0.
  const auto turned = full.evaluate({.start = h, .end = h, .turn = 5});
  EXPECT_NEAR(turned.force, 0, 1e-9 * force);
  EXPECT_NEAR(turned.moment, -12 * mu * B * 5 * std::pow(a, 5) / (h * h * h) * 2.0 / 45,
              1e-11 * std::abs(turned.moment));
}

// Any motion against adaptive quadrature of the same equation.
TEST(PadFilm, IsTheIntegralOfItsPressure) {
  using Quadrature = boost::math::quadrature::gauss_kronrod<double, 61>;
  const PadFilm pad{mu, a, B, true};
  for (const PadFilm::Motion& m : {PadFilm::Motion{5e-5, 1e-5, 2, -0.1, 3}, {1e-5, 4e-4, -1, 0.05, -8}}) {
    const double s = (m.end - m.start) / (2 * a);
    const auto h = [&](double x) { return 0.5 * (m.start + m.end) + s * x; };
    const auto drawn = [&](double x) { return 0.5 * m.slide * h(x) + m.approach * x + 0.5 * m.turn * x * x; };
    const auto over = [&](auto f) { return Quadrature::integrate(f, -a, a, 15, 1e-13); };
    const double C = -over([&](double x) { return drawn(x) / std::pow(h(x), 3); }) /
                     over([&](double x) { return 1 / std::pow(h(x), 3); });
    const auto rise = [&](double x) { return 12 * mu * (drawn(x) + C) / std::pow(h(x), 3); };
    const double force = -B * over([&](double x) { return x * rise(x); });
    const double moment = -0.5 * B * over([&](double x) { return (x * x - a * a) * rise(x); });
    const auto out = pad.evaluate(m);
    EXPECT_NEAR(out.force / force, 1, 1e-9);
    EXPECT_NEAR(out.moment / moment, 1, 1e-9);
    const double lost =
        B * over([&](double x) { return std::pow(h(x), 3) * rise(x) * rise(x) / (12 * mu); }) +
        mu * m.slide * m.slide * B * over([&](double x) { return 1 / h(x); });
    EXPECT_NEAR(out.loss / lost, 1, 1e-9);
  }
}

TEST(PadFilm, TakesEnergyInEveryMotion) {
  std::mt19937 random(5);
  std::normal_distribution<double> any;
  std::uniform_real_distribution<double> unit(0, 1);
  for (const bool full : {false, true}) {
    const PadFilm pad{mu, a, B, full};
    for (int n = 0; n < 5000; ++n) {
      const auto gap = [&] { return 1e-4 * std::pow(10, -3 * unit(random)); };
      const auto out = pad.evaluate({gap(), gap(), any(random), 0.1 * any(random), 5 * any(random)});
      EXPECT_GT(out.loss, 0) << full << " " << n;
    }
  }
  EXPECT_THROW((PadFilm{mu, a, B, false}.evaluate({.start = 1e-5, .end = 0})), LawDomainError);
}

}  // namespace
}  // namespace tappet::test::pad_film_test
