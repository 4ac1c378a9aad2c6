// What holds in statics: friction at rest, and contacts of rigid bodies (statics.hpp has the equations).
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "tappet/multibody/dynamics.hpp"

namespace tappet {

class StaticHolds {
 public:
  explicit StaticHolds(const Mechanism& mechanism);

  /// Some contact holds, or may.
  bool any() const { return !holds_.empty(); }

  /// Reference of the steps that follow: the workspace's frames, with forces and multipliers there.
  void refer(const DynamicsWorkspace& w);
  /// Adds the forces after a displacement d (like u) from the reference to the generalised forces f (like u), at the workspace's frames.
  void add(const DynamicsWorkspace& w, const Eigen::VectorXd& d, Eigen::VectorXd& f);
  /// After refer(): how displacements slide in joints with friction, a row each.
  Eigen::MatrixXd sliding_in_joints() const;
  /// What the last add() gave is the friction that they hold from now on.
  void keep();
  /// The same of the normal forces of rigid contacts, where everything else is balanced: gaps are then as far from 0 as ρ let them be.
  void press_on();

  // ---- the linear model of a step ----
  //
  // Each sticks, ΔT = −ρ s, or slides, ΔT = μ_s N t/|t| − T with t = T − ρ s. Which of the two, the step that follows from it shows.

  /// After add() at the reference: what is at its limit slides.
  void begin_step();
  /// Modes after a displacement d; true: they changed.
  bool decide(const Eigen::VectorXd& d);
  /// ∂(Nᵀ f)/∂y with the sign of a stiffness, and Nᵀ ΔT of what slides at y = 0; d = N y.
  Eigen::MatrixXd stiffness_along(const Eigen::MatrixXd& N) const;
  Eigen::VectorXd sliding_along(const Eigen::MatrixXd& N) const;
  /// Something slides in the linear model.
  bool any_slides() const;
  /// Nᵀ ΔT after a displacement, with the normal forces of the reference.
  Eigen::VectorXd change_along(const Eigen::MatrixXd& N, const Eigen::VectorXd& d) const;
  /// add() then leaves ΔT out, but for what follows from normal forces where it slides.
  void freeze(bool on) { frozen_ = on; }

  /// ρ, N/m.
  void set_stiffness(double rho) { rho_ = rho; }
  double stiffness() const { return rho_; }
  /// The largest gap of rigid contacts that press, or penetration, after add(), m.
  double opening() const { return opening_; }
  /// Friction laws that give no force at rest, of contacts that touch: a sentence each.
  std::vector<std::string> notes(const DynamicsWorkspace& w) const;

 private:
  struct Hold {
    const ContactPoint* contact = nullptr;
    double mu = 0;                 // that holds at rest
    double normal = 0;             // kept: rigid contacts; bearings: load at the reference
    Vec3 friction = Vec3::Zero();  // kept: world axes; bearings: along their rows
    double normal_now = 0, gap_now = 0;
    bool presses = false;  // in the linear model: a rigid contact that is closed
    Vec3 friction_now = Vec3::Zero();
    Vec3 tangent[2];              // at the reference
    Eigen::MatrixXd directions;   // at the reference: how far a displacement slides along these
    bool slides = false;          // in the linear model
    double most = 0;              // at the reference: μ_s N
    Eigen::VectorXd held, limit;  // friction kept, and where it slides, along the directions
    Eigen::VectorXd trial, slid;  // where it slides: t and s, about which the model is linear
  };
  void along(const DynamicsWorkspace& w, const Hold& hold, const Touch& touch, const Vec3& force);
  int directions_of(const Hold& hold) const;
  Eigen::MatrixXd stiffness_of(const Hold& hold) const;
  static Eigen::VectorXd components(const Hold& hold, const Vec3& force);

  const Mechanism& m_;
  std::vector<Hold> holds_;
  double rho_ = 0, opening_ = 0, opening_before_ = HUGE_VAL;
  bool frozen_ = false;
  mutable std::vector<double> frames_;  // forces on frames
};

}  // namespace tappet
