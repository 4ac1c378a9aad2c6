// Friction in ideal joints at one instant: loads N that agree with the reactions that they take part in.
//
//   M u̇ = h + Jᵀ λ + Σ N_b d_b,   J u̇ = γ       d_b: generalised direction of the friction in joint b per unit load, −μ(v) v/|v|
//   λ = λ₀ + Σ N_b λ_b                            λ₀ without friction, λ_b from d_b alone
//   N_b = N₀_b + ‖λ‖_b = g_b(N)                    ‖·‖_b: the norm of joint_friction.hpp
//
// Uniqueness. A norm changes by no more than the norm of the change: |g_b(N) − g_b(N')| ≤ Σ_c ‖λ_c‖_b |N_c − N'_c| = (Q |N − N'|)_b.
// With the spectral radius ρ(Q) < 1 the map is a contraction (in the norm that Q's Perron vector weighs), so that there is one N. At ρ ≥ 1
// friction presses the joints by itself as much as it is pressed: they lock themselves, there may be no N or several, and the run ends
// with a sentence. Joints that stick have d = 0: what holds them is the multiplier of a constraint.
//
// N is found by Broyden's method from N of no friction, to rounding: an evaluation remains a function of time and state alone.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "tappet/multibody/dynamics.hpp"

namespace tappet {

class Bearings {
 public:
  explicit Bearings(const Mechanism& mechanism, const ConstraintSystem& constraints);

  /// Adds friction to accelerations, multipliers, forces and powers that are known without it; constraints are factorised.
  void solve(const Mechanism& mechanism, DynamicsWorkspace& w);

  /// Multipliers that others add later (contacts of rigid bodies): they load the joints too. Sized like λ.
  std::vector<double> others;

 private:
  void find_directions(const Mechanism& mechanism, DynamicsWorkspace& w);
  void find_loads(const Mechanism& mechanism, DynamicsWorkspace& w, const Eigen::VectorXd& N,
                  Eigen::VectorXd& out);
  void refuse_self_locking(const Mechanism& mechanism, DynamicsWorkspace& w);

  int count_;
  Eigen::MatrixXd h_, x_, lambda_;  // one column a bearing; find_directions()
  Eigen::VectorXd first_;           // λ₀
  std::vector<ContactForce> unit_;  // per unit load
  std::vector<char> slides_;
  std::vector<double> zero_, along_;
};

}  // namespace tappet
