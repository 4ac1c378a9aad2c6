// The complementarity solvers against Siconos' numerics (Apache 2.0; Debian's libsiconos-numerics-dev), where
// it is installed.
//
// Each side judges the other's solutions: Siconos' error function ours, the shared residual theirs. That
// needs no unique solution. Where it is unique, the velocities w of symmetric problems, the two are compared.
#include <gtest/gtest.h>

#include "tappet/lcp/matrix.hpp"
#include "tappet/lcp/solver.hpp"
#include "unit/lcp/stored_problems.hpp"

#ifdef TAPPET_SICONOS
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <fc3d_compute_error.h>
#include <lcp_cst.h>
#endif

namespace tappet::lcp::siconos_test {
namespace {

#ifdef TAPPET_SICONOS

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A dense matrix of Siconos; it frees memory of malloc().
class SiconosMatrix {
 public:
  explicit SiconosMatrix(const MatrixXd& m) {
    auto* data = static_cast<double*>(std::malloc(sizeof(double) * m.size()));
    Eigen::Map<MatrixXd>(data, m.rows(), m.cols()) = m;
    matrix_ = NM_create_from_data(NM_DENSE, static_cast<int>(m.rows()), static_cast<int>(m.cols()), data);
  }
  ~SiconosMatrix() {
    NM_clear(matrix_);
    std::free(matrix_);
  }
  SiconosMatrix(const SiconosMatrix&) = delete;
  NumericsMatrix* get() { return matrix_; }

 private:
  NumericsMatrix* matrix_;
};

struct Options {
  explicit Options(int solver, double tolerance, int iterations) : get(solver_options_create(solver)) {
    get->dparam[SICONOS_DPARAM_TOL] = tolerance;
    get->iparam[SICONOS_IPARAM_MAX_ITER] = iterations;
  }
  ~Options() { solver_options_delete(get); }
  Options(const Options&) = delete;
  ::SolverOptions* get;
};

TEST(Siconos, LinearProblems) {
  int compared = 0;
  for (const auto& [name, problem, kinds, infeasible] : stored::lcps()) {
    if (problem.equalities > 0) continue;
    VectorXd q = problem.q;
    SiconosMatrix matrix(std::get<MatrixXd>(problem.M));
    LinearComplementarityProblem theirs{static_cast<int>(q.size()), matrix.get(), q.data()};
    Options options(SICONOS_LCP_LEMKE, 1e-10, 10000);
    VectorXd z = VectorXd::Zero(q.size()), w = z;
    const int failed = linearComplementarity_driver(&theirs, z.data(), w.data(), options.get);

    VectorXd ours;
    const Result result = make_solver("auto")->solve(problem, ours);
    if (infeasible) {
      EXPECT_NE(failed, 0) << name;
      EXPECT_EQ(result.status, Status::infeasible) << name;
      continue;
    }
    ASSERT_EQ(result.status, Status::converged) << name;
    double error = 0;
    lcp_compute_error(&theirs, ours.data(), w.data(), 1e-8, &error);
    EXPECT_LT(error, 1e-8) << name << ": our solution by Siconos' measure";
    const VectorXd our_w = w;
    // Their Lemke gives up on some degenerate problems; nothing follows from that.
    if (failed) continue;
    ++compared;
    EXPECT_LT(residual(problem, z), 1e-6) << name << ": Siconos' solution by our measure";
    if (!(kinds & lcp_symmetric_psd)) continue;
    const VectorXd their_w = std::get<MatrixXd>(problem.M) * z + problem.q;
    EXPECT_NEAR((their_w - our_w).lpNorm<Eigen::Infinity>(), 0, 1e-6 * (1 + our_w.lpNorm<Eigen::Infinity>()))
        << name;
  }
  EXPECT_GT(compared, 15);
}

TEST(Siconos, Cones) {
  int compared = 0;
  for (const auto& [name, problem, kinds] : stored::cones()) {
    if (problem.dimension != 3 || problem.equalities > 0 || !std::holds_alternative<MatrixXd>(problem.W))
      continue;
    // Siconos' error is not free of units: velocities and impulses of the size of one.
    const double compliance = std::get<MatrixXd>(problem.W).diagonal().maxCoeff();
    ConeProblem scaled = problem;
    std::get<MatrixXd>(scaled.W) /= compliance;
    scaled.b /= scaled.b.lpNorm<Eigen::Infinity>();

    VectorXd q = scaled.b, mu = scaled.mu;
    SiconosMatrix matrix(std::get<MatrixXd>(scaled.W));
    FrictionContactProblem theirs{3, scaled.contacts(), matrix.get(), q.data(), mu.data()};
    Options options(SICONOS_FRICTION_3D_NSGS, 1e-9, 20000);
    VectorXd r = VectorXd::Zero(q.size()), u = r;
    const int failed = fc3d_driver(&theirs, r.data(), u.data(), options.get);

    VectorXd ours;
    const Result result = make_solver("auto")->solve(scaled, ours);
    ASSERT_EQ(result.status, Status::converged) << name << ": " << result.note.text();
    double error = 0;
    fc3d_compute_error(&theirs, ours.data(), u.data(), 1e-8, options.get, q.norm(), &error);
    EXPECT_LT(error, 1e-7) << name << ": our solution by Siconos' measure";
    if (failed) continue;
    ++compared;
    EXPECT_LT(residual(scaled, r), 1e-6) << name << ": Siconos' solution by our measure";
  }
  EXPECT_GT(compared, 5);
}

#else

TEST(Siconos, IsNotInstalled) {
  GTEST_SKIP() << "libsiconos-numerics-dev was not found: solvers are not cross-checked";
}

#endif

}  // namespace
}  // namespace tappet::lcp::siconos_test
