#include "tappet/contact/normal_law.hpp"

#include <cmath>

#include <fmt/format.h>

#include "tappet/base/units.hpp"
#include "tappet/contact/material_pairs.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet {

const Family& normal_law_family() {
  static const Family family{.key = "law",
                             .noun = "normal contact law",
                             .common = {.name = "a normal contact law", .help = "", .parameters = {}},
                             .fallback = "newton",
                             .members = [] {
                               std::vector<std::pair<std::string, const Table*>> members;
                               for (const NormalLawType& type : NormalLawRegistry::instance().entries())
                                 members.emplace_back(type.name, &type.table);
                               return members;
                             }};
  return family;
}

static const bool registered = (register_family("normal", &normal_law_family()), true);

std::unique_ptr<NormalLaw> make_normal_law(const Object& object, const ContactPair& pair,
                                           Diagnostics& diagnostics) {
  const NormalLawType* type = NormalLawRegistry::instance().find(object.type);
  if (!type) return nullptr;  // the reader has reported the unknown name
  if (!type->make) {
    std::vector<std::string> forces;
    for (const NormalLawType& other : NormalLawRegistry::instance().entries())
      if (other.force_law) forces.push_back(other.name);
    diagnostics.error(
        object.pos,
        fmt::format("the smooth method needs a force law here: give 'law', one of {}", join_names(forces)));
    return nullptr;
  }
  if (!require_supplied(object, type->table, diagnostics)) return nullptr;
  return type->make(object, pair, diagnostics);
}

double expected_depth(const NormalLaw& law, double impact_rate, double energy, double largest) {
  const auto stored = [&](double depth) {
    try {
      return law.evaluate({.depth = depth, .rate = 0, .impact_rate = impact_rate}).stored_energy;
    } catch (const SimulationError&) {
      return HUGE_VAL;  // deeper than the law goes
    }
  };
  if (!(energy > 0 && stored(largest) > 0)) return 1e-3 * largest;
  double low = std::log(1e-12 * largest), high = std::log(largest);
  for (int n = 0; n < 40; ++n) {
    const double middle = 0.5 * (low + high);
    (stored(std::exp(middle)) < energy ? low : high) = middle;
  }
  return std::exp(high);
}

double rigid_restitution(const Object& object) {
  if (object.has("restitution")) return object.number("restitution");
  const NormalLawType* type = NormalLawRegistry::instance().find(object.type);
  // A law whose table has no such key at all is elastic.
  for (const Parameter& parameter : type->table.parameters)
    if (parameter.name == "restitution") return NormalTraits::unknown;
  return 1;
}

// The unit follows the exponent, so that the law itself reads the number.
Parameter stiffness_parameter() {
  return {.name = "stiffness",
          .kind = Kind::text,
          .unit = "N/m^n",
          .help = "K; when absent and n = 1.5, Hertz' value from E, ν and the radii",
          .range = positive()};
}

Parameter linear_stiffness_parameter() {
  return {.name = "stiffness", .unit = "N/m", .help = "K", .required = true, .range = positive()};
}

Parameter exponent_parameter() {
  return {.name = "exponent",
          .help = "n; 1.5 for circular and elliptic contacts",
          .fallback = "1.5",
          .range = {.low = 0, .high = 5, .low_open = true}};
}

Parameter restitution_parameter(const Range& range) {
  return {.name = "restitution",
          .help = "coefficient of restitution asked for",
          .required = true,
          .supplied_by = pair_words,
          .range = range};
}

Parameter rest_velocity_parameter(const std::string& help) {
  return {.name = "rest_velocity", .unit = "m/s", .help = help, .fallback = "0.1 mm/s", .range = positive()};
}

Parameter rigid_restitution_parameter() {
  return {.name = "restitution",
          .help = "for the non-smooth methods; the force does not use it",
          .range = unit_interval()};
}

static std::optional<double> given_stiffness(const Object& object, double exponent,
                                             Diagnostics& diagnostics) {
  const std::string& text = object.text("stiffness");
  const auto refuse = [&](const std::string& why) {
    diagnostics.error(object.where("stiffness"), fmt::format("'stiffness' is {}{}", quote(text), why));
    return std::nullopt;
  };
  try {
    std::string unit;
    const double number = Expression::parse(text, {}, unit)(0.0);
    const double stiffness = number * si_factor(unit, fmt::format("N/m^{:.15g}", exponent));
    if (std::isfinite(stiffness) && stiffness > 0) return stiffness;
  } catch (const std::runtime_error& fault) {
    return refuse(fmt::format(": {}", fault.what()));
  }
  return refuse(fmt::format(", but must be > 0 (in N/m^{:.15g})", exponent));
}

std::optional<double> read_stiffness(const Object& object, const ContactPair& pair, double exponent,
                                     Diagnostics& diagnostics, std::vector<std::string>& notes) {
  if (object.has("stiffness")) return given_stiffness(object, exponent, diagnostics);
  if (exponent != 1.5) {
    diagnostics.error(object.pos,
                      fmt::format("law {}: 'stiffness' must be given, in N/m^{:.15g}: it can be derived from "
                                  "materials and radii only for exponent 1.5",
                                  object.type, exponent));
    return {};
  }
  std::string missing;
  const std::optional<double> stiffness = hertz_stiffness(pair, missing);
  if (stiffness) {
    notes.push_back(fmt::format("{}: K = {:.4g} N/m^1.5 from E, ν and R = {:.4g} m", object.type, *stiffness,
                                1 / relative_curvature(pair)));
  } else {
    diagnostics.error(object.pos, fmt::format("law {}: 'stiffness' is not given and cannot be derived: {}",
                                              object.type, missing));
  }
  return stiffness;
}

}  // namespace tappet
