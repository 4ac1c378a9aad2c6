// Elastic parts beside the rigid bodies, as the integrator's system sees them: unknowns q with velocities u = q̇, which follow the
// bodies' variables in y.
//
//   M u̇ = f(t, q, u) + forces of contacts and springs, which act on the bodies too
//
// A step of an integrator asks in this order: apply() gathers the forces that both sides exchange, accelerations() solves for u̇.
#pragma once

#include "tappet/multibody/passing_contacts.hpp"

namespace tappet {

class ElasticBlock : public ForceSource {
 public:
  virtual int unknowns() const = 0;

  /// u̇ at the frames of the last apply(). Returns the power of supports that move, W.
  virtual double accelerations(const Kinematics& k, double* a) = 0;
  /// Rates of the contacts' auxiliary variables at the last apply().
  virtual void auxiliary_rates(double* zdot) const = 0;
  /// Puts unknowns whose motion is prescribed where they are at t. True when something was moved.
  virtual bool hold(double t, double* q, double* u) = 0;
  /// What errors of q and u are compared with.
  virtual void error_scale(const double* u, double* of_q, double* of_u) const = 0;
  /// Contacts under force laws; null: there are none.
  virtual PassingContacts* contacts() = 0;

  /// For Newton's method of implicit integrators: x ≈ (I − γ ∂(q̇, u̇)/∂(q, u))⁻¹ r, both of 2n numbers, after prepare_newton(γ).
  virtual void prepare_newton(double gamma) = 0;
  virtual void solve_newton(const double* r, double* x) = 0;
};

}  // namespace tappet
