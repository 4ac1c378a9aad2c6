// Accelerated projected gradient descent: no factorisation, no sweep order, one product with the matrix an
// iteration.
//
// For symmetric positive semidefinite M the complementarity problem is the optimality condition of
//
//   min f(x) = ½ xᵀ M x + qᵀ x   over x ∈ K,       K = ℝ≥0 (and ℝ in equality rows), or the friction cones
//   K_μ.
//
// Nesterov's method, as [Mazhar, Heyn, Negrut & Tasora 2015] use it for contacts, with the step 1/L found by
// backtracking and the momentum dropped whenever it points uphill [O'Donoghue & Candès 2015]:
//
//   x⁺ = P_K(y − (M y + q)/L),   f(x⁺) ≤ f(y) + (M y + q)ᵀ(x⁺ − y) + ½ L ‖x⁺ − y‖²
//   y⁺ = x⁺ + β (x⁺ − x),        β = θ(1 − θ)/(θ² + θ⁺),   θ⁺² = (1 − θ⁺) θ²
//
// M y⁺ is combined from M x⁺ and M x, so one product is enough. Unknowns are scaled by 1/√M_ii, one scale a
// contact so that cones stay cones: without it heavy bodies beside light ones need as many iterations as the
// square root of their mass ratio.
//
// With cones f leaves Coulomb's law out: its minimiser lets contacts that slide also lift, by μ‖u_t‖. De
// Saxcé's correction q_n += μ‖u_t‖ makes it exact, and is updated in an outer loop [Acary, Cadoux, Lemaréchal
// & Malick 2011], each time the inner problem has been solved to a tenth of the error that is left.
//
// Convergence: f decreases like 1/k² for every symmetric positive semidefinite M; linearly in √(condition
// number) where M is definite on the active face. The outer loop has no proof; it contracts for moderate
// friction.
#include <cmath>
#include <limits>

#include "tappet/lcp/cone.hpp"
#include "tappet/lcp/matrix.hpp"
#include "tappet/lcp/note_text.hpp"
#include "tappet/lcp/solver.hpp"

namespace tappet::lcp::solvers::apgd {

namespace {

using Eigen::VectorXd;

class Apgd : public Solver {
 public:
  explicit Apgd(const SolverOptions& options) : Solver(options, Form::any) {}

 protected:
  void run_lcp(const MlcpView& problem, VectorXd& z, Result& result) override;
  void run_cone(const ConeProblem& problem, VectorXd& r, Result& result) override;

 private:
  /// Starts a descent at r, with the matrix product there: x = r/σ and its gradient without q.
  void start(const Matrix& m, const VectorXd& r);
  /// One accelerated step; `project` maps a point in the problem's own variables to K.
  template <class Project>
  void step(const Matrix& m, const VectorXd& q, Project&& project);

  /// w = M z without a constant.
  void product(const Matrix& m, const VectorXd& z, VectorXd& w) { multiply(m, z, zero_, w, measure_.inner); }

  VectorXd zero_, sigma2_;  ///< σ², where z = σ x are the problem's variables
  VectorXd z_, mz_;         ///< iterate and M z, in the problem's variables
  VectorXd y_, my_;         ///< extrapolated point and M y
  VectorXd next_, m_next_;  ///< the point tried
  VectorXd shifted_;        ///< b with De Saxcé's correction
  VectorXd best_;
  double lipschitz_ = 1, theta_ = 1;
};

void Apgd::start(const Matrix& m, const VectorXd& r) {
  z_ = r;
  product(m, z_, mz_);
  y_ = z_;
  my_ = mz_;
  theta_ = 1;
}

template <class Project>
void Apgd::step(const Matrix& m, const VectorXd& q, Project&& project) {
  // In scaled variables ‖x‖² is Σ z²/σ² and the gradient is σ (M z + q): σ appears only squared.
  double change = 0;
  for (int tries = 0; tries < 60; ++tries) {
    next_ = y_ - sigma2_.cwiseProduct(my_ + q) / lipschitz_;
    project(next_);
    product(m, next_, m_next_);
    // f is quadratic: what backtracking asks is ½ dᵀ M d ≤ ½ L ‖d‖² of the step d.
    const auto d = next_ - y_;
    change = (d.array().square() / sigma2_.array()).sum();
    if (d.dot(m_next_ - my_) <= lipschitz_ * change * (1 + 1e-12) || change == 0) break;
    lipschitz_ *= 2;
  }

  // Momentum, unless it leads uphill.
  const double next_theta = 0.5 * theta_ * (std::sqrt(theta_ * theta_ + 4) - theta_);
  double beta = theta_ * (1 - theta_) / (theta_ * theta_ + next_theta);
  theta_ = next_theta;
  if ((my_ + q).dot(next_ - z_) > 0) beta = 0, theta_ = 1;
  y_ = next_ + beta * (next_ - z_);
  my_ = m_next_ + beta * (m_next_ - mz_);
  z_.swap(next_);
  mz_.swap(m_next_);
  lipschitz_ *= 0.97;
}

void Apgd::run_lcp(const MlcpView& problem, VectorXd& z, Result& result) {
  if (options_.check && !is_symmetric(problem.M, given_asymmetry)) {
    set_note(result.note,
             "apgd: M is not symmetric, so there is no function whose gradient it is: not solved");
    return;
  }
  zero_.setZero(problem.size());
  sigma2_ = measure_.scale.cwiseInverse();
  lipschitz_ = 1;
  const auto project = [&](VectorXd& x) {
    auto bounded = x.tail(problem.size() - problem.equalities);
    bounded = bounded.cwiseMax(0.0);
  };
  start(problem.M, z);
  double best = std::numeric_limits<double>::infinity();
  const int limit = max_iterations(20000);
  for (int iteration = 1; iteration <= limit; ++iteration) {
    step(problem.M, problem.q, project);
    result.iterations = iteration;
    measure_.w = mz_ + problem.q;
    const double now = residual_of_w(problem, z_, measure_);
    if (now < best) best = now, z = z_;
    if (now <= options_.tolerance || std::isinf(now)) break;
  }
  set_note(result.note, "apgd: {} gradients", result.iterations);
}

void Apgd::run_cone(const ConeProblem& problem, VectorXd& r, Result& result) {
  zero_.setZero(problem.size());
  sigma2_ = measure_.scale.cwiseInverse();
  lipschitz_ = 1;
  const int dimension = problem.dimension;
  const auto project = [&](VectorXd& x) {
    for (int c = 0; c < problem.contacts(); ++c) {
      if (dimension == 3) {
        project_on_cone<3>(problem.mu[c], x.data() + problem.row(c));
      } else {
        project_on_cone<2>(problem.mu[c], x.data() + problem.row(c));
      }
    }
  };
  const auto correct = [&] {
    for (int c = 0; c < problem.contacts(); ++c) {
      const int row = problem.row(c);
      const double slide = (mz_ + problem.b).segment(row + 1, dimension - 1).norm();
      shifted_[row] = problem.b[row] + problem.mu[c] * slide;
    }
  };
  /// Error of the inner problem at z_: the same natural map with the correction frozen.
  const auto inner_residual = [&] {
    double worst = 0;
    for (int i = 0; i < problem.equalities; ++i) worst = std::max(worst, std::abs(mz_[i] + problem.b[i]));
    for (int c = 0; c < problem.contacts(); ++c) {
      const int row = problem.row(c);
      double x[3] = {}, sum = 0;
      for (int k = 0; k < dimension; ++k)
        x[k] = z_[row + k] * measure_.scale[row] - mz_[row + k] - shifted_[row + k];
      dimension == 3 ? project_on_cone<3>(problem.mu[c], x) : project_on_cone<2>(problem.mu[c], x);
      for (int k = 0; k < dimension; ++k) sum += std::pow(z_[row + k] * measure_.scale[row] - x[k], 2);
      worst = std::max(worst, std::sqrt(sum));
    }
    return worst / measure_.unit;
  };

  start(problem.W, r);
  shifted_ = problem.b;
  correct();
  double best = std::numeric_limits<double>::infinity();
  const int limit = max_iterations(20000);
  int corrections = 0;
  for (int iteration = 1; iteration <= limit; ++iteration) {
    step(problem.W, shifted_, project);
    result.iterations = iteration;
    measure_.w = mz_ + problem.b;
    const double now = residual_of_w(problem, z_, measure_);
    if (now < best) best = now, r = z_;
    if (now <= options_.tolerance || std::isinf(now)) break;
    if (inner_residual() <= 0.1 * now) {
      correct();
      ++corrections;
    }
  }
  set_note(result.note, "apgd: {} gradients, {} corrections", result.iterations, corrections);
}

const Registration<SolverType> registered{{
    .name = "apgd",
    .help = "accelerated projected gradient for symmetric matrices and friction cones: matrix products only",
    .citation = "mazhar2015",
    .claims = lcp_symmetric_psd | lcp_stiff | mixed | cone | cone_stiff | cone_strong,
    .make = &make_solver<Apgd>,
}};

}  // namespace

}  // namespace tappet::lcp::solvers::apgd
