// The model as an ordinary differential equation on its constraint manifold: y = (q, u, z).
#pragma once

#include <memory>
#include <vector>

#include "tappet/model/signals.hpp"
#include "tappet/multibody/group_forces.hpp"
#include "tappet/nonsmooth/rigid_contacts.hpp"
#include "tappet/ode/ode_system.hpp"

namespace tappet {

class SmoothSystem final : public OdeSystem {
 public:
  explicit SmoothSystem(const Model& model);

  int size() const override { return nq_ + nu_ + nz_; }
  void derivative(double t, const double* y, double* dydt) override;
  double condition() const override { return condition_; }
  void evaluate_on_manifold(bool on) override { on_manifold_ = on; }
  bool project(double t, double* y) override;
  void arrive(double t, double* y, double* dydt) override;
  bool project_error(double t, const double* y, double* error) override;
  void error_scale(double t, const double* y, double* scale) override;
  int event_count() const override { return static_cast<int>(model_.events.size()); }
  std::string component_name(int i) const override;
  std::string not_finite_cause(double t, const double* y) override;
  void event_values(double t, const double* y, double* g) override;
  /// What is much for an event's signal: the mechanism's length, a speed that gravity or the run's duration suggest, 1 rad.
  double event_scale(int event) const;
  /// Gaps: their error is held to the clearance while apart, to the penetration while touching.
  double extra_error(double t, const double* y, const double* error) override;

  /// Accelerations, reactions and all else at (t, y); what signals are read from.
  const DynamicsWorkspace& evaluate(double t, const double* y);
  const DynamicsWorkspace& workspace() const { return w_; }
  DynamicsWorkspace& workspace() { return w_; }
  /// Frames alone at (t, y), kept apart from the workspace. Asked for again where they are, they are not computed again.
  const Kinematics& frames(double t, const double* y);
  /// Acceleration that forces f alone would cause at the last evaluate().
  void respond(const double* f, const double* zero_rows, double* acceleration, double* lambda) {
    w_.constraints.solve(f, zero_rows, acceleration, lambda);
  }

  /// Of method smooth with groups of contacts; else null.
  GroupForces* group_forces() { return group_forces_.get(); }
  const GroupForces* group_forces() const { return group_forces_.get(); }

  /// Of method event-driven; else null.
  RigidContacts* rigid_contacts() { return rigid_.get(); }
  const RigidContacts* rigid_contacts() const { return rigid_.get(); }

  /// What the contacts remember; changed at events only.
  std::vector<ContactState>& contact_states() { return contacts_; }
  const std::vector<ContactState>& contact_states() const { return contacts_; }

  /// Rows that depend on others wherever the mechanism has been: part of the state.
  int dropped_rows() const { return dropped_rows_; }
  void set_dropped_rows(int rows) { dropped_rows_ = rows; }

  /// Largest |Φ| at the end of a step so far, after projection.
  double constraint_violation = 0;

  const double* q(const double* y) const { return y; }
  const double* u(const double* y) const { return y + nq_; }
  const double* z(const double* y) const { return y + nq_ + nu_; }

 private:
  bool project_joints(double t, double* y);
  void put_rates(const double* y, double* dydt);

  const Model& model_;
  const Mechanism& mechanism_;
  int nq_, nu_, nz_;
  DynamicsWorkspace w_;
  Kinematics frames_;
  std::vector<double> frames_at_;  // q and u of these frames
  std::vector<ContactState> contacts_;
  std::unique_ptr<GroupForces> group_forces_;
  std::unique_ptr<RigidContacts> rigid_;  // method event-driven: reactions of closed contacts
  std::vector<double> nearest_;           // like y; derivative()
  bool on_manifold_ = false;
  bool at_end_ = false;   // project(): frames and constraints of the workspace are those of the state it left
  double condition_ = 1;  // derivative()
  int dropped_rows_ = 1 << 30;  // rows that depend on others wherever the mechanism is; derivative()
  std::vector<double> displacement_, change_;    // like u and like q; project_error()
  std::vector<SignalDefinition> event_signals_;  // of the events
};

}  // namespace tappet
