#include "tappet/results/matrix_file.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "tappet/results/output_file.hpp"
#include "tappet/results/refuse.hpp"

namespace tappet {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the formats below are written as this machine stores");

template <class Number>
std::string bytes_of(const Number& number) {
  std::string out(sizeof number, '\0');
  std::memcpy(out.data(), &number, sizeof number);
  return out;
}

std::string bytes_of_matrix(const Eigen::MatrixXd& m) {
  return {reinterpret_cast<const char*>(m.data()), static_cast<std::size_t>(m.size()) * sizeof(double)};
}

// ---- .mat, level 4: type, rows, columns, imaginary part, length of the name; name; columns ----

std::string mat_entry(const std::string& name, std::int32_t type, Eigen::Index rows, Eigen::Index columns,
                      const std::string& data) {
  std::string out;
  for (const std::int32_t number : {type, static_cast<std::int32_t>(rows), static_cast<std::int32_t>(columns),
                                    std::int32_t{0}, static_cast<std::int32_t>(name.size() + 1)})
    out += bytes_of(number);
  return out + name + '\0' + data;
}

// Texts are rows of letters, filled up with spaces.
std::string mat_texts(const NamedTexts& texts) {
  constexpr std::int32_t letters = 1;
  std::size_t longest = 0;
  for (const std::string& text : texts.texts) longest = std::max(longest, text.size());
  Eigen::MatrixXd codes = Eigen::MatrixXd::Constant(static_cast<Eigen::Index>(texts.texts.size()),
                                                    static_cast<Eigen::Index>(longest), ' ');
  for (std::size_t r = 0; r < texts.texts.size(); ++r)
    for (std::size_t c = 0; c < texts.texts[r].size(); ++c)
      codes(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) =
          static_cast<unsigned char>(texts.texts[r][c]);
  return mat_entry(texts.name, letters, codes.rows(), codes.cols(), bytes_of_matrix(codes));
}

// ---- .npz: a zip archive, nothing compressed, of .npy ----

std::uint32_t crc32(const std::string& bytes) {
  std::uint32_t crc = 0xffffffffu;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  return ~crc;
}

std::string npy(const std::string& type, const std::string& shape, const std::string& data) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': True, 'shape': ({}), }}", type, shape);
  // Magic, version and length of the header are 10 bytes; data begin at a multiple of 64.
  header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + bytes_of(static_cast<std::uint16_t>(header.size())) + header +
         data;
}

std::string npy_matrix(const Eigen::MatrixXd& m) {
  return npy("<f8", fmt::format("{}, {}", m.rows(), m.cols()), bytes_of_matrix(m));
}

std::string npy_texts(const std::vector<std::string>& texts) {
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  std::string data;
  for (const std::string& text : texts)
    for (std::size_t i = 0; i < longest; ++i)
      data += bytes_of(static_cast<std::uint32_t>(i < text.size() ? static_cast<unsigned char>(text[i]) : 0));
  return npy(fmt::format("<U{}", longest), fmt::format("{},", texts.size()), data);
}

struct Zip {
  std::string files, directory;
  std::uint16_t count = 0;

  void add(const std::string& name, const std::string& data) {
    const auto u16 = [](unsigned x) { return bytes_of(static_cast<std::uint16_t>(x)); };
    const auto u32 = [](std::size_t x) { return bytes_of(static_cast<std::uint32_t>(x)); };
    constexpr unsigned version = 20, day = 33;  // 2.0; 1 January 1980, the first that there is
    const std::string common = u16(version) + u16(0) + u16(0) + u16(0) + u16(day) + u32(crc32(data)) +
                               u32(data.size()) + u32(data.size()) + u16(static_cast<unsigned>(name.size())) +
                               u16(0);
    directory +=
        "PK\x01\x02" + u16(version) + common + u16(0) + u16(0) + u16(0) + u32(0) + u32(files.size()) + name;
    files += "PK\x03\x04" + common + name + data;
    ++count;
  }
  std::string all() const {
    const auto u16 = [](unsigned x) { return bytes_of(static_cast<std::uint16_t>(x)); };
    const auto u32 = [](std::size_t x) { return bytes_of(static_cast<std::uint32_t>(x)); };
    return files + directory + "PK\x05\x06" + u16(0) + u16(0) + u16(count) + u16(count) +
           u32(directory.size()) + u32(files.size()) + u16(0);
  }
};

// ---- text ----

std::string text_of(const std::vector<NamedMatrix>& matrices, const std::vector<NamedTexts>& texts) {
  const auto label = [&](const std::string& list, Eigen::Index i) {
    for (const NamedTexts& names : texts)
      if (names.name == list && static_cast<std::size_t>(i) < names.texts.size())
        return names.texts[static_cast<std::size_t>(i)];
    return std::to_string(i + 1);
  };
  std::string out = "matrix,row,column,value\n";
  for (const NamedMatrix& m : matrices)
    for (Eigen::Index r = 0; r < m.values.rows(); ++r)
      for (Eigen::Index c = 0; c < m.values.cols(); ++c)
        out +=
            fmt::format("{},{},{},{:.17g}\n", m.name, label(m.rows, r), label(m.columns, c), m.values(r, c));
  return out;
}

std::string ending(const std::string& file) {
  return std::filesystem::path(file).extension().string();
}

OutputKind kind_of(const std::string& file) {
  const std::string type = ending(file);
  if (type == ".csv") return OutputKind::table;
  if (type != ".mat" && type != ".npz")
    refuse(file, "matrices are written as .mat, .npz or .csv: give a name with one of these endings");
  return OutputKind::matrices;
}

}  // namespace

void check_matrix_file(const std::string& file, const std::vector<std::string>& inputs) {
  check_output(file, kind_of(file), inputs);
}

void write_matrix_file(const std::string& file, const std::vector<NamedMatrix>& matrices,
                       const std::vector<NamedTexts>& texts, const std::vector<std::string>& inputs) {
  const OutputKind kind = kind_of(file);
  const Eigen::MatrixXd format = Eigen::MatrixXd::Constant(1, 1, 1);  // by which a file is known for ours
  if (kind == OutputKind::table) return write_output(file, kind, text_of(matrices, texts), inputs);
  std::string bytes;
  if (ending(file) == ".mat") {
    bytes = mat_entry("tappet", 0, 1, 1, bytes_of_matrix(format));
    for (const NamedMatrix& m : matrices)
      bytes += mat_entry(m.name, 0, m.values.rows(), m.values.cols(), bytes_of_matrix(m.values));
    for (const NamedTexts& names : texts) bytes += mat_texts(names);
  } else {
    Zip zip;
    zip.add("tappet.npy", npy_matrix(format));
    for (const NamedMatrix& m : matrices) zip.add(m.name + ".npy", npy_matrix(m.values));
    for (const NamedTexts& names : texts) zip.add(names.name + ".npy", npy_texts(names.texts));
    bytes = zip.all();
  }
  write_output(file, kind, bytes, inputs);
}

}  // namespace tappet
