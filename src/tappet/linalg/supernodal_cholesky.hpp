// Cholesky factorisation of large sparse symmetric positive definite matrices, A = Pᵀ L Lᵀ P, made for many
// solutions with one factor: the steps of a structure.
//
// Columns of L with the same pattern form a supernode, a dense panel; so the factor is streamed through
// memory as long runs of numbers almost without indices, forward once and backward once a solution. The order
// P is nested dissection by METIS of the graph whose vertices are rows of equal pattern (the unknowns of a
// node). Factorisation is multifrontal [Duff & Reid 1983; Liu 1992].
//
// Measured by bench/structure_bench.cpp on one core of a server (25–75 GB/s from its cache): a step of a braced frame with
// 46,014 unknowns, a factor of 30 MB, takes 4.5 times as long as reading the factor once (solution 3.4 times, product with K
// the rest); shells with 49,686 unknowns, 88 MB, 3.9 times; bricks with 5,184 unknowns 3.6 times. Two is the least, since a
// solution reads the factor forward and backward. CHOLMOD's supernodal module may not be linked (GPL).
#pragma once

#include <vector>

#include <Eigen/Core>

#include "tappet/linalg/symmetric_csr.hpp"

namespace tappet {

class SupernodalCholesky {
 public:
  /// Order and pattern of the factor; values are not looked at.
  void analyse(const SymmetricCsr& a);
  /// Needs analyse() of the same pattern. A pivot not above `threshold` times its diagonal before elimination
  /// ends the work: returns the row it stands for, or −1 when all went well.
  int factor(const SymmetricCsr& a, double threshold = 1e-13);

  /// x := A⁻¹ x. Solving allocates nothing.
  void solve(double* x) const;
  /// The same for the columns of a matrix.
  void solve(Eigen::MatrixXd& x) const;

  int rows() const { return static_cast<int>(order_.size()); }
  /// Numbers in the panels.
  std::size_t factor_size() const { return values_.size(); }
  int supernodes() const { return static_cast<int>(first_.size()) - 1; }
  /// For measurements: the panels themselves.
  const std::vector<double>& factor_values() const { return values_; }

 private:
  int width(int s) const { return first_[s + 1] - first_[s]; }
  int below(int s) const { return static_cast<int>(below_ptr_[s + 1] - below_ptr_[s]); }
  void gather_entries(const SymmetricCsr& a);

  std::vector<int> order_;   // order_[k]: the row that is eliminated as number k
  std::vector<int> place_;   // its inverse
  std::vector<int> first_;   // columns of supernode s: first_[s] … first_[s+1]
  std::vector<int> parent_;  // of supernodes; −1: root
  std::vector<std::size_t> below_ptr_;
  std::vector<int> below_;          // rows (places) below the diagonal block, ascending
  std::vector<std::size_t> panel_;  // start of the panel (width + below) × width, column-major
  std::vector<double> values_;
  std::vector<double> inverse_;  // 1/L_jj, by place
  int widest_below_ = 0;
  mutable std::vector<double> x_, work_;
};

}  // namespace tappet
