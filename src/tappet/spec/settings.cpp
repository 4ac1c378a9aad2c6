// "joints.wrist.clearance.journal_radius=9.8mm": one value of the model replaced from outside the file.
#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "tappet/spec/paths.hpp"
#include "tappet/spec/value.hpp"
#include "tappet/spec/yaml_builder.hpp"
#include "tappet/spec/yaml_reader.hpp"

namespace tappet {
namespace {

constexpr std::string_view inputs_section = "inputs.", default_key = ".default";

/// The input whose value a path sets; "": it sets something else.
std::string input_of(const std::string& path) {
  if (!path.starts_with(inputs_section) || !path.ends_with(default_key)) return "";
  return path.substr(inputs_section.size(), path.size() - inputs_section.size() - default_key.size());
}

/// An input that is not there is a mistake, not a new one.
void check_input(const Value& root, const std::string& name, const SourcePos& pos) {
  std::vector<std::string> names;
  if (const Value* inputs = root.find("inputs"))
    for (const auto& [known, value] : inputs->map) names.push_back(known);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const std::string near = nearest_name(name, names);
  throw_input_error(pos, names.empty()
                             ? fmt::format("there is no input {}: the model has no inputs", quote(name))
                             : fmt::format("there is no input {}; {}inputs: {}", quote(name),
                                           near.empty() ? "" : fmt::format("did you mean '{}'? ", near),
                                           join_names(names)));
}

}  // namespace

std::string input_setting(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    throw_input_error({std::make_shared<const std::string>("--input " + assignment), 0, 0},
                      "an input is written NAME=VALUE, such as throttle=0.3");
  return fmt::format("{}{}{}{}", inputs_section, assignment.substr(0, equals), default_key,
                     assignment.substr(equals));
}

void apply_setting(Value& root, const std::string& setting) {
  const std::size_t equals = setting.find('=');
  const std::string input = equals == std::string::npos ? "" : input_of(setting.substr(0, equals));
  const SourcePos pos{
      std::make_shared<const std::string>(
          input.empty() ? "--set " + setting : fmt::format("--input {}{}", input, setting.substr(equals))),
      0, 0};
  if (!input.empty()) check_input(root, input, pos);
  if (equals == std::string::npos || equals == 0)
    throw_input_error(pos, "a setting is written path.to.key=value");
  Value value = read_yaml_fragment(setting.substr(equals + 1), pos);
  set_value(root, setting.substr(0, equals), std::move(value), pos);
}

}  // namespace tappet
