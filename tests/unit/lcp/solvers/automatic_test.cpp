// What the automatic choice runs, and that it says so.
#include <gtest/gtest.h>

#include "tappet/lcp/solver.hpp"
#include "unit/lcp/stored_problems.hpp"

namespace tappet::lcp::automatic_test {
namespace {

using Eigen::VectorXd;

std::string note_of(const Result& result) {
  return std::string(result.note.text());
}

TEST(Automatic, SaysWhatRan) {
  VectorXd z;
  Result result = make_solver("auto")->solve(stored::random_psd(10, 12, 1), z);
  EXPECT_EQ(note_of(result), "principal-pivoting converged (" + std::to_string(result.iterations) + ")");
  result = make_solver("auto")->solve(stored::random_psd(10, 12, 1), z);
  EXPECT_EQ(note_of(result), "the guess solves it");
  EXPECT_EQ(result.iterations, 0);
}

// Gauss–Seidel cannot reach ten digits on a hyperstatic wall; what it leaves, Newton finishes.
TEST(Automatic, GoesFromFastToRobust) {
  SolverOptions options;
  options.tolerance = 1e-10;
  VectorXd r;
  const Result result =
      make_solver("auto", options)->solve(stored::gram_form(stored::box_wall(4, 4, 0.6)), r);
  EXPECT_EQ(result.status, Status::converged) << note_of(result);
  EXPECT_EQ(note_of(result).find("nsgs to "), 0u) << note_of(result);
  EXPECT_NE(note_of(result).find(", then newton converged"), std::string::npos) << note_of(result);
}

// A singular matrix of more than 400 rows, on which principal pivoting takes about 5 n pivots: Lemke's method takes about n.
TEST(Automatic, LargeSingularProblemsArePivotedByLemke) {
  VectorXd z;
  const Result result = make_solver("auto")->solve(stored::random_psd(450, 225, 3), z);
  EXPECT_EQ(result.status, Status::converged) << note_of(result);
  EXPECT_EQ(note_of(result).find("principal"), std::string::npos) << note_of(result);
  EXPECT_LT(result.iterations, 200 + 300 + 2 * 450) << note_of(result);
}

TEST(Automatic, InfeasibleIsSaid) {
  VectorXd z;
  const Lcp none{Eigen::MatrixXd((Eigen::MatrixXd(2, 2) << 1, -1, -1, 1).finished()), Eigen::Vector2d(-1, 0)};
  const Result result = make_solver("auto")->solve(none, z);
  EXPECT_EQ(result.status, Status::infeasible);
  EXPECT_NE(note_of(result).find("no solution"), std::string::npos) << note_of(result);
}

}  // namespace
}  // namespace tappet::lcp::automatic_test
