// The project's own files, for tests about the source tree itself.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "support/paths.hpp"

namespace tappet::test {

inline std::filesystem::path source_dir() {
  return testing::source_dir();
}

inline std::string read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Files below `folder` of the source tree, relative to the source tree, sorted. Builds and other people's
/// folders are left out; a folder that does not exist is empty.
inline std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  static const std::set<std::string> not_ours = {".git", "build", "install", "node_modules", "__pycache__"};
  std::set<fs::path> found;
  if (!fs::exists(source_dir() / folder)) return {};
  for (auto at = fs::recursive_directory_iterator(source_dir() / folder);
       at != fs::recursive_directory_iterator(); ++at) {
    const bool top_level = at->path().parent_path() == source_dir();
    if (at->is_directory() && top_level && not_ours.contains(at->path().filename().string())) {
      at.disable_recursion_pending();
    } else if (at->is_regular_file()) {
      found.insert(at->path().lexically_relative(source_dir()));
    }
  }
  return {found.begin(), found.end()};
}

inline bool is_header(const std::filesystem::path& file) {
  return file.extension() == ".hpp";
}
inline bool is_source(const std::filesystem::path& file) {
  return file.extension() == ".cpp";
}

/// One #include line.
struct Include {
  std::string name;     ///< between the quotes or brackets
  bool quoted = false;  ///< "..." and not <...>
  int line = 0;
};

inline std::vector<Include> includes_of(const std::filesystem::path& file) {
  std::vector<Include> out;
  std::ifstream in(source_dir() / file);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (!line.starts_with("#include ") || line.size() < 12) continue;
    const char open = line[9];
    const auto end = line.find(open == '<' ? '>' : '"', 10);
    if (end != std::string::npos) out.push_back({line.substr(10, end - 10), open == '"', number});
  }
  return out;
}

}  // namespace tappet::test
