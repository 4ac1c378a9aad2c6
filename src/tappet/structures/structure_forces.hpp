// Spring-dampers that act on nodes of structures: between two structures, or a structure and a rigid body or the ground.
//
//   d = x₂ − x₁,   x = |d| − ℓ₀,   v = e·(ẋ₂ − ẋ₁),   e = d/|d|      pull F = k x + c v, or F = f(x, v, t)
//
// as multibody/forces/spring_damper.cpp, but implicit: in a step from A to E the pull is F(x_A + θ h v, v) with v the mean
// rate along e, which is taken at the middle of the step (structures/newmark_moreau.hpp finds v by Newton's method). On a
// straight line and with θ = ½ its work is exactly −Δ(k x²/2) − h c v²; where the line turns they differ by O(h³) a step.
#pragma once

#include "tappet/multibody/kinematics.hpp"
#include "tappet/structures/structure_compliance.hpp"

namespace tappet {

class StructureForces {
 public:
  StructureForces(const Model& model, const StructureSystem& system) : model_(model), system_(system) {}

  int count() const { return static_cast<int>(model_.structure_forces.size()); }
  const StructureForce& law(int i) const { return model_.structure_forces[i]; }
  /// Some force has an end on a rigid body.
  bool on_bodies() const;

  /// The row v = row·u + body·u_bodies for displacements q of the structures and frames k of the bodies, both at the middle
  /// of the step. `body`: like the bodies' velocities; empty when there are none.
  void aim(int i, const double* q, const Kinematics* k, StructureCompliance& compliance,
           StructureCompliance::Row& row, Eigen::Ref<Eigen::VectorXd> body) const;
  /// x, at positions of the bodies, 7 numbers each.
  double elongation(int i, const double* q, const double* bodies) const;
  /// Energy stored in all of them, J.
  double potential(const double* q, const double* bodies) const;
  double potential(const double* q, const Kinematics& k) const;

  /// Method smooth: adds the forces at one instant, on the structures' unknowns and on the bodies, and their powers.
  void apply(const double* q, const double* u, const Kinematics& k, double* forces, ForceSum& sum) const;

 private:
  const Model& model_;
  const StructureSystem& system_;
};

}  // namespace tappet
