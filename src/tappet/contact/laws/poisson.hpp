// POISSON, the restitution model of MSC Adams: a penalty on the velocity, driving it to the restituted one.
//
//   F = p(δ̇) (δ̇ + ε δ̇⁽⁻⁾),   not below 0,      p(δ̇) = p        approaching, δ̇ ≥ 0
//                                                     = N p      rebounding, δ̇ ≤ −ε δ̇⁽⁻⁾/10, a cubic step
//                                                     between
//
//   p      penalty, N s/m
//   ε      coefficient of restitution (COR)
//   N      rebound factor
//   δ̇      = −ẋ, rate of penetration, m/s, > 0 approaching;  δ̇⁽⁻⁾ > 0 its value at first touch
//   F      on the second surface along the normal, away from the first, N; not a function of δ, only active
//   while δ > 0
//
// [Giesbers 2012, section 2.7]. He prints F = p(ε − 1)ẋ, which can brake but never rebound, and does nothing
// for ε = 1. A penalty towards the restituted velocity, F = −p(ẋ + ε ẋ⁽⁻⁾), has the unit that he gives p and
// shows what he observed [section 3.2.2]: no rebound for ε = 0, more energy lost the smaller ε, a body that
// sinks when p is too small (p ε δ̇⁽⁻⁾ below its weight; a resting one at m g/p), and rebounds that come
// closer to ε the larger p is.
//
// Why N. For any F = p δ̇⁽⁻⁾ φ(δ̇/δ̇⁽⁻⁾) a free impact leaves with the e for which ∫ u du/φ(u) from −e to 1
// vanishes, since m δ̇ dδ̇ = −F dδ and the way out is as long as the way in: mass and p cancel, and no penalty
// however large brings e closer to ε. With one p for both ways, φ = u + ε, this gives e = ε − (1 + ε) e^(−τ),
// ε τ = (1 + ε)(1 − e^(−τ)): 0.594 for ε = 1 and 0.50 for ε = 0.7. Nor does another target help: φ = u + κ is
// a constant push, which gives back what it took, and a damper, which only takes, so that e < 1 for every κ.
// A rebound that reaches ε needs a stronger push out than in, and the penalty times N is the simplest one
// that still ends at the restituted velocity. With N = 50 a free impact reaches ε to a part in 1e5; a load L
// on the body takes L/(N p) of the velocity, which is what vanishes as p grows. `rebound_factor: 1` is the
// bare formula. His loss for ε = 1 and his rebounds from rest at p = 1e8 N s/m are the step of 0.5 ms: m/p is
// 0.3 µs.
//
// `rebound_factor` is a choice of ours, and so are its value, 50, and the ramp from p to N p over a tenth of the restituted speed:
// nothing of this is in Giesbers or, as far as it is published, in Adams.
//
// `variant: printed` is the print, F = p(1 − ε) δ̇ while approaching: it brakes, and never throws back. A body then stops at
// m δ̇⁽⁻⁾/(p(1 − ε)) and stays there.
//
// At rest neither carries a load without sinking: δ̇ = L/p, or L/(p(1 − ε)) as printed, for ever; a run says so.
//
// The force jumps to p(1 + ε) δ̇⁽⁻⁾ at first touch. The law knows no mass, hence no energy that it could
// return: U = 0 and P = F δ̇, negative on the rebound, while the sum over an impact is positive for ε ≤ 1.
#pragma once

#include <string>

#include "tappet/contact/normal_law.hpp"
#include "tappet/contact/step.hpp"

namespace tappet {

struct PoissonParameters {
  double penalty = not_given;          ///< p, N s/m
  double restitution = not_given;      ///< ε
  double rebound_factor = 50;          ///< N
  std::string variant = "restituted";  ///< or "printed"
};

/// As printed: a brake.
struct VelocityBrake {
  double p = 0, epsilon = 0;
};

template <class T>
NormalOutputOf<T> force(const VelocityBrake& law, const NormalInputOf<T>& in) {
  if (in.rate <= 0) return {};
  const T slope = law.p * (1 - law.epsilon), force = slope * in.rate;
  return {.force = force, .d_rate = slope, .dissipated_power = force * in.rate};
}

struct VelocityPenalty {
  double p = 0, epsilon = 0, N = 1;
};

template <class T>
NormalOutputOf<T> force(const VelocityPenalty& law, const NormalInputOf<T>& in) {
  const T target = law.epsilon * in.impact_rate;  // speed of the rebound
  const T excess = in.rate + target;
  if (excess <= 0) return {};
  Step<T> factor{1, 0};
  if (in.rate < 0) {
    factor = cubic_step<T>(-in.rate, 0, 1, 0.1 * target, law.N);
    factor.slope = -factor.slope;
  }
  const T force = law.p * factor.value * excess;
  return {.force = force,
          .d_rate = law.p * (factor.value + factor.slope * excess),
          .dissipated_power = force * in.rate};
}

}  // namespace tappet
