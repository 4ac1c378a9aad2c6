#include "tappet/contact/laws/poisson.hpp"

namespace tappet::laws::poisson {
namespace {

std::unique_ptr<NormalLaw> make(const PoissonParameters& p, const Origin& origin, const ContactPair&,
                                Diagnostics& diagnostics) {
  if (p.variant == "printed") {
    if (origin.given("rebound_factor"))
      diagnostics.warning(origin.where("rebound_factor"),
                          "`rebound_factor` has no effect on `variant: printed`, which does not rebound");
    if (p.restitution == 1)
      diagnostics.warning(origin.where("restitution"),
                          "`variant: printed` has no force at all for `restitution: 1`: p (1 − ε) is 0");
    return std::make_unique<ForceLaw<VelocityBrake>>(
        VelocityBrake{p.penalty, p.restitution},
        NormalTraits{.requested_restitution = p.restitution, .continuous = false});
  }
  return std::make_unique<ForceLaw<VelocityPenalty>>(
      VelocityPenalty{p.penalty, p.restitution, p.rebound_factor},
      NormalTraits{.requested_restitution = p.restitution, .continuous = false, .passive = false});
}

const Registration<NormalLawType> registered{{
    .name = "poisson",
    .help = "velocity penalty towards the restituted speed, for MSC Adams' POISSON",
    .equation = "F = p(δ̇) (δ̇ + ε δ̇⁽⁻⁾),   not below 0\n"
                "p(δ̇) = p approaching, N p rebounding, a cubic step over −ε δ̇⁽⁻⁾/10 < δ̇ < 0\n"
                "variant printed: F = p (1 − ε) δ̇ approaching, 0 rebounding",
    .citation = "Giesbers2012, sec. 2.7",
    .table = table_of<PoissonParameters>(
        "a poisson law", "MSC Adams' restitution model",
        {{&PoissonParameters::penalty,
          {.name = "penalty", .unit = "N s/m", .help = "p", .required = true, .range = positive()}},
         {&PoissonParameters::restitution, restitution_parameter(unit_interval())},
         {&PoissonParameters::rebound_factor,
          {.name = "rebound_factor",
           .help = "N, penalty of the rebound over p, a choice of ours; 1 for the bare formula",
           .fallback = "50",
           .range = {.low = 1}}},
         {&PoissonParameters::variant,
          {.name = "variant",
           .kind = Kind::choice,
           .help = "restituted: drives the velocity to the restituted one; printed: p (ε − 1) ẋ, which only "
                   "brakes",
           .fallback = "restituted",
           .choices = {"restituted", "printed"}}}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::laws::poisson
