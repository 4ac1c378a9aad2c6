// UNITS/ FORCE = NEWTON, MASS = KILOGRAM, LENGTH = MILLIMETER, TIME = SECOND
//
// Whoever mixes units, as N, kg and mm, has Adams put the factor between force and mass times acceleration right; here all is SI at once.
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/conversion.hpp"

namespace tappet::adams::statements::units {
namespace {

using Table = std::vector<std::pair<std::string, double>>;

// SI units of each; pounds by the international avoirdupois pound, 0.45359237 kg exactly.
const Table lengths = {{"METER", 1},       {"MILLIMETER", 1e-3}, {"CENTIMETER", 1e-2},
                       {"KILOMETER", 1e3}, {"MICROMETER", 1e-6}, {"NANOMETER", 1e-9},
                       {"INCH", 0.0254},   {"FOOT", 0.3048},     {"MILE", 1609.344},
                       {"YARD", 0.9144},   {"ANGSTROM", 1e-10},  {"MICROINCH", 2.54e-8},
                       {"MILS", 2.54e-5},  {"MM", 1e-3},         {"CM", 1e-2}};
constexpr double pound = 0.45359237, gravity = 9.80665;
const Table masses = {{"KILOGRAM", 1},
                      {"GRAM", 1e-3},
                      {"TONNE", 1e3},
                      {"MEGAGRAM", 1e3},
                      {"MILLIGRAM", 1e-6},
                      {"MICROGRAM", 1e-9},
                      {"NANOGRAM", 1e-12},
                      {"POUND_MASS", pound},
                      {"OUNCE_MASS", pound / 16},
                      {"SLUG", pound* gravity / 0.3048},
                      {"SLINCH", pound* gravity / 0.0254},
                      {"KPOUND_MASS", 1e3 * pound},
                      {"US_TON", 2e3 * pound}};
const Table forces = {{"NEWTON", 1},
                      {"KILONEWTON", 1e3},
                      {"KNEWTON", 1e3},
                      {"MEGANEWTON", 1e6},
                      {"MILLINEWTON", 1e-3},
                      {"CENTINEWTON", 1e-2},
                      {"MICRONEWTON", 1e-6},
                      {"NANONEWTON", 1e-9},
                      {"DYNE", 1e-5},
                      {"KILOGRAM_FORCE", gravity},
                      {"GRAM_FORCE", 1e-3 * gravity},
                      {"POUND_FORCE", pound* gravity},
                      {"KPOUND_FORCE", 1e3 * pound* gravity},
                      {"OUNCE_FORCE", pound* gravity / 16},
                      {"POUNDAL", pound * 0.3048}};
const Table times = {{"SECOND", 1},  {"MILLISECOND", 1e-3}, {"MINUTE", 60},      {"HOUR", 3600},
                     {"DAY", 86400}, {"MICROSECOND", 1e-6}, {"NANOSECOND", 1e-9}};

void take(const Given& given, const char* argument, const Table& table, double& unit, Conversion& c) {
  if (!given.has(argument)) return;
  const std::string name = given.text(argument);
  std::string upper = name;
  for (char& letter : upper) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  for (const auto& [full, value] : table)
    if (full.starts_with(upper) && !upper.empty()) {
      unit = value;
      return;
    }
  std::vector<std::string> all;
  for (const auto& [full, value] : table) all.push_back(full);
  c.fault(given, fmt::format("{} = {}: the units are {}", argument, quote(name), join_names(all)));
}

void read(const Given& given, Conversion& c) {
  const std::string system = given.text("SYSTEM");
  if (system == "CGS")
    c.units = {.length = 1e-2, .mass = 1e-3, .force = 1e-5, .time = 1};
  else if (system == "FPS")
    c.units = {.length = 0.3048, .mass = pound, .force = pound * gravity, .time = 1};
  else if (system == "IPS")
    c.units = {.length = 0.0254, .mass = pound, .force = pound * gravity, .time = 1};
  else if (!system.empty() && system != "MKS" && system != "NONE")
    c.fault(given,
            fmt::format("SYSTEM = {}: write its units one by one, FORCE = ..., MASS = ..., LENGTH = ..., "
                        "TIME = ...; known are MKS, CGS, FPS, IPS and NONE",
                        system));
  take(given, "LENGTH", lengths, c.units.length, c);
  take(given, "MASS", masses, c.units.mass, c);
  take(given, "FORCE", forces, c.units.force, c);
  take(given, "TIME", times, c.units.time, c);
  // One factor between force and mass × acceleration: of these units themselves unless UCF says another.
  if (!given.has("UCF")) return;
  const double own = c.units.force / (c.units.mass * c.units.length / (c.units.time * c.units.time));
  const double asked = c.number(given, "UCF", 1, own);
  if (given.has("FORCE") && std::abs(asked - own) > 1e-3 * own)
    c.fault(given, fmt::format("UCF = {} is not the factor of these units, which is {}", asked, own));
}

const Registration<StatementType> registered{
    {.name = "UNITS",
     .stage = StatementType::units,
     .arguments = {"FORCE", "MASS", "LENGTH", "TIME", "SYSTEM", "UCF"},
     .read = read}};

}  // namespace
}  // namespace tappet::adams::statements::units
