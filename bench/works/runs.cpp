#include <memory>

#include "tappet/base/diagnostics.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/run/simulation.hpp"
#include "tappet/spec/spec.hpp"
#include "work.hpp"

namespace tappet::bench {

namespace {

struct Silent final : Observer {
  void sample(std::span<const double>) override {}
};

/// A run of an example with some keys set otherwise.
Work run(const std::string& name, const std::string& path, const std::vector<std::string>& set) {
  Diagnostics diagnostics;
  const std::shared_ptr<const Model> model =
      compile(load_spec(std::string(TAPPET_SOURCE_DIR) + "/examples/" + path, set), diagnostics);
  return {"run " + name, [model] {
            Silent silent;
            Simulation simulation(*model);
            const RunSummary summary = simulation.run(silent);
            return static_cast<double>(summary.evaluations + summary.impacts);
          }};
}

}  // namespace

std::vector<Work> run_works() {
  return {
      run("slider-crank with clearance, smooth", "slider_crank/clearance.yaml", {"simulation.duration=4 ms"}),
      run("slider-crank with clearance, event-driven", "slider_crank/clearance.yaml",
          {"simulation.duration=4 ms", "simulation.method=event-driven"}),
      run("slider-crank with clearance, moreau", "slider_crank/clearance.yaml",
          {"simulation.duration=4 ms", "simulation.method=moreau", "simulation.step=10 us"}),
      run("shell that hits the ground, moreau", "bouncing_shell/shell.yaml",
          {"simulation.duration=12 ms", "simulation.step=0.4 ms",
           "bodies.ball.structure.generate.spherical-shell.divisions=4"}),
  };
}

}  // namespace tappet::bench
