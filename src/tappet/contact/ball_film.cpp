#include "tappet/contact/ball_film.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "tappet/contact/film_law.hpp"

namespace tappet {
namespace {

using std::numbers::pi;

// Σ ε^(2k−2)/(2k+1) over k ≥ 1, which is ½ S₂, and Σ ε^(2k−2) 2k/(2k+1), which is ½ J: where closed forms lose digits.
constexpr double near_middle = 0.3;
double series(double eps, bool squeeze) {
  const double x = eps * eps;
  double sum = 0, power = 1;
  for (int k = 1; power > 1e-18; ++k, power *= x) sum += power * (squeeze ? 2.0 * k : 1.0) / (2 * k + 1);
  return sum;
}

double S2(double eps) {
  if (eps < near_middle) return 2 * series(eps, false);
  return (std::log((1 + eps) / (1 - eps)) / eps - 2) / (eps * eps);
}

// ln G over X = artanh ε at equal distances; beyond the last node it goes on along a straight line in X.
struct SweepTable {
  static constexpr double last = 0.9999;
  static constexpr int nodes = 161, cells = 2000;
  double step = std::atanh(last) / (nodes - 1);
  std::vector<double> value, slope;

  SweepTable() : value(nodes), slope(nodes) {
    for (int i = 0; i < nodes; ++i) {
      const double eps = std::tanh(i * step);
      // Of order two in the width of the cells.
      value[i] = std::log((4 * solved_ball_sweep(eps, cells) - solved_ball_sweep(eps, cells / 2)) / 3);
    }
    // Slopes of order four; G is even in ε.
    const auto at = [&](int i) { return value[std::abs(i)]; };
    for (int i = 0; i < nodes; ++i)
      slope[i] = i + 2 < nodes
                     ? (at(i - 2) - 8 * at(i - 1) + 8 * at(i + 1) - at(i + 2)) / 12
                     : (25 * at(i) - 48 * at(i - 1) + 36 * at(i - 2) - 16 * at(i - 3) + 3 * at(i - 4)) / 12;
  }
  double at(double eps) const {
    const double x = std::atanh(eps) / step;
    const int i = std::min(nodes - 2, static_cast<int>(x));
    const double u = x - i, v = 1 - u;
    if (u > 1) return std::exp(value[nodes - 1] + slope[nodes - 1] * (u - 1));
    return std::exp((1 + 2 * u) * v * v * value[i] + u * v * v * slope[i] +
                    u * u * (3 - 2 * u) * value[i + 1] - u * u * v * slope[i + 1]);
  }
};

}  // namespace

double ball_squeeze(double eps) {
  if (eps < near_middle) return 2 * series(eps, true);
  return (2 * eps / ((1 - eps) * (1 + eps)) - std::log((1 + eps) / (1 - eps))) / (eps * eps * eps);
}

// Linear elements on ∫ H³ (P′² sin ϑ + P²/sin ϑ) dϑ = 2 ∫ 12 P sin²ϑ dϑ, nodes close where the gap is thin.
double solved_ball_sweep(double eps, int cells) {
  const double a = 1.8 * std::sqrt(1 - eps);
  std::vector<double> node(cells + 1), diagonal(cells + 1, 0.0), next(cells + 1, 0.0), right(cells + 1, 0.0);
  for (int i = 0; i <= cells; ++i) {
    // Half of the nodes evenly, half by asinh.
    const double x = static_cast<double>(i) / cells;
    double theta = 0;  // the left-hand side is concave: from here Newton's method does not overshoot
    for (int pass = 0; pass < 60; ++pass) {
      const double off = 0.5 * theta / pi + 0.5 * std::asinh(theta / a) / std::asinh(pi / a) - x;
      theta -= off / (0.5 / pi + 0.5 / (std::asinh(pi / a) * std::hypot(a, theta)));
      if (std::abs(off) < 1e-15) break;
    }
    node[i] = theta;
  }
  node[0] = 0, node[cells] = pi;
  constexpr double gauss = 0.5773502691896258;
  for (int i = 0; i < cells; ++i) {
    const double width = node[i + 1] - node[i];
    for (const double side : {-gauss, gauss}) {
      const double part = 0.5 * (1 + side), theta = node[i] + part * width, s = std::sin(theta);
      const double H = 1 - eps * std::cos(theta), weight = 0.5 * width, H3 = H * H * H;
      const double shape[2] = {1 - part, part}, slope[2] = {-1 / width, 1 / width};
      const auto bend = [&](int j, int k) {
        return weight * H3 * (slope[j] * slope[k] * s + shape[j] * shape[k] / s);
      };
      diagonal[i] += bend(0, 0), diagonal[i + 1] += bend(1, 1), next[i] += bend(0, 1);
      for (int k : {0, 1}) right[i + k] += weight * 12 * s * s * shape[k];
    }
  }
  const std::vector<double> load = right;
  // P vanishes at both poles.
  for (int i = 2; i < cells; ++i) {
    const double factor = next[i - 1] / diagonal[i - 1];
    diagonal[i] -= factor * next[i - 1], right[i] -= factor * right[i - 1];
  }
  double force = 0, P = 0;
  for (int i = cells - 1; i > 0; --i) {
    P = (right[i] - (i + 1 < cells ? next[i] * P : 0)) / diagonal[i];
    force += P * load[i] / 12;
  }
  return pi * force / (8 * pi);
}

double ball_sweep(double eps) {
  static const SweepTable table;
  return table.at(eps);
}

BallFilm::BallFilm(double viscosity, double radius, double clearance) : clearance_(clearance) {
  const double R4 = radius * radius * radius * radius;
  push_ = viscosity * R4 / (clearance * clearance * clearance), shear_ = viscosity * R4 / clearance;
  ball_sweep(0);
}

BallFilm::Push BallFilm::evaluate(const Vec3& e, const Vec3& w, const Vec3& spin) const {
  const double size = e.norm(), eps = size / clearance_;
  if (!(eps < 1)) refuse_eccentricity(eps);
  // In the middle both parts are the same, and any direction serves.
  const Vec3 n = size > 0 ? Vec3(e / size) : Vec3::UnitX();
  const double along = 6 * pi * ball_squeeze(eps), across = 8 * pi * ball_sweep(eps);
  const double s2 = S2(eps), s0 = 2 + eps * eps * s2;
  Push out;
  const double w_n = n.dot(w), spin_n = n.dot(spin);
  out.force = -push_ * (across * w + (along - across) * w_n * n);
  out.moment = -pi * shear_ * ((s0 + s2) * spin + (2 * (s0 - s2) - (s0 + s2)) * spin_n * n);
  out.pressure_loss = -out.force.dot(w), out.shear_loss = -out.moment.dot(spin);
  return out;
}

const Table& ball_film_table() {
  using P = BallFilmParameters;
  static const Table table =
      table_of<P>("a ball's lubricant", "The oil between a ball and its flooded socket",
                  {{&P::viscosity, viscosity_parameter()}, {&P::temperature, temperature_parameter()}});
  return table;
}

}  // namespace tappet
