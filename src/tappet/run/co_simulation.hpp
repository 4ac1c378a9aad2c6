// A model that others step, from one communication point to the next, as FMI asks it to.
//
//   CoSimulation model(compile(spec, diagnostics));
//   model.set_inputs(…);
//   const auto reached = model.advance(0.01, false);
//   model.outputs();                                   // at 10 ms
//
// The method steps as it does in a run: nobody's communication points cut its steps, it goes beyond them and what it shows there is read off
// inside the step. So outputs at communication points are what a run records there, to the bit. Where an input changes at such a point,
// or an impact is to be met, it goes back to where the step began. That needs states from which the same steps are taken; with adams
// and bdf, which begin anew from a state, steps end at communication points instead.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tappet/run/simulation.hpp"

namespace tappet {

class CoSimulation {
 public:
  /// The outputs are the columns of the model's result: those that its `output.signals` selects.
  explicit CoSimulation(std::shared_ptr<const Model> model);

  double time() const { return memory_.time; }
  /// At time(), in the order of Simulation::signals(). Throws SimulationError where a step from the start fails that is taken to see forces.
  const std::vector<double>& outputs();
  const std::vector<Signal>& output_signals() const { return simulation_.signals(); }
  const std::vector<Signal>& input_signals() const { return simulation_.inputs(); }
  /// From time() on, in the order of Simulation::inputs(). Throws InputError for what is not a finite number.
  void set_inputs(std::span<const double> values);

  /// As they were set last.
  const std::vector<double>& inputs() const { return memory_.inputs; }

  struct Reached {
    bool impact = false;  ///< an impact began at time()
    bool ended = false;   ///< an event of the model's ends the run at time()
  };
  /// To t, or to where something ends it before: an event of the model's, and with `to_impacts` where an impact begins. Throws
  /// SimulationError where the model cannot go on, and then stands where the last good step ended.
  Reached advance(double t, bool to_impacts);

  /// All that varies: what goes on from it is the same.
  struct Memory {
    double time = 0;
    State state;  ///< from which it goes on; at `time`, or where the step began in which `time` lies
    std::vector<double> inputs;   ///< as they were set last
    std::vector<int> set;         ///< 1: one of these that has not come into force yet
    std::vector<double> outputs;  ///< at `time`; empty: not looked at yet
    double met = 0;               ///< impacts that began by then were said

    bool operator==(const Memory&) const = default;
  };
  Memory memory();
  void recall(const Memory& memory);

  const Simulation& simulation() const { return simulation_; }

 private:
  struct Look;
  bool go(Look& look, double t);
  void come_back();
  void follow_inputs();
  std::optional<double> first_impact(const Look& look, double from) const;

  Simulation simulation_;
  Memory memory_;                    // its state is only kept where the simulation is ahead
  bool ahead_ = false;               // the simulation has gone beyond memory_.time
  std::vector<int> shown_, driven_;  // signals of the outputs; per input, 1 where a controller sets it
};
void fields(FieldVisitor& v, CoSimulation::Memory& memory);

/// "TAPPETCO", the version of the list, the fields, a checksum.
std::vector<std::byte> save(const CoSimulation::Memory& memory);
/// `out`: a memory of the same model. Throws InputError for bytes that are something else; `out` is then as it was.
void load(std::span<const std::byte> bytes, CoSimulation::Memory& out);

}  // namespace tappet
