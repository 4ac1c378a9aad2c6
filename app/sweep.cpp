// tappet sweep: one model, many runs.

#include "tappet/studies/sweep.hpp"

#include <chrono>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "progress.hpp"
#include "tappet/studies/sweep_output.hpp"

namespace tappet::app::sweep_command {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string study, output;
  int threads = 0;
  bool restart = false, quiet = false, json = false;
};

/// The results' names: TABLE.csv, TABLE_METRIC.csv, TABLE_PLOT.svg, and TABLE.journal while the study goes
/// on.
struct Files {
  fs::path table;
  explicit Files(const Options& options)
      : table(options.output.empty() ? fs::path(options.study).stem().string() + ".csv" : options.output) {}
  std::string beside(const std::string& ending) const {
    return (table.parent_path() / table.stem()).string() + ending;
  }
  std::string journal() const { return beside(".journal"); }
};

/// Writes all files and returns their names, the table first.
std::vector<std::string> write_results(const Study& study, const std::vector<SweepRow>& rows,
                                       const Files& files) {
  std::vector<std::string> written = {files.table.string()};
  write_whole(written[0], sweep_table(study, rows));
  for (const Metric& metric : study.metrics) {
    if (metric.kind == Metric::Kind::value) continue;
    written.push_back(files.beside("_" + metric.name + ".csv"));
    write_whole(written.back(), list_table(study, rows, metric));
  }
  for (const StudyPlot& plot : study.plots) {
    written.push_back(files.beside("_" + plot.name + ".svg"));
    draw(study, rows, plot, written.back());
  }
  return written;
}

void report(const Options& options, const std::vector<SweepRow>& rows, const SweepProgress& progress,
            double seconds, const std::vector<std::string>& files) {
  const auto computed = progress.runs - progress.resumed;
  if (options.json) {
    nlohmann::ordered_json out{{"runs", progress.runs},       {"failed", progress.failed},
                               {"resumed", progress.resumed}, {"wall_seconds", seconds},
                               {"table", files[0]},           {"files", files}};
    fmt::print("{}\n", out.dump(2));
    return;
  }
  if (options.quiet) return;
  fmt::print("{} runs", progress.runs);
  if (progress.resumed > 0) fmt::print(", {} of them from the journal", progress.resumed);
  fmt::print(": {} done, {} failed; {:.3g} s", progress.runs - progress.failed, progress.failed, seconds);
  if (computed > 0 && seconds > 0)
    fmt::print(", {:.3g} runs a second", static_cast<double>(computed) / seconds);
  fmt::print("\n");
  for (const SweepRow& row : rows) {
    if (row.reason.empty()) continue;
    fmt::print("first failure, run {}: {}\n", row.run, row.reason);
    break;
  }
  for (const std::string& file : files) fmt::print("{}\n", file);
}

int sweep(const Options& options) {
  const Study study = load_study(options.study);
  // Deleted before the program ends: that is what ends MPI.
  const std::unique_ptr<Ranks> ranks(open_ranks());
  if (launched_rank() == 0)
    for (const std::string& text : study.warnings) fmt::print(stderr, "warning: {}\n", text);
  const Files files(options);
  const auto start = std::chrono::steady_clock::now();
  SweepProgress progress;
  std::vector<SweepRow> rows;
  {
    ProgressLine line(!options.quiet && launched_rank() == 0);
    rows =
        run_sweep(study, {.threads = options.threads,
                          .journal = files.journal(),
                          .restart = options.restart,
                          .ranks = ranks.get(),
                          .progress = [&](const SweepProgress& now) {
                            progress = now;
                            line.update(static_cast<double>(now.done), static_cast<double>(now.runs), [&] {
                              return fmt::format("{} of {} runs, {} failed", now.done, now.runs, now.failed);
                            });
                          }});
  }
  if (ranks && ranks->rank() != 0) return Exit::done;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto written = write_results(study, rows, files);
  // From here on nothing is lost without it.
  fs::remove(files.journal());
  report(options, rows, progress, seconds, written);
  return progress.failed == progress.runs ? Exit::stopped : Exit::done;
}

int run(const Options& options) {
  // What is wrong with the input is said once, not by every rank.
  if (launched_rank() == 0) return sweep(options);
  try {
    return sweep(options);
  } catch (const InputError&) {
    return Exit::bad_input;
  }
}

std::function<int()> set_up(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("STUDY", options->study, "the study file (YAML)")->required();
  command.add_option("-o,--output", options->output,
                     "the table to write (CSV); default: the study's name with .csv, in this directory");
  command.add_option("--threads,-j", options->threads, "runs at a time; default: one for each core")
      ->check(CLI::Range(1, 4096));
  command.add_flag("--restart", options->restart, "begin anew, even if a journal of a killed study is there");
  command.add_flag("--json", options->json, "print a summary as one JSON object, and nothing else");
  command.add_flag("--quiet,-q", options->quiet, "print nothing but errors");
  return [options] { return run(*options); };
}

const Registration<Command> registered{
    {.name = "sweep", .help = "run a study: one model, many parameters", .place = 40, .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::sweep_command
