#include "tappet/lcp/elimination.hpp"

#include <Eigen/QR>

#include "tappet/lcp/matrix.hpp"

namespace tappet::lcp {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void Elimination::reduce(const Matrix& m, const VectorXd& q, int equalities, MatrixXd& reduced_m,
                         VectorXd& reduced_q) {
  const auto* full = std::get_if<MatrixXd>(&m);
  if (!full) {
    to_dense(m, dense_);
    full = &dense_;
  }
  if (equalities == 0) {
    solved_.resize(0, q.size() + 1);
    reduced_m = *full, reduced_q = q;
    return;
  }
  const int e = equalities, n = static_cast<int>(q.size()) - e;

  lu_.setThreshold(1e-11);
  lu_.compute(full->topLeftCorner(e, e));
  const int rank = static_cast<int>(lu_.rank());

  // P A Q = L U, cut off at the rank: x = Q U⁻¹ L⁻¹ P (right-hand side).
  permuted_.resize(e, n + 1);
  for (int i = 0; i < e; ++i) {
    const int to = lu_.permutationP().indices()[i];
    permuted_.row(to).head(n) = full->row(i).tail(n);
    permuted_(to, n) = q[i];
  }
  if (rank > 0) {
    auto top = permuted_.topRows(rank);
    const auto factor = lu_.matrixLU().topLeftCorner(rank, rank);
    factor.triangularView<Eigen::UnitLower>().solveInPlace(top);
    factor.triangularView<Eigen::Upper>().solveInPlace(top);
  }
  solved_.setZero(e, n + 1);
  for (int k = 0; k < rank; ++k) solved_.row(lu_.permutationQ().indices()[k]) = permuted_.row(k);

  reduced_m = full->bottomRightCorner(n, n);
  reduced_m.noalias() -= full->bottomLeftCorner(n, e) * solved_.leftCols(n);
  reduced_q = q.tail(n);
  reduced_q.noalias() -= full->bottomLeftCorner(n, e) * solved_.col(n);
}

void Elimination::expand(const VectorXd& reduced_z, VectorXd& z) const {
  const int e = static_cast<int>(solved_.rows()), n = static_cast<int>(reduced_z.size());
  z.resize(e + n);
  z.tail(n) = reduced_z;
  z.head(e) = -solved_.col(n);
  z.head(e).noalias() -= solved_.leftCols(n) * reduced_z;
}

VectorXd Elimination::expand_ray(const Matrix& m, const VectorXd& reduced_y) const {
  // (x, y) with Aᵀ x + Cᵀ y = 0 makes Mᵀ (x, y) vanish in the equalities' columns.
  const int e = static_cast<int>(solved_.rows()), n = static_cast<int>(reduced_y.size());
  VectorXd y(e + n);
  y.tail(n) = reduced_y;
  if (e > 0) {
    MatrixXd full;
    to_dense(m, full);
    const MatrixXd at = full.topLeftCorner(e, e).transpose();
    y.head(e) =
        -at.completeOrthogonalDecomposition().solve(full.bottomLeftCorner(n, e).transpose() * reduced_y);
  }
  return y;
}

}  // namespace tappet::lcp
