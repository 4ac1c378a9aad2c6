#include "tappet/contact/friction/reset_integrator.hpp"

namespace tappet::friction_laws::reset_integrator {
namespace {

std::unique_ptr<FrictionLaw> make(const ResetIntegratorParameters& p, const Origin&, Diagnostics&) {
  return std::make_unique<PlainFriction<ResetIntegrator>>(
      ResetIntegrator{p.static_coefficient, p.dynamic_coefficient, p.deflection, p.damping_time},
      FrictionTraits{.kind = FrictionKind::bristle,
                     .static_coefficient = p.static_coefficient,
                     .sliding_coefficient = p.dynamic_coefficient});
}

const Registration<FrictionLawType> registered{{
    .name = "reset-integrator",
    .help = "a bristle joins the surfaces and gives way at a fixed deflection",
    .equation = "ṗ = v                                holding, until |p| = p₀\n"
                "ṗ = v − (v·n) n,   n = p/|p|         sliding, while v·n > 0\n"
                "F_t = −F_N μ_s (p + τ ṗ)/p₀          holding\n"
                "F_t = −F_N μ_d n                     sliding",
    .citation = "Haessig1991; Flores2006, sec. 4",
    .table = table_of<ResetIntegratorParameters>(
        "a reset-integrator friction law", "Friction by a bristle that gives way",
        {{&ResetIntegratorParameters::static_coefficient, static_parameter()},
         {&ResetIntegratorParameters::dynamic_coefficient, dynamic_parameter()},
         {&ResetIntegratorParameters::deflection,
          {.name = "deflection",
           .unit = "m",
           .help = "p₀, deflection at which the bristle gives way",
           .fallback = "1 um",
           .range = positive()}},
         {&ResetIntegratorParameters::damping_time,
          {.name = "damping_time",
           .unit = "s",
           .help = "τ, damping of the bristle over its stiffness",
           .fallback = "1 ms",
           .range = not_negative()}},
         {&ResetIntegratorParameters::tangential_restitution, tangential_restitution_parameter()}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::friction_laws::reset_integrator
