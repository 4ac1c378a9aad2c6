// User events of a function g(t) that is known at the ends of steps: a trigger with hysteresis.
//
// A body at rest has velocities of 10⁻¹⁶ of either sign, and each change of sign would be an event. So an event has a band, of the size of
// what the method leaves undetermined: it is armed on the side on which |g| > 10 band, fires once g is on the other side or within the band (a
// body that comes to rest fires once), and is then disarmed until |g| > 10 band again, on whichever side.
#pragma once

#include <algorithm>
#include <cmath>

namespace tappet {

/// What of it outlives a step.
struct EventTrigger {
  int side = 0;        ///< sign of g where it was armed; 0: disarmed
  double last = 0;     ///< g as the step begins
  double largest = 0;  ///< |g| so far

  bool operator==(const EventTrigger&) const = default;
};

/// An event in a step.
struct EventFired {
  int direction = 0;  ///< +1: g rose to zero, −1: it fell; 0: there was none
  double part = 0;    ///< of the step that had passed by then
};

/// Before the first step. `least`: as below.
inline EventTrigger start_trigger(double g, double least) {
  return {.side = std::abs(g) > 10 * least ? (g > 0 ? 1 : -1) : 0, .last = g, .largest = std::abs(g)};
}

/// One step, to the value g. `relative`: of the largest |g|, and `least`: in the unit of g, make the band.
inline EventFired step_trigger(EventTrigger& e, double g, double relative, double least) {
  e.largest = std::max(e.largest, std::abs(g));
  const double band = std::max(relative * e.largest, least), before = e.last;
  const int side = g > 0 ? 1 : (g < 0 ? -1 : 0);
  e.last = g;
  EventFired out;
  if (e.side != 0 && (side != e.side || std::abs(g) <= band)) {
    out.direction = -e.side;
    const bool crossed = side == -e.side && before * g < 0;
    out.part = crossed ? before / (before - g) : 1;
    e.side = 0;
  }
  if (e.side == 0 && std::abs(g) > 10 * band) e.side = side;
  return out;
}

}  // namespace tappet
