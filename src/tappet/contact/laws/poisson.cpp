#include "tappet/contact/laws/poisson.hpp"

namespace tappet {
namespace {

std::unique_ptr<NormalLaw> make(const PoissonParameters& p, const Origin&, const ContactPair&, Diagnostics&) {
  return std::make_unique<ForceLaw<VelocityPenalty>>(
      VelocityPenalty{p.penalty, p.restitution, p.rebound_factor},
      NormalTraits{.requested_restitution = p.restitution, .continuous = false, .passive = false});
}

const Registration<NormalLawType> registered{{
    .name = "poisson",
    .help = "velocity penalty towards the restituted speed, for MSC Adams' POISSON",
    .equation = "F = p(δ̇) (δ̇ + ε δ̇⁽⁻⁾),   not below 0\n"
                "p(δ̇) = p approaching, N p rebounding, a cubic step over −ε δ̇⁽⁻⁾/10 < δ̇ < 0",
    .citation = "Giesbers2012, sec. 2.7",
    .table = table_of<PoissonParameters>(
        "a poisson law", "MSC Adams' restitution model",
        {{&PoissonParameters::penalty,
          {.name = "penalty", .unit = "N s/m", .help = "p", .required = true, .range = positive()}},
         {&PoissonParameters::restitution, restitution_parameter(unit_interval())},
         {&PoissonParameters::rebound_factor,
          {.name = "rebound_factor",
           .help = "N, penalty of the rebound over p; 1 for the bare formula",
           .fallback = "50",
           .range = {.low = 1}}}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet
