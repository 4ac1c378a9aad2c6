// Finds where event functions change sign inside a step.
//
// Guaranteed: the earliest sign change that shows at one of the points θ = ¼, ½, ¾, 1
// of the step's dense output, to the last few digits of time. A function that changes sign twice between two neighbouring points (an
// excursion shorter than a quarter of the step) is seen where its rate is known and changes sign there too: a positive function that falls
// and rises again has its minimum between, which is looked for.
//
// A function that is exactly zero at t_old has just had its event there: it is not found again at t_old. Whoever handles an event should
// pass zero for that function as its old value, since rounding may have left it on either side. Where the rate with which it left is known,
//
//   φ(t) = (g(t) − g(t_old))/(t − t_old),     φ(t_old) = ġ(t_old)
//
// is searched in its place: the zero just left is divided out, and for a parabola φ is a straight line, so that the end of a flight is found
// however short it is. Where the rate is not known the sign is taken from the dense output just after (θ = 2⁻¹⁰).
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "tappet/ode/event_trigger.hpp"
#include "tappet/ode/scheme.hpp"

namespace tappet {

struct LocatedEvent {
  int index = 0;      ///< of the event function
  double time = 0;    ///< in (t_old, t]: the first instant at which the function has its new sign or is zero
  int direction = 0;  ///< +1: from negative to positive, −1: from positive to negative
};

/// A function at the beginning of a step.
struct EventStart {
  double value = 0;                                        ///< g, or 0 where it has just had its event
  double rate = std::numeric_limits<double>::quiet_NaN();  ///< of g, where it is known
  double level = 0;                                        ///< g itself, where it has just had its event
};

class EventLocator {
 public:
  /// Makes room for a system's event functions. No allocation afterwards.
  explicit EventLocator(const OdeSystem& system);

  /// The first event of the scheme's last step, from what the functions were at t_old. `direction`: −1 or +1 asks for falling or
  /// rising ones alone. Throws SimulationError when a function is not a number.
  std::optional<LocatedEvent> first(OdeSystem& system, const Scheme& scheme,
                                    const std::vector<EventStart>& start, int direction = 0);
  /// The same where only values are known.
  std::optional<LocatedEvent> first(OdeSystem& system, const Scheme& scheme, const double* g_old);

  /// Event functions at the end of the step that first() looked at: the next step's `g_old` if there was no
  /// event.
  const double* values_at_end() const { return end_.data(); }
  /// The same with their rates.
  const std::vector<EventStart>& at_end() const { return at_end_; }

  /// Passages of the scheme's last step in which nothing else happens, in the order of time, appended to `out`. One trigger per function.
  /// `last`: of each function, whether it is looked at for the last time (EventTrigger::look).
  void follow(OdeSystem& system, const Scheme& scheme, double band, const std::vector<char>& last,
              std::vector<EventTrigger>& triggers, std::vector<LocatedEvent>& out);

 private:
  void evaluate(OdeSystem& system, const Scheme& scheme, double time, double* g);
  double lowest(OdeSystem& system, const Scheme& scheme, std::size_t index, double b);
  double zero(OdeSystem& system, const Scheme& scheme, std::size_t index, double a, double g_a, double b,
              double g_b);
  bool departs(std::size_t index) const { return start_[index].value == 0 && start_[index].rate > 0; }
  std::optional<LocatedEvent> first_between(OdeSystem& system, const Scheme& scheme, double b, int direction);
  /// φ of a function that has just left its zero, g of any other.
  double seen(std::size_t index, double time, double g) const;

  std::vector<double> y_;            ///< dense output at one time
  std::vector<double> left_;         ///< g (or φ) at the left point of the interval looked at
  std::vector<double> left_time_;    ///< that point, of each function
  std::vector<double> right_, end_;  ///< g at its right point, and at the end of the step
  std::vector<double> probe_;        ///< g at a time inside
  std::vector<double> left_rate_, right_rate_, probe_rate_;  ///< of g, where they are known
  std::vector<EventStart> start_, at_end_;                   ///< of the step looked at
  double t_old_ = 0;
};

}  // namespace tappet
