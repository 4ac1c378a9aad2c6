#include "tappet/contact/films/ocvirk.hpp"

#include <fmt/format.h>

namespace tappet::films::ocvirk {
namespace {

std::unique_ptr<FilmLaw> make(const OcvirkParameters& p, const Origin&, const FilmBearing& b, Diagnostics&) {
  const double L = b.length, c = b.clearance;
  FilmTraits traits;
  if (b.ratio() > 0.25)
    traits.notes.push_back(
        fmt::format("film ocvirk takes the bearing as short, and its length is {:.3g} of its diameter: at "
                    "half the clearance "
                    "it bears {} too much; model finite has no such error",
                    b.ratio(), b.ratio() > 0.5 ? "more than 20 %" : "6 to 20 %"));
  return std::make_unique<PlainFilm<Ocvirk>>(
      Ocvirk{b.viscosity * b.radius * L * L * L / (c * c * c), b.radius * L, p.film == "half-sommerfeld"}, b,
      std::move(traits));
}

const Registration<FilmLawType> registered{{
    .name = "ocvirk",
    .help = "short bearing: oil escapes to the ends",
    .equation =
        "p = 6 μ (w·u) (L²/4 − z²)/h³,   w = ė − ½(ω_j + ω_b) ẑ×e\n"
        "film reynolds: where p ≥ 0; half-sommerfeld: on the half circle where turning makes pressure,\n"
        "F_n = −(μRL³/c²) [ε²|ω|/q² + π(1 + 2ε²) ε̇/(2q^(5/2))]\n"
        "F_t = (μRL³/c²) [πεω/(4q^(3/2)) + 2εε̇ sgn(ω)/q²],   ω = ω_j + ω_b − 2φ̇,   q = 1 − ε²",
    .citation = "Ocvirk1952; Booker1965",
    .table = table_of<OcvirkParameters>(
        "an ocvirk film", "The film of a short bearing",
        {{&OcvirkParameters::viscosity, viscosity_parameter()},
         {&OcvirkParameters::temperature, temperature_parameter()},
         {&OcvirkParameters::film,
          {.name = "film",
           .kind = Kind::choice,
           .help =
               "where it bears: reynolds: where its pressure is above that around; half-sommerfeld: on the "
               "half circle where turning makes pressure",
           .fallback = "reynolds",
           .choices = {"reynolds", "half-sommerfeld"}}}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::films::ocvirk
