// The film of a bearing of finite length: published tables through the law that a model uses, and bearings that nobody published against a
// solver that shares nothing with the product's; the threshold of whirl from the law's own derivatives.
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tappet/lubrication/reynolds.hpp"
#include "unit/contact/film_fixture.hpp"

namespace tappet::testing::journal_bearing_test {
namespace {

using test::film_bearing;
using test::film_law;
constexpr double pi = std::numbers::pi;

// ---- another solver: differences at nodes evenly spaced in Sommerfeld's angle ψ and along the length, projected overrelaxation
//
//   ∂(H² s ∂P/∂ψ)/∂ψ + (H⁴/s) ∂²P/∂Z² = −(H/s) cos(ϑ − γ),   P ≥ 0      (dϑ = (H/s) dψ)

struct Integrals {
  double n = 0, t = 0;
};

Integrals relaxed(double eps, double direction, double ratio, bool line_at_ambient, int around, int along) {
  const double q = 1 - eps * eps, s = std::sqrt(q), d = 2 * pi / around, dz = ratio / along;
  std::vector<double> H(around), half(around), source(around), cosine(around), sine(around);
  for (int i = 0; i < around; ++i) {
    const double psi = d * i, below = 1 + eps * std::cos(psi);
    H[i] = q / below, half[i] = q / (1 + eps * std::cos(psi + 0.5 * d));
    cosine[i] = (std::cos(psi) + eps) / below, sine[i] = s * std::sin(psi) / below;
    source[i] = H[i] / s * (cosine[i] * std::cos(direction) + sine[i] * std::sin(direction));
  }
  // Rows j = 0 … along − 1 from the middle, P = 0 at `along`.
  std::vector<double> P(static_cast<std::size_t>(around) * (along + 1), 0.0);
  const auto at = [&](int i, int j) -> double& {
    return P[static_cast<std::size_t>((i + around) % around) * (along + 1) + j];
  };
  const double over = 2 / (1 + std::sin(pi / (2 * along)));
  double change = 1;
  for (int sweep = 0; sweep < 100000 && change > 1e-11; ++sweep) {
    double largest = 0;
    change = 0;
    for (int i = 0; i < around; ++i) {
      if (line_at_ambient && 2 * i == around) continue;
      const double next = half[i] * half[i] * s / (d * d),
                   last = half[(i + around - 1) % around] * half[(i + around - 1) % around] * s / (d * d);
      const double end = std::pow(H[i], 4) / s / (dz * dz);
      for (int j = 0; j < along; ++j) {
        const double inner = j == 0 ? at(i, 1) : at(i, j - 1);
        const double wanted =
            (next * at(i + 1, j) + last * at(i - 1, j) + end * (at(i, j + 1) + inner) + source[i]) /
            (next + last + 2 * end);
        const double before = at(i, j), now = std::max(0.0, before + over * (wanted - before));
        at(i, j) = now;
        change = std::max(change, std::abs(now - before)), largest = std::max(largest, now);
      }
    }
    change /= largest;
  }
  Integrals out;
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < along; ++j) {
      // Both halves; the middle row counts once.
      const double part = (j == 0 ? 1 : 2) * at(i, j) * H[i] / s * d * dz;
      out.n += part * cosine[i], out.t += part * sine[i];
    }
  return out;
}

Integrals independent(double eps, double direction, double ratio, bool line_at_ambient) {
  const Integrals a = relaxed(eps, direction, ratio, line_at_ambient, 128, 12),
                  b = relaxed(eps, direction, ratio, line_at_ambient, 256, 24);
  return {b.n + (b.n - a.n) / 3, b.t + (b.t - a.t) / 3};
}

// The product's solver against it, where nobody published anything.
TEST(JournalBearing, IsWhatAnotherSolverFinds) {
  double worst = 0, turned = 0;
  lubrication::ReynoldsSolver coarse, fine;
  for (const double ratio : {0.15, 0.35, 0.75, 1.5, 3.0})
    for (const double eps : {0.05, 0.3, 0.6, 0.8, 0.95})
      for (const double direction : {-pi / 2, 0.0, -0.8, pi})
        for (const bool line : {false, true}) {
          // A groove at the widest gap takes part in what parting leaves; that the steady tables do not show.
          if (line && direction != -pi / 2) continue;
          const Integrals other = independent(eps, direction, ratio, line);
          const auto film = extrapolated(
              {eps, direction, ratio, line ? lubrication::Supply::widest_gap : lubrication::Supply::none},
              coarse, fine);
          const double size = std::hypot(other.n, other.t), off = std::hypot(film.I_n, film.I_t) / size - 1;
          const double angle =
              std::remainder(std::atan2(film.I_t, film.I_n) - std::atan2(other.t, other.n), 2 * pi) * 180 /
              pi;
          EXPECT_LT(std::abs(off), 0.005) << ratio << " " << eps << " " << direction << " " << line;
          EXPECT_LT(std::abs(angle), 0.2) << ratio << " " << eps << " " << direction << " " << line;
          worst = std::max(worst, std::abs(off)), turned = std::max(turned, std::abs(angle));
        }
  fmt::print("against another solver: forces within {:.2g} %, angles within {:.2g}°\n", 100 * worst, turned);
}

// ---- through the law, as a run meets it

struct Steady {
  double So, beta;
};
Steady steady(const FilmLaw& law, double eps) {
  const FilmBearing& b = law.bearing();
  const double c = b.clearance, psi = c / b.radius;
  const FilmOutput out = law.evaluate({.e = {eps * c, 0}, .w = {0, -0.5 * eps * c}, .spin = 1});
  const double F = std::hypot(out.force[0], out.force[1]);
  return {F * psi * psi / (b.length * 2 * b.radius * b.viscosity),
          std::atan2(std::abs(out.force[1]), -out.force[0]) * 180 / pi};
}
double squeezed(const FilmLaw& law, double eps) {
  const FilmBearing& b = law.bearing();
  const double c = b.clearance, psi = c / b.radius;
  const FilmOutput out = law.evaluate({.e = {std::abs(eps) * c, 0}, .w = {eps < 0 ? -c : c, 0}});
  return std::abs(out.force[0]) * psi * psi / (b.length * 2 * b.radius * b.viscosity);
}

struct Row {
  double eps, value, angle;
};

TEST(JournalBearing, BearsAsPublishedThroughItsTable) {
  const struct {
    double ratio;
    Row rows[4];
  } bearings[] = {
      {1, {{0.1, 0.1196, 79.41}, {0.5, 0.8903, 56.705}, {0.9, 8.4352, 26.482}, {0.99, 107.7868, 9.416}}},
      {0.5, {{0.1, 0.0368, 81.767}, {0.5, 0.3124, 54.993}, {0.9, 5.0881, 23.566}, {0.99, 93.7881, 8.587}}},
      {0.25, {{0.1, 0.0098, 82.481}, {0.5, 0.0888, 54.069}, {0.9, 2.1595, 21.79}, {0.99, 70.0359, 7.703}}}};
  for (const auto& b : bearings) {
    const auto law = film_law("{model: finite, viscosity: 1, supply: widest-gap}", film_bearing(b.ratio));
    for (const Row& row : b.rows) {
      const Steady here = steady(*law, row.eps);
      // A converged solution is 0.56 % above the print there; the print of So has four decimals.
      const double allowed = row.eps == 0.99 && b.ratio == 1 ? 0.007 : 0.005;
      EXPECT_NEAR(here.So, row.value, allowed * row.value + 5e-5) << b.ratio << " " << row.eps;
      EXPECT_NEAR(here.beta, row.angle, 0.2) << b.ratio << " " << row.eps;
      fmt::print("B/D {:5} ε {:5}: So {:.4f} ({:.4f}), β {:.2f}° ({:.2f}°)\n", b.ratio, row.eps, here.So,
                 row.value, here.beta, row.angle);
    }
    for (const double eps : {0.25, 0.7, 0.95}) {
      const Integrals other = independent(eps, -pi / 2, b.ratio, true);
      const double So = 1.5 * eps * std::hypot(other.n, other.t) / b.ratio;
      const Steady here = steady(*law, eps);
      EXPECT_NEAR(here.So, So, 0.005 * So) << b.ratio << " " << eps;
      EXPECT_NEAR(here.beta, std::atan2(std::abs(other.t), other.n) * 180 / pi, 0.2) << b.ratio << " " << eps;
    }
  }
}

TEST(JournalBearing, IsSqueezedAsPublishedThroughItsTable) {
  const struct {
    double ratio;
    Row rows[4];
  } bearings[] = {{1, {{-0.9, 0.5518, 0}, {0, 2.4076, 0}, {0.5, 9.7319, 0}, {0.9, 160.25, 0}}},
                  {0.5, {{-0.9, 0.1466, 0}, {0, 0.7224, 0}, {0.5, 3.675, 0}, {0.9, 104.75, 0}}},
                  {0.25, {{-0.9, 0.0376, 0}, {0, 0.1919, 0}, {0.5, 1.0715, 0}, {0.9, 46.559, 0}}}};
  for (const auto& b : bearings) {
    const auto law = film_law("{model: finite, viscosity: 1}", film_bearing(b.ratio));
    for (const Row& row : b.rows)
      EXPECT_NEAR(squeezed(*law, row.eps), row.value, 0.005 * row.value) << b.ratio << " " << row.eps;
    for (const double eps : {-0.6, 0.3, 0.8}) {
      const Integrals other = independent(std::abs(eps), eps < 0 ? pi : 0, b.ratio, false);
      const double So = 3 * std::hypot(other.n, other.t) / b.ratio;
      EXPECT_NEAR(squeezed(*law, eps), So, 0.005 * So) << b.ratio << " " << eps;
    }
  }
}

// ---- whirl of a rigid rotor, from the derivatives of the film's force

struct Whirl {
  double threshold = 0, ratio = 0;  // m c ω²/W; whirl over turning
};

// M s² + C s + K of the journal about its place under the load: s is imaginary at the threshold.
Whirl threshold(double eps, const char* film) {
  const auto law = film_law(fmt::format("{{model: ocvirk, viscosity: 1, film: {}}}", film));
  const double c = law->bearing().clearance;
  constexpr double omega = 1;
  using Number = FilmLaw::Number;
  FilmInputOf<Number> in;
  const double e[2] = {eps * c, 0}, w[2] = {0.5 * omega * e[1], -0.5 * omega * e[0]};
  for (int k : {0, 1}) in.e[k] = Number(e[k]), in.w[k] = Number(w[k]), in.e[k].d[k] = 1, in.w[k].d[2 + k] = 1;
  in.spin = Number(omega);
  const auto out = law->evaluate_dual(in);
  Eigen::Matrix2d by_e, by_w, turn;
  for (int r : {0, 1})
    for (int k : {0, 1}) by_e(r, k) = out.force[r].d[k], by_w(r, k) = out.force[r].d[2 + k];
  turn << 0, -1, 1, 0;
  const Eigen::Matrix2d K = -(by_e - 0.5 * omega * by_w * turn), C = -by_w;
  const double W = std::hypot(out.force[0].value, out.force[1].value);
  const auto largest = [&](double mass) {
    Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
    A.topRightCorner<2, 2>() = Eigen::Matrix2d::Identity();
    A.bottomLeftCorner<2, 2>() = -K / mass, A.bottomRightCorner<2, 2>() = -C / mass;
    const Eigen::Vector4cd s = Eigen::EigenSolver<Eigen::Matrix4d>(A).eigenvalues();
    int at = 0;
    for (int n = 1; n < 4; ++n)
      if (s[n].real() > s[at].real()) at = n;
    return s[at];
  };
  double low = 0.1 * W / (c * omega * omega), high = 1000 * W / (c * omega * omega);
  if (largest(high).real() < 0) return {};
  for (int n = 0; n < 100; ++n) {
    const double middle = std::sqrt(low * high);
    (largest(middle).real() < 0 ? low : high) = middle;
  }
  return {high * c * omega * omega / W, std::abs(largest(high).imag()) / omega};
}

TEST(JournalBearing, WhirlsFromThePublishedThresholdByItsDerivatives) {
  const struct {
    double eps, threshold, ratio;
  } rows[] = {{0.1, 7.51461, 0.50294}, {0.5, 6.46040, 0.51464}, {0.7, 13.16110, 0.34457}};
  for (const char* film : {"half-sommerfeld", "reynolds"}) {
    for (const auto& row : rows) {
      const Whirl here = threshold(row.eps, film);
      EXPECT_NEAR(here.threshold / row.threshold, 1, 1e-5) << film << " " << row.eps;
      EXPECT_NEAR(here.ratio / row.ratio, 1, 2e-5) << film << " " << row.eps;
    }
    // Stable at every speed from 0.757 on.
    EXPECT_GT(threshold(0.755, film).threshold, 0);
    EXPECT_EQ(threshold(0.758, film).threshold, 0);
  }
}

}  // namespace
}  // namespace tappet::testing::journal_bearing_test
