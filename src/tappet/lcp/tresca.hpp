// Friction between contacts whose normal forces are known: discs of given radii in place of cones.
//
//   minimise ½ (λ − λ*)ᵀ A (λ − λ*)   over   ‖λ_i‖ ≤ r_i                A symmetric, positive definite
//
// λ* are the tangential forces that would hold every contact, A what unit forces do to their accelerations of sliding. So
// g = A (λ − λ*) are the accelerations that are left, and what the minimum says of a contact is Coulomb's law as it starts to slide:
//
//   ‖λ_i‖ < r_i:  g_i = 0            ‖λ_i‖ = r_i:  g_i = −α λ_i,  α ≥ 0
//
// The problem is convex, so the accelerations are unique, and they vanish if and only if some λ within the discs holds all contacts,
// however many they are. Where contacts repeat each other λ is unique by the compliance that A has.
#pragma once

#include <vector>

#include <Eigen/Core>
#include <Eigen/LU>

namespace tappet::lcp {

class Tresca {
 public:
  /// D unknowns per contact, 1 or 2. `lambda`: a guess, and the solution. True when it meets the conditions to a millionth of the
  /// largest disc; else the nearest found.
  bool solve(const Eigen::MatrixXd& A, const Eigen::VectorXd& holding, const std::vector<double>& radii,
             int dimension, Eigen::VectorXd& lambda);
  /// g at the solution.
  const Eigen::VectorXd& accelerations() const { return g_; }

 private:
  void sweep(const Eigen::MatrixXd& A, const std::vector<double>& radii, Eigen::VectorXd& lambda);
  double evaluate(const Eigen::MatrixXd& A, const Eigen::VectorXd& lambda, const std::vector<double>& radii);
  void differentiate(const Eigen::MatrixXd& A, const std::vector<double>& radii);

  int d_ = 1;
  Eigen::VectorXd holding_, scale_, g_, x_, phi_, step_, trial_;
  Eigen::MatrixXd jacobian_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

}  // namespace tappet::lcp
