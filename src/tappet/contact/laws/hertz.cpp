#include "tappet/contact/laws/hertz.hpp"

#include "tappet/contact/relative_radii.hpp"

namespace tappet::laws::hertz {
namespace {

std::unique_ptr<NormalLaw> make(const HertzParameters& p, const Origin& origin, const ContactPair& pair,
                                Diagnostics& diagnostics) {
  NormalTraits traits{.requested_restitution = 1, .predicted_restitution = 1};
  const auto K = stiffness_or_hertz(p.stiffness, p.exponent, origin, pair, diagnostics, traits.notes);
  if (!K) return nullptr;
  return std::make_unique<ForceLaw<Hertz>>(Hertz{{*K, p.exponent}}, std::move(traits));
}

const Registration<NormalLawType> registered{{
    .name = "hertz",
    .help = "elastic contact of curved surfaces",
    .equation =
        "F = K δⁿ\n"
        "K = 4/(3(σ_i + σ_j)) · √R,   1/R = 1/R_i + 1/R_j,   σ = (1 − ν²)/E\n"
        "with R′ > R″ of the gap: R = √(R′R″), and K times (π √κ F₁/(2𝐊))^1.5 of an ellipse with a/b = κ",
    .citation = "Hertz1896; Johnson1985, section 4.2; Flores2006, eqs. 2–5; Flores2022, eq. 2",
    .table = table_of<HertzParameters>("a hertz law", "Hertz' elastic contact",
                                       {{&HertzParameters::stiffness, stiffness_parameter()},
                                        {&HertzParameters::exponent, exponent_parameter()},
                                        {&HertzParameters::radii, radii_parameter()}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::laws::hertz
