// The solver of contact problems that a model asks for, whatever form it wants them in: cones, polygons in place of discs, or
// normals alone where nothing rubs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "tappet/lcp/friction_lcp.hpp"
#include "tappet/lcp/given_impulses.hpp"
#include "tappet/lcp/problem.hpp"
#include "tappet/lcp/solver.hpp"

namespace tappet {

struct ContactSolverOptions {
  std::string solver = "auto";  ///< a name in lcp::SolverRegistry that can do what the contacts ask
  double tolerance = 1e-8;
  int facets = 0;       ///< in space: friction by a polygon with so many corners; 0: the cone
  bool rescue = false;  ///< where pivoting finds no solution of a problem with friction, iteration is tried
};

/// The normals of some contacts of a problem as a linear complementarity problem.
void normals_of(const lcp::ConeProblem& problem, const std::vector<int>& contacts, lcp::Lcp& out);

class ContactSolver {
 public:
  explicit ContactSolver(const ContactSolverOptions& options);

  /// P is also the guess.
  lcp::Result solve(const lcp::ConeProblem& problem, Eigen::VectorXd& P);
  /// The same with normal impulses of at least `given`, one per contact.
  lcp::Result solve_above(const lcp::ConeProblem& problem, const Eigen::VectorXd& given, Eigen::VectorXd& P);
  /// W P of the last solution.
  const Eigen::VectorXd& response() const { return response_; }
  double tolerance() const { return options_.tolerance; }

 private:
  lcp::Result solve_normals(const lcp::ConeProblem& problem, Eigen::VectorXd& P);
  lcp::Result solve_linear(const lcp::ConeProblem& problem, Eigen::VectorXd& P);
  void respond(const lcp::ConeProblem& problem, const Eigen::VectorXd& P);

  ContactSolverOptions options_;
  unsigned claims_ = 0;  // of solver_
  std::unique_ptr<lcp::Solver> solver_, fallback_, rescue_;
  lcp::Lcp normals_;
  lcp::Mlcp linear_;
  lcp::GivenImpulses given_;
  std::vector<int> every_;
  Eigen::VectorXd z_, zero_, response_, inner_;
};

}  // namespace tappet
