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

#include <cmath>

#include <fmt/format.h>

#include "tappet/contact/normal_law.hpp"
#include "tappet/contact/step.hpp"

namespace tappet {
namespace {

class KelvinVoigt final : public NormalLaw {
 public:
  KelvinVoigt(double stiffness, double ratio, double rest_velocity, NormalTraits traits)
      : K(stiffness), c(ratio), v_rest(rest_velocity) {
    traits_ = std::move(traits);
  }

 protected:
  NormalOutput contact(const NormalInput& in) const override {
    const Step s = cubic_step(in.rate, 0, 0, v_rest, 1);
    const double spring = K * in.depth, ratio = c + (1 - c) * s.value;
    return {.force = spring * ratio,
            .d_depth = K * ratio,
            .d_rate = spring * (1 - c) * s.slope,
            .stored_energy = 0.5 * c * spring * in.depth,
            .dissipated_power = (1 - c) * s.value * spring * in.rate};
  }

 private:
  double K, c, v_rest;
};

const Registration<NormalLawType> registered{{
    .name = "kelvin-voigt",
    .help = "linear spring that unloads softer than it loads",
    .equation =
        "F = K δ     loading, δ̇ > 0\n"
        "F = c K δ   unloading, δ̇ < 0;   c = c_e (printed) or c_e² (matched); realised restitution √c",
    .citation = "Flores2006, eq. 1; Flores2004, eq. 22",
    .table =
        {.name = "a kelvin-voigt law",
         .help = "Linear spring with hysteresis",
         .parameters =
             {linear_stiffness_parameter(),
              restitution_parameter(unit_interval()),
              {.name = "variant",
               .kind = Kind::choice,
               .help =
                   "printed unloads with c_e and realises √c_e; matched unloads with c_e² and realises c_e",
               .fallback = "printed",
               .choices = {"printed", "matched"}},
              rest_velocity_parameter("approach speed over which the loading force fades in")}},
    .make = [](const Object& object, const ContactPair&, Diagnostics&) -> std::unique_ptr<NormalLaw> {
      const double requested = object.number("restitution");
      const double ratio = object.text("variant") == "matched" ? requested * requested : requested;
      NormalTraits traits{.requested_restitution = requested, .predicted_restitution = std::sqrt(ratio)};
      traits.notes.push_back(fmt::format("{}: restitution {:.4g} asked for, {:.4g} realised in a free impact",
                                         object.type, requested, traits.predicted_restitution));
      return std::make_unique<KelvinVoigt>(object.number("stiffness"), ratio, object.number("rest_velocity"),
                                           std::move(traits));
    },
}};

}  // namespace
}  // namespace tappet
