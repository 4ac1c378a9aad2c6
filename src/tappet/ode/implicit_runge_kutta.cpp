#include "tappet/ode/implicit_runge_kutta.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <stdexcept>
#include <vector>

#include <Eigen/Core>
#include <Eigen/LU>
#include <fmt/format.h>

#include "tappet/ode/step_errors.hpp"

namespace tappet {
namespace {

using Vector = Eigen::VectorXd;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// A stage is found when the last change is below this of the error scales: far below what a step of order 1 or 2 errs.
constexpr double found = 1e-10;
// The same of the gaps of contacts, relative to their penetration.
constexpr double gap_found = 1e-8;
// Changes that are rounding, of the error scales, whatever the gaps say.
constexpr double rounding = 1e-15;
// The matrix is made again where an iteration leaves more than this of the change before it.
constexpr double slow = 0.1;
constexpr int most_iterations = 60, most_halvings = 30;
// A difference quotient's step: the square root of the rounding, relative to the component, or to a thousandth of its scale where it is
// small. Penetrations are small against a mechanism, and a step as long as they are would not see their stiffness. It is taken where the
// solution goes: friction that has just let go is the other way behind it.
constexpr double difference = 1.5e-8, smallest_size = 1e-3;
// Unknowns for which a dense matrix is no nuisance: 72 MB.
constexpr int most_unknowns = 3000;

class ImplicitRungeKutta final : public Scheme {
 public:
  ImplicitRungeKutta(const ImplicitTableau& tableau, const SchemeOptions& options)
      : tableau_(tableau), step_(options.fixed_step) {
    if (!(step_ > 0))
      throw std::invalid_argument("this integrator has no error control and needs a fixed step");
  }

  void start(OdeSystem& system, double t, const double* y, double t_end, bool) override {
    system_ = &system;
    if (system.size() != n_) allocate(system.size());
    std::copy(y, y + n_, y_.data());
    t_old_ = t_ = t_dense_ = t;
    t_end_ = t_end;
    anchor_ = t;
    anchor_steps_ = 0;
  }

  void step() override {
    if (!(t_ < t_end_)) throw std::logic_error("an integrator was asked to go beyond its end");
    if (n_ > most_unknowns)
      throw SimulationError(
          t_,
          fmt::format("the model has {} unknowns; implicit integrators with fixed steps solve for at most {}",
                      n_, most_unknowns));
    // Fixed steps count from the anchor, so that rounding does not add up; the last one lands on the end.
    double t_new = anchor_ + (anchor_steps_ + 1) * step_;
    if (t_new > t_end_ - 1e-6 * step_) t_new = t_end_;
    const double h = t_new - t_;

    system_->evaluate_on_manifold(false);
    system_->error_scale(t_, y_.data(), scale_.data());
    inverse_scale_ = scale_.cwiseInverse();
    matrix_known_ = false;
    for (int j = 0; j < tableau_.stages; ++j) find_stage(j, h);
    stage_end_ = stage_;
    if (const int i = first_not_finite(stage_.data(), n_); i >= 0)
      throw_not_finite(*system_, t_, t_new, y_.data(), i);
    system_->project(t_new, stage_.data());

    y_old_.swap(y_);
    y_ = y_dense_ = stage_;
    t_old_ = t_;
    t_ = t_dense_ = t_new;
    ++anchor_steps_;
    ++counters_.steps;
  }

  double t_old() const override { return t_old_; }
  double t() const override { return t_; }
  const double* y() const override { return y_.data(); }
  int dense_order() const override { return tableau_.dense_order; }
  double next_step() const override { return step_; }

  void interpolate(double time, double* out) const override {
    // The ends are given exactly, whatever rounding would do to the polynomial.
    Eigen::Map<Vector> y(out, n_);
    if (time == t_ || t_old_ == t_) return void(y = y_);
    if (time == t_old_) return void(y = y_old_);
    const double h = t_dense_ - t_old_, theta = (time - t_old_) / h;
    y = y_old_ + theta * (y_dense_ - stage_end_);
    for (int j = 0; j < tableau_.stages; ++j)
      y += h * theta * (tableau_.dense[j][0] + theta * tableau_.dense[j][1]) * k_[j];
  }

  void truncate(double time, const double* y) override {
    std::copy(y, y + n_, y_.data());
    t_ = time;
    anchor_ = time;
    anchor_steps_ = 0;
  }

  void set_end(double t_end) override { t_end_ = t_end; }

  void store(AnyValue& memory) const override {
    auto& m = memory.as<RungeKuttaMemory>();
    m.anchor = anchor_, m.anchor_steps = anchor_steps_;
  }
  void restore(const AnyValue& memory) override {
    const auto& m = memory.get<RungeKuttaMemory>();
    anchor_ = m.anchor, anchor_steps_ = m.anchor_steps;
  }

 private:
  void allocate(int n) {
    n_ = n;
    for (Vector* v : {&y_old_, &y_, &y_dense_, &stage_end_, &stage_, &known_, &residual_, &change_, &trial_,
                      &trial_residual_, &rate_, &scale_, &inverse_scale_})
      *v = Vector::Zero(n);
    for (Vector& k : k_) k = Vector::Zero(n);
    follows_.assign(n, 0);
    if (n > most_unknowns) return;
    matrix_ = Eigen::MatrixXd::Identity(n, n);
    factors_.compute(matrix_);
  }

  /// Largest component against its error scale. Components that no rate depends on (impulses, work done) follow from the others
  /// and take no part: a stiff contact's impulse would have every step halved.
  double size_of(const Vector& v) const {
    double largest = 0;
    for (int i = 0; i < n_; ++i) {
      if (follows_[i]) continue;
      const double size = std::abs(v[i]) * inverse_scale_[i];
      if (!(size <= largest)) largest = size;  // keeps NaN
    }
    return largest;
  }

  void evaluate(double t, const Vector& y, Vector& rate) {
    ++counters_.evaluations;
    system_->derivative(t, y.data(), rate.data());
  }

  /// r(Y) into `out`; its size, NaN where f is not finite or the model makes no sense.
  double residual(double t, double weight, const Vector& Y, Vector& out) {
    try {
      evaluate(t, Y, rate_);
      failure_ = nullptr;
    } catch (const SimulationError&) {
      failure_ = std::current_exception();
      return not_a_number;
    }
    out.noalias() = Y - known_ - weight * rate_;
    return first_not_finite(rate_.data(), n_) < 0 ? size_of(out) : not_a_number;
  }

  /// I − hγ ∂f/∂Y at Y, where f is `rate_`.
  void make_matrix(double t, double weight) {
    here_ = rate_;
    for (int j = 0; j < n_; ++j) {
      const double kept = stage_[j], scale = std::isfinite(scale_[j]) ? scale_[j] : 1.0;
      const double wanted = difference * std::max(std::abs(kept), smallest_size * scale);
      stage_[j] = kept + std::copysign(wanted, here_[j]);
      const double step = stage_[j] - kept;
      evaluate(t, stage_, rate_);
      stage_[j] = kept;
      matrix_.col(j).noalias() = (-weight / step) * (rate_ - here_);
      follows_[j] = matrix_.col(j).isZero(0);
      matrix_(j, j) += 1;
    }
    factors_.compute(matrix_);
    matrix_known_ = true;
  }

  /// Stage j of a step of length h, into stage_ and k_[j].
  void find_stage(int j, double h) {
    const double t = t_ + tableau_.c[j] * h, weight = h * tableau_.gamma;
    known_ = y_;
    for (int l = 0; l < j; ++l) known_ += h * tableau_.a[j][l] * k_[l];
    // From the line that the last rates point along: places then agree with speeds, and what is left of r is forces alone. A contact
    // that begins is met where the body would be without it, and left from the stiff side.
    if (j == 0) evaluate(t_, y_, k_[0]);
    stage_ = known_ + weight * k_[j == 0 ? 0 : j - 1];
    double size = residual(t, weight, stage_, residual_), last_change = HUGE_VAL;
    if (std::isnan(size)) {
      stage_ = y_;
      size = residual(t, weight, stage_, residual_);
    }
    if (std::isnan(size)) give_up(t, h, size);
    for (int n = 0;; ++n) {
      if (n == most_iterations) give_up(t, h, size);
      if (!matrix_known_) {
        make_matrix(t, weight);
        size = size_of(residual_);
        last_change = HUGE_VAL;
      }
      change_.noalias() = factors_.solve(residual_);
      const double wanted = size_of(change_);
      double part = 1, trial_size = 0;
      for (int halvings = 0;; ++halvings, part *= 0.5) {
        if (halvings == most_halvings) give_up(t, h, size);
        trial_.noalias() = stage_ - part * change_;
        trial_size = residual(t, weight, trial_, trial_residual_);
        // A residual that is rounding may grow.
        if (trial_size <= (1 - 1e-4 * part) * size || (wanted <= found && !std::isnan(trial_size))) break;
      }
      stage_.swap(trial_);
      residual_.swap(trial_residual_);
      size = trial_size;
      const double moved = part * wanted;
      if (moved <= rounding) break;
      if (part == 1 && moved <= found && system_->extra_error(t, stage_.data(), change_.data()) <= gap_found)
        break;
      if (part < 1 || moved > slow * last_change) matrix_known_ = false;
      last_change = moved;
    }
    for (int i = 0; i < n_; ++i)
      if (follows_[i]) stage_[i] = known_[i] + weight * rate_[i];
    k_[j].noalias() = (stage_ - known_) / weight;
  }

  [[noreturn]] void give_up(double t, double h, double size) const {
    if (failure_) std::rethrow_exception(failure_);
    if (const int i = first_not_finite(rate_.data(), n_); i >= 0)
      throw_not_finite(*system_, t_, t, stage_.data(), i);
    throw SimulationError(t_, fmt::format("the equations of an implicit step of {:.3g} s were not solved at "
                                          "t = {:.12g} s: {:.2g} of the state's size is "
                                          "left over; a shorter `step` may help",
                                          h, t, size));
  }

  const ImplicitTableau tableau_;
  const double step_;
  OdeSystem* system_ = nullptr;
  int n_ = 0;
  double t_old_ = 0, t_ = 0, t_end_ = 0;
  double t_dense_ = 0;                    ///< end of the last step before it was truncated
  double anchor_ = 0, anchor_steps_ = 0;  ///< steps count from here
  Vector y_old_, y_;
  Vector y_dense_, stage_end_;  ///< end of the last step, before it was truncated; the same before projection
  Vector k_[ImplicitTableau::most_stages];
  Vector scale_, inverse_scale_;
  // One stage: Y, y + h Σ a k of those before, r(Y), Newton's step, what it leads to, f there.
  Vector stage_, known_, residual_, change_, trial_, trial_residual_, rate_, here_;
  Eigen::MatrixXd matrix_;
  Eigen::PartialPivLU<Eigen::MatrixXd> factors_;
  bool matrix_known_ = false;
  std::vector<char> follows_;  ///< components that no rate depends on; make_matrix()
  std::exception_ptr failure_;
};

}  // namespace

std::unique_ptr<Scheme> make_implicit_runge_kutta(const ImplicitTableau& tableau,
                                                  const SchemeOptions& options) {
  return std::make_unique<ImplicitRungeKutta>(tableau, options);
}

}  // namespace tappet
