// Bengisu–Akay: a parabola up to the static coefficient, then an exponential fall to the sliding one.
//
//   F_t = −F_N μ_s [1 − (|v| − v₀)²/v₀²] v/|v|                        |v| ≤ v₀
//   F_t = −F_N [μ_d + (μ_s − μ_d) e^(−κ(|v| − v₀))] v/|v|             |v| > v₀
//
//   μ_s, μ_d  coefficients of static and sliding friction
//   v₀        velocity of the peak, m/s
//   κ         rate of the fall, s/m
//   v         tangential velocity of the second surface relative to the first, m/s;  F_t on the second, N
//
// [Bengisu & Akay 1994; Flores 2022, equation 9]. The print divides the parabola by v₀ where only v₀² gives a
// coefficient, zero force at rest, the peak μ_s F_N at v₀ and a continuous join. Friction opposes the
// velocity.
#pragma once

#include <cmath>

#include "tappet/contact/friction_law.hpp"

namespace tappet {

struct BengisuAkayParameters {
  double static_coefficient = not_given;   ///< μ_s
  double dynamic_coefficient = not_given;  ///< μ_d
  double v0 = not_given;                   ///< m/s
  double kappa = not_given;                ///< κ, s/m
  double tangential_restitution = 0;       ///< for the non-smooth methods
};

struct BengisuAkay {
  double mu_s = 0, mu_d = 0, v0 = 0, kappa = 0;
};

template <class T>
FrictionOutputOf<T> friction(const BengisuAkay& law, int branch, const T& speed) {
  using std::exp;
  if (branch == 0) {
    const T x = speed / law.v0;  // 1 − (x − 1)² = x(2 − x)
    return {.coefficient = law.mu_s * x * (2 - x),
            .d_speed = 2 * law.mu_s * (1 - x) / law.v0,
            .ratio = law.mu_s * (2 - x) / law.v0};
  }
  const T fall = (law.mu_s - law.mu_d) * exp(-law.kappa * (speed - law.v0));
  return {.coefficient = law.mu_d + fall, .d_speed = -law.kappa * fall, .ratio = (law.mu_d + fall) / speed};
}

}  // namespace tappet
