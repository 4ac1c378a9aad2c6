// tappet check: everything that can be wrong with a model, said without running it.

#include <algorithm>

#include <fmt/format.h>

#include "command.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/run/simulation.hpp"
#include "tappet/spec/spec.hpp"
#include "tappet/studies/reproduce.hpp"
#include "tappet/studies/study.hpp"

namespace tappet::app::check_command {
namespace {

struct Options {
  std::string model;
  std::vector<std::string> settings;
};

std::string counted(long n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

int check_study(const Options& options) {
  const Study study = load_study(options.model);
  fmt::print("{}: ok: {} of {}, {}, {}\n", options.model,
             counted(static_cast<long>(study.runs()), "run", "runs"), study.model_file,
             counted(static_cast<long>(study.axes.size()), "parameter", "parameters"),
             counted(static_cast<long>(study.metrics.size()), "metric", "metrics"));
  return Exit::done;
}

int check_figures(const Options& options) {
  const Catalogue document = load_catalogue(options.model);
  check_catalogue(document);
  const auto made = std::count_if(document.figures.begin(), document.figures.end(),
                                  [](const CatalogueFigure& figure) { return figure.missing.empty(); });
  fmt::print("{}: ok: {}, {} of them made\n", options.model,
             counted(static_cast<long>(document.figures.size()), "figure", "figures"), made);
  return Exit::done;
}

int check(const Options& options) {
  const Value root = read_yaml_file(options.model);
  if (is_study(root)) return check_study(options);
  if (is_catalogue(root)) return check_figures(options);
  const Spec spec = load_spec(options.model, options.settings);
  Diagnostics diagnostics;
  const auto model = compile(spec, diagnostics);
  print(diagnostics.all());
  // Assembling shows what no key alone can: a mechanism that does not close.
  const Simulation simulation(*model);
  const RunSummary summary = simulation.describe();
  for (const auto& warning : summary.warnings)
    fmt::print(stderr, "{}: warning: {}\n", options.model, warning);
  for (const auto& note : summary.notes) fmt::print("{}: note: {}\n", options.model, note);
  fmt::print("{}: ok: {}, {}, {} of freedom\n", options.model, counted(summary.bodies, "body", "bodies"),
             counted(static_cast<long>(spec.joints.size()), "joint", "joints"),
             counted(summary.degrees_of_freedom, "degree", "degrees"));
  return Exit::done;
}

std::function<int()> set_up(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("MODEL", options->model, "the model file (YAML), a study, or a catalogue of figures")
      ->required();
  add_settings(command, options->settings);
  return [options] { return check(*options); };
}

const Registration<Command> registered{{.name = "check",
                                        .help = "say what is wrong with a model, without running it",
                                        .place = 20,
                                        .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::check_command
