// The sentences in which an integrator says that it cannot go on.
#pragma once

#include "tappet/base/diagnostics.hpp"

namespace tappet {

/// The step size fell below its bound. Carries the component of the state to blame, so that whoever knows its
/// name can add it to the sentence.
class StepSizeError : public SimulationError {
 public:
  StepSizeError(double time, const std::string& reason, int component)
      : SimulationError(time, reason), component_(component) {}
  /// Index in y of the largest error; −1 when it is the system's own measure (OdeSystem::extra_error), −2
  /// unknown.
  int component() const { return component_; }

 private:
  int component_;
};

/// Throws StepSizeError: `step` would be needed, `bound` is allowed. `component` as in StepSizeError.
[[noreturn]] void throw_step_underflow(double time, double step, double bound, int component);

/// Throws SimulationError: the derivative of `component` is not a finite number, however small the step.
[[noreturn]] void throw_not_finite(double time, int component);

/// Index of the first component that is not a finite number, or −1.
int first_not_finite(const double* values, int count);

}  // namespace tappet
