// Cholesky factorisation of large sparse symmetric positive definite matrices, A = Pᵀ L Lᵀ P, made for many
// solutions with one factor: the steps of a structure.
//
// The factor is kept as dense panels (linalg/supernodal_pattern.hpp), so that it is streamed through memory
// almost without indices, forward once and backward once a solution. Factorisation is multifrontal [Duff &
// Reid 1983; Liu 1992].
//
// A solution can pause between both directions. What is asked of a few rows then (their part of the
// solution), or added on the right there, takes only the panels between these rows and the root:
//
//   factor.watch(rows);
//   factor.begin(b);  factor.peek(x);  …  factor.add(more);  factor.finish(x);
//
// Measured by bench/structure_bench.cpp; figures in bench/README.md. CHOLMOD's supernodal module may not be
// linked (GPL).
#pragma once

#include <vector>

#include <Eigen/Core>

#include "tappet/linalg/panel_kernels.hpp"
#include "tappet/linalg/supernodal_pattern.hpp"
#include "tappet/linalg/symmetric_csr.hpp"

namespace tappet {

class SupernodalCholesky {
 public:
  /// Order and pattern of the factor; values are not looked at. Rows in `last` are eliminated last.
  void analyse(const SymmetricCsr& a, const std::vector<int>& last = {});
  /// Needs analyse() of the same pattern. A pivot not above `threshold` times its diagonal before elimination
  /// ends the work: returns the row it stands for, or −1 when all went well.
  int factor(const SymmetricCsr& a, double threshold = 1e-13);

  /// x := A⁻¹ x. Solving allocates nothing.
  void solve(double* x);
  /// The same for the columns of a matrix.
  void solve(Eigen::MatrixXd& x) const;
  /// A⁻¹ among some rows, in their order: symmetric to the last bit. Only panels between these rows and the
  /// root are read, once, and no column of A⁻¹ is ever whole (supernodal_inverse.cpp).
  Eigen::MatrixXd inverse_among(const std::vector<int>& rows) const;
  /// Of these, columns from number `first` on.
  Eigen::MatrixXd inverse_columns(const std::vector<int>& rows, int first) const;

  /// Rows that peek() and add() are about.
  void watch(const std::vector<int>& rows);
  /// A solution with b on the right begins.
  void begin(const double* b);
  /// x_i of the watched rows, if nothing is added any more; the others are not touched.
  void peek(double* x);
  /// More on the right; only watched rows of b are read.
  void add(const double* b);
  /// All of the solution.
  void finish(double* x);

  int rows() const { return pattern_.rows(); }
  int supernodes() const { return pattern_.supernodes(); }
  /// Numbers in the panels, those that peek() reads, and those of L itself (without what panels fill up).
  std::size_t factor_size() const { return values_.size(); }
  std::size_t watched_size() const;
  std::size_t true_size() const;
  /// For measurements: the panels themselves.
  const std::vector<double>& factor_values() const { return values_; }

 private:
  struct Entry {  // of the matrix, in a panel
    int at;       // in SymmetricCsr::value
    int row, column;
  };
  /// Supernodes between these rows and the root, ascending.
  std::vector<int> path(const int* rows, int count) const;
  /// y := L⁻¹ y, and L⁻ᵀ S y, of some supernodes; rows are places.
  void forward(const std::vector<int>& nodes, Eigen::MatrixXd& y) const;
  void backward(const std::vector<int>& nodes, Eigen::MatrixXd& y) const;

  SupernodalPattern pattern_;
  std::vector<std::size_t> entry_ptr_;  // of each supernode
  std::vector<Entry> entries_;
  std::vector<PanelPlace> panels_, watched_;  // all, and those from the watched rows to the root
  std::vector<double> values_;
  std::vector<int> watched_rows_;
  bool complete_ = false;                // peek() has found all of the solution, and nothing was added since
  std::vector<double> half_, x_, work_;  // by place: after the forward substitution, and after both
};

}  // namespace tappet
