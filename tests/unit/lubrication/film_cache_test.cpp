// Where film tables are kept, and what is said when one that is there does not serve.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tappet/lubrication/film_table.hpp"

namespace tappet::test::film_cache_test {
namespace {

TEST(FilmCache, MakesATableAnewWhereTheFileIsNone) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("film_cache." + std::to_string(getpid()));
  const char* before = std::getenv("XDG_CACHE_HOME");
  const std::string kept = before ? before : "";
  setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  EXPECT_EQ(lubrication::film_cache(), folder / "tappet" / "films");
  std::filesystem::create_directories(lubrication::film_cache());
  const std::filesystem::path file = lubrication::film_cache() / "0.125-none.film";
  std::ofstream(file) << "nothing\n";
  std::vector<std::string> notes;
  const auto table = lubrication::film_table(0.125, lubrication::Supply::none, 1, notes);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_NE(notes[0].find(file.string() + ": it is not a film table of this version; it is made anew"),
            std::string::npos)
      << notes[0];
  EXPECT_NE(notes[1].find("film table λ = 0.125: 29 × 33"), std::string::npos) << notes[1];
  std::string why;
  const auto read = lubrication::FilmTable::load(file, why);
  ASSERT_TRUE(read) << why;
  EXPECT_EQ(read->at(0.5, 0.6, 0.8).along, table->at(0.5, 0.6, 0.8).along);
  // The program asks once.
  EXPECT_EQ(lubrication::film_table(0.125, lubrication::Supply::none, 1, notes), table);
  before ? setenv("XDG_CACHE_HOME", kept.c_str(), 1) : unsetenv("XDG_CACHE_HOME");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tappet::test::film_cache_test
