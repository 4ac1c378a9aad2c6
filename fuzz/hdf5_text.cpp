#include "hdf5_text.hpp"

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "tappet/base/hdf5.hpp"

namespace tappet::fuzz {
namespace {

using hdf5::Handle;

/// More are not written, but may be claimed.
constexpr hsize_t most_written = 1 << 16;

struct Line {
  std::string path, kind, name;
  std::vector<hsize_t> extent;
  std::vector<std::string> values;

  explicit Line(const std::string& text) {
    std::istringstream in(text);
    in >> path >> kind;
    std::string word;
    while (in >> word && word != ":") {
      char* end = nullptr;
      const hsize_t number = std::strtoull(word.c_str(), &end, 10);
      *end == '\0' ? extent.push_back(number) : void(name = word);
    }
    while (in >> word) values.push_back(word);
    if (extent.size() > 4) extent.resize(4);
    if (path.empty()) path = "/";
  }
  double number(std::size_t i) const {
    return values.empty() ? 0 : std::strtod(values[i % values.size()].c_str(), nullptr);
  }
  const char* text(std::size_t i) const { return i < values.size() ? values[i].c_str() : "x"; }
};

hsize_t count_of(const std::vector<hsize_t>& extent) {
  hsize_t out = 1;
  for (const hsize_t n : extent) out = n != 0 && out > most_written / n ? most_written + 1 : out * n;
  return out;
}

void put_dataset(hid_t file, const Line& line, std::vector<hsize_t> extent, hid_t type, const void* data,
                 bool elsewhere = false) {
  const Handle groups{H5Pcreate(H5P_LINK_CREATE), H5Pclose}, how{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
  H5Pset_create_intermediate_group(groups, 1);
  const bool written = count_of(extent) <= most_written;
  if (elsewhere) {
    H5Pset_external(how, line.text(0), 0, H5F_UNLIMITED);
  } else if (!written) {
    const std::vector<hsize_t> chunk(extent.size(), 4);
    H5Pset_chunk(how, static_cast<int>(chunk.size()), chunk.data());
  }
  const Handle space{extent.empty()
                         ? H5Screate(H5S_SCALAR)
                         : H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr),
                     H5Sclose};
  if (H5Lexists(file, line.path.c_str(), H5P_DEFAULT) > 0) H5Ldelete(file, line.path.c_str(), H5P_DEFAULT);
  const Handle made{H5Dcreate2(file, line.path.c_str(), type, space, groups, how, H5P_DEFAULT), H5Dclose};
  if (made.valid() && written && !elsewhere) H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
}

template <class T>
void put_numbers(hid_t file, const Line& line, hid_t type) {
  const hsize_t count = count_of(line.extent);
  std::vector<T> data(count <= most_written ? count : 0);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const double x = line.number(i);
    data[i] = x >= -2147483648.0 && x < 2147483648.0 ? static_cast<T>(static_cast<std::int64_t>(x)) : T{};
    if constexpr (std::is_same_v<T, double>) data[i] = x;
  }
  put_dataset(file, line, line.extent, type, data.data());
}

void put_texts(hid_t file, const Line& line) {
  if (line.extent.empty() || line.extent[0] > most_written) return;
  const std::size_t size = std::max<std::size_t>(line.extent[0], 1);
  const std::vector<hsize_t> extent(line.extent.begin() + 1, line.extent.end());
  const hsize_t count = count_of(extent);
  if (count <= most_written && count * size > (hsize_t{1} << 22)) return;
  std::string data(count <= most_written ? count * size : 0, '\0');
  for (std::size_t i = 0; i * size < data.size(); ++i)
    std::string(line.text(i)).copy(data.data() + i * size, size);
  put_dataset(file, line, extent, hdf5::text_type(size), data.data());
}

void put_attribute(hid_t file, const Line& line) {
  const Handle object{H5Oopen(file, line.path.c_str(), H5P_DEFAULT), H5Oclose};
  if (!object.valid() || line.name.empty()) return;
  H5Adelete(object, line.name.c_str());
  if (line.kind == "a") {
    hdf5::write_text_attribute(object, line.name.c_str(), line.text(0));
    return;
  }
  const int number = std::atoi(line.text(0));
  const Handle space{H5Screate(H5S_SCALAR), H5Sclose};
  const Handle made{H5Acreate2(object, line.name.c_str(), H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT),
                    H5Aclose};
  if (made.valid()) H5Awrite(made, H5T_NATIVE_INT, &number);
}

/// One number of a table, whatever checksums say.
void put_number(hid_t file, const Line& line) {
  const Handle dataset{H5Dopen2(file, line.path.c_str(), H5P_DEFAULT), H5Dclose};
  if (!dataset.valid()) return;
  const Handle space{H5Dget_space(dataset), H5Sclose};
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  if (points <= 0 || points > static_cast<hssize_t>(most_written)) return;
  std::vector<double> all(static_cast<std::size_t>(points));
  if (H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()) < 0) return;
  all[(line.extent.empty() ? 0 : line.extent[0]) % all.size()] = line.number(0);
  H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data());
}

void apply(hid_t file, const Line& line) {
  const char* path = line.path.c_str();
  const std::string& kind = line.kind;
  if (kind == "f") {
    put_numbers<double>(file, line, H5T_NATIVE_DOUBLE);
  } else if (kind == "i") {
    put_numbers<int>(file, line, H5T_NATIVE_INT);
  } else if (kind == "b") {
    put_numbers<unsigned char>(file, line, H5T_NATIVE_UINT8);
  } else if (kind == "s") {
    put_texts(file, line);
  } else if (kind == "x") {
    put_dataset(file, line, line.extent, H5T_NATIVE_DOUBLE, nullptr, true);
  } else if (kind == "w") {
    put_number(file, line);
  } else if (kind == "a" || kind == "n") {
    put_attribute(file, line);
  } else if (kind == "g") {
    const Handle made{H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
  } else if (kind == "d") {
    H5Ldelete(file, path, H5P_DEFAULT);
  } else if (kind == "r") {
    const Handle dataset{H5Dopen2(file, path, H5P_DEFAULT), H5Dclose};
    if (dataset.valid()) {
      const Handle space{H5Dget_space(dataset), H5Sclose};
      if (H5Sget_simple_extent_ndims(space) == static_cast<int>(line.extent.size()))
        H5Dset_extent(dataset, line.extent.data());
    }
  } else if (kind == "l") {
    H5Ldelete(file, path, H5P_DEFAULT);
    H5Lcreate_soft(line.text(0), file, path, H5P_DEFAULT, H5P_DEFAULT);
  } else if (kind == "e") {
    H5Ldelete(file, path, H5P_DEFAULT);
    H5Lcreate_external(line.text(0), line.text(1), file, path, H5P_DEFAULT, H5P_DEFAULT);
  }
}

}  // namespace

std::string hdf5_of_text(std::string_view lines, const std::string& image) {
  const hdf5::Silence silence;
  const Handle access = hdf5::access_properties();
  H5Pset_fapl_core(access, 1 << 16, false);
  std::string bytes = image;
  if (!bytes.empty()) H5Pset_file_image(access, bytes.data(), bytes.size());
  constexpr char nowhere[] = "/dev/null/image";
  const Handle file{image.empty() ? H5Fcreate(nowhere, H5F_ACC_TRUNC, H5P_DEFAULT, access)
                                  : H5Fopen(nowhere, H5F_ACC_RDWR, access),
                    H5Fclose};
  if (!file.valid()) throw std::runtime_error("no file in memory: " + hdf5::last_failure());
  std::istringstream in{std::string(lines)};
  for (std::string text; std::getline(in, text);)
    if (!text.empty() && text[0] != '#') apply(file, Line(text));
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) return {};
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  std::string out(size > 0 ? static_cast<std::size_t>(size) : 0, '\0');
  if (!out.empty() && H5Fget_file_image(file, out.data(), out.size()) < 0) out.clear();
  return out;
}

}  // namespace tappet::fuzz
