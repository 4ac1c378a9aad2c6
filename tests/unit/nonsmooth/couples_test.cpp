// A problem of contacts with couples: one contact whose normal, friction and couple feel each other, in the plane and in space.
#include "tappet/nonsmooth/couples.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tappet::couples_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// A body that touches beside its centre of mass, so that a couple lifts its contact: arm (a, −b) from the centre, mass 1, inertia J. Rows
// normal, tangent and turning of the one place; then the couple's block with its own first row.
TEST(Couples, AreBoundedByTheNormalImpulseThatTheyChange) {
  const double a = 0.3, b = 0.2, J = 0.05, delta = 0.1, own = 2;
  // Velocities at the place by (vx, vy, ω): u_n = vy + a ω, u_t = vx + b ω, turning ω.
  Eigen::Matrix3d H;
  H << 0, 1, a, 1, 0, b, 0, 0, 1;
  const Eigen::Matrix3d W3 = H * Eigen::Vector3d(1, 1, 1 / J).asDiagonal() * H.transpose();
  lcp::ConeProblem problem;
  problem.dimension = 2;
  MatrixXd W = MatrixXd::Zero(4, 4);
  const int at[3] = {0, 1, 3};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) W(at[i], at[j]) = W3(i, j);
  W(2, 2) = own;
  problem.W = W;
  problem.mu = Eigen::Vector2d(0, delta);
  // It approaches with 1 m/s and turns with 4 rad/s: the couple slides, −δ N.
  problem.b = VectorXd::Zero(4);
  problem.b[0] = -1, problem.b[3] = 4;
  ContactSolver solver({.solver = "auto", .tolerance = 1e-13});
  VectorXd P = VectorXd::Zero(4);
  const lcp::Result result =
      solve_with_couples(solver, {{.block = 1, .of = 0, .own = own}}, nullptr, problem, P);
  EXPECT_EQ(result.status, lcp::Status::converged);
  // u_n = −1 + (1 + a²/J) N − (a/J) δ N = 0.
  const double N = 1 / (1 + a * a / J - a * delta / J);
  EXPECT_NEAR(P[0], N, 1e-12);
  EXPECT_NEAR(P[3], -delta * N, 1e-12);
  EXPECT_EQ(P[1], 0);
}

}  // namespace
}  // namespace tappet::couples_test
