// Prints what names of units mean, as rows of a table for a build that has not UDUNITS-2: names of the SI and of engineers, with prefixes
// where these are usual. Built and run natively by scripts/make_live.
#include <cstdio>
#include <initializer_list>
#include <string>

#include "tappet/base/unit_names.hpp"

int main() {
  const auto print = [](const std::string& name) {
    const std::optional<tappet::Unit> unit = tappet::unit_of_name(name);
    if (!unit) return;
    std::printf("{\"%s\", {%a, %a, {", name.c_str(), unit->factor, unit->offset);
    for (const double power : unit->powers) std::printf("%g,", power);
    std::printf("}}},\n");
  };
  for (const char* name : {"m", "g", "s", "A", "K", "mol", "cd",  "rad", "N",   "Pa", "J",  "W",   "Hz", "V",
                           "F", "C", "T", "H", "L", "l",   "bar", "Nm",  "ohm", "sr", "eV", "cal", "t"})
    for (const char* prefix :
         {"", "a", "f", "p", "n", "u", "µ", "μ", "m", "c", "d", "da", "h", "k", "M", "G", "T"})
      print(std::string(prefix) + name);
  for (const char* name :
       {"min",      "h",          "hour",     "hours",    "minute",     "minutes", "second",     "seconds",
        "day",      "days",       "d",        "a",        "year",       "deg",     "degree",     "degrees",
        "°",        "arc_degree", "rev",      "turn",     "rpm",        "percent", "%",          "in",
        "inch",     "inches",     "ft",       "foot",     "feet",       "yd",      "yard",       "mile",
        "mi",       "lb",         "lbm",      "lbs",      "lbf",        "pound",   "oz",         "slug",
        "psi",      "ksi",        "atm",      "mmHg",     "torr",       "degC",    "celsius",    "degF",
        "°C",       "°F",         "metre",    "meter",    "metres",     "meters",  "millimetre", "millimeter",
        "kilogram", "gram",       "newton",   "newtons",  "kilonewton", "pascal",  "megapascal", "gigapascal",
        "joule",    "watt",       "kilowatt", "hertz",    "radian",     "radians", "litre",      "liter",
        "tonne",    "ton",        "knot",     "kt",       "gravity",    "hp",      "horsepower", "poise",
        "P",        "cP",         "St",       "cSt",      "dyn",        "dyne",    "erg",        "kgf",
        "gf",       "kip",        "micron",   "angstrom", "Å",          "grade",   "gon",        "arcmin",
        "arcsec"})
    print(name);
}
