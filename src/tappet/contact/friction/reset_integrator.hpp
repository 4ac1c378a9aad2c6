// Reset integrator: the surfaces are joined by one bristle that gives way at a fixed deflection.
//
//   ṗ = v                                   holding
//   ṗ = v − (v·n) n,  |p| = p₀              sliding, n = p/|p|; in the plane ṗ = 0
//   F_t = −F_N [(1 + a) (μ_d/p₀)(p + τ ṗ)]  holding,   (1 + a) μ_d = μ_s
//   F_t = −F_N μ_d n                        sliding
//
//   p     deflection of the bristle, m, a state that is integrated with the motion
//   p₀    deflection at which it gives way (`deflection`), m
//   μ_s, μ_d  coefficients of static and sliding friction; a = μ_s/μ_d − 1 is the paper's stiction
//   τ     damping time of the bristle (`damping_time`), s: damping over stiffness
//   v     tangential velocity of the second surface relative to the first, m/s;  F_t on the second, N
//
// [Haessig & Friedland 1991; named in Flores 2006, after equation 17]. The paper writes, in one dimension,
//   ṗ = 0 if (v > 0 and p ≥ p₀) or (v < 0 and p ≤ −p₀), else v;      F = (1 + a(p)) σ₀ p + σ₁ ṗ
//   a(p) = a for |p| < p₀, 0 otherwise,
// with a constant sliding force σ₀ p₀. Where we deviate: the sliding force is μ_d F_N, hence σ₀ = μ_d F_N/p₀
// and σ₁ = (1 + a) σ₀ τ follow the normal force; and in space the deflection is a vector that turns with the
// sliding.
//
// Two modes (kind bristle, friction_law.hpp): holding ends when |p| reaches p₀ on the way out, sliding ends
// when v·p falls to 0. A held contact does not creep: it comes to rest at the deflection that carries the
// load. Breaking away drops the force from μ_s F_N to μ_d F_N; the energy in the bristle, of the order μ_s
// F_N p₀/2, is booked as F_t·v either way. Critical damping of a body whose weight gives F_N: τ = 2/ω, ω² =
// μ_s g/p₀, hence 1.2 ms for the default p₀ and μ_s = 0.3.
#pragma once

#include <cmath>

#include "tappet/contact/friction_law.hpp"

namespace tappet {

struct ResetIntegratorParameters {
  double static_coefficient = not_given;   ///< μ_s
  double dynamic_coefficient = not_given;  ///< μ_d
  double deflection = 1e-6;                ///< p₀, m
  double damping_time = 1e-3;              ///< τ, s
  double tangential_restitution = 0;       ///< for the non-smooth methods
};

struct ResetIntegrator {
  double mu_s = 0, mu_d = 0, p0 = 0, tau = 0;
};

/// Steady sliding.
template <class T>
FrictionOutputOf<T> friction(const ResetIntegrator& law, const T& speed) {
  return sliding_at<T>(law.mu_d, 0, speed);
}

template <class T>
BristleOutputOf<T> deflect(const ResetIntegrator& law, bool sliding, const TangentialOf<T>& v,
                           const TangentialOf<T>& p) {
  using std::abs, std::hypot;
  const T length = p[1] == 0 ? abs(p[0]) : hypot(p[0], p[1]);
  BristleOutputOf<T> out;
  if (sliding) {
    const TangentialOf<T> n{p[0] / length, p[1] / length};
    const T outward = v[0] * n[0] + v[1] * n[1];
    for (int k : {0, 1}) {
      out.deflection_rate[k] = v[k] - outward * n[k];
      out.coefficient[k] = law.mu_d * n[k];
    }
    // In the plane the difference above is rounding.
    if (p[1] == 0 && v[1] == 0) out.deflection_rate = {0, 0};
    out.margin = outward;
  } else {
    const double stiffness = law.mu_s / law.p0;
    for (int k : {0, 1}) {
      out.deflection_rate[k] = v[k];
      out.coefficient[k] = stiffness * (p[k] + law.tau * v[k]);
    }
    out.margin = law.p0 - length;
  }
  return out;
}

template <class T>
TangentialOf<T> give_way(const ResetIntegrator& law, bool sliding, const TangentialOf<T>& p) {
  using std::hypot;
  if (!sliding) return p;
  // Onto the circle |p| = p₀, where the event was located up to its tolerance.
  const T length = hypot(p[0], p[1]);
  return {p[0] * law.p0 / length, p[1] * law.p0 / length};
}

}  // namespace tappet
