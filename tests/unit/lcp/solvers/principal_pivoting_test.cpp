// Principal pivoting beyond what every solver is held to in solver_test.cpp.
#include <gtest/gtest.h>

#include "tappet/lcp/solver.hpp"
#include "unit/lcp/stored_problems.hpp"

namespace tappet::lcp::principal_pivoting_test {
namespace {

using Eigen::VectorXd;

// Block steps do not fall into Murty's trap.
TEST(PrincipalPivoting, MurtysExampleIsEasy) {
  VectorXd z;
  const Result result = make_solver("principal-pivoting")->solve(stored::murty(30), z);
  EXPECT_EQ(result.status, Status::converged) << result.note.text();
  EXPECT_LE(result.iterations, 60) << result.note.text();
}

TEST(PrincipalPivoting, ContactsThatDidNotChangeCostOneStep) {
  Lcp problem = stored::random_psd(50, 60, 5);
  VectorXd z;
  const auto solver = make_solver("principal-pivoting");
  ASSERT_EQ(solver->solve(problem, z).status, Status::converged);
  problem.q *= 1.01;
  const Result again = solver->solve(problem, z);
  EXPECT_EQ(again.status, Status::converged);
  EXPECT_EQ(again.iterations, 1);
}

}  // namespace
}  // namespace tappet::lcp::principal_pivoting_test
