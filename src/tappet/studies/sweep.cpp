#include "tappet/studies/sweep.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "tappet/base/version.hpp"
#include "tappet/model/model.hpp"
#include "tappet/results/refuse.hpp"
#include "tappet/studies/journal.hpp"
#include "tappet/studies/recording.hpp"

namespace tappet {

// ---- rows as bytes

namespace {

class Writer {
 public:
  void put(const void* data, std::size_t size) { bytes.append(static_cast<const char*>(data), size); }
  void count(std::uint64_t value) { put(&value, sizeof value); }
  void number(double value) { put(&value, sizeof value); }
  void text(const std::string& value) {
    count(value.size());
    put(value.data(), value.size());
  }
  std::string bytes;
};

class BytesReader {
 public:
  explicit BytesReader(const std::string& bytes) : bytes_(bytes) {}
  bool good() const { return good_; }
  bool at_end() const { return at_ == bytes_.size(); }

  void take(void* data, std::size_t size) {
    good_ = good_ && size <= bytes_.size() - at_;
    if (!good_) return;
    std::memcpy(data, bytes_.data() + at_, size);
    at_ += size;
  }
  double number() {
    double value = 0;
    take(&value, sizeof value);
    return value;
  }
  /// The number of items that follow, each of at least `item` bytes.
  std::uint64_t count(std::size_t item) {
    std::uint64_t value = 0;
    take(&value, sizeof value);
    good_ = good_ && value <= (bytes_.size() - at_) / std::max<std::size_t>(item, 1);
    return good_ ? value : 0;
  }
  std::string text() {
    std::string out(count(1), '\0');
    take(out.data(), out.size());
    return out;
  }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
  bool good_ = true;
};

}  // namespace

std::string pack(const SweepRow& row) {
  Writer out;
  out.number(static_cast<double>(row.run));
  out.text(row.reason);
  out.count(row.values.size());
  for (const double value : row.values) out.number(value);
  out.count(row.lists.size());
  for (const auto& list : row.lists) {
    out.count(list.size());
    for (const auto& [time, value] : list) out.number(time), out.number(value);
  }
  out.count(row.files.size());
  for (const InputFile& file : row.files) out.text(file.path), out.text(file.hash);
  return out.bytes;
}

SweepRow unpack_row(const std::string& bytes) {
  BytesReader in(bytes);
  SweepRow row;
  row.run = static_cast<std::size_t>(in.number());
  row.reason = in.text();
  row.values.resize(in.count(sizeof(double)));
  for (double& value : row.values) value = in.number();
  row.lists.resize(in.count(sizeof(std::uint64_t)));
  for (auto& list : row.lists) {
    list.resize(in.count(2 * sizeof(double)));
    for (auto& [time, value] : list) time = in.number(), value = in.number();
  }
  row.files.resize(in.count(2 * sizeof(std::uint64_t)));
  for (InputFile& file : row.files) file.path = in.text(), file.hash = in.text();
  if (!in.good() || !in.at_end()) row.run = no_run;
  return row;
}

// ---- one run

namespace {

std::string first_fault(const InputError& error) {
  for (const Diagnostic& diagnostic : error.diagnostics())
    if (diagnostic.severity == Severity::error) return diagnostic.text();
  return error.what();
}

void measure(const Study& study, const Recording& recording, SweepRow& row) {
  const Revolution revolution = study.revolution_of(row.run);
  for (const Metric& metric : study.metrics) {
    if (metric.kind == Metric::Kind::value)
      row.values.push_back(metric.value(recording, revolution));
    else
      row.lists.push_back(metric.list(recording, revolution));
  }
}

}  // namespace

SweepRow run_one(const Study& study, std::size_t run, Watch* watch) {
  SweepRow row;
  row.run = run;
  try {
    const auto model = compile_with(study.model, study.model_file, study.settings_of(run), study.signals);
    row.files = model->files;
    const Recording recording = record(*model, watch);
    if (!recording.summary.completed && !recording.summary.stop_reason.empty())
      row.reason = recording.summary.stop_reason;
    else
      measure(study, recording, row);
  } catch (const InputError& error) {
    row.reason = first_fault(error);
  } catch (const SimulationError& error) {
    row.reason = error.what();
  }
  if (!row.reason.empty()) row.values.clear(), row.lists.clear();
  return row;
}

// ---- many runs

namespace {

/// Requests that each other rank keeps waiting, so that it never waits itself.
constexpr int requests_ahead = 2;
const std::string stop_message = "stop";

/// Files as they are now, each looked at once.
class FilesNow {
 public:
  /// "the file 'rod.inp' was changed"; "": they are as they were.
  std::string change(const std::vector<InputFile>& files) {
    for (const InputFile& file : files) {
      const auto [at, fresh] = hashes_.try_emplace(file.path);
      if (fresh) {
        std::string why;
        const auto bytes = read_input_file(file.path, why);
        at->second = bytes ? content_hash(*bytes) : "";
      }
      if (at->second != file.hash) return fmt::format("the file {} was changed", quote(file.path));
    }
    return "";
  }

 private:
  std::map<std::string, std::string> hashes_;
};

/// What is to be done and what is done, shared by the workers.
class Ledger {
 public:
  Ledger(const Study& study, const SweepOptions& options) : rows_(study.runs()) {
    progress_.runs = study.runs();
    std::vector<bool> known(study.runs(), false);
    if (!options.journal.empty()) {
      journal_.emplace(options.journal,
                       Journal::Owner{study.fingerprint(), build_identity(), options.any_build},
                       options.restart);
      FilesNow now;
      for (const std::string& record : journal_->found()) {
        SweepRow row = unpack_row(record);
        if (row.run >= rows_.size() || known[row.run]) continue;
        if (const std::string change = now.change(row.files); !change.empty())
          refuse(options.journal,
                 fmt::format("run {} was computed before {}: use --restart to begin anew", row.run, change));
        known[row.run] = true;
        count(row);
        ++progress_.resumed;
        rows_[row.run] = std::move(row);
      }
    }
    for (std::size_t run = 0; run < known.size(); ++run)
      if (!known[run]) to_do_.push_back(run);
  }

  /// The next run that nobody has begun.
  std::optional<std::size_t> next() {
    const std::size_t at = next_.fetch_add(1);
    if (stopped_ || at >= to_do_.size()) return std::nullopt;
    return to_do_[at];
  }

  void commit(SweepRow row) {
    std::lock_guard lock(mutex_);
    if (journal_) journal_->append(pack(row));
    count(row);
    rows_[row.run] = std::move(row);
    if (progress_.done == progress_.runs) finished_.notify_all();
  }

  void fail(std::exception_ptr why) {
    std::lock_guard lock(mutex_);
    if (!failure_) failure_ = why;
    stopped_ = true;
    finished_.notify_all();
  }

  /// Waits a moment; true when all is done. Throws what stopped a worker.
  bool wait(std::chrono::microseconds moment) {
    std::unique_lock lock(mutex_);
    finished_.wait_for(lock, moment, [&] { return failure_ || progress_.done == progress_.runs; });
    if (failure_) std::rethrow_exception(failure_);
    return progress_.done == progress_.runs;
  }

  SweepProgress progress() {
    std::lock_guard lock(mutex_);
    return progress_;
  }
  void stop() { stopped_ = true; }
  std::size_t left() const { return to_do_.size(); }
  std::vector<SweepRow> take_rows() { return std::move(rows_); }

 private:
  void count(const SweepRow& row) {
    ++progress_.done;
    progress_.failed += !row.reason.empty();
  }

  std::vector<SweepRow> rows_;
  std::vector<std::size_t> to_do_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::optional<Journal> journal_;
  std::mutex mutex_;
  std::condition_variable finished_;
  SweepProgress progress_;
  std::exception_ptr failure_;
};

void work(const Study& study, Ledger& ledger, Watch* watch) {
  try {
    while (const auto run = ledger.next()) ledger.commit(run_one(study, *run, watch));
  } catch (...) {
    ledger.fail(std::current_exception());
  }
}

/// Threads that are waited for, whatever happens.
class Workers {
 public:
  Workers(const Study& study, Ledger& ledger, std::size_t count, Watch* watch) : ledger_(ledger) {
    for (std::size_t i = 0; i < count; ++i)
      threads_.emplace_back([&study, &ledger, watch] { work(study, ledger, watch); });
  }
  ~Workers() {
    ledger_.stop();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  Ledger& ledger_;
  std::vector<std::thread> threads_;
};

/// Answers the other ranks: a result comes in, the number of the next run goes out. Returns how many were
/// told to stop.
int serve(Ranks& ranks, Ledger& ledger) {
  int stopped = 0, from = 0;
  std::string message;
  while (ranks.receive(from, message)) {
    if (!message.empty()) ledger.commit(unpack_row(message));
    const auto run = ledger.next();
    ranks.send(from, run ? fmt::format("{}", *run) : stop_message);
    stopped += !run;
  }
  return stopped;
}

/// What a rank other than 0 does: runs whatever it is told to.
void assist(const Study& study, Ranks& ranks) {
  for (int i = 0; i < requests_ahead; ++i) ranks.send(0, "");
  for (int waiting = requests_ahead; waiting > 0;) {
    int from = 0;
    std::string message;
    if (!ranks.receive(from, message)) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    } else if (message == stop_message) {
      --waiting;
    } else {
      ranks.send(0, pack(run_one(study, std::stoull(message))));
    }
  }
}

}  // namespace

std::vector<SweepRow> run_sweep(const Study& study, const SweepOptions& options) {
  Ranks* ranks = options.ranks;
  if (ranks && ranks->rank() != 0) {
    assist(study, *ranks);
    return {};
  }
  Ledger ledger(study, options);
  std::size_t threads = static_cast<std::size_t>(std::max(options.threads, 0));
  if (threads == 0) threads = ranks ? 1 : std::max(1u, std::thread::hardware_concurrency());
  {
    const Workers workers(study, ledger, std::min(threads, ledger.left()), options.watch);
    int to_stop = ranks ? requests_ahead * (ranks->size() - 1) : 0;
    for (bool done = false; !done || to_stop > 0;) {
      if (ranks) to_stop -= serve(*ranks, ledger);
      done = ledger.wait(std::chrono::microseconds(ranks ? 500 : 100'000));
      if (options.progress) options.progress(ledger.progress());
    }
  }
  return ledger.take_rows();
}

}  // namespace tappet
