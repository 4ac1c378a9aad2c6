// Figures of a run, as expressions over its signals and its impact table.
//
//   max(abs(motor.torque))                    a reduction of what an expression is at every sample
//   rms(slider.ax) / 9.81                     arithmetic with reductions
//   count(impacts), max(wrist.impacts.peak_force)     over the impact table: of all contacts, or of one
//   run.steps, run.energy_residual            what the run's summary says
//
// A sample is a row at the output step, or between two of these where a contact's force or penetration is largest and in impacts that
// last a few output steps at most: max(wrist.normal) is the largest peak of the impact table, however short the impact.
//
// Reductions: max min mean rms std range first last count sum integral, and peaks, the mean over revolutions of
// the largest value in each. Over samples mean, rms and std weigh by time (trapezoidal rule); over impacts every
// impact counts the same. A reduction of nothing has no value (NaN), but count and sum are then 0. max and min of
// several arguments are the functions of expressions.
//
// A Poincaré section is the list of values at one phase of every revolution, interpolated linearly between
// samples.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tappet/base/expression.hpp"
#include "tappet/studies/recording.hpp"

namespace tappet {

/// What expressions may name.
struct MetricNames {
  std::vector<Signal> signals;
  std::vector<std::string> contacts;  ///< as Simulation::contact_names()
  std::size_t rigid = 0;              ///< so many of these, the first, have impulses in place of forces
};
MetricNames metric_names(const Model& model);

/// An expression of the columns of one table, a value for each of its rows.
class RowExpression {
 public:
  /// Throws ExpressionError, its column counted from the start of `text`.
  RowExpression(const std::string& text, const MetricNames& names);

  bool over_impacts() const { return over_impacts_; }
  /// Signals that it needs.
  const std::vector<std::string>& signals() const { return signals_; }
  /// The unit of a bare name, of abs(name) or of -name; "" otherwise.
  const std::string& unit() const { return unit_; }

  /// Finds the signals among the recording's columns; before at().
  void bind(const Recording& recording);
  double at(const double* row);  ///< of the recording
  bool concerns(const Impact& impact) const { return contact_ < 0 || impact.contact == contact_; }
  double at(const Impact& impact);

 private:
  Expression expression_;
  bool over_impacts_ = false;
  int contact_ = -1;                  ///< of the impacts; −1: any
  std::vector<std::string> signals_;  ///< over samples: one for each variable
  std::vector<std::size_t> columns_;  ///< bound: of the recording, or of the impact table
  std::vector<double> arguments_;
  std::string unit_;
};

/// What counts revolutions: an angle that turns, or a time.
struct Revolution {
  std::string signal;  ///< rad; "" if `period` counts
  double period = 0;   ///< s
};

/// The part of a run that a figure is about.
struct Window {
  std::optional<double> from = std::nullopt, to = std::nullopt;  ///< s
  std::optional<double> last = std::nullopt;  ///< revolutions before the end (or before `to`)
};

/// First row and the one behind the last of a window. Throws SimulationError as Metric::value() does.
std::pair<std::size_t, std::size_t> rows_inside(const Recording& recording, const Window& window,
                                                const Revolution& revolution);

class Metric {
 public:
  enum class Kind { value, section, each };

  std::string name, text;  ///< as the user wrote them
  Kind kind = Kind::value;
  Window window;
  double phase = 0;  ///< rad, of a section
  std::string unit;  ///< "" if it has none or none is known

  /// Throws ExpressionError.
  static Metric parse(const std::string& name, Kind kind, const std::string& text, const MetricNames& names);

  /// Signals that it needs recorded.
  std::vector<std::string> signals() const;
  bool needs_revolution() const;

  /// Where impacts are impulses, and this is a figure of a contact's force over time: a sentence that says what to take instead; else "".
  /// A force there is that of resting contact alone (method event-driven), or an impulse over a step's length, which grows as the step
  /// shrinks (method moreau).
  std::string without_impulses(const MetricNames& names) const;

  /// Throws SimulationError with a sentence when the run does not reach as far as the window.
  double value(const Recording& recording, const Revolution& revolution) const;
  /// Time and value of each item: Kind::section and Kind::each.
  std::vector<std::pair<double, double>> list(const Recording& recording, const Revolution& revolution) const;

 private:
  struct Reduction {
    std::string name;
    RowExpression of;
  };
  std::vector<Reduction> reductions_;
  std::vector<std::string> run_names_;  ///< "run.steps", …, variables behind the reductions
  Expression outer_;                    ///< of the reductions and the run's numbers
};

}  // namespace tappet
