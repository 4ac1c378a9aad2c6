#include "tappet/equilibrium/independent.hpp"

#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/QR>

namespace tappet {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Velocities that can change.
std::vector<int> movable(const MatrixXd& G) {
  std::vector<int> out;
  for (int i = 0; i < G.rows(); ++i)
    if (G(i, i) > 0) out.push_back(i);
  return out;
}

/// L⁻¹ Jᵀ of those, columns of length 1 or 0.
struct Directions {
  MatrixXd L, columns;
  VectorXd sizes;
};

Directions directions_of(const MatrixXd& J, const MatrixXd& G, const std::vector<int>& free) {
  Directions out;
  const MatrixXd metric = G(free, free), rows = J(Eigen::all, free);
  out.L = metric.llt().matrixL();
  out.columns = rows.transpose();
  out.L.triangularView<Eigen::Lower>().solveInPlace(out.columns);
  out.sizes = out.columns.colwise().norm();
  const double largest = out.sizes.size() > 0 ? out.sizes.maxCoeff() : 0;
  for (int r = 0; r < out.columns.cols(); ++r)
    if (out.sizes[r] > 1e-12 * largest)
      out.columns.col(r) /= out.sizes[r];
    else
      out.columns.col(r).setZero(), out.sizes[r] = 0;
  return out;
}

}  // namespace

Independent independent_velocities(const MatrixXd& J, const MatrixXd& G) {
  const std::vector<int> free = movable(G);
  const int n = static_cast<int>(free.size());
  const Directions at = directions_of(J, G, free);
  Independent out;
  MatrixXd Z = MatrixXd::Identity(n, n);
  if (at.columns.cols() > 0 && n > 0) {
    Eigen::ColPivHouseholderQR<MatrixXd> qr(at.columns);
    qr.setThreshold(dependent_row);
    out.rank = static_cast<int>(qr.rank());
    Z = (qr.householderQ() * MatrixXd::Identity(n, n)).eval().rightCols(n - out.rank);
  }
  const MatrixXd N = at.L.transpose().triangularView<Eigen::Upper>().solve(Z),
                 D = Z.transpose() * at.L.transpose();
  out.N.setZero(G.rows(), Z.cols());
  out.D.setZero(Z.cols(), G.rows());
  out.N(free, Eigen::all) = N;
  out.D(Eigen::all, free) = D;
  return out;
}

VectorXd multipliers_for(const MatrixXd& J, const MatrixXd& G, const VectorXd& f) {
  const std::vector<int> free = movable(G);
  if (J.rows() == 0 || free.empty()) return VectorXd::Zero(J.rows());
  const Directions at = directions_of(J, G, free);
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition;
  decomposition.setThreshold(dependent_row);
  decomposition.compute(at.columns);
  const VectorXd target = at.L.triangularView<Eigen::Lower>().solve(f(free));
  VectorXd out = decomposition.solve(target);
  for (int r = 0; r < out.size(); ++r) out[r] = at.sizes[r] > 0 ? out[r] / at.sizes[r] : 0;
  return out;
}

}  // namespace tappet
