// A run that stands still: steps so short that its end would never be reached.
#pragma once

#include <cmath>
#include <optional>

#include "tappet/model/model.hpp"

namespace tappet {

class ProgressWatch {
 public:
  /// Steps whose mean length decides.
  static constexpr long window = 10000;

  /// Before a step from `t` of a run that ends at `end`: the steps that it would still take at the pace of the last window, where
  /// these are more than a run may have (most_steps); else none.
  std::optional<double> steps_to_come(double t, double end) {
    if (t < last_) from_ = t, count_ = 0;  // the state was set back
    last_ = t;
    if (count_++ < window) return std::nullopt;
    const double mean = (t - from_) / window, left = end - t;
    from_ = t, count_ = 1;
    // Not left / mean, which may be a division by zero.
    if (!(left > most_steps * mean)) return std::nullopt;
    return mean > 0 ? left / mean : HUGE_VAL;
  }

 private:
  double from_ = 0;         // where the window began
  double last_ = HUGE_VAL;  // where the last step began
  long count_ = 0;          // steps since
};

}  // namespace tappet
