// Coulomb friction as MSC Adams writes it, by cubic steps.
//
//   F_t = −F_N μ(|v|) v/|v|
//   μ(s) = STEP(s, −V_s, −μ_s, V_s, μ_s)      s ≤ V_s
//          STEP(s, V_s, μ_s, V_d, μ_d)        V_s < s < V_d
//          μ_d                                s ≥ V_d
//
//   μ_s, μ_d  coefficients of static and sliding friction
//   V_s       stiction transition velocity, m/s: the peak of the coefficient
//   V_d       friction transition velocity, m/s, above which friction is sliding; V_d > V_s, or it is disregarded:
//             μ jumps from μ_s to μ_d at V_s then, as Giesbers saw Adams do it [section 3.3.3], and a warning says so
//   v         tangential velocity of the second surface relative to the first, m/s;  F_t on the second, N
//
// [Giesbers 2012, section 2.8; MSC Adams/Solver, CONTACT]. STEP as in step.hpp; with x = s/V_s the first is
// μ_s x(3 − x²)/2. The slope is continuous everywhere. There is no true stiction: a body at rest under load
// creeps below V_s.
#pragma once

#include "tappet/contact/friction_law.hpp"
#include "tappet/contact/step.hpp"

namespace tappet {

struct AdamsFrictionParameters {
  double static_coefficient = not_given;   ///< μ_s
  double dynamic_coefficient = not_given;  ///< μ_d
  double stiction_velocity = not_given;    ///< V_s, m/s
  double friction_velocity = not_given;    ///< V_d, m/s
  double tangential_restitution = 0;       ///< for the non-smooth methods
};

struct AdamsFriction {
  double mu_s = 0, mu_d = 0, V_s = 0, V_d = 0;
};

template <class T>
FrictionOutputOf<T> friction(const AdamsFriction& law, const T& speed) {
  if (speed <= law.V_s) {
    const T x = speed / law.V_s, ratio = 0.5 * law.mu_s * (3 - x * x) / law.V_s;
    return {.coefficient = ratio * speed, .d_speed = 1.5 * law.mu_s * (1 - x * x) / law.V_s, .ratio = ratio};
  }
  const Step<T> mu = cubic_step(speed, law.V_s, law.mu_s, law.V_d, law.mu_d);
  return {.coefficient = mu.value, .d_speed = mu.slope, .ratio = mu.value / speed};
}

/// V_s ≥ V_d: two branches. The first is continued by its peak, where it is level.
struct AdamsJump {
  double mu_s, mu_d, V_s;
};

template <class T>
FrictionOutputOf<T> friction(const AdamsJump& law, int branch, const T& speed) {
  if (branch == 1) return {.coefficient = law.mu_d, .d_speed = 0, .ratio = law.mu_d / speed};
  if (speed > law.V_s) return {.coefficient = law.mu_s, .d_speed = 0, .ratio = law.mu_s / speed};
  return friction(AdamsFriction{law.mu_s, law.mu_d, law.V_s, 2 * law.V_s}, speed);
}

}  // namespace tappet
