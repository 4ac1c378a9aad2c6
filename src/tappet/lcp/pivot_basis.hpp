// The basis that pivoting methods for the Lcp walk through.
//
// The system is  w − M z − d z₀ = q  in 2n + 1 variables, numbered: w_i is i, z_i is n + i, the artificial z₀
// is 2n. A basis is n of them; the others are zero. Its inverse is kept explicitly and changed by one row
// operation a pivot, and computed anew after every n pivots (at least 50), so that rounding does not pile up.
// Columns are scaled so that no entry of M exceeds 1: that changes no ratio and hence no pivot, and lets one
// tolerance serve all problems.
#pragma once

#include <vector>

#include <Eigen/Core>
#include <Eigen/LU>

namespace tappet::lcp {

class PivotBasis {
 public:
  /// Begins with w basic. `scale` holds column scales of M, `cover` the vector d (empty: no z₀).
  void start(const Eigen::MatrixXd& m, const Eigen::VectorXd& q, const Eigen::VectorXd& scale,
             const Eigen::VectorXd& cover);
  /// Begins with z_i basic where in_basis[i], else w_i. False when that basis is singular; then w is basic.
  bool start_from(const std::vector<char>& in_basis);

  int size() const { return static_cast<int>(basic_.size()); }
  int artificial() const { return 2 * size(); }
  /// The other of w_i and z_i.
  int complement(int variable) const { return variable < size() ? variable + size() : variable - size(); }
  int basic(int row) const { return basic_[row]; }
  /// Row in which a variable is basic, or −1.
  int row_of(int variable) const { return row_of_[variable]; }

  /// Values of the basic variables, in units of the largest |q|.
  const Eigen::VectorXd& values() const { return x_; }
  /// How the basic variables fall as this one rises: B⁻¹ times its column.
  const Eigen::VectorXd& enter(int variable);
  /// Exchanges the basic variable of the row for the one last given to enter().
  void pivot(int row);

  /// Is row i before row k in the lexicographic order of (x, B⁻¹)_i/c_i, where c is the entering column?
  /// The order by which a degenerate vertex is left without cycling.
  bool lexicographically_before(int i, int k) const;

  /// The z of this basis in the problem's own units, refined against q once more.
  void solution(Eigen::VectorXd& z);
  /// z-part of the ray along which the last entering variable can rise for ever.
  void ray(Eigen::VectorXd& z) const;

 private:
  void column_of(int variable, Eigen::Ref<Eigen::VectorXd> out) const;
  void refactor();

  const Eigen::MatrixXd* m_ = nullptr;
  double q_scale_ = 1;
  Eigen::VectorXd q_, scale_, cover_, x_, column_, own_, residual_;
  Eigen::MatrixXd inverse_, work_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  std::vector<int> basic_, row_of_;
  int entering_ = -1, since_factor_ = 0;
};

}  // namespace tappet::lcp
