// The solver that chooses: by size and structure, from fast to robust, as long as the residual asks for it.
//
//   linear, up to 400 rows       symmetric: principal pivoting, then Lemke; else Lemke first (friction as
//                                Lcp is copositive and needs it); then Newton
//   linear, larger               Gauss–Seidel for a while, then accelerated gradients (symmetric), then pivoting
//                                while a dense matrix of the size is affordable: Lemke first, whose pivots are
//                                about n where principal pivoting of a singular matrix takes several times as
//                                many; then Newton
//   contacts, up to 300 rows     Newton from the guess, Gauss–Seidel to come near, Newton again, then the
//                                slow and sure
//   contacts, more               Gauss–Seidel (dense: by near and far couplings); what it leaves, Newton on
//                                the sparse or dense system, and gradients
//   contacts, many and all       Newton, whose steps are products with the matrix (patch_gmres.hpp), then the
//   coupled, dense               same
//
// Each stage starts from the best point so far; the gradients that come last for contacts start from nothing. What Newton leaves of a
// problem that it cannot finish are often large forces that cancel each other, and gradients need longer to undo these than for the
// whole problem: of a heap of rocks on four points each, 20,000 leave 2·10⁻⁵ from there, and 7,000 are enough from zero. The note tells what ran, how far it came, and in how many
// iterations; a proof that there is no solution ends the search. Nothing is hidden: what converges is what
// the shared residual says.
#include <array>
#include <limits>
#include <span>

#include "tappet/lcp/matrix.hpp"
#include "tappet/lcp/note_text.hpp"
#include "tappet/lcp/solver.hpp"

namespace tappet::lcp::solvers::automatic {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A solver and how long it may run; 0: as long as it thinks right.
struct Stage {
  const char* name;
  int iterations;
  bool afresh = false;  ///< from zero
};

constexpr int small_lcp = 400, small_cone = 300, largest_dense = 3000, coupled_dense = 1500;

/// Do couplings fade with the distance, so that most are below a thousandth? Asked of a few columns.
bool fades(const MatrixXd& w) {
  constexpr int asked = 8;
  long strong = 0;
  for (int k = 0; k < asked; ++k) {
    const auto j = w.cols() * k / asked;
    for (Eigen::Index i = 0; i < w.rows(); ++i) strong += w(i, j) * w(i, j) > 1e-6 * w(i, i) * w(j, j);
  }
  // Rows of other directions are coupled less: a third of all is everything.
  return static_cast<double>(strong) < 0.2 * static_cast<double>(asked * w.rows());
}

class Automatic : public Solver {
 public:
  explicit Automatic(const SolverOptions& options) : Solver(options, Form::any) {}

 protected:
  void run_lcp(const MlcpView& problem, VectorXd& z, Result& result) override {
    const int n = problem.size();
    const bool symmetric = is_symmetric(problem.M);
    static constexpr Stage exact_symmetric[] = {
        {"principal-pivoting", 0}, {"lemke", 0}, {"newton", 0}, {"apgd", 0}};
    static constexpr Stage exact[] = {{"lemke", 0}, {"newton", 0}, {"principal-pivoting", 0}};
    static constexpr Stage large_symmetric[] = {
        {"pgs", 200}, {"apgd", 300}, {"lemke", 0}, {"principal-pivoting", 0}, {"apgd", 0}};
    static constexpr Stage large[] = {{"pgs", 50}, {"lemke", 0}, {"newton", 0}};
    static constexpr Stage largest[] = {{"pgs", 500}, {"apgd", 0}};
    if (n <= small_lcp) {
      symmetric ? run(problem, exact_symmetric, z, result) : run(problem, exact, z, result);
    } else if (n <= largest_dense) {
      symmetric ? run(problem, large_symmetric, z, result) : run(problem, large, z, result);
    } else {
      run(problem, largest, z, result);
    }
  }

  void run_cone(const ConeProblem& problem, VectorXd& r, Result& result) override {
    static constexpr Stage small[] = {{"newton", 20}, {"nsgs", 100},   {"newton", 50},
                                      {"nsgs", 2000}, {"newton", 100}, {"apgd", 0, true}};
    static constexpr Stage large[] = {
        {"nsgs", 200}, {"newton", 50}, {"nsgs", 1000}, {"newton", 100}, {"apgd", 0, true}};
    static constexpr Stage largest_gram[] = {
        {"nsgs", 1000}, {"newton", 20}, {"nsgs", 2000}, {"apgd", 0, true}};
    static constexpr Stage largest[] = {{"nsgs", 2000}, {"apgd", 0, true}};
    static constexpr Stage large_split[] = {
        {"nsgs-split", 300}, {"newton", 50}, {"nsgs", 1000}, {"newton", 100}, {"apgd", 0, true}};
    static constexpr Stage largest_split[] = {{"nsgs-split", 2000}, {"nsgs", 2000}, {"apgd", 0, true}};
    static constexpr Stage coupled[] = {{"newton", 30},       {"nsgs-split", 300}, {"newton", 50},
                                        {"nsgs-split", 2000}, {"nsgs", 2000},      {"apgd", 0, true}};
    const auto* matrix = std::get_if<MatrixXd>(&problem.W);
    const bool dense = matrix;
    if (dense && problem.size() > coupled_dense && problem.equalities == 0 && !fades(*matrix)) {
      run(problem, coupled, r, result);
    } else if (problem.size() <= small_cone) {
      run(problem, small, r, result);
    } else if (problem.size() <= largest_dense) {
      dense ? run(problem, large_split, r, result) : run(problem, large, r, result);
    } else if (dense) {
      run(problem, largest_split, r, result);
    } else if (std::holds_alternative<Gram>(problem.W)) {
      run(problem, largest_gram, r, result);
    } else {
      run(problem, largest, r, result);
    }
  }

 private:
  template <class Problem>
  void run(const Problem& problem, std::span<const Stage> stages, VectorXd& z, Result& result);
  Solver& child(const char* name);

  std::array<std::pair<const char*, std::unique_ptr<Solver>>, 8> children_;
  VectorXd trial_;
};

Solver& Automatic::child(const char* name) {
  for (auto& [known, solver] : children_) {
    if (!solver) known = name, solver = make_solver(std::string(name));
    if (std::string_view(known) == name) return *solver;
  }
  throw std::logic_error("automatic: more solvers than places");
}

template <class Problem>
void Automatic::run(const Problem& problem, std::span<const Stage> stages, VectorXd& z, Result& result) {
  // The guess may do already; one that is worse than nothing, such as the impulses of an impact that is over,
  // is dropped.
  double best = residual(problem, z, measure_);
  trial_.setZero(z.size());
  if (const double nothing = residual(problem, trial_, measure_); nothing < best) best = nothing, z.setZero();
  if (best <= options_.tolerance) {
    set_note(result.note, "the guess solves it");
    return;
  }
  for (const Stage& stage : stages) {
    Solver& solver = child(stage.name);
    SolverOptions options = options_;
    options.max_iterations = stage.iterations;
    options.warm_start = true;
    options.check = false;  // done already
    solver.set_options(options);
    if (stage.afresh)
      trial_.setZero(z.size());
    else
      trial_ = z;
    const Result part = solver.solve(problem, trial_);
    result.iterations += part.iterations;
    if (!result.note.empty()) append_note(result.note, ", then ");
    if (part.residual < best) best = part.residual, z = trial_;
    if (part.status == Status::converged) {
      append_note(result.note, "{} converged ({})", stage.name, part.iterations);
      return;
    }
    if (part.status == Status::infeasible) {
      append_note(result.note, "{} proved that there is no solution ({})", stage.name, part.iterations);
      result.ray = part.ray;
      return;
    }
    append_note(result.note, "{} to {:.1e} ({})", stage.name, part.residual, part.iterations);
  }
}

const Registration<SolverType> registered{{
    .name = "auto",
    .help = "chooses by size and structure, and goes from fast to robust while the residual asks for it",
    .citation = "cottle1992",
    .claims = lcp_symmetric_psd | lcp_psd | lcp_p_matrix | lcp_copositive | lcp_stiff | mixed | cone |
              cone_stiff | cone_strong,
    .make = &make_solver<Automatic>,
}};

}  // namespace

}  // namespace tappet::lcp::solvers::automatic
