// Lemke's method beyond what every solver is held to in solver_test.cpp.
#include <gtest/gtest.h>

#include "tappet/lcp/solver.hpp"
#include "unit/lcp/stored_problems.hpp"

namespace tappet::lcp::lemke_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Murty's family is the worst case: pivots double with every row [Murty 1978].
TEST(Lemke, MurtysExampleIsExponential) {
  const auto pivots = [](int n) {
    VectorXd z;
    const Result result = make_solver("lemke")->solve(stored::murty(n), z);
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_NEAR(z[0], 1, 1e-12);
    return result.iterations;
  };
  EXPECT_EQ(pivots(4), 16);
  EXPECT_EQ(pivots(8), 256);
  EXPECT_EQ(pivots(12), 4096);
}

// Beale's example makes the simplex method cycle; as the optimality conditions of that linear programme it is
// an Lcp whose ties only an order of the rows resolves.
TEST(Lemke, DoesNotCycleOnBealesExample) {
  MatrixXd a(3, 4);
  a << 0.25, -60, -1.0 / 25, 9, 0.5, -90, -1.0 / 50, 3, 0, 0, 1, 0;
  const Eigen::Vector3d b(0, 0, 1);
  const Eigen::Vector4d c(-0.75, 150, -0.02, 6);
  // min cᵀx, a x ≤ b, x ≥ 0:   w = c + aᵀ y,   v = b − a x.
  MatrixXd m = MatrixXd::Zero(7, 7);
  m.topRightCorner(4, 3) = a.transpose();
  m.bottomLeftCorner(3, 4) = -a;
  VectorXd q(7), z;
  q << c, b;
  const Result result = make_solver("lemke")->solve(Lcp{m, q}, z);
  ASSERT_EQ(result.status, Status::converged) << result.note.text();
  EXPECT_NEAR(c.dot(z.head(4)), -0.05, 1e-12);
}

TEST(Lemke, AGuessWithTheRightContactsNeedsNoPivot) {
  const Lcp problem = stored::random_psd(20, 25, 3);
  VectorXd z;
  const auto solver = make_solver("lemke");
  ASSERT_EQ(solver->solve(problem, z).status, Status::converged);
  z *= 7;
  const Result again = solver->solve(problem, z);
  EXPECT_EQ(again.status, Status::converged);
  EXPECT_EQ(again.iterations, 0);
}

// w₁ = z₂ − 1, w₂ = 1: feasible (z₂ = 2), yet w₂ > 0 wants z₂ = 0. The matrix is copositive but not
// copositive-plus, a ray proves nothing, and nothing is claimed.
TEST(Lemke, ARayThatProvesNothingIsNotCalledInfeasible) {
  MatrixXd m(2, 2);
  m << 0, 1, 0, 0;
  VectorXd z;
  const Result result = make_solver("lemke")->solve(Lcp{m, Eigen::Vector2d(-1, 1)}, z);
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_NE(result.note.text().find("none is excluded"), std::string_view::npos) << result.note.text();
}

}  // namespace
}  // namespace tappet::lcp::lemke_test
