#include "tappet/geometry/mesh_file.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "tappet/base/input_file.hpp"
#include "tappet/geometry/collada.hpp"

namespace tappet {
namespace {

namespace fs = std::filesystem;

/// Says what is wrong with a mesh file, once.
struct Reporter {
  const std::string& name;
  const SourcePos& pos;
  Diagnostics& diagnostics;

  std::nullopt_t operator()(const std::string& what) const {
    diagnostics.error(pos, fmt::format("mesh file {}: {}", quote(name), what));
    return std::nullopt;
  }
};

std::string lower_case(std::string_view word) {
  std::string out(word);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::optional<double> number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double out = 0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), out);
  if (fault != std::errc() || end != word.data() + word.size() || !std::isfinite(out)) return std::nullopt;
  return out;
}

/// Words of a text, one line at a time.
class Lines {
 public:
  explicit Lines(const std::string& text) : rest_(text) {}
  bool next(std::vector<std::string_view>& words) {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find_first_of("\r\n"), rest_.size());
    std::string_view line = rest_.substr(0, end);
    // Both halves of a CR LF end the same line.
    const bool both = end + 1 < rest_.size() && rest_[end] == '\r' && rest_[end + 1] == '\n';
    rest_.remove_prefix(std::min(end + (both ? 2 : 1), rest_.size()));
    ++line_;
    words.clear();
    while (true) {
      const std::size_t start = line.find_first_not_of(" \t");
      if (start == std::string_view::npos) return true;
      const std::size_t stop = std::min(line.find_first_of(" \t", start), line.size());
      words.push_back(line.substr(start, stop - start));
      line.remove_prefix(stop);
    }
  }
  int line() const { return line_; }

 private:
  std::string_view rest_;
  int line_ = 0;
};

std::optional<Vec3> coordinates(const std::vector<std::string_view>& words) {
  if (words.size() < 4) return std::nullopt;
  Vec3 out;
  for (int k = 0; k < 3; ++k) {
    const std::optional<double> x = number(words[k + 1]);
    if (!x) return std::nullopt;
    out[k] = *x;
  }
  return out;
}

std::string joined(const std::vector<std::string_view>& words) {
  std::string out;
  for (const std::string_view w : words) {
    if (!out.empty()) out += ' ';
    out += w;
  }
  return quote(out);
}

std::optional<TriangleMesh> finished(TriangleMesh mesh, const Reporter& report) {
  if (mesh.triangles.empty()) return report("it holds no triangles");
  return mesh;
}

// Text STL: `facet normal ...`, `outer loop`, three `vertex x y z`, `endloop`, `endfacet`. The normals are
// not used: they follow from the order of the vertices.
std::optional<TriangleMesh> text_stl(const std::string& text, const Reporter& report) {
  TriangleMesh out;
  Lines lines(text);
  std::vector<std::string_view> words;
  int corners = 0;
  bool ended = false;
  while (lines.next(words)) {
    if (words.empty()) continue;
    const std::string keyword = lower_case(words[0]);
    if (keyword == "vertex") {
      const std::optional<Vec3> x = coordinates(words);
      if (!x)
        return report(fmt::format("line {}: {} is not `vertex` with three finite numbers", lines.line(),
                                  joined(words)));
      out.vertices.push_back(*x);
      ++corners;
    } else if (keyword == "endloop") {
      if (corners != 3)
        return report(fmt::format("line {}: a facet of {} vertices; STL has three", lines.line(), corners));
      const int n = static_cast<int>(out.vertices.size());
      out.triangles.push_back({n - 3, n - 2, n - 1});
      corners = 0;
    } else if (keyword == "endsolid") {
      ended = true;
    }
  }
  if (corners != 0 || !ended)
    return report(fmt::format("it ends after {} triangles without `endsolid`", out.triangles.size()));
  return finished(std::move(out), report);
}

float little_endian_float(const char* bytes) {
  std::uint32_t bits = 0;
  for (int k = 3; k >= 0; --k) bits = bits << 8 | static_cast<unsigned char>(bytes[k]);
  return std::bit_cast<float>(bits);
}

std::uint32_t little_endian_count(const char* bytes) {
  std::uint32_t out = 0;
  for (int k = 3; k >= 0; --k) out = out << 8 | static_cast<unsigned char>(bytes[k]);
  return out;
}

// Binary STL: 80 bytes of anything, the number of triangles, and 50 bytes a triangle: normal, three vertices,
// two bytes more.
constexpr std::size_t stl_head = 84, stl_triangle = 50;

std::optional<TriangleMesh> binary_stl(const std::string& bytes, const Reporter& report) {
  if (bytes.size() < stl_head)
    return report(fmt::format("{} bytes are too few for an STL file", bytes.size()));
  const std::size_t count = little_endian_count(bytes.data() + 80);
  if (bytes.size() < stl_head + count * stl_triangle)
    return report(fmt::format("it announces {} triangles and ends after {}", count,
                              (bytes.size() - stl_head) / stl_triangle));
  TriangleMesh out;
  out.vertices.reserve(3 * count);
  out.triangles.reserve(count);
  for (std::size_t t = 0; t < count; ++t) {
    const char* at = bytes.data() + stl_head + t * stl_triangle + 12;
    for (int k = 0; k < 3; ++k, at += 12) {
      const Vec3 x(little_endian_float(at), little_endian_float(at + 4), little_endian_float(at + 8));
      if (!x.allFinite())
        return report(fmt::format("triangle {} has a coordinate that is not finite", t + 1));
      out.vertices.push_back(x);
    }
    const int n = static_cast<int>(out.vertices.size());
    out.triangles.push_back({n - 3, n - 2, n - 1});
  }
  return finished(std::move(out), report);
}

/// The vertex of an OBJ corner such as `7`, `7/2/3`, `7//3` or `-1`, from 0; nothing when it names none.
std::optional<int> obj_vertex(std::string_view word, std::size_t vertices) {
  word = word.substr(0, word.find('/'));
  long index = 0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), index);
  if (fault != std::errc() || end != word.data() + word.size()) return std::nullopt;
  const long n = static_cast<long>(vertices);
  if (index < 0) index += n + 1;
  if (index < 1 || index > n) return std::nullopt;
  return static_cast<int>(index - 1);
}

}  // namespace

std::string beside(const SourcePos& pos, const std::string& file) {
  const fs::path path(file);
  if (path.is_absolute() || !pos.file) return file;
  const fs::path folder = fs::path(*pos.file).parent_path();
  return folder.empty() ? file : (folder / path).string();
}

std::optional<TriangleMesh> read_stl(const std::string& bytes, const std::string& name, const SourcePos& pos,
                                     Diagnostics& diagnostics) {
  const Reporter report{name, pos, diagnostics};
  // Binary files may begin with "solid" too: the announced length decides, and then whether the text speaks
  // of facets.
  const bool exact = bytes.size() >= stl_head &&
                     bytes.size() == stl_head + little_endian_count(bytes.data() + 80) * stl_triangle;
  const bool text = lower_case(bytes.substr(0, 5)) == "solid" && bytes.find('\0') == std::string::npos;
  return text && !exact ? text_stl(bytes, report) : binary_stl(bytes, report);
}

std::optional<TriangleMesh> read_obj(const std::string& text, const std::string& name, const SourcePos& pos,
                                     Diagnostics& diagnostics) {
  const Reporter report{name, pos, diagnostics};
  TriangleMesh out;
  Lines lines(text);
  std::vector<std::string_view> words;
  std::vector<int> polygon;
  while (lines.next(words)) {
    if (words.empty()) continue;
    if (words[0] == "v") {
      const std::optional<Vec3> x = coordinates(words);
      if (!x)
        return report(
            fmt::format("line {}: {} is not `v` with three finite numbers", lines.line(), joined(words)));
      out.vertices.push_back(*x);
    } else if (words[0] == "f") {
      if (words.size() < 4)
        return report(fmt::format("line {}: a face of {} vertices", lines.line(), words.size() - 1));
      polygon.clear();
      for (std::size_t k = 1; k < words.size(); ++k) {
        const std::optional<int> v = obj_vertex(words[k], out.vertices.size());
        if (!v)
          return report(fmt::format("line {}: face corner {} names none of the {} vertices before it",
                                    lines.line(), quote(std::string(words[k])), out.vertices.size()));
        polygon.push_back(*v);
      }
      for (std::size_t k = 2; k < polygon.size(); ++k)
        out.triangles.push_back({polygon[0], polygon[k - 1], polygon[k]});
    }
  }
  return finished(std::move(out), report);
}

std::optional<TriangleMesh> read_mesh_file(const std::string& path, const SourcePos& pos,
                                           Diagnostics& diagnostics) {
  const Reporter report{path, pos, diagnostics};
  std::string why;
  const std::optional<std::string> read_bytes = read_input_file(path, why);
  if (!read_bytes) return report(why == "does not exist" ? "there is no such file" : "it " + why);
  const std::string& bytes = *read_bytes;
  if (bytes.empty()) return report("it is empty");
  const std::string extension = lower_case(fs::path(path).extension().string());
  if (extension == ".stl") return read_stl(bytes, path, pos, diagnostics);
  if (extension == ".obj") return read_obj(bytes, path, pos, diagnostics);
  if (extension == ".dae") {
    std::string what;
    std::optional<TriangleMesh> read = read_collada(bytes, what);
    return read ? finished(std::move(*read), report) : report(what);
  }
  return report(fmt::format("its extension '{}' is not one of .stl, .obj and .dae", extension));
}

}  // namespace tappet
