#include "tappet/results/result_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fnmatch.h>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/hdf5.hpp"
#include "tappet/base/text.hpp"
#include "tappet/model/signals.hpp"
#include "tappet/results/growing_table.hpp"
#include "tappet/results/refuse.hpp"

namespace tappet {

using hdf5::Handle;

namespace {

[[noreturn]] void damaged(const std::string& path, const std::string& what) {
  refuse(path,
         fmt::format("{} cannot be read: the file is damaged or cut short ({})", what, hdf5::last_failure()));
}

/// Opens for reading beside a writer, dead or alive.
Handle open_for_reading(const std::string& path) {
  const Handle access = hdf5::access_properties();
  Handle file{H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access), H5Fclose};
  if (file.valid()) return file;
  // A run that filled the disk may have closed its file without writing the unused end of the last chunk.
  const Handle lenient = hdf5::lenient_access_properties();
  if (!lenient.valid()) return file;
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, lenient), H5Fclose};
}

int read_format(hid_t file) {
  int format = 0;
  const Handle attribute{H5Aopen(file, "tappet_format", H5P_DEFAULT), H5Aclose};
  if (!attribute.valid() || H5Aread(attribute, H5T_NATIVE_INT, &format) < 0) return 0;
  return format;
}

/// Nodes that an element of VTK's type has at least.
int least_nodes(int vtk_type) {
  switch (vtk_type) {
    case 3:
    case 21:
      return 2;
    case 5:
    case 22:
      return 3;
    case 9:
    case 10:
    case 24:
      return 4;
    case 12:
      return 8;
    default:
      return 0;
  }
}

/// Elements have nodes that there are, and as many as their types need.
bool is_mesh(const fem::FieldMesh& mesh) {
  if (mesh.ends.size() != mesh.types.size() ||
      (mesh.ends.empty() ? 0 : mesh.ends.back()) != static_cast<int>(mesh.cells.size()))
    return false;
  int begin = 0;
  for (std::size_t e = 0; e < mesh.ends.size(); ++e) {
    if (mesh.ends[e] - std::int64_t{begin} < least_nodes(mesh.types[e])) return false;
    begin = mesh.ends[e];
  }
  return std::all_of(mesh.cells.begin(), mesh.cells.end(),
                     [&](int n) { return n >= 0 && static_cast<std::size_t>(n) < mesh.node_count(); });
}

/// The handful of names that a mistyped one may have meant.
std::string suggestion(const std::string& given, const std::vector<Signal>& columns) {
  std::vector<std::string> names, same_owner;
  const std::string owner = given.substr(0, given.find('.') + 1);
  for (const auto& column : columns) {
    names.push_back(column.name);
    if (!owner.empty() && column.name.starts_with(owner)) same_owner.push_back(column.name);
  }
  if (const auto near = nearest_name(given, names); !near.empty()) return "did you mean '" + near + "'?";
  if (!same_owner.empty()) return "there are " + join_names(same_owner, 12);
  return "there are " + join_names(names, 12);
}

}  // namespace

struct ResultFile::Impl {
  std::string path;
  int format = 0;
  /// A table that grows, and the checksums of its rows, as far as these go.
  struct TableInFile {
    Handle data, sums;
    std::string name;
    std::size_t width = 0;
    hsize_t sums_count = 0;      ///< of rows that there are
    std::vector<bool> verified;  ///< of each verified_rows
    operator hid_t() const { return data; }
    bool valid() const { return data.valid(); }
  };
  static constexpr std::size_t verified_rows = 1024;
  Handle file;
  TableInFile samples, between, impacts, events;
  ResultHeader header;
  std::string status, summary;
  std::vector<Signal> columns;
  std::vector<std::string> warnings;
  std::unordered_map<std::string, std::size_t> index;
  std::size_t rows = 0, between_rows = 0, impact_rows = 0, event_rows = 0;
  std::vector<std::array<TableInFile, 4>> fields;  ///< of each structure, as layout::field_tables
  std::size_t field_rows = 0;                      ///< that all of them have

  /// Files without rows between samples do not count them.
  std::size_t checkpoint_width() const { return layout::checkpoint_width - (between.valid() ? 0 : 1); }
  void open(const std::string& name);
  void read_header();
  void read_origin();
  void open_fields();
  TableInFile open_table(const std::string& name, std::size_t width, std::size_t& rows) const;
  void verify(TableInFile& table, std::size_t first, std::size_t count) const;
  std::vector<double> read_table(TableInFile& table, std::size_t rows) const;
  std::vector<double> read_columns(TableInFile& table, std::size_t first, std::size_t count,
                                   std::span<const std::size_t> columns) const;
  std::vector<double> between_times;  ///< read_all()
};

void ResultFile::Impl::open(const std::string& name) {
  path = name;
  // What the operating system can tell, it tells better than HDF5.
  std::error_code error;
  const auto kind = std::filesystem::status(path, error).type();
  if (kind == std::filesystem::file_type::not_found) refuse(path, "there is no such file");
  if (kind == std::filesystem::file_type::directory) refuse(path, "is a directory, not a result file");
  if (kind != std::filesystem::file_type::regular) refuse(path, "is not a file that can be read as a result");
  if (std::FILE* probe = std::fopen(path.c_str(), "rb")) {
    std::fclose(probe);
  } else {
    refuse(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  }

  if (H5Fis_hdf5(path.c_str()) <= 0) refuse(path, "is not a Tappet result (not even an HDF5 file)");
  file = open_for_reading(path);
  if (!file.valid()) {
    // Other programs' files are mostly of an older HDF5 format, which cannot be opened this way.
    const std::string reason = hdf5::last_failure();
    const Handle plain{H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
    if (plain.valid()) refuse(path, "is an HDF5 file, but not a Tappet result");
    refuse(path, fmt::format("cannot be opened: the file is damaged or cut short ({})", reason));
  }
  format = read_format(file);
  if (format == 0) refuse(path, "is an HDF5 file, but not a Tappet result");
  if (format < 0)
    refuse(path, fmt::format("is damaged: it says that it is of format {}, which there is not", format));
  if (format > layout::format_version) {
    refuse(path,
           fmt::format("is a result of format {}, written by a newer Tappet; this one reads up to format {}",
                       format, layout::format_version));
  }
}

void ResultFile::Impl::read_header() {
  std::vector<std::string> names, units;
  const bool read = hdf5::read_text_attribute(file, "program_version", header.program_version) &&
                    hdf5::read_text_attribute(file, "title", header.title) &&
                    hdf5::read_text_attribute(file, "model_file", header.model_file) &&
                    hdf5::read_text_attribute(file, "created", header.created) &&
                    hdf5::read_text(file, "model/text", header.model_text) &&
                    hdf5::read_text(file, "status", status) && hdf5::read_text(file, "summary", summary) &&
                    hdf5::read_names(file, "columns", names) && hdf5::read_names(file, "units", units) &&
                    hdf5::read_names(file, "contacts", header.contacts) &&
                    hdf5::read_names(file, "event_names", header.events);
  if (!read || names.empty() || names.size() != units.size()) damaged(path, "its description");
  read_origin();
  for (std::size_t i = 0; i < names.size(); ++i) {
    columns.push_back({names[i], units[i]});
    index.emplace(names[i], i);
  }
  header.signals.assign(columns.begin() + 1, columns.end());
}

/// What it was computed by and from. Results of earlier versions do not say.
void ResultFile::Impl::read_origin() {
  if (H5Aexists(file, "build") > 0 && !hdf5::read_text_attribute(file, "build", header.build))
    damaged(path, "its description");
  if (H5Lexists(file, "input_files", H5P_DEFAULT) <= 0) return;
  std::vector<std::string> files, hashes;
  if (!hdf5::read_names(file, "input_files", files) || !hdf5::read_names(file, "input_hashes", hashes) ||
      files.size() != hashes.size())
    damaged(path, "its description");
  for (std::size_t i = 0; i < files.size(); ++i) header.files.push_back({files[i], hashes[i]});
}

void ResultFile::Impl::open_fields() {
  if (H5Lexists(file, "fields", H5P_DEFAULT) <= 0) return;  // a model without structures, or an older result
  std::vector<std::string> names;
  std::vector<int> stride;
  if (!hdf5::read_names(file, "structures", names) || !hdf5::read_integers(file, "field_samples", stride) ||
      stride.size() != 1 || stride[0] < 1)
    damaged(path, "/fields");
  header.field_samples = static_cast<std::size_t>(stride[0]);
  field_rows = (rows + header.field_samples - 1) / header.field_samples;
  for (const std::string& name : names) {
    const std::string place = fmt::format("fields/{}", name);
    // As a model has it. It becomes a part of files' names.
    if (!std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '-'; }))
      damaged(path, "the name of a structure");
    fem::FieldMesh mesh;
    mesh.name = name;
    const auto of = [&](const char* what) { return fmt::format("{}/{}", place, what); };
    const bool read = hdf5::read_table(file, of("nodes").c_str(), 3, mesh.nodes) &&
                      hdf5::read_integers(file, of("cells").c_str(), mesh.cells) &&
                      hdf5::read_integers(file, of("ends").c_str(), mesh.ends) &&
                      hdf5::read_integers(file, of("types").c_str(), mesh.types);
    mesh.carried = H5Lexists(file, of("carried").c_str(), H5P_DEFAULT) > 0;
    if (!read || !is_mesh(mesh)) damaged(path, fmt::format("/{}", place));
    fields.emplace_back();
    for (std::size_t k = 0; k < layout::field_tables.size(); ++k) {
      std::size_t height = 0;
      fields.back()[k] = open_table(fmt::format("{}/{}", place, layout::field_tables[k]),
                                    layout::field_widths(mesh)[k], height);
      field_rows = std::min(field_rows, height);
    }
    header.structures.push_back(std::move(mesh));
  }
}

ResultFile::Impl::TableInFile ResultFile::Impl::open_table(const std::string& name, std::size_t width,
                                                           std::size_t& rows) const {
  TableInFile table;
  table.name = "/" + name;
  table.width = width;
  table.data = hdf5::open_dataset(file, name.c_str());
  hsize_t height = 0, found = 0;
  if (!table.valid() || !hdf5::shape(table, height, found) || found != width) damaged(path, table.name);
  rows = height;
  const std::string sums = name + sums_ending;
  if (H5Lexists(file, sums.c_str(), H5P_DEFAULT) > 0) {
    table.sums = hdf5::open_dataset(file, sums.c_str());
    const Handle space{H5Dget_space(table.sums), H5Sclose};
    if (!table.sums.valid() || H5Sget_simple_extent_ndims(space) != 1 ||
        H5Sget_simple_extent_dims(space, &table.sums_count, nullptr) != 1)
      damaged(path, table.name);
    table.sums_count = std::min(table.sums_count, height);
  }
  return table;
}

/// Whether rows are as they were written; rows whose checksum is not there yet are taken at their word.
void ResultFile::Impl::verify(TableInFile& table, std::size_t first, std::size_t count) const {
  const std::size_t end = std::min<std::size_t>(first + count, table.sums_count);
  if (first >= end) return;
  table.verified.resize(std::max(table.verified.size(), (end - 1) / verified_rows + 1));
  std::vector<double> rows;
  std::vector<std::uint64_t> sums;
  for (std::size_t part = first / verified_rows; part * verified_rows < end; ++part) {
    if (table.verified[part]) continue;
    // Wide tables a few rows at a time.
    const std::size_t part_end = std::min<std::size_t>((part + 1) * verified_rows, table.sums_count);
    const std::size_t at_once =
        std::clamp<std::size_t>((1 << 20) / std::max<std::size_t>(table.width, 1), 1, verified_rows);
    for (std::size_t row = part * verified_rows; row < part_end; row += at_once) {
      const std::size_t now = std::min(at_once, part_end - row);
      rows.resize(now * table.width);
      sums.resize(now);
      if (!hdf5::read_block(table, row, 0, now, table.width, rows.data()) ||
          !hdf5::read_words(table.sums, row, sums))
        damaged(path, table.name);
      for (std::size_t k = 0; k < now; ++k)
        if (row_sum({rows.data() + k * table.width, table.width}) != sums[k])
          refuse(path, fmt::format("is damaged: row {} of {} is not what was written, as its checksum tells",
                                   row + k + 1, table.name));
    }
    // The last part may still grow.
    table.verified[part] = part_end == (part + 1) * verified_rows;
  }
}

std::vector<double> ResultFile::Impl::read_table(TableInFile& table, std::size_t rows) const {
  const hdf5::Silence silence;
  std::vector<double> values(rows * table.width);
  if (!hdf5::read_block(table, 0, 0, rows, table.width, values.data())) damaged(path, table.name);
  verify(table, 0, rows);
  return values;
}

ResultFile::ResultFile(const std::string& path) : impl_(std::make_unique<Impl>()) {
  const hdf5::Silence silence;
  impl_->open(path);
  impl_->read_header();
  impl_->samples = impl_->open_table("samples", impl_->columns.size(), impl_->rows);
  if (H5Lexists(impl_->file, "between", H5P_DEFAULT) > 0)
    impl_->between = impl_->open_table("between", impl_->columns.size(), impl_->between_rows);
  impl_->impacts = impl_->open_table("impacts", layout::impact_width, impl_->impact_rows);
  impl_->events = impl_->open_table("events", layout::event_width, impl_->event_rows);
  impl_->open_fields();

  const Handle checkpoints = hdf5::open_dataset(impl_->file, "checkpoints");
  hsize_t slots = 0, width = 0;
  if (!checkpoints.valid() || !hdf5::shape(checkpoints, slots, width) ||
      (format() > 1 && (slots != layout::checkpoint_slots || width != impl_->checkpoint_width()))) {
    damaged(path, "/checkpoints");
  }

  // A file shorter than it says may have lost only what was never used (a killed run), or rows (a broken
  // copy).
  std::error_code error;
  const hsize_t size = std::filesystem::file_size(path, error);
  haddr_t claimed = 0;
  if (H5Fget_eoa(impl_->file, &claimed) >= 0 && size >= claimed) return;
  const std::pair<const char*, hid_t> tables[] = {{"/samples", impl_->samples},
                                                  {"/impacts", impl_->impacts},
                                                  {"/events", impl_->events},
                                                  {"/checkpoints", checkpoints}};
  for (const auto& [name, table] : tables) {
    if (!hdf5::lies_within(table, size)) damaged(path, name);
  }
  if (impl_->between.valid() && !hdf5::lies_within(impl_->between, size)) damaged(path, "/between");
  for (const auto& four : impl_->fields)
    for (const Impl::TableInFile& table : four)
      if (!hdf5::lies_within(table, size)) damaged(path, "/fields");
}

ResultFile::~ResultFile() = default;
ResultFile::ResultFile(ResultFile&&) noexcept = default;

const std::string& ResultFile::path() const {
  return impl_->path;
}
int ResultFile::format() const {
  return impl_->format;
}
const ResultHeader& ResultFile::header() const {
  return impl_->header;
}
const std::string& ResultFile::status() const {
  return impl_->status;
}
const std::string& ResultFile::summary() const {
  return impl_->summary;
}
const std::vector<Signal>& ResultFile::columns() const {
  return impl_->columns;
}
std::size_t ResultFile::rows() const {
  return impl_->rows;
}
std::size_t ResultFile::impact_count() const {
  return impl_->impact_rows;
}
std::size_t ResultFile::event_count() const {
  return impl_->event_rows;
}

std::size_t ResultFile::index(const std::string& name) const {
  const auto at = impl_->index.find(name);
  if (at != impl_->index.end()) return at->second;
  if (const auto now = impl_->index.find(renamed_signal(name)); now != impl_->index.end()) {
    std::string text =
        fmt::format("signal '{}' is now '{}'; the former name goes with the next version", name, now->first);
    std::vector<std::string>& said = impl_->warnings;
    if (std::find(said.begin(), said.end(), text) == said.end()) said.push_back(std::move(text));
    return now->second;
  }
  refuse(impl_->path, fmt::format("there is no signal '{}': {}", name, suggestion(name, impl_->columns)));
}

std::vector<std::size_t> ResultFile::select(const std::vector<std::string>& patterns) const {
  std::vector<std::size_t> chosen;
  std::vector<bool> taken(impl_->columns.size(), false);
  const auto take = [&](std::size_t i) {
    if (!taken[i]) chosen.push_back(i);
    taken[i] = true;
  };
  for (const auto& pattern : patterns) {
    // A name that exists is that name, even if it has a character that means something in a pattern.
    if (const auto at = impl_->index.find(pattern); at != impl_->index.end()) {
      take(at->second);
      continue;
    }
    if (pattern.find_first_of("*?[") == std::string::npos) {
      take(index(pattern));
      continue;
    }
    bool any = false;
    for (std::size_t i = 0; i < impl_->columns.size(); ++i) {
      if (fnmatch(pattern.c_str(), impl_->columns[i].name.c_str(), 0) != 0) continue;
      any = true;
      take(i);
    }
    if (!any) {
      refuse(impl_->path,
             fmt::format("no signal matches '{}': {}", pattern, suggestion(pattern, impl_->columns)));
    }
  }
  return chosen;
}

const std::vector<std::string>& ResultFile::warnings() const {
  return impl_->warnings;
}

std::vector<double> ResultFile::column(const std::string& name) const {
  return column(index(name));
}

std::vector<double> ResultFile::column(std::size_t index) const {
  return read(0, rows(), {&index, 1});
}

std::vector<double> ResultFile::read(std::size_t first, std::size_t count,
                                     std::span<const std::size_t> columns) const {
  return impl_->read_columns(impl_->samples, first, count, columns);
}

std::vector<double> ResultFile::Impl::read_columns(TableInFile& table, std::size_t first, std::size_t count,
                                                   std::span<const std::size_t> columns) const {
  const hdf5::Silence silence;
  verify(table, first, count);
  const std::size_t width = columns.size();
  std::vector<double> values(count * width);
  std::vector<double> block;
  // Neighbouring columns are read together: one call for a whole row block when every column is asked for.
  for (std::size_t at = 0; at < width;) {
    std::size_t run = 1;
    while (at + run < width && columns[at + run] == columns[at] + run) ++run;
    block.resize(count * run);
    if (!hdf5::read_block(table, first, columns[at], count, run, block.data())) damaged(path, table.name);
    for (std::size_t row = 0; row < count; ++row) {
      std::copy_n(block.data() + row * run, run, values.data() + row * width + at);
    }
    at += run;
  }
  return values;
}

std::size_t ResultFile::between_count() const {
  return impl_->between_rows;
}

std::vector<double> ResultFile::between(std::size_t first, std::size_t count) const {
  std::vector<std::size_t> all(columns().size());
  std::iota(all.begin(), all.end(), 0);
  return impl_->read_columns(impl_->between, first, count, all);
}

std::vector<double> ResultFile::read_all(std::size_t first, std::size_t count,
                                         std::span<const std::size_t> columns) const {
  const std::vector<double> samples = read(first, count, columns);
  if (between_count() == 0 || count == 0) return samples;
  const std::size_t time_column = 0, width = columns.size();
  std::vector<double>& times = impl_->between_times;
  if (times.empty()) times = impl_->read_columns(impl_->between, 0, between_count(), {&time_column, 1});
  const std::vector<double> at = read(first, count, {&time_column, 1});
  const auto place = [&](double t) {
    return static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), t) - times.begin());
  };
  std::size_t next = first == 0 ? 0 : place(at.front());
  const std::size_t end =
      first + count < rows() ? place(read(first + count, 1, {&time_column, 1})[0]) : times.size();
  const std::vector<double> others = impl_->read_columns(impl_->between, next, end - next, columns);
  std::vector<double> out;
  out.reserve(samples.size() + others.size());
  const double* other = others.data();
  const auto take = [&](const double*& row) {
    out.insert(out.end(), row, row + width);
    row += width;
  };
  const double* sample = samples.data();
  for (const double t : at) {
    for (; next < end && times[next] < t; ++next) take(other);
    take(sample);
  }
  for (; next < end; ++next) take(other);
  return out;
}

std::vector<Impact> ResultFile::impacts() const {
  const auto table = impl_->read_table(impl_->impacts, impact_count());
  std::vector<Impact> out;
  out.reserve(impact_count());
  for (std::size_t i = 0; i < impact_count(); ++i) {
    out.push_back(layout::unpack_impact(table.data() + i * layout::impact_width));
  }
  return out;
}

std::vector<EventRecord> ResultFile::events() const {
  const auto table = impl_->read_table(impl_->events, event_count());
  std::vector<EventRecord> out;
  out.reserve(event_count());
  for (std::size_t i = 0; i < event_count(); ++i)
    out.push_back({layout::index_of(table[2 * i]), table[2 * i + 1]});
  return out;
}

std::size_t ResultFile::field_count() const {
  return impl_->field_rows;
}

fem::Fields ResultFile::fields(std::size_t structure, std::size_t record) const {
  const hdf5::Silence silence;
  const auto widths = layout::field_widths(header().structures[structure]);
  fem::Fields out;
  std::vector<double>* lists[] = {&out.displacement, &out.velocity, &out.contact_force, &out.stress};
  for (std::size_t k = 0; k < widths.size(); ++k) {
    lists[k]->resize(widths[k]);
    impl_->verify(impl_->fields[structure][k], record, 1);
    if (!hdf5::read_block(impl_->fields[structure][k], record, 0, 1, widths[k], lists[k]->data()))
      damaged(impl_->path, fmt::format("/fields/{}", header().structures[structure].name));
  }
  return out;
}

std::optional<Checkpoint> ResultFile::last_checkpoint() const {
  if (format() < 2) return std::nullopt;
  std::size_t slots = 0;
  const std::size_t width = impl_->checkpoint_width();
  const hdf5::Silence silence;
  Impl::TableInFile table = impl_->open_table("checkpoints", width, slots);
  const auto values = impl_->read_table(table, slots);

  std::optional<Checkpoint> last;
  std::size_t last_ordinal = 0;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    std::size_t ordinal = 0;
    const std::span<const double> row(values.data() + slot * width, width);
    // What no file as large as this one can hold is none.
    const std::size_t size = layout::checkpoint_bytes(row);
    std::vector<std::byte> bytes(hdf5::can_hold(impl_->file, size, 1) ? size : 0);
    if (bytes.empty() || !hdf5::read_bytes(impl_->file, layout::checkpoint_names[slot], bytes)) continue;
    auto found = layout::unpack_checkpoint(row, std::move(bytes), ordinal);
    // The tables must reach as far as the checkpoint says.
    if (!found || ordinal < last_ordinal) continue;
    const std::size_t stride = header().field_samples;
    if (stride > 0 && (found->samples + stride - 1) / stride > field_count()) continue;
    if (found->samples > rows() || found->between > between_count() || found->impacts > impact_count() ||
        found->events > event_count())
      continue;
    last = std::move(found);
    last_ordinal = ordinal;
  }
  return last;
}

bool is_result_file(const std::string& path) {
  const hdf5::Silence silence;
  if (H5Fis_hdf5(path.c_str()) <= 0) return false;
  const Handle file = open_for_reading(path);
  return file.valid() && read_format(file) > 0;
}

}  // namespace tappet
