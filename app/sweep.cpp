// tappet sweep: one model, many runs.

#include "tappet/studies/sweep.hpp"

#include <chrono>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "interruption.hpp"
#include "progress.hpp"
#include "tappet/results/output_file.hpp"
#include "tappet/studies/sweep_output.hpp"

namespace tappet::app::sweep_command {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string study, output;
  int threads = 0;
  bool restart = false, any_build = false, quiet = false, json = false;
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

/// What becomes a file, the table first.
struct Output {
  std::string path;
  OutputKind kind;
  const Metric* metric = nullptr;
  const StudyPlot* plot = nullptr;
};

std::vector<Output> outputs_of(const Study& study, const Files& files) {
  std::vector<Output> out = {{.path = files.table.string(), .kind = OutputKind::table}};
  for (const Metric& metric : study.metrics)
    if (metric.kind != Metric::Kind::value)
      out.push_back(
          {.path = files.beside("_" + metric.name + ".csv"), .kind = OutputKind::table, .metric = &metric});
  for (const StudyPlot& plot : study.plots)
    out.push_back(
        {.path = files.beside("_" + plot.name + ".svg"), .kind = OutputKind::picture, .plot = &plot});
  return out;
}

/// Writes all files and returns their names.
std::vector<std::string> write_results(const Study& study, const std::vector<SweepRow>& rows,
                                       const std::vector<Output>& outputs,
                                       const std::vector<std::string>& inputs) {
  std::vector<std::string> written;
  for (const Output& out : outputs) {
    written.push_back(out.path);
    if (out.plot)
      draw(study, rows, *out.plot, out.path);
    else
      write_output(out.path, out.kind,
                   out.metric ? list_table(study, rows, *out.metric) : sweep_table(study, rows), inputs);
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
  const std::vector<std::string> inputs = {options.study, study.model_file};
  const std::vector<Output> outputs = outputs_of(study, files);
  // Said before the work, not after.
  for (const Output& out : outputs) check_output(out.path, out.kind, inputs);
  const auto start = std::chrono::steady_clock::now();
  SweepProgress progress;
  std::vector<SweepRow> rows;
  Watch watch;
  // mpirun has its own way to end its ranks; the journal holds what they did.
  if (!ranks) listen_for_signals(&watch);
  try {
    ProgressLine line(!options.quiet && launched_rank() == 0);
    rows =
        run_sweep(study, {.threads = options.threads,
                          .journal = files.journal(),
                          .restart = options.restart,
                          .any_build = options.any_build,
                          .ranks = ranks.get(),
                          .watch = &watch,
                          .progress = [&](const SweepProgress& now) {
                            progress = now;
                            line.update(static_cast<double>(now.done), static_cast<double>(now.runs), [&] {
                              return fmt::format("{} of {} runs, {} failed", now.done, now.runs, now.failed);
                            });
                          }});
  } catch (const StudyStopped&) {
    fmt::print(stderr, "{}: {}: {} of {} runs are kept in {}; the same command goes on from there\n",
               options.study, interruption(), progress.done, study.runs(), files.journal());
    return Exit::stopped;
  }
  if (ranks && ranks->rank() != 0) return Exit::done;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto written = write_results(study, rows, outputs, inputs);
  // From here on nothing is lost without it.
  fs::remove(files.journal());
  report(options, rows, progress, seconds, written);
  if (progress.failed == progress.runs && options.quiet && !rows.empty())
    fmt::print(stderr, "{}: all runs failed; the first: {}\n", options.study, rows[0].reason);
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
  command.add_flag("--any-build", options->any_build,
                   "go on with a journal of another build of the program, whose runs may differ");
  command.add_flag("--json", options->json, "print a summary as one JSON object, and nothing else");
  command.add_flag("--quiet,-q", options->quiet, "print nothing but errors");
  return [options] { return run(*options); };
}

const Registration<Command> registered{
    {.name = "sweep", .help = "run a study: one model, many parameters", .place = 40, .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::sweep_command
