// The linear equations of a Newton step for many contacts whose matrix is dense,
//
//   (A + B W + S) x = f          A, B: a D × D block per contact, S: diagonal
//
// by GMRES [Saad & Schultz 1986] from the right, x = C y. A step takes one product with W, n² numbers, where elimination takes
// n³/3 operations. C is an approximate inverse: contact i and those it is coupled to most are a patch, the equations of the patch
// are inverted alone, and the rows of i are kept. Between nodes of an elastic body W is smooth at a distance; what patches miss are a few
// smooth shapes, which GMRES finds.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace tappet::lcp {

class PatchGmres {
 public:
  /// Which contacts are coupled most. `matrix`: as ConeProblem::matrix; not looked at again for the same number.
  void look_at(const Eigen::MatrixXd& w, int dimension, unsigned long matrix);
  /// Blocks of A and B one after the other, column-major; f ← x, and response ← W x. The equations are left with at most
  /// `tolerance` of ‖f‖; false: they are not.
  template <int D>
  bool solve(const Eigen::MatrixXd& w, const std::vector<double>& a, const std::vector<double>& b,
             const Eigen::VectorXd& s, double tolerance, Eigen::VectorXd& f, Eigen::VectorXd& response);

 private:
  template <int D>
  bool invert_patches(const Eigen::MatrixXd& w, const std::vector<double>& a, const std::vector<double>& b,
                      const Eigen::VectorXd& s);
  template <int D>
  void precondition(const Eigen::VectorXd& y, Eigen::VectorXd& x) const;

  unsigned long matrix_ = 0;
  int patch_ = 0;                // contacts of each
  std::vector<int> contacts_;    // patch_ a contact, itself first
  std::vector<double> inverse_;  // D × (D · patch_) a contact, column-major
  Eigen::MatrixXd basis_, tried_, responses_, hessenberg_;
};

}  // namespace tappet::lcp
