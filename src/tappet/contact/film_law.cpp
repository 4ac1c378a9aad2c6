#include "tappet/contact/film_law.hpp"

#include <fmt/format.h>

#include "tappet/base/sections.hpp"
#include "tappet/contact/normal_law.hpp"

namespace tappet {

void refuse_eccentricity(double eccentricity) {
  throw LawDomainError(
      fmt::format("the oil film has no thickness left: the eccentricity is {:.6g} of the "
                  "radial clearance, and a film bears only below 1",
                  eccentricity));
}

const Family& film_law_family() {
  static const Family family{.key = "model",
                             .noun = "film law",
                             .common = {.name = "a lubricant", .help = "", .parameters = {}},
                             .fallback = "ocvirk",
                             .members = [] {
                               std::vector<std::pair<std::string, const Table*>> members;
                               for (const FilmLawType& type : FilmLawRegistry::instance().entries())
                                 members.emplace_back(type.name, &type.table);
                               return members;
                             }};
  return family;
}

static const bool film_family_registered = (register_family("lubricant", &film_law_family()), true);

std::unique_ptr<FilmLaw> make_film_law(const AnyParameters& parameters, FilmBearing bearing,
                                       Diagnostics& diagnostics) {
  const FilmLawType* type = find_type(FilmLawRegistry::instance().entries(), parameters);
  if (!type) return nullptr;  // the reader has reported the unknown name
  AnyParameters named = parameters;
  named.origin.type = type->name;
  AnyParameters given;
  if (const auto value = parameters.get("viscosity")) parameters::put(*value, given);
  bearing.viscosity = viscosity_of(given ? given.as<Viscosity>() : Viscosity{},
                                   parameters.number("temperature"), named.origin, diagnostics);
  if (std::isnan(bearing.viscosity)) return nullptr;
  return type->make(named, bearing, diagnostics);
}

double long_film_scale(const FilmBearing& b) {
  const double slender = b.radius / b.clearance;
  return b.viscosity * b.length * slender * slender * slender;
}

std::string long_film_note(const std::string& law, const FilmBearing& bearing) {
  constexpr double long_from = 2;
  if (bearing.ratio() >= long_from) return "";
  return fmt::format(
      "film {} takes the bearing as long, from which no oil escapes, and its length is {:.3g} of its "
      "diameter (long: from {:g}): it bears too much; model finite has no such error",
      law, bearing.ratio(), long_from);
}

}  // namespace tappet
