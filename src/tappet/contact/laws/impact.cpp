#include "tappet/contact/laws/impact.hpp"

#include <cmath>

#include "tappet/contact/relative_radii.hpp"

namespace tappet::laws::impact {
namespace {

std::unique_ptr<NormalLaw> make(const ImpactParameters& p, const Origin& origin, const ContactPair& pair,
                                Diagnostics& diagnostics) {
  NormalTraits traits;
  const auto k = stiffness_or_hertz(p.stiffness, p.exponent, origin, pair, diagnostics, traits.notes);
  if (!k) return nullptr;
  traits.requested_restitution = std::isnan(p.restitution) && p.damping == 0 ? 1 : p.restitution;
  traits.predicted_restitution = p.damping == 0 ? 1 : NormalTraits::unknown;
  return std::make_unique<ForceLaw<ImpactFunction>>(ImpactFunction{{*k, p.exponent}, p.damping, p.depth},
                                                    std::move(traits));
}

const Registration<NormalLawType> registered{{
    .name = "impact",
    .help = "spring and damper of MSC Adams' IMPACT function",
    .equation = "F = k δᵉ + STEP(δ, 0, 0, d, c_max) δ̇,   not below 0",
    .citation = "Giesbers2012, sec. 2.6",
    .table =
        table_of<ImpactParameters>("an impact law", "MSC Adams' IMPACT function",
                                   {{&ImpactParameters::stiffness, stiffness_parameter()},
                                    {&ImpactParameters::exponent, exponent_parameter()},
                                    {&ImpactParameters::damping,
                                     {.name = "damping",
                                      .unit = "N s/m",
                                      .help = "c_max, the damping at full depth; below 1 % of k as a rule",
                                      .fallback = "0",
                                      .range = not_negative()}},
                                    {&ImpactParameters::depth,
                                     {.name = "depth",
                                      .unit = "m",
                                      .help = "d, the penetration at which the damping is c_max",
                                      .fallback = "0.1 mm",
                                      .range = positive()}},
                                    {&ImpactParameters::radii, radii_parameter()},
                                    {&ImpactParameters::restitution, rigid_restitution_parameter()}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::laws::impact
