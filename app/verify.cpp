// tappet verify: how far a model's result can be trusted.

#include "tappet/studies/verify.hpp"

#include <fmt/format.h>

#include "command.hpp"
#include "interruption.hpp"

namespace tappet::app::verify_command {
namespace {

struct Options {
  std::string model;
  std::vector<std::string> settings;
  bool json = false, quiet = false;
};

int run(const Options& options) {
  StudyTerminal terminal(!options.quiet, "runs");
  Verification verification;
  try {
    verification = verify(options.model, options.settings, &terminal.watch());
  } catch (const StudyStopped&) {
    terminal.finish();
    fmt::print(stderr, "{}: {}: a verdict needs all runs; nothing is kept\n", options.model, interruption());
    return Exit::stopped;
  }
  terminal.finish();
  if (options.quiet && !options.json)
    fmt::print("{}\n", verification.verdict());
  else if (options.json)
    fmt::print("{}\n", verification_json(verification));
  else
    fmt::print("{}", verification_text(verification));
  return Exit::done;
}

std::function<int()> set_up(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("MODEL", options->model, "the model file (YAML)")->required();
  add_settings(command, options->settings);
  command.add_flag("--json", options->json, "print everything as one JSON object");
  command.add_flag("--quiet,-q", options->quiet, "print the verdict alone, and no progress");
  return [options] { return run(*options); };
}

const Registration<Command> registered{
    {.name = "verify", .help = "say how far a model's result can be trusted", .place = 45, .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::verify_command
