// What accuracy costs: models, each with the figures that its error is read from, and a run of one at one tolerance.
//
// bench/work_precision_bench prints the table, tests/order/auto_integrator_test holds what follows from it for `integrator: auto`.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "support/run_model.hpp"

namespace tappet::testing {

struct WorkModel {
  std::string name;
  std::string example;  ///< path under examples/, or a model's text
  std::vector<std::string>
      settings;  ///< besides integrator and tolerance; `output.signals` are what errors are read from
  bool stiff = false;
  double slack =
      1.1;  ///< by how much `auto` may cost more than the cheaper one: where both cost nearly the same either will do

  /// Those that could be chosen, and for stiff models what is made for them.
  std::vector<std::string> integrators() const {
    if (stiff) return {"dopri5", "dop853", "adams", "bdf"};
    return {"dopri5", "dop853"};
  }
};

inline const std::vector<double> work_tolerances = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-10, 1e-12};

/// n rods of 1 m and 1 kg in a row, let go from the horizontal.
inline std::string hanging_rods(int n) {
  std::string bodies, joints;
  for (int i = 0; i < n; ++i) {
    bodies += fmt::format("  b{}: {{mass: 1, inertia: 1/12, position: [{}.5, 0]}}\n", i, i);
    joints += fmt::format("  j{}: {{type: revolute, bodies: [{}, b{}], points: [[{}, 0], [-0.5, 0]]}}\n", i,
                          i ? fmt::format("b{}", i - 1) : "ground", i, i ? "0.5" : "0");
  }
  return fmt::format(
      "tappet: 1\ndimension: planar\ngravity: [0, -9.81]\nbodies:\n{}joints:\n{}simulation: {{duration: 1}}\n"
      "output: {{step: 1}}\n",
      bodies, joints);
}

/// The error is that of the signals at the end of the run, relative to the largest of them: the runs end before motions that
/// are chaotic forget where they began.
inline std::vector<WorkModel> work_models() {
  const std::string angles = "output.signals=['*.angle', '*.omega']",
                    no_friction = "joints.wrist.clearance.friction={law: none}";
  return {
      {"slider-crank with clearance",
       "slider_crank/clearance.yaml",
       {no_friction, "simulation.duration=4 ms", "output.step=4 ms",
        "output.signals=[slider.x, slider.vx, rod.angle]"}},
      {"slider-crank with clearance and friction",
       "slider_crank/clearance.yaml",
       {"simulation.duration=4 ms", "output.step=4 ms", "output.signals=[slider.x, slider.vx, rod.angle]"}},
      {"slider-crank with clearance in space",
       "slider_crank/spatial.yaml",
       {"simulation.duration=4 ms", "output.step=4 ms", "output.signals=[slider.x, slider.vx]"}},
      {"slider with clearance in its guide, event-driven",
       "translational_clearance/model.yaml",
       {"simulation.method=event-driven", "joints.guide.clearance.normal={restitution: 0.4}",
        "output.step=50 ms", "output.signals=[crank.angle, rod.angle, slider.x]"},
       false,
       1.2},  // at 1e-8 order 5 takes 13 % fewer steps and evaluations, a slider-crank with rigid impacts 15 % more instructions
      {"bouncing ball",
       "bouncing_ball/impact.yaml",
       {"contacts.bounce.normal.exponent=1.5", "simulation.duration=1 s", "output.step=1 s",
        "output.signals=[ball.y, ball.vy]"}},
      {"double pendulum", hanging_rods(2), {"simulation.duration=2 s", "output.step=2 s", angles}},
      {"chain of twenty rods", hanging_rods(20), {"simulation.duration=0.5 s", "output.step=0.5 s", angles}},
      {"four-bar chain of two",
       "four_bar_chain/two.yaml",
       {"simulation.duration=2 s", "output.step=2 s", "output.signals=[crank0.x, crank0.omega]"},
       false,
       1.3},  // order 5 gets over its singular positions with less up to 1e-6; no rule that others obey shows it
      {"squeezer",
       "andrews/squeezer.yaml",
       {"output.step=30 ms", "output.signals=['*.x', '*.y', '*.omega']"}},
      {"Bricard's mechanism",
       "bricard/bricard.yaml",
       {"simulation.duration=2 s", "output.step=2 s", "output.signals=['*.x', '*.y', '*.z', '*.wx']"}},
      {"governor",
       "governor/governor.yaml",
       {"simulation.duration=0.2 s", "output.step=0.2 s", "output.signals=['*.x', '*.z', '*.wz']"},
       true},
  };
}

/// One run, its accuracy and its cost.
struct Work {
  double tolerance = 0, error = 0;
  long evaluations = 0, steps = 0;  ///< steps: accepted and rejected
  std::string integrator;
};

class WorkPrecision {
 public:
  explicit WorkPrecision(WorkModel model) : model_(std::move(model)) {
    reference_ = run(*model_of_either(with("dop853", 1e-13)));
  }

  Work at(const std::string& integrator, double tolerance) const {
    return at(integrator, tolerance, [](auto&& loop) { loop(); });
  }

  /// `measure` is given the simulation loop alone, and calls it.
  template <class Measure>
  Work at(const std::string& integrator, double tolerance, Measure&& measure) const {
    const auto model = model_of_either(with(integrator, tolerance));
    Simulation simulation(*model);
    Recording recording;
    for (const Signal& signal : simulation.signals()) recording.names.push_back(signal.name);
    measure([&] { recording.summary = simulation.run(recording); });
    const RunSummary& summary = recording.summary;
    return {.tolerance = tolerance,
            .error = summary.completed ? error(recording) : HUGE_VAL,
            .evaluations = summary.evaluations,
            .steps = summary.steps + summary.rejected,
            .integrator = summary.integrator};
  }

 private:
  std::vector<std::string> with(const std::string& integrator, double tolerance) const {
    std::vector<std::string> out = model_.settings;
    out.push_back("simulation.integrator=" + integrator);
    out.push_back(fmt::format("simulation.tolerance={}", tolerance));
    return out;
  }

  std::shared_ptr<const Model> model_of_either(const std::vector<std::string>& settings) const {
    return model_.example.ends_with(".yaml") ? model_of_example(model_.example, settings)
                                             : model_of_text(model_.example, settings);
  }

  double error(const Recording& r) const {
    double worst = 0, size = 0;
    for (std::size_t i = 1; i <= r.names.size(); ++i) {
      const double exact = reference_.rows.back()[i];
      size = std::max(size, std::abs(exact));
      worst = std::max(worst, std::abs(r.rows.back()[i] - exact));
    }
    return worst / size;
  }

  WorkModel model_;
  Recording reference_;
};

}  // namespace tappet::testing
