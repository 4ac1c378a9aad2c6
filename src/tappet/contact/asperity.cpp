#include "tappet/contact/asperity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tappet {

namespace {

// ∫ sⁿ e^(−(x+s)²/2) ds over s > 0 by the trapezoidal rule in t, s = e^(t − e^(−t)): at both ends nothing is left, and the root at s = 0 does
// no harm.
struct Points {
  static constexpr int count = 160;
  std::array<double, count> s, weight;
  Points() {
    constexpr double from = -3.5, to = 3.5;
    for (int k = 0; k < count; ++k) {
      const double t = from + (to - from) * (k + 0.5) / count;
      s[k] = std::exp(t - std::exp(-t));
      weight[k] = s[k] * (1 + std::exp(-t)) * (to - from) / count / std::sqrt(2 * std::numbers::pi);
    }
  }
};

// Below this all summits touch, and F_n is a moment of the whole distribution: a series in 1/x².
constexpr double all_touch = -20;

double moment(double n, double x) {
  const double r = 1 / (x * x);
  return std::pow(-x, n) * (1 + n * (n - 1) / 2 * r * (1 + (n - 2) * (n - 3) / 4 * r));
}

template <std::size_t N>
std::array<double, N> tails(double lowest, double x) {
  static const Points points;
  std::array<double, N> out{};
  if (x < all_touch) {
    for (std::size_t n = 0; n < N; ++n) out[n] = moment(lowest + static_cast<double>(n), x);
    return out;
  }
  for (int k = 0; k < Points::count; ++k) {
    const double s = points.s[k], y = x + s;
    double part = points.weight[k] * std::pow(s, lowest) * std::exp(-0.5 * y * y);
    for (double& sum : out) sum += part, part *= s;
  }
  return out;
}

}  // namespace

double gaussian_tail(double n, double x) {
  return tails<1>(n, x)[0];
}

std::array<double, 3> gaussian_tails(double x) {
  return tails<3>(1.5, x);
}

namespace {

double summits(const GreenwoodTripp& g) {
  const double product = g.density * g.tip_radius * g.sigma;
  return product * product;
}

double factor(const GreenwoodTripp& g) {
  return 16 * std::numbers::sqrt2 * std::numbers::pi / 15 * summits(g) * std::sqrt(g.sigma / g.tip_radius) *
         g.modulus;
}

}  // namespace

double GreenwoodTripp::pressure(double h) const {
  return factor(*this) * gaussian_tail(2.5, h / sigma);
}

double GreenwoodTripp::stored(double h) const {
  return factor(*this) * sigma * 2 / 7 * gaussian_tail(3.5, h / sigma);
}

GreenwoodTripp::Local GreenwoodTripp::at(double h) const {
  const auto [F3, F5, F7] = gaussian_tails(h / sigma);
  const double f = factor(*this);
  return {f * sigma * 2 / 7 * F7, f * F5, f * 2.5 * F3 / sigma};
}

double GreenwoodTripp::contact_share(double h) const {
  return std::min(1.0, std::numbers::pi * std::numbers::pi * summits(*this) * gaussian_tail(2, h / sigma));
}

}  // namespace tappet
