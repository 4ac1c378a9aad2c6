// The one loop of all methods: steps, samples, users' events, the impact table, the energy ledger, checkpoints, and where to stop.
#pragma once

#include <string>
#include <vector>

#include "tappet/methods/method.hpp"
#include "tappet/ode/event_location.hpp"
#include "tappet/run/motion_watch.hpp"
#include "tappet/run/observer.hpp"
#include "tappet/run/progress_watch.hpp"

namespace tappet {

/// Impacts that are over within so many output steps are not resolved by samples.
inline constexpr double few_samples = 4;

class Driver {
 public:
  /// `recorded`: the signals of a sample.
  Driver(const Model& model, const Method& method, const Workspace& w,
         std::vector<SignalDefinition> recorded);

  /// Before the first step of a new state: what is closed already, and the first sample.
  void start(State& state, Workspace& w, Observer& observer);
  /// One step, not beyond `until`. False: an event of the user's ends the run there. A throw leaves the state as it was.
  bool step(State& state, Workspace& w, Observer& observer, double until);
  /// Steps to `until`. Returns why it stopped before, a sentence; "" where it did not, or where an event of the user's did.
  std::string run(State& state, Workspace& w, Observer& observer, double until);

  const std::vector<SignalDefinition>& recorded() const { return recorded_; }

 private:
  double sample_time(long k) const;
  /// Throws where the run stands still.
  void watch_motions(State& state, const Workspace& w);
  void watch_progress(const State& state, const Workspace& w, double until);
  long last_sample() const;
  bool find_events(const StepReport& report, State& state, Workspace& w, Observer& observer);
  bool interpolate_events(const StepReport& report, State& state, Workspace& w, Observer& observer);
  bool report_event(const LocatedEvent& passage, State& state, Observer& observer) const;
  /// The part of a signal's largest value that counts as nothing to an event.
  double event_band() const;
  void record_until(const StepReport& report, State& state, Workspace& w, Observer& observer);
  void record_between(const StepReport& report, State& state, Workspace& w, Observer& observer);
  /// Signals at an instant of the last step, in row_.
  Energies evaluate_row(double t, const double* y, State& state, Workspace& w);
  void record(double t, const double* y, State& state, Workspace& w, Observer& observer);
  void hand_over(State& state, Workspace& w, Observer& observer);

  const Model& model_;
  const Method& method_;
  std::vector<SignalDefinition> recorded_;
  bool records_forces_ = true;  // a signal shows more than places and speeds
  EventLocator locator_;
  EpisodeTable episodes_;
  ProgressWatch progress_;
  MotionWatch motions_;
  std::vector<double> row_, sample_, events_;
  std::vector<EventTrigger> triggers_before_;  // as the step began
  std::vector<LocatedEvent> passages_;         // find_events()
  std::vector<char> last_;                     // likewise
  Moments moments_;                            // record_between()
};

}  // namespace tappet
