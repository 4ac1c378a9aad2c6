// Who receives what a run produces.
#pragma once

#include <limits>
#include <span>
#include <string>

#include "tappet/fem/fields.hpp"
#include "tappet/model/impact.hpp"
#include "tappet/model/state.hpp"

namespace tappet {

/// A user's event that was located.
struct EventRecord {
  int event = 0;  ///< index in Simulation::event_names()
  double time = 0;
};

/// Receives what a run produces, in order of time.
class Observer {
 public:
  virtual ~Observer() = default;
  /// One row: time, then the signals in the order of Simulation::signals().
  virtual void sample(std::span<const double> row) { (void)row; }
  /// Likewise, at an instant between samples that these would miss: where a contact's force or penetration is largest, and the steps of
  /// impacts that last a few output steps at most. It comes after the samples of its step.
  virtual void between(std::span<const double> row) { (void)row; }
  /// False: nobody looks at these, and none are made.
  virtual bool wants_between() const { return false; }
  /// A structure as it was at the sample just given, once in every Simulation::field_samples() of them.
  virtual void fields(int structure, const fem::Fields& fields) { (void)structure, (void)fields; }
  /// False: nobody looks at fields, and none are made.
  virtual bool wants_fields() const { return false; }
  /// The next instant at which it wants a row whatever the output step is, beyond the model's duration too; asked within every step.
  virtual double next_look() const { return std::numeric_limits<double>::infinity(); }
  /// That row. After it next_look() must be later.
  virtual void look(std::span<const double> row) { (void)row; }
  virtual void impact(const Impact&) {}
  virtual void event(const EventRecord&) {}
  /// Asked after every step: should a checkpoint be made now (wall clock)? Must be cheap.
  virtual bool checkpoint_due() { return false; }
  /// The state, from which the run goes on to the same bits. What came before must be safe in the file before this is.
  virtual void checkpoint(const State& state) { (void)state; }
  /// The state in which the run ended: when its duration was over, or an event of the user's stopped it.
  virtual void end(const State& state) { (void)state; }
  virtual void progress(double t, double t_end) { (void)t, (void)t_end; }
  /// Asked after every step: should the run end here (Ctrl-C)? The state is then offered as a last
  /// checkpoint. Must be cheap.
  virtual bool stop_requested() { return false; }
};

}  // namespace tappet
