// A result as read from its file: finished, still being written, or left behind by a run that was killed.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tappet/base/input_file.hpp"
#include "tappet/results/layout.hpp"
#include "tappet/run/simulation.hpp"

namespace tappet {

/// Everything about a result that does not grow.
struct ResultHeader {
  std::vector<Signal> signals;                ///< the columns after time
  std::vector<std::string> contacts, events;  ///< names
  std::string title, model_file, model_text;
  std::string created;          ///< UTC, "2026-01-31T12:00:00Z"; filled by the writer when empty
  std::string program_version;  ///< filled by the writer when empty
  std::vector<fem::FieldMesh> structures = {};  ///< whose fields are recorded
  std::size_t field_samples = 0;                ///< at every so many samples; 0: not at all
  std::string build = {};             ///< build_identity() of the program; filled by the writer when empty
  std::vector<InputFile> files = {};  ///< that the model names, as they were read
};

class ResultFile {
 public:
  /// Throws InputError with a sentence if there is no such file, it is not a Tappet result, or it is damaged.
  /// What a running simulation writes later is seen by opening again.
  explicit ResultFile(const std::string& path);
  ~ResultFile();
  ResultFile(ResultFile&&) noexcept;

  const std::string& path() const;
  const ResultHeader& header() const;
  const std::string& status() const;  ///< "running" (or killed), "completed" or "stopped"
  const std::string& summary()
      const;  ///< JSON; empty until the run has ended, or where its end was not written

  /// Names and units, time first.
  const std::vector<Signal>& columns() const;
  std::size_t rows() const;
  /// The position of a column; an unknown name is an InputError that lists the nearest.
  std::size_t index(const std::string& name) const;
  /// Columns whose names match any of the patterns (`crank.*`, `*.vx`), in the order asked for, none twice.
  std::vector<std::size_t> select(const std::vector<std::string>& patterns) const;

  std::vector<double> column(const std::string& name) const;
  /// Sentences for the user about names that were asked for.
  const std::vector<std::string>& warnings() const;
  std::vector<double> column(std::size_t index) const;
  /// Rows [first, first + count) of the chosen columns, row by row.
  std::vector<double> read(std::size_t first, std::size_t count, std::span<const std::size_t> columns) const;

  /// The same with the rows that lie between these samples, in order of time: peaks, and impacts that are over within a few output
  /// steps. Those that lie between two calls' rows come with the former.
  std::vector<double> read_all(std::size_t first, std::size_t count,
                               std::span<const std::size_t> columns) const;
  std::size_t between_count() const;
  /// Rows of these, all columns.
  std::vector<double> between(std::size_t first, std::size_t count) const;

  std::size_t impact_count() const;
  std::size_t event_count() const;
  std::vector<Impact> impacts() const;
  std::vector<EventRecord> events() const;

  /// Records of whole structures. The one numbered k belongs to the row k · header().field_samples of samples.
  std::size_t field_count() const;
  fem::Fields fields(std::size_t structure, std::size_t record) const;

  /// Of the file: 1 or 2. Runs in files of format 1 cannot be continued.
  int format() const;
  /// Where a killed run can be taken up again; none if it died before its first checkpoint, or is of format 1.
  std::optional<Checkpoint> last_checkpoint() const;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

/// True if `path` is a Tappet result as far as its first look tells. Never throws.
bool is_result_file(const std::string& path);

}  // namespace tappet
