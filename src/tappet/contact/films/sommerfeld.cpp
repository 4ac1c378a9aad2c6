#include "tappet/contact/films/sommerfeld.hpp"

#include <fmt/format.h>

namespace tappet::films::sommerfeld {
namespace {

std::unique_ptr<FilmLaw> make(const SommerfeldParameters& p, const Origin&, const FilmBearing& b,
                              Diagnostics&) {
  FilmTraits traits{.even_along = true};
  if (const std::string note = long_film_note("sommerfeld", b); !note.empty()) traits.notes.push_back(note);
  return std::make_unique<PlainFilm<Sommerfeld>>(Sommerfeld{long_film_scale(b), p.film == "half-sommerfeld"},
                                                 b, std::move(traits));
}

const Registration<FilmLawType> registered{{
    .name = "sommerfeld",
    .help = "long bearing: oil flows around and none escapes to the ends",
    .equation =
        "half-sommerfeld:\n"
        "F_n = −(μR³L/c²) [12ε²|ω|/((2 + ε²)q) + 6πε̇/q^(3/2)]\n"
        "F_t = (μR³L/c²) [6πεω/((2 + ε²)√q) + 24εε̇ sgn(ω)/((2 + ε²)q)],   ω = ω_j + ω_b − 2φ̇,   q = 1 − ε²\n"
        "full: F_n = −(μR³L/c²) 12πε̇/q^(3/2),   F_t = (μR³L/c²) 12πεω/((2 + ε²)√q)",
    .citation = "Sommerfeld1904; Guembel1914",
    .table = table_of<SommerfeldParameters>(
        "a sommerfeld film", "The film of a long bearing",
        {{&SommerfeldParameters::viscosity, viscosity_parameter()},
         {&SommerfeldParameters::temperature, temperature_parameter()},
         {&SommerfeldParameters::film,
          {.name = "film",
           .kind = Kind::choice,
           .help =
               "where it bears: half-sommerfeld: on the half circle where turning makes pressure; full: all "
               "around, pulling where its pressure is low",
           .fallback = "half-sommerfeld",
           .choices = {"half-sommerfeld", "full"}}}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::films::sommerfeld
