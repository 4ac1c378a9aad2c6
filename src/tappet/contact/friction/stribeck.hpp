// Stribeck: friction that falls with the speed of sliding and truly sticks at rest.
//
//   |F_t| ≤ μ_s F_N, whatever holds v = 0                        at rest
//   F_t = −F_N μ(|v|) v/|v|                                      sliding
//   μ(s) = μ_d + (μ_s − μ_d) e^(−(s/v_S)^α)
//
//   μ_s, μ_d  coefficients of friction at rest and at high speed; μ_s ≥ μ_d
//   v_S       Stribeck velocity (`stribeck_velocity`), m/s: of the fall from μ_s to μ_d, 1/e is left there
//   α         exponent: 1 Tustin's, 2 a Gaussian
//   v         tangential velocity of the second surface relative to the first, m/s;  F_t on the second, N
//
// [Tustin 1947; Armstrong-Hélouvry, Dupont & Canudas de Wit 1994]. Letting go is continuous, μ(0) = μ_s, and unstable: the fall
// of the curve is negative damping, which makes stick-slip. Viscous friction is not in it: that is a damper's.
//
// Kind stick, friction_law.hpp and stick_slip.hpp, without a band: sliding ends where v is zero. The non-smooth methods take the
// same curve: event-driven at each instant, moreau at the mean speed of each step.
#pragma once

#include <cmath>

#include "tappet/contact/friction_law.hpp"

namespace tappet {

struct StribeckParameters {
  double static_coefficient = not_given;   ///< μ_s
  double dynamic_coefficient = not_given;  ///< μ_d
  double stribeck_velocity = not_given;    ///< v_S, m/s
  double exponent = 1;                     ///< α
  double tangential_restitution = 0;       ///< for the non-smooth methods
};

struct Stribeck {
  double mu_s = 0, mu_d = 0, v_S = 0, alpha = 1;
};

template <class T>
FrictionOutputOf<T> friction(const Stribeck& law, const T& speed) {
  using std::exp;
  using std::pow;
  const T x = speed / law.v_S;
  // x^α and x^(α−1), without the logarithm of zero.
  const T below = law.alpha == 1 ? T(1) : x > 0 ? T(pow(x, law.alpha - 1)) : T(0);
  const T rest = (law.mu_s - law.mu_d) * exp(-(below * x));
  return sliding_at<T>(law.mu_d + rest, -rest * law.alpha * below / law.v_S, speed);
}

}  // namespace tappet
