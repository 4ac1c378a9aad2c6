// A method advances a state by one step. It keeps nothing itself: what varies is in the State, what can be recomputed in the
// Workspace.
//
//   method.begin(model, state, w)           a new state: contacts that are closed already
//   StepReport r = method.step(model, state, w, until)
//   method.interpolate(…), evaluate(…)      samples inside the step; method.rewind(…) where an event came before its end
//   method.settle(model, state, w)          what changes at the end of the step: contacts begin, end, strike, stick or slip
//   method.undo(model, state, w)            where one of these threw
//
// A workspace goes with one state. After the state was set to another, adopt() brings the workspace up to date; what the
// workspace remembers in a form of its own (by slots, as columns of matrices), collect() writes into the state.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tappet/fem/fields.hpp"
#include "tappet/model/impact.hpp"
#include "tappet/model/method.hpp"
#include "tappet/model/model.hpp"
#include "tappet/model/signals.hpp"
#include "tappet/model/state.hpp"
#include "tappet/ode/scheme.hpp"
#include "tappet/ode/smooth_system.hpp"

namespace tappet {

/// Two instants nearer than this part of a step of fixed length are one: a sample, the end of a step, the end of a run.
inline constexpr double same_instant = 1e-9;

struct StepReport {
  double from = 0, to = 0;       ///< s
  bool contact_changes = false;  ///< at its end, by settle()
};

/// Everything recomputable, and the room that a step needs; each method derives its own.
struct Workspace {
  explicit Workspace(const Model& model) : system(model) {}
  virtual ~Workspace() = default;

  SmoothSystem system;             ///< forces, reactions and accelerations at one instant
  std::vector<ContactStep> steps;  ///< contacts that carried load in the last step, ascending; step()
  ImpactList finished;             ///< touches that have ended; who takes the rows clears them
};

/// Instants of a step that samples would miss, under force laws.
struct Moments {
  std::vector<double>
      peaks;  ///< s: where the force or the penetration of a contact is largest, or its force sets in
  bool young = false;  ///< a contact lasts that began a short while ago
  /// Where forces are means over steps, and whether one is a peak is known a step later (Method::held()): in this step a contact's force or
  /// penetration rose; one that had risen fell; no contact is young.
  bool rose = false, fell = false, lasting = false;
};

struct Energies {
  double kinetic = 0, potential = 0;  ///< J
};

class Method {
 public:
  virtual ~Method() = default;

  /// What advances the state, with "auto" resolved.
  virtual std::string integrator() const = 0;
  virtual std::unique_ptr<Workspace> make_workspace(const Model& model) const = 0;
  /// Adds to a new state what this method keeps in it, and checks what it cannot do.
  virtual void prepare(const Model& model, State& state, Workspace& w) const = 0;
  /// Before the first step: contacts that are closed from the start.
  virtual void begin(const Model& model, State& state, Workspace& w) const = 0;
  /// The state was set from outside. Throws std::invalid_argument for one that does not fit.
  virtual void adopt(const Model& model, const State& state, Workspace& w) const = 0;
  virtual void collect(const Model& model, const Workspace& w, State& state) const = 0;
  /// False: a state collected now continues by a restart, not by the same steps (multistep integrators).
  virtual bool exact(const Workspace& w) const {
    (void)w;
    return true;
  }

  /// One step, not beyond `until`, to where a contact changes at the latest.
  virtual StepReport step(const Model& model, State& state, Workspace& w, double until) const = 0;
  /// Carries out what changes at the end of the step.
  virtual void settle(const Model& model, State& state, Workspace& w) const = 0;
  /// After step() or settle() threw a SimulationError: state and workspace as they were before step().
  virtual void undo(const Model& model, State& state, Workspace& w) const = 0;
  /// State::inputs were set from outside: forces jump here, and speeds of bodies that motions drive.
  virtual void disturbed(const Model& model, State& state, Workspace& w) const = 0;

  /// State::off and State::inputs were changed by an event: joints and motions come and go, and all follows that disturbed() says. go_on()
  /// must come next, when the state has been put in order.
  virtual void switched(const Model& model, State& state, Workspace& w) const = 0;
  virtual void go_on(const Model& model, State& state, Workspace& w) const {
    (void)model, (void)state, (void)w;
  }

  /// False: forces are means over a step, and none was taken from where the state is.
  virtual bool knows_forces(const Workspace& w) const {
    (void)w;
    return true;
  }

  /// y inside the last step.
  virtual void interpolate(const Model& model, const State& state, Workspace& w, double t,
                           double* y) const = 0;
  /// After step() and before settle(): moments of the last step. A contact is young for this time, s.
  virtual void moments(const Model& model, const State& state, Workspace& w, double young,
                       Moments& out) const {
    (void)model, (void)state, (void)w, (void)young, (void)out;
  }
  /// The row at the end of the last step in which a force or penetration rose: part of the state, kept by the driver; null: moments()
  /// tells peaks at once.
  virtual std::vector<double>* held(State& state) const {
    (void)state;
    return nullptr;
  }
  /// The dense output of the last step, on which events are located; null: linear between its ends, and events do not cut it.
  virtual const Scheme* dense(const Workspace& w) const {
    (void)w;
    return nullptr;
  }
  /// Ends the last step at t, where an event came before its end; with dense output only.
  virtual void rewind(const Model& model, State& state, Workspace& w, double t) const {
    (void)model, (void)state, (void)w, (void)t;
  }

  /// Frames and, with `forces`, accelerations and reactions at (t, y) of the last step, for signals.
  virtual const DynamicsWorkspace& evaluate(const Model& model, const State& state, Workspace& w, double t,
                                            const double* y, bool forces) const = 0;
  /// After evaluate(): values of signals. `energy` is what energies() gives there.
  virtual void signals(const Model& model, const State& state, Workspace& w, const Energies& energy,
                       const std::vector<SignalDefinition>& signals, const double* y, double* out) const;
  /// After evaluate().
  virtual Energies energies(const Model& model, const State& state, Workspace& w, const double* y) const;
  /// Whether the energy ledger holds between the ends of a step.
  virtual bool ledger_inside_steps() const { return true; }
  /// Structures as they are at y.
  virtual void fields(const Model& model, const State& state, Workspace& w, const double* y, int structure,
                      fem::Fields& out) const;
  /// How far structures have turned from where they began, rad.
  virtual double largest_turn(const Workspace& w, const double* y) const {
    (void)w, (void)y;
    return 0;
  }
  /// Contacts that touch, after evaluate() at the state.
  virtual void contacts(const Model& model, const State& state, Workspace& w,
                        std::vector<ContactLoad>& out) const;

  /// M of the bodies, then of structures, in the coordinates of u.
  virtual Eigen::MatrixXd mass_matrix(const Model& model, Workspace& w) const;

  /// What keeps the last steps as short as they were, for a run that stands still; "": not known.
  virtual std::string step_limit(const Model& model, const Workspace& w) const {
    (void)model, (void)w;
    return "";
  }

  /// What to tell about the run so far.
  virtual void report(const Model& model, const State& state, const Workspace& w,
                      std::vector<std::string>& notes, std::vector<std::string>& warnings) const {
    (void)model, (void)state, (void)w, (void)notes, (void)warnings;
  }
};

}  // namespace tappet
