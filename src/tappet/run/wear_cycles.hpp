// Wear that is extrapolated from cycle to cycle, with control of the error.
//
// A cycle (one revolution, say) that is run with pace m wears m times as fast as in time, continuously, and stands for m cycles. It errs in
// proportion to m, because what wears early in it is worn m times before what wears late. Step doubling shows by how much: from the
// same state a block of two cycles of pace m stands for as many as a trial of one cycle of pace 2 m,
//
//   E = max |d_trial − d|,   E ≤ `tolerance` · (what the block wears off at its deepest)
//
// The block is what counts; the trial runs before it, aside. The next m is 0.9 of what keeps this, at most four times the last, at least a
// fifth, and at most `extrapolate`. The first block is run at pace 1. The sum of all E is `JOINT.wear_error`.
// All this is in auxiliary variables (multibody/foundation.hpp), so that an interrupted run goes on as it would have.
#pragma once

#include <string>
#include <vector>

#include "tappet/methods/method.hpp"
#include "tappet/multibody/foundation.hpp"

namespace tappet {

class WearCycles {
 public:
  explicit WearCycles(const Model& model);

  /// When the cycle under way ends, s; infinite without cycles.
  double end_of_cycle(const State& state) const;
  /// A new state: the first block.
  void begin(const Method& method, State& state, Workspace& w);
  /// Before and after each step: where lives end, and what follows a cycle.
  void before_step(const State& state);
  void after_step(const Method& method, State& state, Workspace& w);

 private:
  double* z(State& state) const { return state.y.data() + z_at_; }
  const double* z(const State& state) const { return state.y.data() + z_at_; }
  double revolutions(const State& state) const;
  void plan(const Method& method, State& state, Workspace& w, double pace);
  void follow(const Method& method, State& trial, double until) const;
  double next_pace(State& state) const;

  const Model& model_;
  std::size_t z_at_ = 0;
  std::vector<const Foundation*> worn_;  // that wear
  const Foundation* leader_ = nullptr;
  struct Before {
    double time = 0, revolutions = 0;
    std::vector<double> deepest;
  } before_;
};

/// What has been worn off, and after how long.
void report_wear(const Mechanism& mechanism, const double* z, std::vector<std::string>& notes);

}  // namespace tappet
