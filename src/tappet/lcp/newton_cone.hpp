// Semismooth Newton on Alart and Curnier's function, for dense and for Gram matrices. Steps of more than 1,500 dense rows are solved by
// patch_gmres.hpp to a thousandth, which takes products with the matrix in place of its elimination.
#pragma once

#include <vector>

#include <Eigen/Core>
#include <Eigen/LU>

#include "tappet/lcp/contact_sweep.hpp"
#include "tappet/lcp/patch_gmres.hpp"
#include "tappet/lcp/residual.hpp"
#include "tappet/linalg/block_lu.hpp"
#include "tappet/linalg/dense_lu.hpp"

namespace tappet::lcp {

class AlartCurnierNewton {
 public:
  /// Improves r until the residual is within `tolerance`; returns the number of steps. r is the best point
  /// seen.
  int solve(const ConeProblem& problem, double tolerance, int max_steps, Measure& measure,
            Eigen::VectorXd& r);

 private:
  template <int D>
  int iterate(const ConeProblem& problem, double tolerance, int max_steps, Measure& measure,
              Eigen::VectorXd& r);
  /// Φ of all rows at (r, u), and on request A and B of each block; returns ½‖Φ‖².
  template <int D>
  double evaluate(const ConeProblem& problem, const Eigen::VectorXd& r, const Eigen::VectorXd& u,
                  Eigen::VectorXd& phi, bool derivatives);
  /// c of every row.
  template <int D>
  void set_scales(const ConeProblem& problem);
  /// dr and du of (A + B W) dr = −Φ, with a dense W or with G.
  template <int D>
  bool dense_step(const ConeProblem& problem, const Eigen::MatrixXd& w);
  template <int D>
  bool gram_step(const ConeProblem& problem, const BlockCsr& g);
  /// The longest of 1, ½, ¼, ⅛ of the step whose merit is below the ceiling, its point in trial_; 0 if none
  /// is.
  template <int D>
  double line_search(const ConeProblem& problem, double ceiling, double& merit);
  template <int D>
  static void clip_to_cones(const ConeProblem& problem, Eigen::VectorXd& r);
  /// The pattern of coupled columns, when it is not that of the last step.
  void analyse(const BlockCsr& g);

  double proximal_ = 0;                             ///< part of c that resists a change of force
  Eigen::VectorXd c_;                               ///< c_n and c_t of each row
  std::vector<double> a_, b_;                       ///< D × D blocks of the contacts
  std::vector<int> analysed_rows_, analysed_cols_;  ///< row_ptr and col of the factor when analysed
  std::vector<char> coupled_;  ///< block rows whose velocity enters Φ, now and when analysed
  std::vector<char> analysed_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<int> sizes_;
  std::vector<int> start_;  ///< block rows and diagonal blocks of W
  std::vector<double> diagonal_;
  ContactSweep smoother_;
  BlockLu sparse_;
  Eigen::MatrixXd jacobian_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  DenseLu large_lu_;
  PatchGmres gmres_;
  Eigen::VectorXd x_, u_, phi_, dr_, du_, trial_, trial_u_, trial_phi_, y_, local_;
};

}  // namespace tappet::lcp
