// Data flows one way: a room includes itself and the rooms above it in the list below, never one beneath.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "regressions/source_tree.hpp"

namespace tappet::test {
namespace {

// From the top of the house to its bottom; app/ and python/ come after all of them.
const std::vector<std::string> rooms = {"base",    "linalg", "lcp",     "geometry",  "contact", "multibody",
                                        "spec",    "fem",    "model",   "nonsmooth", "ode",     "structures",
                                        "methods", "run",    "results", "studies",   "imports"};

/// Place in the list; rooms.size() for a name that is no room.
std::size_t storey(const std::string& room) {
  return static_cast<std::size_t>(std::find(rooms.begin(), rooms.end(), room) - rooms.begin());
}

/// "base" of "tappet/base/units.hpp".
std::string room_of_include(const std::string& name) {
  const auto start = std::string("tappet/").size();
  return name.substr(start, name.find('/', start) - start);
}

/// Everything wrong with the includes of a file that stands on `level`.
void check_file(const std::filesystem::path& file, std::size_t level) {
  for (const Include& include : includes_of(file)) {
    const std::string where =
        file.string() + ":" + std::to_string(include.line) + ": includes " + include.name;
    if (!include.name.starts_with("tappet/")) {
      // Files of the program and of the Python module may include their neighbours.
      if (include.quoted && level < rooms.size())
        ADD_FAILURE() << where << ", write \"tappet/ROOM/FILE.hpp\"";
      continue;
    }
    const std::string room = room_of_include(include.name);
    const std::size_t included = storey(room);
    EXPECT_TRUE(include.quoted) << where << " in <>, quotes are for our own files";
    EXPECT_LT(included, rooms.size()) << where << ", but '" << room << "' is no room";
    EXPECT_LE(included, level) << where << ", from a room beneath its own";
  }
}

TEST(IncludeDirection, RoomsIncludeOnlyRoomsAbove) {
  const auto files = files_below("src/tappet");
  ASSERT_GT(files.size(), 10u);
  for (const auto& file : files) {
    if (!is_header(file) && !is_source(file)) continue;
    const std::string room = std::next(file.begin(), 2)->string();
    const std::size_t level = storey(room);
    EXPECT_LT(level, rooms.size()) << file << " is in no room";
    check_file(file, level);
  }
}

TEST(IncludeDirection, ProgramAndPythonIncludeTheLibraryByRoom) {
  for (const char* folder : {"app", "python/src"}) {
    for (const auto& file : files_below(folder)) {
      if (is_header(file) || is_source(file)) check_file(file, rooms.size());
    }
  }
}

}  // namespace
}  // namespace tappet::test
