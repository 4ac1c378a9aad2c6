// Karnopp: a band of velocities that count as zero.
//
//   |F_t| ≤ μ_s F_N, from equilibrium     |v| ≤ D, while it holds
//   F_t = −μ_d F_N v/|v|                  otherwise
//
//   μ_s, μ_d  coefficients of static and sliding friction
//   D         half width of the band (`stick_velocity`), m/s
//   v         tangential velocity of the second surface relative to the first, m/s;  F_t on the second, N
//
// [Karnopp 1985; described in Flores 2006, after equation 17]. In the band friction balances what drives the
// contact, so that nothing accelerates; when more than μ_s F_N would be needed it lets go. Karnopp keeps the
// momentum and reports zero velocity in the band; we set the velocity to zero as it enters (the energy m D²/2
// at most is lost), so that a body at rest does not creep through the band. Kind stick, friction_law.hpp and
// stick_slip.hpp. His sliding friction may be any function of velocity; here it is constant, and
// `modified-karnopp` has a falling one.
#pragma once

#include "tappet/contact/friction_law.hpp"

namespace tappet {

struct KarnoppParameters {
  double static_coefficient = not_given;   ///< μ_s
  double dynamic_coefficient = not_given;  ///< μ_d
  double stick_velocity = 1e-3;            ///< D, m/s
  double tangential_restitution = 0;       ///< for the non-smooth methods
};

struct Karnopp {
  double mu_d = 0;
};

template <class T>
FrictionOutputOf<T> friction(const Karnopp& law, const T& speed) {
  return sliding_at<T>(law.mu_d, 0, speed);
}

}  // namespace tappet
