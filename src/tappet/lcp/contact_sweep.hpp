// Gauss–Seidel over the blocks of a cone problem: each contact solved exactly while all others are held,
// equality rows by their pseudo-inverse. The heart of the NSGS solver, and the smoother between Newton's
// steps.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "tappet/lcp/one_contact.hpp"
#include "tappet/lcp/problem.hpp"
#include "tappet/lcp/sweep.hpp"

namespace tappet::lcp {

class ContactSweep {
 public:
  /// Factors the diagonal blocks. The problem must outlive the sweeps.
  void prepare(const ConeProblem& problem);
  /// Brings the state to r; to be called at first, when r was changed by others, and now and then against
  /// rounding.
  void start(const Eigen::VectorXd& r);
  /// One pass; r moves the part ω of the way to each block's solution. Returns the largest change of a contact's own velocity,
  /// W_ii Δr_i, which the residual is of the order of.
  double sweep(double omega, Eigen::VectorXd& r);
  /// What the sweep keeps in step with r, affine in it: an extrapolation of r must extrapolate this alike.
  Eigen::VectorXd& state();
  /// u = W r + b from the state, when that was just brought to r.
  void velocity(const Eigen::VectorXd& r, Eigen::VectorXd& u, Eigen::VectorXd& inner);

 private:
  template <int D, class RowsT>
  double pass(RowsT& rows, const std::vector<OneContact<D>>& contacts, double omega, Eigen::VectorXd& r);

  const ConeProblem* problem_ = nullptr;
  Rows rows_;
  std::vector<OneContact<2>> contacts2_;
  std::vector<OneContact<3>> contacts3_;
  std::vector<int> start_;        ///< where the rows are split
  std::vector<double> diagonal_;  ///< diagonal blocks of W; of equality blocks their pseudo-inverses
  int equality_blocks_ = 0;
};

}  // namespace tappet::lcp
