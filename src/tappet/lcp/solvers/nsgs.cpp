// Non-smooth Gauss–Seidel on cones: contact after contact is solved exactly while all others are held.
//
//   r_i ← the solution of  u_i = W_ii r_i + (b_i + Σ_{j≠i} W_ij r_j)  with Coulomb's law   (one_contact.hpp)
//
// Equality rows, in the sparse forms, are blocks like the others: r_i ← r_i − W_ii⁺ u_i. With a Gram matrix a
// sweep costs O(1) a contact: it walks in the space of velocities, v = Gᵀ r.
//
// Convergence: without friction and equalities it is block coordinate descent on a convex quadratic and
// converges for every symmetric positive semidefinite W [Luo & Tseng 1992], linearly but slowly when forces
// travel far (a tall stack needs of the order of its height squared in sweeps). With Coulomb friction there
// is no proof, and decades of use: it is the workhorse of [Jean 1999], [Acary & Brogliato 2008,
// section 13.7].
//
// Acceleration: the sweep is the preconditioner of a non-linear conjugate gradient method [Silcowitz, Niebe &
// Erleben 2010]:
//   g = sweep(r) − r,   β = ‖g‖²/‖g_old‖²,   r ← sweep(r) + β p,   p ← β p + g,   restart (p = 0) when β > 1.
// It costs two vector operations a sweep and no product with W, since v is linear in r.
#include <algorithm>
#include <limits>

#include "tappet/lcp/contact_sweep.hpp"
#include "tappet/lcp/note_text.hpp"
#include "tappet/lcp/solver.hpp"

namespace tappet::lcp::solvers::nsgs {

namespace {

using Eigen::VectorXd;

/// x ← x + β p,  p ← β p + (x − before), with the x that is there, in one pass over the memory. β = 0: a restart.
void extrapolate(double beta, const VectorXd& before, VectorXd& p, VectorXd& x) {
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const double change = x[i] - before[i], more = beta * p[i];
    x[i] += more;
    p[i] = more + change;
  }
}

class Nsgs : public Solver {
 public:
  explicit Nsgs(const SolverOptions& options) : Solver(options, Form::any) {}

 protected:
  void run_cone(const ConeProblem& problem, VectorXd& r, Result& result) override;

 private:
  ContactSweep contacts_;
  VectorXd best_, before_, direction_, state_before_, state_direction_;
};

void Nsgs::run_cone(const ConeProblem& problem, VectorXd& r, Result& result) {
  const int limit = max_iterations(5000);
  const VectorXd& scale = measure_.scale;
  double best = std::numeric_limits<double>::infinity(), last_norm = 0;

  contacts_.prepare(problem);
  contacts_.start(r);
  VectorXd& state = contacts_.state();
  direction_.setZero(r.size());
  state_direction_.setZero(state.size());
  best_ = r;
  // Of few contacts the residual costs nothing.
  const bool few = problem.contacts() < 30;
  int next_check = few ? 1 : 10, calm_check = few ? 1 : 6, next_start = few ? 1 : 50;
  for (int iteration = 1; iteration <= limit; ++iteration) {
    before_ = r;
    state_before_ = state;
    const double moved = contacts_.sweep(options_.relaxation, r);
    result.iterations = iteration;

    // The shared residual costs as much as a sweep: it is asked for when the sweep itself moved little, and otherwise now and
    // then, and more rarely the rounding in the state is removed. A few sweeps are always made unless there is next to nothing to
    // do: a guess that is just good enough, step after step, would let a pile at rest sink at the speed of the tolerance.
    const double small = options_.tolerance * measure_.unit;
    const bool calm = moved <= small && (iteration >= calm_check || moved <= 0.01 * small);
    if (calm || iteration >= next_check || iteration == limit) {
      const bool anew = calm || iteration >= next_start;
      if (anew) contacts_.start(r), next_start = few ? 1 : iteration + 50;
      contacts_.velocity(r, measure_.w, measure_.inner);
      const double now = residual_of_w(problem, r, measure_);
      if (now < best) best = now, best_ = r;
      if (now <= options_.tolerance) {
        multiplied_ = anew && std::holds_alternative<Gram>(problem.W);
        break;
      }
      calm_check = iteration + 2;
      next_check = iteration + (few ? std::clamp(iteration / 4, 1, 20) : std::clamp(iteration / 2, 5, 20));
    }

    // Conjugate-gradient extrapolation of r, and of the state with it.
    const double norm = ((r - before_).array().square() * scale.array()).sum();
    const double beta = last_norm > 0 && norm <= last_norm ? norm / last_norm : 0;
    last_norm = norm;
    extrapolate(beta, before_, direction_, r);
    extrapolate(beta, state_before_, state_direction_, state);
  }
  r = best_;
  set_note(result.note, "nsgs: {} sweeps", result.iterations);
}

const Registration<SolverType> registered{{
    .name = "nsgs",
    .help = "block Gauss-Seidel on friction cones, each contact solved exactly, accelerated by conjugate "
            "gradients",
    .citation = "acary2008",
    .claims = mixed | cone | cone_stiff | cone_strong,
    .make = &make_solver<Nsgs>,
}};

}  // namespace

}  // namespace tappet::lcp::solvers::nsgs
