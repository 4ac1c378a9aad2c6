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
  // 0 unless one of them is not finite, in lanes; mostly that is all there is to know.
  double zero[4] = {};
  int i = 0;
  for (; i + 4 <= count; i += 4)
    for (int lane = 0; lane < 4; ++lane) zero[lane] += 0 * values[i + lane];
  for (; i < count; ++i) zero[0] += 0 * values[i];
  if ((zero[0] + zero[1]) + (zero[2] + zero[3]) == 0) return -1;
  for (i = 0; std::isfinite(values[i]);) ++i;
  return i;
}

}  // namespace tappet
