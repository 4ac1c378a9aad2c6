// Integrals of flexible bodies in HDF5 files.
#include <filesystem>

#include <fmt/format.h>

#include "tappet/base/hdf5.hpp"
#include "tappet/base/input_file.hpp"
#include "tappet/model/flexible_arrays.hpp"

namespace tappet {
namespace {

/// Of the file, and of all numbers in it that are asked for: a file may be compressed, or say of a few bytes that they are many.
constexpr std::uint64_t most_file_bytes = 256 << 20;
constexpr hsize_t most_numbers = 64 << 20;

/// A file that was read whole: what is opened is what was looked at.
class ArraysOfFile final : public FlexibleArrays {
 public:
  ArraysOfFile(const SourcePos& pos, hdf5::Handle file, Diagnostics& diagnostics)
      : pos_(pos), file_(std::move(file)), diagnostics_(diagnostics) {}

  std::optional<Eigen::MatrixXd> find(const std::string& path) const override {
    const hdf5::Silence silence;
    // Each group on the way must be there before HDF5 may be asked for what is in it.
    for (std::size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1))
      if (H5Lexists(file_, path.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return std::nullopt;
    if (H5Lexists(file_, path.c_str(), H5P_DEFAULT) <= 0) return std::nullopt;
    const auto fault = [&](const std::string& what) {
      diagnostics_.error(pos_, fmt::format("`{}` in the file of `matrices` {}", path, what));
      return std::nullopt;
    };
    const hdf5::Handle dataset = hdf5::open_dataset(file_, path.c_str());
    if (!dataset.valid()) return fault("is no dataset of this file");
    const hdf5::Handle space{H5Dget_space(dataset), H5Sclose}, type{H5Dget_type(dataset), H5Tclose};
    hsize_t extent[2] = {1, 1};
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank < 0 || rank > 2) return fault("has more than rows and columns");
    const H5T_class_t kind = H5Tget_class(type);
    if (kind != H5T_FLOAT && kind != H5T_INTEGER) return fault("does not hold numbers");
    H5Sget_simple_extent_dims(space, rank == 1 ? extent + 1 : extent, nullptr);
    const hsize_t left = most_numbers - numbers_read_;
    if (extent[1] > 0 && extent[0] > left / extent[1])
      return fault(fmt::format("has {} × {} numbers; of one file {} are read at most, all arrays together",
                               extent[0], extent[1], most_numbers));
    numbers_read_ += extent[0] * extent[1];
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> out(
        static_cast<Eigen::Index>(extent[0]), static_cast<Eigen::Index>(extent[1]));
    if (out.size() > 0 && H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0)
      return fault(fmt::format("cannot be read: {}", hdf5::last_failure()));
    return Eigen::MatrixXd(out);
  }
  SourcePos where(const std::string&) const override { return pos_; }
  std::vector<std::string> interfaces() const override {
    std::vector<std::string> out;
    const hdf5::Silence silence;
    if (H5Lexists(file_, "interfaces", H5P_DEFAULT) <= 0) return out;
    const hdf5::Handle group = hdf5::open_group(file_, "interfaces");
    if (!group.valid()) {
      diagnostics_.error(pos_, "`interfaces` in the file of `matrices` is no group of this file");
      return out;
    }
    H5Literate(
        group, H5_INDEX_NAME, H5_ITER_INC, nullptr,
        [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
          static_cast<std::vector<std::string>*>(data)->push_back(name);
          return 0;
        },
        &out);
    return out;
  }

 private:
  SourcePos pos_;
  hdf5::Handle file_;
  Diagnostics& diagnostics_;
  mutable hsize_t numbers_read_ = 0;
};

}  // namespace

std::unique_ptr<FlexibleArrays> arrays_of_file(const Object& flexible, const std::string& folder,
                                               Diagnostics& diagnostics) {
  const std::string& name = flexible.text("matrices");
  const std::filesystem::path path =
      std::filesystem::path(name).is_absolute() ? name : (std::filesystem::path(folder) / name).string();
  std::string why;
  const std::optional<std::string> bytes = read_input_file(path, why, most_file_bytes);
  if (!bytes) {
    diagnostics.error(flexible.where("matrices"), fmt::format("`matrices` names '{}', which {}", name, why));
    return nullptr;
  }
  const hdf5::Silence silence;
  hdf5::Handle file = hdf5::open_image(*bytes);
  if (file.valid())
    return std::make_unique<ArraysOfFile>(flexible.where("matrices"), std::move(file), diagnostics);
  diagnostics.error(flexible.where("matrices"),
                    fmt::format("`matrices` names '{}', which is not an HDF5 file", name));
  return nullptr;
}

}  // namespace tappet
