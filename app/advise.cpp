// tappet advise: sensible parameters for a model's contacts, and what is odd about those it has.

#include "tappet/studies/advise.hpp"

#include <memory>

#include <fmt/format.h>

#include "command.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::app::advise_command {
namespace {

struct Options {
  std::string model, speed;
  std::vector<std::string> settings;
  bool json = false;
};

/// The option as a mapping, so that it is read, converted and checked as a model file is.
std::optional<double> read_speed(const std::string& text) {
  if (text.empty()) return {};
  static const Table table{.name = "the options",
                           .help = "",
                           .parameters = {{.name = "speed", .unit = "m/s", .range = positive()}}};
  Value mapping;
  mapping.kind = Value::Kind::mapping;
  apply_setting(mapping, "speed=" + text);
  Diagnostics diagnostics;
  const Object options = read_object(mapping, table, {.diagnostics = &diagnostics});
  diagnostics.throw_if_errors();
  return options.number("speed");
}

int run(const Options& options) {
  const std::vector<ContactAdvice> advice =
      advise(load_spec(options.model, options.settings), read_speed(options.speed));
  fmt::print("{}", options.json ? advice_json(advice) + "\n" : advice_text(advice));
  return Exit::done;
}

std::function<int()> set_up(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("MODEL", options->model, "the model file (YAML)")->required();
  command.add_option("--speed", options->speed, "speed of impact; default: what the initial state leads to");
  add_settings(command, options->settings);
  command.add_flag("--json", options->json, "as one JSON object");
  return [options] { return run(*options); };
}

const Registration<Command> registered{{.name = "advise",
                                        .help = "propose parameters of a model's contacts, with reasons",
                                        .place = 25,
                                        .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::advise_command
