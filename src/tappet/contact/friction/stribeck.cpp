#include "tappet/contact/friction/stribeck.hpp"

#include <fmt/format.h>

namespace tappet::friction_laws::stribeck {
namespace {

std::unique_ptr<FrictionLaw> make(const StribeckParameters& p, const Origin& origin,
                                  Diagnostics& diagnostics) {
  const double mu_s = p.static_coefficient, mu_d = p.dynamic_coefficient;
  if (!(mu_d > 0 && mu_d <= mu_s)) {
    diagnostics.error(
        origin.where("dynamic"),
        fmt::format("`dynamic` is {:g} and `static` {:g}; friction by Stribeck falls from static to "
                    "a dynamic coefficient above 0",
                    mu_d, mu_s));
    return nullptr;
  }
  return std::make_unique<PlainFriction<Stribeck>>(Stribeck{mu_s, mu_d, p.stribeck_velocity, p.exponent},
                                                   FrictionTraits{.kind = FrictionKind::stick,
                                                                  .static_coefficient = mu_s,
                                                                  .sliding_coefficient = mu_d,
                                                                  .by_speed = true});
}

const Registration<FrictionLawType> registered{{
    .name = "stribeck",
    .help = "friction that falls with speed from static to sliding and truly sticks at rest",
    .equation = "|F_t| ≤ μ_s F_N at rest,   F_t = −F_N μ(|v|) v/|v| sliding\n"
                "μ(s) = μ_d + (μ_s − μ_d) e^(−(s/v_S)^α)",
    .citation = "Tustin1947; Armstrong1994",
    .table = table_of<StribeckParameters>(
        "a stribeck friction law", "Friction that falls with speed and sticks at rest",
        {{&StribeckParameters::static_coefficient, static_parameter()},
         {&StribeckParameters::dynamic_coefficient, dynamic_parameter()},
         {&StribeckParameters::stribeck_velocity,
          velocity_parameter("stribeck_velocity", "v_S, speed at which 1/e of the fall is left")},
         {&StribeckParameters::exponent,
          {.name = "exponent",
           .help = "α of the fall: 1 Tustin's, 2 a Gaussian",
           .fallback = "1",
           .range = {.low = 1, .high = 10}}},
         {&StribeckParameters::tangential_restitution, tangential_restitution_parameter()}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::friction_laws::stribeck
