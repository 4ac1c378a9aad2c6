// Finds where an event function first changes sign inside a step.
//
// Guaranteed: of all event functions, the earliest sign change that shows at one of the points θ = ¼, ½, ¾, 1
// of the step's dense output, to the last few digits of time. A function that changes sign twice between two
// neighbouring points (an excursion shorter than a quarter of the step) is not seen; error control on gaps
// (OdeSystem::extra_error) bounds how deep such an excursion can be.
//
// A function that is exactly zero at t_old has just had its event there: it is not found again at t_old, and
// its sign is taken from the dense output just after (θ = 2⁻¹⁰). Whoever handles an event should pass zero
// for that function as its old value, since rounding may have left it on either side.
#pragma once

#include <optional>
#include <vector>

#include "tappet/ode/scheme.hpp"

namespace tappet {

struct LocatedEvent {
  int index = 0;      ///< of the event function
  double time = 0;    ///< in (t_old, t]: the first instant at which the function has its new sign or is zero
  int direction = 0;  ///< +1: from negative to positive, −1: from positive to negative
};

class EventLocator {
 public:
  /// Makes room for a system's event functions. No allocation afterwards.
  explicit EventLocator(const OdeSystem& system);

  /// The first event of the scheme's last step; `g_old` are the event functions at t_old. Throws
  /// SimulationError when one of them is not a number.
  std::optional<LocatedEvent> first(OdeSystem& system, const Scheme& scheme, const double* g_old);

  /// Event functions at the end of the step that first() looked at: the next step's `g_old` if there was no
  /// event.
  const double* values_at_end() const { return end_.data(); }

 private:
  void evaluate(OdeSystem& system, const Scheme& scheme, double time, double* g);
  LocatedEvent refine(OdeSystem& system, const Scheme& scheme, int index, double a, double g_a, double b,
                      double g_b);
  std::optional<LocatedEvent> first_between(OdeSystem& system, const Scheme& scheme, double b);

  std::vector<double> y_;            ///< dense output at one time
  std::vector<double> left_;         ///< g at the left point of the interval looked at
  std::vector<double> left_time_;    ///< that point, of each function
  std::vector<double> right_, end_;  ///< g at its right point, and at the end of the step
  std::vector<double> probe_;        ///< g at a time inside
};

}  // namespace tappet
