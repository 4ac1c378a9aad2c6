#include "tappet/contact/films/finite.hpp"

#include <fmt/format.h>

namespace tappet::films::finite {
namespace {

// What is tabulated: the short and the long film take over outside.
constexpr double least_ratio = 0.05, largest_ratio = 4;

std::unique_ptr<FilmLaw> make(const FiniteFilmParameters& p, const Origin& origin, const FilmBearing& b,
                              Diagnostics& diagnostics) {
  if (!(b.ratio() >= least_ratio && b.ratio() <= largest_ratio)) {
    diagnostics.error(
        origin.pos,
        fmt::format("film finite is tabulated for lengths of {:g} to {:g} diameters of the bearing, and "
                    "this one's is {:.4g}: model {} serves here",
                    least_ratio, largest_ratio, b.ratio(),
                    b.ratio() < least_ratio ? "ocvirk" : "pinkus-sternlicht"));
    return nullptr;
  }
  FilmTraits traits;
  const auto supply = p.supply == "none" ? lubrication::Supply::none : lubrication::Supply::widest_gap;
  auto table = lubrication::film_table(b.ratio(), supply, p.table_tolerance, traits.notes);
  if (table->error() > p.table_tolerance)
    diagnostics.warning(
        origin.where("table_tolerance"),
        fmt::format("the film table errs by up to {:.2g} % of the force, more than `table_tolerance`, "
                    "{:.2g} %; it does not get finer than this",
                    100 * table->error(), 100 * p.table_tolerance));
  if (supply == lubrication::Supply::widest_gap)
    traits.notes.push_back(
        "the oil is supplied where the gap is widest: the film's force jumps where the journal passes the "
        "bearing's centre; `supply: none` has no such jump");
  const double ratio = b.radius / b.clearance;
  return std::make_unique<PlainFilm<FiniteFilm>>(
      FiniteFilm{12 * b.viscosity * b.radius * ratio * ratio * ratio, b.radius * b.radius, std::move(table)},
      b, std::move(traits));
}

const Registration<FilmLawType> registered{{
    .name = "finite",
    .help = "bearing of any length: Reynolds' equation with cavitation, tabulated",
    .equation = "∇·(h³/12μ ∇p) = −w·u where p > 0,   0 ≤ p ⟂ r ≥ 0,   w = ė − ½(ω_j + ω_b) ẑ×e\n"
                "F = −(12μR⁴/c³) e^A [w + b ẑ×w],   A and b over ε and the direction of w",
    .citation = "Reynolds1886; Butenschoen1976",
    .table = table_of<FiniteFilmParameters>(
        "a finite film", "The film of a bearing of any length",
        {{&FiniteFilmParameters::viscosity, viscosity_parameter()},
         {&FiniteFilmParameters::temperature, temperature_parameter()},
         {&FiniteFilmParameters::supply,
          {.name = "supply",
           .kind = Kind::choice,
           .help = "none: a film that is periodic around the bearing; widest-gap: oil at the pressure around "
                   "where the gap is widest",
           .fallback = "none",
           .choices = {"none", "widest-gap"}}},
         {&FiniteFilmParameters::table_tolerance,
          {.name = "table_tolerance",
           .help = "error of the table over the force above which it is made twice as fine",
           .fallback = "0.005",
           .range = {.low = 0, .high = 1, .low_open = true}}}}),
    .make = made_from<make>,
}};

}  // namespace
}  // namespace tappet::films::finite
