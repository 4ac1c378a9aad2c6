// Controllers: FMUs that read signals of the model and set its inputs.
//
//   controllers: {pid: {fmu: pid.fmu, inputs: {e: 'target - crank.angle'}, outputs: {u: throttle}, step: 1 ms}}
//
// At each t_k = k·step the controller's inputs are what their expressions are at t_k. It then goes from t_k to t_k + step, and what its
// outputs are there acts on the model from t_k to t_k + step: a controller that computes u = f(e) when it steps gives u(t_k) = f(e(t_k)),
// held until the next.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tappet/fmi/package.hpp"
#include "tappet/model/measures.hpp"

namespace tappet {

class Diagnostics;
struct Spec;

struct FmuController {
  std::string name;
  SourcePos pos;
  double step = 0;  ///< s
  std::shared_ptr<const fmi::Package> package;

  /// Of the FMU: value in its unit = (value in the SI − offset)/factor.
  struct Port {
    fmi::Variable variable;
    double factor = 1, offset = 0;
    double of_si(double x) const { return (x - offset) / factor; }
    double to_si(double x) const { return factor * x + offset; }
  };
  struct Input : Port {
    Measure value;  ///< of signals
  };
  struct Output : Port {
    int input = 0;  ///< of the model
  };
  struct Start : Port {
    double value = 0;  ///< in the FMU's unit
  };
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  std::vector<Start> parameters;
  bool needs_forces = false;  ///< some signal does
};

/// The section `controllers`, once the model's signals are known.
void compile_controllers(const Spec& spec, Model& model, Diagnostics& diagnostics);

}  // namespace tappet
