#include "tappet/ode/step_errors.hpp"

#include <cmath>

#include <fmt/format.h>

namespace tappet {

void throw_step_underflow(double time, double step, double bound, int component) {
  std::string blame;
  if (component >= 0) blame = fmt::format("; component {} of the state has the largest error", component);
  if (component == -1) blame = "; the contacts have the largest error";
  throw StepSizeError(
      time,
      fmt::format(
          "the step size underflows at t = {:.12g} s: {:.3g} s is needed, {:.3g} s is the smallest allowed{}",
          time, step, bound, blame),
      component);
}

void throw_not_finite(double time, int component) {
  throw SimulationError(
      time,
      fmt::format("the derivative of component {} of the state is not a finite number after t = {:.12g} s, "
                  "and a smaller step does not help",
                  component, time));
}

int first_not_finite(const double* values, int count) {
  for (int i = 0; i < count; ++i)
    if (!std::isfinite(values[i])) return i;
  return -1;
}

}  // namespace tappet
