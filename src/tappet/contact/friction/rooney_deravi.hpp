// Rooney–Deravi: Coulomb's law, with the force at rest left to equilibrium.
//
//   F_t = −c_f F_N v/|v|              v not close to zero
//   −c_f F_N < F_t < c_f F_N          v close to zero
//
//   c_f   coefficient of friction (`coefficient`)
//   v     tangential velocity of the second surface relative to the first, m/s;  F_t on the second, N
//
// [Rooney & Deravi 1982; Flores 2006, equations 13 and 14]. "Close" is |v| ≤ stick_velocity; 0, the default,
// locates the zero of the velocity exactly. Close to zero the contact is held by a constraint v = 0 (kind
// stick, friction_law.hpp).
#pragma once

#include "tappet/contact/friction_law.hpp"

namespace tappet {

struct RooneyDeraviParameters {
  double coefficient = not_given;     ///< c_f
  double stick_velocity = 0;          ///< m/s
  double tangential_restitution = 0;  ///< for the non-smooth methods
};

struct RooneyDeravi {
  double c_f = 0;
};

template <class T>
FrictionOutputOf<T> friction(const RooneyDeravi& law, const T& speed) {
  return sliding_at<T>(law.c_f, 0, speed);
}

}  // namespace tappet
