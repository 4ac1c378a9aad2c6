// tappet fmu: a model for other simulators.

#include "tappet/exports/fmu.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "tappet/results/output_file.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::app::fmu_command {
namespace {

struct Options {
  std::string model, output;
  std::vector<std::string> settings;
  FmuOptions fmu;
  bool json = false, quiet = false;
};

int run(Options options) {
  if (options.output.empty())
    options.output =
        (options.model == "-" ? "model" : std::filesystem::path(options.model).stem().string()) + ".fmu";
  if (const std::string obstacle = fmu_obstacle(); !obstacle.empty()) refuse("tappet fmu", obstacle);
  check_output(options.output, OutputKind::fmu, {options.model});  // said before the work, not after
  const FmuExport made = make_fmu(load_spec(options.model, options.settings), options.fmu);
  for (const std::string& text : made.warnings) fmt::print(stderr, "{}\n", text);
  write_output(options.output, OutputKind::fmu, made.bytes, {options.model});
  if (options.json) {
    fmt::print("{}\n", nlohmann::ordered_json{{"fmu", options.output},
                                              {"fmi", options.fmu.version},
                                              {"model_identifier", made.identifier},
                                              {"inputs", made.inputs},
                                              {"outputs", made.outputs},
                                              {"parameters", made.parameters},
                                              {"files", made.files},
                                              {"bytes", made.bytes.size()}}
                           .dump(2));
    return Exit::done;
  }
  if (options.quiet) return Exit::done;
  fmt::print("{}: FMI {}.0 co-simulation, {:.1f} MB\n", options.output, options.fmu.version,
             static_cast<double>(made.bytes.size()) / 1e6);
  fmt::print("  {:<12}{}{}\n", "inputs", made.inputs.size(),
             made.inputs.empty() ? "" : ": " + join_names(made.inputs, 8));
  fmt::print("  {:<12}{}{}: {}\n", "outputs", made.outputs.size(),
             options.fmu.outputs.empty() ? ", what `tappet run` records (--outputs chooses)" : "",
             join_names(made.outputs, 8));
  fmt::print("  {:<12}{}{}{}\n", "parameters", made.parameters.size(),
             options.fmu.parameters.empty() ? ", the numbers of the model (--parameters chooses)" : "",
             made.parameters.empty() ? "" : ": " + join_names(made.parameters, 4));
  if (!made.files.empty())
    fmt::print("  {:<12}{}: {}\n", "files", made.files.size(), join_names(made.files, 8));
  return Exit::done;
}

std::function<int()> set_up(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("MODEL", options->model, "the model file (YAML), or one that `tappet import` reads")
      ->required();
  command.add_option("-o,--output", options->output,
                     "the file to write; default: the model's name with .fmu, in this directory");
  command
      .add_option("--fmi", options->fmu.version,
                  "version of FMI: 2 or 3; with 3, steps can end where an impact begins")
      ->check(CLI::IsMember({2, 3}))
      ->capture_default_str();
  command
      .add_option(
          "--outputs", options->fmu.outputs,
          "signals that become outputs, such as slider.x,crank.* ; default: what `tappet run` records")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("SIGNAL,...");
  command
      .add_option(
          "--parameters", options->fmu.parameters,
          "numbers of the model that become parameters, such as joints.wrist.clearance.*; default: all")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("PATH,...");
  add_settings(command, options->settings);
  add_json(command, options->json);
  command.add_flag("--quiet,-q", options->quiet, "print nothing but errors");
  return [options] { return run(*options); };
}

const Registration<Command> registered{
    {.name = "fmu",
     .help = "write a model as an FMU, for co-simulation in other programs",
     .place = 63,
     .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::fmu_command
