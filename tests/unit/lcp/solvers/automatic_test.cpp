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

// Heaps of rocks on faces of four points each have some four times as many rows as motions. Sweeps and Newton leave 10⁻⁵ of them; gradients
// that start from nothing finish them.
TEST(Automatic, FinishesHeapsOfRocks) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const stored::ContactGraph heap = stored::rock_pile(27, 0.5, 1, seed);
    for (const bool dense : {true, false}) {
      VectorXd r;
      const Result result =
          make_solver("auto")->solve(dense ? stored::dense_form(heap) : stored::gram_form(heap), r);
      EXPECT_EQ(result.status, Status::converged) << result.residual << ": " << note_of(result);
      if (dense) {
        EXPECT_GT(heap.factor.rows(), 3 * heap.factor.cols());
      }
    }
  }
}

// 1000 rows of rank 500: what sweeps and gradients leave, Lemke's method finishes in as many pivots as it needs alone.
TEST(Automatic, SingularProblemsOfAThousandRowsTakeWhatLemkeTakes) {
  VectorXd z, alone;
  const Lcp problem = stored::random_psd(1000, 500, 4);
  const Result lemke = make_solver("lemke")->solve(problem, alone),
               result = make_solver("auto")->solve(problem, z);
  EXPECT_EQ(lemke.status, Status::converged);
  EXPECT_EQ(result.status, Status::converged) << note_of(result);
  EXPECT_LE(result.iterations, 200 + 300 + lemke.iterations) << note_of(result);
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
