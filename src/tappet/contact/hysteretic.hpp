// Laws of the form F = K δⁿ (1 + h δ̇/δ̇⁽⁻⁾): Hunt–Crossley, Lankarani–Nikravesh and Flores differ only in
// h(c_r).
//
// Where the printed form is silent:
// - δ̇⁽⁻⁾ → 0. A contact that begins at rest, or nearly, would divide by zero. We divide by
//   max(δ̇⁽⁻⁾, v_rest): below
//   v_rest the damper is a fixed one, λ = h K/v_rest in F = K δⁿ + λ δⁿ δ̇, which is Hunt and Crossley's own
//   form with a constant λ. Impacts slower than v_rest are therefore less damped than the others (e → 1 as
//   their speed vanishes).
// - δ̇ < −δ̇⁽⁻⁾/h. In a lasting contact that is pulled apart faster than it was struck the bracket turns
//   negative and
//   the surfaces would stick together. We take F = 0 there.
//
//   U = K δⁿ⁺¹/(n + 1)
//   P = h K δⁿ δ̇²/δ̇⁽⁻⁾ ≥ 0;  where F was cut off at 0, P = −K δⁿ δ̇ ≥ 0: the stored energy is lost
#pragma once

#include <fmt/format.h>

#include "tappet/contact/normal_law.hpp"
#include "tappet/contact/power_law.hpp"
#include "tappet/contact/relative_radii.hpp"
#include "tappet/contact/restitution.hpp"

namespace tappet {

struct Hysteretic {
  PowerLaw elastic;
  double h = 0;       ///< pure number
  double v_rest = 0;  ///< m/s
};

template <class T>
NormalOutputOf<T> force(const Hysteretic& law, const NormalInputOf<T>& in) {
  const auto elastic = law.elastic.at(in.depth);
  const T damping = law.h / (in.impact_rate > law.v_rest ? in.impact_rate : T(law.v_rest));
  const T bracket = 1 + damping * in.rate;
  if (bracket <= 0) return {.stored_energy = elastic.energy, .dissipated_power = -elastic.force * in.rate};
  return {.force = elastic.force * bracket,
          .d_depth = elastic.slope * bracket,
          .d_rate = elastic.force * damping,
          .stored_energy = elastic.energy,
          .dissipated_power = elastic.force * damping * in.rate * in.rate};
}

/// The table of the structs that the three laws have: stiffness, exponent, restitution, rest_velocity.
template <class P>
Table hysteretic_table(const std::string& name, const std::string& help, const Range& restitution) {
  return table_of<P>(
      name, help,
      {{&P::stiffness, stiffness_parameter()},
       {&P::exponent, exponent_parameter()},
       {&P::radii, radii_parameter()},
       {&P::restitution, restitution_parameter(restitution)},
       {&P::rest_velocity,
        rest_velocity_parameter("impacts slower than this are damped as if struck at this speed")}});
}

/// The law with h = hysteresis(c_r).
template <class P, double (*hysteresis)(double c_r)>
std::unique_ptr<NormalLaw> make_hysteretic(const P& p, const Origin& origin, const ContactPair& pair,
                                           Diagnostics& diagnostics) {
  NormalTraits traits;
  const auto K = stiffness_or_hertz(p.stiffness, p.exponent, origin, pair, diagnostics, traits.notes);
  if (!K) return nullptr;
  const double h = hysteresis(p.restitution);
  traits.requested_restitution = p.restitution;
  traits.predicted_restitution = realised_restitution(h);
  traits.notes.push_back(fmt::format("{}: restitution {:.4g} asked for, {:.4g} realised in a free impact",
                                     origin.type, p.restitution, traits.predicted_restitution));
  return std::make_unique<ForceLaw<Hysteretic>>(Hysteretic{{*K, p.exponent}, h, p.rest_velocity},
                                                std::move(traits));
}

}  // namespace tappet
