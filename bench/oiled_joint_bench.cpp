// What oil costs: the slider-crank of examples/oiled_joint for ten revolutions with its wrist dry, oiled and mixed (oil so thin that
// surfaces touch through it), at equal tolerances.
//
// Each run is that of `tappet run`, by the integrator that serves it best: dry contact by explicit Runge-Kutta pairs, films by bdf, since they are
// stiff where they are thin. Processor time, the least of three runs; the model, and with it the film's table, is made before.
#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/run/simulation.hpp"
#include "tappet/spec/spec.hpp"

namespace {

struct Way {
  const char* name;
  const char* file;
  std::vector<std::string> settings;
};

struct Cost {
  double seconds = 0;
  long steps = 0, evaluations = 0;
};

Cost cost_of(const std::string& file, const std::vector<std::string>& settings) {
  tappet::Diagnostics diagnostics;
  const auto model = tappet::compile(tappet::load_spec(file, settings), diagnostics);
  Cost out{.seconds = 1e300};
  for (int n = 0; n < 3; ++n) {
    tappet::Simulation simulation(model);
    tappet::Observer nobody;
    const std::clock_t begin = std::clock();
    const tappet::RunSummary summary = simulation.run(nobody);
    out.seconds = std::min(out.seconds, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    out.steps = summary.steps, out.evaluations = summary.evaluations;
    if (!summary.completed) fmt::print("  {}\n", summary.stop_reason);
  }
  return out;
}

}  // namespace

int main() {
  const std::string folder = TAPPET_SOURCE_DIR "/examples/oiled_joint/";
  const std::string film = "joints.wrist.clearance.lubricant.", bdf = "simulation.integrator=bdf";
  const Way ways[] = {{"dry", "dry.yaml", {}},
                      {"oiled, ocvirk", "oiled.yaml", {bdf, film + "model=ocvirk"}},
                      {"oiled, finite", "oiled.yaml", {bdf, film + "model=finite"}},
                      {"mixed, 40 mPa s", "oiled.yaml", {bdf, film + "viscosity=40 mPa s"}}};
  fmt::print(
      "slider-crank, ten revolutions at 5000 rpm\n\n| tolerance | wrist | steps | evaluations | s | over dry "
      "|\n|---|---|---|---|---|---|\n");
  for (const char* tolerance : {"1e-5", "1e-6", "1e-7", "1e-8"}) {
    double dry = 0;
    for (const Way& way : ways) {
      std::vector<std::string> settings{"simulation.duration=0.12",
                                        std::string("simulation.tolerance=") + tolerance};
      settings.insert(settings.end(), way.settings.begin(), way.settings.end());
      const Cost cost = cost_of(folder + way.file, settings);
      if (dry == 0) dry = cost.seconds;
      fmt::print("| {} | {} | {} | {} | {:.3f} | {:.2f} |\n", tolerance, way.name, cost.steps,
                 cost.evaluations, cost.seconds, cost.seconds / dry);
    }
  }
}
