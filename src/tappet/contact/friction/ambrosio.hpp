// Ambrósio: Coulomb's law with a dead zone and a ramp around rest.
//
//   F_t = −c_d c_f F_N v/|v|,      c_d = 0                          |v| ≤ v₀
//                                        (|v| − v₀)/(v₁ − v₀)       v₀ ≤ |v| ≤ v₁
//                                        1                          |v| ≥ v₁
//
//   c_f      coefficient of friction (`coefficient`)
//   c_d      dynamic correction coefficient
//   v₀, v₁   tolerances for the velocity, m/s
//   v        tangential velocity of the second surface relative to the first, m/s;  F_t on the second, N
//
// [Ambrósio 2002; Flores 2006, equations 16 and 17; Flores 2022, equations 10 and 11]. As printed. No force
// at all below v₀.
#pragma once

#include "tappet/contact/friction_law.hpp"

namespace tappet {

struct AmbrosioParameters {
  double coefficient = not_given;     ///< c_f
  double v0 = not_given;              ///< m/s
  double v1 = not_given;              ///< m/s
  double tangential_restitution = 0;  ///< for the non-smooth methods
};

struct Ambrosio {
  double c_f = 0, v0 = 0, v1 = 0;
};

template <class T>
FrictionOutputOf<T> friction(const Ambrosio& law, int branch, const T& speed) {
  // Without a dead zone the ramp is the first branch.
  if (law.v0 == 0) ++branch;
  if (branch == 2) return {.coefficient = law.c_f, .d_speed = 0, .ratio = law.c_f / speed};
  if (branch == 0) return {};
  const double slope = law.c_f / (law.v1 - law.v0);
  if (law.v0 == 0) return {.coefficient = slope * speed, .d_speed = slope, .ratio = slope};
  const T mu = slope * (speed - law.v0);
  return {.coefficient = mu, .d_speed = slope, .ratio = mu / speed};
}

}  // namespace tappet
