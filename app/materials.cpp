// tappet materials: the built-in pairs of materials, with their friction and restitution.

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "tappet/contact/material_pairs.hpp"

namespace tappet::app::materials_command {
namespace {

struct Options {
  std::string name;
  bool json = false;
};

std::vector<MaterialPair> pairs_with(const std::string& name) {
  std::vector<MaterialPair> out;
  for (const MaterialPair& pair : built_in_pairs())
    if (name.empty() || same_material(pair.between[0], name) || same_material(pair.between[1], name))
      out.push_back(pair);
  if (!out.empty()) return out;
  const std::vector<std::string> names = paired_names(built_in_pairs());
  const std::string near = nearest_name(name, names);
  refuse("materials",
         fmt::format("there is no material {} in the built-in pairs; {}the materials are {}", quote(name),
                     near.empty() ? "" : "did you mean '" + near + "'? ", join_names(names)));
}

void print_json(const std::vector<MaterialPair>& pairs) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const MaterialPair& pair : pairs)
    list.push_back({{"between", pair.between},
                    {"static", *pair.static_coefficient},
                    {"dynamic", *pair.dynamic_coefficient},
                    {"restitution", *pair.restitution}});
  fmt::print("{}\n", nlohmann::ordered_json{{"citation", built_in_pairs_citation}, {"pairs", list}}.dump(2));
}

void print_table(const std::vector<MaterialPair>& pairs) {
  std::size_t width = 0;
  for (const MaterialPair& pair : pairs)
    width = std::max({width, pair.between[0].size(), pair.between[1].size()});
  fmt::print("{:<{}}  {:<{}}  {:>6}  {:>7}  {:>11}\n", "between", width, "and", width, "static", "dynamic",
             "restitution");
  for (const MaterialPair& pair : pairs)
    fmt::print("{:<{}}  {:<{}}  {:>6.2f}  {:>7.2f}  {:>11.2f}\n", pair.between[0], width, pair.between[1],
               width, *pair.static_coefficient, *pair.dynamic_coefficient, *pair.restitution);
  fmt::print(
      "\nsource: {}. In a contact: materials: [{}, {}]; pairs of your own go under `material_pairs`.\n",
      built_in_pairs_citation, pairs.front().between[0], pairs.front().between[1]);
}

int show(const Options& options) {
  const std::vector<MaterialPair> pairs = pairs_with(options.name);
  options.json ? print_json(pairs) : print_table(pairs);
  return Exit::done;
}

std::function<int()> set_up(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("NAME", options->name, "only pairs with this material; default: all");
  command.add_flag("--json", options->json, "as one JSON object");
  return [options] { return show(*options); };
}

const Registration<Command> registered{
    {.name = "materials",
     .help = "list the built-in pairs of materials: friction and restitution",
     .place = 75,
     .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::materials_command
