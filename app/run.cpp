// tappet run: from a model to a result file.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "command.hpp"
#include "interruption.hpp"
#include "progress.hpp"
#include "tappet/base/input_file.hpp"
#include "tappet/base/version.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/results/output_file.hpp"
#include "tappet/results/report.hpp"
#include "tappet/results/result_file.hpp"
#include "tappet/results/result_writer.hpp"
#include "tappet/results/summary.hpp"
#include "tappet/results/vtk.hpp"
#include "tappet/run/simulation.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::app::run_command {
namespace {

/// Rows go to the file, progress to the terminal; the user's Ctrl-C comes back.
class Recorder final : public Observer {
 public:
  Recorder(ResultWriter& writer, bool progress) : writer_(writer), line_(progress) {}

  void sample(std::span<const double> row) override { writer_.sample(row); }
  void between(std::span<const double> row) override { writer_.between(row); }
  bool wants_between() const override { return true; }
  void fields(int structure, const fem::Fields& fields) override { writer_.fields(structure, fields); }
  bool wants_fields() const override { return true; }
  void impact(const Impact& impact) override { writer_.impact(impact); }
  void event(const EventRecord& event) override { writer_.event(event); }
  bool checkpoint_due() override { return writer_.checkpoint_due(); }
  void checkpoint(const State& state) override {
    // The last one before an orderly end is kept however fresh the one before is.
    stop_signal() != 0 ? writer_.checkpoint_now(state) : writer_.checkpoint(state);
  }
  void end(const State& state) override { writer_.end(state); }
  void progress(double t, double t_end) override {
    line_.update(t, t_end, [&] { return fmt::format("t = {:.6g} s of {:.6g} s", t, t_end); });
  }
  bool stop_requested() override { return stop_signal() != 0; }

 private:
  ResultWriter& writer_;
  ProgressLine line_;
};

struct Options {
  std::string model, result, vtk, stands_for;
  std::vector<std::string> settings, folders;
  bool json = false, quiet = false, resume = false, report = false, any_build = false;
  double checkpoint_seconds = WriterOptions{}.checkpoint_seconds;
};

void report(const RunSummary& summary, const Options& options) {
  if (options.json) {
    fmt::print("{}\n", summary_json(summary, options.result));
  } else if (!options.quiet) {
    fmt::print("{}", summary_text(summary, options.result));
  }
}

/// What `old` was computed from otherwise than this model is now; "" if nothing.
std::string other_model(const ResultHeader& old, const ResultHeader& now) {
  if (old.model_text != now.model_text) return "is the result of another model (or of other settings)";
  const std::string changed = changed_file(old.files, now.files);
  return changed.empty() ? "" : fmt::format("was begun with other files: {}", changed);
}

/// What speaks against continuing `old` with this model; "" if nothing does.
std::string obstacle(const ResultHeader& old, const ResultHeader& now, bool any_build) {
  if (const std::string other = other_model(old, now); !other.empty()) return other;
  if (old.program_version != now.program_version) {
    return fmt::format("was begun by version {}, this is version {}", old.program_version,
                       now.program_version);
  }
  if (old.build != now.build && !any_build)
    return "was begun by another build of the program, which may compute otherwise (--any-build goes on all "
           "the same)";
  const auto same = [](const Signal& a, const Signal& b) { return a.name == b.name && a.unit == b.unit; };
  const bool equal =
      std::equal(old.signals.begin(), old.signals.end(), now.signals.begin(), now.signals.end(), same) &&
      old.contacts == now.contacts && old.events == now.events && old.structures == now.structures;
  return equal ? "" : "has other columns than this model gives";
}

ResultWriter open_result(const Options& options, const ResultHeader& header, Simulation& simulation) {
  const WriterOptions how{.checkpoint_seconds = options.checkpoint_seconds};
  if (!options.resume) return ResultWriter::create(options.result, header, how);
  if (!std::filesystem::exists(options.result)) {
    fmt::print(stderr, "{}: there is nothing to resume: starting from the beginning\n", options.result);
    return ResultWriter::create(options.result, header, how);
  }
  const ResultFile old(options.result);
  if (const auto why = obstacle(old.header(), header, options.any_build); !why.empty()) {
    refuse(options.result, why + ": it cannot be resumed; run without --resume to start anew");
  }
  ResultWriter writer = ResultWriter::resume(options.result, how);
  if (writer.resumed_state().empty()) {
    fmt::print(stderr, "{}: holds no checkpoint: starting from the beginning\n", options.result);
  } else {
    simulation.restore(writer.resumed_state());
  }
  return writer;
}

/// True, and reported, if the result that is to be resumed is already complete.
bool already_complete(const Options& options, const ResultHeader& header) {
  if (!options.resume || !std::filesystem::exists(options.result)) return false;
  const ResultFile old(options.result);
  // A summary is missing where the last write of all failed.
  if (old.status() != "completed" || old.summary().empty() || !other_model(old.header(), header).empty())
    return false;
  fmt::print(stderr, "{}: is already complete: nothing to resume\n", options.result);
  report(summary_from_json(old.summary()), options);
  return true;
}

RunSummary run_recorded(Simulation& simulation, ResultWriter& writer, bool progress) {
  RunSummary summary;
  try {
    Recorder recorder(writer, progress);
    summary = simulation.run(recorder);
  } catch (const SimulationError& error) {
    // The result cannot be written any more.
    summary = simulation.describe();
    summary.completed = false;
    summary.stop_reason = error.what();
    summary.t_end = error.time();
    summary.samples = static_cast<long>(writer.samples());
    summary.impacts = static_cast<long>(writer.impacts());
    summary.events = static_cast<long>(writer.events());
  }
  if (!summary.completed && stop_signal() != 0) {
    summary.stop_reason = interruption();
  }
  return summary;
}

std::string report_name(const Options& options) {
  return std::filesystem::path(options.result).replace_extension(".html").string();
}

/// The page beside the result and files for ParaView, and their names on the terminal.
void add_views(const Options& options) {
  if (!options.vtk.empty()) {
    const std::string index = export_vtk(ResultFile(options.result), options.vtk);
    if (!options.json && !options.quiet) fmt::print("  {:<22}{}\n", "vtk", index);
  }
  if (!options.report) return;
  const std::string page = report_name(options);
  write_report(options.result, {}, page);
  if (!options.json && !options.quiet) fmt::print("  {:<22}{}\n", "report", page);
}

/// The text of one file as if it stood in another's place: files are looked for from there.
Spec spec_of_copy(const Options& options) {
  std::string why;
  const auto text = read_named_file(options.model, why);
  if (!text) refuse(options.model, why);
  return spec_from_text(*text, options.stands_for, options.settings);
}

int run(Options options) {
  if (options.result.empty())
    options.result =
        (options.model == "-" ? "model" : std::filesystem::path(options.model).stem().string()) + ".h5";
  if (options.report) {  // said before the work, not after
    require_viewer();
    check_output(report_name(options), OutputKind::page, {options.model});
  }
  if (!options.vtk.empty()) check_output(options.vtk + ".pvd", OutputKind::vtk, {options.model});
  // Before the model is read: that of another program may include files.
  if (!options.folders.empty()) read_only_from(options.folders);
  const Spec spec =
      options.stands_for.empty() ? load_spec(options.model, options.settings) : spec_of_copy(options);
  Diagnostics diagnostics;
  const auto model = compile(spec, diagnostics);
  if (!options.quiet) print(diagnostics.all());
  Simulation simulation(*model);
  const bool only_structures =
      !spec.bodies.empty() &&
      std::all_of(spec.bodies.begin(), spec.bodies.end(), [](const Object& o) { return o.has("structure"); });
  if (!options.vtk.empty() && only_structures && simulation.field_meshes().empty())
    refuse("--vtk", "needs records of whole structures: `output.fields` is 0");

  const ResultHeader header{.signals = simulation.signals(),
                            .contacts = simulation.contact_names(),
                            .events = simulation.event_names(),
                            .title = spec.title,
                            .model_file = spec.file,
                            .model_text = spec.model_text,
                            .created = "",
                            .program_version = version(),
                            .structures = simulation.field_meshes(),
                            .field_samples = static_cast<std::size_t>(simulation.field_samples()),
                            .build = build_identity(),
                            .files = model->files};
  if (already_complete(options, header)) return add_views(options), Exit::done;
  if (const std::string why = simulation.no_way_back(); options.resume && !why.empty())
    refuse(options.model, why + ": run without --resume");
  simulation.load_controllers();
  ResultWriter writer = open_result(options, header, simulation);

  listen_for_signals();
  RunSummary summary = run_recorded(simulation, writer, !options.quiet);
  std::vector<std::string> warnings;
  for (const auto& diagnostic : diagnostics.all()) warnings.push_back(diagnostic.text());
  summary.warnings.insert(summary.warnings.begin(), warnings.begin(), warnings.end());
  try {
    writer.finish(summary);
  } catch (const SimulationError& error) {
    if (summary.completed || summary.stop_reason.empty()) summary.stop_reason = error.what();
    summary.completed = false;
  }
  report(summary, options);
  add_views(options);
  if (summary.completed) return Exit::done;
  fmt::print(stderr, "{}: {}; what was computed is in {}\n", options.model, stop_sentence(summary),
             options.result);
  return Exit::stopped;
}

std::function<int()> set_up(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("MODEL", options->model, "the model file (YAML); - is standard input")->required();
  command.add_option("-o,--output", options->result,
                     "the result file; default: the model's name with .h5, in this directory");
  add_settings(command, options->settings);
  command.add_flag("--json", options->json, "print the summary as one JSON object, and nothing else");
  command.add_flag("--quiet,-q", options->quiet, "print nothing but errors");
  command.add_flag("--report", options->report,
                   "write a page with animation and plots as well: the result's name with .html");
  command
      .add_option(
          "--vtk", options->vtk,
          "write bodies, contact forces and the fields of structures for ParaView as well: PREFIX.pvd and "
          "the files that it lists")
      ->type_name("PREFIX");
  command.add_flag("--resume", options->resume, "continue the result of a run that was killed or stopped");
  command
      .add_option("--files-from", options->folders,
                  "read meshes and tables that the model names from this folder only; may be repeated")
      ->allow_extra_args(false)
      ->type_name("FOLDER");
  // Of `tappet view`, whose model may have changed since, or be gone.
  command.add_option("--stands-for", options->stands_for, "the file of which MODEL is a copy")->group("");
  command.add_flag("--any-build", options->any_build,
                   "resume also what another build of the program began: from there on it may differ");
  add_quantity(command, "--checkpoint-interval", options->checkpoint_seconds, "s",
               "wall time between checkpoints, from which --resume continues; 0: after every step",
               not_negative());
  return [options] { return run(*options); };
}

const Registration<Command> registered{
    {.name = "run", .help = "simulate a model", .place = 10, .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::run_command
