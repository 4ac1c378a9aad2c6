#include "tappet/base/hdf5.hpp"

#include <algorithm>
#include <cstring>
#include <sys/stat.h>
#include <utility>

namespace tappet::hdf5 {

namespace {

// Handles close themselves. HDF5's own tidying at the program's end is not only needless: after a full disk
// it would try again to write what could not be written, and crash.
[[maybe_unused]] const herr_t no_tidying_at_exit = H5dont_atexit();

}  // namespace

namespace {

/// Of this thread's handles.
thread_local std::string close_failure;

}  // namespace

void note_close_failure() {
  const std::string reason = last_failure();
  if (close_failure.empty()) close_failure = reason;
}

std::string take_close_failure() {
  return std::exchange(close_failure, "");
}

Silence::Silence() {
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Silence::~Silence() {
  H5Eset_auto2(H5E_DEFAULT, print_, data_);
}

std::string last_failure() {
  // HDF5's drivers report "…, error message = 'No space left on device', …": the quoted part is what a user
  // needs.
  struct Found {
    std::string system, innermost;
  } found;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned, const H5E_error2_t* error, void* data) -> herr_t {
        auto& found = *static_cast<Found*>(data);
        const std::string text = error->desc ? error->desc : "";
        static constexpr char mark[] = "error message = '";
        const auto from = text.find(mark);
        if (found.system.empty() && from != std::string::npos) {
          const auto start = from + sizeof mark - 1;
          found.system = text.substr(start, text.find('\'', start) - start);
        }
        if (found.innermost.empty()) found.innermost = text;
        return 0;
      },
      &found);
  H5Eclear2(H5E_DEFAULT);
  if (!found.system.empty()) return found.system;
  return found.innermost.empty() ? "HDF5 gives no reason" : "HDF5 says: " + found.innermost;
}

Handle access_properties() {
  Handle properties{H5Pcreate(H5P_FILE_ACCESS), H5Pclose};
  H5Pset_libver_bounds(properties, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  // Network and read-only file systems often refuse HDF5's locks; writers hold one of their own.
  H5Pset_file_locking(properties, false, true);
  // A reader that meets a half-written piece looks again, each time after twice as long: up to some
  // hundredths of a second here. HDF5's own limit would have it wait for years on a damaged file.
  H5Pset_metadata_read_attempts(properties, 25);
  return properties;
}

Handle lenient_access_properties() {
  // Not in HDF5's documented interface; its own repair program h5clear does the same.
  Handle properties = access_properties();
  const hbool_t yes = true;
  if (H5Pexist(properties, "skip_eof_check") <= 0 || H5Pset(properties, "skip_eof_check", &yes) < 0)
    return {};
  return properties;
}

namespace {

/// Of links that lead into other files: they are not followed.
herr_t refuse_link(const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) {
  return -1;
}

/// The operating system's size of the file, or what HDF5 knows of one that lies in memory.
hsize_t file_bytes(hid_t object) {
  const Handle file{H5Iget_file_id(object), H5Fclose};
  const Handle access{H5Fget_access_plist(file), H5Pclose};
  void* descriptor = nullptr;
  struct stat found {};
  if (H5Pget_driver(access) == H5FD_SEC2 && H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor) >= 0 &&
      ::fstat(*static_cast<const int*>(descriptor), &found) == 0)
    return static_cast<hsize_t>(found.st_size);
  hsize_t size = 0;
  return H5Fget_filesize(file, &size) >= 0 ? size : 0;
}

}  // namespace

Handle open_dataset(hid_t location, const char* name) {
  const Handle access{H5Pcreate(H5P_DATASET_ACCESS), H5Pclose};
  H5Pset_elink_cb(access, refuse_link, nullptr);
  Handle out{H5Dopen2(location, name, access), H5Dclose};
  if (!out.valid()) return out;
  const Handle properties{H5Dget_create_plist(out), H5Pclose};
  if (H5Pget_external_count(properties) != 0 || H5Pget_layout(properties) == H5D_VIRTUAL) return {};
  return out;
}

Handle open_group(hid_t location, const char* name) {
  const Handle access{H5Pcreate(H5P_GROUP_ACCESS), H5Pclose};
  H5Pset_elink_cb(access, refuse_link, nullptr);
  return {H5Gopen2(location, name, access), H5Gclose};
}

Handle open_image(const std::string& bytes) {
  if (bytes.empty()) return {};
  const Handle access{H5Pcreate(H5P_FILE_ACCESS), H5Pclose};
  // HDF5 copies the image, and asks for a name that no file has.
  std::string image = bytes;
  if (H5Pset_fapl_core(access, 1 << 16, false) < 0 ||
      H5Pset_file_image(access, image.data(), image.size()) < 0)
    return {};
  return {H5Fopen("/dev/null/image", H5F_ACC_RDONLY, access), H5Fclose};
}

bool can_hold(hid_t object, hsize_t count, std::size_t item) {
  return count <= file_bytes(object) / std::max<std::size_t>(item, 1);
}

Handle text_type(std::size_t size) {
  Handle type{H5Tcopy(H5T_C_S1), H5Tclose};
  H5Tset_size(type, std::max<std::size_t>(size, 1));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

Handle create_text(hid_t location, const char* name, std::size_t size) {
  Handle type = text_type(size);
  Handle space{H5Screate(H5S_SCALAR), H5Sclose};
  Handle properties{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
  H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY);
  return {H5Dcreate2(location, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose};
}

bool write_text(hid_t dataset, const std::string& text) {
  Handle type{H5Dget_type(dataset), H5Tclose};
  std::string padded = text;
  padded.resize(H5Tget_size(type), '\0');
  return H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()) >= 0;
}

namespace {

/// Texts of a type of our own making: anything else is not a Tappet result.
bool is_fixed_text(hid_t type) {
  return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
}

void trim(std::string& text) {
  text.resize(std::strlen(text.c_str()));
}

}  // namespace

bool read_text(hid_t location, const char* name, std::string& text) {
  Handle dataset = open_dataset(location, name);
  if (!dataset.valid()) return false;
  Handle type{H5Dget_type(dataset), H5Tclose};
  Handle space{H5Dget_space(dataset), H5Sclose};
  if (!is_fixed_text(type) || H5Sget_simple_extent_npoints(space) != 1 ||
      !can_hold(dataset, 1, H5Tget_size(type)))
    return false;
  text.assign(H5Tget_size(type) + 1, '\0');
  if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) return false;
  trim(text);
  return true;
}

bool write_text_attribute(hid_t object, const char* name, const std::string& text) {
  Handle type = text_type(text.size());
  Handle space{H5Screate(H5S_SCALAR), H5Sclose};
  Handle attribute{H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose};
  return attribute.valid() && H5Awrite(attribute, type, text.c_str()) >= 0;
}

bool read_text_attribute(hid_t object, const char* name, std::string& text) {
  Handle attribute{H5Aopen(object, name, H5P_DEFAULT), H5Aclose};
  if (!attribute.valid()) return false;
  Handle type{H5Aget_type(attribute), H5Tclose};
  Handle space{H5Aget_space(attribute), H5Sclose};
  if (!is_fixed_text(type) || H5Sget_simple_extent_npoints(space) != 1 ||
      !can_hold(attribute, 1, H5Tget_size(type)))
    return false;
  text.assign(H5Tget_size(type) + 1, '\0');
  if (H5Aread(attribute, type, text.data()) < 0) return false;
  trim(text);
  return true;
}

bool write_names(hid_t location, const char* name, const std::vector<std::string>& names) {
  std::size_t longest = 1;
  for (const auto& text : names) longest = std::max(longest, text.size());
  std::string packed(names.size() * longest + 1, '\0');
  for (std::size_t i = 0; i < names.size(); ++i) names[i].copy(packed.data() + i * longest, longest);

  Handle type = text_type(longest);
  const hsize_t count = names.size();
  Handle space{H5Screate_simple(1, &count, nullptr), H5Sclose};
  Handle dataset{H5Dcreate2(location, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose};
  if (!dataset.valid()) return false;
  return names.empty() || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, packed.data()) >= 0;
}

bool read_names(hid_t location, const char* name, std::vector<std::string>& names) {
  Handle dataset = open_dataset(location, name);
  if (!dataset.valid()) return false;
  Handle type{H5Dget_type(dataset), H5Tclose};
  Handle space{H5Dget_space(dataset), H5Sclose};
  const auto count = H5Sget_simple_extent_npoints(space);
  const std::size_t longest = H5Tget_size(type);
  if (!is_fixed_text(type) || count < 0 || !can_hold(dataset, static_cast<hsize_t>(count), longest))
    return false;

  std::string packed(static_cast<std::size_t>(count) * longest + 1, '\0');
  if (count > 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, packed.data()) < 0) return false;
  names.clear();
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    names.push_back(packed.substr(i * longest, longest));
    trim(names.back());
  }
  return true;
}

bool write_integers(hid_t location, const char* name, const std::vector<int>& numbers) {
  const hsize_t count = numbers.size();
  const Handle space{H5Screate_simple(1, &count, nullptr), H5Sclose};
  const Handle dataset{
      H5Dcreate2(location, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose};
  if (!dataset.valid()) return false;
  return numbers.empty() ||
         H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) >= 0;
}

bool read_integers(hid_t location, const char* name, std::vector<int>& numbers) {
  const Handle dataset = open_dataset(location, name);
  if (!dataset.valid()) return false;
  const Handle type{H5Dget_type(dataset), H5Tclose}, space{H5Dget_space(dataset), H5Sclose};
  const auto count = H5Sget_simple_extent_npoints(space);
  if (H5Tget_class(type) != H5T_INTEGER || count < 0 ||
      !can_hold(dataset, static_cast<hsize_t>(count), H5Tget_size(type)))
    return false;
  numbers.resize(static_cast<std::size_t>(count));
  return count == 0 || H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) >= 0;
}

bool write_table(hid_t location, const char* name, std::size_t columns, const std::vector<double>& numbers) {
  const hsize_t extent[2] = {numbers.size() / columns, columns};
  const Handle space{H5Screate_simple(2, extent, nullptr), H5Sclose};
  const Handle dataset{
      H5Dcreate2(location, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose};
  return dataset.valid() && write_block(dataset, 0, 0, extent[0], columns, numbers.data());
}

bool read_table(hid_t location, const char* name, std::size_t columns, std::vector<double>& numbers) {
  const Handle dataset = open_dataset(location, name);
  hsize_t rows = 0, found = 0;
  if (!dataset.valid() || !shape(dataset, rows, found) || found != columns) return false;
  numbers.resize(rows * columns);
  return read_block(dataset, 0, 0, rows, columns, numbers.data());
}

Handle create_bytes(hid_t location, const char* name, hsize_t chunk) {
  const hsize_t none = 0, limit = H5S_UNLIMITED;
  const Handle space{H5Screate_simple(1, &none, &limit), H5Sclose};
  const Handle properties{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
  H5Pset_chunk(properties, 1, &chunk);
  H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER);
  return {H5Dcreate2(location, name, H5T_STD_U8LE, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose};
}

bool write_bytes(hid_t dataset, std::span<const std::byte> bytes) {
  const hsize_t zero = 0, count = bytes.size();
  hsize_t extent = 0;
  {
    const Handle space{H5Dget_space(dataset), H5Sclose};
    if (H5Sget_simple_extent_dims(space, &extent, nullptr) != 1) return false;
  }
  if (extent < count && H5Dset_extent(dataset, &count) < 0) return false;
  const Handle space{H5Dget_space(dataset), H5Sclose};
  const Handle memory{H5Screate_simple(1, &count, nullptr), H5Sclose};
  return H5Sselect_hyperslab(space, H5S_SELECT_SET, &zero, nullptr, &count, nullptr) >= 0 &&
         H5Dwrite(dataset, H5T_NATIVE_UINT8, memory, space, H5P_DEFAULT, bytes.data()) >= 0;
}

bool read_bytes(hid_t location, const char* name, std::span<std::byte> bytes) {
  const Handle dataset = open_dataset(location, name);
  if (!dataset.valid()) return false;
  const Handle space{H5Dget_space(dataset), H5Sclose};
  const hsize_t zero = 0, count = bytes.size();
  hsize_t extent = 0;
  if (H5Sget_simple_extent_ndims(space) != 1 || H5Sget_simple_extent_dims(space, &extent, nullptr) != 1 ||
      extent < count || !can_hold(dataset, count, 1))
    return false;
  const Handle memory{H5Screate_simple(1, &count, nullptr), H5Sclose};
  return H5Sselect_hyperslab(space, H5S_SELECT_SET, &zero, nullptr, &count, nullptr) >= 0 &&
         H5Dread(dataset, H5T_NATIVE_UINT8, memory, space, H5P_DEFAULT, bytes.data()) >= 0;
}

bool read_words(hid_t dataset, hsize_t first, std::span<std::uint64_t> words) {
  const hsize_t count = words.size();
  const Handle space{H5Dget_space(dataset), H5Sclose}, memory{H5Screate_simple(1, &count, nullptr), H5Sclose};
  return H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, nullptr, &count, nullptr) >= 0 &&
         H5Dread(dataset, H5T_NATIVE_UINT64, memory, space, H5P_DEFAULT, words.data()) >= 0;
}

bool shape(hid_t dataset, hsize_t& rows, hsize_t& columns) {
  Handle space{H5Dget_space(dataset), H5Sclose};
  if (!space.valid() || H5Sget_simple_extent_ndims(space) != 2) return false;
  hsize_t extent[2];
  H5Sget_simple_extent_dims(space, extent, nullptr);
  rows = extent[0];
  columns = extent[1];
  const Handle type{H5Dget_type(dataset), H5Tclose};
  return columns == 0 ||
         (rows <= HSIZE_UNDEF / columns && can_hold(dataset, rows * columns, H5Tget_size(type)));
}

bool lies_within(hid_t dataset, hsize_t size) {
  const Handle properties{H5Dget_create_plist(dataset), H5Pclose};
  if (H5Pget_layout(properties) != H5D_CHUNKED) {
    const haddr_t start = H5Dget_offset(dataset);
    return start == HADDR_UNDEF || start + H5Dget_storage_size(dataset) <= size;
  }
  const Handle type{H5Dget_type(dataset), H5Tclose};
  hsize_t rows = 0, columns = 0, chunk[2] = {1, 1};
  if (!shape(dataset, rows, columns) || H5Pget_chunk(properties, 2, chunk) != 2) return false;
  for (hsize_t row = 0; row < rows; row += chunk[0]) {
    for (hsize_t column = 0; column < columns; column += chunk[1]) {
      const hsize_t at[2] = {row, column};
      unsigned filters = 0;
      haddr_t start = HADDR_UNDEF;
      hsize_t bytes = 0;
      if (H5Dget_chunk_info_by_coord(dataset, at, &filters, &start, &bytes) < 0 || start == HADDR_UNDEF)
        return false;
      // Of the last chunk only the rows that there are need have been written.
      if (start + std::min(chunk[0], rows - row) * chunk[1] * H5Tget_size(type) > size) return false;
    }
  }
  return true;
}

namespace {

struct Selection {
  Handle file, memory;
  Selection(hid_t dataset, hsize_t row, hsize_t column, hsize_t rows, hsize_t columns) {
    const hsize_t start[2] = {row, column}, count[2] = {rows, columns};
    file = {H5Dget_space(dataset), H5Sclose};
    H5Sselect_hyperslab(file, H5S_SELECT_SET, start, nullptr, count, nullptr);
    memory = {H5Screate_simple(2, count, nullptr), H5Sclose};
  }
};

}  // namespace

bool read_block(hid_t dataset, hsize_t row, hsize_t column, hsize_t rows, hsize_t columns, double* data) {
  if (rows == 0 || columns == 0) return true;
  const Selection selection(dataset, row, column, rows, columns);
  return H5Dread(dataset, H5T_NATIVE_DOUBLE, selection.memory, selection.file, H5P_DEFAULT, data) >= 0;
}

bool write_block(hid_t dataset, hsize_t row, hsize_t column, hsize_t rows, hsize_t columns,
                 const double* data) {
  if (rows == 0 || columns == 0) return true;
  const Selection selection(dataset, row, column, rows, columns);
  return H5Dwrite(dataset, H5T_NATIVE_DOUBLE, selection.memory, selection.file, H5P_DEFAULT, data) >= 0;
}

}  // namespace tappet::hdf5
