// Projected Gauss–Seidel beyond what every solver is held to in solver_test.cpp.
#include <gtest/gtest.h>

#include "tappet/lcp/solver.hpp"
#include "unit/lcp/stored_problems.hpp"

namespace tappet::lcp::pgs_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Forces in a column of `n` bodies of which only the lowest touches the ground: slow to travel.
Lcp column(int n) {
  MatrixXd m = MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    m(i, i) = i == 0 ? 1 : 2;
    if (i > 0) m(i, i - 1) = m(i - 1, i) = -1;
  }
  VectorXd q = VectorXd::Zero(n);
  q[0] = -1;
  return {m, q};
}

int sweeps(double relaxation, VectorXd& z) {
  SolverOptions options;
  options.tolerance = 1e-6;
  options.relaxation = relaxation;
  const Result result = make_solver("pgs", options)->solve(column(20), z);
  EXPECT_EQ(result.status, Status::converged) << result.note.text();
  return result.iterations;
}

TEST(Pgs, OverRelaxationIsFaster) {
  VectorXd z, other;
  EXPECT_LT(3 * sweeps(1.7, z), sweeps(1, other));
  EXPECT_NEAR((z - other).norm(), 0, 1e-2);
}

TEST(Pgs, AWarmStartIsFaster) {
  VectorXd z;
  const int cold = sweeps(1, z);
  EXPECT_LT(10 * sweeps(1, z), cold);
}

TEST(Pgs, SaysThatItStalled) {
  SolverOptions options;
  options.max_iterations = 5;
  VectorXd z;
  const Result result = make_solver("pgs", options)->solve(column(50), z);
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_EQ(result.iterations, 5);
  EXPECT_GT(result.residual, options.tolerance);
  EXPECT_EQ(result.residual, residual(column(50), z));
}

}  // namespace
}  // namespace tappet::lcp::pgs_test
