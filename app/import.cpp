// tappet import: a robot described in URDF, MJCF or SDF, or a data set of Adams, as a model file.

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "tappet/imports/importer.hpp"
#include "tappet/imports/merge.hpp"
#include "tappet/imports/on_floor.hpp"
#include "tappet/results/output_file.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::app::import_command {
namespace {

struct Options {
  std::string robot, contacts, output;
  bool on_floor = false, self_collision = false, json = false;
  RobotOptions import = {};
};

/// The model, under what the import had to leave out.
std::string text_of(const ImportedModel& import, const std::string& from) {
  std::string out;
  for (const std::string& warning : import.warnings) out += fmt::format("# - warning: {}\n", warning);
  for (const std::string& note : import.notes) out += fmt::format("# - {}\n", note);
  return marked_model(std::filesystem::path(from).filename().string(), out + to_yaml(import.model));
}

void to_screen(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    refuse("standard output", fmt::format("cannot be written: {}", std::strerror(errno)));
}

int run(const Options& options) {
  RobotOptions given = options.import;
  const bool to_file = !options.output.empty() && options.output != "-";
  std::vector<std::string> inputs = {options.robot};
  if (!options.contacts.empty()) inputs.push_back(options.contacts);
  if (to_file) {
    check_output(options.output, OutputKind::model, inputs);
    const std::string folder = std::filesystem::path(options.output).parent_path().string();
    given.model_folder = folder.empty() ? "." : folder;
  }
  ImportedModel import = import_model(options.robot, given);
  // Files that the model names are looked for from where it will stand.
  if (options.on_floor)
    stand_on_floor(import, to_file ? options.output : options.robot, options.self_collision);
  if (!options.contacts.empty()) merge(import.model, read_yaml_file(options.contacts));
  if (!options.json) {
    for (const std::string& warning : import.warnings)
      fmt::print(stderr, "{}: warning: {}\n", options.robot, warning);
    for (const std::string& note : import.notes) fmt::print(stderr, "{}: note: {}\n", options.robot, note);
  }
  if (const Value* bodies = import.model.find("bodies"); !bodies || bodies->map.empty())
    refuse(options.robot,
           fmt::format("there is nothing in it that can move, so that it makes no model{}",
                       options.import.repair || !options.robot.ends_with(".urdf")
                           ? ""
                           : "; where no link has mass, --repair gives them that of their shapes"));
  const std::string text = text_of(import, options.robot);
  // What is written can be read: faults of the contact file show here, and not only when the model runs.
  spec_from_text(text, options.contacts.empty() ? options.robot : options.contacts);
  if (to_file)
    write_output(options.output, OutputKind::model, text, inputs);
  else if (!options.json)
    to_screen(text);
  if (options.json) {
    nlohmann::ordered_json out{
        {"from", options.robot}, {"warnings", import.warnings}, {"notes", import.notes}};
    to_file ? out["model_file"] = options.output : out["model"] = text;
    fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  }
  return Exit::done;
}

std::function<int()> set_up(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command
      .add_option("ROBOT", options->robot,
                  "what another program describes: a robot in URDF, MJCF or SDF, or a data set of Adams "
                  "Solver (.adm)")
      ->required();
  command.add_option("--contacts", options->contacts,
                     "a YAML file with sections of the model to add: contacts, ground, motions, simulation");
  command.add_flag("--on-floor", options->on_floor,
                   "put a floor under the robot, and contacts between the two by which it can be dropped");
  command.add_flag(
      "--self-collision", options->self_collision,
      "with --on-floor: contacts between its bodies too, but those that a joint connects or that overlap");
  command.add_flag("--partial", options->import.partial,
                   "of an Adams data set: leave out what a model has no words for, and say so");
  command.add_flag("--repair", options->import.repair,
                   "give a mass to what moves and has none, and count changes of inertias as asked for");
  command.add_flag(
      "--stops", options->import.stops,
      "make the limits of joints elastic stops, which their greatest effort presses by 1 deg or 1 mm");
  command.add_flag("--limits", options->import.limits,
                   "take over the limits of joints: a contact law beyond each end, which their greatest "
                   "effort presses by 1 deg or 1 mm");
  command.add_flag("--joint-friction", options->import.friction,
                   "take over the friction of joints, as Coulomb's");
  command.add_option("--packages", options->import.packages,
                     "folders in which the packages of `package://` stand, or the packages themselves");
  command.add_option("-o,--output", options->output, "the model file to write; default: standard output");
  add_json(command, options->json, "notes, and the model or its file, as one JSON object");
  return [options] { return run(*options); };
}

const Registration<Command> registered{{.name = "import",
                                        .help = "turn URDF, MJCF, SDF or an Adams data set into a model file",
                                        .place = 50,
                                        .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::import_command
