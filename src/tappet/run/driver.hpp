// The one loop of all methods: steps, samples, users' events, the impact table, the energy ledger, checkpoints, and where to stop.
#pragma once

#include <string>
#include <vector>

#include "tappet/methods/method.hpp"
#include "tappet/ode/event_location.hpp"
#include "tappet/run/controllers.hpp"
#include "tappet/run/motion_watch.hpp"
#include "tappet/run/observer.hpp"
#include "tappet/run/progress_watch.hpp"
#include "tappet/run/wear_cycles.hpp"

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
  /// One step, not beyond `until` nor beyond where a controller is due. False: an event of the user's ends the run there. A throw leaves
  /// the state as it was; what controllers have set by then stays.
  bool step(State& state, Workspace& w, Observer& observer, double until);
  /// Steps to `until`. Returns why it stopped before, a sentence; "" where it did not, or where an event of the user's did.
  std::string run(State& state, Workspace& w, Observer& observer, double until);

  /// Brings the state up to date with what the workspace and the controllers keep.
  void collect(State& state, const Workspace& w);

  const std::vector<SignalDefinition>& recorded() const { return recorded_; }
  Controllers& controllers() { return controllers_; }

 private:
  double sample_time(long k) const;
  void watch_motions(State& state, const Workspace& w);
  /// Throws where the run stands still.
  void watch_progress(const State& state, const Workspace& w, double until);
  /// A state with a component that is not a finite number is nobody's: NotFinite, after whatever could have made one.
  static void watch_numbers(const State& state);
  /// Who is to blame for such a component after a step from the state to `to`: a motion, a force, a law, a load of a structure, or not known.
  [[noreturn]] void say_not_finite(const State& state, Workspace& w, double to, int component) const;
  long last_sample() const;
  bool find_events(const StepReport& report, State& state, Workspace& w, Observer& observer);
  bool interpolate_events(const StepReport& report, State& state, Workspace& w, Observer& observer);
  bool report_event(const LocatedEvent& passage, State& state, Observer& observer);
  /// Whether a passage counts, and the step ends there since something is to be done.
  bool counts(const LocatedEvent& passage) const;
  bool ends_step(const LocatedEvent& passage, const State& state) const;
  /// Does what events of the last step ask for.
  void act(State& state, Workspace& w, Observer& observer);
  void record_at(double t, const double* y, State& state, Workspace& w, Observer& observer);
  /// The part of a signal's largest value that counts as nothing to an event.
  double event_band() const;
  void record_until(const StepReport& report, State& state, Workspace& w, Observer& observer);
  void record_between(const StepReport& report, State& state, Workspace& w, Observer& observer);
  /// Signals at an instant of the last step, in row_.
  Energies evaluate_row(double t, const double* y, State& state, Workspace& w);
  void record_fields(double t, const double* y, State& state, Workspace& w, Observer& observer);
  void record(double t, const double* y, State& state, Workspace& w, Observer& observer);
  void hand_over(State& state, Workspace& w, Observer& observer);

  const Model& model_;
  const Method& method_;
  std::vector<SignalDefinition> recorded_;
  bool records_forces_ = true;  // a signal shows more than places and speeds
  Controllers controllers_;
  EventLocator locator_;
  EpisodeTable episodes_;
  ProgressWatch progress_;
  MotionWatch motions_;
  WearCycles wear_;
  std::vector<double> row_, sample_, events_;
  std::vector<EventTrigger> triggers_before_;                               // as the step began
  std::vector<double> inputs_before_, acted_before_, acted_energy_before_;  // likewise
  std::vector<int> off_before_;
  std::vector<LocatedEvent> acting_;    // find_events()
  std::vector<LocatedEvent> passages_;  // find_events()
  std::vector<char> last_;              // likewise
  Moments moments_;                     // record_between()
};

}  // namespace tappet
