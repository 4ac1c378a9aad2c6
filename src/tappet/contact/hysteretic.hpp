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

#include "tappet/contact/normal_law.hpp"
#include "tappet/contact/power_law.hpp"

namespace tappet {

class HystereticLaw final : public NormalLaw {
 public:
  HystereticLaw(PowerLaw elastic, double hysteresis, double rest_velocity, NormalTraits traits);

 protected:
  NormalOutput contact(const NormalInput& in) const override;

 private:
  PowerLaw elastic_;
  double hysteresis_;     ///< h, pure number
  double rest_velocity_;  ///< v_rest, m/s
};

/// The keys that the three laws share: stiffness, exponent, restitution, rest_velocity.
Table hysteretic_table(const std::string& name, const std::string& help, const Range& restitution);

/// Reads those keys and builds the law with h = hysteresis(c_r).
std::unique_ptr<NormalLaw> make_hysteretic(const Object& object, const ContactPair& pair,
                                           Diagnostics& diagnostics,
                                           double (*hysteresis)(double restitution));

}  // namespace tappet
