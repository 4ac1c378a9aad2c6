// How two runs of one model part: distance over time, the time up to which they agree, and how fast errors
// grow.
//
//   d(t) = max over coordinates of |a(t) − b(t)| / range
//
// The range of a coordinate is that of the run itself, so that d ≈ 1 means "as far apart as the motion is
// wide". In a chaotic motion d grows as e^{λt}, λ the largest Lyapunov exponent, from the integrator's error
// until it saturates; λ is estimated as the slope of ln d averaged over pairs of runs, between its floor and
// saturation [Kantz2004, section 5.2].
#pragma once

#include <string>
#include <vector>

#include "tappet/studies/recording.hpp"

namespace tappet {

/// Coordinates that tell two motions apart: positions of bodies, and of surfaces that may touch.
std::vector<std::string> coordinates(const std::vector<Signal>& signals);

/// d(t) at each row that both have. Growing angles and coordinates that do not move are left out.
std::vector<double> distance(const Recording& a, const Recording& b,
                             const std::vector<std::string>& coordinates);

/// The time of the first row at which d exceeds `limit` and from which on it does so in most of the rows;
/// none if it never does: the run's end, and `parted` is false.
struct Horizon {
  double time = 0;
  bool parted = false;
};
Horizon horizon(const Recording& times, const std::vector<double>& distance, double limit);

/// How the mean of ln d over the pairs grows until `saturation`.
struct Growth {
  double exponent = 0;       ///< slope over time, 1/s
  double decades = 0;        ///< over how many powers of ten it was seen; 0: there was nothing to fit
  bool exponential = false;  ///< straight over t, not over ln t: errors of a regular motion grow as a power
  double from = 0, to = 0;   ///< s, where it was seen
};
Growth growth(const Recording& times, const std::vector<std::vector<double>>& distances, double saturation);

/// How often the motion comes back between two times: half the reversals of the coordinate that has most of them. Wobbles of less than a
/// hundredth of a coordinate's range are none.
double returns(const Recording& run, const std::vector<std::string>& coordinates, double from, double to);

/// Whether the motion of the second half repeats itself after 1, 2, … `most` periods.
struct Repetition {
  int periods = 0;      ///< 0: it does not
  double distance = 0;  ///< largest difference to one repetition before, relative to the range
};
Repetition repetition(const Recording& run, const std::vector<std::string>& coordinates, double period,
                      int most, double limit);

/// The time of one turn of an angle that turns evenly, as a motor drives it; 0 if none does.
double driving_period(const Recording& run);

}  // namespace tappet
