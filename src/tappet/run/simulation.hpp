// A model in motion: stepped by hand, or run from its initial state or a checkpoint to its end.
//
//   Simulation simulation(model);
//   const int height = simulation.signal("ball.y");
//   while (simulation.time() < 2) {
//     simulation.step();
//     if (simulation.value(height) < 0.1) …
//   }
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "tappet/fem/fields.hpp"
#include "tappet/model/state.hpp"
#include "tappet/run/observer.hpp"
#include "tappet/run/run_summary.hpp"

namespace tappet {

struct Model;

/// One column of the result.
struct Signal {
  std::string name;  ///< "crank.x", "energy.kinetic"
  std::string unit;  ///< "m", "J"
};

/// A contact that acts, or that method moreau looked at in its last step.
struct ContactInfo {
  std::string name;            ///< as in the model file
  std::string first, second;   ///< bodies or structures; "ground"
  ContactId id;                ///< the same as long as it is the same contact
  Vec3 point = Vec3::Zero();   ///< where it acts, m
  Vec3 normal = Vec3::Zero();  ///< from the first to the second
  double gap = 0;              ///< < 0: overlap, m
  Vec3 force = Vec3::Zero();   ///< on the second, N; method moreau: see Simulation::value()
};

class Simulation {
 public:
  /// Assembles the initial state. Throws InputError if the mechanism cannot be assembled.
  explicit Simulation(std::shared_ptr<const Model> model);
  /// The same for a model that whoever calls keeps alive.
  explicit Simulation(const Model& model);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  const Model& model() const;

  // ---- by hand ----

  /// Looks at what touches at the start, as the first step does; nothing where it has begun.
  void begin();
  /// One step of the method, not beyond the end of the model's duration as long as that is ahead; returns its length, s. Samples
  /// are counted as in run(), but nobody receives them. Throws SimulationError where it cannot go on; the state is then as it
  /// was.
  double step();
  /// The same, but not beyond `until`, for someone who receives its samples, impacts and events. False: an event of the model's
  /// ends a run here.
  bool step(Observer& observer, double until);
  /// Steps to time t, where the last of them ends. Throws std::invalid_argument for a time that has passed.
  void advance(double t);
  double time() const;

  /// All that varies, as a value. Adams and bdf keep a history besides, and begin anew from a state that was set.
  const State& state() const;
  /// Goes on from there. Throws InputError for a state that does not fit the model. Where t or y were altered since state()
  /// gave it, the next step looks anew at what touches.
  void set_state(const State& state);
  /// What save() made of a state: Observer::checkpoint received it.
  void restore(std::span<const std::byte> saved);
  Simulation clone() const;
  /// Whether what goes on from state() takes the same steps to the same bits: not with Adams and bdf, which begin anew.
  bool exact() const;
  /// Why a state of this simulation cannot be gone on from, a sentence: a controller's FMU cannot say what it remembers. "": it can.
  std::string no_way_back() const;
  /// Loads the FMUs of the model's controllers into this process, which runs their code. The first step does it where nobody has.
  /// Throws InputError for one that refuses.
  void load_controllers();

  /// Number of a signal, and its value now. Throws InputError for a name that does not exist. Method moreau knows forces as means
  /// over the last step; where none was taken from here (at the start, after set_state()), over the next one.
  int signal(std::string_view name) const;
  double value(int signal) const;
  double value(std::string_view name) const { return value(signal(name)); }
  std::vector<ContactInfo> contacts() const;

  /// Numbers that the model lets others set (its section `inputs`), with their units of the SI.
  const std::vector<Signal>& inputs() const;
  /// Number of an input. Throws InputError for a name that does not exist.
  int input(std::string_view name) const;
  double input_value(int input) const;
  /// An input keeps its value until it is set again; it acts from here on. Bodies whose speed a motion prescribes by it go at once as
  /// it says. Throws InputError for what is not a finite number, SimulationError where the model cannot follow; the
  /// state is then as it was.
  void set_input(int input, double value);
  void set_input(std::string_view name, double value) { set_input(input(name), value); }
  /// All of them at once, in the order of inputs().
  void set_inputs(std::span<const double> values);

  /// Of u̇ in M u̇ = h + Jᵀ λ at the present state, bodies first, then structures. In space a body's angular velocity is in its
  /// own axes.
  Eigen::MatrixXd mass_matrix() const;
  /// J, of joints and motions; contacts are not among them.
  Eigen::MatrixXd constraint_jacobian() const;
  /// h of the bodies: applied and gyroscopic forces.
  Eigen::VectorXd forces() const;

  // ---- whole runs ----

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

  /// Runs to the end. Never throws for what happens in the simulation: the summary says why it stopped.
  RunSummary run(Observer& observer);

 private:
  struct Data;
  explicit Simulation(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

}  // namespace tappet
