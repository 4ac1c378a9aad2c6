// tappet check: everything that can be wrong with a model, said without running it.

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/run/simulation.hpp"
#include "tappet/spec/model_source.hpp"
#include "tappet/spec/spec.hpp"
#include "tappet/studies/reproduce.hpp"
#include "tappet/studies/study.hpp"

namespace tappet::app::check_command {
namespace {

struct Options {
  std::string model;
  std::vector<std::string> settings;
  bool json = false;
};

std::string counted(long n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

using Json = nlohmann::ordered_json;

int say(const Json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
  return Exit::done;
}

int check_study(const Options& options) {
  const Study study = load_study(options.model);
  if (options.json)
    return say({{"file", options.model},
                {"kind", "study"},
                {"status", "ok"},
                {"model", study.model_file},
                {"runs", study.runs()},
                {"parameters", study.axes.size()},
                {"metrics", study.metrics.size()},
                {"warnings", study.warnings}});
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
  const auto tables = std::count_if(document.figures.begin(), document.figures.end(),
                                    [](const CatalogueFigure& figure) { return figure.table; });
  const auto figures = static_cast<long>(document.figures.size()) - tables;
  if (options.json)
    return say({{"file", options.model},
                {"kind", "catalogue"},
                {"status", "ok"},
                {"figures", figures},
                {"tables", tables},
                {"made", made}});
  fmt::print("{}: ok: {}{}, {} of them made\n", options.model, counted(figures, "figure", "figures"),
             tables == 0 ? "" : " and " + counted(tables, "table", "tables"), made);
  return Exit::done;
}

int check(const Options& options) {
  const Value root = read_model_file(options.model);
  if (is_study(root)) return check_study(options);
  if (is_catalogue(root)) return check_figures(options);
  const Spec spec = load_spec(options.model, options.settings);
  Diagnostics diagnostics;
  const auto model = compile(spec, diagnostics);
  if (!options.json) print(diagnostics.all());
  // Assembling shows what no key alone can: a mechanism that does not close.
  const Simulation simulation(*model);
  const RunSummary summary = simulation.describe();
  if (options.json) {
    std::vector<std::string> warnings;
    for (const Diagnostic& diagnostic : diagnostics.all()) warnings.push_back(diagnostic.text());
    warnings.insert(warnings.end(), summary.warnings.begin(), summary.warnings.end());
    return say({{"file", options.model},
                {"kind", "model"},
                {"status", "ok"},
                {"bodies", summary.bodies},
                {"joints", spec.joints.size()},
                {"degrees_of_freedom", summary.degrees_of_freedom},
                {"warnings", warnings},
                {"notes", summary.notes}});
  }
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
  add_json(command, options->json);
  return [options] { return check(*options); };
}

const Registration<Command> registered{{.name = "check",
                                        .help = "say what is wrong with a model, without running it",
                                        .place = 20,
                                        .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::check_command
