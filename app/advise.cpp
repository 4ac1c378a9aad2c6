// tappet advise: sensible parameters for a model's contacts, and what is odd about those it has.

#include "tappet/studies/advise.hpp"

#include <memory>

#include <fmt/format.h>

#include "command.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::app::advise_command {
namespace {

struct Options {
  std::string model;
  double speed = 0;  ///< 0: not given
  std::vector<std::string> settings;
  bool json = false;
};

int run(const Options& options) {
  const std::vector<ContactAdvice> advice =
      advise(load_spec(options.model, options.settings),
             options.speed > 0 ? std::optional(options.speed) : std::nullopt);
  fmt::print("{}", options.json ? advice_json(advice) + "\n" : advice_text(advice));
  return Exit::done;
}

std::function<int()> set_up(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("MODEL", options->model, "the model file (YAML)")->required();
  add_quantity(command, "--speed", options->speed, "m/s",
               "speed of impact, such as 1 km/h; default: what the initial state leads to", positive());
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
