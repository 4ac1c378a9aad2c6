#include "tappet/contact/friction/adams.hpp"

namespace tappet {
namespace {

std::unique_ptr<FrictionLaw> make(const AdamsFrictionParameters& p, const Origin& origin,
                                  Diagnostics& diagnostics) {
  const double V_s = p.stiction_velocity, V_d = p.friction_velocity;
  if (!require_order(origin, "stiction_velocity", V_s, "friction_velocity", V_d, diagnostics)) return nullptr;
  return std::make_unique<PlainFriction<AdamsFriction>>(
      AdamsFriction{p.static_coefficient, p.dynamic_coefficient, V_s, V_d},
      FrictionTraits{.static_coefficient = p.static_coefficient,
                     .sliding_coefficient = p.dynamic_coefficient});
}

const Registration<FrictionLawType> registered{{
    .name = "adams",
    .help = "static and sliding friction joined by MSC Adams' cubic steps",
    .equation = "F_t = −F_N μ(|v|) v/|v|\n"
                "μ(s) = STEP(s, −V_s, −μ_s, V_s, μ_s)   s ≤ V_s\n"
                "       STEP(s, V_s, μ_s, V_d, μ_d)     V_s < s < V_d\n"
                "       μ_d                             s ≥ V_d",
    .citation = "Giesbers2012, sec. 2.8",
    .table = table_of<AdamsFrictionParameters>(
        "an adams friction law", "MSC Adams' Coulomb friction",
        {{&AdamsFrictionParameters::static_coefficient, static_parameter()},
         {&AdamsFrictionParameters::dynamic_coefficient, dynamic_parameter()},
         {&AdamsFrictionParameters::stiction_velocity,
          velocity_parameter("stiction_velocity", "V_s, speed at which friction is static")},
         {&AdamsFrictionParameters::friction_velocity,
          velocity_parameter("friction_velocity", "V_d, speed from which on friction is sliding")},
         {&AdamsFrictionParameters::tangential_restitution, tangential_restitution_parameter()}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet
