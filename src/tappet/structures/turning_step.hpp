// One step of a structure whose elements turn (fem/corotational.hpp), by the midpoint rule that keeps energy and both momenta.
//
//   x_E = x_A + h v,  R_E = R_A cay(h Ω),     v = (1 − θ) v_A + θ v_E,  Ω = (1 − θ) Ω_A + θ Ω_E in the node's own axes
//   M (v_E − v_A) = h (f − α M v − Σ B̄ᵀ [K ((1 − θ) d_A + θ d_E) + C Δd/h])
//   cay(h Ω) J Ω_E − J Ω_A = h R_Aᵀ m                                          Δ(R J Ω) = h m      [Simo & Wong 1991]
//
// Rotations are unknown as the node's angular velocity in its own axes, in which its inertia J stays; m is the moment in world axes.
// Cayley's vector h Ω is the same in the node's axes at both ends, so (h Ω)·Δ(J Ω) is the work of m: for θ = ½ energy is kept to the
// tolerance of Newton's method, and the momenta are to rounding (element_frame.hpp).
//
// Newton's method solves with a matrix taken once per step where half a step at the old velocities leads, in the axes that nodes have as
// the step begins. It is made symmetric; only the number of iterations depends on that.
#pragma once

#include <vector>

#include "tappet/fem/corotational.hpp"
#include "tappet/linalg/symmetric_csr.hpp"

namespace tappet {

class TurningStep {
 public:
  /// M: of the free unknowns.
  TurningStep(const fem::Structure& s, const SymmetricCsr& M);

  /// A step begins at q with the velocities u.
  void begin(const double* q, const double* u, double h, double theta);
  /// Adds θ² h² K + θ h C less what grows with the load unless `with_load`, about where v leads in half the step.
  void add_tangent(const double* v, bool with_load, SymmetricCsr& out) const;
  /// With the velocities v in the step and u_A + `change` at its end: forces of elements and damping by mass on the free unknowns, and
  /// over h what inertia of rotations has beyond J ΔΩ. In the axes of the nodes.
  void forces(const double* v, const double* change, double* out);
  /// What damping took in the step that forces() was asked about last, J.
  double loss() const { return loss_; }
  double step() const { return h_; }
  /// World axes to those of the nodes as the step begins.
  void to_nodes(double* f) const;
  /// Rotation vectors at the end of the step, with the velocities v; displacements are left alone.
  void turn(const double* v, double* q) const;

  double energy(const double* q) const;
  /// How a node is turned as the step begins.
  const Mat3& rotation(int node) const { return from_.R[node]; }
  /// y between q0 and q1, both rotation vectors, where `part` of the way is done.
  void between(const double* q0, const double* q1, double part, double* q) const;

 private:
  struct Turning {  // a node with rotations
    int node = 0;
    int at[3];  // its rotations among the free unknowns; −1: held
    Mat3 J;
  };
  static Vec3 pick(const Turning& t, const double* x);
  static void put(const Turning& t, const Vec3& v, double* x);
  fem::TurnedShape moved(const double* v, double time) const;

  const fem::Structure& s_;
  const SymmetricCsr& M_;
  fem::Corotational elements_;
  std::vector<Turning> turning_;
  std::vector<int> turning_of_;  // of each node; −1: it does not turn
  double h_ = 0, theta_ = 0.5, loss_ = 0;
  fem::TurnedShape from_;
  std::vector<double> u_, work_;
};

}  // namespace tappet
