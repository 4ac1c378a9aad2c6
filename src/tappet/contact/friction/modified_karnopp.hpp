// Modified Karnopp: the zero-velocity band of Karnopp with a sliding coefficient that falls with speed.
//
//   |F_t| ≤ μ_s F_N, from equilibrium              |v| ≤ D, while it holds
//   F_t = −F_N μ(|v|) v/|v|                        otherwise
//   μ(s) = μ_s                                     s ≤ D
//          μ_s + (μ_d − μ_s)(s − D)/(V − D)        D < s < V
//          μ_d                                     s ≥ V
//
//   μ_s, μ_d  coefficients of static and sliding friction
//   D         half width of the band (`stick_velocity`), m/s
//   V         speed from which on friction is constant (`friction_velocity`), m/s; V > D
//   v         tangential velocity of the second surface relative to the first, m/s;  F_t on the second, N
//
// [Centea, Rahnejat & Menday 2001; named in Flores 2006, after equation 17, without its equations]. What that
// study of clutch judder adds to Karnopp is the dependence of the coefficient on the speed of slip, whose
// gradient decides whether the drive judders. Our reading: the gradient is constant, (μ_d − μ_s)/(V − D),
// from the edge of the band to V, so that letting go is continuous instead of a drop from μ_s to μ_d. Its
// data for clutch facings are not reproduced. Kind stick, friction_law.hpp and stick_slip.hpp; in the band as
// karnopp.
#pragma once

#include "tappet/contact/friction_law.hpp"

namespace tappet {

struct ModifiedKarnoppParameters {
  double static_coefficient = not_given;   ///< μ_s
  double dynamic_coefficient = not_given;  ///< μ_d
  double stick_velocity = 1e-3;            ///< D, m/s
  double friction_velocity = not_given;    ///< V, m/s
  double tangential_restitution = 0;       ///< for the non-smooth methods
};

struct ModifiedKarnopp {
  double mu_s = 0, mu_d = 0, D = 0, V = 0;
  double gradient = 0;  ///< (μ_d − μ_s)/(V − D), s/m
};

template <class T>
FrictionOutputOf<T> friction(const ModifiedKarnopp& law, const T& speed) {
  const bool falling = speed > law.D && speed < law.V;
  const T mu = falling ? law.mu_s + law.gradient * (speed - law.D) : T(speed <= law.D ? law.mu_s : law.mu_d);
  return sliding_at<T>(mu, falling ? law.gradient : 0, speed);
}

}  // namespace tappet
