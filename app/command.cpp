#include "command.hpp"

#include <cstdio>

#include <fmt/format.h>

#include "tappet/spec/object.hpp"
#include "tappet/spec/paths.hpp"
#include "tappet/spec/value.hpp"

namespace tappet::app {

void add_settings(CLI::App& command, std::vector<std::string>& settings) {
  command
      .add_option(
          "--set", settings,
          "change a value of the model, such as joints.wrist.clearance.journal_radius=9.8mm; may be repeated")
      ->allow_extra_args(false)
      ->type_name("PATH=VALUE");
  command
      .add_option_function<std::vector<std::string>>(
          "--add",
          [&settings](const std::vector<std::string>& assignments) {
            // Before all settings, which may change what is added.
            std::vector<std::string> additions;
            for (const std::string& each : assignments) additions.push_back(adding_setting(each));
            settings.insert(settings.begin(), additions.begin(), additions.end());
          },
          "add an entry that the model does not have, such as 'forces.push={type: ...}'; may be repeated")
      ->allow_extra_args(false)
      ->type_name("PATH=VALUE");
  command
      .add_option_function<std::vector<std::string>>(
          "--input",
          [&settings](const std::vector<std::string>& assignments) {
            for (const std::string& each : assignments) settings.push_back(input_setting(each));
          },
          "the value of an input of the model, such as throttle=0.3; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
}

namespace {

/// By the reader of model files, so that one rule holds for every number.
double read_quantity(const std::string& text, const std::string& name, const std::string& unit,
                     const Range& range) {
  const Table table{
      .name = "the options", .help = "", .parameters = {{.name = name, .unit = unit, .range = range}}};
  Value mapping;
  mapping.kind = Value::Kind::mapping;
  set_key(mapping, name + "=" + text);
  Diagnostics diagnostics;
  const Object options = read_object(mapping, table, {.diagnostics = &diagnostics});
  diagnostics.throw_if_errors();
  return options.number(name);
}

}  // namespace

CLI::Option* add_quantity(CLI::App& command, const std::string& names, std::function<void(double)> put,
                          const std::string& unit, const std::string& help, const Range& range) {
  const std::string name = names.substr(names.rfind('-') + 1);
  return command
      .add_option_function<std::string>(
          names,
          [put = std::move(put), name, unit, range](const std::string& text) {
            try {
              put(read_quantity(text, name, unit, range));
            } catch (const InputError& fault) {
              throw CLI::ValidationError(fault.diagnostics()[0].message);
            }
          },
          help)
      ->allow_extra_args(false)
      ->type_name(unit == "s" ? "TIME" : "NUMBER");
}

namespace {
bool quiet = false;
}

void add_quiet(CLI::App& command) {
  if (!command.get_option_no_throw("--quiet"))
    command.add_flag("--quiet,-q", quiet, "print nothing but errors");
}

void add_json(CLI::App& command, bool& json, const std::string& help) {
  command.add_flag("--json", json, help);
}

void go_quiet() {
  if (quiet && !std::freopen("/dev/null", "w", stdout)) std::fclose(stdout);
}

void print(const std::vector<Diagnostic>& diagnostics) {
  for (const auto& diagnostic : diagnostics)
    if (!quiet || diagnostic.severity == Severity::error) fmt::print(stderr, "{}\n", diagnostic.text());
}

}  // namespace tappet::app
