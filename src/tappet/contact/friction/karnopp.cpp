#include "tappet/contact/friction/karnopp.hpp"

namespace tappet::friction_laws::karnopp {
namespace {

std::unique_ptr<FrictionLaw> make(const KarnoppParameters& p, const Origin&, Diagnostics&) {
  return std::make_unique<PlainFriction<Karnopp>>(Karnopp{p.dynamic_coefficient},
                                                  FrictionTraits{.kind = FrictionKind::stick,
                                                                 .static_coefficient = p.static_coefficient,
                                                                 .sliding_coefficient = p.dynamic_coefficient,
                                                                 .stick_velocity = p.stick_velocity});
}

const Registration<FrictionLawType> registered{{
    .name = "karnopp",
    .help = "static and sliding friction with a band of velocities that count as zero",
    .equation = "|F_t| ≤ μ_s F_N, from equilibrium     |v| ≤ D, while it holds\n"
                "F_t = −μ_d F_N v/|v|                  otherwise",
    .citation = "Karnopp1985; Flores2006, sec. 4",
    .table = table_of<KarnoppParameters>(
        "a karnopp friction law", "Static and sliding friction with a zero-velocity band",
        {{&KarnoppParameters::static_coefficient, static_parameter()},
         {&KarnoppParameters::dynamic_coefficient, dynamic_parameter()},
         {&KarnoppParameters::stick_velocity,
          velocity_parameter("stick_velocity", "D, speed that counts as zero", "1 mm/s")},
         {&KarnoppParameters::tangential_restitution, tangential_restitution_parameter()}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::friction_laws::karnopp
