#include "tappet/results/growing_table.hpp"

#include <algorithm>

namespace tappet {

using hdf5::Handle;

bool GrowingTable::create(hid_t file, const char* name, std::size_t width, std::size_t buffer_bytes,
                          std::size_t chunk_bytes, bool single_precision) {
  width_ = width;
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
  return dataset_.valid();
}

std::uint64_t GrowingTable::growth() const {
  if (gathered() == 0) return 0;
  const std::uint64_t chunks_before = (in_file_ + chunk_rows_ - 1) / chunk_rows_;
  const std::uint64_t chunks_after = (rows() + chunk_rows_ - 1) / chunk_rows_;
  return (chunks_after - chunks_before) * chunk_rows_ * row_bytes_;
}

bool GrowingTable::write() {
  const std::size_t count = gathered();
  if (count == 0) return true;
  const hsize_t extent[2] = {in_file_ + count, width_};
  if (H5Dset_extent(dataset_, extent) < 0) return false;
  if (!hdf5::write_block(dataset_, in_file_, 0, count, width_, buffer_.data())) return false;
  in_file_ += count;
  buffer_.clear();
  return true;
}

}  // namespace tappet
