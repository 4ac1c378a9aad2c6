// Semismooth Newton beyond what every solver is held to in solver_test.cpp.
#include <gtest/gtest.h>

#include "tappet/lcp/solver.hpp"
#include "unit/lcp/stored_problems.hpp"

namespace tappet::lcp::newton_test {
namespace {

using Eigen::VectorXd;

TEST(Newton, FewStepsForLinearProblems) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    VectorXd z;
    const Result result = make_solver("newton")->solve(stored::random_psd(60, 70, seed), z);
    EXPECT_EQ(result.status, Status::converged) << result.note.text();
    EXPECT_LE(result.iterations, 25) << result.note.text();
  }
}

// From the solution of a problem close by it needs a step or two: the case of time stepping.
TEST(Newton, ContactsThatChangeLittleNeedTwoSteps) {
  ConeProblem problem = stored::gram_form(stored::random_graph(20, 30, 0.4, 1, 3));
  SolverOptions options;
  options.tolerance = 1e-11;
  const auto solver = make_solver("newton", options);
  VectorXd r;
  ASSERT_EQ(make_solver("auto")->solve(problem, r).status, Status::converged);
  problem.b *= 1.001;
  const Result result = solver->solve(problem, r);
  EXPECT_EQ(result.status, Status::converged) << result.residual;
  EXPECT_LE(result.iterations, 12);
}

}  // namespace
}  // namespace tappet::lcp::newton_test
