// Contacts whose normal impulses are at least given ones, as an ordinary problem of cones.
//
//   u = W r + b,   0 ≤ u_n ⟂ r_n − g ≥ 0,   r_t in the disc of radius μ r_n, on its rim opposite to u_t            g ≥ 0
//
// Poisson's impact law asks for it: at the end of an impact a contact gives back at least ε times what it took up. With
// r_n = g + r'_n the disc is the sum of two, of radius μ g and of radius μ r'_n, whose frictions both oppose u_t. So each contact
// with g > 0 gets a second one at the same place: its tangents are the first one's, and its normal is coupled to nothing,
//
//   u''_n = c r''_n − c g,    which has the one solution r''_n = g.
//
// The problem with both is one of Coulomb's law as it stands; r = r' + r''.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "tappet/lcp/problem.hpp"

namespace tappet::lcp {

struct GivenImpulses {
  ConeProblem problem;  ///< the contacts as they are, then the second ones
  std::vector<int> of;  ///< contact of each second one

  /// The problem of `original` with r_n ≥ given, one number a contact. W in Gram form stays in it; other forms become dense.
  void build(const ConeProblem& original, const Eigen::VectorXd& given);
  /// A guess for it from one of the original's impulses, and back.
  void split(const Eigen::VectorXd& given, const Eigen::VectorXd& r, Eigen::VectorXd& parts) const;
  void join(const Eigen::VectorXd& parts, Eigen::VectorXd& r) const;
};

}  // namespace tappet::lcp
