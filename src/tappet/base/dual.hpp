// Numbers that carry their derivatives: x + Σ ẋ_k ε_k with ε_k ε_l = 0.
//
// Evaluations of laws are templates on their scalar type. With double they give forces; with Dual<N> they give the
// derivatives of these as well, exact to rounding, from the same source.
#pragma once

#include <array>
#include <cmath>

namespace tappet {

template <int N>
struct Dual {
  double value = 0;
  std::array<double, N> d{};  ///< derivatives

  Dual() = default;
  Dual(double constant) : value(constant) {}
  /// The variable number `index`.
  static Dual variable(double value, int index) {
    Dual out(value);
    out.d[index] = 1;
    return out;
  }

  /// f(x) from the value and slope of f at x.
  Dual chain(double f, double slope) const {
    Dual out(f);
    for (int k = 0; k < N; ++k) out.d[k] = slope * d[k];
    return out;
  }

  Dual operator-() const { return chain(-value, -1); }
  friend Dual operator+(const Dual& a, const Dual& b) {
    Dual out(a.value + b.value);
    for (int k = 0; k < N; ++k) out.d[k] = a.d[k] + b.d[k];
    return out;
  }
  friend Dual operator-(const Dual& a, const Dual& b) { return a + (-b); }
  friend Dual operator*(const Dual& a, const Dual& b) {
    Dual out(a.value * b.value);
    for (int k = 0; k < N; ++k) out.d[k] = a.d[k] * b.value + a.value * b.d[k];
    return out;
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    Dual out(a.value / b.value);
    for (int k = 0; k < N; ++k) out.d[k] = (a.d[k] - out.value * b.d[k]) / b.value;
    return out;
  }
  // Which branch holds is decided by values.
  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }

  friend Dual sqrt(const Dual& x) { return x.chain(std::sqrt(x.value), 0.5 / std::sqrt(x.value)); }
  friend Dual exp(const Dual& x) { return x.chain(std::exp(x.value), std::exp(x.value)); }
  friend Dual expm1(const Dual& x) { return x.chain(std::expm1(x.value), std::exp(x.value)); }
  friend Dual log(const Dual& x) { return x.chain(std::log(x.value), 1 / x.value); }
  friend Dual abs(const Dual& x) { return x.value < 0 ? -x : x; }
  friend Dual pow(const Dual& x, double n) {
    return x.chain(std::pow(x.value, n), n * std::pow(x.value, n - 1));
  }
  friend Dual hypot(const Dual& a, const Dual& b) { return sqrt(a * a + b * b); }
};

/// The number itself, whatever it carries.
inline double value_of(double x) {
  return x;
}
template <int N>
double value_of(const Dual<N>& x) {
  return x.value;
}

}  // namespace tappet
