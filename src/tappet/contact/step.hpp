// The cubic transition between two levels that Adams calls STEP [Giesbers 2012, sections 2.6 and 2.8].
//
//   STEP(x, x₀, h₀, x₁, h₁) = h₀                              x ≤ x₀
//                             h₀ + (h₁ − h₀) Δ²(3 − 2Δ)       x₀ < x < x₁,  Δ = (x − x₀)/(x₁ − x₀)
//                             h₁                              x ≥ x₁
#pragma once

namespace tappet {

struct Step {
  double value = 0;
  double slope = 0;  ///< derivative with respect to x
};

inline Step cubic_step(double x, double x0, double h0, double x1, double h1) {
  if (x <= x0) return {h0, 0};
  if (x >= x1) return {h1, 0};
  const double width = x1 - x0, s = (x - x0) / width;
  return {h0 + (h1 - h0) * s * s * (3 - 2 * s), (h1 - h0) * 6 * s * (1 - s) / width};
}

}  // namespace tappet
