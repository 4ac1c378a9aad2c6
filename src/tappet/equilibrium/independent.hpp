// Independent velocities of a mechanism: those that its constraints leave free, from the null space of J.
//
//   u = N w + what J u = b asks for,   J N = 0,   w = D u,   D N = 1,   D G⁻¹ Jᵀ = 0       G: a metric of velocities
//
// D does not see what a projection along G⁻¹ Jᵀ corrects. Rows of J may depend on others; they are found by a pivoted QR
// decomposition of L⁻¹ Jᵀ with G = L Lᵀ.
#pragma once

#include <Eigen/Core>

namespace tappet {

struct Independent {
  Eigen::MatrixXd N;  ///< velocities × independent ones
  Eigen::MatrixXd D;  ///< independent ones × velocities
  int rank = 0;       ///< of J
  int count() const { return static_cast<int>(N.cols()); }
};

/// Rows of J below this part of their size are said to depend on others.
inline constexpr double dependent_row = 1e-9;

/// `G`: symmetric. A velocity whose diagonal entry is 0 cannot change (the turning of a point mass), and G is positive on all others.
Independent independent_velocities(const Eigen::MatrixXd& J, const Eigen::MatrixXd& G);

/// The multipliers of least size with Jᵀ λ nearest to f, in the metric G⁻¹.
Eigen::VectorXd multipliers_for(const Eigen::MatrixXd& J, const Eigen::MatrixXd& G, const Eigen::VectorXd& f);

}  // namespace tappet
