// The cubic transition between two levels that Adams calls STEP [Giesbers 2012, sections 2.6 and 2.8].
//
//   STEP(x, x₀, h₀, x₁, h₁) = h₀                              x ≤ x₀
//                             h₀ + (h₁ − h₀) Δ²(3 − 2Δ)       x₀ < x < x₁,  Δ = (x − x₀)/(x₁ − x₀)
//                             h₁                              x ≥ x₁
#pragma once

#include <type_traits>

namespace tappet {

template <class T>
struct Step {
  T value = 0;
  T slope = 0;  ///< derivative with respect to x
};

template <class T>
Step<T> cubic_step(const T& x, const std::type_identity_t<T>& x0, const std::type_identity_t<T>& h0,
                   const std::type_identity_t<T>& x1, const std::type_identity_t<T>& h1) {
  if (x <= x0) return {h0, 0};
  if (x >= x1) return {h1, 0};
  const T width = x1 - x0, s = (x - x0) / width;
  return {h0 + (h1 - h0) * s * s * (3 - 2 * s), (h1 - h0) * 6 * s * (1 - s) / width};
}

}  // namespace tappet
