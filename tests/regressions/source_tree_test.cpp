// The source tree keeps its own rules: tests mirror sources, headers stand alone, nothing knows the machine.
#include "regressions/source_tree.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tappet::test::source_tree_test {
namespace {

namespace fs = std::filesystem;

/// src/tappet/ROOM/X for tests/unit/ROOM/X_test.cpp (app/X for tests/unit/app/X_test.cpp), without extension.
fs::path tested_by(const fs::path& test) {
  const fs::path inside = test.lexically_relative("tests/unit");
  std::string name = inside.stem().string();
  if (name.ends_with("_test")) name.erase(name.size() - 5);
  const fs::path top = *inside.begin() == "app" ? fs::path() : fs::path("src/tappet");
  return top / inside.parent_path() / name;
}

TEST(SourceTree, UnitTestsMirrorSources) {
  for (const auto& test : files_below("tests/unit")) {
    // What holds no test is a helper of those that do.
    if (!is_source(test) || read_text(source_dir() / test).find("\nTEST") == std::string::npos) continue;
    const std::string tested = (source_dir() / tested_by(test)).string();
    EXPECT_TRUE(fs::exists(tested + ".hpp") || fs::exists(tested + ".cpp"))
        << test << " tests " << tested_by(test) << ".hpp or .cpp, which does not exist";
  }
}

TEST(SourceTree, HeadersOpenWithPragmaOnce) {
  for (const char* folder : {"src", "app", "python", "tests", "fuzz", "bench"}) {
    for (const auto& file : files_below(folder)) {
      if (!is_header(file)) continue;
      std::ifstream in(source_dir() / file);
      std::string line;
      while (std::getline(in, line) && (line.empty() || line.starts_with("//"))) {
      }
      EXPECT_EQ(line, "#pragma once") << file << ": the first line of code";
    }
  }
}

// A source that includes its own header first proves, by compiling, that the header needs nothing before it.
// Headers without a source are compiled alone by the build (target standalone_headers).
TEST(SourceTree, SourcesIncludeTheirOwnHeaderFirst) {
  for (const auto& file : files_below("src/tappet")) {
    fs::path header = file;
    header.replace_extension(".hpp");
    if (!is_source(file) || !fs::exists(source_dir() / header)) continue;
    const auto includes = includes_of(file);
    ASSERT_FALSE(includes.empty()) << file;
    EXPECT_EQ(includes.front().name, header.lexically_relative("src").string())
        << file << ": the first include";
  }
}

/// Does `path` begin somewhere in `text` (and not in the middle of another path, as in "$folder/x")?
bool has_path(const std::string& text, const std::string& path) {
  for (auto at = text.find(path); at != std::string::npos; at = text.find(path, at + 1)) {
    const char before = at == 0 ? ' ' : text[at - 1];
    if (!std::isalnum(static_cast<unsigned char>(before)) && !std::strchr("_-.}*/", before)) return true;
  }
  return false;
}

TEST(SourceTree, NoFileKnowsTheMachine) {
  // Homes of people, and this checkout's own place unless that is short enough to be a proper example. Put
  // together here, so that this file does not contain them.
  std::vector<std::string> forbidden = {std::string("/ho") + "me/", std::string("/ro") + "ot/",
                                        std::string("/Us") + "ers/"};
  const std::string here = source_dir().string() + "/";
  if (std::count(here.begin(), here.end(), '/') > 3) forbidden.push_back(here);
  const auto files = files_below("");
  ASSERT_GT(files.size(), 20u);
  for (const auto& file : files) {
    if (file == ".git") continue;  // of a git worktree, and not part of it
    const std::string text = read_text(source_dir() / file);
    for (const std::string& path : forbidden) {
      EXPECT_FALSE(has_path(text, path)) << file << " contains the path " << path;
    }
  }
}

}  // namespace
}  // namespace tappet::test::source_tree_test
