// Semismooth Newton on the Fischer–Burmeister function, for dense Lcp.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>

#include "tappet/lcp/residual.hpp"

namespace tappet::lcp {

class FischerBurmeisterNewton {
 public:
  /// Improves z until the residual is within `tolerance`; returns the number of steps. z is the best point
  /// seen.
  int solve(const MlcpView& problem, double tolerance, int max_steps, Measure& measure, Eigen::VectorXd& z);

 private:
  /// Φ at z, w = M z + q; returns ½‖Φ‖².
  double merit(const Eigen::VectorXd& z, const Eigen::VectorXd& w, const Eigen::VectorXd& scale,
               Eigen::VectorXd& phi) const;
  void fill_jacobian(const Eigen::MatrixXd& m, const Eigen::VectorXd& z, const Eigen::VectorXd& w,
                     const Eigen::VectorXd& scale);
  /// Newton's direction, or Levenberg–Marquardt's when that is not one of descent.
  bool find_direction(double psi);
  /// The exact solution of the equations that the signs at z suggest, when it is better.
  void polish(const MlcpView& problem, const Eigen::MatrixXd& m, Measure& measure, Eigen::VectorXd& z,
              double& best);

  Eigen::MatrixXd jacobian_, normal_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  Eigen::VectorXd x_, w_, phi_, gradient_, direction_, m_direction_, trial_, trial_w_, trial_phi_;
};

}  // namespace tappet::lcp
