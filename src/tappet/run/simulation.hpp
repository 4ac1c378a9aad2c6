// A run of one model: from its initial state, or from a checkpoint, to its end.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tappet/fem/fields.hpp"

namespace tappet {

struct Model;
class Run;

/// One column of the result.
struct Signal {
  std::string name;  ///< "crank.x", "energy.kinetic"
  std::string unit;  ///< "m", "J"
};

/// One row of the impact table: a contact from first touch to separation.
struct Impact {
  int contact = 0;  ///< index in Simulation::contact_names()
  double start = 0, end = 0;
  double speed_in = 0, speed_out = 0;
  double restitution = 0;  ///< realised: speed_out / speed_in
  double requested = 0;    ///< as asked of the law
  double max_penetration = 0, peak_force = 0, impulse = 0;
};

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
  virtual void sample(std::span<const double> row) = 0;
  /// A structure as it was at the sample just given, once in every Simulation::field_samples() of them.
  virtual void fields(int structure, const fem::Fields& fields) { (void)structure, (void)fields; }
  /// False: nobody looks at fields, and none are made.
  virtual bool wants_fields() const { return false; }
  virtual void impact(const Impact&) {}
  virtual void event(const EventRecord&) {}
  /// Asked after every step: should a checkpoint be made now (wall clock)? Must be cheap.
  virtual bool checkpoint_due() { return false; }
  /// Everything that a bit-exact continuation needs, always of the same length. What came before must be safe
  /// in the file before this is.
  virtual void checkpoint(std::span<const double> state) { (void)state; }
  virtual void progress(double t, double t_end) { (void)t, (void)t_end; }
  /// Asked after every step: should the run end here (Ctrl-C)? The state is then offered as a last
  /// checkpoint. Must be cheap.
  virtual bool stop_requested() { return false; }
};

struct RunSummary {
  bool completed = false;
  std::string stop_reason;  ///< why a run stopped before its end, a sentence; empty when completed
  double t_end = 0;         ///< time reached
  double wall_seconds = 0;  ///< the simulation loop alone
  long steps = 0, rejected = 0, evaluations = 0;
  long samples = 0, impacts = 0, events = 0;
  int bodies = 0, constraints = 0, redundant = 0, degrees_of_freedom = 0;
  double energy_residual = 0;        ///< largest |residual| of the ledger, relative to the energy that moved
  double max_first_penetration = 0;  ///< m
  double love_ratio = 0;             ///< largest impact speed over Love's limit; 0: none is known
  double constraint_violation = 0;   ///< largest |Φ| at the end of a step, m (angles in rad)
  std::string method, integrator;    ///< what ran ("auto" resolved)
  std::vector<std::string>
      notes;  ///< what was derived or assumed: stiffness from materials, redundant joints, ...
  std::vector<std::string> warnings;  ///< what the user should look at
};

class Simulation {
 public:
  /// Assembles the initial state. Throws InputError if the mechanism cannot be assembled.
  explicit Simulation(const Model& model);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// The columns of a sample after time: those that the model's `output.signals` selects.
  const std::vector<Signal>& signals() const;
  const std::vector<std::string>& contact_names() const;
  const std::vector<std::string>& event_names() const;
  /// Structures whose fields are recorded, and at every how many samples, the first included; 0: not at all.
  std::vector<fem::FieldMesh> field_meshes() const;
  long field_samples() const;
  /// What is known before the run: bodies, constraints, redundant, degrees of freedom, method, integrator,
  /// notes, warnings.
  RunSummary describe() const;

  /// Continues from what Observer::checkpoint received.
  void restore(std::span<const double> checkpoint);
  std::size_t checkpoint_length() const;

  /// Runs to the end. Never throws for what happens in the simulation: the summary says why it stopped.
  RunSummary run(Observer& observer);

 private:
  std::unique_ptr<Run> run_;  ///< the method's working data
};

}  // namespace tappet
