// tappet export: a result as comma-separated text, or its structures for ParaView.

#include <cerrno>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "tappet/results/csv.hpp"
#include "tappet/results/joint_loads.hpp"
#include "tappet/results/layout.hpp"
#include "tappet/results/matrices.hpp"
#include "tappet/results/output_file.hpp"
#include "tappet/results/vtk.hpp"

namespace tappet::app::export_command {
namespace {

struct Options {
  std::string result, output, vtk, loads, body;
  std::vector<std::string> signals;
  bool impacts = false, events = false, between = false, load_table = false, json = false;
};

/// The same tables: columns with their units, and rows; what is not a number is null.
bool export_json(const ResultFile& result, const Options& options, std::FILE* out) {
  using Json = nlohmann::ordered_json;
  const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
  const auto name = [](const std::vector<std::string>& names, int i) {
    return i >= 0 && static_cast<std::size_t>(i) < names.size() ? names[static_cast<std::size_t>(i)]
                                                                : std::to_string(i);
  };
  Json columns = Json::array(), rows = Json::array();
  if (options.impacts) {
    for (const auto& [column, unit] : layout::impact_units())
      columns.push_back({{"name", column}, {"unit", unit}});
    for (const Impact& impact : result.impacts()) {
      const auto packed = layout::pack(impact);
      Json row = Json::array({name(result.header().contacts, impact.contact)});
      for (std::size_t i = 1; i < layout::impact_width; ++i) row.push_back(number(packed[i]));
      rows.push_back(std::move(row));
    }
  } else if (options.events) {
    columns = {{{"name", "event"}, {"unit", ""}}, {{"name", "time"}, {"unit", "s"}}};
    for (const EventRecord& event : result.events())
      rows.push_back({name(result.header().events, event.event), number(event.time)});
  } else {
    std::vector<std::string> patterns = {"time"};
    patterns.insert(patterns.end(), options.signals.begin(), options.signals.end());
    if (options.signals.empty()) patterns.push_back("*");
    const auto chosen = result.select(patterns);
    for (const std::size_t c : chosen)
      columns.push_back({{"name", result.columns()[c].name}, {"unit", result.columns()[c].unit}});
    const auto values =
        options.between ? result.read_all(0, result.rows(), chosen) : result.read(0, result.rows(), chosen);
    for (std::size_t i = 0; i < values.size(); i += chosen.size()) {
      Json row = Json::array();
      for (std::size_t k = 0; k < chosen.size(); ++k) row.push_back(number(values[i + k]));
      rows.push_back(std::move(row));
    }
  }
  const std::string text = Json{{"columns", columns}, {"rows", rows}}.dump() + "\n";
  return std::fwrite(text.data(), 1, text.size(), out) == text.size() && std::fflush(out) == 0;
}

bool write_text(const std::string& text, std::FILE* out) {
  return std::fwrite(text.data(), 1, text.size(), out) == text.size() && std::fflush(out) == 0;
}

bool write(const ResultFile& result, const Options& options, std::FILE* out) {
  if (!options.loads.empty())
    return write_text(loads_text(joint_loads(result, options.loads, options.body)), out);
  if (options.load_table) return write_text(loads_table(all_joint_loads(result)), out);
  if (options.json) return export_json(result, options, out);
  if (options.impacts) return export_impacts(result, out);
  if (options.events) return export_events(result, out);
  return export_samples(result, options.signals, out, options.between);
}

/// All of it in one file: signals, impacts and events.
int write_matrices(const ResultFile& result, const Options& options) {
  if (options.impacts || options.events || options.json)
    refuse(options.output,
           "holds signals, impacts and events together: leave --impacts, --events and --json out");
  check_output(options.output, OutputKind::matrices, {options.result});
  const bool mat = options.output.ends_with(".mat");
  write_output(options.output, OutputKind::matrices,
               (mat ? mat_of : npz_of)(result, options.signals, options.between), {options.result});
  return Exit::done;
}

int run(const Options& options) {
  if (options.json && (options.load_table || !options.loads.empty()))
    refuse("--json", "has samples, impacts and events; loads are comma-separated text");
  const ResultFile result(options.result);
  if (!options.vtk.empty()) {
    std::vector<std::string> notes;
    fmt::print("{}\n", export_vtk(result, options.vtk, &notes));
    for (const std::string& note : notes) fmt::print(stderr, "note: {}\n", note);
    return Exit::done;
  }
  result.select(options.signals);  // a wrong name costs no file
  for (const std::string& text : result.warnings()) fmt::print(stderr, "warning: {}\n", text);
  if (options.output.empty() || options.output == "-") {
    if (!write(result, options, stdout))
      refuse("standard output", fmt::format("cannot be written: {}", std::strerror(errno)));
    return Exit::done;
  }
  if (options.output.ends_with(".mat") || options.output.ends_with(".npz"))
    return write_matrices(result, options);
  OutputFile out(options.output, OutputKind::table, {options.result});
  if (!write(result, options, out.stream()))
    refuse(options.output, fmt::format("cannot be written: {}", std::strerror(errno)));
  out.commit();
  return Exit::done;
}

std::function<int()> set_up(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("RESULT", options->result, "the result file")->required();
  auto* signals =
      command.add_option("SIGNAL", options->signals, "signals, such as crank.x or 'crank.*'; default: all");
  command.add_option("-o,--output", options->output,
                     "the file to write; default: standard output. NAME.mat is written for MATLAB, Octave "
                     "and SciPy, NAME.npz for "
                     "NumPy, with impacts and events");
  auto* impacts = command.add_flag("--impacts", options->impacts, "the impact table instead of signals");
  auto* events = command.add_flag("--events", options->events, "the events instead of signals");
  auto* between =
      command.add_flag("--between", options->between,
                       "also rows between samples: peaks of contacts, and impacts of a few output steps");
  impacts->excludes(signals)->excludes(events)->excludes(between);
  events->excludes(signals)->excludes(between);
  command
      .add_option("--vtk", options->vtk,
                  "for ParaView: bodies and contact forces of mechanisms, displacement, velocity, stress and "
                  "contact forces of structures: PREFIX.pvd and the files that it lists")
      ->type_name("PREFIX")
      ->excludes(signals)
      ->excludes(impacts)
      ->excludes(events);
  auto* loads =
      command
          .add_option("--loads", options->loads,
                      "what this joint does to a body, force and moment in the body's axes at the joint's "
                      "point, for finite elements")
          ->type_name("JOINT")
          ->excludes(signals)
          ->excludes(impacts)
          ->excludes(events);
  command.add_option("--body", options->body, "which of the joint's two bodies; default: the second")
      ->type_name("BODY")
      ->needs(loads);
  command
      .add_flag("--load-table", options->load_table,
                "the largest forces and moments of every joint on each of its bodies, and when")
      ->excludes(signals)
      ->excludes(loads)
      ->excludes(impacts)
      ->excludes(events);
  add_json(command, options->json,
           "columns, units and rows as one JSON object instead of comma-separated text");
  return [options] { return run(*options); };
}

const Registration<Command> registered{{.name = "export",
                                        .help = "write a result as comma-separated text, or as VTK files",
                                        .place = 30,
                                        .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::export_command
