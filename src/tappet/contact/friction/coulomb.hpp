// Coulomb, exactly: set-valued at rest.
//
//   |F_t| ≤ μ_s F_N               v = 0
//   F_t = −μ_d F_N v/|v|          v ≠ 0
//
//   μ_d   coefficient of sliding friction (`coefficient`)
//   μ_s   coefficient of static friction (`static`); μ_d when absent
//   v     tangential velocity of the second surface relative to the first, m/s;  F_t on the second, N
//
// [Flores 2022, equations 6 and 7]; printed there without the sign: friction opposes the velocity. The first
// line is a state of its own, held by a constraint and left when it would need more than μ_s F_N (kind stick,
// friction_law.hpp). The zero of the velocity is located exactly.
#pragma once

#include "tappet/contact/friction_law.hpp"

namespace tappet {

struct CoulombParameters {
  double coefficient = not_given;         ///< μ_d
  double static_coefficient = not_given;  ///< μ_s; absent: μ_d
  double tangential_restitution = 0;      ///< for the non-smooth methods
};

struct Coulomb {
  double mu = 0;
};

template <class T>
FrictionOutputOf<T> friction(const Coulomb& law, const T& speed) {
  return sliding_at<T>(law.mu, 0, speed);
}

}  // namespace tappet
