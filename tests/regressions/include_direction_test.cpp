// Data flows one way: a room includes itself and the rooms above it in the list below, never one beneath; and no file
// needs one that needs it in turn.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "regressions/source_tree.hpp"

namespace tappet::test::include_direction_test {
namespace {

// From the top of the house to its bottom; app/ and python/ come after all of them.
const std::vector<std::string> rooms = {
    "base",        "linalg",  "lcp", "geometry", "lubrication", "contact", "multibody",
    "spec",        "fem",     "fmi", "model",    "nonsmooth",   "ode",     "structures",
    "equilibrium", "methods", "run", "results",  "studies",     "imports", "exports"};

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

// ---- rings -----------------------------------------------------------------------------------------------------

/// A header and the source of the same name are one unit: "run/simulation" of src/tappet/run/simulation.cpp. For each
/// unit those that it includes.
using UnitGraph = std::map<std::string, std::set<std::string>>;

UnitGraph units_of_library() {
  UnitGraph out;
  const std::string prefix = "tappet/";
  for (const auto& file : files_below("src/tappet")) {
    if (!is_header(file) && !is_source(file)) continue;
    std::filesystem::path name = file.lexically_relative("src/tappet");
    const std::string unit = name.replace_extension().string();
    std::set<std::string>& needed = out[unit];
    for (const Include& include : includes_of(file)) {
      if (!include.name.starts_with(prefix)) continue;
      std::filesystem::path other = include.name.substr(prefix.size());
      if (other.replace_extension() != unit) needed.insert(other.string());
    }
  }
  return out;
}

/// All that can be reached from `unit`.
std::set<std::string> reached_from(const std::string& unit, const UnitGraph& graph) {
  std::set<std::string> reached;
  std::vector<std::string> open = {unit};
  while (!open.empty()) {
    const auto needed = graph.find(open.back());
    open.pop_back();
    if (needed == graph.end()) continue;
    for (const std::string& next : needed->second)
      if (reached.insert(next).second) open.push_back(next);
  }
  return reached;
}

/// Sets of units each of which reaches all others of its set.
std::vector<std::set<std::string>> rings_of(const UnitGraph& graph) {
  std::map<std::string, std::set<std::string>> reach;
  for (const auto& [unit, needed] : graph) reach[unit] = reached_from(unit, graph);
  std::vector<std::set<std::string>> out;
  std::set<std::string> seen;
  for (const auto& [unit, reached] : reach) {
    if (!reached.contains(unit) || seen.contains(unit)) continue;
    std::set<std::string> ring;
    for (const std::string& other : reached)
      if (const auto found = reach.find(other); found != reach.end() && found->second.contains(unit))
        ring.insert(other);
    seen.insert(ring.begin(), ring.end());
    out.push_back(ring);
  }
  return out;
}

std::string text_of(const std::set<std::string>& ring) {
  std::string out;
  for (const std::string& unit : ring) out += (out.empty() ? "" : ", ") + unit;
  return out;
}

// The test below would pass on a tree where it sees nothing: rings are found where there are some.
TEST(IncludeDirection, RingsAreFound) {
  const UnitGraph graph = {{"a", {"b", "x"}}, {"b", {"c"}}, {"c", {"a"}}, {"x", {"y"}},
                           {"y", {}},         {"s", {"t"}}, {"t", {"s"}}};
  const std::vector<std::set<std::string>> expected = {{"a", "b", "c"}, {"s", "t"}};
  EXPECT_EQ(rings_of(graph), expected);
}

TEST(IncludeDirection, NoRingsBetweenFiles) {
  const UnitGraph graph = units_of_library();
  ASSERT_GT(graph.size(), 100u);
  for (const std::set<std::string>& ring : rings_of(graph))
    ADD_FAILURE() << "these files include each other in a ring: " << text_of(ring);
}

}  // namespace
}  // namespace tappet::test::include_direction_test
