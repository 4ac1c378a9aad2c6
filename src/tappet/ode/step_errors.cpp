#include "tappet/ode/step_errors.hpp"

#include <cmath>

#include <fmt/format.h>

namespace tappet {
namespace {

std::string name_of(const OdeSystem& system, int component) {
  const std::string name = system.component_name(component);
  return name.empty() ? fmt::format("component {} of the state", component) : name;
}

}  // namespace

std::string largest_error(const OdeSystem& system, int component) {
  if (component == -1) return "the contacts have the largest error";
  return component < 0 ? "" : name_of(system, component) + " has the largest error";
}

void throw_step_underflow(const OdeSystem& system, double time, double step, double bound, int component) {
  const std::string blame = largest_error(system, component);
  throw StepSizeError(time,
                      fmt::format("the step size underflows at t = {:.12g} s: {:.3g} s is needed, {:.3g} s "
                                  "is the smallest allowed{}{}",
                                  time, step, bound, blame.empty() ? "" : "; ", blame),
                      component);
}

void throw_not_finite(OdeSystem& system, double time, double t, const double* y, int component) {
  const std::string cause = system.not_finite_cause(t, y);
  throw SimulationError(time,
                        fmt::format("{} after t = {:.12g} s, and a smaller step does not help",
                                    cause.empty() ? fmt::format("the derivative of {} is not a finite number",
                                                                name_of(system, component))
                                                  : cause + ",",
                                    time));
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
