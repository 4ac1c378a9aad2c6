#include "tappet/contact/normal_law.hpp"

#include <cmath>

#include <fmt/format.h>

#include "tappet/base/sections.hpp"
#include "tappet/contact/material_pairs.hpp"

namespace tappet {

LawDomainError LawDomainError::at(const std::string& contact, double time) const {
  return LawDomainError(fmt::format("contact '{}' at t = {:.9g} s: {}", contact, time, what()), time);
}

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

static const bool normal_family_registered = (register_family("normal", &normal_law_family()), true);

NormalOutputOf<NormalLaw::Number> NormalLaw::contact_dual(const NormalInputOf<Number>& in) const {
  const NormalOutput out = contact({in.depth.value, in.rate.value, in.impact_rate.value, in.inputs});
  NormalOutputOf<Number> dual{out.force, out.d_depth, out.d_rate, out.stored_energy, out.dissipated_power};
  for (int k = 0; k < 3; ++k) dual.force.d[k] = out.d_depth * in.depth.d[k] + out.d_rate * in.rate.d[k];
  return dual;
}

bool require_supplied(const AnyParameters& parameters, const Table& table, Diagnostics& diagnostics) {
  bool complete = true;
  const Origin& origin = parameters.origin;
  for (const Parameter& row : table.parameters) {
    if (!row.required || row.supplied_by.empty() || parameters.has(row.name)) continue;
    const std::string words =
        origin.name.empty() ? table.name : fmt::format("{} {}", table.name, quote(origin.name));
    diagnostics.error(origin.name_pos.file ? origin.name_pos : origin.pos, missing_key(row, words));
    complete = false;
  }
  return complete;
}

std::unique_ptr<NormalLaw> make_normal_law(const AnyParameters& parameters, const ContactPair& pair,
                                           Diagnostics& diagnostics) {
  const NormalLawType* type = find_type(NormalLawRegistry::instance().entries(), parameters);
  if (!type) return nullptr;  // the reader has reported the unknown name
  if (!type->make) {
    std::vector<std::string> forces;
    for (const NormalLawType& other : NormalLawRegistry::instance().entries())
      if (other.force_law) forces.push_back(other.name);
    diagnostics.error(
        parameters.origin.pos,
        fmt::format("the smooth method needs a force law here: give 'law', one of {}", join_names(forces)));
    return nullptr;
  }
  if (!require_supplied(parameters, type->table, diagnostics)) return nullptr;
  AnyParameters named = parameters;
  named.origin.type = type->name;
  return type->make(named, pair, diagnostics);
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

double speed_to_reach(const NormalLaw& law, double depth, double mobility) {
  return std::sqrt(2 * law.evaluate({.depth = depth}).stored_energy * mobility);
}

double rigid_restitution(const AnyParameters& parameters) {
  if (parameters.has("restitution")) return parameters.number("restitution");
  const NormalLawType* type = find_type(NormalLawRegistry::instance().entries(), parameters);
  // A law whose table has no such key at all is elastic.
  for (const Parameter& parameter : type->table.parameters)
    if (parameter.name == "restitution") return NormalTraits::unknown;
  return 1;
}

Parameter stiffness_parameter() {
  return {.name = "stiffness",
          .unit = "N/m^n",
          .help = "K; when absent and n = 1.5, Hertz' value from E, ν and the radii",
          .range = positive(),
          .unit_power = "exponent"};
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

std::optional<double> stiffness_or_hertz(double stiffness, double exponent, const Origin& origin,
                                         const ContactPair& pair, Diagnostics& diagnostics,
                                         std::vector<std::string>& notes) {
  if (!std::isnan(stiffness)) return stiffness;
  if (exponent != 1.5) {
    diagnostics.error(origin.pos,
                      fmt::format("law {}: 'stiffness' must be given, in N/m^{:.15g}: it can be derived from "
                                  "materials and radii only for exponent 1.5",
                                  origin.type, exponent));
    return {};
  }
  std::string missing;
  const std::optional<double> derived = hertz_stiffness(pair, missing);
  if (derived) {
    const std::string radii =
        has_ellipse(pair)
            ? fmt::format("R′ = {:.4g} m and R″ = {:.4g} m", pair.relative_radius[0], pair.relative_radius[1])
            : fmt::format("R = {:.4g} m", 1 / relative_curvature(pair));
    notes.push_back(fmt::format("{}: K = {:.4g} N/m^1.5 from E, ν and {}", origin.type, *derived, radii));
  } else {
    diagnostics.error(origin.pos, fmt::format("law {}: 'stiffness' is not given and cannot be derived: {}",
                                              origin.type, missing));
  }
  return derived;
}

}  // namespace tappet
