// Hertz: elastic contact of curved surfaces.
//
//   F = K δⁿ,      K = 4/(3(σ_i + σ_j)) · √R,   1/R = 1/R_i + 1/R_j,   σ = (1 − ν²)/E
//
//   K       stiffness, N/m^n; the formula gives N/m^1.5
//   n       exponent, 3/2 for circular and elliptic contacts
//   R_i, R_j  radii of curvature, m: convex positive, concave negative, plane infinite
//   E, ν    Young's modulus, Pa, and Poisson's ratio of each surface
//   δ       penetration, m;  F on the second surface along the normal, away from the first
//
//   U = K δⁿ⁺¹/(n + 1);   P = 0
//
// [Flores 2006, equations 2 to 5; Flores & Ambrósio 2004, equations 23 and 24; Flores 2022, equation 2]. The
// two papers' K agree: 2004 writes π(h_i + h_j) for σ_i + σ_j and takes the sign of the concave radius out.
// A free impact of mass m at speed v: δ_max = (5 m v²/(4K))^(2/5), duration 2.943275184324705 δ_max/v (n =
// 3/2).

#include "tappet/contact/normal_law.hpp"
#include "tappet/contact/power_law.hpp"

namespace tappet {
namespace {

class Hertz final : public NormalLaw {
 public:
  Hertz(PowerLaw elastic, NormalTraits traits) : elastic_(elastic) { traits_ = std::move(traits); }

 protected:
  NormalOutput contact(const NormalInput& in) const override {
    const PowerLaw::Value elastic = elastic_.at(in.depth);
    return {.force = elastic.force, .d_depth = elastic.slope, .stored_energy = elastic.energy};
  }

 private:
  PowerLaw elastic_;
};

const Registration<NormalLawType> registered{{
    .name = "hertz",
    .help = "elastic contact of curved surfaces",
    .equation = "F = K δⁿ\n"
                "K = 4/(3(σ_i + σ_j)) · √R,   1/R = 1/R_i + 1/R_j,   σ = (1 − ν²)/E",
    .citation = "Hertz1896; Flores2006, eqs. 2–5; Flores2022, eq. 2",
    .table = {.name = "a hertz law",
              .help = "Hertz' elastic contact",
              .parameters = {stiffness_parameter(), exponent_parameter()}},
    .make = [](const Object& object, const ContactPair& pair,
               Diagnostics& diagnostics) -> std::unique_ptr<NormalLaw> {
      NormalTraits traits{.requested_restitution = 1, .predicted_restitution = 1};
      const double exponent = object.number("exponent");
      const auto stiffness = read_stiffness(object, pair, exponent, diagnostics, traits.notes);
      if (!stiffness) return nullptr;
      return std::make_unique<Hertz>(PowerLaw{*stiffness, exponent}, std::move(traits));
    },
}};

}  // namespace
}  // namespace tappet
