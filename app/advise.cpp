// tappet advise: sensible parameters for a model's contacts, and what is odd about those it has.

#include <memory>

#include <fmt/format.h>

#include "command.hpp"
#include "tappet/spec/spec.hpp"
#include "tappet/studies/advise_modes.hpp"

namespace tappet::app::advise_command {
namespace {

struct Options {
  std::string model;
  double speed = 0;  ///< 0: not given
  std::vector<std::string> settings;
  bool json = false;
};

int run(const Options& options) {
  Situations situations;
  const std::vector<ContactAdvice> advice =
      advise(load_spec(options.model, options.settings),
             options.speed > 0 ? std::optional(options.speed) : std::nullopt, &situations);
  const std::vector<ModeAdvice> modes = advise_modes(situations, advice);
  if (options.json)
    fmt::print("{}\n", advice_json(advice, modes));
  else if (advice.empty() && !modes.empty())
    fmt::print("{}", mode_advice_text(modes));
  else
    fmt::print("{}{}", advice_text(advice), mode_advice_text(modes));
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
