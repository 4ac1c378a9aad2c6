#include "tappet/contact/friction/ambrosio.hpp"

namespace tappet::friction_laws::ambrosio {
namespace {

std::unique_ptr<FrictionLaw> make(const AmbrosioParameters& p, const Origin& origin,
                                  Diagnostics& diagnostics) {
  if (!require_order(origin, "v0", p.v0, "v1", p.v1, diagnostics)) return nullptr;
  FrictionTraits traits{.static_coefficient = p.coefficient, .sliding_coefficient = p.coefficient};
  if (p.v0 > 0) traits.kinks.push_back(p.v0);
  traits.kinks.push_back(p.v1);
  return std::make_unique<PlainFriction<Ambrosio>>(Ambrosio{p.coefficient, p.v0, p.v1}, std::move(traits));
}

const Registration<FrictionLawType> registered{{
    .name = "ambrosio",
    .help = "Coulomb's law with a dead zone and a ramp around rest",
    .equation = "F_t = −c_d c_f F_N v/|v|\n"
                "c_d = 0 for |v| ≤ v₀,   (|v| − v₀)/(v₁ − v₀) between,   1 for |v| ≥ v₁",
    .citation = "Ambrosio2002; Flores2006, eqs. 16–17; Flores2022, eqs. 10–11",
    .table = table_of<AmbrosioParameters>(
        "an ambrosio friction law", "Coulomb's law with a dead zone and a ramp",
        {{&AmbrosioParameters::coefficient, coefficient_parameter()},
         {&AmbrosioParameters::v0,
          {.name = "v0",
           .unit = "m/s",
           .help = "speed below which there is no force",
           .required = true,
           .range = not_negative()}},
         {&AmbrosioParameters::v1, velocity_parameter("v1", "speed above which the force is full")},
         {&AmbrosioParameters::tangential_restitution, tangential_restitution_parameter()}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::friction_laws::ambrosio
