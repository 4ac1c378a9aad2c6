// Threlfall: Coulomb's law with an exponential rise through rest.
//
//   F_t = −μ F_N (1 − e^(−3|v|/v₀)) v/|v|      |v| ≤ v₀
//   F_t = −0.95 μ F_N v/|v|                    |v| > v₀
//
// `variant: 2006` has the first line at every speed, so that the coefficient goes to μ itself:
//
//   F_t = −μ F_N (1 − e^(−3|v|/v₀)) v/|v|
//
//   μ    coefficient of friction (`coefficient`)
//   v₀   threshold velocity, m/s, small against the speeds that occur
//   v    tangential velocity of the second surface relative to the first, m/s;  F_t on the second, N
//
// [Threlfall 1978; Flores 2022, equation 8, the default; Flores 2006, equation 15 has the first line alone and the sign
// reversed]. Beyond v₀ the two differ by a twentieth. The second line is printed without direction; it opposes the velocity like the first. 0.95 is 1
// − e⁻³ = 0.9502 rounded: we use the unrounded number, so that the force is continuous at v₀. Its slope is
// not, there.
#pragma once

#include <cmath>
#include <string>

#include "tappet/contact/friction_law.hpp"

namespace tappet {

struct ThrelfallParameters {
  double coefficient = not_given;     ///< μ
  double v0 = not_given;              ///< m/s
  std::string variant = "2022";       ///< or "2006"
  double tangential_restitution = 0;  ///< for the non-smooth methods
};

struct Threlfall {
  double mu = 0, v0 = 0;
  double mu_far = 0;  ///< (1 − e⁻³) μ, beyond the kink of 2022; as printed in 2006 there is no kink
};

template <class T>
FrictionOutputOf<T> friction(const Threlfall& law, int branch, const T& speed) {
  using std::expm1;
  if (branch == 1) return {.coefficient = law.mu_far, .d_speed = 0, .ratio = law.mu_far / speed};
  const T rise = -expm1(-3 * speed / law.v0);  // 1 − e^(−3s/v₀)
  return {.coefficient = law.mu * rise,
          .d_speed = 3 * law.mu / law.v0 * (1 - rise),
          .ratio = speed > 0 ? law.mu * rise / speed : T(3 * law.mu / law.v0)};
}

}  // namespace tappet
