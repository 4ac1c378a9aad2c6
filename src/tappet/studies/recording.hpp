// A run kept in memory: the few signals that somebody asked for, and the impact table.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tappet/run/simulation.hpp"
#include "tappet/spec/value.hpp"
#include "tappet/studies/watch.hpp"

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

  bool keeps_steps = false;
  std::vector<double> step_ends;  ///< where it does: when the method's steps ended, s

  /// What stands in space at instants that somebody asked for.
  struct Snapshot {
    double time = 0;                  ///< of the first sample from then on that has all fields
    std::vector<fem::Fields> fields;  ///< by structure
  };
  std::vector<double> asked;             ///< instants, rising
  std::vector<Snapshot> snapshots = {};  ///< one for each that the run came to
  std::vector<fem::FieldMesh> meshes;    ///< where there are any

  std::size_t rows() const { return columns.empty() ? 0 : values.size() / columns.size(); }
  double time(std::size_t row) const { return values[row * columns.size()]; }
  const double* row(std::size_t number) const { return values.data() + number * columns.size(); }
  /// Samples from row `first` to before `end`, and what lies between them, in order of time.
  std::vector<const double*> all_rows(std::size_t first, std::size_t end) const;
  /// Position of a signal; columns.size() when it was not recorded.
  std::size_t index(const std::string& name) const;
  std::vector<double> column(std::size_t index) const;

  void sample(std::span<const double> row) override;
  void between(std::span<const double> row) override {
    unsampled.insert(unsampled.end(), row.begin(), row.end());
  }
  bool wants_between() const override { return true; }
  void impact(const Impact& impact) override { impacts.push_back(impact); }
  bool wants_fields() const override { return !asked.empty(); }
  void fields(int structure, const fem::Fields& fields) override;
  void progress(double t, double) override {
    if (keeps_steps) step_ends.push_back(t);
  }
};

/// Runs a model and keeps what it records, in `out`, which may ask for steps and snapshots. Throws StudyStopped when its watch ends it.
Recording record(const Model& model, Watch* watch = nullptr, Recording out = {});

/// The signal that add_step_lengths() adds: the length of the step in which an instant lies.
inline constexpr const char* step_length = "step_length";
/// A column more, from step_ends.
void add_step_lengths(Recording& recording);
/// Rows at the ends of the method's steps from row `first` to before `end`, in straight lines between samples.
std::vector<std::vector<double>> rows_at_steps(const Recording& recording, std::size_t first,
                                               std::size_t end);

/// The model `root` with settings ("path=value") applied, compiled to record only `signals` (empty: what the
/// model says). Throws InputError.
std::shared_ptr<const Model> compile_with(const Value& root, const std::string& name_in_messages,
                                          const std::vector<std::string>& settings,
                                          const std::vector<std::string>& signals);

}  // namespace tappet
