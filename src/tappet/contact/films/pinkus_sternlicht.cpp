#include "tappet/contact/films/pinkus_sternlicht.hpp"

namespace tappet::films::pinkus_sternlicht {
namespace {

std::unique_ptr<FilmLaw> make(const PinkusSternlichtParameters&, const Origin&, const FilmBearing& b,
                              Diagnostics&) {
  FilmTraits traits{.even_along = true};
  if (const std::string note = long_film_note("pinkus-sternlicht", b); !note.empty())
    traits.notes.push_back(note);
  return std::make_unique<PlainFilm<PinkusSternlicht>>(PinkusSternlicht{long_film_scale(b)}, b,
                                                       std::move(traits));
}

const Registration<FilmLawType> registered{{
    .name = "pinkus-sternlicht",
    .help = "long bearing that turns and is squeezed, as used for joints with oil",
    .equation = "ε̇ > 0:  F_n = −(μR³L/c²) A|ε̇| [4kε² + (2 + ε²)π(k + 3)/(k + 3/2)],\n"
                "        F_t = (μR³L/c²) 6πεω/((2 + ε²)√q) · (k + 3)/(k + 3/2)\n"
                "ε̇ < 0:  F_n = −(μR³L/c²) A|ε̇| [4kε² − (2 + ε²)πk/(k + 3/2)],\n"
                "        F_t = (μR³L/c²) 6πεω/((2 + ε²)√q) · k/(k + 3/2)\n"
                "k² = q[(ω/2ε̇)² + 1/ε²],   A = 6/((2 + ε²)q^(3/2)),   ω = ω_j + ω_b − 2φ̇,   q = 1 − ε²",
    .citation = "PinkusSternlicht1961; Flores2006b",
    .table = table_of<PinkusSternlichtParameters>(
        "a pinkus-sternlicht film", "The film of a long bearing that turns and is squeezed",
        {{&PinkusSternlichtParameters::viscosity, viscosity_parameter()},
         {&PinkusSternlichtParameters::temperature, temperature_parameter()}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::films::pinkus_sternlicht
