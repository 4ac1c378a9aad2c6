// Semismooth Newton: the complementarity conditions as equations that are differentiable almost everywhere.
//
// Linear complementarity: Φ_i = φ(c_i z_i, w_i) with Fischer and Burmeister's φ(a, b) = a + b − √(a² + b²),
// which is zero exactly where a, b ≥ 0 and ab = 0 [Fischer 1992]. Newton's step with an element of the
// generalised Jacobian, a Levenberg–Marquardt step where that is no direction of descent, and a non-monotone
// line search on ½‖Φ‖² [De Luca, Facchinei & Kanzow 1996]. Globally convergent to a solution for P₀-matrices
// whose solutions are bounded, locally quadratic where the solution is regular. At the end the active set is
// read off and its linear equations are solved exactly.
//
// Contacts: Φ of Alart and Curnier (alart_curnier.hpp), with the same kind of line search [Alart & Curnier
// 1991; Acary, Brémond & Huber 2018 compare it with its relatives]. Quadratic near a solution and without
// global guarantee: it is the finisher that turns three digits into twelve, or the warm-started solver of a
// machine whose contacts change slowly. Redundant contacts make its equations singular; a proximal term, 10⁻⁷
// to 10⁻¹⁰ of the contact's own compliance, picks one of the solutions. With a Gram matrix the forces are
// condensed out and a sparse system of the size of the bodies' velocities is factored, of active contacts
// only: a pile of a thousand spheres needs one such factorisation a step.
#include "tappet/lcp/newton_cone.hpp"
#include "tappet/lcp/newton_lcp.hpp"
#include "tappet/lcp/note_text.hpp"
#include "tappet/lcp/solver.hpp"

namespace tappet::lcp::solvers::newton {

namespace {

using Eigen::VectorXd;

class Newton : public Solver {
 public:
  explicit Newton(const SolverOptions& options) : Solver(options, Form::dense_or_gram) {}

 protected:
  void run_lcp(const MlcpView& problem, VectorXd& z, Result& result) override {
    result.iterations = lcp_.solve(problem, options_.tolerance, max_iterations(200), measure_, z);
    set_note(result.note, "newton: {} steps", result.iterations);
  }

  void run_cone(const ConeProblem& problem, VectorXd& r, Result& result) override {
    result.iterations = cone_.solve(problem, options_.tolerance, max_iterations(100), measure_, r);
    set_note(result.note, "newton: {} steps", result.iterations);
  }

 private:
  FischerBurmeisterNewton lcp_;
  AlartCurnierNewton cone_;
};

const Registration<SolverType> registered{{
    .name = "newton",
    .help = "semismooth Newton (Fischer-Burmeister; Alart-Curnier for cones): few steps, to rounding, from a "
            "good guess",
    .citation = "alart1991",
    .claims = lcp_symmetric_psd | lcp_psd | lcp_p_matrix | mixed | cone | cone_stiff | cone_strong,
    .make = &make_solver<Newton>,
}};

}  // namespace

}  // namespace tappet::lcp::solvers::newton
