#include "tappet/results/growing_table.hpp"

#include <algorithm>
#include <bit>

namespace tappet {

using hdf5::Handle;

std::uint64_t row_sum(std::span<const double> row) {
  std::uint64_t sum = 0x6a09e667f3bcc908u ^ row.size();
  for (const double number : row) {
    // Each of these steps can be undone, so that no change of a number is lost in them.
    sum = (sum ^ std::bit_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15u;
    sum ^= sum >> 32;
  }
  return sum;
}

namespace {

/// Rows of checksums in a chunk.
constexpr hsize_t sums_chunk = 1024;

Handle create_sums(hid_t file, const std::string& name) {
  const hsize_t extent = 0, limit = H5S_UNLIMITED;
  const Handle space{H5Screate_simple(1, &extent, &limit), H5Sclose};
  const Handle properties{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
  H5Pset_chunk(properties, 1, &sums_chunk);
  H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER);
  return {H5Dcreate2(file, (name + sums_ending).c_str(), H5T_STD_U64LE, space, H5P_DEFAULT, properties,
                     H5P_DEFAULT),
          H5Dclose};
}

bool append_sums(hid_t sums, hsize_t first, const std::vector<std::uint64_t>& values) {
  const hsize_t count = values.size(), extent = first + count;
  if (H5Dset_extent(sums, &extent) < 0) return false;
  const Handle in_file{H5Dget_space(sums), H5Sclose},
      in_memory{H5Screate_simple(1, &count, nullptr), H5Sclose};
  return H5Sselect_hyperslab(in_file, H5S_SELECT_SET, &first, nullptr, &count, nullptr) >= 0 &&
         H5Dwrite(sums, H5T_NATIVE_UINT64, in_memory, in_file, H5P_DEFAULT, values.data()) >= 0;
}

}  // namespace

bool GrowingTable::create(hid_t file, const char* name, std::size_t width, std::size_t buffer_bytes,
                          std::size_t chunk_bytes, bool single_precision) {
  width_ = width;
  single_precision_ = single_precision;
  capacity_ = std::clamp<std::size_t>(buffer_bytes / (8 * width), 1, 4096);
  buffer_.reserve(capacity_ * width);

  // Wide tables are cut in columns too, so that one signal is read without all others.
  constexpr std::size_t widest = 1024;
  const std::size_t pieces = (width + widest - 1) / widest;
  const hsize_t columns = (width + pieces - 1) / pieces;
  chunk_rows_ = std::clamp<hsize_t>(chunk_bytes / (8 * columns), 1, 4096);
  row_bytes_ = (single_precision ? 4 : 8) * pieces * columns;

  const hsize_t extent[2] = {0, width}, limit[2] = {H5S_UNLIMITED, width}, chunk[2] = {chunk_rows_, columns};
  const Handle space{H5Screate_simple(2, extent, limit), H5Sclose};
  const Handle properties{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
  H5Pset_chunk(properties, 2, chunk);
  H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER);
  dataset_ = {H5Dcreate2(file, name, single_precision ? H5T_IEEE_F32LE : H5T_IEEE_F64LE, space, H5P_DEFAULT,
                         properties, H5P_DEFAULT),
              H5Dclose};
  sums_ = create_sums(file, name);
  return dataset_.valid() && sums_.valid();
}

std::uint64_t GrowingTable::growth() const {
  if (gathered() == 0) return 0;
  const std::uint64_t chunks_before = (in_file_ + chunk_rows_ - 1) / chunk_rows_;
  const std::uint64_t chunks_after = (rows() + chunk_rows_ - 1) / chunk_rows_;
  return (chunks_after - chunks_before) * chunk_rows_ * row_bytes_ +
         (rows() / sums_chunk - in_file_ / sums_chunk + 1) * sums_chunk * sizeof(std::uint64_t);
}

bool GrowingTable::write() {
  const std::size_t count = gathered();
  if (count == 0) return true;
  const hsize_t extent[2] = {in_file_ + count, width_};
  if (H5Dset_extent(dataset_, extent) < 0) return false;
  if (!hdf5::write_block(dataset_, in_file_, 0, count, width_, buffer_.data())) return false;
  if (single_precision_)
    for (double& number : buffer_) number = static_cast<float>(number);
  std::vector<std::uint64_t> sums(count);
  for (std::size_t row = 0; row < count; ++row) sums[row] = row_sum({buffer_.data() + row * width_, width_});
  if (!append_sums(sums_, in_file_, sums)) return false;
  in_file_ += count;
  buffer_.clear();
  return true;
}

}  // namespace tappet
