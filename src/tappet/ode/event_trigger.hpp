// A user's event: a function of the state that passes through zero, followed from step to step.
//
// A sign change alone is not enough: a body that has come to rest has a velocity of rounding errors, whose sign changes in every
// other step. So a trigger has two thresholds, which grow with the largest |g| so far,
//
//   armed     where |g| > 10 b, on the side on which it then is                 b = band · largest |g|
//   fires     where g is on the other side, or has stayed within b (a body that comes to rest fires once)
//
// and is armed again by the next |g| > 10 b. The time of a passage is that of its zero. Nothing here touches the motion.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

namespace tappet {

struct EventTrigger {
  double value = 0;    ///< of g, where it was looked at last
  double largest = 0;  ///< |g| so far, at least the scale that it begins with
  int side = 0;        ///< +1, −1: armed there; 0: not armed
  double since = -1;   ///< armed, and within the band since this time, s; −1: outside of it
  bool operator==(const EventTrigger&) const = default;

  /// At the beginning of a run. `scale`: what is much for g, as far as is known.
  void begin(double g, double scale, double band) {
    *this = {g, std::max(scale, std::abs(g)), 0, -1};
    if (std::abs(g) > 10 * band * largest) side = g > 0 ? 1 : -1;
  }

  struct Passage {
    double time = 0;
    int direction = 0;  ///< +1 rising, −1 falling
  };
  /// Looks at g at time `to`; `value` is that at `from`. `zero` gives the time between both at which g vanishes, and is asked only
  /// where their signs differ. `now`: what is within the band fires at once, since nobody will look again.
  template <class Zero>
  std::optional<Passage> look(double from, double to, double g, double band, bool now, Zero&& zero) {
    const double before = value, low = band * largest;
    const auto on = [&](double v) { return side * v > 0; };  // on the side that is armed
    value = g;
    largest = std::max(largest, std::abs(g));
    if (side == 0) {
      arm(g, low);
      return std::nullopt;
    }
    // Still on its side, or back from the band.
    if (on(g) && std::abs(g) > low) {
      since = -1;
      return std::nullopt;
    }
    const int direction = -side;
    double time = since >= 0 ? since : on(before) && !on(g) ? zero() : on(before) ? to : from;
    if (std::abs(g) <= low && since < 0 && !now) {
      since = time;  // it may be on its way through
      return std::nullopt;
    }
    // Within the band it may have been before it passed.
    if (std::abs(g) > low && since >= 0 && on(before)) time = zero();
    side = 0, since = -1;
    arm(g, low);
    return Passage{time, direction};
  }

 private:
  void arm(double g, double low) {
    if (std::abs(g) > 10 * low) side = g > 0 ? 1 : -1;
  }
};

}  // namespace tappet
