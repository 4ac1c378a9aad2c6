// Gauss' elimination of a large dense matrix with row pivoting, P A = L U: column blocks of 64, the rest by
// products (linalg/dense_product.hpp).
#pragma once

#include <vector>

#include <Eigen/Core>

#include "tappet/linalg/dense_product.hpp"

namespace tappet {

class DenseLu {
 public:
  /// The matrix becomes L and U. A singular one gives numbers that are not finite when it is solved with.
  void factor(Eigen::MatrixXd& a);
  /// x := A⁻¹ x with the factors of the last factor().
  void solve(const Eigen::MatrixXd& factors, Eigen::VectorXd& x) const;

 private:
  std::vector<int> swaps_;  // row k changed places with row swaps_[k], one after the other
  DenseProduct product_;
};

}  // namespace tappet
