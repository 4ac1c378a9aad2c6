// Lemke's method with lexicographic pivoting.
//
// An artificial variable z₀ with a covering vector d > 0 makes the system w = M z + d z₀ + q feasible; from
// there the method walks along edges on which w_i z_i = 0 for all i but one, until z₀ leaves the basis (a
// solution) or an edge is unbounded (a ray):
//
//   1. z₀ enters; the row with the smallest q_i/d_i leaves.
//   2. The complement of what has left enters. The row that reaches zero first leaves; ties, the mark of
//      degenerate problems such as hyperstatic contact, are broken by the lexicographic order of the rows of
//      (B⁻¹q, B⁻¹), which forbids cycling.
//   3. Repeat until z₀ leaves or nothing blocks.
//
// It always ends [Lemke 1965; Cottle, Pang & Stone 1992, section 4.4]. What a ray means depends on M. For
// copositive-plus matrices (positive semidefinite ones among them) it proves that there is no solution: the z
// of the ray satisfies Farkas' conditions, and is handed to the shared check as the proof. For others (M of
// polyhedral friction is copositive, not -plus) the ray may prove nothing; then the status is stalled and the
// note says that the question is open.
//
// The worst case is 2ⁿ pivots, reached by Murty's example; in practice it is a small multiple of n. A pivot
// costs 4n² operations.
//
// Warm start: if the set {z_i > 0} of the guess gives a solution, it is taken after no pivot at all.
#include <cmath>

#include "tappet/lcp/note_text.hpp"
#include "tappet/lcp/pivot_basis.hpp"
#include "tappet/lcp/solver.hpp"

namespace tappet::lcp::solvers::lemke {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Smaller entries of a column are rounding, not a direction.
constexpr double pivot_tolerance = 1e-10;
/// Values that differ by less are a tie.
constexpr double tie_tolerance = 1e-12;

class Lemke : public Solver {
 public:
  explicit Lemke(const SolverOptions& options) : Solver(options, Form::dense) {}

 protected:
  void run_lcp(const MlcpView& problem, VectorXd& z, Result& result) override;

 private:
  /// Row that leaves when the entering column is `column`, or −1.
  int blocking_row(const VectorXd& column) const;
  bool guess_solves(const MlcpView& problem, VectorXd& z);

  PivotBasis basis_;
  VectorXd cover_, none_;
  std::vector<char> active_;
};

int Lemke::blocking_row(const VectorXd& column) const {
  const int n = basis_.size();
  const VectorXd& x = basis_.values();
  const double smallest = pivot_tolerance * std::max(1.0, column.lpNorm<Eigen::Infinity>());
  double limit = INFINITY;
  for (int i = 0; i < n; ++i)
    if (column[i] > smallest) limit = std::min(limit, std::max(0.0, x[i]) / column[i]);
  if (std::isinf(limit)) return -1;

  int leaving = -1;
  for (int i = 0; i < n; ++i) {
    if (!(column[i] > smallest) || x[i] - limit * column[i] > tie_tolerance) continue;
    // Among equals z₀ goes first: that ends the walk.
    if (basis_.basic(i) == basis_.artificial()) return i;
    if (leaving < 0 || basis_.lexicographically_before(i, leaving)) leaving = i;
  }
  return leaving;
}

bool Lemke::guess_solves(const MlcpView& problem, VectorXd& z) {
  bool any = false;
  active_.resize(problem.size());
  for (int i = 0; i < problem.size(); ++i) any |= active_[i] = z[i] > 0;
  if (!any || !basis_.start_from(active_)) return false;
  basis_.solution(z);
  return residual(problem, z, measure_) <= options_.tolerance;
}

void Lemke::run_lcp(const MlcpView& problem, VectorXd& z, Result& result) {
  const MatrixXd& m = std::get<MatrixXd>(problem.M);
  const int n = problem.size();
  if (n == 0 || problem.q.minCoeff() >= 0) {
    z.setZero(n);
    set_note(result.note, "lemke: q ≥ 0, nothing to do");
    return;
  }
  cover_.setOnes(n);
  basis_.start(m, problem.q, measure_.scale, cover_);
  if (guess_solves(problem, z)) {
    set_note(result.note, "lemke: the guess's active set solves it");
    return;
  }
  basis_.start(m, problem.q, measure_.scale, cover_);

  // z₀ enters where q is smallest; of equals the last, which is the lexicographic minimum.
  const VectorXd& x = basis_.values();
  int row = 0;
  for (int i = 1; i < n; ++i)
    if (x[i] <= x[row] + (i > row ? tie_tolerance : 0)) row = i;
  int leaving = basis_.basic(row);
  basis_.enter(basis_.artificial());
  basis_.pivot(row);

  const int limit = max_iterations(std::max(20000, 100 * n));
  for (result.iterations = 1; result.iterations < limit; ++result.iterations) {
    const VectorXd& column = basis_.enter(basis_.complement(leaving));
    row = blocking_row(column);
    if (row < 0) {
      basis_.ray(result.ray);
      basis_.solution(z);
      set_note(result.note, "lemke: ended on a ray after {} pivots; {}", result.iterations,
               proves_infeasible(problem, result.ray)
                   ? "the problem has no solution"
                   : "no solution found, and none is excluded for a matrix of this class");
      return;
    }
    leaving = basis_.basic(row);
    basis_.pivot(row);
    if (leaving == basis_.artificial()) {
      basis_.solution(z);
      set_note(result.note, "lemke: {} pivots", result.iterations + 1);
      ++result.iterations;
      return;
    }
  }
  basis_.solution(z);
  set_note(result.note, "lemke: gave up after {} pivots", limit);
}

const Registration<SolverType> registered{{
    .name = "lemke",
    .help = "Lemke's pivoting with lexicographic order: small problems, exact, proves infeasibility",
    .citation = "lemke1965",
    .claims = lcp_symmetric_psd | lcp_psd | lcp_p_matrix | lcp_copositive | lcp_stiff | mixed,
    .make = &make_solver<Lemke>,
}};

}  // namespace

}  // namespace tappet::lcp::solvers::lemke
