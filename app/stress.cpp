// tappet stress: stress of flexible bodies at an instant, or at an impact, from a result.

#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "tappet/results/recovered_stress.hpp"
#include "tappet/results/vtk.hpp"

namespace tappet::app::stress_command {
namespace {

struct Options {
  std::string result, body, vtk;
  double at = std::nan("");
  std::size_t impact = 0;
  bool json = false;
};

int run(const Options& options) {
  const ResultFile result(options.result);
  const StressRecovery recovery(result, options.body);
  const auto all = options.impact > 0 ? recovery.at_impact(options.impact) : recovery.at(options.at);
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const RecoveredStress& one : all) {
    const std::string file = options.vtk.empty() ? "" : fmt::format("{}_{}.vtu", options.vtk, one.body);
    if (!file.empty()) write_vtu(file, one.mesh, one.fields);
    if (options.json) {
      json.push_back({{"body", one.body},
                      {"time", one.time},
                      {"von_mises", one.von_mises},
                      {"element", one.element + 1},
                      {"place", {one.place.x(), one.place.y(), one.place.z()}},
                      {"principal_high", one.high},
                      {"principal_low", one.low}});
      if (!file.empty()) json.back()["vtk"] = file;
      continue;
    }
    fmt::print(
        "{} at {:.9g} s: von Mises stress up to {:.6g} Pa in element {}, at [{:.6g}, {:.6g}, {:.6g}] m of "
        "the body; "
        "principal stresses from {:.6g} to {:.6g} Pa\n",
        one.body, one.time, one.von_mises, one.element + 1, one.place.x(), one.place.y(), one.place.z(),
        one.low, one.high);
    if (!file.empty()) fmt::print("{}\n", file);
  }
  if (options.json) fmt::print("{}\n", nlohmann::ordered_json{{"stress", json}}.dump(2));
  return Exit::done;
}

std::function<int()> set_up(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("RESULT", options->result, "the result file")->required();
  command.add_option("--body", options->body, "one flexible body; default: all")->type_name("BODY");
  auto* at = add_quantity(command, "--at", options->at, "s",
                          "the recorded row nearest to this time; default: the end");
  command
      .add_option("--impact", options->impact,
                  "this row of the impact table, the first is 1: where the stress is largest during it")
      ->check(CLI::PositiveNumber)
      ->type_name("ROW")
      ->excludes(at);
  command.add_option("--vtk", options->vtk, "also PREFIX_BODY.vtu for ParaView")->type_name("PREFIX");
  add_json(command, options->json);
  return [options] { return run(*options); };
}

const Registration<Command> registered{{.name = "stress",
                                        .help = "stress of flexible bodies at an instant or an impact",
                                        .place = 31,
                                        .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::stress_command
