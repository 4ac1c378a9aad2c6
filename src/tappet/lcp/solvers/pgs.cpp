// Projected Gauss–Seidel, with over-relaxation ω: row after row, one division and one clip.
//
//   complementarity row    z_i ← max(0, z_i − ω w_i/M_ii)
//   equality row           z_i ← z_i − ω w_i/M_ii
//   contact                r_n ← max(0, r_n − ω u_n/W_nn), then
//                          r_t ← the nearest point to r_t − ω u_t/λ in the disc of radius μ r_n,   λ = ‖W_tt‖
//
// w is brought up to date after each row, inside a block of rows by the block's own diagonal part, and
// between blocks as sweep.hpp does. At rest of the iteration each line is the law itself, so friction is not
// approximated, only its solution.
//
// Convergence: for symmetric positive semidefinite M with a positive diagonal and 0 < ω < 2 [Cryer 1971;
// Mangasarian 1977; Cottle, Pang & Stone 1992, section 5.3], linear at a rate that worsens with the length of
// force chains; also for H-matrices with a positive diagonal. Nothing is proved for contacts with friction.
// It is the method of interactive simulators: each sweep is cheap, ten of them look right, and a thousand may
// not be exact. The iterate is always feasible.
#include <cmath>
#include <limits>

#include "tappet/lcp/cone.hpp"
#include "tappet/lcp/note_text.hpp"
#include "tappet/lcp/solver.hpp"
#include "tappet/lcp/sweep.hpp"

namespace tappet::lcp::solvers::pgs {

namespace {

using Eigen::VectorXd;

class Pgs : public Solver {
 public:
  explicit Pgs(const SolverOptions& options) : Solver(options, Form::any) {}

 protected:
  void run_lcp(const MlcpView& problem, VectorXd& z, Result& result) override;
  void run_cone(const ConeProblem& problem, VectorXd& r, Result& result) override;

 private:
  /// One row of block i: z_k moves to `target`, and w of the block with it.
  struct Block {
    const double* diagonal;
    double *z, *w, *change;
    int size;
    double* moved;  ///< the largest change of a row's own w so far in this sweep
    void move(int k, double target) const {
      const double d = target - z[k];
      if (d == 0) return;
      z[k] = target;
      change[k] += d;
      *moved = std::max(*moved, diagonal_entry(k) * std::abs(d));
      for (int l = 0; l < size; ++l) w[l] += diagonal[l + k * size] * d;
    }
    double diagonal_entry(int k) const { return diagonal[k * (size + 1)]; }
  };

  /// Sweeps with `solve_block(i, block)` until the residual is small enough. S: the size of all blocks; 0: they differ.
  template <int S, class Problem, class SolveBlock>
  void iterate(const Problem& problem, const Matrix& m, const VectorXd& q, int dimension, VectorXd& z,
               Result& result, SolveBlock&& solve_block);

  Rows rows_;
  std::vector<int> start_;
  std::vector<double> diagonal_;
  VectorXd best_;
};

template <int S, class Problem, class SolveBlock>
void Pgs::iterate(const Problem& problem, const Matrix& m, const VectorXd& q, int dimension, VectorXd& z,
                  Result& result, SolveBlock&& solve_block) {
  diagonal_blocks(m, start_, diagonal_);
  const int blocks = static_cast<int>(start_.size()) - 1;
  const int limit = max_iterations(10000);
  double best = std::numeric_limits<double>::infinity();
  best_ = z;
  with_rows(rows_, m, [&](auto& rows, const auto& form) {
    rows.start(form, q, z, dimension);
    int next_check = 10, calm_check = 1, next_start = 50;
    double w[max_block] = {}, change[max_block] = {};
    for (int iteration = 1; iteration <= limit; ++iteration) {
      double moved = 0;
      const double* diagonal = diagonal_.data();
      for (int i = 0; i < blocks; ++i) {
        const int size = S > 0 ? S : start_[i + 1] - start_[i];
        rows.template gather<S>(i, z.data(), w);
        for (int k = 0; k < size; ++k) change[k] = 0;
        solve_block(i, Block{diagonal, z.data() + start_[i], w, change, size, &moved});
        rows.template scatter<S>(i, change);
        diagonal += size * size;
      }
      result.iterations = iteration;

      // The shared residual costs as much as a sweep: it is asked for when the sweep itself moved little, and otherwise now and
      // then. Now and then the rounding in the rows' state is removed.
      const bool calm = moved <= options_.tolerance * measure_.unit && iteration >= calm_check;
      if (!calm && iteration < next_check && iteration < limit) continue;
      if (iteration >= next_start) rows.start(form, q, z, dimension), next_start = iteration + 50;
      measure_.w.resize(z.size());
      for (int i = 0; i < blocks; ++i) rows.template gather<S>(i, z.data(), measure_.w.data() + start_[i]);
      const double now = residual_of_w(problem, z, measure_);
      if (now < best) best = now, best_ = z;
      if (now <= options_.tolerance) break;
      if (!z.allFinite() || now > 1e12 * (1 + best)) {
        set_note(result.note, "pgs: diverged after {} sweeps", iteration);
        break;
      }
      calm_check = iteration + 2;
      next_check = iteration + std::clamp(iteration / 2, 5, 20);
    }
  });
  z = best_;
  if (result.note.empty()) set_note(result.note, "pgs: {} sweeps", result.iterations);
}

void Pgs::run_lcp(const MlcpView& problem, VectorXd& z, Result& result) {
  const double omega = options_.relaxation;
  const auto solve_block = [&](int i, const Block& block) {
    for (int k = 0; k < block.size; ++k) {
      const double m = block.diagonal_entry(k);
      if (!(m > 0)) continue;
      const double target = block.z[k] - omega * block.w[k] / m;
      block.move(k, start_[i] + k < problem.equalities ? target : std::max(0.0, target));
    }
  };
  block_starts(problem.M, 1, start_);
  if (static_cast<int>(start_.size()) == problem.size() + 1)
    iterate<1>(problem, problem.M, problem.q, 1, z, result, solve_block);
  else
    iterate<0>(problem, problem.M, problem.q, 1, z, result, solve_block);
}

void Pgs::run_cone(const ConeProblem& problem, VectorXd& r, Result& result) {
  const double omega = options_.relaxation;
  const int dimension = problem.dimension;
  const auto solve_block = [&](int i, const Block& block) {
    if (start_[i] < problem.equalities) {
      for (int k = 0; k < block.size; ++k)
        if (const double m = block.diagonal_entry(k); m > 0)
          block.move(k, block.z[k] - omega * block.w[k] / m);
      return;
    }
    const double w_nn = block.diagonal_entry(0);
    if (!(w_nn > 0)) return;
    block.move(0, std::max(0.0, block.z[0] - omega * block.w[0] / w_nn));

    const double radius = problem.mu[(start_[i] - problem.equalities) / dimension] * block.z[0];
    double target[2] = {0, 0};
    if (dimension == 3) {
      const double a = block.diagonal[4], b = block.diagonal[8], c = block.diagonal[5];
      const double lambda = 0.5 * (a + b) + std::hypot(0.5 * (a - b), c);
      if (!(lambda > 0)) return;
      for (int k = 0; k < 2; ++k) target[k] = block.z[k + 1] - omega * block.w[k + 1] / lambda;
      project_on_disc<3>(radius, target);
      block.move(1, target[0]);
      block.move(2, target[1]);
    } else if (const double lambda = block.diagonal_entry(1); lambda > 0) {
      target[0] = block.z[1] - omega * block.w[1] / lambda;
      project_on_disc<2>(radius, target);
      block.move(1, target[0]);
    }
  };
  block_starts(problem.W, dimension, start_);
  iterate<0>(problem, problem.W, problem.b, dimension, r, result, solve_block);
}

const Registration<SolverType> registered{{
    .name = "pgs",
    .help = "projected Gauss-Seidel with over-relaxation: the cheapest sweep, for large problems and loose "
            "tolerances",
    .citation = "cottle1992",
    .claims = lcp_symmetric_psd | mixed | cone,
    .make = &make_solver<Pgs>,
}};

}  // namespace

}  // namespace tappet::lcp::solvers::pgs
