// Gauss–Seidel with near and far couplings beyond what every solver is held to in solver_test.cpp.
#include <cmath>

#include <gtest/gtest.h>

#include "tappet/lcp/solver.hpp"
#include "unit/lcp/stored_problems.hpp"

namespace tappet::lcp::nsgs_split_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Contacts on a square grid that an elastic body couples: less with the distance, all of them a little.
ConeProblem elastic_face(int side, double reach, std::uint64_t seed) {
  stored::Random random(seed);
  const int n = side * side;
  ConeProblem out;
  MatrixXd w(3 * n, 3 * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double dx = i / side - j / side, dy = i % side - j % side;
      const double near = std::exp(-std::hypot(dx, dy) / reach);
      w.block<3, 3>(3 * i, 3 * j) =
          0.2 * near * near * Eigen::Matrix3d::Ones() + near * Eigen::Matrix3d::Identity();
    }
  out.W = w;
  out.b = 0.3 * random.vector(3 * n);
  for (int i = 0; i < n; ++i) out.b[3 * i] -= 0.3;
  out.mu = VectorXd::Constant(n, 0.4);
  return out;
}

// The same impulses as nsgs over all of the matrix, some contacts open, some sticking, some sliding.
TEST(NsgsSplit, FindsWhatNsgsFinds) {
  for (const double reach : {0.7, 4.0}) {
    const ConeProblem problem = elastic_face(12, reach, 3);
    SolverOptions options;
    options.tolerance = 1e-12;
    VectorXd split, whole;
    const Result result = make_solver("nsgs-split", options)->solve(problem, split);
    ASSERT_EQ(result.status, Status::converged) << result.note.text() << ": " << result.residual;
    ASSERT_EQ(make_solver("nsgs", options)->solve(problem, whole).status, Status::converged);
    EXPECT_LT((split - whole).cwiseAbs().maxCoeff(), 1e-9 * whole.cwiseAbs().maxCoeff());
    int open = 0, stick = 0, slip = 0;
    for (int c = 0; c < problem.contacts(); ++c) {
      const double n = split[3 * c], t = split.segment<2>(3 * c + 1).norm();
      ++(n == 0 ? open : t < 0.3999 * n ? stick : slip);
    }
    EXPECT_GT(open, 0);
    EXPECT_GT(stick, 0);
    EXPECT_GT(slip, 0);
  }
}

// A number tells that the matrix is the same: the near part is not looked for again, and the result has the
// same bits.
TEST(NsgsSplit, TheSameMatrixIsRecognised) {
  ConeProblem problem = elastic_face(10, 1, 5);
  const auto solver = make_solver("nsgs-split"), fresh = make_solver("nsgs-split");
  problem.matrix = 7;
  VectorXd r, other;
  solver->solve(problem, r);
  problem.b = elastic_face(10, 1, 6).b;
  r.setZero();
  solver->solve(problem, r);
  fresh->solve(problem, other);
  EXPECT_EQ(r, other);
  problem.W = std::get<MatrixXd>(problem.W) * 2;
  problem.matrix = 8;
  r.setZero();
  EXPECT_EQ(solver->solve(problem, r).status, Status::converged);
}

// An unfinished solution lies in the cones.
TEST(NsgsSplit, AnUnfinishedSolutionIsAdmissible) {
  const ConeProblem problem = elastic_face(10, 2, 9);
  SolverOptions options;
  options.max_iterations = 5;
  VectorXd r;
  EXPECT_EQ(make_solver("nsgs-split", options)->solve(problem, r).status, Status::stalled);
  for (int c = 0; c < problem.contacts(); ++c) {
    EXPECT_GE(r[3 * c], 0);
    EXPECT_LE(r.segment<2>(3 * c + 1).norm(), 0.4 * r[3 * c] * (1 + 1e-12));
  }
}

}  // namespace
}  // namespace tappet::lcp::nsgs_split_test
