// Block Gauss–Seidel on cones beyond what every solver is held to in solver_test.cpp.
#include <gtest/gtest.h>

#include "tappet/lcp/one_contact.hpp"
#include "tappet/lcp/solver.hpp"
#include "unit/lcp/stored_problems.hpp"

namespace tappet::lcp::nsgs_test {
namespace {

using Eigen::VectorXd;

TEST(Nsgs, OneContactNeedsOneSweep) {
  const ConeProblem problem = stored::gram_form(stored::random_graph(2, 1, 0.5, 1, 1));
  VectorXd r;
  const Result result = make_solver("nsgs")->solve(problem, r);
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.iterations, 1);
}

// Every iterate lies in the cones: the friction of an unfinished solution still obeys its bound.
TEST(Nsgs, AnUnfinishedSolutionIsAdmissible) {
  const ConeProblem problem = stored::gram_form(stored::sphere_lattice(200, 0.3, 9));
  SolverOptions options;
  options.max_iterations = 10;
  VectorXd r;
  const Result result = make_solver("nsgs", options)->solve(problem, r);
  EXPECT_EQ(result.status, Status::stalled);
  for (int c = 0; c < problem.contacts(); ++c) {
    EXPECT_GE(r[3 * c], 0);
    EXPECT_LE(r.segment<2>(3 * c + 1).norm(), 0.3 * r[3 * c] * (1 + 1e-12));
  }
}

// The contact that a sweep begins with does not know of the others yet: it is solved as if alone.
TEST(Nsgs, SweepsInTheOrderThatIsGiven) {
  ConeProblem problem = stored::dense_form(stored::random_graph(6, 12, 0.4, 1, 3));
  SolverOptions options;
  options.max_iterations = 1;
  for (int first : {0, 5, 11}) {
    problem.order.resize(12);
    for (int n = 0; n < 12; ++n) problem.order[n] = (first + n) % 12;
    const Eigen::Matrix3d block = std::get<Eigen::MatrixXd>(problem.W).block<3, 3>(3 * first, 3 * first);
    OneContact<3> alone;
    alone.prepare(block.data(), problem.mu[first]);
    Eigen::Vector3d expected;
    alone.solve(problem.b.data() + 3 * first, expected.data());
    VectorXd r;
    make_solver("nsgs", options)->solve(problem, r);
    EXPECT_NEAR((r.segment<3>(3 * first) - expected).norm(), 0, 1e-12 * expected.norm()) << first;
  }
}

// The three forms of the matrix are three ways to the same sweep.
TEST(Nsgs, FormsSweepAlike) {
  const auto graph = stored::random_graph(10, 20, 0.4, 1, 12);
  SolverOptions options;
  options.max_iterations = 15;
  VectorXd gram, sparse, dense;
  make_solver("nsgs", options)->solve(stored::gram_form(graph), gram);
  make_solver("nsgs", options)->solve(stored::sparse_form(graph), sparse);
  make_solver("nsgs", options)->solve(stored::dense_form(graph), dense);
  EXPECT_NEAR((gram - sparse).norm(), 0, 1e-9 * gram.norm());
  EXPECT_NEAR((gram - dense).norm(), 0, 1e-9 * gram.norm());
}

}  // namespace
}  // namespace tappet::lcp::nsgs_test
