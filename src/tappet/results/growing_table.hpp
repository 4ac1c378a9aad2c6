// A table of numbers in an HDF5 file, written by rows that are gathered in memory first. Beside it stands a checksum of each row, so that a
// bit that has flipped on the disk is told. (HDF5's own filter sums up whole chunks, which are written anew with every row that is added: a
// program that dies meanwhile would leave a chunk whose earlier rows could not be read any more.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tappet/base/hdf5.hpp"

namespace tappet {

/// Of a row as it comes back from the file: any change of one number changes it.
std::uint64_t row_sum(std::span<const double> row);
/// Where the checksums of a table are: beside it, with this ending.
inline constexpr const char* sums_ending = "_checksums";

class GrowingTable {
 public:
  /// Creates the dataset, without rows. Rows are to be written when `buffer_bytes` have gathered.
  bool create(hid_t file, const char* name, std::size_t width, std::size_t buffer_bytes,
              std::size_t chunk_bytes, bool single_precision = false);

  hdf5::Handle& dataset() { return dataset_; }
  hdf5::Handle& sums() { return sums_; }
  std::size_t width() const { return width_; }
  std::size_t rows() const { return in_file_ + gathered(); }
  std::size_t gathered() const { return buffer_.size() / width_; }
  std::size_t capacity() const { return capacity_; }  ///< rows that the buffer takes
  bool full() const { return gathered() >= capacity_; }

  void append(std::span<const double> rows) { buffer_.insert(buffer_.end(), rows.begin(), rows.end()); }
  void forget() { buffer_.clear(); }

  /// Bytes by which write() can make the file grow, at most.
  std::uint64_t growth() const;
  /// Moves the gathered rows to the file.
  bool write();
  bool flush() { return H5Dflush(dataset_) >= 0 && H5Dflush(sums_) >= 0; }

 private:
  hdf5::Handle dataset_, sums_;
  bool single_precision_ = false;
  std::size_t width_ = 1, capacity_ = 1;
  std::size_t in_file_ = 0;                       ///< rows
  std::uint64_t chunk_rows_ = 1, row_bytes_ = 8;  ///< of a row of chunks
  std::vector<double> buffer_;
};

}  // namespace tappet
