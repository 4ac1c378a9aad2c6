#include "tappet/results/result_writer.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/hdf5.hpp"
#include "tappet/base/version.hpp"
#include "tappet/results/growing_table.hpp"
#include "tappet/results/layout.hpp"
#include "tappet/results/output_file.hpp"
#include "tappet/results/owned_file.hpp"
#include "tappet/results/refuse.hpp"
#include "tappet/results/summary.hpp"

namespace tappet {

namespace fs = std::filesystem;
using hdf5::Handle;
using Clock = std::chrono::steady_clock;

namespace {

/// Small enough that a short run is a small file, large enough that a long one has few.
constexpr std::size_t sample_chunk_bytes = 256 * 1024, other_chunk_bytes = 32 * 1024,
                      checkpoint_chunk_bytes = 8 * 1024;
/// Kept free for HDF5's own bookkeeping, so that a run that fills the disk can still close its file.
constexpr std::uint64_t bookkeeping_bytes = 256 * 1024;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Handle create_checkpoints(hid_t file) {
  const hsize_t extent[2] = {layout::checkpoint_slots, layout::checkpoint_width};
  const Handle space{H5Screate_simple(2, extent, nullptr), H5Sclose};
  const Handle properties{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
  H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY);
  return {H5Dcreate2(file, "checkpoints", H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, H5P_DEFAULT),
          H5Dclose};
}

}  // namespace

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

struct ResultWriter::Impl {
  /// The file in the making, and the hold on it.
  struct Part {
    std::string name;
    std::unique_ptr<OwnedFile> owned;
  };
  std::string path;  ///< as the user knows it
  WriterOptions options;
  ResultHeader header;
  std::vector<std::byte> resumed_state;
  std::unique_ptr<OwnedFile> owned;
  Handle file, status, summary, checkpoints;
  std::array<Handle, layout::checkpoint_slots> slots;  ///< bytes of checkpoints
  std::array<std::size_t, layout::checkpoint_slots> slot_bytes{};
  GrowingTable samples, between, impacts, events;
  std::vector<std::array<GrowingTable, 4>> fields;  ///< of each structure, as layout::field_tables
  haddr_t status_offset = 0, summary_offset = 0;    ///< in the file
  double time = 0;                                  ///< of the last sample
  bool open = true;                                 ///< false when finished or abandoned

  Clock::time_point last_flush = Clock::now(), last_checkpoint = Clock::now(), last_sync = {};
  double checkpoint_cost = 0;  ///< wall seconds
  bool due = false;            ///< the last answer to "is a checkpoint due?"
  std::size_t ordinal = 0;     ///< of the last checkpoint

  Impl(std::string name, Part part, ResultHeader contents, const WriterOptions& how);
  [[noreturn]] void refuse_unwritten(const std::string& reason);
  bool describe();
  bool create_tables();
  bool create_fields();
  void begin();
  /// A writer of `path`, whose file is made beside it and takes the name when it is whole and safe: whoever
  /// is killed here leaves the old file or a readable new one, and who still reads the old one keeps it.
  /// `target`: the file behind the name; `replace`: there is one already, which is ours.
  static ResultWriter beside(const std::string& path, const std::string& target, bool replace,
                             const std::function<std::unique_ptr<Impl>(Part)>& make);
  void take_over(const ResultFile& old, const Checkpoint& from);

  void make_room(std::uint64_t growth);
  void write(GrowingTable& table);
  void append(GrowingTable& table, std::span<const double> row);
  void append_fields(std::size_t structure, const fem::Fields& record);
  void write_checkpoint(const Checkpoint& checkpoint);
  bool sync_due() const;
  void sync();
  bool write_ending(const std::string& status_text, const std::string& summary_text);

  [[noreturn]] void fail(const std::string& reason);
  void check(bool ok);
  void abandon();

  /// Fields first: a sample in the file has its fields in the file.
  std::vector<GrowingTable*> tables() {
    std::vector<GrowingTable*> all;
    for (auto& four : fields)
      for (GrowingTable& table : four) all.push_back(&table);
    all.insert(all.end(), {&samples, &between, &impacts, &events});
    return all;
  }
  std::vector<Handle*> handles() {
    std::vector<Handle*> all;
    for (GrowingTable* table : tables()) all.insert(all.end(), {&table->dataset(), &table->sums()});
    for (Handle& slot : slots) all.push_back(&slot);
    all.insert(all.end(), {&checkpoints, &status, &summary, &file});
    return all;
  }
};

ResultWriter::Impl::Impl(std::string name, Part part, ResultHeader contents, const WriterOptions& how)
    : path(std::move(name)), options(how), header(std::move(contents)), owned(std::move(part.owned)) {
  if (header.created.empty()) header.created = utc_now();
  if (header.program_version.empty()) header.program_version = version();
  if (header.build.empty()) header.build = build_identity();
  hdf5::take_close_failure();

  const Handle access = hdf5::access_properties();
  // No chunk cache: rows are gathered in the tables and go to the file as they are. (A cache given to a
  // dataset alone would be forgotten when SWMR mode begins.)
  H5Pset_cache(access, 0, 0, 0, 0);
  file = {H5Fcreate(part.name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose};
  if (!file.valid() || !describe() || !create_tables() || !create_fields())
    refuse_unwritten(hdf5::last_failure());
  if (const std::string reason = hdf5::take_close_failure(); !reason.empty()) refuse_unwritten(reason);
}

void ResultWriter::Impl::refuse_unwritten(const std::string& reason) {
  abandon();
  refuse(path, fmt::format("cannot be written: {}", reason));
}

/// Everything that does not grow.
bool ResultWriter::Impl::describe() {
  const Handle scalar{H5Screate(H5S_SCALAR), H5Sclose};
  const Handle format{H5Acreate2(file, "tappet_format", H5T_STD_I32LE, scalar, H5P_DEFAULT, H5P_DEFAULT),
                      H5Aclose};
  if (!format.valid() || H5Awrite(format, H5T_NATIVE_INT, &layout::format_version) < 0) return false;

  std::vector<std::string> names = {"time"}, units = {"s"};
  for (const auto& signal : header.signals) {
    names.push_back(signal.name);
    units.push_back(signal.unit);
  }
  std::vector<std::string> files, hashes;
  for (const InputFile& each : header.files) {
    files.push_back(each.path);
    hashes.push_back(each.hash);
  }
  const Handle group{H5Gcreate2(file, "model", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
  const Handle text = hdf5::create_text(file, "model/text", header.model_text.size());
  return text.valid() && hdf5::write_text(text, header.model_text) &&
         hdf5::write_text_attribute(file, "program_version", header.program_version) &&
         hdf5::write_text_attribute(file, "build", header.build) &&
         hdf5::write_names(file, "input_files", files) && hdf5::write_names(file, "input_hashes", hashes) &&
         hdf5::write_text_attribute(file, "title", header.title) &&
         hdf5::write_text_attribute(file, "model_file", header.model_file) &&
         hdf5::write_text_attribute(file, "created", header.created) &&
         hdf5::write_names(file, "columns", names) && hdf5::write_names(file, "units", units) &&
         hdf5::write_names(file, "contacts", header.contacts) &&
         hdf5::write_names(file, "event_names", header.events);
}

bool ResultWriter::Impl::create_tables() {
  const std::string impact_columns = fmt::format("{}", fmt::join(layout::impact_columns(), ","));
  checkpoints = create_checkpoints(file);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    slots[i] = hdf5::create_bytes(file, layout::checkpoint_names[i], checkpoint_chunk_bytes);
    if (!slots[i].valid()) return false;
  }
  status = hdf5::create_text(file, "status", layout::status_bytes);
  summary = hdf5::create_text(file, "summary", layout::summary_bytes);
  return samples.create(file, "samples", header.signals.size() + 1, options.buffer_bytes,
                        sample_chunk_bytes) &&
         between.create(file, "between", header.signals.size() + 1, options.buffer_bytes,
                        sample_chunk_bytes) &&
         impacts.create(file, "impacts", layout::impact_width, options.buffer_bytes, other_chunk_bytes) &&
         events.create(file, "events", layout::event_width, options.buffer_bytes, other_chunk_bytes) &&
         checkpoints.valid() && status.valid() && summary.valid() && hdf5::write_text(status, "running") &&
         hdf5::write_text_attribute(impacts.dataset(), "columns", impact_columns) &&
         hdf5::write_text_attribute(events.dataset(), "columns", "event,time");
}

/// Structures that do not move in the file, and the tables of what moves on them.
bool ResultWriter::Impl::create_fields() {
  if (header.structures.empty() || header.field_samples == 0) return true;
  std::vector<std::string> names;
  for (const fem::FieldMesh& mesh : header.structures) names.push_back(mesh.name);
  const Handle group{H5Gcreate2(file, "fields", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
  if (!group.valid() || !hdf5::write_names(file, "structures", names) ||
      !hdf5::write_integers(file, "field_samples", {static_cast<int>(header.field_samples)}))
    return false;
  for (const fem::FieldMesh& mesh : header.structures) {
    const Handle own{H5Gcreate2(group, mesh.name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
    if (!own.valid() || !hdf5::write_table(own, "nodes", 3, mesh.nodes) ||
        !hdf5::write_integers(own, "cells", mesh.cells) || !hdf5::write_integers(own, "ends", mesh.ends) ||
        !hdf5::write_integers(own, "types", mesh.types) ||
        (mesh.carried && !hdf5::write_integers(own, "carried", {1})))
      return false;
    fields.emplace_back();
    for (std::size_t k = 0; k < layout::field_tables.size(); ++k)
      if (!fields.back()[k].create(own, layout::field_tables[k], layout::field_widths(mesh)[k],
                                   options.buffer_bytes, sample_chunk_bytes, true))
        return false;
  }
  return true;
}

/// From here on the file is whole at every moment.
void ResultWriter::Impl::begin() {
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 || H5Fstart_swmr_write(file) < 0)
    refuse_unwritten(hdf5::last_failure());
  if (const std::string reason = hdf5::take_close_failure(); !reason.empty()) refuse_unwritten(reason);
  status_offset = H5Dget_offset(status);
  summary_offset = H5Dget_offset(summary);
}

ResultWriter ResultWriter::Impl::beside(const std::string& path, const std::string& target, bool replace,
                                        const std::function<std::unique_ptr<Impl>(Part)>& make) {
  auto owned = std::make_unique<OwnedFile>(target, path, OwnedFile::Opening::beside);
  const std::string part = owned->name();
  try {
    auto impl = make({part, std::move(owned)});
    impl->begin();
    if (!impl->owned->sync() || !take_name(part, target, replace))
      refuse(path, errno == EEXIST ? "is being written by another run"
                                   : fmt::format("cannot be written: {}", std::strerror(errno)));
    return ResultWriter(std::move(impl));
  } catch (...) {
    std::remove(part.c_str());
    throw;
  }
}

/// Copies what an older file holds up to a checkpoint, and the checkpoint itself.
void ResultWriter::Impl::take_over(const ResultFile& old, const Checkpoint& from) {
  std::vector<std::size_t> all(samples.width());
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t row = 0; row < from.samples; row += samples.capacity()) {
    samples.append(old.read(row, std::min(samples.capacity(), from.samples - row), all));
    write(samples);
  }
  for (std::size_t row = 0; row < from.between; row += between.capacity()) {
    between.append(old.between(row, std::min(between.capacity(), from.between - row)));
    write(between);
  }
  if (from.samples > 0) time = old.read(from.samples - 1, 1, {all.data(), 1})[0];

  // Records of structures go with every so manyth sample, the first included.
  for (std::size_t s = 0; s < fields.size(); ++s)
    for (std::size_t k = 0; k * header.field_samples < from.samples; ++k) append_fields(s, old.fields(s, k));

  const auto old_impacts = old.impacts();
  for (std::size_t i = 0; i < from.impacts; ++i) append(impacts, layout::pack(old_impacts[i]));
  const auto old_events = old.events();
  for (std::size_t i = 0; i < from.events; ++i) append(events, layout::pack(old_events[i]));
  for (GrowingTable* table : tables()) write(*table);
  write_checkpoint(from);
  resumed_state = from.state;
}

/// Sees to it that the file can grow by this much.
void ResultWriter::Impl::make_room(std::uint64_t growth) {
  haddr_t end = 0;
  H5Fget_eoa(file, &end);
  if (owned->reserve(end + growth + bookkeeping_bytes)) return;
  // Nothing is half done: the file stays open and can be closed properly, without what was to be written.
  const std::string reason = std::strerror(errno);
  for (GrowingTable* each : tables()) each->forget();
  fail(reason);
}

/// Writes what a table has gathered, if there is room for it.
void ResultWriter::Impl::write(GrowingTable& table) {
  if (!open) fail("an earlier attempt failed");
  make_room(table.growth());
  check(table.write());
}

void ResultWriter::Impl::append(GrowingTable& table, std::span<const double> row) {
  table.append(row);
  if (!table.full()) return;
  const hdf5::Silence silence;
  write(table);
}

void ResultWriter::Impl::append_fields(std::size_t structure, const fem::Fields& record) {
  auto& four = fields[structure];
  append(four[0], record.displacement);
  append(four[1], record.velocity);
  append(four[2], record.contact_force);
  append(four[3], record.stress);
}

void ResultWriter::Impl::write_checkpoint(const Checkpoint& checkpoint) {
  const auto row = layout::pack(checkpoint, ++ordinal);
  const std::size_t slot = ordinal % layout::checkpoint_slots;
  const std::size_t chunks = (checkpoint.state.size() + checkpoint_chunk_bytes - 1) / checkpoint_chunk_bytes,
                    growth = chunks * checkpoint_chunk_bytes -
                             std::min(chunks * checkpoint_chunk_bytes, slot_bytes[slot]);
  if (growth > 0) {
    make_room(growth);
    slot_bytes[slot] = chunks * checkpoint_chunk_bytes;
  }
  // The row that says how many bytes count comes after them.
  const bool safe = sync_due();
  check(hdf5::write_bytes(slots[slot], checkpoint.state) && H5Dflush(slots[slot]) >= 0);
  // ... and what it counts on is on the disk before it is. If the power goes in between, the one before still holds.
  if (safe) sync();
  check(hdf5::write_block(checkpoints, slot, 0, 1, row.size(), row.data()) && H5Dflush(checkpoints) >= 0);
  if (!safe) return;
  sync();
  last_sync = Clock::now();
}

/// Checkpoints after every step are wanted by tests: these go to the disk as often as others do.
bool ResultWriter::Impl::sync_due() const {
  return options.checkpoint_seconds > 0 || seconds_since(last_sync) >= WriterOptions{}.checkpoint_seconds;
}

void ResultWriter::Impl::sync() {
  if (owned->sync()) return;
  const std::string reason = std::strerror(errno);
  abandon();
  fail(reason);
}

/// How the run ended goes to places that the file has had from the start, past HDF5: this works on a full
/// disk too. The status comes last: a file that says "completed" has its summary.
bool ResultWriter::Impl::write_ending(const std::string& status_text, const std::string& summary_text) {
  const auto put = [this](std::string text, std::size_t size, haddr_t offset) {
    text.resize(size, '\0');
    return owned->write_at(offset, text) && owned->sync();
  };
  if (put(summary_text, layout::summary_bytes, summary_offset) &&
      put(status_text, layout::status_bytes, status_offset))
    return true;
  // What cannot be made to last is not called complete, as far as that can still be written.
  const int reason = errno;
  put("running", layout::status_bytes, status_offset);
  errno = reason;
  return false;
}

void ResultWriter::Impl::fail(const std::string& reason) {
  throw SimulationError(time, fmt::format("the result file {} cannot be written: {}", path, reason));
}

void ResultWriter::Impl::check(bool ok) {
  if (ok) return;
  const std::string reason = hdf5::last_failure();
  abandon();
  fail(reason);
}

/// HDF5 could not write, who knows what. On the disk the file is whole, as after kill -9; closing it would
/// write more, in whatever order still succeeds, and spoil that. So it is left as it is.
void ResultWriter::Impl::abandon() {
  open = false;
  for (Handle* handle : handles()) handle->abandon();
}

ResultWriter::ResultWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ResultWriter::ResultWriter(ResultWriter&&) noexcept = default;

ResultWriter ResultWriter::create(const std::string& path, const ResultHeader& header,
                                  const WriterOptions& options) {
  const hdf5::Silence silence;
  std::error_code error;
  const auto kind = fs::status(path, error).type();
  const std::string target = file_behind(path);
  std::unique_ptr<OwnedFile> old;  // nobody else writes it until ours has its name
  if (kind == fs::file_type::directory) refuse(path, "is a directory: give the name of a result file");
  if (kind == fs::file_type::regular) {
    // A model's name typed where the result's belongs must not cost the model.
    if (fs::file_size(path, error) > 0 && !is_result_file(path)) {
      refuse(path,
             "exists and is not a Tappet result: it is not overwritten; remove it or choose another name");
    }
    old = std::make_unique<OwnedFile>(target, path, OwnedFile::Opening::existing);
  } else if (fs::exists(path, error)) {
    refuse(path, "cannot be written: it is not an ordinary file");
  }
  return Impl::beside(path, target, old != nullptr, [&](Impl::Part part) {
    return std::make_unique<Impl>(path, std::move(part), header, options);
  });
}

ResultWriter ResultWriter::resume(const std::string& path, const WriterOptions& options) {
  const hdf5::Silence silence;
  ResultFile{path};  // says what is wrong with the name, if anything is
  const std::string target = file_behind(path);
  const OwnedFile old_owned(target, path, OwnedFile::Opening::existing);  // refuses while the run is alive
  const ResultFile old(path);
  if (old.format() < 2)
    refuse(
        path,
        "is a result of format 1, whose checkpoints this version cannot continue; it can be read, but a run "
        "must start anew, without --resume");
  try {
    return Impl::beside(path, target, true, [&](Impl::Part part) {
      auto impl = std::make_unique<Impl>(path, std::move(part), old.header(), options);
      if (const auto from = old.last_checkpoint()) impl->take_over(old, *from);
      return impl;
    });
  } catch (const SimulationError& failure) {
    refuse(path, fmt::format("cannot be resumed, but is not lost: {}", failure.what()));
  }
}

ResultWriter::~ResultWriter() {
  if (!impl_ || !impl_->open) return;
  // A run that ended by an exception keeps what it has; nobody is left to be told about a full disk.
  const hdf5::Silence silence;
  try {
    flush();
  } catch (const SimulationError&) {
  }
  impl_.reset();
}

const ResultHeader& ResultWriter::header() const {
  return impl_->header;
}
const std::vector<std::byte>& ResultWriter::resumed_state() const {
  return impl_->resumed_state;
}
std::size_t ResultWriter::samples() const {
  return impl_->samples.rows();
}
std::size_t ResultWriter::between_rows() const {
  return impl_->between.rows();
}
std::size_t ResultWriter::impacts() const {
  return impl_->impacts.rows();
}
std::size_t ResultWriter::events() const {
  return impl_->events.rows();
}

void ResultWriter::sample(std::span<const double> row) {
  if (row.size() != impl_->samples.width()) throw std::logic_error("a sample has the wrong number of values");
  impl_->time = row[0];
  impl_->append(impl_->samples, row);
}

void ResultWriter::between(std::span<const double> row) {
  if (row.size() != impl_->between.width()) throw std::logic_error("a row has the wrong number of values");
  impl_->append(impl_->between, row);
}

void ResultWriter::fields(int structure, const fem::Fields& fields) {
  const auto at = static_cast<std::size_t>(structure);
  if (at >= impl_->fields.size())
    throw std::logic_error("fields of a structure that the result does not know");
  impl_->append_fields(at, fields);
}

void ResultWriter::impact(const Impact& impact) {
  impl_->append(impl_->impacts, layout::pack(impact));
}

void ResultWriter::event(const EventRecord& event) {
  impl_->append(impl_->events, layout::pack(event));
}

bool ResultWriter::checkpoint_due() {
  if (seconds_since(impl_->last_flush) >= impl_->options.flush_seconds) flush();
  // Checkpoints take at most a twentieth of the run's time, however large the model.
  const double interval = std::max(impl_->options.checkpoint_seconds, 20 * impl_->checkpoint_cost);
  impl_->due = impl_->options.checkpoint_seconds == 0 || seconds_since(impl_->last_checkpoint) >= interval;
  return impl_->due;
}

void ResultWriter::checkpoint(const State& state) {
  // Some schemes must stop for a checkpoint at their own times; not every one of those is worth writing.
  if (impl_->due || checkpoint_due()) checkpoint_now(state);
}

void ResultWriter::checkpoint_now(const State& state) {
  const auto start = Clock::now();
  const hdf5::Silence silence;
  // What the checkpoint builds on is in the file before the checkpoint is.
  flush();
  impl_->write_checkpoint({.samples = samples(),
                           .impacts = impacts(),
                           .events = events(),
                           .between = between_rows(),
                           .state = save(state)});
  impl_->due = false;
  impl_->last_checkpoint = Clock::now();
  impl_->checkpoint_cost = seconds_since(start);
}

void ResultWriter::flush() {
  const hdf5::Silence silence;
  impl_->last_flush = Clock::now();
  for (GrowingTable* table : impl_->tables()) impl_->write(*table);
  for (GrowingTable* table : impl_->tables()) impl_->check(table->flush());
}

void ResultWriter::finish(const RunSummary& summary) {
  const hdf5::Silence silence;
  Impl& impl = *impl_;
  if (impl.open) {
    flush();
    impl.open = false;
    bool closed = true;
    for (Handle* handle : impl.handles()) closed = handle->close() && closed;
    // Incomplete, then, and said so by its status: --resume goes on from the last checkpoint.
    if (const std::string reason = hdf5::take_close_failure(); !closed || !reason.empty())
      impl.fail(reason.empty() ? "HDF5 gives no reason" : reason);
    impl.owned->trim();
  } else if (summary.completed) {
    impl.fail("an earlier attempt failed");
  }
  if (!impl.write_ending(summary.completed ? "completed" : "stopped",
                         summary_json(summary, impl.path, layout::summary_bytes)))
    impl.fail(std::strerror(errno));
}

}  // namespace tappet
