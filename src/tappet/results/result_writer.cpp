#include "tappet/results/result_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/version.hpp"
#include "tappet/results/hdf5.hpp"
#include "tappet/results/layout.hpp"
#include "tappet/results/refuse.hpp"
#include "tappet/results/summary.hpp"

namespace tappet {

using hdf5::Handle;
using Clock = std::chrono::steady_clock;

namespace {

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

/// Two runs must not write one file. The kernel drops the lock when the process dies, however it dies.
class WriterLock {
 public:
  explicit WriterLock(const std::string& path, const std::string& name_in_messages) {
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) refuse(name_in_messages, fmt::format("cannot be written: {}", std::strerror(errno)));
    struct flock request {};
    request.l_type = F_WRLCK;
    request.l_whence = SEEK_SET;
    // File systems without such locks are used unlocked.
    if (::fcntl(descriptor_, F_OFD_SETLK, &request) < 0 && (errno == EAGAIN || errno == EACCES)) {
      ::close(descriptor_);
      refuse(name_in_messages, "is being written by another run");
    }
  }
  ~WriterLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  WriterLock(WriterLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  WriterLock& operator=(WriterLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

/// Rows gathered in memory on their way to a table that grows.
struct Table {
  Handle dataset;
  std::size_t width = 0;
  std::size_t in_file = 0;   ///< rows
  std::size_t capacity = 0;  ///< rows to gather before they are written
  std::vector<double> buffer;

  std::size_t rows() const { return in_file + buffer.size() / width; }
  bool full() const { return buffer.size() >= capacity * width; }

  bool write() {
    const std::size_t count = buffer.size() / width;
    if (count == 0) return true;
    const hsize_t extent[2] = {in_file + count, width};
    if (H5Dset_extent(dataset, extent) < 0) return false;
    if (!hdf5::write_block(dataset, in_file, 0, count, width, buffer.data())) return false;
    in_file += count;
    buffer.clear();
    return true;
  }
};

/// A table of `width` columns and no rows. Chunks are about 256 KiB: small enough that a short run is a small
/// file, large enough that a long one has few; wide tables are cut in columns too, so that one signal is read
/// without all others.
Handle create_table(hid_t file, const char* name, std::size_t width) {
  constexpr std::size_t chunk_bytes = 256 * 1024, widest = 1024;
  const std::size_t pieces = (width + widest - 1) / widest;
  const hsize_t columns = (width + pieces - 1) / pieces;
  const hsize_t rows = std::clamp<hsize_t>(chunk_bytes / (8 * columns), 1, 4096);

  const hsize_t extent[2] = {0, width}, limit[2] = {H5S_UNLIMITED, width}, chunk[2] = {rows, columns};
  const Handle space{H5Screate_simple(2, extent, limit), H5Sclose};
  const Handle properties{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
  H5Pset_chunk(properties, 2, chunk);
  H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER);
  // No chunk cache: rows are gathered here and go to the file as they are.
  const Handle access{H5Pcreate(H5P_DATASET_ACCESS), H5Pclose};
  H5Pset_chunk_cache(access, 0, 0, 1);
  return {H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, access), H5Dclose};
}

Handle create_checkpoints(hid_t file, std::size_t length) {
  const hsize_t extent[2] = {layout::checkpoint_slots, length + layout::checkpoint_overhead};
  const Handle space{H5Screate_simple(2, extent, nullptr), H5Sclose};
  const Handle properties{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
  H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY);
  return {H5Dcreate2(file, "checkpoints", H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, H5P_DEFAULT),
          H5Dclose};
}

std::string join(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ","));
}

}  // namespace

struct ResultWriter::Impl {
  std::string path;  ///< as the user knows it
  WriterOptions options;
  ResultHeader header;
  std::vector<double> resumed_state;
  WriterLock lock;
  Handle file, status, summary, checkpoints;
  Table samples, impacts, events;
  double time = 0;  ///< of the last sample
  bool open = true;

  Clock::time_point last_flush = Clock::now(), last_checkpoint = Clock::now();
  double checkpoint_cost = 0;  ///< wall seconds
  bool due = false;            ///< the last answer to "is a checkpoint due?"
  std::size_t ordinal = 0;     ///< of the last checkpoint

  Impl(std::string name, const std::string& name_on_disk, ResultHeader contents, const WriterOptions& how);
  bool describe();
  bool create_tables();
  void begin();
  void take_over(const ResultFile& old, const Checkpoint& from);

  void check(bool ok) const {
    if (ok) return;
    throw SimulationError(
        time, fmt::format("the result file {} cannot be written: {}", path, hdf5::last_failure()));
  }
  bool write_tables() { return samples.write() && impacts.write() && events.write(); }
  bool flush_tables() {
    return H5Dflush(samples.dataset) >= 0 && H5Dflush(impacts.dataset) >= 0 && H5Dflush(events.dataset) >= 0;
  }
};

ResultWriter::Impl::Impl(std::string name, const std::string& name_on_disk, ResultHeader contents,
                         const WriterOptions& how)
    : path(std::move(name)), options(how), header(std::move(contents)), lock(name_on_disk, path) {
  if (header.created.empty()) header.created = utc_now();
  if (header.program_version.empty()) header.program_version = version();

  const Handle access = hdf5::access_properties();
  file = {H5Fcreate(name_on_disk.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose};
  if (!file.valid() || !describe() || !create_tables()) {
    refuse(path, fmt::format("cannot be written: {}", hdf5::last_failure()));
  }
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
  const Handle group{H5Gcreate2(file, "model", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
  const Handle text = hdf5::create_text(file, "model/text", header.model_text.size());
  return text.valid() && hdf5::write_text(text, header.model_text) &&
         hdf5::write_text_attribute(file, "program_version", header.program_version) &&
         hdf5::write_text_attribute(file, "title", header.title) &&
         hdf5::write_text_attribute(file, "model_file", header.model_file) &&
         hdf5::write_text_attribute(file, "created", header.created) &&
         hdf5::write_names(file, "columns", names) && hdf5::write_names(file, "units", units) &&
         hdf5::write_names(file, "contacts", header.contacts) &&
         hdf5::write_names(file, "event_names", header.events);
}

bool ResultWriter::Impl::create_tables() {
  samples.width = header.signals.size() + 1;
  impacts.width = layout::impact_width;
  events.width = layout::event_width;
  samples.dataset = create_table(file, "samples", samples.width);
  impacts.dataset = create_table(file, "impacts", impacts.width);
  events.dataset = create_table(file, "events", events.width);
  for (Table* table : {&samples, &impacts, &events}) {
    table->capacity = std::clamp<std::size_t>(options.buffer_bytes / (8 * table->width), 1, 4096);
    table->buffer.reserve(table->capacity * table->width);
  }
  checkpoints = create_checkpoints(file, header.checkpoint_length);
  status = hdf5::create_text(file, "status", layout::status_bytes);
  summary = hdf5::create_text(file, "summary", layout::summary_bytes);
  return samples.dataset.valid() && impacts.dataset.valid() && events.dataset.valid() &&
         checkpoints.valid() && status.valid() && summary.valid() && hdf5::write_text(status, "running") &&
         hdf5::write_text_attribute(impacts.dataset, "columns", join(layout::impact_columns())) &&
         hdf5::write_text_attribute(events.dataset, "columns", "event,time");
}

/// From here on the file is whole at every moment.
void ResultWriter::Impl::begin() {
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 || H5Fstart_swmr_write(file) < 0) {
    refuse(path, fmt::format("cannot be written: {}", hdf5::last_failure()));
  }
}

/// Copies what an older file holds up to a checkpoint, and the checkpoint itself.
void ResultWriter::Impl::take_over(const ResultFile& old, const Checkpoint& from) {
  std::vector<std::size_t> all(samples.width);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  for (std::size_t row = 0; row < from.samples; row += samples.capacity) {
    samples.buffer = old.read(row, std::min(samples.capacity, from.samples - row), all);
    check(samples.write());
  }
  if (from.samples > 0) time = old.read(from.samples - 1, 1, {all.data(), 1})[0];

  auto old_impacts = old.impacts();
  old_impacts.resize(from.impacts);
  for (const auto& impact : old_impacts) {
    impacts.buffer.resize(impacts.buffer.size() + impacts.width);
    layout::pack(impact, impacts.buffer.data() + impacts.buffer.size() - impacts.width);
  }
  auto old_events = old.events();
  old_events.resize(from.events);
  for (const auto& event : old_events) {
    events.buffer.insert(events.buffer.end(), {static_cast<double>(event.event), event.time});
  }
  check(impacts.write() && events.write());

  const auto row = layout::pack(from, ++ordinal);
  check(hdf5::write_block(checkpoints, ordinal % layout::checkpoint_slots, 0, 1, row.size(), row.data()));
  resumed_state = from.state;
}

ResultWriter::ResultWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ResultWriter::ResultWriter(ResultWriter&&) noexcept = default;

ResultWriter ResultWriter::create(const std::string& path, const ResultHeader& header,
                                  const WriterOptions& options) {
  const hdf5::Silence silence;
  // A model's name typed where the result's belongs must not cost the model.
  std::error_code error;
  const auto kind = std::filesystem::status(path, error).type();
  if (kind == std::filesystem::file_type::directory)
    refuse(path, "is a directory: give the name of a result file");
  if (kind != std::filesystem::file_type::not_found) {
    if (kind != std::filesystem::file_type::regular)
      refuse(path, "cannot be written: it is not an ordinary file");
    if (std::filesystem::file_size(path, error) > 0 && !is_result_file(path)) {
      refuse(path,
             "exists and is not a Tappet result: it is not overwritten; remove it or choose another name");
    }
  }
  auto impl = std::make_unique<Impl>(path, path, header, options);
  impl->begin();
  return ResultWriter(std::move(impl));
}

ResultWriter ResultWriter::resume(const std::string& path, const WriterOptions& options) {
  const hdf5::Silence silence;
  ResultFile{path};  // says what is wrong with the name, if anything is
  const std::string target = std::filesystem::canonical(path).string(), part = target + ".part";
  const WriterLock old_lock(target, path);  // refuses while the run is alive
  const ResultFile old(path);

  auto impl = std::make_unique<Impl>(path, part, old.header(), options);
  try {
    if (const auto from = old.last_checkpoint()) impl->take_over(old, *from);
    impl->begin();
    // The new file must be safe before the old one goes.
    if (::fsync(impl->lock.descriptor()) < 0 || std::rename(part.c_str(), target.c_str()) < 0) {
      refuse(path, fmt::format("cannot be replaced by its continuation: {}", std::strerror(errno)));
    }
  } catch (...) {
    std::remove(part.c_str());
    throw;
  }
  return ResultWriter(std::move(impl));
}

ResultWriter::~ResultWriter() {
  // A run that ended by an exception keeps what it has; there is nobody left to tell about a full disk.
  if (!impl_ || !impl_->open) return;
  const hdf5::Silence silence;
  impl_->write_tables();
  impl_.reset();
}

const ResultHeader& ResultWriter::header() const {
  return impl_->header;
}
const std::vector<double>& ResultWriter::resumed_state() const {
  return impl_->resumed_state;
}
std::size_t ResultWriter::samples() const {
  return impl_->samples.rows();
}
std::size_t ResultWriter::impacts() const {
  return impl_->impacts.rows();
}
std::size_t ResultWriter::events() const {
  return impl_->events.rows();
}

void ResultWriter::sample(std::span<const double> row) {
  Table& table = impl_->samples;
  if (row.size() != table.width) throw std::logic_error("a sample has the wrong number of values");
  table.buffer.insert(table.buffer.end(), row.begin(), row.end());
  impl_->time = row[0];
  if (table.full()) {
    const hdf5::Silence silence;
    impl_->check(table.write());
  }
}

void ResultWriter::impact(const Impact& impact) {
  Table& table = impl_->impacts;
  table.buffer.resize(table.buffer.size() + table.width);
  layout::pack(impact, table.buffer.data() + table.buffer.size() - table.width);
  if (table.full()) {
    const hdf5::Silence silence;
    impl_->check(table.write());
  }
}

void ResultWriter::event(const EventRecord& event) {
  Table& table = impl_->events;
  table.buffer.insert(table.buffer.end(), {static_cast<double>(event.event), event.time});
  if (table.full()) {
    const hdf5::Silence silence;
    impl_->check(table.write());
  }
}

bool ResultWriter::checkpoint_due() {
  if (seconds_since(impl_->last_flush) >= impl_->options.flush_seconds) flush();
  // Checkpoints take at most a twentieth of the run's time, however large the model.
  const double interval = std::max(impl_->options.checkpoint_seconds, 20 * impl_->checkpoint_cost);
  impl_->due = seconds_since(impl_->last_checkpoint) >= interval;
  return impl_->due;
}

void ResultWriter::checkpoint(std::span<const double> state) {
  if (state.size() != impl_->header.checkpoint_length)
    throw std::logic_error("a checkpoint has the wrong length");
  // Some schemes must stop for a checkpoint at their own times; not every one of those is worth writing.
  if (!impl_->due && !checkpoint_due()) return;

  const hdf5::Silence silence;
  const auto start = Clock::now();
  flush();
  const Checkpoint here{
      .samples = samples(), .impacts = impacts(), .events = events(), .state{state.begin(), state.end()}};
  const auto row = layout::pack(here, ++impl_->ordinal);
  impl_->check(hdf5::write_block(impl_->checkpoints, impl_->ordinal % layout::checkpoint_slots, 0, 1,
                                 row.size(), row.data()) &&
               H5Dflush(impl_->checkpoints) >= 0);
  impl_->due = false;
  impl_->last_checkpoint = Clock::now();
  impl_->checkpoint_cost = seconds_since(start);
}

void ResultWriter::flush() {
  const hdf5::Silence silence;
  impl_->last_flush = Clock::now();
  impl_->check(impl_->write_tables() && impl_->flush_tables());
}

void ResultWriter::finish(const RunSummary& summary) {
  const hdf5::Silence silence;
  flush();
  impl_->check(hdf5::write_text(impl_->summary, summary_json(summary, impl_->path, layout::summary_bytes)) &&
               hdf5::write_text(impl_->status, summary.completed ? "completed" : "stopped"));
  impl_->open = false;
  bool closed = true;
  for (Handle* handle : {&impl_->samples.dataset, &impl_->impacts.dataset, &impl_->events.dataset,
                         &impl_->checkpoints, &impl_->status, &impl_->summary, &impl_->file}) {
    closed = handle->close() && closed;
  }
  impl_->check(closed);
}

}  // namespace tappet
