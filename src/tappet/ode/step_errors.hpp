// The sentences in which an integrator says that it cannot go on.
#pragma once

#include <string>

#include "tappet/base/diagnostics.hpp"
#include "tappet/ode/ode_system.hpp"

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

/// Who has the largest error of a step: a component's name, or the contacts. `component` as in StepSizeError; "": unknown.
std::string largest_error(const OdeSystem& system, int component);

/// Throws StepSizeError: `step` would be needed, `bound` is allowed. `component` as in StepSizeError.
[[noreturn]] void throw_step_underflow(const OdeSystem& system, double time, double step, double bound,
                                       int component);

/// Throws SimulationError: after `time`, the derivative of `component` at (t, y) is not a finite number, however small the
/// step.
[[noreturn]] void throw_not_finite(OdeSystem& system, double time, double t, const double* y, int component);

/// Index of the first component that is not a finite number, or −1.
int first_not_finite(const double* values, int count);

}  // namespace tappet
