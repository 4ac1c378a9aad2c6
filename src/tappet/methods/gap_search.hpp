// Touches that neither end of a step shows.
//
// In free flight steps may be long, and a body that spins or is driven evenly costs no accuracy at all: within one step it may meet
// another, pass through it and be gone. Between two instants dt apart, with gaps g₁ and g₂ and no approach faster than v, nothing
// can have passed through a body that is ℓ thick as long as
//
//   v dt ≤ g₁ + g₂ + ℓ
//
// Where a step is longer than that it is halved, on its dense output, until it is not.
#pragma once

#include <optional>
#include <vector>

#include "tappet/ode/scheme.hpp"
#include "tappet/ode/smooth_system.hpp"

namespace tappet {

class GapSearch {
 public:
  GapSearch(const Mechanism& mechanism, SmoothSystem& system);

  /// Before a step from (t, y).
  void start(double t, const double* y);
  /// The first instant found in the scheme's last step at which surfaces overlap whose contact does not act yet, so that the
  /// step up to there shows by the signs at its ends that they have met; none where the whole step does.
  std::optional<double> hidden_touch(const Scheme& scheme);

 private:
  struct Instant {
    double t = 0, gap = 0, speed = 0;
  };
  Instant at(const Scheme& scheme, int contact, double t);
  std::optional<double> between(const Scheme& scheme, int contact, const Instant& first, const Instant& last);

  const Mechanism& mechanism_;
  SmoothSystem& system_;
  std::vector<int> contacts_;  ///< those that can be passed through
  std::vector<double> speed_;  ///< of each of them, at the beginning of the step
  std::vector<double> y_;
};

}  // namespace tappet
