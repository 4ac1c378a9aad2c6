// A study under way, as seen from outside: by a signal handler that ends it, and by who shows how far it has come.
#pragma once

#include <atomic>
#include <stdexcept>

namespace tappet {

/// Shared between the threads of a study and whoever watches it. All members are lock-free where atomic<double> is.
struct Watch {
  std::atomic<bool> stop = false;  ///< set it: runs under way end after their step, and no other begins
  std::atomic<double> done = 0;    ///< runs, the shares of those under way included
  std::atomic<double> all = 0;     ///< runs that are wanted, as far as is known
};

/// A study that was ended by its watch. It is no error of the model or of the simulation.
class StudyStopped : public std::runtime_error {
 public:
  StudyStopped() : std::runtime_error("interrupted") {}
};

inline bool stopped(const Watch* watch) {
  return watch && watch->stop;
}
inline void expect_runs(Watch* watch, double count) {
  if (watch) watch->all.fetch_add(count);
}

}  // namespace tappet
