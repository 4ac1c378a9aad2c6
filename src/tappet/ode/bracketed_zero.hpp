// The zero of a function that rises through it, to the last digits asked for.
#pragma once

#include <algorithm>
#include <cmath>

namespace tappet {

/// Shrinks the bracket [a, b], f(a) < 0 < f(b), to `tolerance`: inverse quadratic interpolation where it is safe,
/// bisection elsewhere [Chandrupatla1997]. Returns the right end: the first x found at which f is no longer negative.
template <class Function>
double bracketed_zero(Function&& f, double a, double f_a, double b, double f_b, double tolerance) {
  // In Chandrupatla's terms: x1 the newest point, x2 across the zero from it, x3 the one before.
  double x1 = b, f1 = f_b, x2 = a, f2 = f_a, x3 = a, f3 = f_a;
  double part = 0.5;  // of the way from x1 to x2
  while (f_b != 0 && b - a > tolerance) {
    // Never nearer to an end than the tolerance: the last probe closes the bracket.
    const double margin = 0.5 * tolerance / (b - a);
    const double x = x1 + std::clamp(part, margin, 1 - margin) * (x2 - x1);
    if (x <= a || x >= b) break;
    const double f_x = f(x);

    // The new point replaces the end of the bracket on its side; the other is across the zero.
    const bool before = f_x < 0;
    (before ? a : b) = x;
    if (!before) f_b = f_x;
    if (before == (f1 < 0)) {
      x3 = x1, f3 = f1;
    } else {
      x3 = x2, f3 = f2;
      x2 = x1, f2 = f1;
    }
    x1 = x, f1 = f_x;

    // Is inverse quadratic interpolation through the three points monotonic?
    const double xi = (x1 - x2) / (x3 - x2), phi = (f1 - f2) / (f3 - f2);
    part = 0.5;
    if (std::isfinite(xi) && std::isfinite(phi) && phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi) {
      part = f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2);
      if (!std::isfinite(part)) part = 0.5;
    }
  }
  return b;
}

}  // namespace tappet
