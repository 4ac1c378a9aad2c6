// tappet export: a result as comma-separated text, or its structures for ParaView.

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "command.hpp"
#include "tappet/results/csv.hpp"
#include "tappet/results/vtk.hpp"

namespace tappet::app::export_command {
namespace {

struct Options {
  std::string result, output, vtk;
  std::vector<std::string> signals;
  bool impacts = false, events = false, between = false;
};

bool write(const ResultFile& result, const Options& options, std::FILE* out) {
  if (options.impacts) return export_impacts(result, out);
  if (options.events) return export_events(result, out);
  return export_samples(result, options.signals, out, options.between);
}

int run(const Options& options) {
  const ResultFile result(options.result);
  if (!options.vtk.empty()) {
    fmt::print("{}\n", export_vtk(result, options.vtk));
    return Exit::done;
  }
  result.select(options.signals);  // a wrong name costs no file
  for (const std::string& text : result.warnings()) fmt::print(stderr, "warning: {}\n", text);
  if (options.output.empty() || options.output == "-") {
    if (!write(result, options, stdout))
      refuse("standard output", fmt::format("cannot be written: {}", std::strerror(errno)));
    return Exit::done;
  }
  if (std::error_code error; std::filesystem::equivalent(options.output, options.result, error)) {
    refuse(options.output, "is the result itself: choose another name for the export");
  }
  std::FILE* out = std::fopen(options.output.c_str(), "wb");
  if (!out) refuse(options.output, fmt::format("cannot be written: {}", std::strerror(errno)));
  const bool written = write(result, options, out);
  const int reason = errno;
  if (std::fclose(out) != 0 || !written) {
    refuse(options.output, fmt::format("cannot be written: {}", std::strerror(written ? errno : reason)));
  }
  return Exit::done;
}

std::function<int()> set_up(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("RESULT", options->result, "the result file")->required();
  auto* signals =
      command.add_option("SIGNAL", options->signals, "signals, such as crank.x or 'crank.*'; default: all");
  command.add_option("-o,--output", options->output, "the file to write; default: standard output");
  auto* impacts = command.add_flag("--impacts", options->impacts, "the impact table instead of signals");
  auto* events = command.add_flag("--events", options->events, "the events instead of signals");
  auto* between =
      command.add_flag("--between", options->between,
                       "also rows between samples: peaks of contacts, and impacts of a few output steps");
  impacts->excludes(signals)->excludes(events)->excludes(between);
  events->excludes(signals)->excludes(between);
  command
      .add_option("--vtk", options->vtk,
                  "displacement, velocity, stress and contact forces of structures for ParaView: PREFIX.pvd "
                  "and the files that it lists")
      ->type_name("PREFIX")
      ->excludes(signals)
      ->excludes(impacts)
      ->excludes(events);
  return [options] { return run(*options); };
}

const Registration<Command> registered{{.name = "export",
                                        .help = "write a result as comma-separated text, or as VTK files",
                                        .place = 30,
                                        .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::export_command
