// Principal pivoting: guesses which of w_i and z_i is zero for each i, and corrects the guess.
//
// Two stages.
//
// Block pivoting [Kostreva 1978; Júdice & Pires 1994]. With α = {i : z_i basic},  M_αα z_α = −q_α,  w = M z +
// q; all indices whose basic variable is negative change sides at once. For a P-matrix this most often needs
// a handful of steps whatever n. It may cycle, so it is given up when the number of negative variables has
// not fallen for a few steps, or when M_αα is singular.
//
// One at a time [Dantzig & Cottle 1967; Keller 1973; van de Panne & Whinston 1969]. From a complementary
// basis choose the least index r whose basic variable is negative and drive its complement up from zero:
//   · the distinguished variable reaches zero: it leaves, the basis is complementary again, one negative less;
//   · another, non-negative one reaches zero first: it leaves, and its complement is driven next;
//   · nothing blocks: for a positive semidefinite M there is no solution.
// Non-negative variables stay so; those still negative wait for their turn. For positive semidefinite and
// P-matrices the distinguished variable never falls, and with the least index in every choice the method ends
// [Chang & Cottle 1980; Cottle, Pang & Stone 1992, section 4.2]. Murty's Bard-type method is the special case
// of single 1×1 pivots.
//
// Warm start: the first α is {z_i > 0} of the guess, so that a contact problem whose contacts did not change
// costs one factorisation.
#include <cmath>

#include <Eigen/LU>

#include "tappet/lcp/note_text.hpp"
#include "tappet/lcp/pivot_basis.hpp"
#include "tappet/lcp/solver.hpp"

namespace tappet::lcp::solvers::principal_pivoting {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double pivot_tolerance = 1e-10;
/// A variable above minus this, in units of the largest |q|, counts as not negative.
constexpr double zero_tolerance = 1e-12;
/// Steps that block pivoting may take without progress.
constexpr int patience = 5;

class PrincipalPivoting : public Solver {
 public:
  explicit PrincipalPivoting(const SolverOptions& options) : Solver(options, Form::dense) {}

 protected:
  void run_lcp(const MlcpView& problem, VectorXd& z, Result& result) override;

 private:
  /// True when it found a solution. z is the last point, active_ its set.
  bool block_pivoting(const MlcpView& problem, const MatrixXd& m, VectorXd& z, Result& result);
  bool one_at_a_time(const MlcpView& problem, VectorXd& z, int limit, Result& result);
  /// z of the set active_; false when the system is singular.
  bool solve_active(const MatrixXd& m, const VectorXd& q, VectorXd& z);
  int first_negative() const;
  int blocking_row(const VectorXd& column, int distinguished) const;

  PivotBasis basis_;
  std::vector<char> active_;
  MatrixXd system_;
  Eigen::PartialPivLU<MatrixXd> lu_;
  VectorXd right_, none_;
};

bool PrincipalPivoting::solve_active(const MatrixXd& m, const VectorXd& q, VectorXd& z) {
  // Rows and columns outside α are those of the identity, so that the size, and the memory, is always n.
  // Columns are scaled.
  const int n = static_cast<int>(q.size());
  system_.setZero(n, n);
  right_.setZero(n);
  for (int j = 0; j < n; ++j) {
    if (!active_[j]) {
      system_(j, j) = 1;
      continue;
    }
    right_[j] = -q[j];
    for (int i = 0; i < n; ++i)
      if (active_[i]) system_(i, j) = m(i, j) / measure_.scale[j];
  }
  lu_.compute(system_);
  const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
  if (!(pivots.minCoeff() > 1e-11 * pivots.maxCoeff())) return false;
  z.noalias() = lu_.permutationP() * right_;
  lu_.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(z);
  lu_.matrixLU().triangularView<Eigen::Upper>().solveInPlace(z);
  z = z.cwiseQuotient(measure_.scale);
  return z.allFinite();
}

bool PrincipalPivoting::block_pivoting(const MlcpView& problem, const MatrixXd& m, VectorXd& z,
                                       Result& result) {
  const int n = problem.size();
  const double zero = zero_tolerance * measure_.unit;
  int fewest = n + 1, patient = patience;
  while (patient > 0) {
    if (!solve_active(m, problem.q, z)) return false;
    ++result.iterations;
    measure_.w = problem.q;
    measure_.w.noalias() += m * z;

    int negative = 0;
    for (int i = 0; i < n; ++i) {
      const bool wrong = (active_[i] ? z[i] * measure_.scale[i] : measure_.w[i]) < -zero;
      negative += wrong;
      // Flip right away; the set is only used again when another step follows.
      if (wrong) active_[i] = !active_[i];
    }
    if (negative == 0) {
      z = z.cwiseMax(0.0);
      return residual(problem, z, measure_) <= options_.tolerance;
    }
    if (negative < fewest) {
      fewest = negative;
      patient = patience;
    } else {
      --patient;
    }
  }
  return false;
}

int PrincipalPivoting::first_negative() const {
  const int n = basis_.size();
  for (int i = 0; i < n; ++i) {
    const int row = basis_.row_of(i) >= 0 ? basis_.row_of(i) : basis_.row_of(n + i);
    if (basis_.values()[row] < -zero_tolerance) return row;
  }
  return -1;
}

int PrincipalPivoting::blocking_row(const VectorXd& column, int distinguished) const {
  const VectorXd& x = basis_.values();
  const double smallest = pivot_tolerance * std::max(1.0, column.lpNorm<Eigen::Infinity>());
  const auto limit_of = [&](int i) {
    if (i == distinguished) return column[i] < -smallest ? x[i] / column[i] : INFINITY;
    return column[i] > smallest && x[i] >= -zero_tolerance ? std::max(0.0, x[i]) / column[i] : INFINITY;
  };
  double limit = INFINITY;
  for (int i = 0; i < basis_.size(); ++i) limit = std::min(limit, limit_of(i));
  if (std::isinf(limit)) return -1;

  // The distinguished variable first, then the least index of its pair.
  if (limit_of(distinguished) <= limit * (1 + 1e-12)) return distinguished;
  int row = -1, least = basis_.size();
  for (int i = 0; i < basis_.size(); ++i) {
    if (!(limit_of(i) <= limit * (1 + 1e-12) + 1e-15)) continue;
    const int index = basis_.basic(i) % basis_.size();
    if (index < least) least = index, row = i;
  }
  return row;
}

bool PrincipalPivoting::one_at_a_time(const MlcpView& problem, VectorXd& z, int limit, Result& result) {
  for (int distinguished = first_negative(); distinguished >= 0; distinguished = first_negative()) {
    // A major cycle: drive until the distinguished variable is out.
    int driving = basis_.complement(basis_.basic(distinguished));
    while (true) {
      if (++result.iterations > limit) return false;
      const VectorXd& column = basis_.enter(driving);
      const int row = blocking_row(column, distinguished);
      if (row < 0) {
        basis_.ray(result.ray);
        basis_.solution(z);
        return false;
      }
      driving = basis_.complement(basis_.basic(row));
      basis_.pivot(row);
      if (row == distinguished) break;
    }
  }
  basis_.solution(z);
  return residual(problem, z, measure_) <= options_.tolerance;
}

void PrincipalPivoting::run_lcp(const MlcpView& problem, VectorXd& z, Result& result) {
  const MatrixXd& m = std::get<MatrixXd>(problem.M);
  const int n = problem.size();
  if (n == 0 || problem.q.minCoeff() >= 0) {
    z.setZero(n);
    set_note(result.note, "principal-pivoting: q ≥ 0, nothing to do");
    return;
  }
  const int limit = max_iterations(std::max(20000, 100 * n));

  active_.resize(n);
  // The guess's set; without a guess, what is negative at z = 0.
  const bool guessed = (z.array() > 0).any();
  for (int i = 0; i < n; ++i) active_[i] = guessed ? z[i] > 0 : problem.q[i] < 0;
  if (block_pivoting(problem, m, z, result)) {
    set_note(result.note, "principal-pivoting: {} block steps", result.iterations);
    return;
  }

  const int blocks = result.iterations;
  basis_.start(m, problem.q, measure_.scale, none_);
  const bool solved = one_at_a_time(problem, z, limit, result);
  set_note(result.note, "principal-pivoting: {} block steps, {} single pivots{}", blocks,
           result.iterations - blocks,
           solved                   ? ""
           : result.ray.size() == 0 ? "; gave up"
           : proves_infeasible(problem, result.ray)
               ? "; ended on a ray: the problem has no solution"
               : "; ended on a ray, which proves nothing for a matrix of this class");
}

const Registration<SolverType> registered{{
    .name = "principal-pivoting",
    .help = "block, then single principal pivots: semidefinite and P-matrices of moderate size, exact",
    .citation = "keller1973",
    .claims = lcp_symmetric_psd | lcp_psd | lcp_p_matrix | mixed,
    .make = &make_solver<PrincipalPivoting>,
}};

}  // namespace

}  // namespace tappet::lcp::solvers::principal_pivoting
