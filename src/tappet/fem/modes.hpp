// Natural modes of structures, K φ = ω² M φ, by block Lanczos with shift and inversion.
//
// With σ = −ω_s² < 0 the matrix K − σ M is positive definite also for a structure that floats, and the wanted
// modes are the largest of (K − σM)⁻¹ M. Blocks find modes that come several times (a sphere's) as surely as
// single ones. [Golub & Underwood 1977; Grimes, Lewis & Simon 1994]
#pragma once

#include <vector>

#include <Eigen/Core>

#include "tappet/linalg/symmetric_csr.hpp"

namespace tappet::fem {

struct Modes {
  std::vector<double> omega2;  ///< ω², ascending, rad²/s²; about 0 for motion without strain
  Eigen::MatrixXd shapes;      ///< columns, φᵀ M φ = 1
  double residual = 0;  ///< largest |(K − ω²M) φ| against |K φ| + |σ M φ|, in the norm of (K − σM)⁻¹ M
  int solutions = 0;  ///< systems solved
};

/// The `count` lowest; fewer when the matrix has no more. Throws std::runtime_error when K + ω_s² M is not
/// positive definite. `omega2_scale` 0: chosen from the matrices.
Modes lowest_modes(const SymmetricCsr& K, const SymmetricCsr& M, int count, double tolerance = 1e-10);

}  // namespace tappet::fem
