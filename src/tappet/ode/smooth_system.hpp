// The model as an ordinary differential equation on its constraint manifold: y = (q, u, z).
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "tappet/model/signals.hpp"
#include "tappet/multibody/passing_contacts.hpp"
#include "tappet/nonsmooth/rigid_contacts.hpp"
#include "tappet/ode/elastic_block.hpp"
#include "tappet/ode/ode_system.hpp"

namespace tappet {

class SmoothSystem final : public OdeSystem {
 public:
  explicit SmoothSystem(const Model& model);

  /// Elastic parts join the bodies: y = (q, u, z, q and u of the elastic parts).
  void attach(std::unique_ptr<ElasticBlock> elastic);

  int size() const override { return nq_ + nu_ + nz_ + 2 * ne_; }
  void derivative(double t, const double* y, double* dydt) override;
  double condition() const override { return condition_; }
  void evaluate_on_manifold(bool on) override { on_manifold_ = on; }
  bool project(double t, double* y) override;
  void arrive(double t, double* y, double* dydt) override;
  bool project_error(double t, const double* y, double* error) override;
  void error_scale(double t, const double* y, double* scale) override;
  bool eases_newton() const override { return elastic_ != nullptr; }
  void prepare_newton(double gamma) override { elastic_->prepare_newton(gamma); }
  void solve_newton(const double* r, double* x) override;
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

  /// Of method smooth: contacts that come and go, of groups and of elastic parts.
  const std::vector<PassingContacts*>& passing() const { return passing_; }
  ElasticBlock* elastic() { return elastic_.get(); }
  const ElasticBlock* elastic() const { return elastic_.get(); }

  /// Of method event-driven; else null.
  RigidContacts* rigid_contacts() { return rigid_.get(); }
  const RigidContacts* rigid_contacts() const { return rigid_.get(); }

  /// As they are now, in the model's order.
  const std::vector<double>& inputs() const { return inputs_; }
  void set_inputs(const std::vector<double>& inputs);
  /// The same in the course of a run. A motion whose prescribed speed jumps with them takes its bodies along at once, by an impulse whose
  /// work goes into the ledger. Contacts take no part: what sticks lets go, since friction is bounded. True: velocities changed.
  bool jump(const std::vector<double>& inputs, double t, double* y);

  /// Which switches are off, as in the state that is taken over; what remembers nothing of it.
  void adopt_off(const std::vector<int>& off) {
    std::copy(off.begin(), off.end(), off_.begin());
    if (frames_at_.size() > 0) frames_at_[0] = std::numeric_limits<double>::quiet_NaN();
  }
  /// The same in the course of a run: joints and motions that come back are closed, speeds with them. True: velocities changed. Throws
  /// SimulationError where one does not fit.
  bool set_off(const std::vector<int>& off, double t, double* y);

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
  /// Displacements of elastic parts, and their velocities behind these.
  const double* elastic(const double* y) const { return y + nq_ + nu_ + nz_; }

 private:
  bool project_joints(double t, double* y);
  void load_bearings(double t, const double* y);
  void put_rates(const double* y, double* dydt);
  void see_elastic(const double* y, Kinematics& k) const {
    if (ne_ > 0) k.elastic_q = elastic(y), k.elastic_u = elastic(y) + ne_;
  }

  const Model& model_;
  const Mechanism& mechanism_;
  int nq_, nu_, nz_, ne_ = 0;
  DynamicsWorkspace w_;
  Kinematics frames_;
  std::vector<double> frames_at_;  // q and u of these frames
  std::vector<ContactState> contacts_;
  std::vector<double> inputs_;
  std::vector<int> off_;  // who evaluates points to them
  std::unique_ptr<PassingContacts> group_forces_;
  std::unique_ptr<ElasticBlock> elastic_;
  std::vector<PassingContacts*> passing_;  // of these two
  std::unique_ptr<RigidContacts> rigid_;   // method event-driven: reactions of closed contacts
  std::vector<double> nearest_;            // like y; derivative()
  bool on_manifold_ = false;
  bool at_end_ = false;   // project(): frames and constraints of the workspace are those of the state it left
  double condition_ = 1;  // derivative()
  int dropped_rows_ = 1 << 30;  // rows that depend on others wherever the mechanism is; derivative()
  std::vector<double> displacement_, change_;    // like u and like q; project_error()
  std::vector<SignalDefinition> event_signals_;  // of the events
};

}  // namespace tappet
