// f = K δⁿ with its slope and its integral, without std::pow for the exponents that matter.
#pragma once

#include <cmath>

namespace tappet {

struct PowerLaw {
  double stiffness = 0;   ///< K, N/m^n
  double exponent = 1.5;  ///< n

  template <class T>
  struct Value {
    T force = 0;   ///< K δⁿ, N
    T slope = 0;   ///< n K δⁿ⁻¹, N/m
    T energy = 0;  ///< K δⁿ⁺¹/(n + 1), J
  };

  /// δ > 0.
  template <class T>
  Value<T> at(const T& depth) const {
    using std::pow, std::sqrt;
    T ratio;  // K δⁿ⁻¹
    if (exponent == 1.5) {
      ratio = stiffness * sqrt(depth);
    } else if (exponent == 1) {
      ratio = stiffness;
    } else if (exponent == 2) {
      ratio = stiffness * depth;
    } else {
      ratio = stiffness * pow(depth, exponent - 1);
    }
    const T force = ratio * depth;
    return {force, exponent * ratio, force * depth / (exponent + 1)};
  }
};

}  // namespace tappet
