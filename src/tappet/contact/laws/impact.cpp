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

#include "tappet/contact/normal_law.hpp"
#include "tappet/contact/power_law.hpp"
#include "tappet/contact/step.hpp"

namespace tappet {
namespace {

class Impact final : public NormalLaw {
 public:
  Impact(PowerLaw elastic, double damping, double depth, NormalTraits traits)
      : elastic_(elastic), c_max(damping), d(depth) {
    traits_ = std::move(traits);
  }

 protected:
  NormalOutput contact(const NormalInput& in) const override {
    const PowerLaw::Value elastic = elastic_.at(in.depth);
    const Step c = cubic_step(in.depth, 0, 0, d, c_max);
    const double force = elastic.force + c.value * in.rate;
    if (force <= 0) return {.stored_energy = elastic.energy, .dissipated_power = -elastic.force * in.rate};
    return {.force = force,
            .d_depth = elastic.slope + c.slope * in.rate,
            .d_rate = c.value,
            .stored_energy = elastic.energy,
            .dissipated_power = c.value * in.rate * in.rate};
  }

 private:
  PowerLaw elastic_;
  double c_max, d;
};

const Registration<NormalLawType> registered{{
    .name = "impact",
    .help = "spring and damper of MSC Adams' IMPACT function",
    .equation = "F = k δᵉ + STEP(δ, 0, 0, d, c_max) δ̇,   not below 0",
    .citation = "Giesbers2012, sec. 2.6",
    .table = {.name = "an impact law",
              .help = "MSC Adams' IMPACT function",
              .parameters = {stiffness_parameter(),
                             exponent_parameter(),
                             {.name = "damping",
                              .unit = "N s/m",
                              .help = "c_max, the damping at full depth; below 1 % of k as a rule",
                              .fallback = "0",
                              .range = not_negative()},
                             {.name = "depth",
                              .unit = "m",
                              .help = "d, the penetration at which the damping is c_max",
                              .fallback = "0.1 mm",
                              .range = positive()},
                             rigid_restitution_parameter()}},
    .make = [](const Object& object, const ContactPair& pair,
               Diagnostics& diagnostics) -> std::unique_ptr<NormalLaw> {
      NormalTraits traits;
      const double exponent = object.number("exponent"), damping = object.number("damping");
      const auto stiffness = read_stiffness(object, pair, exponent, diagnostics, traits.notes);
      if (!stiffness) return nullptr;
      traits.requested_restitution =
          object.number_or("restitution", damping == 0 ? 1 : NormalTraits::unknown);
      traits.predicted_restitution = damping == 0 ? 1 : NormalTraits::unknown;
      return std::make_unique<Impact>(PowerLaw{*stiffness, exponent}, damping, object.number("depth"),
                                      std::move(traits));
    },
}};

}  // namespace
}  // namespace tappet
