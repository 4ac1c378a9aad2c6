#include "tappet/contact/laws/kelvin_voigt.hpp"

#include <cmath>

#include <fmt/format.h>

namespace tappet::laws::kelvin_voigt {
namespace {

std::unique_ptr<NormalLaw> make(const KelvinVoigtParameters& p, const Origin&, const ContactPair&,
                                Diagnostics&) {
  const double ratio = p.variant == "matched" ? p.restitution * p.restitution : p.restitution;
  NormalTraits traits{.requested_restitution = p.restitution, .predicted_restitution = std::sqrt(ratio)};
  traits.notes.push_back(
      fmt::format("kelvin-voigt: restitution {:.4g} asked for, {:.4g} realised in a free impact",
                  p.restitution, traits.predicted_restitution));
  return std::make_unique<ForceLaw<KelvinVoigt>>(KelvinVoigt{p.stiffness, ratio, p.rest_velocity},
                                                 std::move(traits));
}

const Registration<NormalLawType> registered{{
    .name = "kelvin-voigt",
    .help = "linear spring that unloads softer than it loads",
    .equation =
        "F = K δ     loading, δ̇ > 0\n"
        "F = c K δ   unloading, δ̇ < 0;   c = c_e (printed) or c_e² (matched); realised restitution √c",
    .citation = "Flores2006, eq. 1; Flores2004, eq. 22",
    .table = table_of<KelvinVoigtParameters>(
        "a kelvin-voigt law", "Linear spring with hysteresis",
        {{&KelvinVoigtParameters::stiffness, linear_stiffness_parameter()},
         {&KelvinVoigtParameters::restitution, restitution_parameter(unit_interval())},
         {&KelvinVoigtParameters::variant,
          {.name = "variant",
           .kind = Kind::choice,
           .help = "printed unloads with c_e and realises √c_e; matched unloads with c_e² and realises c_e",
           .fallback = "printed",
           .choices = {"printed", "matched"}}},
         {&KelvinVoigtParameters::rest_velocity,
          rest_velocity_parameter("approach speed over which the loading force fades in")}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::laws::kelvin_voigt
