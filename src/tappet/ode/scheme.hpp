// An integrator as the simulation loop sees it, and the registry of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tappet/base/any_value.hpp"
#include "tappet/base/registry.hpp"
#include "tappet/ode/ode_system.hpp"

namespace tappet {

struct SchemeOptions {
  double tolerance =
      1e-8;             ///< local error of a step, relative to the system's scales, in the largest component
  double max_step = 0;  ///< 0: no bound
  double first_step = 0;  ///< 0: chosen from the derivative
  double min_step =
      0;  ///< 0: 1e-14·max(|t|, t_end − t_start) ; going below is a SimulationError that says so
  double fixed_step = 0;  ///< > 0: no error control, this step (schemes that have `fixed_step`)
};

/// What an explicit Runge–Kutta scheme remembers.
struct RungeKuttaMemory {
  static constexpr const char* kind = "runge-kutta";
  double next_step = 0;  ///< 0: not known yet
  double log_error = 0;  ///< of the last step, for the controller
  /// Derivative at t, where it is known from the last step, and how well it is determined: contacts may remember a direction
  /// since that changes its last digits.
  std::vector<double> derivative;
  double condition = 1;
  double span = 0;    ///< from the start to the end of the run, s
  double anchor = 0;  ///< where steps of fixed length are counted from
  double anchor_steps = 0;

  bool operator==(const RungeKuttaMemory&) const = default;
};
inline void fields(FieldVisitor& v, RungeKuttaMemory& m) {
  v.field("next_step", m.next_step);
  v.field("log_error", m.log_error);
  v.field("derivative", m.derivative);
  v.field("condition", m.condition);
  v.field("span", m.span);
  v.field("anchor", m.anchor);
  v.field("anchor_steps", m.anchor_steps);
}

/// What a multistep scheme remembers where it begins anew: nothing.
struct MultistepMemory {
  static constexpr const char* kind = "multistep";
  bool operator==(const MultistepMemory&) const = default;
};
inline void fields(FieldVisitor&, MultistepMemory&) {}

struct SchemeCounters {
  long steps = 0;        ///< accepted
  long rejected = 0;     ///< by error control or by a failed corrector
  long evaluations = 0;  ///< of the derivative
};

/// Advances one system. After each step() the interval [t_old, t] can be interpolated. No allocation after
/// start().
class Scheme {
 public:
  virtual ~Scheme() = default;

  /// (Re)starts at (t, y): at the beginning, after an event that changed the right-hand side or the state, on
  /// resume. `y` must lie on the manifold. Keeps counters. A restart may keep the last good step size as its
  /// first guess when `keep_step` is set.
  virtual void start(OdeSystem& system, double t, const double* y, double t_end, bool keep_step = false) = 0;

  /// The step to try first after start(), for a caller who knows the time scale of what begins there.
  virtual void suggest_step(double step) { (void)step; }
  /// The step it would try next; 0 when that is not known.
  virtual double next_step() const { return 0; }

  /// Another end of the run, not before t(). Steps taken so far stay as they are.
  virtual void set_end(double t_end) = 0;

  /// One accepted step towards t_end, not beyond. y() is on the manifold (projected) afterwards.
  /// Throws SimulationError when the step size underflows or the derivative is not finite; t() and y() stay
  /// at the last accepted point.
  virtual void step() = 0;

  virtual double t_old() const = 0;
  virtual double t() const = 0;
  virtual const double* y() const = 0;
  /// Dense output on [t_old, t]; not projected.
  virtual void interpolate(double time, double* y) const = 0;
  /// Local truncation error order of the dense output is at least `dense_order` + 1.
  virtual int dense_order() const = 0;

  /// Moves the end of the step back to `time` in (t_old, t] with state `y` on the manifold (an event was
  /// located there and nothing discontinuous happens, or the caller will start() anew).
  virtual void truncate(double time, const double* y) = 0;

  /// Everything besides (t, y) that a bit-exact continuation needs (step size, controller memory), into a part of the state,
  /// and, after start(), back from it. Throws std::invalid_argument for the memory of another kind of integrator.
  virtual void store(AnyValue& memory) const = 0;
  virtual void restore(const AnyValue& memory) = 0;
  /// A multistep scheme cannot save its history: a checkpoint is then a restart, made at the same times in
  /// every run.
  virtual bool restarts_at_checkpoint() const { return false; }

  /// The component of y that limits the steps of error control, as in StepSizeError; −2: none does, or it is not known.
  virtual int worst_component() const { return -2; }

  const SchemeCounters& counters() const { return counters_; }
  void set_counters(const SchemeCounters& counters) { counters_ = counters; }

 protected:
  mutable SchemeCounters counters_;  ///< mutable: dense output may need evaluations of its own
};

struct SchemeType {
  std::string name;           ///< as in `simulation.integrator`
  std::string help;           ///< one line
  std::string citation;       ///< key in docs/references.bib
  int order = 0;              ///< nominal order of convergence with fixed steps; 0: variable order
  bool fixed_step = false;    ///< can run without error control
  bool error_control = true;  ///< can choose its steps by a tolerance
  bool implicit = false;      ///< stable at steps much longer than the fastest oscillation
  std::unique_ptr<Scheme> (*make)(const SchemeOptions&) = nullptr;
};

using SchemeRegistry = Registry<SchemeType>;

}  // namespace tappet
