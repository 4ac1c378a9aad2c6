// f = K δⁿ with its slope and its integral, without std::pow for the exponents that matter.
#pragma once

#include <cmath>

namespace tappet {

struct PowerLaw {
  double stiffness = 0;   ///< K, N/m^n
  double exponent = 1.5;  ///< n

  struct Value {
    double force = 0;   ///< K δⁿ, N
    double slope = 0;   ///< n K δⁿ⁻¹, N/m
    double energy = 0;  ///< K δⁿ⁺¹/(n + 1), J
  };

  /// δ > 0.
  Value at(double depth) const {
    double ratio;  // K δⁿ⁻¹
    if (exponent == 1.5) {
      ratio = stiffness * std::sqrt(depth);
    } else if (exponent == 1) {
      ratio = stiffness;
    } else if (exponent == 2) {
      ratio = stiffness * depth;
    } else {
      ratio = stiffness * std::pow(depth, exponent - 1);
    }
    const double force = ratio * depth;
    return {force, exponent * ratio, force * depth / (exponent + 1)};
  }
};

}  // namespace tappet
