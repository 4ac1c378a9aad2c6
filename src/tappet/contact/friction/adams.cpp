#include "tappet/contact/friction/adams.hpp"

#include <fmt/format.h>

namespace tappet::friction_laws::adams {
namespace {

std::unique_ptr<FrictionLaw> make(const AdamsFrictionParameters& p, const Origin& origin,
                                  Diagnostics& diagnostics) {
  const double V_s = p.stiction_velocity, V_d = p.friction_velocity;
  const bool jumps = V_s >= V_d;
  if (jumps)
    diagnostics.warning(
        origin.where("friction_velocity"),
        fmt::format(
            "`friction_velocity` of {:g} m/s is not above `stiction_velocity`, {:g} m/s: it is disregarded, "
            "as by Adams, and the coefficient jumps from static to dynamic at {:g} m/s",
            V_d, V_s, V_s));
  FrictionTraits traits{.static_coefficient = p.static_coefficient,
                        .sliding_coefficient = p.dynamic_coefficient};
  if (jumps) {
    traits.kinks = {V_s};
    return std::make_unique<PlainFriction<AdamsJump>>(
        AdamsJump{p.static_coefficient, p.dynamic_coefficient, V_s}, traits);
  }
  return std::make_unique<PlainFriction<AdamsFriction>>(
      AdamsFriction{p.static_coefficient, p.dynamic_coefficient, V_s, V_d}, traits);
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
}  // namespace tappet::friction_laws::adams
