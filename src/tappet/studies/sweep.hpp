// Runs a study: threads here, or processes that MPI started, and a journal from which a killed study goes on.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tappet/base/input_file.hpp"
#include "tappet/studies/ranks.hpp"
#include "tappet/studies/study.hpp"
#include "tappet/studies/watch.hpp"

namespace tappet {

/// What one run gave. It follows from the study and the run's number alone, whoever computed it.
struct SweepRow {
  std::size_t run = 0;
  std::string reason;          ///< why the run failed; "" if it did not
  std::vector<double> values;  ///< of the metrics of Kind::value, in order; NaN: no value
  std::vector<std::vector<std::pair<double, double>>> lists;  ///< of the others: time and value
  std::vector<InputFile> files = {};                          ///< meshes and tables that its model names

  bool operator==(const SweepRow&) const = default;
};

/// A row as bytes and back. Bytes that are no row give a row whose number is no_run.
inline constexpr std::size_t no_run = static_cast<std::size_t>(-1);
std::string pack(const SweepRow& row);
SweepRow unpack_row(const std::string& bytes);

/// Runs one of them. Never throws for what is wrong with the run: the row says it. Throws StudyStopped.
SweepRow run_one(const Study& study, std::size_t run, Watch* watch = nullptr);

struct SweepProgress {
  std::size_t runs = 0, done = 0, failed = 0;
  std::size_t resumed = 0;  ///< of those done: taken from the journal
};

struct SweepOptions {
  int threads = 0;           ///< 0: as many as there are cores (beside other ranks: one)
  std::string journal = "";  ///< file; "": none
  bool restart = false;      ///< an old journal is thrown away
  bool any_build = false;    ///< rows in it may be another build's
  Ranks* ranks = nullptr;    ///< other processes, or none
  Watch* watch = nullptr;    ///< ends the study early; rows that are done are in the journal
  /// Called now and then, by the calling thread.
  std::function<void(const SweepProgress&)> progress = nullptr;
};

/// All rows in order; on ranks other than 0 none. Throws InputError if the journal cannot be used, StudyStopped.
std::vector<SweepRow> run_sweep(const Study& study, const SweepOptions& options);

}  // namespace tappet
