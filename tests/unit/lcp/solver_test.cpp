// Every solver against every stored problem that it claims. The shared residual decides.
#include "tappet/lcp/solver.hpp"

#include <gtest/gtest.h>

#include "unit/lcp/stored_problems.hpp"

namespace tappet::lcp::solver_test {

namespace {

using Eigen::VectorXd;

/// Methods that only come near a solution, however long they run, are held to less.
double tolerance_of(const std::string& name) {
  return name == "pgs" || name == "apgd" || name == "nsgs" || name == "nsgs-split" ? 1e-6 : 1e-9;
}

/// One of the classes of matrices, and all that makes the problem harder.
bool claimed(const SolverType& type, const stored::NamedLcp& problem) {
  constexpr unsigned classes = lcp_symmetric_psd | lcp_psd | lcp_p_matrix | lcp_copositive;
  const unsigned harder = problem.kinds & ~classes;
  return (type.claims & problem.kinds & classes) && (type.claims & harder) == harder;
}

class StoredProblems : public testing::TestWithParam<std::string> {
 protected:
  const SolverType& type() const { return *SolverRegistry::instance().find(GetParam()); }
  std::unique_ptr<Solver> make() const {
    SolverOptions options;
    options.tolerance = tolerance_of(GetParam());
    options.max_iterations = GetParam() == "pgs" || GetParam().find("nsgs") == 0 ? 50000 : 0;
    return type().make(options);
  }
};

TEST_P(StoredProblems, linear) {
  const auto solver = make();
  for (const auto& [name, problem, kinds, infeasible] : stored::lcps()) {
    if (!claimed(type(), {name, problem, kinds, infeasible})) continue;
    VectorXd z;
    const Result result = solver->solve(problem, z);
    const std::string what = name + ": " + std::string(result.note.text());
    if (infeasible) {
      EXPECT_NE(result.status, Status::converged) << what;
      // Pivoting gives the proof; iteration can only fail.
      if (tolerance_of(GetParam()) < 1e-8 && GetParam() != "newton") {
        EXPECT_EQ(result.status, Status::infeasible) << what;
        EXPECT_TRUE(proves_infeasible(problem, result.ray)) << what;
      }
      continue;
    }
    EXPECT_EQ(result.status, Status::converged) << what << ", residual " << result.residual;
    EXPECT_EQ(result.residual, residual(problem, z)) << what;
    EXPECT_EQ(result.ray.size(), 0) << what;

    // Again from the solution: it is recognised.
    const Result again = solver->solve(problem, z);
    EXPECT_EQ(again.status, Status::converged) << what;
  }
}

TEST_P(StoredProblems, cones) {
  if (!(type().claims & cone)) GTEST_SKIP() << GetParam() << " does not claim cones";
  const auto solver = make();
  for (const auto& [name, problem, kinds] : stored::cones()) {
    if ((type().claims & kinds) != kinds) continue;
    VectorXd r;
    const Result result = solver->solve(problem, r);
    const std::string what = name + ": " + std::string(result.note.text());
    EXPECT_EQ(result.status, Status::converged) << what << ", residual " << result.residual;
    EXPECT_EQ(result.residual, residual(problem, r)) << what;
  }
}

// Of a matrix that is not symmetric, methods that read one half of it would solve another problem: none claims to have.
TEST_P(StoredProblems, contactsWhoseMatrixIsNotSymmetricAreNotSolved) {
  if (!(type().claims & cone)) return;
  for (const int contacts : {1, 2, 150}) {  // from 300 rows on, the residual itself reads one half
    ConeProblem problem;
    const int n = 3 * contacts;
    Eigen::MatrixXd W = Eigen::MatrixXd::Identity(n, n);
    W(0, n - 1) = 0.3;
    problem.W = W;
    problem.b = VectorXd::Constant(n, -1);
    problem.mu = VectorXd::Constant(contacts, 0.5);
    VectorXd r;
    const Result result = make()->solve(problem, r);
    EXPECT_EQ(result.status, Status::stalled) << contacts;
    EXPECT_NE(std::string(result.note.text()).find("not symmetric"), std::string::npos);
    W(n - 1, 0) = 0.3;
    problem.W = W;
    EXPECT_EQ(make()->solve(problem, r).status, Status::converged) << contacts;
  }
}

TEST(Apgd, RefusesALinearProblemThatIsNotSymmetric) {
  const Lcp problem{Eigen::MatrixXd((Eigen::MatrixXd(2, 2) << 1, 0.5, -0.5, 1).finished()),
                    Eigen::Vector2d(-1, -1)};
  VectorXd z;
  const Result result = make_solver("apgd")->solve(problem, z);
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_NE(std::string(result.note.text()).find("not symmetric"), std::string::npos);
  EXPECT_EQ(make_solver("newton")->solve(problem, z).status, Status::converged);
}

std::vector<std::string> names() {
  return SolverRegistry::instance().names();
}

INSTANTIATE_TEST_SUITE_P(Lcp, StoredProblems, testing::ValuesIn(names()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace

}  // namespace tappet::lcp::solver_test
