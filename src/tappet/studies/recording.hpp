// A run kept in memory: the few signals that somebody asked for, and the impact table.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tappet/run/simulation.hpp"
#include "tappet/spec/value.hpp"

namespace tappet {

/// The value of what a run does not have.
inline constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

struct Model;

struct Recording final : Observer {
  std::vector<Signal> columns;    ///< time first
  std::vector<double> values;     ///< row by row, at the output step
  std::vector<double> unsampled;  ///< likewise, what these samples would miss (Observer::between)
  std::vector<std::string> contacts;
  std::vector<Impact> impacts;
  RunSummary summary;

  std::size_t rows() const { return columns.empty() ? 0 : values.size() / columns.size(); }
  double time(std::size_t row) const { return values[row * columns.size()]; }
  const double* row(std::size_t number) const { return values.data() + number * columns.size(); }
  /// Samples from row `first` to before `end`, and what lies between them, in order of time.
  std::vector<const double*> all_rows(std::size_t first, std::size_t end) const;
  /// Position of a signal; columns.size() when it was not recorded.
  std::size_t index(const std::string& name) const;
  std::vector<double> column(std::size_t index) const;

  void sample(std::span<const double> row) override { values.insert(values.end(), row.begin(), row.end()); }
  void between(std::span<const double> row) override {
    unsampled.insert(unsampled.end(), row.begin(), row.end());
  }
  bool wants_between() const override { return true; }
  void impact(const Impact& impact) override { impacts.push_back(impact); }
};

/// Runs a model and keeps what it records.
Recording record(const Model& model);

/// The model `root` with settings ("path=value") applied, compiled to record only `signals` (empty: what the
/// model says). Throws InputError.
std::shared_ptr<const Model> compile_with(const Value& root, const std::string& name_in_messages,
                                          const std::vector<std::string>& settings,
                                          const std::vector<std::string>& signals);

}  // namespace tappet
