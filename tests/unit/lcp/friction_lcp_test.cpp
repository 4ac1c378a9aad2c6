#include "tappet/lcp/friction_lcp.hpp"

#include <gtest/gtest.h>

#include "tappet/lcp/residual.hpp"
#include "tappet/lcp/solver.hpp"
#include "unit/lcp/stored_problems.hpp"

namespace tappet::lcp::friction_lcp_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Contact impulses by the linear problem.
VectorXd by_lemke(const ConeProblem& problem, int facets) {
  Mlcp linear;
  const FrictionLayout layout = friction_mlcp(problem, facets, linear);
  VectorXd z, r;
  const Result result = make_solver("lemke")->solve(linear, z);
  EXPECT_EQ(result.status, Status::converged) << result.note.text();
  friction_impulses(problem, layout, z, r);
  return r;
}

// The right/left decomposition is exact: its impulses solve the cone problem.
TEST(FrictionLcp, PlanarIsExact) {
  for (std::uint64_t seed = 61; seed < 71; ++seed) {
    const ConeProblem problem = stored::planar(stored::random_graph(6, 9, 0.4, 3, seed));
    EXPECT_LT(residual(problem, by_lemke(problem, 0)), 1e-10) << seed;
  }
}

TEST(FrictionLcp, PlanarBlocksAreTheSameProblem) {
  const ConeProblem problem = stored::planar(stored::random_graph(6, 8, 0.4, 1, 71));
  Mlcp mixed_problem;
  friction_mlcp(problem, 0, mixed_problem);
  const int n = problem.contacts();
  MatrixXd nn(n, n), nt(n, n), tt(n, n);
  VectorXd b_n(n), b_t(n);
  const MatrixXd& w = std::get<MatrixXd>(problem.W);
  for (int i = 0; i < n; ++i) {
    b_n[i] = problem.b[2 * i], b_t[i] = problem.b[2 * i + 1];
    for (int j = 0; j < n; ++j)
      nn(i, j) = w(2 * i, 2 * j), nt(i, j) = w(2 * i, 2 * j + 1), tt(i, j) = w(2 * i + 1, 2 * j + 1);
  }
  Lcp lcp;
  planar_friction_lcp(nn, nt, tt, problem.mu, b_n, b_t, lcp);
  EXPECT_NEAR((std::get<MatrixXd>(lcp.M) - std::get<MatrixXd>(mixed_problem.M)).norm(), 0, 1e-13);
  EXPECT_NEAR((lcp.q - mixed_problem.q).norm(), 0, 1e-15);
}

// In space the polygon comes near to the disc as 1/k²: friction of a block that slides in an odd direction.
TEST(FrictionLcp, FacetsConvergeToTheCone) {
  ConeProblem problem;
  problem.W = MatrixXd(MatrixXd::Identity(3, 3));
  problem.b = Eigen::Vector3d(-1, 3, 1.234);
  problem.mu = VectorXd::Constant(1, 0.5);
  VectorXd exact;
  ASSERT_EQ(make_solver("nsgs")->solve(problem, exact).status, Status::converged);
  EXPECT_NEAR(exact.tail(2).norm(), 0.5, 1e-8);
  for (int facets : {4, 8, 16, 64, 256}) {
    // Friction lies in the polygon, at the corner that opposes sliding most: off by at most half a facet.
    const VectorXd r = by_lemke(problem, facets);
    EXPECT_LE(r.tail(2).norm(), 0.5 + 1e-12);
    EXPECT_LE((r - exact).norm(), 0.5 * M_PI / facets + 1e-8) << facets;
  }
}

TEST(FrictionLcp, EqualitiesComeFirst) {
  // Two blocks tied together: each takes its share of the one that touches.
  ConeProblem problem;
  problem.dimension = 2;
  problem.equalities = 1;
  problem.W = MatrixXd((MatrixXd(3, 3) << 2, -1, 0, -1, 1, 0, 0, 0, 1).finished());
  problem.b = Eigen::Vector3d(0, -1, 0);
  problem.mu = VectorXd::Constant(1, 0.3);
  const VectorXd r = by_lemke(problem, 0);
  EXPECT_NEAR(r[0], 1, 1e-12);
  EXPECT_NEAR(r[1], 2, 1e-12) << "the impulse that stops both";
}

}  // namespace
}  // namespace tappet::lcp::friction_lcp_test
