// Dubowsky: Coulomb's sliding force without any thought of rest.
//
//   F_t = −c_c F_N v/|v|
//
//   c_c   empirical friction parameter (`coefficient`), a pure number
//   v     tangential velocity of the second surface relative to the first, m/s;  F_t on the second, N
//
// [Dubowsky 1974; Flores 2006, equation 12]. The print jumps from −c_c F_N to c_c F_N at v = 0, which no
// integrator passes. We replace the jump by a straight line over |v| < v₀:
//   F_t = −c_c F_N v/max(|v|, v₀)
// A contact at rest creeps at up to v₀; for a law that holds, see coulomb or rooney-deravi.
#pragma once

#include "tappet/contact/friction_law.hpp"

namespace tappet {

struct DubowskyParameters {
  double coefficient = not_given;     ///< c_c
  double v0 = 1e-4;                   ///< m/s
  double tangential_restitution = 0;  ///< for the non-smooth methods
};

struct Dubowsky {
  double c_c = 0, v0 = 0;
};

template <class T>
FrictionOutputOf<T> friction(const Dubowsky& law, const T& speed) {
  if (speed < law.v0)
    return {.coefficient = law.c_c * speed / law.v0, .d_speed = law.c_c / law.v0, .ratio = law.c_c / law.v0};
  return {.coefficient = law.c_c, .d_speed = 0, .ratio = law.c_c / speed};
}

}  // namespace tappet
