#include "tappet/contact/friction/coulomb.hpp"

#include <cmath>

namespace tappet::friction_laws::coulomb {
namespace {

std::unique_ptr<FrictionLaw> make(const CoulombParameters& p, const Origin&, Diagnostics&) {
  const double holding = std::isnan(p.static_coefficient) ? p.coefficient : p.static_coefficient;
  return std::make_unique<PlainFriction<Coulomb>>(
      Coulomb{p.coefficient},
      FrictionTraits{
          .kind = FrictionKind::stick, .static_coefficient = holding, .sliding_coefficient = p.coefficient});
}

const Registration<FrictionLawType> registered{{
    .name = "coulomb",
    .help = "Coulomb's law with a true stick state; taken when no law is named",
    .equation = "|F_t| ≤ μ_s F_N           v = 0\n"
                "F_t = −μ_d F_N v/|v|      v ≠ 0",
    .citation = "Flores2022, eqs. 6–7",
    .table = table_of<CoulombParameters>(
        "a coulomb friction law", "Coulomb's law with a stick state",
        {{&CoulombParameters::coefficient, coefficient_parameter()},
         {&CoulombParameters::static_coefficient,
          {.name = "static",
           .help = "coefficient of static friction μ_s; the sliding one when absent",
           .range = not_negative()}},
         {&CoulombParameters::tangential_restitution, tangential_restitution_parameter()}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::friction_laws::coulomb
