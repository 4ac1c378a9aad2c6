// The little of HDF5 that files need: handles that close themselves, text, and failures as sentences.
// Headers that others include do not include it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <hdf5.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tappet::hdf5 {

/// Every call of HDF5 forgets the failures of the call before. While this lives they are set aside; then they
/// are back.
class KeepFailure {
 public:
  KeepFailure() : failures_(H5Eget_num(H5E_DEFAULT) > 0 ? H5Eget_current_stack() : H5I_INVALID_HID) {}
  ~KeepFailure() {
    if (failures_ >= 0) H5Eset_current_stack(failures_);
  }
  KeepFailure(const KeepFailure&) = delete;
  KeepFailure& operator=(const KeepFailure&) = delete;

 private:
  hid_t failures_;
};

/// What handles could not close since the last call, in words; "" if nothing. HDF5 writes small data when it closes, so that a close that
/// failed is a write that failed, wherever in the code the handle ended.
std::string take_close_failure();
/// For Handle.
void note_close_failure();

/// An HDF5 identifier and the function that gives it back.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { close(); }

  operator hid_t() const { return id_; }
  bool valid() const { return id_ >= 0; }
  /// Lets go without closing.
  void abandon() { id_ = H5I_INVALID_HID; }

  /// Closes now; false when HDF5 could not (the disk is full). An earlier failure stays the last_failure().
  bool close() {
    if (!valid()) return true;
    const KeepFailure keep;
    if (close_(std::exchange(id_, H5I_INVALID_HID)) >= 0) return true;
    note_close_failure();
    return false;
  }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// While it lives, HDF5 prints nothing: failures are told in our own words. The setting of the calling thread
/// is given back afterwards.
class Silence {
 public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// Why the last call failed, in the operating system's words ("No space left on device"), or HDF5's own if
/// the system was not to blame.
std::string last_failure();

/// The access properties every result is opened with: newest format (SWMR needs it), no locks of HDF5's own.
Handle access_properties();
/// The same for reading a file whose end was never written; null if this HDF5 does not know how.
Handle lenient_access_properties();

/// A dataset of this file. Not valid: it is not there, or its numbers are another file's (external links, raw data elsewhere, virtual
/// datasets), which a stranger's file could choose among all that the user may read.
Handle open_dataset(hid_t location, const char* name);
/// A group of this file, likewise.
Handle open_group(hid_t location, const char* name);
/// A file whose bytes were read already, for reading.
Handle open_image(const std::string& bytes);
/// Whether the file that holds an object is large enough for so many items of so many bytes. Files of ours are not compressed, and what an
/// extent claims beyond the file's end would be memory for nothing.
bool can_hold(hid_t object, hsize_t count, std::size_t item);

/// A scalar text of exactly `size` bytes, zero-padded, UTF-8.
Handle text_type(std::size_t size);
/// A new dataset of one such text, its space allocated at once, so that it can be written later without any
/// metadata.
Handle create_text(hid_t location, const char* name, std::size_t size);
/// Writes `text`, which must fit.
bool write_text(hid_t dataset, const std::string& text);
bool read_text(hid_t location, const char* name, std::string& text);

bool write_text_attribute(hid_t object, const char* name, const std::string& text);
bool read_text_attribute(hid_t object, const char* name, std::string& text);

/// A list of names as a dataset of fixed-length texts.
bool write_names(hid_t location, const char* name, const std::vector<std::string>& names);
bool read_names(hid_t location, const char* name, std::vector<std::string>& names);

/// A list of whole numbers.
bool write_integers(hid_t location, const char* name, const std::vector<int>& numbers);
bool read_integers(hid_t location, const char* name, std::vector<int>& numbers);
/// A table that does not grow, row by row.
bool write_table(hid_t location, const char* name, std::size_t columns, const std::vector<double>& numbers);
bool read_table(hid_t location, const char* name, std::size_t columns, std::vector<double>& numbers);

/// Bytes that may grow. `chunk`: how many at a time.
Handle create_bytes(hid_t location, const char* name, hsize_t chunk);
/// Writes them from the beginning; what there was beyond stays.
bool write_bytes(hid_t dataset, std::span<const std::byte> bytes);
/// Reads as many as `bytes` has; false if there are fewer.
bool read_bytes(hid_t location, const char* name, std::span<std::byte> bytes);

/// Words of a one-dimensional dataset, from the one numbered `first` on.
bool read_words(hid_t dataset, hsize_t first, std::span<std::uint64_t> words);

/// Rows and columns of a two-dimensional dataset; false if it is not one.
bool shape(hid_t dataset, hsize_t& rows, hsize_t& columns);
/// True if all that the dataset needs lies within the first `size` bytes of the file. HDF5 reads zeros beyond
/// the end.
bool lies_within(hid_t dataset, hsize_t size);
/// Reads or writes the block that starts at (row, column), row by row in memory.
bool read_block(hid_t dataset, hsize_t row, hsize_t column, hsize_t rows, hsize_t columns, double* data);
bool write_block(hid_t dataset, hsize_t row, hsize_t column, hsize_t rows, hsize_t columns,
                 const double* data);

}  // namespace tappet::hdf5
