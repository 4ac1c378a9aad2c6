// Hooke: a linear spring, with a linear damper beside it when asked for.
//
//   F = K δ + D δ̇,   not below 0
//
//   K   stiffness, N/m
//   D   damping, N s/m; 0 is the law as printed
//   δ   penetration, m;  δ̇ > 0 approaching;  F on the second surface along the normal, away from the first
//
//   U = K δ²/2;   P = D δ̇² ≥ 0, and −K δ δ̇ where F was cut off at 0
//
// [Flores 2022, equation 1]. The damper is ours: with D > 0 the force jumps to D δ̇⁽⁻⁾ at first touch, which
// is the drawback that Hunt and Crossley set out from.
#pragma once

#include "tappet/contact/normal_law.hpp"

namespace tappet {

struct HookeParameters {
  double stiffness = not_given;    ///< K, N/m
  double damping = 0;              ///< D, N s/m
  double restitution = not_given;  ///< for the non-smooth methods
};

struct Hooke {
  double K = 0, D = 0;
};

template <class T>
NormalOutputOf<T> force(const Hooke& law, const NormalInputOf<T>& in) {
  const T spring = law.K * in.depth, force = spring + law.D * in.rate, energy = 0.5 * spring * in.depth;
  if (force <= 0) return {.stored_energy = energy, .dissipated_power = -spring * in.rate};
  return {.force = force,
          .d_depth = law.K,
          .d_rate = law.D,
          .stored_energy = energy,
          .dissipated_power = law.D * in.rate * in.rate};
}

}  // namespace tappet
