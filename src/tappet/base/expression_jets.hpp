// Arithmetic of numbers and of jets (value, first and second derivative), one function an instruction. Private to base/.
//
// Chain rule for a function f of one operand g:  (f∘g)′ = f′ g′,  (f∘g)″ = f″ g′² + f′ g″.
#pragma once

#include <cassert>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "tappet/base/expression_ops.hpp"
#include "tappet/base/lookup_table.hpp"

namespace tappet::expression_ops {

/// Jet without initialisers, so that an evaluation does not begin with clearing its stack.
struct J {
  double v, d1, d2;
};

inline bool is_fixed(const J& g) {
  return g.d1 == 0 && g.d2 == 0;
}

/// An operand that does not move has no derivative, even where f′ is infinite (sqrt at 0).
inline J chain(const J& g, double f, double f1, double f2) {
  if (is_fixed(g)) return {f, 0, 0};
  return {f, f1 * g.d1, (g.d1 == 0 ? 0 : f2 * g.d1 * g.d1) + f1 * g.d2};
}

inline double value(double x) {
  return x;
}
inline double value(const J& x) {
  return x.v;
}

// --- One operand
// ---------------------------------------------------------------------------------------------------

inline double sign_of(double x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

inline double apply1(std::uint16_t code, double x) {
  switch (code) {
    case negate:
      return -x;
    case sin:
      return std::sin(x);
    case cos:
      return std::cos(x);
    case tan:
      return std::tan(x);
    case asin:
      return std::asin(x);
    case acos:
      return std::acos(x);
    case atan:
      return std::atan(x);
    case sinh:
      return std::sinh(x);
    case cosh:
      return std::cosh(x);
    case tanh:
      return std::tanh(x);
    case exp:
      return std::exp(x);
    case log:
      return std::log(x);
    case log10:
      return std::log10(x);
    case sqrt:
      return std::sqrt(x);
    case abs:
      return std::abs(x);
    case sign:
      return sign_of(x);
    case floor:
      return std::floor(x);
    default:
      assert(false);
      return 0;
  }
}

inline J apply1(std::uint16_t code, const J& g) {
  const double x = g.v;
  if (code == sin || code == cos) {
    // Side by side the compiler makes one call of the two.
    const double s = std::sin(x), c = std::cos(x);
    return code == sin ? chain(g, s, c, -s) : chain(g, c, -s, -c);
  }
  const double f = apply1(code, x);
  switch (code) {
    case negate:
      return {f, -g.d1, -g.d2};
    case tan:
      return chain(g, f, 1 + f * f, 2 * f * (1 + f * f));
    case asin:
    case acos: {
      const double s = code == asin ? 1 : -1, w = 1 - x * x, r = std::sqrt(w);
      return chain(g, f, s / r, s * x / (w * r));
    }
    case atan:
      return chain(g, f, 1 / (1 + x * x), -2 * x / ((1 + x * x) * (1 + x * x)));
    case sinh:
      return chain(g, f, std::cosh(x), f);
    case cosh:
      return chain(g, f, std::sinh(x), f);
    case tanh:
      return chain(g, f, 1 - f * f, -2 * f * (1 - f * f));
    case exp:
      return chain(g, f, f, f);
    case log:
      return chain(g, f, 1 / x, -1 / (x * x));
    case log10:
      return chain(g, f, 1 / (x * std::numbers::ln10), -1 / (x * x * std::numbers::ln10));
    case sqrt:
      return chain(g, f, 0.5 / f, -0.25 / (f * x));
    case abs:
      return {f, sign_of(x) * g.d1, sign_of(x) * g.d2};
    default:
      return {f, 0, 0};  // sign and floor are constant between their steps
  }
}

// --- Two operands
// --------------------------------------------------------------------------------------------------

inline double apply2(std::uint16_t code, double a, double b) {
  switch (code) {
    case add:
      return a + b;
    case subtract:
      return a - b;
    case multiply:
      return a * b;
    case divide:
      return a / b;
    case power:
      return b == 2 ? a * a : b == 3 ? a * a * a : std::pow(a, b);
    case less:
      return a < b;
    case greater:
      return a > b;
    case less_equal:
      return a <= b;
    case greater_equal:
      return a >= b;
    case equal:
      return a == b;
    case not_equal:
      return a != b;
    case atan2:
      return std::atan2(a, b);
    case min:
      return b < a ? b : a;
    case max:
      return b > a ? b : a;
    case mod:
      return a - b * std::floor(a / b);
    default:
      assert(false);
      return 0;
  }
}

inline double sum(double a, double b) {
  return a + b;
}
inline double difference(double a, double b) {
  return a - b;
}
inline double product(double a, double b) {
  return a * b;
}
inline J sum(const J& a, const J& b) {
  return {a.v + b.v, a.d1 + b.d1, a.d2 + b.d2};
}
inline J difference(const J& a, const J& b) {
  return {a.v - b.v, a.d1 - b.d1, a.d2 - b.d2};
}
inline J product(const J& a, const J& b) {
  return {a.v * b.v, a.d1 * b.v + a.v * b.d1, a.d2 * b.v + 2 * a.d1 * b.d1 + a.v * b.d2};
}

/// q = a / b from q b = a, differentiated twice.
inline J quotient(const J& a, const J& b) {
  const double q = a.v / b.v;
  const double q1 = (a.d1 - q * b.d1) / b.v;
  return {q, q1, (a.d2 - 2 * q1 * b.d1 - q * b.d2) / b.v};
}

inline J raised(const J& a, const J& b) {
  if (is_fixed(b) && b.v == 2) return chain(a, a.v * a.v, 2 * a.v, 2);
  if (is_fixed(b) && b.v == 3) return chain(a, a.v * a.v * a.v, 3 * a.v * a.v, 6 * a.v);
  const double f = std::pow(a.v, b.v);
  if (is_fixed(b)) {
    // A zero coefficient ends the series: d²(x¹)/dx² is 0 at x = 0 too, not 0·∞.
    const double n = b.v;
    const double f1 = n == 0 ? 0 : n * std::pow(a.v, n - 1);
    const double f2 = n == 0 || n == 1 ? 0 : n * (n - 1) * std::pow(a.v, n - 2);
    return chain(a, f, f1, f2);
  }
  // a^b = exp(b ln a)
  const J w = product(b, apply1(log, a));
  return {f, f * w.d1, f * (w.d2 + w.d1 * w.d1)};
}

/// f(g) of a table: value, slope and curvature there.
inline J looked_up(const J& g, const Jet& f) {
  return chain(g, f.value, f.d1, f.d2);
}
inline J looked_up(const J& a, const J& b, const Patch& p) {
  return {p.f, p.x * a.d1 + p.y * b.d1,
          p.xx * a.d1 * a.d1 + 2 * p.xy * a.d1 * b.d1 + p.yy * b.d1 * b.d1 + p.x * a.d2 + p.y * b.d2};
}

/// θ = atan2(y, x):  θ′ = (x y′ − y x′) / r².
inline J angle_of(const J& y, const J& x) {
  const double f = std::atan2(y.v, x.v);
  if (is_fixed(y) && is_fixed(x)) return {f, 0, 0};
  const double r2 = x.v * x.v + y.v * y.v;
  const double n = x.v * y.d1 - y.v * x.d1;
  const double n1 = x.v * y.d2 - y.v * x.d2;
  const double r2_1 = 2 * (x.v * x.d1 + y.v * y.d1);
  return {f, n / r2, (n1 - n * r2_1 / r2) / r2};
}

inline J apply2(std::uint16_t code, const J& a, const J& b) {
  switch (code) {
    case add:
      return sum(a, b);
    case subtract:
      return difference(a, b);
    case multiply:
      return product(a, b);
    case divide:
      return quotient(a, b);
    case power:
      return raised(a, b);
    case atan2:
      return angle_of(a, b);
    case min:
      return b.v < a.v ? b : a;
    case max:
      return b.v > a.v ? b : a;
    case mod: {
      const double turns = std::floor(a.v / b.v);
      return {a.v - b.v * turns, a.d1 - b.d1 * turns, a.d2 - b.d2 * turns};
    }
    default:
      return {apply2(code, a.v, b.v), 0, 0};  // comparisons
  }
}

// --- Adams' STEP: h0 before x0, h1 after x1, between them the cubic h0 + (h1 − h0) Δ² (3 − 2Δ), Δ = (x −
// x0)/(x1 − x0)

template <class T>
T smooth_step(const T* a) {
  const T &x = a[0], &x0 = a[1], &h0 = a[2], &x1 = a[3], &h1 = a[4];
  if (value(x) <= value(x0)) return h0;
  if (value(x) >= value(x1)) return h1;
  const T s = apply2(divide, apply2(subtract, x, x0), apply2(subtract, x1, x0));
  const T s2 = apply2(multiply, s, s);
  const T blend =
      apply2(subtract, apply2(add, s2, apply2(add, s2, s2)), apply2(multiply, apply2(add, s, s), s2));
  return apply2(add, h0, apply2(multiply, apply2(subtract, h1, h0), blend));
}

}  // namespace tappet::expression_ops
