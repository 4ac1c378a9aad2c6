#include "tappet/contact/friction/modified_karnopp.hpp"

namespace tappet::friction_laws::modified_karnopp {
namespace {

std::unique_ptr<FrictionLaw> make(const ModifiedKarnoppParameters& p, const Origin& origin,
                                  Diagnostics& diagnostics) {
  const double D = p.stick_velocity, V = p.friction_velocity;
  if (!require_order(origin, "stick_velocity", D, "friction_velocity", V, diagnostics)) return nullptr;
  return std::make_unique<PlainFriction<ModifiedKarnopp>>(
      ModifiedKarnopp{p.static_coefficient, p.dynamic_coefficient, D, V,
                      (p.dynamic_coefficient - p.static_coefficient) / (V - D)},
      FrictionTraits{.kind = FrictionKind::stick,
                     .static_coefficient = p.static_coefficient,
                     .sliding_coefficient = p.dynamic_coefficient,
                     .stick_velocity = D});
}

const Registration<FrictionLawType> registered{{
    .name = "modified-karnopp",
    .help = "Karnopp's band with a sliding coefficient that falls with speed",
    .equation = "|F_t| ≤ μ_s F_N, from equilibrium          |v| ≤ D, while it holds\n"
                "F_t = −F_N μ(|v|) v/|v|                    otherwise\n"
                "μ(s) = μ_s for s ≤ D,   μ_s + (μ_d − μ_s)(s − D)/(V − D) between,   μ_d for s ≥ V",
    .citation = "Centea2001; Karnopp1985; Flores2006, sec. 4",
    .table = table_of<ModifiedKarnoppParameters>(
        "a modified-karnopp friction law", "Karnopp's band with falling friction",
        {{&ModifiedKarnoppParameters::static_coefficient, static_parameter()},
         {&ModifiedKarnoppParameters::dynamic_coefficient, dynamic_parameter()},
         {&ModifiedKarnoppParameters::stick_velocity,
          velocity_parameter("stick_velocity", "D, speed that counts as zero", "1 mm/s")},
         {&ModifiedKarnoppParameters::friction_velocity,
          velocity_parameter("friction_velocity", "V, speed from which on friction is constant")},
         {&ModifiedKarnoppParameters::tangential_restitution, tangential_restitution_parameter()}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::friction_laws::modified_karnopp
