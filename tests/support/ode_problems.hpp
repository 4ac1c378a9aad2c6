// Small problems with known solutions, on which integrators are measured.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tappet/ode/scheme.hpp"

namespace tappet::testing {

/// y' = f(t, y) given by a function; errors are relative to max(|y|, 1) unless a test says otherwise.
class FunctionSystem : public OdeSystem {
 public:
  using Function = std::function<void(double, const double*, double*)>;
  FunctionSystem(int size, Function f) : size_(size), f_(std::move(f)) {}

  int size() const override { return size_; }
  void derivative(double t, const double* y, double* dydt) override { f_(t, y, dydt); }
  bool project(double, double*) override { return false; }
  void error_scale(double, const double* y, double* scale) override {
    for (int i = 0; i < size_; ++i) scale[i] = std::max(std::abs(y[i]), 1.0);
  }

 private:
  int size_;
  Function f_;
};

/// x'' = −x, and a clock: y = (x, x', ∫x² dt).
inline FunctionSystem oscillator() {
  return {3, [](double, const double* y, double* f) { f[0] = y[1], f[1] = -y[0], f[2] = y[0] * y[0]; }};
}
inline std::vector<double> oscillator_start() {
  return {1, 0, 0};
}
inline std::vector<double> oscillator_at(double t) {
  return {std::cos(t), -std::sin(t), t / 2 + std::sin(2 * t) / 4};
}

/// Motion around a centre with eccentricity e, started at the pericentre; period 2π.
inline FunctionSystem kepler() {
  return {4, [](double, const double* y, double* f) {
            const double r = std::hypot(y[0], y[1]), r3 = r * r * r;
            f[0] = y[2], f[1] = y[3], f[2] = -y[0] / r3, f[3] = -y[1] / r3;
          }};
}
inline std::vector<double> kepler_start(double e) {
  return {1 - e, 0, 0, std::sqrt((1 + e) / (1 - e))};
}
inline std::vector<double> kepler_at(double e, double t) {
  // Kepler's equation by Newton's method.
  double E = t;
  for (int i = 0; i < 50; ++i) E -= (E - e * std::sin(E) - t) / (1 - e * std::cos(E));
  const double b = std::sqrt(1 - e * e), rate = 1 / (1 - e * std::cos(E));
  return {std::cos(E) - e, b * std::sin(E), -std::sin(E) * rate, b * std::cos(E) * rate};
}

/// The Arenstorf orbit: three bodies, closed after one period [Hairer1993, II.0, eq. 0.1 and 0.2].
inline FunctionSystem arenstorf() {
  return {4, [](double, const double* y, double* f) {
            const double mu = 0.012277471, rest = 1 - mu;
            const double d1 = std::pow(std::hypot(y[0] + mu, y[1]), 3),
                         d2 = std::pow(std::hypot(y[0] - rest, y[1]), 3);
            f[0] = y[2], f[1] = y[3];
            f[2] = y[0] + 2 * y[3] - rest * (y[0] + mu) / d1 - mu * (y[0] - rest) / d2;
            f[3] = y[1] - 2 * y[2] - rest * y[1] / d1 - mu * y[1] / d2;
          }};
}
inline std::vector<double> arenstorf_start() {
  return {0.994, 0, 0, -2.00158510637908252240537862224};
}
constexpr double arenstorf_period = 17.0652165601579625588917206249;

/// A pendulum of length 1 in Cartesian coordinates (x, y, u, v), gravity 9.81 downwards: x² + y² = 1, x u + y
/// v = 0. Acceleration includes the reaction along the rod; `project` returns to the circle and its tangent.
class CartesianPendulum : public OdeSystem {
 public:
  int size() const override { return 4; }
  void derivative(double, const double* y, double* f) override {
    const double r2 = y[0] * y[0] + y[1] * y[1];
    const double lambda = (y[2] * y[2] + y[3] * y[3] - gravity * y[1]) / r2;
    f[0] = y[2], f[1] = y[3], f[2] = -lambda * y[0], f[3] = -gravity - lambda * y[1];
  }
  bool project(double, double* y) override {
    if (!projects) return false;
    const double r = std::hypot(y[0], y[1]), along = (y[0] * y[2] + y[1] * y[3]) / (r * r);
    if (std::abs(r - 1) < 1e-15 && std::abs(along) < 1e-15) return false;
    y[2] -= along * y[0], y[3] -= along * y[1];
    y[0] /= r, y[1] /= r;
    return true;
  }
  void error_scale(double, const double*, double* scale) override {
    scale[0] = scale[1] = 1;
    scale[2] = scale[3] = std::sqrt(gravity);
  }
  static std::vector<double> start() { return {1, 0, 0, 0}; }
  /// Released from the horizontal, it swings from side to side in half a period: T/2 = 2 K(sin 45°) / √g.
  static double half_period() { return 2 * std::comp_ellint_1(std::sqrt(0.5)) / std::sqrt(gravity); }
  static constexpr double gravity = 9.81;
  bool projects = true;
};

/// x'' = µ(1 − x²)x' − x.
inline FunctionSystem van_der_pol(double mu) {
  return {2, [mu](double, const double* y, double* f) {
            f[0] = y[1];
            f[1] = mu * (1 - y[0] * y[0]) * y[1] - y[0];
          }};
}

inline std::vector<std::string> error_controlled_schemes() {
  std::vector<std::string> names;
  for (const SchemeType& type : SchemeRegistry::instance().entries())
    if (type.error_control) names.push_back(type.name);
  return names;
}

inline std::unique_ptr<Scheme> make_scheme(const std::string& name, const SchemeOptions& options) {
  const SchemeType* type = SchemeRegistry::instance().find(name);
  if (!type) throw std::runtime_error("no scheme " + name);
  return type->make(options);
}

/// Runs to the end and returns the state there.
inline std::vector<double> run(Scheme& scheme, OdeSystem& system, const std::vector<double>& start,
                               double t_end) {
  scheme.start(system, 0, start.data(), t_end);
  while (scheme.t() < t_end) scheme.step();
  return {scheme.y(), scheme.y() + system.size()};
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    if (!(difference <= largest)) largest = difference;  // keeps NaN
  }
  return largest;
}

/// Slope of the straight line through the points (log x, log y), by least squares.
inline double log_slope(const std::vector<double>& x, const std::vector<double>& y) {
  double mean_x = 0, mean_y = 0, xy = 0, xx = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mean_x += std::log(x[i]), mean_y += std::log(y[i]);
  mean_x /= static_cast<double>(x.size()), mean_y /= static_cast<double>(y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (std::log(x[i]) - mean_x) * (std::log(y[i]) - mean_y);
    xx += (std::log(x[i]) - mean_x) * (std::log(x[i]) - mean_x);
  }
  return xy / xx;
}

}  // namespace tappet::testing
