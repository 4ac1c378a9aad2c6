#include "tappet/contact/friction/threlfall.hpp"

namespace tappet::friction_laws::threlfall {
namespace {

std::unique_ptr<FrictionLaw> make(const ThrelfallParameters& p, const Origin&, Diagnostics&) {
  if (p.variant == "2006")
    return std::make_unique<PlainFriction<Threlfall>>(
        Threlfall{p.coefficient, p.v0, p.coefficient},
        FrictionTraits{.static_coefficient = p.coefficient, .sliding_coefficient = p.coefficient});
  const double mu_far = -p.coefficient * std::expm1(-3.0);
  return std::make_unique<PlainFriction<Threlfall>>(
      Threlfall{p.coefficient, p.v0, mu_far},
      FrictionTraits{.static_coefficient = mu_far, .sliding_coefficient = mu_far, .kinks = {p.v0}});
}

const Registration<FrictionLawType> registered{{
    .name = "threlfall",
    .help = "Coulomb's law with an exponential rise through rest",
    .equation = "F_t = −μ F_N (1 − e^(−3|v|/v₀)) v/|v|      |v| ≤ v₀\n"
                "F_t = −(1 − e⁻³) μ F_N v/|v|               |v| > v₀,   1 − e⁻³ ≈ 0.95\n"
                "variant 2006: the first line at every speed",
    .citation = "Threlfall1978; Flores2006, eq. 15; Flores2022, eq. 8",
    .table = table_of<ThrelfallParameters>(
        "a threlfall friction law", "Coulomb's law with an exponential rise",
        {{&ThrelfallParameters::coefficient, coefficient_parameter()},
         {&ThrelfallParameters::v0, velocity_parameter("v0", "speed at which the rise ends")},
         {&ThrelfallParameters::variant,
          {.name = "variant",
           .kind = Kind::choice,
           .help = "2022: constant above v0 (Flores 2022); 2006: the rise at every speed (Flores 2006)",
           .fallback = "2022",
           .choices = {"2022", "2006"}}},
         {&ThrelfallParameters::tangential_restitution, tangential_restitution_parameter()}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::friction_laws::threlfall
