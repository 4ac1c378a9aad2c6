#include "tappet/contact/material_pairs.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "tappet/base/sections.hpp"

namespace tappet {
namespace {

// [Giesbers2012, appendix C, table 1], which takes it from the documentation of MSC Adams/Solver. Of the 36
// pairs that eight materials make, those of nylon with steel are not in it.
struct Row {
  const char *first, *second;
  double static_coefficient, dynamic_coefficient, restitution;
};
constexpr Row table_1[] = {
    // clang-format off
      {"dry steel", "dry steel", 0.70, 0.57, 0.80},
      {"greasy steel", "dry steel", 0.23, 0.16, 0.90},
      {"greasy steel", "greasy steel", 0.23, 0.16, 0.90},
      {"dry aluminium", "dry steel", 0.70, 0.50, 0.85},
      {"dry aluminium", "greasy steel", 0.23, 0.16, 0.85},
      {"dry aluminium", "dry aluminium", 0.70, 0.50, 0.85},
      {"greasy aluminium", "dry steel", 0.30, 0.20, 0.85},
      {"greasy aluminium", "greasy steel", 0.23, 0.16, 0.85},
      {"greasy aluminium", "dry aluminium", 0.30, 0.20, 0.85},
      {"greasy aluminium", "greasy aluminium", 0.30, 0.20, 0.85},
      {"acrylic", "dry steel", 0.20, 0.15, 0.70},
      {"acrylic", "greasy steel", 0.20, 0.15, 0.70},
      {"acrylic", "dry aluminium", 0.20, 0.15, 0.70},
      {"acrylic", "greasy aluminium", 0.20, 0.15, 0.70},
      {"acrylic", "acrylic", 0.20, 0.15, 0.70},
      {"nylon", "dry aluminium", 0.10, 0.06, 0.70},
      {"nylon", "greasy aluminium", 0.10, 0.06, 0.70},
      {"nylon", "acrylic", 0.10, 0.06, 0.65},
      {"nylon", "nylon", 0.10, 0.06, 0.70},
      {"dry rubber", "dry steel", 0.80, 0.76, 0.95},
      {"dry rubber", "greasy steel", 0.80, 0.76, 0.95},
      {"dry rubber", "dry aluminium", 0.80, 0.76, 0.95},
      {"dry rubber", "greasy aluminium", 0.80, 0.76, 0.95},
      {"dry rubber", "acrylic", 0.80, 0.76, 0.95},
      {"dry rubber", "nylon", 0.80, 0.76, 0.95},
      {"dry rubber", "dry rubber", 0.80, 0.76, 0.95},
      {"greasy rubber", "dry steel", 0.63, 0.56, 0.95},
      {"greasy rubber", "greasy steel", 0.63, 0.56, 0.95},
      {"greasy rubber", "dry aluminium", 0.63, 0.56, 0.95},
      {"greasy rubber", "greasy aluminium", 0.63, 0.56, 0.95},
      {"greasy rubber", "acrylic", 0.63, 0.56, 0.95},
      {"greasy rubber", "nylon", 0.63, 0.56, 0.95},
      {"greasy rubber", "dry rubber", 0.63, 0.56, 0.95},
      {"greasy rubber", "greasy rubber", 0.63, 0.56, 0.95},
    // clang-format on
};

const Table& pair_table() {
  static const Table table = table_of<MaterialPairParameters>(
      "a material pair", "Friction and restitution of two materials that touch",
      {{&MaterialPairParameters::between,
        {.name = "between", .kind = Kind::names, .help = "the two materials", .required = true, .count = 2}},
       {&MaterialPairParameters::static_coefficient,
        {.name = "static", .help = "coefficient of static friction μ_s", .range = not_negative()}},
       {&MaterialPairParameters::dynamic_coefficient,
        {.name = "dynamic", .help = "coefficient of sliding friction μ_d", .range = not_negative()}},
       {&MaterialPairParameters::restitution,
        {.name = "restitution", .help = "coefficient of restitution", .range = unit_interval()}}});
  return table;
}

const bool material_pairs_registered = (register_table("material_pairs", &pair_table()), true);

// Capitals as small letters, '-' and '_' as spaces.
std::string plain(std::string name) {
  for (char& c : name)
    c = c == '-' || c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

std::optional<double> if_given(double x) {
  return std::isnan(x) ? std::nullopt : std::optional(x);
}

std::optional<MaterialPair> make_pair(const AnyParameters& parameters, Diagnostics& diagnostics) {
  const auto& p = parameters.as<MaterialPairParameters>();
  const Origin& origin = parameters.origin;
  MaterialPair pair{.name = origin.name,
                    .between = {plain(p.between[0]), plain(p.between[1])},
                    .static_coefficient = if_given(p.static_coefficient),
                    .dynamic_coefficient = if_given(p.dynamic_coefficient),
                    .restitution = if_given(p.restitution),
                    .pos = origin.name_pos};
  if (pair.static_coefficient || pair.dynamic_coefficient || pair.restitution) return pair;
  diagnostics.error(
      origin.name_pos,
      fmt::format("material pair '{}' says nothing: give 'static', 'dynamic' or 'restitution'", origin.name));
  return {};
}

// The pair's value for a law's key.
std::optional<double> value_for(const MaterialPair& pair, const std::string& key) {
  if (key == "static") return pair.static_coefficient;
  if (key == "dynamic" || key == "coefficient") return pair.dynamic_coefficient;
  if (key == "restitution") return pair.restitution;
  return {};
}

}  // namespace

const std::vector<MaterialPair>& built_in_pairs() {
  static const std::vector<MaterialPair> pairs = [] {
    std::vector<MaterialPair> out;
    for (const Row& row : table_1)
      out.push_back({.name = "",
                     .between = {row.first, row.second},
                     .static_coefficient = row.static_coefficient,
                     .dynamic_coefficient = row.dynamic_coefficient,
                     .restitution = row.restitution});
    return out;
  }();
  return pairs;
}

const std::vector<Material>& built_in_materials() {
  static const std::vector<Material> materials = [] {
    const Material steel{"steel", 207e9, 0.292, 7800}, aluminium{"aluminium", 71.7e9, 0.333, 2710},
        rubber{"rubber", 2e6, 0.49, 930};
    std::vector<Material> out = {steel, aluminium, rubber};
    for (const char* state : {"dry ", "greasy "})
      for (Material material : {steel, aluminium, rubber}) {
        material.name = state + material.name;
        out.push_back(material);
      }
    out.push_back({"acrylic", 3e9, 0.39, 1190});
    out.push_back({"nylon", 2.9e9, 0.39, 1130});
    return out;
  }();
  return materials;
}

const Material* find_built_in(const std::string& name) {
  for (const Material& material : built_in_materials())
    if (same_material(material.name, name)) return &material;
  return nullptr;
}

Materials make_materials(const std::vector<AnyParameters>& materials, const std::vector<AnyParameters>& pairs,
                         Diagnostics& diagnostics) {
  Materials out;
  for (const AnyParameters& p : materials) {
    if (const Material* twin = find_material(out, p.origin.name))
      diagnostics.error(
          p.origin.name_pos,
          fmt::format("material '{}' has the same name as '{}': capitals, '-' and '_' do not tell "
                      "materials apart",
                      p.origin.name, twin->name));
    out.elastic.push_back(make_material(p));
  }
  for (const AnyParameters& p : pairs) {
    const std::optional<MaterialPair> pair = make_pair(p, diagnostics);
    if (!pair) continue;
    if (const MaterialPair* twin = find_pair(out.pairs, pair->between[0], pair->between[1]))
      diagnostics.error(p.origin.name_pos,
                        fmt::format("material pair '{}' is between the same materials as '{}', {} and {}",
                                    p.origin.name, twin->name, pair->between[0], pair->between[1]));
    out.pairs.push_back(*pair);
  }
  out.pairs.insert(out.pairs.end(), built_in_pairs().begin(), built_in_pairs().end());
  return out;
}

bool same_material(const std::string& a, const std::string& b) {
  return plain(a) == plain(b);
}

const Material* find_material(const Materials& known, const std::string& name) {
  const auto at = std::find_if(known.elastic.begin(), known.elastic.end(),
                               [&](const Material& m) { return same_material(m.name, name); });
  return at == known.elastic.end() ? nullptr : &*at;
}

const MaterialPair* find_pair(const std::vector<MaterialPair>& pairs, const std::string& first,
                              const std::string& second) {
  const std::string a = plain(first), b = plain(second);
  const auto at = std::find_if(pairs.begin(), pairs.end(), [&](const MaterialPair& p) {
    return (p.between[0] == a && p.between[1] == b) || (p.between[0] == b && p.between[1] == a);
  });
  return at == pairs.end() ? nullptr : &*at;
}

std::vector<std::string> paired_names(const std::vector<MaterialPair>& pairs) {
  std::set<std::string> names;
  for (const MaterialPair& pair : pairs) names.insert(pair.between.begin(), pair.between.end());
  return {names.begin(), names.end()};
}

std::vector<std::string> partners(const std::vector<MaterialPair>& pairs, const std::string& name) {
  const std::string own = plain(name);
  std::set<std::string> names;
  for (const MaterialPair& pair : pairs)
    for (int side : {0, 1})
      if (pair.between[side] == own) names.insert(pair.between[1 - side]);
  return {names.begin(), names.end()};
}

std::string describe(const MaterialPair& pair) {
  if (!pair.name.empty()) return fmt::format("the pair '{}'", pair.name);
  return fmt::format("the pair of {} and {} ({})", pair.between[0], pair.between[1], built_in_pairs_citation);
}

std::string take_from_pair(const MaterialPair& pair, const Table& table, AnyParameters& law,
                           Diagnostics& diagnostics) {
  std::string taken;
  // Who writes the one coefficient of a law means it for rest as well.
  const bool one_coefficient = law.has("coefficient");
  for (const Parameter& parameter : table.parameters) {
    const std::optional<double> value = value_for(pair, parameter.name);
    if (!value || law.has(parameter.name)) continue;
    if (parameter.name == "static" && one_coefficient) continue;
    if (!parameter.range.contains(*value)) {
      diagnostics.error(law.origin.pos,
                        fmt::format("law {}: '{}' is {:.6g} in {}, but must be {}", law.origin.type,
                                    parameter.name, *value, describe(pair), parameter.range.text()));
      continue;
    }
    law.set(parameter.name, *value);
    taken += fmt::format("{}{} = {:.6g}", taken.empty() ? "" : ", ", parameter.name, *value);
  }
  return taken;
}

}  // namespace tappet
