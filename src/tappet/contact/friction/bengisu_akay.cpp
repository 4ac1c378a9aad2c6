#include "tappet/contact/friction/bengisu_akay.hpp"

namespace tappet::friction_laws::bengisu_akay {
namespace {

std::unique_ptr<FrictionLaw> make(const BengisuAkayParameters& p, const Origin&, Diagnostics&) {
  return std::make_unique<PlainFriction<BengisuAkay>>(
      BengisuAkay{p.static_coefficient, p.dynamic_coefficient, p.v0, p.kappa},
      FrictionTraits{.static_coefficient = p.static_coefficient,
                     .sliding_coefficient = p.dynamic_coefficient,
                     .kinks = {p.v0}});
}

const Registration<FrictionLawType> registered{{
    .name = "bengisu-akay",
    .help = "parabola up to static friction, exponential fall to sliding friction",
    .equation = "F_t = −F_N μ_s [1 − (|v| − v₀)²/v₀²] v/|v|                 |v| ≤ v₀\n"
                "F_t = −F_N [μ_d + (μ_s − μ_d) e^(−κ(|v| − v₀))] v/|v|      |v| > v₀",
    .citation = "Bengisu1994; Flores2022, eq. 9",
    .table = table_of<BengisuAkayParameters>(
        "a bengisu-akay friction law", "Static and sliding friction, smooth through rest",
        {{&BengisuAkayParameters::static_coefficient, static_parameter()},
         {&BengisuAkayParameters::dynamic_coefficient, dynamic_parameter()},
         {&BengisuAkayParameters::v0,
          velocity_parameter("v0", "speed of the peak, where friction is static")},
         {&BengisuAkayParameters::kappa,
          {.name = "kappa",
           .unit = "s/m",
           .help = "κ, rate of the fall from static to sliding friction",
           .required = true,
           .range = positive()}},
         {&BengisuAkayParameters::tangential_restitution, tangential_restitution_parameter()}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::friction_laws::bengisu_akay
