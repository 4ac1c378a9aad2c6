// One model on its way from its start to its end: what all methods share. A method is a class derived from
// this one; Simulation is its public face.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tappet/ode/event_trigger.hpp"
#include "tappet/ode/smooth_system.hpp"
#include "tappet/run/simulation.hpp"

namespace tappet {

class Run {
 public:
  /// Assembles the initial state and selects the signals.
  explicit Run(const Model& m);
  virtual ~Run() = default;

  /// To the end, or to where the summary's `stop_reason` says. Throws SimulationError when it cannot go on; t
  /// is then where the failing step began.
  virtual void loop(Observer& observer, RunSummary& summary) = 0;
  /// What advances the state, with "auto" resolved.
  virtual std::string integrator() const = 0;

  RunSummary describe() const;
  /// Totals, when the loop is over.
  void finish(RunSummary& summary) const;

  /// Everything that a bit-exact continuation needs, always of the same length.
  std::vector<double> checkpoint() const;
  void restore(std::span<const double> checkpoint);

  const Model& model;
  SmoothSystem system;
  std::vector<Signal> signals;
  std::vector<std::string> contact_names, event_names;
  double t = 0;

 protected:
  /// What only the method knows: its counters, impacts and warnings.
  virtual void report(RunSummary& summary) const = 0;
  /// The method's own part of a checkpoint.
  virtual std::vector<double> memory() const = 0;
  virtual void restore_memory(const double* numbers) = 0;

  /// Arms the triggers of the model's events at (t, y).
  void start_events();
  /// The part of a signal's largest value that counts as nothing to an event.
  double event_band() const { return std::max(1e-12, model.settings.tolerance); }
  /// Tells the observer if the event asks for this direction; true when it ends the run.
  bool report_event(int event, double time, int direction, Observer& observer);
  /// Where a step of the model's one length ends: multiples of it, so that rounding does not add up; the last ends with the run.
  double step_end(long step) const;
  double sample_time(long k) const;
  long last_sample() const;
  /// Records what `w`, filled at (time, state), shows, and looks at the energy ledger.
  void record(const DynamicsWorkspace& w, double time, const double* state, Observer& observer);

  std::vector<double> y;  ///< the state at t
  long next_sample = 0;
  long events = 0;
  std::vector<EventTrigger> triggers;  ///< one per event of the model
  std::vector<double> sample_state;    ///< like y: working space
  bool resumed = false;

  std::vector<SignalDefinition> sources_;  // recorded signals
  std::vector<double> row_;
  /// Looks at the energy ledger where a sample is.
  void watch_energy(double kinetic, double potential, const double* z);
  /// For methods that hold energy of their own.
  void start_energy(double kinetic, double potential);

 private:
  void start_auxiliary();
  void place_links();

  Assembly assembly_;
  int rows_ = 0,
      rank_ = 0;  // constraint rows of the motion, and how many of them are independent at the start

 protected:
  double energy_start_ = 0;

 private:
  double energy_low_ = 0, energy_high_ = 0;  // of the potential
  double kinetic_high_ = 0, residual_high_ = 0;
};

/// Warning of a run whose checkpoints could not hold what every contact of its groups remembers.
inline constexpr const char* cut_checkpoint =
    "a checkpoint had no room for all contacts of groups that carried load: a run resumed from it goes on "
    "with less than they "
    "remember, and differs from one that was not interrupted";

/// The run of a model by the method that it names. Throws InputError for what only the method can refuse.
std::unique_ptr<Run> make_run(const Model& model);

}  // namespace tappet
