// What an integrator sees: y' = f(t, y) on a manifold, with scales for its error and functions whose zeros
// are events.
#pragma once

#include <limits>
#include <span>
#include <string>

namespace tappet {

class OdeSystem {
 public:
  virtual ~OdeSystem() = default;

  virtual int size() const = 0;

  /// dy/dt at (t, y). A pure function of its arguments and of the discrete state that only changes at events.
  /// May throw SimulationError.
  virtual void derivative(double t, const double* y, double* dydt) = 0;

  /// How well the last derivative() was determined: 1 well, towards 0 the nearer it was to a singular
  /// position.
  virtual double condition() const { return 1; }

  /// From now on derivative() is that of the point of the manifold nearest to y (true), or of y itself as it
  /// is. The stages of a step lie a little off the manifold, which near a singular position changes the
  /// derivative out of all proportion.
  virtual void evaluate_on_manifold(bool on) { (void)on; }

  /// Brings y back to the constraint manifold at time t (positions, then velocities). Returns true when y was
  /// changed; leaves y bitwise alone, and returns false, when it was near enough already (or when the user
  /// chose no projection).
  virtual bool project(double t, double* y) = 0;

  /// project() and derivative() there: the end of a step. What both need is computed once.
  virtual void arrive(double t, double* y, double* dydt) {
    project(t, y);
    derivative(t, y, dydt);
  }

  /// Takes out of `error`, an estimated error of y at (t, y), the part that project() removes anyway. Returns
  /// false, and leaves it alone, when there is no such part. Asked only where the whole error would refuse a
  /// step.
  virtual bool project_error(double t, const double* y, double* error) {
    (void)t, (void)y, (void)error;
    return false;
  }

  /// Fills `scale`: an error e of one step is acceptable when |e_i| ≤ tolerance · scale_i for all i.
  /// Infinity: the component takes no part in error control (energy ledger).
  virtual void error_scale(double t, const double* y, double* scale) = 0;

  /// Further error measure of a step that the components do not show (gaps, contact forces): the step is
  /// acceptable when it is ≤ tolerance. `error` is the estimated error of y at (t, y).
  virtual double extra_error(double t, const double* y, const double* error) {
    (void)t, (void)y, (void)error;
    return 0;
  }

  /// Whether prepare_newton() and solve_newton() are there: an approximate solution of Newton's linear problem of implicit
  /// methods, x ≈ (I − γ ∂f/∂y)⁻¹ r.
  virtual bool eases_newton() const { return false; }
  virtual void prepare_newton(double gamma) { (void)gamma; }
  virtual void solve_newton(const double* r, double* x) { (void)r, (void)x; }

  /// What component i of y is, for a sentence; "": it has no name.
  virtual std::string component_name(int i) const {
    (void)i;
    return "";
  }
  /// Why the derivative at (t, y) is not a finite number, a sentence; "": not known.
  virtual std::string not_finite_cause(double t, const double* y) {
    (void)t, (void)y;
    return "";
  }

  /// Event functions; a sign change between two accepted steps is an event. Allocates nothing.
  virtual int event_count() const { return 0; }
  virtual void event_values(double t, const double* y, double* g) { (void)t, (void)y, (void)g; }
  /// Rates of the functions at the last event_values(), where they are known; else not a number.
  virtual void event_rates(double* rates) const {
    for (int i = 0; i < event_count(); ++i) rates[i] = std::numeric_limits<double>::quiet_NaN();
  }
};

}  // namespace tappet
