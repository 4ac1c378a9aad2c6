// Kelvin–Voigt as the clearance-joint literature uses the name: a linear spring that unloads softer than it
// loads.
//
//   F = K δ          δ̇ > 0   (loading)
//   F = c K δ        δ̇ < 0   (unloading)
//
//   K   stiffness, N/m
//   c   unloading ratio: c_e for `variant: printed`, c_e² for `variant: matched`
//   c_e coefficient of restitution asked for
//   δ   penetration, m;  δ̇ > 0 approaching;  F on the second surface along the normal, away from the first
//
// [Flores 2006, equation 1; Flores & Ambrósio 2004, equation 22].
//
// What the print hides: K δ_max²/2 goes in and c K δ_max²/2 comes out, so that the realised restitution of
// velocity is √c. With the printed c = c_e that is √c_e, not c_e (0.949 for 0.9); `matched` unloads with c_e²
// and realises c_e.
//
// Where we deviate: the print jumps at δ̇ = 0, which no integrator passes and where a body at rest would
// chatter. The loading force fades in over 0 < δ̇ < v_rest by a cubic step, from the unloading force:
//   F = K δ [c + (1 − c) s(δ̇/v_rest)],   s(x) = 0 below 0, x²(3 − 2x) between, 1 above 1.
// The energy of an impact at speed v changes by a fraction of the order (v_rest/v)², 1e-8 at 1 m/s with the
// default, and the force drops at the end of loading as printed. A body at rest is carried by c K δ.
//
//   U = c K δ²/2, the part that unloading returns;   P = (1 − c) s K δ δ̇ ≥ 0
#pragma once

#include <string>

#include "tappet/contact/normal_law.hpp"
#include "tappet/contact/step.hpp"

namespace tappet {

struct KelvinVoigtParameters {
  double stiffness = not_given;     ///< K, N/m
  double restitution = not_given;   ///< c_e
  std::string variant = "printed";  ///< or "matched"
  double rest_velocity = 1e-4;      ///< v_rest, m/s
};

struct KelvinVoigt {
  double K = 0, c = 0, v_rest = 0;
};

template <class T>
NormalOutputOf<T> force(const KelvinVoigt& law, const NormalInputOf<T>& in) {
  const Step<T> s = cubic_step(in.rate, 0, 0, law.v_rest, 1);
  const T spring = law.K * in.depth, ratio = law.c + (1 - law.c) * s.value;
  return {.force = spring * ratio,
          .d_depth = law.K * ratio,
          .d_rate = spring * (1 - law.c) * s.slope,
          .stored_energy = 0.5 * law.c * spring * in.depth,
          .dissipated_power = (1 - law.c) * s.value * spring * in.rate};
}

}  // namespace tappet
