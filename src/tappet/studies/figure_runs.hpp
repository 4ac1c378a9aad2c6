// What a figure of a catalogue needs of its runs, and the runs themselves.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tappet/base/diagnostics.hpp"
#include "tappet/studies/catalogue.hpp"
#include "tappet/studies/expression_text.hpp"
#include "tappet/studies/metric.hpp"
#include "tappet/studies/recording.hpp"

namespace tappet {

struct PreparedPlot {
  std::optional<RowExpression> x;
  std::vector<std::optional<RowExpression>> y;  ///< by panel; none where this run has no such signal
};

struct PreparedRun {
  std::string reason;  ///< why it cannot be run; "" if it can
  std::vector<std::string> settings;
  MetricNames names;                           ///< of its model, and of the reference
  std::vector<std::optional<Metric>> numbers;  ///< none where this run has no such signal
  std::vector<PreparedPlot> plots;
  Revolution revolution;
  std::set<std::string> signals;  ///< to be recorded
  bool steps = false;             ///< the integrator's steps are wanted as well
  std::vector<double> asked;      ///< instants of pictures, s
};

struct PreparedFigure {
  std::vector<PreparedRun> runs;
  std::size_t reference = no_reference;
  static constexpr std::size_t no_reference = static_cast<std::size_t>(-1);
};

/// Compiles the models and reads the figure's numbers and plots for each. Throws InputError if all runs lack
/// something.
PreparedFigure prepare(const CatalogueFigure& figure, bool quick);

/// Signals that say where a body is.
std::vector<std::string> place_signals(const std::string& body);

/// All runs, with the reference's signals as columns of each. `reasons`, by run: why it cannot be or could
/// not be made.
std::vector<Recording> record_all(const CatalogueFigure& figure, const PreparedFigure& prepared,
                                  std::size_t threads, Watch* watch, std::vector<std::string>& reasons);

/// Numbers of the further members of a figure's ensembles, by run, then by name, then by member; a run without an ensemble has none. A member
/// that fails is a fault, and left out.
std::vector<std::vector<std::vector<double>>> member_numbers(const CatalogueFigure& figure,
                                                             const PreparedFigure& prepared,
                                                             const std::vector<Recording>& recordings,
                                                             const std::vector<std::string>& reasons,
                                                             std::size_t threads, Watch* watch,
                                                             std::vector<std::string>& faults);

/// Throws InputError without a place: the caller knows the figure.
[[noreturn]] void refuse_figure(const std::string& message);
/// The first fault, with its place where it has one.
std::string sentence(const InputError& error);

}  // namespace tappet
