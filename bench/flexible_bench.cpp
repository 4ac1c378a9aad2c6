// What an elastic rod costs: the slider-crank of examples/flexible_rod with play in its wrist, its rod rigid and with more and more modes,
// at equal tolerances.
//
// Processor time, the least of five runs of `tappet run`; models are made before. The time of one evaluation tells what the equations cost,
// that of the run also what the modes' frequencies do to the steps.
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

struct Cost {
  double seconds = 0;
  long steps = 0, evaluations = 0, impacts = 0;
};

Cost cost_of(const std::string& file, const std::vector<std::string>& settings) {
  tappet::Diagnostics diagnostics;
  const auto model = tappet::compile(
      tappet::load_spec(TAPPET_SOURCE_DIR "/examples/flexible_rod/" + file, settings), diagnostics);
  Cost out{.seconds = 1e300};
  for (int n = 0; n < 5; ++n) {
    tappet::Simulation simulation(model);
    tappet::Observer nobody;
    const std::clock_t begin = std::clock();
    const tappet::RunSummary summary = simulation.run(nobody);
    out.seconds = std::min(out.seconds, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    out.steps = summary.steps, out.evaluations = summary.evaluations, out.impacts = summary.impacts;
    if (!summary.completed) fmt::print("  {}\n", summary.stop_reason);
  }
  return out;
}

void print(const std::string& what, const Cost& c, const Cost& rigid) {
  const double each = c.seconds / static_cast<double>(c.evaluations),
               of_rigid = rigid.seconds / static_cast<double>(rigid.evaluations);
  fmt::print("| {} | {} | {} | {} | {:.1f} | {:.2f} | {:.2f} | {:.1f} |\n", what, c.steps, c.evaluations,
             c.impacts, 1e3 * c.seconds, 1e6 * each, each / of_rigid, c.seconds / rigid.seconds);
}

}  // namespace

int main() {
  fmt::print(
      "slider-crank with play, 24 ms\n\n| rod | steps | evaluations | impacts | ms | µs each | each over "
      "rigid | "
      "run over rigid |\n|---|---|---|---|---|---|---|---|\n");
  const std::vector<std::string> few = {"output.step=1 ms"};
  const Cost rigid = cost_of("rigid.yaml", few);
  print("rigid", rigid, rigid);
  for (const int modes : {0, 3, 9, 18}) {
    std::vector<std::string> settings = few;
    settings.push_back(fmt::format("bodies.rod.flexible.modes={}", modes));
    print(fmt::format("{} modes", 3 + modes), cost_of("clearance.yaml", settings), rigid);
  }
  // By steps of one length the modes' frequencies do not matter.
  const std::vector<std::string> steps = {"output.step=1 ms", "simulation.method=moreau",
                                          "simulation.step=2 us",
                                          "joints.wrist.clearance.normal.restitution=0"};
  const Cost stepped = cost_of("rigid.yaml", steps);
  print("rigid, moreau", stepped, stepped);
  print("6 modes, moreau", cost_of("clearance.yaml", steps), stepped);
  return 0;
}
