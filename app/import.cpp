// tappet import: a robot described in URDF as a model file.

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "command.hpp"
#include "tappet/imports/merge.hpp"
#include "tappet/imports/urdf.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::app::import_command {
namespace {

struct Options {
  std::string robot, contacts, output;
  UrdfOptions import = {};
};

/// The model, under what the import had to leave out.
std::string text_of(const UrdfImport& import, const std::string& from) {
  std::string out = fmt::format("# From {}.\n", std::filesystem::path(from).filename().string());
  for (const std::string& note : import.notes) out += fmt::format("# - {}\n", note);
  return out + to_yaml(import.model);
}

void write(const std::string& text, const std::string& path) {
  const bool to_screen = path.empty() || path == "-";
  std::FILE* out = to_screen ? stdout : std::fopen(path.c_str(), "wb");
  const std::string name = to_screen ? "standard output" : path;
  if (!out) refuse(name, fmt::format("cannot be written: {}", std::strerror(errno)));
  const bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  const int closed = to_screen ? std::fflush(out) : std::fclose(out);
  if (!written || closed != 0) refuse(name, fmt::format("cannot be written: {}", std::strerror(errno)));
}

#ifdef TAPPET_URDF
UrdfImport read(const std::string& robot, const UrdfOptions& options) {
  return import_urdf(robot, options);
}
#else
UrdfImport read(const std::string& robot, const UrdfOptions&) {
  refuse(robot, "cannot be read: this Tappet was built where urdfdom was missing (package liburdfdom-dev)");
}
#endif

int run(const Options& options) {
  UrdfOptions given = options.import;
  if (!options.output.empty() && options.output != "-") {
    const std::string folder = std::filesystem::path(options.output).parent_path().string();
    given.model_folder = folder.empty() ? "." : folder;
  }
  UrdfImport import = read(options.robot, given);
  if (!options.contacts.empty()) merge(import.model, read_yaml_file(options.contacts));
  for (const std::string& note : import.notes) fmt::print(stderr, "{}: note: {}\n", options.robot, note);
  const std::string text = text_of(import, options.robot);
  // What is written can be read: faults of the contact file show here, and not only when the model runs.
  spec_from_text(text, options.contacts.empty() ? options.robot : options.contacts);
  std::error_code error;
  for (const std::string& input : {options.robot, options.contacts})
    if (std::filesystem::equivalent(options.output, input, error))
      refuse(options.output, "is what is read: choose another name for the model");
  write(text, options.output);
  return Exit::done;
}

std::function<int()> set_up(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("ROBOT", options->robot, "the robot's description, a URDF file")->required();
  command.add_option("--contacts", options->contacts,
                     "a YAML file with sections of the model to add: contacts, ground, motions, simulation");
  command.add_flag("--repair", options->import.repair,
                   "replace masses and inertias that no body can have, and say by what");
  command.add_flag(
      "--stops", options->import.stops,
      "make the limits of joints elastic stops, which their greatest effort presses by 1 deg or 1 mm");
  command.add_option("--packages", options->import.packages,
                     "folders in which the packages of `package://` stand, or the packages themselves");
  command.add_option("-o,--output", options->output, "the model file to write; default: standard output");
  return [options] { return run(*options); };
}

const Registration<Command> registered{
    {.name = "import", .help = "turn a robot's URDF into a model file", .place = 50, .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::import_command
