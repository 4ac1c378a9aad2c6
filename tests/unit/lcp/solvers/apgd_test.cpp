// Accelerated projected gradients beyond what every solver is held to in solver_test.cpp.
#include <gtest/gtest.h>

#include "tappet/lcp/solver.hpp"
#include "unit/lcp/stored_problems.hpp"

namespace tappet::lcp::apgd_test {
namespace {

using Eigen::VectorXd;

// De Saxcé's correction: a block that slides does not lift. Without it the minimiser would open the contact
// at μ‖u_t‖.
TEST(Apgd, ASlidingBlockStaysDown) {
  ConeProblem problem;
  problem.W = Eigen::MatrixXd(Eigen::MatrixXd::Identity(3, 3));
  problem.b = Eigen::Vector3d(-1, 5, 0);
  problem.mu = VectorXd::Constant(1, 0.6);
  VectorXd r;
  const Result result = make_solver("apgd")->solve(problem, r);
  ASSERT_EQ(result.status, Status::converged) << result.note.text();
  EXPECT_NEAR(r[0], 1, 1e-7);
  EXPECT_NEAR(r[1], -0.6, 1e-7);
}

TEST(Apgd, ALongColumnInFewerGradientsThanSweeps) {
  const ConeProblem problem = stored::gram_form(stored::box_stack(30, 0.5, 1));
  SolverOptions options;
  options.tolerance = 1e-3;
  VectorXd r;
  const Result result = make_solver("apgd", options)->solve(problem, r);
  EXPECT_EQ(result.status, Status::converged) << result.note.text();
  VectorXd other;
  EXPECT_LT(result.iterations, make_solver("pgs", options)->solve(problem, other).iterations);
}

}  // namespace
}  // namespace tappet::lcp::apgd_test
