// Direct solution of block-sparse systems whose pattern is symmetric: one block row and column a body, one
// off-diagonal pair for each two bodies that are coupled. The values need not be symmetric.
//
//   P A Pᵀ = L D U,   L unit lower and U unit upper block triangular, blocks ordered by approximate minimum
//   degree.
//
// Pivoting happens only inside the diagonal blocks. That suffices for matrices that are positive definite, or
// near to it, as mass matrices with stiff couplings are; a diagonal block that is singular is reported, not
// repaired.
//
//   lu.analyse(sizes, coupled);      // once a pattern
//   lu.set_zero();
//   lu.add(i, j, block);             // as often as needed for each (i, j)
//   if (lu.factor()) lu.solve(x);
#pragma once

#include <span>
#include <utility>
#include <vector>

#include <Eigen/Core>

namespace tappet {

class BlockLu {
 public:
  /// Orders the blocks and finds the fill. `coupled` lists pairs i ≠ j in any order, with repetitions.
  void analyse(std::span<const int> sizes, std::span<const std::pair<int, int>> coupled);

  void set_zero();
  /// A(i, j) += block.
  void add(int i, int j, const Eigen::Ref<const Eigen::MatrixXd>& block);
  /// A(i, i) += value · identity.
  void add_to_diagonal(double value);

  /// False when a diagonal block is singular or not finite.
  bool factor();
  /// x ← A⁻¹ x.
  void solve(Eigen::VectorXd& x) const;

  /// Blocks below the diagonal of L.
  int fill() const { return static_cast<int>(rows_.size()); }

 private:
  /// Position of row i (new numbers, i > k) in column k.
  int position(int i, int k) const;
  double* lower(int at) { return lower_.data() + start_[at]; }
  double* upper(int at) { return upper_.data() + start_[at]; }

  std::vector<int> order_, place_;  ///< new → old, old → new
  std::vector<int> size_, offset_;  ///< of each block in the new order; offset in the vector of the old order
  std::vector<int> column_,
      rows_;  ///< rows_[column_[k] … column_[k + 1]): rows below the diagonal in column k, ascending
  std::vector<int> start_;             ///< first value of each of these blocks, in lower_ and in upper_
  std::vector<double> lower_, upper_;  ///< A(i, k) then L(i, k); A(k, i) then U(k, i) before division by D
  std::vector<int> diagonal_start_;
  std::vector<double> diagonal_;  ///< D, then its inverse
  mutable std::vector<double> work_;
};

}  // namespace tappet
