#include "command.hpp"

#include <fmt/format.h>

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
          "--input",
          [&settings](const std::vector<std::string>& assignments) {
            for (const std::string& each : assignments) settings.push_back(input_setting(each));
          },
          "the value of an input of the model, such as throttle=0.3; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
}

void print(const std::vector<Diagnostic>& diagnostics) {
  for (const auto& diagnostic : diagnostics) fmt::print(stderr, "{}\n", diagnostic.text());
}

}  // namespace tappet::app
