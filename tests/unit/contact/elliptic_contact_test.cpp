// Hertz' ellipse against elliptic integrals by quadrature, published values and limits.
#include "tappet/contact/elliptic_contact.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace tappet::elliptic_contact_test {
namespace {

using std::numbers::pi;

// 𝐊 and 𝐄 of a patch of aspect κ by the trapezoidal rule, which converges faster than any power for periodic functions.
struct Complete {
  double K = 0, E = 0;
};
Complete by_quadrature(double aspect) {
  constexpr int n = 4000;
  const double e2 = 1 - 1 / (aspect * aspect);
  Complete out;
  for (int i = 0; i < n; ++i) {
    const double s = std::sin(pi / 2 * (i + 0.5) / n), root = std::sqrt(1 - e2 * s * s);
    out.K += pi / 2 / n / root, out.E += pi / 2 / n * root;
  }
  return out;
}

TEST(EllipticContact, OfEqualRadiiIsACircle) {
  const EllipticContact c = elliptic_contact(0.3, 0.3);
  EXPECT_NEAR(c.aspect, 1, 1e-14);
  EXPECT_NEAR(c.stiffness, 1, 1e-14);
  EXPECT_NEAR(c.mean_radius, 0.3, 1e-15);
  const auto patch = c.patch(100, 1e11);
  EXPECT_NEAR(patch.a, std::cbrt(0.75 * 100 * 0.3 / 1e11), 1e-12 * patch.a);
  EXPECT_NEAR(patch.b, patch.a, 1e-13 * patch.a);
  EXPECT_NEAR(patch.peak, 150 / (pi * patch.a * patch.a), 1e-12 * patch.peak);
}

// From κ to R′/R″ by Johnson's equation 4.25, and back by the solver; approach and axes by 4.26 to 4.28.
TEST(EllipticContact, SatisfiesHertzEquations) {
  for (const double aspect : {1.001, 1.3, 2.0, 5.0, 20.0, 100.0}) {
    const auto [K, E] = by_quadrature(aspect);
    const double e2 = 1 - 1 / (aspect * aspect), k2 = aspect * aspect;
    const double ratio = (k2 * E - K) / (K - E), small = 0.01, large = ratio * small;
    const EllipticContact c = elliptic_contact(large, small);
    // The ratio itself loses digits as κ → 1.
    const double digits = 1e-11 / e2;
    EXPECT_NEAR(c.aspect, aspect, digits * aspect);
    const double F = 500, modulus = 1.1e11;
    const auto [a, b, peak, mean] = c.patch(F, modulus);
    EXPECT_NEAR(peak, 1.5 * F / (pi * a * b), 1e-13 * peak);
    EXPECT_NEAR(mean, peak * 2 / 3, 1e-13 * mean);
    // ½ √(1/(R′R″)) = (p₀/E*) (b/(a² e²)) √([(a/b)² E − K][K − E])
    const double curved = peak / modulus * b / (a * a * e2) * std::sqrt((k2 * E - K) * (K - E));
    EXPECT_NEAR(curved, 0.5 / std::sqrt(large * small), digits * curved);
    // δ = (p₀/E*) b K is (F/stiffness)^(2/3).
    const double stiffness = 4.0 / 3 * modulus * std::sqrt(c.mean_radius) * c.stiffness;
    EXPECT_NEAR(std::pow(F / stiffness, 2.0 / 3), peak / modulus * b * K, digits * peak / modulus * b * K);
  }
}

// The table of m and n against θ, cos θ = (B − A)/(B + A), to its three digits: a = m (3F/(4E*(A + B)))^(1/3), b with n, A = 1/(2R′) and
// B = 1/(2R″) [Timoshenko & Goodier 1970, section 140].
TEST(EllipticContact, AgreesWithTimoshenkosTable) {
  struct Row {
    double degrees, m, n;
  };
  for (const Row& row : {Row{30, 2.731, 0.493}, Row{45, 1.926, 0.604}, Row{60, 1.486, 0.717},
                         Row{80, 1.128, 0.893}, Row{90, 1, 1}}) {
    const double cosine = std::cos(row.degrees * pi / 180), A = 0.5 * (1 - cosine), B = 0.5 * (1 + cosine);
    const auto patch = elliptic_contact(0.5 / A, 0.5 / B).patch(1, 1);
    const double unit = std::cbrt(0.75);
    EXPECT_NEAR(patch.a / unit, row.m, 1.1e-3) << row.degrees;
    EXPECT_NEAR(patch.b / unit, row.n, 1.1e-3) << row.degrees;
  }
}

TEST(EllipticContact, TakesRadiiInAnyOrderAndBecomesStifferTowardsALine) {
  EXPECT_EQ(elliptic_contact(1, 7).aspect, elliptic_contact(7, 1).aspect);
  double last = 1;
  for (const double ratio : {10.0, 1e3, 1e6, 1e9}) {
    const EllipticContact c = elliptic_contact(ratio, 1);
    EXPECT_GT(c.stiffness, last);
    last = c.stiffness;
    EXPECT_TRUE(std::isfinite(c.aspect) && c.aspect > std::sqrt(ratio));
  }
}

}  // namespace
}  // namespace tappet::elliptic_contact_test
