// One engine for embedded explicit Runge–Kutta methods with dense output; a tableau makes it a scheme.
//
//   k_j = f(t + c_j h, y + h Σ_l a_jl k_l)          stages, j = 0 … s−1
//   y₁  = P(t + h, y + h Σ_j b_j k_j)               new point, brought back to the manifold by P
//   e   = h Σ_j e_j k_j                             estimate of the step's error
//   accepted when  max_i |e_i| / (tolerance · scale_i) ≤ 1  and  extra_error(e) ≤ tolerance
//
// Near singular positions of a mechanism a derivative off the manifold says little. Stages are then evaluated
// at the points of the manifold nearest to them. And since P removes an error off the manifold to second
// order, while refusing steps for it would end in ever shorter ones, a step that e refuses there is measured
// again by the part of e along the manifold and the square of the whole.
//
// The next step size follows from the error ε of this one and ε₀ of the last [Hairer1993, IV.2, eq. 2.43]:
//
//   h₁ = h · clamp(0.9 · ε^−α · ε₀^β)
//
// Dense output on θ ∈ [0, 1] is the cubic Hermite polynomial through (y, f) at both ends plus the terms of
// the tableau, which vanish there with their first derivative [Hairer1993, II.6]:
//
//   u(θ) = y + θ(r₁ + (1−θ)(r₂ + θ(r₃ + (1−θ)(r₄ + θ(r₅ + …)))))
//   r₁ = y₁ − y,  r₂ = h k₀ − r₁,  r₃ = r₁ − h f(t₁, y₁) − r₂,  r₄… = h Σ_j d_j k_j
//
// Both ends are the projected ones, so that the output is continuous, with its first derivative, from step to
// step. The projection moves y₁ by the size of the step's error, which leaves the order of u as it is.
//
// Speed: coefficients are known to the compiler and zero ones cost nothing; rows are padded to whole blocks
// of four numbers, so that loops have no remainder and fill the registers of processors that hold four. Nothing is allocated
// after start().
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <exception>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tappet/linalg/wide.hpp"
#include "tappet/ode/scheme.hpp"
#include "tappet/ode/step_errors.hpp"

namespace tappet {

namespace runge_kutta {

/// Positions of the non-zero weights. `Weights` is a lambda without captures that returns a std::array.
template <class Weights>
consteval auto non_zero() {
  constexpr auto weights = Weights{}();
  constexpr std::size_t count = [] {
    std::size_t found = 0;
    for (double weight : Weights{}()) found += weight != 0;
    return found;
  }();
  std::array<std::size_t, count> places{};
  std::size_t next = 0;
  for (std::size_t j = 0; j < weights.size(); ++j)
    if (weights[j] != 0) places[next++] = j;
  return places;
}

/// Σ_j w_j k_j of one component; `k` points to it in row 0.
template <class Weights>
inline double weighted_sum(const double* k, std::size_t row) {
  static constexpr auto weights = Weights{}();
  static constexpr auto places = non_zero<Weights>();
  return [&]<std::size_t... J>(std::index_sequence<J...>) {
    return (... + (weights[places[J]] * k[places[J] * row]));
  }
  (std::make_index_sequence<places.size()>{});
}

constexpr std::size_t block = 4;

/// out = y + h Σ_j w_j k_j
template <class Weights>
TAPPET_WIDE void advance(Weights, double* __restrict out, const double* __restrict y, double h,
                         const double* __restrict k, std::size_t blocks) {
  const std::size_t row = blocks * block;
  for (std::size_t i = 0; i < row; ++i) out[i] = y[i] + h * weighted_sum<Weights>(k + i, row);
}

/// out = h Σ_j w_j k_j
template <class Weights>
TAPPET_WIDE void combine(Weights, double* __restrict out, double h, const double* __restrict k,
                         std::size_t blocks) {
  const std::size_t row = blocks * block;
  for (std::size_t i = 0; i < row; ++i) out[i] = h * weighted_sum<Weights>(k + i, row);
}

/// out = y + θ(r₁ + (1−θ)(r₂ + θ(r₃ + …))) of n components; rows of r are `row` apart.
template <std::size_t terms>
TAPPET_WIDE void dense_output(double* __restrict out, const double* __restrict y, const double* __restrict r,
                              std::size_t row, double theta, int n) {
  const double eta = 1 - theta;
  for (int i = 0; i < n; ++i) {
    double sum = r[(terms - 1) * row + i];
    for (std::size_t d = terms - 1; d-- > 0;) sum = r[d * row + i] + (d % 2 == 0 ? eta : theta) * sum;
    out[i] = y[i] + theta * sum;
  }
}

/// max_i |v_i| w_i, or NaN when a component of v is not finite.
inline double weighted_max(const double* __restrict v, const double* __restrict w, std::size_t blocks) {
  // Four lanes that the compiler keeps in registers. The maximum loses a NaN, the sum never does.
  double largest[block] = {}, sum[block] = {};
  for (std::size_t b = 0; b < blocks; ++b)
    for (std::size_t lane = 0; lane < block; ++lane) {
      const double size = std::abs(v[b * block + lane]) * w[b * block + lane];
      largest[lane] = size > largest[lane] ? size : largest[lane];
      sum[lane] += size;
    }
  const double total = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  if (!std::isfinite(total)) return std::numeric_limits<double>::quiet_NaN();
  return std::max(std::max(largest[0], largest[1]), std::max(largest[2], largest[3]));
}

inline bool all_finite(const double* v, std::size_t blocks) {
  double zero[block] = {};
  for (std::size_t b = 0; b < blocks; ++b)
    for (std::size_t lane = 0; lane < block; ++lane) zero[lane] += v[b * block + lane] * 0;
  return (zero[0] + zero[1]) + (zero[2] + zero[3]) == 0;
}

}  // namespace runge_kutta

/// The scheme of one tableau (see dopri5_tableau.hpp for what a tableau has).
template <class Tableau>
class ExplicitRungeKutta final : public Scheme {
 public:
  explicit ExplicitRungeKutta(const SchemeOptions& options) : options_(options) {
    if (!(options.tolerance > 0) && !(options.fixed_step > 0))
      throw std::invalid_argument("the tolerance of an integrator must be positive");
  }

  // -------------------------------------------------------------------------------------------- life of a
  // run
  void start(OdeSystem& system, double t, const double* y, double t_end, bool keep_step) override {
    system_ = &system;
    if (system.size() != n_ || work_.empty()) allocate(system.size());
    std::copy(y, y + n_, y_);
    t_old_ = t_ = t;
    t_end_ = t_end;
    span_ = std::isfinite(t_end) ? t_end - t : 0;
    anchor_ = t;
    anchor_steps_ = 0;

    // k₀ and, where wanted, a new first step size are found by the next step(): a resume may still restore
    // them.
    start_known_ = false;
    dense_known_ = false;
    log_error_ = log_smallest_memory;
    if (!keep_step) next_step_ = 0;
  }

  void step() override {
    if (!(t_ < t_end_)) throw std::logic_error("an integrator was asked to go beyond its end");
    begin_step();
    std::exception_ptr failure;
    bool rejected = false;
    for (int failures = 0, in_a_row = 0;;) {
      const Trial trial = choose_step();
      double error = 0;
      try {
        error = attempt(trial);
        failure = nullptr;
      } catch (const SimulationError&) {
        // The stage may have left the region where the model makes sense: a smaller step may stay inside.
        if (options_.fixed_step > 0) throw;
        failure = std::current_exception();
        error = std::numeric_limits<double>::quiet_NaN();
      }
      if (error <= 1) {
        accept(trial, error, rejected);
        return;
      }

      // Too large an error: the step that the error asks for. No error at all (not finite, thrown): half the
      // step.
      rejected = true;
      ++counters_.rejected;
      const bool failed = std::isnan(error);
      next_step_ = trial.h * (failed ? 0.5 : shrink_factor(error, ++in_a_row));
      const bool underflow = next_step_ < smallest_step();
      if (failed && (underflow || ++failures > most_failures || options_.fixed_step > 0)) {
        if (failure) std::rethrow_exception(failure);
        find_not_finite(trial);
      }
      if (underflow) throw_step_underflow(*system_, t_, next_step_, smallest_step(), worst_component());
    }
  }

  // ------------------------------------------------------------------------------------------ what a step
  // gave
  double t_old() const override { return t_old_; }
  double t() const override { return t_; }
  const double* y() const override { return y_; }
  int dense_order() const override { return Tableau::dense_order; }

  void interpolate(double time, double* y) const override {
    // The ends are given exactly, whatever rounding would do to the polynomial.
    if (time == t_ || t_old_ == t_) return void(std::copy(y_, y_ + n_, y));
    if (time == t_old_) return void(std::copy(y_old_, y_old_ + n_, y));
    if (!dense_known_) prepare_dense();
    runge_kutta::dense_output<dense_terms>(y, y_old_, dense_, blocks_ * runge_kutta::block,
                                           (time - t_old_) / (t_dense_ - t_old_), n_);
  }

  void truncate(double time, const double* y) override {
    // What came before `time` can still be interpolated.
    if (!dense_known_ && t_old_ != t_) prepare_dense();
    std::copy(y, y + n_, y_);
    t_ = time;
    start_known_ = false;
    anchor_ = time;
    anchor_steps_ = 0;
  }

  // ------------------------------------------------------------------------------------------------- resume
  void suggest_step(double step) override { next_step_ = step; }
  void set_end(double t_end) override { t_end_ = t_end; }
  double next_step() const override { return next_step_; }

  void store(AnyValue& memory) const override {
    auto& to = memory.as<RungeKuttaMemory>();
    to.next_step = next_step_, to.log_error = log_error_, to.span = span_;
    to.anchor = anchor_, to.anchor_steps = anchor_steps_;
    to.derivative.reserve(n_);  // no allocation later, when it is known for the first time
    to.derivative.assign(start_, start_known_ ? start_ + n_ : start_);
    to.condition = start_known_ ? start_condition_ : 1;
  }

  void restore(const AnyValue& memory) override {
    const auto& from = memory.get<RungeKuttaMemory>();
    if (!from.derivative.empty() && from.derivative.size() != static_cast<std::size_t>(n_))
      throw std::invalid_argument("the integrator's memory has the wrong length");
    next_step_ = from.next_step;
    log_error_ = from.log_error;
    span_ = from.span;
    anchor_ = from.anchor;
    anchor_steps_ = from.anchor_steps;
    start_known_ = !from.derivative.empty();
    std::copy(from.derivative.begin(), from.derivative.end(), start_);
    if (start_known_) start_condition_ = from.condition;
  }

 private:
  /// A step to be tried.
  struct Trial {
    double t_new = 0;
    double h = 0;
    bool shortened = false;  ///< to land on the end of the run: says nothing about the step size to come
  };

  static constexpr std::size_t end_row = Tableau::stages;  ///< row of the derivative at the new point
  static constexpr std::size_t dense_terms = 3 + Tableau::dense.size();
  static constexpr double near_singular =
      1e-2;                                 ///< condition below which stages are evaluated on the manifold
  static constexpr int most_failures = 60;  ///< halvings in one step before giving up: 2⁻⁶⁰ ≈ 1e-18
  static constexpr double log_smallest_memory = -9.210340371976182;  ///< ln 1e-4: errors below say no more

  void allocate(int n) {
    n_ = n;
    blocks_ = (static_cast<std::size_t>(n) + runge_kutta::block - 1) / runge_kutta::block;
    const std::size_t row = blocks_ * runge_kutta::block;
    // Padding is zero and stays zero.
    work_.assign(row * (Tableau::rows + 8 + dense_terms), 0.0);
    double* next = work_.data();
    const auto take = [&](std::size_t rows) { return std::exchange(next, next + rows * row); };
    k_ = take(Tableau::rows);
    y_old_ = take(1), y_ = take(1), y_new_ = take(1);
    start_ = take(1), end_ = take(1);
    stage_ = take(1), error_ = take(1), inverse_scale_ = take(1);
    dense_ = take(dense_terms);
  }

  double* row(std::size_t j) const { return k_ + j * blocks_ * runge_kutta::block; }

  void evaluate(double t, const double* y, double* dydt) const {
    ++counters_.evaluations;
    system_->derivative(t, y, dydt);
    lowest_condition_ = std::min(lowest_condition_, system_->condition());
  }

  double smallest_step() const {
    return options_.min_step > 0 ? options_.min_step : 1e-14 * std::max(std::abs(t_), span_);
  }

  void evaluate_on_manifold(bool on) {
    on_manifold_ = on;
    system_->evaluate_on_manifold(on);
  }

  /// What all trials of one step share: k₀, the error scales, and a first step size if there is none.
  void begin_step() {
    t_old_ = t_;  // from here on the last interval cannot be interpolated
    dense_known_ = false;
    // All stages of a step see the same function: a change within it would cost the order.
    evaluate_on_manifold(false);
    if (!start_known_) {
      evaluate(t_, y_, start_);
      start_condition_ = system_->condition();
      if (!runge_kutta::all_finite(start_, blocks_))
        throw_not_finite(*system_, t_, t_, y_, first_not_finite(start_, n_));
      start_known_ = true;
    }
    std::copy(start_, start_ + n_, row(0));
    if (start_condition_ < near_singular) evaluate_on_manifold(true);

    // A suggestion below what time resolves would stand still.
    if (next_step_ > 0) next_step_ = std::max(next_step_, smallest_step());
    if (options_.fixed_step > 0) {
      std::fill(inverse_scale_, inverse_scale_ + n_, 1.0);  // only to see whether the error is a number
      return;
    }
    system_->error_scale(t_, y_, inverse_scale_);
    for (int i = 0; i < n_; ++i) inverse_scale_[i] = 1 / (options_.tolerance * inverse_scale_[i]);
    if (next_step_ == 0) {
      next_step_ = options_.first_step > 0 ? options_.first_step : first_step();
      if (options_.max_step > 0) next_step_ = std::min(next_step_, options_.max_step);
    }
  }

  /// A first step from the sizes of y, y' and y'' [Hairer1993, II.4, "starting step size"]; one evaluation.
  double first_step() {
    using runge_kutta::weighted_max;
    constexpr double unknown = 1e-6;  // s, when y or y' says nothing; control makes it larger at once
    const double d0 = weighted_max(y_, inverse_scale_, blocks_);
    const double d1 = weighted_max(start_, inverse_scale_, blocks_);
    double h0 = d0 < 1e-5 || d1 < 1e-5 ? unknown : 0.01 * d0 / d1;
    h0 = std::min(h0, t_end_ - t_);
    if (options_.max_step > 0) h0 = std::min(h0, options_.max_step);

    for (int tries = 0; tries < 8; ++tries, h0 *= 0.01) {
      // y'' from an Euler step, a shorter one if that leads to where the model makes no sense.
      for (int i = 0; i < n_; ++i) y_new_[i] = y_[i] + h0 * start_[i];
      try {
        evaluate(t_ + h0, y_new_, stage_);
      } catch (const SimulationError&) {
        continue;
      }
      for (int i = 0; i < n_; ++i) error_[i] = stage_[i] - start_[i];
      const double d2 = weighted_max(error_, inverse_scale_, blocks_) / h0;
      if (std::isnan(d2)) continue;
      const double rate = std::max(d1, d2);
      const double h1 =
          rate <= 1e-15 ? std::max(unknown, 1e-3 * h0) : std::pow(0.01 / rate, 1.0 / Tableau::order);
      return std::min(100 * h0, h1);
    }
    return h0;
  }

  /// The step size that control wants, except at the end of the run: there the last step lands on it, and the
  /// one before takes half the way rather than leave a tiny rest. A function of (t, next step, end) alone.
  Trial choose_step() const {
    if (options_.fixed_step > 0) {
      const double t_new = anchor_ + (anchor_steps_ + 1) * options_.fixed_step;
      const bool last = t_new > t_end_ - 1e-6 * options_.fixed_step;
      return {last ? t_end_ : t_new, (last ? t_end_ : t_new) - t_, false};
    }
    const double rest = t_end_ - t_;
    if (rest <= 1.01 * next_step_ && (options_.max_step == 0 || rest <= options_.max_step))
      return {t_end_, rest, rest < next_step_};
    const bool half = rest < 2 * next_step_;
    const double t_new = t_ + (half ? rest / 2 : next_step_);
    return {t_new, t_new - t_, half};
  }

  /// Stages, error and, if that is small enough, projection and derivative at the new point.
  /// Returns the error relative to what is allowed; NaN when something was not finite.
  double attempt(const Trial& trial) {
    const double h = trial.h;
    extra_is_worst_ = false;
    lowest_condition_ = 1;
    [&]<std::size_t... J>(std::index_sequence<J...>) {
      (compute_stage<J + 1>(t_, y_, h), ...);
    }
    (std::make_index_sequence<Tableau::stages - 1>{});
    runge_kutta::advance([] { return Tableau::a[end_row]; }, y_new_, y_, h, k_, blocks_);
    // Stages that have run away (far too long a step) say nothing, about singular positions neither.
    if (!runge_kutta::all_finite(y_new_, blocks_)) return std::numeric_limits<double>::quiet_NaN();
    // The new point is brought back to the manifold before its derivative is taken, so that one evaluation serves the error
    // here and the next step: what P moves is of the error's size, and its part of e is h times smaller.
    if constexpr (Tableau::error_needs_end) {
      if (!arrive(trial.t_new, row(end_row))) return std::numeric_limits<double>::quiet_NaN();
    }
    if (!on_manifold_ && lowest_condition_ < near_singular) {
      evaluate_on_manifold(true);
      return attempt(trial);
    }

    double error = estimate_error(h, 0, nullptr);
    if (options_.fixed_step > 0 && !std::isnan(error)) error = 0;
    if (error > 1 && on_manifold_) {
      // What is left along the manifold, as it lies at both ends of the step, and what the projection leaves
      // of the rest.
      const double off = error * error * options_.tolerance;
      if (off < error) {
        const double at_start = estimate_error(trial.h, t_, y_),
                     at_end = estimate_error(trial.h, trial.t_new, y_new_);
        error = std::max(off, std::min(error, std::max(at_start, at_end)));
      }
    }
    if (!(error <= 1)) return error;
    if (options_.fixed_step == 0) {
      const double extra = system_->extra_error(trial.t_new, y_new_, error_) / options_.tolerance;
      extra_is_worst_ = extra > error;
      if (!(extra <= error)) error = extra;
      if (!(error <= 1)) return error;
    }

    if constexpr (!Tableau::error_needs_end) {
      if (!arrive(trial.t_new, row(end_row))) return std::numeric_limits<double>::quiet_NaN();
    }
    std::copy(row(end_row), row(end_row) + n_, end_);
    return error;
  }

  /// Brings the new point to the manifold and evaluates its derivative; false when something was not finite.
  bool arrive(double t, double* derivative) {
    ++counters_.evaluations;
    system_->arrive(t, y_new_, derivative);
    end_condition_ = system_->condition();
    lowest_condition_ = std::min(lowest_condition_, end_condition_);
    return runge_kutta::all_finite(y_new_, blocks_) && runge_kutta::all_finite(derivative, blocks_);
  }

  /// k_J of the step of length h from (t, y).
  template <std::size_t J>
  void compute_stage(double t, const double* y, double h) const {
    runge_kutta::advance([] { return Tableau::a[J]; }, stage_, y, h, k_, blocks_);
    evaluate(t + Tableau::c[J] * h, stage_, row(J));
  }

  /// The step's error relative to what is allowed, in error_; with a point of the manifold only the part
  /// along it there.
  double estimate_error(double h, double t, const double* along) {
    runge_kutta::combine([] { return Tableau::error; }, error_, h, k_, blocks_);
    if (along) system_->project_error(t, along, error_);
    const double error = runge_kutta::weighted_max(error_, inverse_scale_, blocks_);
    if constexpr (Tableau::has_low_error) return combined_error(error, h, t, along);
    return error;
  }

  /// Two estimates in one of higher order: ε₅ · ε₅ / √(ε₅² + 0.01 ε₃²) [Hairer1993, II.10, eq. 10.19].
  double combined_error(double error, double h, double t, const double* along) {
    if (error == 0 || std::isnan(error)) return error;
    runge_kutta::combine([] { return Tableau::low_error; }, stage_, h, k_, blocks_);
    if (along) system_->project_error(t, along, stage_);
    const double low = runge_kutta::weighted_max(stage_, inverse_scale_, blocks_);
    const double ratio = low / error;  // no square of an error, which may underflow
    const double factor = 1 / std::sqrt(1 + 0.01 * ratio * ratio);
    for (int i = 0; i < n_; ++i) error_[i] *= factor;
    return error * factor;
  }

  /// The first rejection trusts the order. A second one in a row tells that the solution is not smooth here
  /// (a contact force that starts like δ^1.5 makes the local error go like h^3.5), so the step shrinks by
  /// that.
  double shrink_factor(double error, int in_a_row) const {
    const bool rough = in_a_row > 1;
    const double exponent = rough ? std::max(Tableau::exponent, 1 / 3.5) : Tableau::exponent;
    const double factor = Tableau::safety * std::exp(-exponent * std::log(error));
    return std::max(rough ? 0.1 : Tableau::smallest_factor, factor);
  }

  void accept(const Trial& trial, double error, bool rejected) {
    // Rotate: old point, new point, and the room of the point before the old.
    double* const free = y_old_;
    y_old_ = y_, y_ = y_new_, y_new_ = free;
    std::swap(start_, end_);
    start_condition_ = end_condition_;
    t_old_ = t_;
    t_ = t_dense_ = trial.t_new;
    ++anchor_steps_;
    ++counters_.steps;
    if (options_.fixed_step > 0) return;

    // PI control in logarithms: one log and one exp a step.
    const double log_error = std::log(std::max(error, 1e-12));
    double factor = Tableau::safety * std::exp(Tableau::beta * log_error_ - Tableau::exponent * log_error);
    factor = std::clamp(factor, Tableau::smallest_factor, rejected ? 1.0 : Tableau::largest_factor);
    // A step cut short by the end of the run does not make the next one (of a restart) shorter.
    next_step_ = trial.shortened ? std::max(trial.h * factor, next_step_) : trial.h * factor;
    if (options_.max_step > 0) next_step_ = std::min(next_step_, options_.max_step);
    if (!trial.shortened) log_error_ = std::max(log_error, log_smallest_memory);
  }

  /// Coefficients r₁… of the dense output. Stages that only it needs are evaluated here: who never asks never
  /// pays.
  void prepare_dense() const {
    const double h = t_dense_ - t_old_;
    [&]<std::size_t... J>(std::index_sequence<J...>) {
      (compute_stage<end_row + 1 + J>(t_old_, y_old_, h), ...);
    }
    (std::make_index_sequence<Tableau::rows - Tableau::stages - 1>{});

    const std::size_t stride = blocks_ * runge_kutta::block;
    double *r1 = dense_, *r2 = dense_ + stride, *r3 = dense_ + 2 * stride;
    for (int i = 0; i < n_; ++i) {
      r1[i] = y_[i] - y_old_[i];
      r2[i] = h * k_[i] - r1[i];
      r3[i] = r1[i] - h * start_[i] - r2[i];
    }
    [&]<std::size_t... D>(std::index_sequence<D...>) {
      (runge_kutta::combine([] { return Tableau::dense[D]; }, dense_ + (3 + D) * stride, h, k_, blocks_),
       ...);
    }
    (std::make_index_sequence<Tableau::dense.size()>{});
    dense_known_ = true;
  }

  // ------------------------------------------------------------------------------------------ who is to
  // blame
  int worst_component() const override {
    if (options_.fixed_step > 0) return -2;
    if (extra_is_worst_) return -1;
    int worst = 0;
    for (int i = 1; i < n_; ++i)
      if (std::abs(error_[i]) * inverse_scale_[i] > std::abs(error_[worst]) * inverse_scale_[worst])
        worst = i;
    return worst;
  }

  /// Takes the stages of a failed trial again, up to the first that is not finite, and says whose fault it is.
  [[noreturn]] void find_not_finite(const Trial& trial) {
    int component = -1;
    double at = trial.t_new;
    const auto fails = [&](std::size_t j) {
      component = first_not_finite(row(j), n_);
      if (component >= 0) at = t_ + Tableau::c[j] * trial.h;
      return component >= 0;
    };
    [&]<std::size_t... J>(std::index_sequence<J...>) {
      (void)((compute_stage<J + 1>(t_, y_, trial.h), fails(J + 1)) || ...);
    }
    (std::make_index_sequence<Tableau::stages - 1>{});
    if (component >= 0) throw_not_finite(*system_, t_, at, stage_, component);
    throw_not_finite(*system_, t_, at, y_new_, std::max(0, first_not_finite(row(end_row), n_)));
  }

  SchemeOptions options_;
  OdeSystem* system_ = nullptr;
  int n_ = 0;
  std::size_t blocks_ = 0;  ///< of four numbers in a row

  double t_old_ = 0, t_ = 0, t_end_ = 0;
  double t_dense_ = 0;  ///< end of the last step before it was truncated
  double span_ = 0;     ///< length of the run, for the smallest step

  double next_step_ = 0;                    ///< 0: not known
  double log_error_ = log_smallest_memory;  ///< of the last step
  double anchor_ = 0, anchor_steps_ = 0;    ///< fixed steps count from here, so that rounding does not add up
  bool start_known_ = false;                ///< start_ holds f(t, y)
  bool extra_is_worst_ = false;
  bool on_manifold_ = false;                        ///< stages are evaluated on the manifold
  mutable double lowest_condition_ = 1;             ///< of the evaluations of a trial
  double start_condition_ = 1, end_condition_ = 1;  ///< of start_ and of an accepted trial's end_
  mutable bool dense_known_ = false;

  std::vector<double> work_;  ///< holds all rows below
  double* k_ = nullptr;       ///< stages of the last step
  double *y_old_ = nullptr, *y_ = nullptr, *y_new_ = nullptr;
  double *start_ = nullptr, *end_ = nullptr;  ///< f at (t, y), and at a trial's new point
  double* stage_ = nullptr;                   ///< argument of a stage
  double* error_ = nullptr;
  double* inverse_scale_ = nullptr;  ///< 1 / (tolerance · scale)
  double* dense_ = nullptr;          ///< r₁, r₂, …
};

}  // namespace tappet
