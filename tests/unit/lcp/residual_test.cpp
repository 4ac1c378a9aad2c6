#include "tappet/lcp/residual.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "unit/lcp/stored_problems.hpp"

namespace tappet::lcp::residual_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(Residual, IsZeroAtTheSolutionOnly) {
  const Lcp murty = stored::murty(5);
  VectorXd z = VectorXd::Zero(5);
  z[0] = 1;
  EXPECT_EQ(residual(murty, z), 0);
  z[0] = 0;
  EXPECT_EQ(residual(murty, z), 1) << "w = −1 in units of the largest |q|";
  z.setConstant(-0.1);
  EXPECT_GT(residual(murty, z), 0.1);
}

// A contact problem measured in grams, or in millimetres, has the same residual.
TEST(Residual, KnowsNoUnits) {
  ConeProblem problem = stored::dense_form(stored::random_graph(4, 6, 0.5, 1, 41));
  stored::Random random(42);
  VectorXd r = 1e-2 * random.vector(problem.size());
  const double before = residual(problem, r);
  ConeProblem other = problem;
  other.W = MatrixXd(std::get<MatrixXd>(problem.W) * 1e3);
  EXPECT_NEAR(residual(other, VectorXd(r * 1e-3)), before, 1e-12 * before);
  other = problem;
  other.W = MatrixXd(std::get<MatrixXd>(problem.W) * 1e3);
  other.b *= 1e3;
  EXPECT_NEAR(residual(other, r), before, 1e-12 * before);
}

TEST(Residual, NotANumberIsInfinitelyWrong) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isinf(residual(stored::murty(3), VectorXd(VectorXd::Constant(3, nan)))));
  const ConeProblem problem = stored::dense_form(stored::random_graph(3, 2, 0.5, 1, 43));
  EXPECT_TRUE(std::isinf(residual(problem, VectorXd(VectorXd::Constant(problem.size(), nan)))));
}

TEST(Residual, FarkasProofs) {
  // z₁ − z₂ ≥ 1 and z₂ − z₁ ≥ 0 contradict each other: their sum says so.
  Lcp none{MatrixXd((MatrixXd(2, 2) << 1, -1, -1, 1).finished()), (VectorXd(2) << -1, 0).finished()};
  EXPECT_TRUE(proves_infeasible(none, VectorXd(VectorXd::Ones(2))));
  EXPECT_FALSE(proves_infeasible(none, VectorXd(Eigen::Vector2d(1, 0))));
  EXPECT_FALSE(proves_infeasible(none, VectorXd(Eigen::Vector2d(-1, -1))));
  EXPECT_FALSE(proves_infeasible(none, VectorXd(VectorXd::Zero(2))));
  none.q << -1, 1;
  EXPECT_FALSE(proves_infeasible(none, VectorXd(VectorXd::Ones(2)))) << "1 − 1 = 0: feasible";
}

// A body between two walls that close on it at 1 m/s, without friction.
TEST(Residual, ClosingWallsHaveNoSolution) {
  ConeProblem problem;
  MatrixXd w = MatrixXd::Identity(6, 6);
  w(0, 3) = w(3, 0) = -1;
  problem.W = w;
  problem.b = VectorXd::Zero(6);
  problem.b[0] = problem.b[3] = -1;
  problem.mu = VectorXd::Zero(2);
  VectorXd y = VectorXd::Zero(6);
  y[0] = y[3] = 1;
  EXPECT_TRUE(proves_infeasible(problem, y));
  problem.b[3] = 2;
  EXPECT_FALSE(proves_infeasible(problem, y));
}

}  // namespace
}  // namespace tappet::lcp::residual_test
