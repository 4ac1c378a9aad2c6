// Equality rows taken out of a dense problem by a Schur complement, so that a solver need only know
// complementarity.
//
//   | A  B | |x|   |p|   |0|        x = −A⁺ (p + B z)
//   | C  D | |z| + |q| = |w|   →    w = (D − C A⁺ B) z + q − C A⁺ p
//
// A may be singular, as that of redundant constraints is: it is factored with full pivoting and unknowns
// beyond its rank are set to zero. When the rows beyond the rank contradict the others, x leaves a residual
// there and the shared residual says so.
#pragma once

#include <Eigen/LU>

#include "tappet/lcp/problem.hpp"

namespace tappet::lcp {

class Elimination {
 public:
  /// The problem without its first `equalities` rows and columns, which may be none; M is turned dense if it
  /// is not.
  void reduce(const Matrix& m, const Eigen::VectorXd& q, int equalities, Eigen::MatrixXd& reduced_m,
              Eigen::VectorXd& reduced_q);
  /// z = (x, reduced_z).
  void expand(const Eigen::VectorXd& reduced_z, Eigen::VectorXd& z) const;
  /// The proof of infeasibility of the problem that goes with one of the reduced problem.
  Eigen::VectorXd expand_ray(const Matrix& m, const Eigen::VectorXd& reduced_y) const;

 private:
  Eigen::MatrixXd dense_;
  Eigen::FullPivLU<Eigen::MatrixXd> lu_;  ///< of A
  Eigen::MatrixXd solved_;                ///< A⁺ (B, p)
  Eigen::MatrixXd permuted_;
};

}  // namespace tappet::lcp
