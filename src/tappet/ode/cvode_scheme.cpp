// What both multistep schemes share. The methods themselves are CVODE's [Hindmarsh2005]; here is what makes
// them behave like every other scheme.
//
// Tolerance. CVODE measures errors v in a weighted norm and asks ‖v‖ ≤ 1. Its vectors bring their own norm,
// and ours is
//
//   ‖v‖ = max_i |v_i| w_i,   w_i = 1 / (tolerance · scale_i)
//
// in place of the weighted root mean square, so that a tolerance means what it means in the Runge–Kutta
// schemes: the largest component counts, in a system of any size. A component of infinite scale gets a weight
// that no error can reach. OdeSystem::extra_error has no place in CVODE's error test and is not asked.
//
// Manifold. y() is projected after each step. How the method's own history stays on the manifold is told in
// adams.cpp and bdf.cpp. Dense output is CVODE's polynomial plus a smooth blend of what the projection did at
// both ends:
//
//   u(t) = z(t) + (1 − s)(y_old − z(t_old)) + s (y − z(t)),   s = θ²(3 − 2θ)
//
// which is continuous from step to step.
//
// Errors. An exception must not pass through C code: callbacks remember it and report failure; CVODE tries a
// smaller step; if that does not help, step() throws what was remembered.
#include "tappet/ode/cvode_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <cvode/cvode_proj.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "tappet/ode/step_errors.hpp"

namespace tappet {

namespace {

/// Beyond this size a dense Jacobian costs more than it saves.
constexpr int largest_dense = 600;
/// Weight of a component that takes no part in error control: too small to matter, large enough to divide by.
constexpr double no_weight = 1e-100;

struct Free {
  void operator()(_SUNContext* context) const { SUNContext_Free(&context); }
  void operator()(_generic_N_Vector* vector) const { N_VDestroy(vector); }
  void operator()(_generic_SUNMatrix* matrix) const { SUNMatDestroy(matrix); }
  void operator()(_generic_SUNLinearSolver* solver) const { SUNLinSolFree(solver); }
  void operator()(_generic_SUNNonlinearSolver* solver) const { SUNNonlinSolFree(solver); }
};
struct FreeCvode {
  void operator()(void* memory) const { CVodeFree(&memory); }
};
template <class Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Free>;

double weighted_max_norm(N_Vector v, N_Vector w) {
  const double *value = N_VGetArrayPointer(v), *weight = N_VGetArrayPointer(w);
  const sunindextype n = N_VGetLength(v);
  // The maximum loses a NaN, the sum does not.
  double largest = 0, sum = 0;
  for (sunindextype i = 0; i < n; ++i) {
    const double size = std::abs(value[i]) * weight[i];
    largest = size > largest ? size : largest;
    sum += size;
  }
  return std::isfinite(sum) ? largest : std::numeric_limits<double>::infinity();
}

void check(int flag, const char* what) {
  if (flag < 0) throw std::runtime_error(fmt::format("SUNDIALS: {} failed with {}", what, flag));
}

class CvodeScheme final : public Scheme {
 public:
  CvodeScheme(CvodeMethod method, const SchemeOptions& options) : method_(method), options_(options) {
    if (options.fixed_step > 0) throw std::invalid_argument("a multistep method cannot take fixed steps");
    if (!(options.tolerance > 0))
      throw std::invalid_argument("the tolerance of an integrator must be positive");
  }

  // -------------------------------------------------------------------------------------------- life of a
  // run
  /// Always begins with order 1 and a step size of CVODE's choice: the last step size belongs to a higher
  /// order.
  void start(OdeSystem& system, double t, const double* y, double t_end, bool) override {
    system_ = &system;
    if (system.size() != n_ || !cvode_) create(system.size());
    std::copy(y, y + n_, y_.data());
    std::copy(y, y + n_, N_VGetArrayPointer(solution_.get()));
    t_old_ = t_ = t_cvode_ = t;
    t_end_ = t_end;
    rest_of_step_ = false;
    polynomial_ = false;
    failures_ = 0;
    smallest_step_ = options_.min_step > 0
                         ? options_.min_step
                         : 1e-14 * std::max(std::abs(t), std::isfinite(t_end) ? t_end - t : 0.0);
    check(CVodeReInit(cvode_.get(), t, solution_.get()), "CVodeReInit");
    check(CVodeSetMinStep(cvode_.get(), smallest_step_), "CVodeSetMinStep");
    if (std::isfinite(t_end)) check(CVodeSetStopTime(cvode_.get(), t_end), "CVodeSetStopTime");
  }

  /// What CVODE has already passed is finished first: the caller cuts that step.
  void set_end(double t_end) override {
    t_end_ = t_end;
    if (std::isfinite(t_end) && t_end > t_cvode_)
      check(CVodeSetStopTime(cvode_.get(), t_end), "CVodeSetStopTime");
  }

  void step() override {
    if (!(t_ < t_end_)) throw std::logic_error("an integrator was asked to go beyond its end");
    if (rest_of_step_) return finish_truncated_step();

    // So near to the end that CVODE refuses to start: Euler's error is below rounding there.
    if (t_end_ - t_ <= 8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_), std::abs(t_end_)))
      return step_to_near_end();

    failure_ = nullptr;
    double t_new = t_;
    const int flag = CVode(cvode_.get(), t_end_, solution_.get(), &t_new, CV_ONE_STEP);
    count_failures();
    if (flag < 0) fail(flag);

    // The new point on the manifold, and what that changed. It is near already, so no trouble is to be
    // expected.
    std::copy(y_.begin(), y_.end(), y_old_.begin());
    std::copy(correction_.begin(), correction_.end(), correction_old_.begin());
    if (!polynomial_) std::fill(correction_old_.begin(), correction_old_.end(), 0.0);
    const double* z = N_VGetArrayPointer(solution_.get());
    std::copy(z, z + n_, y_.begin());
    t_old_ = t_;
    t_ = t_cvode_ = flag == CV_TSTOP_RETURN ? t_end_ : t_new;
    polynomial_ = true;
    if (system_->project(t_, y_.data())) {
      for (int i = 0; i < n_; ++i) correction_[i] = y_[i] - z[i];
    } else {
      std::fill(correction_.begin(), correction_.end(), 0.0);
    }
    ++counters_.steps;
  }

  // ------------------------------------------------------------------------------------------ what a step
  // gave
  double t_old() const override { return t_old_; }
  double t() const override { return t_; }
  const double* y() const override { return y_.data(); }

  int dense_order() const override {
    int order = 1;
    if (polynomial_) CVodeGetLastOrder(cvode_.get(), &order);
    return order;
  }

  void interpolate(double time, double* y) const override {
    if (time == t_ || t_old_ == t_ || !polynomial_) return void(std::copy(y_.begin(), y_.end(), y));
    if (time == t_old_) return void(std::copy(y_old_.begin(), y_old_.end(), y));
    const double* z = polynomial(time);
    const double theta = (time - t_old_) / (t_cvode_ - t_old_), s = theta * theta * (3 - 2 * theta);
    for (int i = 0; i < n_; ++i) y[i] = z[i] + (1 - s) * correction_old_[i] + s * correction_[i];
  }

  /// Nothing is thrown away: unless start() follows, the next step() gives the rest of the truncated one.
  void truncate(double time, const double* y) override {
    if (time == t_cvode_ || !polynomial_) {
      std::copy(y, y + n_, y_.begin());
      return;
    }
    if (!rest_of_step_) std::copy(y_.begin(), y_.end(), y_end_.begin());
    std::copy(y, y + n_, y_.begin());
    t_ = time;
    rest_of_step_ = true;
  }

  // ------------------------------------------------------------------------------------------------- resume
  void store(AnyValue& memory) const override { memory.as<MultistepMemory>(); }
  void restore(const AnyValue& memory) override { memory.get<MultistepMemory>(); }
  bool restarts_at_checkpoint() const override { return true; }

 private:
  // ----------------------------------------------------------------------------------------------- set-up
  void create(int n) {
    n_ = n;
    for (auto* buffer : {&y_, &y_old_, &y_end_, &correction_, &correction_old_, &buffer_, &scale_})
      buffer->assign(static_cast<std::size_t>(n), 0.0);

    // In the order of use; what was there before goes in the opposite one.
    cvode_.reset();
    nonlinear_solver_.reset();
    linear_solver_.reset();
    matrix_.reset();
    dense_.reset();
    solution_.reset();
    if (!context_) {
      SUNContext context = nullptr;
      check(SUNContext_Create(nullptr, &context), "SUNContext_Create");
      context_.reset(context);
    }
    solution_.reset(N_VNew_Serial(n, context_.get()));
    solution_->ops->nvwrmsnorm = weighted_max_norm;  // clones inherit it
    N_VConst(0.0, solution_.get());
    dense_.reset(N_VClone(solution_.get()));

    cvode_.reset(CVodeCreate(method_ == CvodeMethod::adams ? CV_ADAMS : CV_BDF, context_.get()));
    if (!cvode_) throw std::runtime_error("SUNDIALS: CVodeCreate failed");
    void* const cvode = cvode_.get();
    check(CVodeSetErrHandlerFn(cvode, remember_message, this), "CVodeSetErrHandlerFn");
    check(CVodeInit(cvode, call_derivative, t_, solution_.get()), "CVodeInit");
    check(CVodeSetUserData(cvode, this), "CVodeSetUserData");
    check(CVodeWFtolerances(cvode, call_weights), "CVodeWFtolerances");
    check(CVodeSetInitStep(cvode, options_.first_step), "CVodeSetInitStep");
    check(CVodeSetMaxStep(cvode, options_.max_step), "CVodeSetMaxStep");
    // Contact laws are stiff at once: allow for more than CVODE's seven and ten attempts at a step.
    check(CVodeSetMaxErrTestFails(cvode, 20), "CVodeSetMaxErrTestFails");
    check(CVodeSetMaxConvFails(cvode, 20), "CVodeSetMaxConvFails");

    if (method_ == CvodeMethod::adams) {
      nonlinear_solver_.reset(SUNNonlinSol_FixedPoint(solution_.get(), 0, context_.get()));
      check(CVodeSetNonlinearSolver(cvode, nonlinear_solver_.get()), "CVodeSetNonlinearSolver");
      return;
    }
    check(CVodeSetProjFn(cvode, call_projection), "CVodeSetProjFn");
    check(CVodeSetProjErrEst(cvode, SUNFALSE), "CVodeSetProjErrEst");
    if (system_->eases_newton()) {
      linear_solver_.reset(SUNLinSol_SPGMR(solution_.get(), SUN_PREC_LEFT, 30, context_.get()));
      check(CVodeSetLinearSolver(cvode, linear_solver_.get(), nullptr), "CVodeSetLinearSolver");
      check(CVodeSetLSNormFactor(cvode, 1.0), "CVodeSetLSNormFactor");
      check(CVodeSetPreconditioner(cvode, call_prepare, call_ease), "CVodeSetPreconditioner");
    } else if (n <= largest_dense) {
      matrix_.reset(SUNDenseMatrix(n, n, context_.get()));
      linear_solver_.reset(SUNLinSol_Dense(solution_.get(), matrix_.get(), context_.get()));
      check(CVodeSetLinearSolver(cvode, linear_solver_.get(), matrix_.get()), "CVodeSetLinearSolver");
      check(CVodeSetJacFn(cvode, call_jacobian), "CVodeSetJacFn");
    } else {
      linear_solver_.reset(SUNLinSol_SPGMR(solution_.get(), SUN_PREC_NONE, 30, context_.get()));
      check(CVodeSetLinearSolver(cvode, linear_solver_.get(), nullptr), "CVodeSetLinearSolver");
      // GMRES measures the Euclidean norm, which is never smaller than ours.
      check(CVodeSetLSNormFactor(cvode, 1.0), "CVodeSetLSNormFactor");
    }
  }

  // -------------------------------------------------------------------------------------------- callbacks
  /// Runs a callback's body: 0 done, 1 "try a smaller step", −1 "give up".
  template <class Body>
  int guarded(const Body& body) {
    try {
      return body();
    } catch (const SimulationError&) {
      failure_ = std::current_exception();
      return 1;
    } catch (...) {
      failure_ = std::current_exception();
      return -1;
    }
  }

  int derivative(double t, const double* y, double* dydt) {
    return guarded([&] {
      // Adams evaluates on the manifold only; BDF is kept near it by its own projection.
      if (method_ == CvodeMethod::adams) {
        std::copy(y, y + n_, buffer_.begin());
        system_->project(t, buffer_.data());
        y = buffer_.data();
      }
      ++counters_.evaluations;
      system_->derivative(t, y, dydt);
      const int wrong = first_not_finite(dydt, n_);
      if (wrong >= 0) throw_not_finite(*system_, t_, t, y, wrong);
      return 0;
    });
  }

  static int call_derivative(double t, N_Vector y, N_Vector dydt, void* self) {
    return static_cast<CvodeScheme*>(self)->derivative(t, N_VGetArrayPointer(y), N_VGetArrayPointer(dydt));
  }

  static int call_weights(N_Vector y, N_Vector weights, void* self_pointer) {
    auto* self = static_cast<CvodeScheme*>(self_pointer);
    return self->guarded([&] {
      self->system_->error_scale(self->t_cvode_, N_VGetArrayPointer(y), self->scale_.data());
      double* weight = N_VGetArrayPointer(weights);
      for (int i = 0; i < self->n_; ++i)
        weight[i] =
            std::isinf(self->scale_[i]) ? no_weight : 1 / (self->options_.tolerance * self->scale_[i]);
      return 0;
    });
  }

  static int call_projection(double t, N_Vector y, N_Vector correction, double, N_Vector,
                             void* self_pointer) {
    auto* self = static_cast<CvodeScheme*>(self_pointer);
    return self->guarded([&] {
      const double* value = N_VGetArrayPointer(y);
      std::copy(value, value + self->n_, self->buffer_.begin());
      self->system_->project(t, self->buffer_.data());
      double* change = N_VGetArrayPointer(correction);
      for (int i = 0; i < self->n_; ++i) change[i] = self->buffer_[i] - value[i];
      return first_not_finite(change, self->n_) >= 0 ? 1 : 0;
    });
  }

  /// ∂f/∂y by one-sided differences. The system's scales say how large a component is when it happens to be zero. Differences look where
  /// the solution goes: friction that has just let go is the other way behind it, within less than a difference.
  static int call_jacobian(double t, N_Vector y, N_Vector f, SUNMatrix jacobian, void* self_pointer, N_Vector,
                           N_Vector, N_Vector) {
    auto* self = static_cast<CvodeScheme*>(self_pointer);
    double* value = N_VGetArrayPointer(y);
    const double* base = N_VGetArrayPointer(f);
    for (int j = 0; j < self->n_; ++j) {
      const double kept = value[j], scale = std::isinf(self->scale_[j]) ? 1 : self->scale_[j];
      value[j] += std::copysign(
          std::sqrt(std::numeric_limits<double>::epsilon()) * std::max(std::abs(kept), scale), base[j]);
      const double change = value[j] - kept;
      double* column = SUNDenseMatrix_Column(jacobian, j);
      const int failed = self->derivative(t, value, column);
      value[j] = kept;
      if (failed) return failed;
      for (int i = 0; i < self->n_; ++i) column[i] = (column[i] - base[i]) / change;
    }
    return 0;
  }

  static int call_prepare(double, N_Vector, N_Vector, booleantype, booleantype* current, double gamma,
                          void* self_pointer) {
    auto* self = static_cast<CvodeScheme*>(self_pointer);
    *current = SUNTRUE;
    return self->guarded([&] {
      self->system_->prepare_newton(gamma);
      return 0;
    });
  }
  static int call_ease(double, N_Vector, N_Vector, N_Vector r, N_Vector x, double, double, int,
                       void* self_pointer) {
    auto* self = static_cast<CvodeScheme*>(self_pointer);
    return self->guarded([&] {
      self->system_->solve_newton(N_VGetArrayPointer(r), N_VGetArrayPointer(x));
      return 0;
    });
  }

  static void remember_message(int, const char*, const char*, char* message, void* self) {
    static_cast<CvodeScheme*>(self)->message_ = message;
  }

  // ------------------------------------------------------------------------------------------------ steps
  const double* polynomial(double time) const {
    check(CVodeGetDky(cvode_.get(), time, 0, dense_.get()), "CVodeGetDky");
    return N_VGetArrayPointer(dense_.get());
  }

  void finish_truncated_step() {
    // From here the interval begins at the point that was given to truncate().
    const double* z = polynomial(t_);
    for (int i = 0; i < n_; ++i) correction_old_[i] = y_[i] - z[i];
    std::copy(y_.begin(), y_.end(), y_old_.begin());
    std::copy(y_end_.begin(), y_end_.end(), y_.begin());
    t_old_ = t_;
    t_ = t_cvode_;
    rest_of_step_ = false;
  }

  void step_to_near_end() {
    failure_ = nullptr;
    if (derivative(t_, y_.data(), y_end_.data()) != 0) std::rethrow_exception(failure_);
    std::copy(y_.begin(), y_.end(), y_old_.begin());
    for (int i = 0; i < n_; ++i) y_[i] += (t_end_ - t_) * y_end_[i];
    system_->project(t_end_, y_.data());
    t_old_ = t_;
    t_ = t_cvode_ = t_end_;
    polynomial_ = false;
    ++counters_.steps;
  }

  void count_failures() {
    long error_tests = 0, corrector = 0;
    CVodeGetNumErrTestFails(cvode_.get(), &error_tests);
    CVodeGetNumNonlinSolvConvFails(cvode_.get(), &corrector);
    counters_.rejected += error_tests + corrector - failures_;
    failures_ = error_tests + corrector;
  }

  [[noreturn]] void fail(int flag) {
    t_old_ = t_;  // the last interval cannot be interpolated any more
    double h = 0;
    CVodeGetCurrentStep(cvode_.get(), &h);
    if (flag == CV_ERR_FAILURE) throw_step_underflow(*system_, t_, h, smallest_step_, worst_component());
    if (failure_) std::rethrow_exception(failure_);
    if (flag == CV_CONV_FAILURE || flag == CV_LSETUP_FAIL || flag == CV_LSOLVE_FAIL)
      throw SimulationError(
          t_, fmt::format("the corrector does not converge at t = {:.12g} s, even with a step of "
                          "{:.3g} s",
                          t_, h));
    throw SimulationError(t_, fmt::format("the integrator failed at t = {:.12g} s: {}", t_, message_));
  }

  int worst_component() const override {
    if (CVodeGetEstLocalErrors(cvode_.get(), dense_.get()) < 0) return -2;
    const double* error = N_VGetArrayPointer(dense_.get());
    int worst = -2;
    double largest = 0;
    for (int i = 0; i < n_; ++i)
      if (std::abs(error[i]) / scale_[i] > largest) largest = std::abs(error[i]) / scale_[i], worst = i;
    return worst;
  }

  CvodeMethod method_;
  SchemeOptions options_;
  OdeSystem* system_ = nullptr;
  int n_ = 0;

  double t_old_ = 0, t_ = 0, t_end_ = 0;
  double t_cvode_ = 0;         ///< where CVODE is: ahead of t_ after truncate()
  double smallest_step_ = 0;   ///< s
  bool rest_of_step_ = false;  ///< truncated: the next step() ends at (t_cvode_, y_end_)
  bool polynomial_ = false;    ///< a step has been taken and can be interpolated
  long failures_ = 0;          ///< of CVODE since start(), counted already

  std::vector<double> y_, y_old_, y_end_;
  std::vector<double> correction_, correction_old_;  ///< y − CVODE's polynomial, at both ends
  std::vector<double> buffer_;                       ///< argument of a projection
  std::vector<double> scale_;                        ///< as of the last weights

  std::exception_ptr failure_;  ///< what a callback threw
  std::string message_;         ///< CVODE's last words

  Owned<SUNContext> context_;
  Owned<N_Vector> solution_, dense_;
  Owned<SUNMatrix> matrix_;
  Owned<SUNLinearSolver> linear_solver_;
  Owned<SUNNonlinearSolver> nonlinear_solver_;
  std::unique_ptr<void, FreeCvode> cvode_;
};

}  // namespace

std::unique_ptr<Scheme> make_cvode_scheme(CvodeMethod method, const SchemeOptions& options) {
  return std::make_unique<CvodeScheme>(method, options);
}

}  // namespace tappet
