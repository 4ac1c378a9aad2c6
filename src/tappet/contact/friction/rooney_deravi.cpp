#include "tappet/contact/friction/rooney_deravi.hpp"

namespace tappet::friction_laws::rooney_deravi {
namespace {

std::unique_ptr<FrictionLaw> make(const RooneyDeraviParameters& p, const Origin&, Diagnostics&) {
  return std::make_unique<PlainFriction<RooneyDeravi>>(RooneyDeravi{p.coefficient},
                                                       FrictionTraits{.kind = FrictionKind::stick,
                                                                      .static_coefficient = p.coefficient,
                                                                      .sliding_coefficient = p.coefficient,
                                                                      .stick_velocity = p.stick_velocity});
}

const Registration<FrictionLawType> registered{{
    .name = "rooney-deravi",
    .help = "Coulomb's law with the force near rest left to equilibrium",
    .equation = "F_t = −c_f F_N v/|v|           v not close to zero\n"
                "−c_f F_N < F_t < c_f F_N       v close to zero",
    .citation = "Rooney1982; Flores2006, eqs. 13–14",
    .table = table_of<RooneyDeraviParameters>(
        "a rooney-deravi friction law", "Coulomb's law with a stick state",
        {{&RooneyDeraviParameters::coefficient, coefficient_parameter()},
         {&RooneyDeraviParameters::stick_velocity,
          {.name = "stick_velocity",
           .unit = "m/s",
           .help = "speed that counts as close to zero; 0 locates rest exactly",
           .fallback = "0",
           .range = not_negative()}},
         {&RooneyDeraviParameters::tangential_restitution, tangential_restitution_parameter()}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::friction_laws::rooney_deravi
