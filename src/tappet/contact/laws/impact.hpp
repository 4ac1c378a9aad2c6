// IMPACT, the spring-damper of MSC Adams.
//
//   F = k δᵉ + c(δ) δ̇,   not below 0,      c(δ) = STEP(δ, 0, 0, d, c_max)
//
//   k      stiffness, N/m^e; Hertz' from the materials when absent and e = 1.5
//   e      force exponent: about 2.2 for hard metals, 1.5 for soft ones, 1.1 for rubber
//   c_max  damping, N s/m, reached at the penetration d
//   d      depth, m, over which the damping grows by the cubic STEP (step.hpp); not a bound on the penetration
//   δ      penetration, m, his x₁ − x;  δ̇ = −ẋ > 0 approaching
//   F      on the second surface along the normal, N
//
// [Giesbers 2012, section 2.6; MSC Adams/Solver, IMPACT]. Giesbers states that both parts are never negative;
// taken to the letter the damper would then only act on approach. As Adams does, we cut off the sum at 0.
//
//   U = k δᵉ⁺¹/(e + 1);   P = c(δ) δ̇² ≥ 0, and −k δᵉ δ̇ where F was cut off at 0
//
// A body of mass m at rest sinks in by (m g/k)^(1/e).
#pragma once

#include <vector>

#include "tappet/contact/normal_law.hpp"
#include "tappet/contact/power_law.hpp"
#include "tappet/contact/step.hpp"

namespace tappet {

struct ImpactParameters {
  double stiffness = not_given;    ///< k, N/m^e; absent: Hertz'
  double exponent = 1.5;           ///< e
  double damping = 0;              ///< c_max, N s/m
  double depth = 1e-4;             ///< d, m
  double restitution = not_given;  ///< for the non-smooth methods
  std::vector<double> radii = {};  ///< R′, R″ of the gap, m; none: from the shapes
};

struct ImpactFunction {
  PowerLaw elastic;
  double c_max = 0, d = 0;
};

template <class T>
NormalOutputOf<T> force(const ImpactFunction& law, const NormalInputOf<T>& in) {
  const auto elastic = law.elastic.at(in.depth);
  const Step<T> c = cubic_step(in.depth, 0, 0, law.d, law.c_max);
  const T force = elastic.force + c.value * in.rate;
  if (force <= 0) return {.stored_energy = elastic.energy, .dissipated_power = -elastic.force * in.rate};
  return {.force = force,
          .d_depth = elastic.slope + c.slope * in.rate,
          .d_rate = c.value,
          .stored_energy = elastic.energy,
          .dissipated_power = c.value * in.rate * in.rate};
}

}  // namespace tappet
