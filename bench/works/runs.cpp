#include <memory>

#include "peer_models.hpp"
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

Work run(const std::string& name, const Spec& spec) {
  Diagnostics diagnostics;
  const std::shared_ptr<const Model> model = compile(spec, diagnostics);
  return {"run " + name, [model] {
            Silent silent;
            Simulation simulation(*model);
            const RunSummary summary = simulation.run(silent);
            return static_cast<double>(summary.evaluations + summary.impacts);
          }};
}

/// A run of an example with some keys set otherwise.
Work run(const std::string& name, const std::string& path, const std::vector<std::string>& set) {
  return run(name, load_spec(std::string(TAPPET_SOURCE_DIR) + "/examples/" + path, set));
}

/// A run of a model written here.
Work run(const std::string& name, const std::string& text) {
  return run(name, spec_from_text(text, "works"));
}

/// One integrator, named, at one tolerance.
Work clearance(const std::string& integrator, const std::string& tolerance) {
  return run("slider-crank with clearance, " + integrator + " at " + tolerance, "slider_crank/clearance.yaml",
             {"simulation.duration=4 ms", "simulation.integrator=" + integrator,
              "simulation.tolerance=" + tolerance, "output.step=4 ms"});
}

/// A rigid ball rolls over the faces of a plate of shells, whose edges are held.
const char* const ball_on_a_plate = R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
materials: {steel: {young: 2e11, poisson: 0.3, density: 7800}}
bodies:
  plate:
    structure:
      generate: {plate: {size: [1, 1], divisions: [8, 8], origin: [-0.5, -0.5, 0]}}
      material: steel
      section: {thickness: 5 mm}
      fix: {xmin: [x, y, z], xmax: [x, y, z], ymin: [x, y, z], ymax: [x, y, z]}
  ball: {density: 7800, shapes: {skin: {sphere: {radius: 50 mm}}}, position: [0.08, 0.03, 0.051], velocity: [0.5, 0, -1]}
contacts:
  hit: {between: [plate.all, ball.skin], normal: {law: newton, restitution: 0}, friction: {law: coulomb, coefficient: 0.3}}
simulation: {method: moreau, duration: 10 ms, step: 0.2 ms}
)";

}  // namespace

std::vector<Work> run_works() {
  return {
      run("slider-crank with clearance, smooth", "slider_crank/clearance.yaml", {"simulation.duration=4 ms"}),
      clearance("dopri5", "1e-3"),
      clearance("dopri5", "1e-6"),
      clearance("dop853", "1e-6"),
      clearance("dop853", "1e-10"),
      run("slider-crank with clearance, event-driven", "slider_crank/clearance.yaml",
          {"simulation.duration=4 ms", "simulation.method=event-driven"}),
      run("slider-crank with clearance, moreau", "slider_crank/clearance.yaml",
          {"simulation.duration=4 ms", "simulation.method=moreau", "simulation.step=10 us"}),
      run("bouncing ball, event-driven", peers::bouncing_ball("event-driven", 0, 5)),
      run("bouncing ball with 5,000 samples, event-driven", peers::bouncing_ball("event-driven", 0, 1e-3)),
      run("woodpecker, event-driven with friction", "woodpecker/toy.yaml",
          {"simulation.duration=0.2 s", "output.step=0.2 s"}),
      run("pile of 64 spheres, moreau", peers::pile(64, "1e-3", 0.25)),
      run("16 soft spheres in a group, smooth", peers::soft_pile(16, 0.2)),
      run("wall of 100 boxes, moreau", peers::wall("1e-3", 0.02)),
      run("hexapod, moreau", "hexapod/hexapod.yaml",
          {"simulation.method=moreau", "simulation.step=0.02", "simulation.tolerance=1e-3",
           "simulation.duration=1", "output.step=1", "output.signals=[frame.x]"}),
      run("shell that hits the ground, moreau", "bouncing_shell/shell.yaml",
          {"simulation.duration=12 ms", "simulation.step=0.4 ms",
           "bodies.ball.structure.generate.spherical-shell.divisions=4"}),
      run("ball on a plate of shells, moreau", ball_on_a_plate),
  };
}

}  // namespace tappet::bench
