// Film tables: against direct solutions, smooth, the same from a file, and what is said about a file that is none.
#include "tappet/lubrication/film_table.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace tappet::test::film_table_test {
namespace {

using lubrication::FilmTable;
using lubrication::ReynoldsSolver;
using lubrication::Supply;

constexpr double pi = std::numbers::pi;

// As a run gets it: from the cache where it is there.
const FilmTable& table() {
  static const auto kept = [] {
    std::vector<std::string> notes;
    return lubrication::film_table(0.5, Supply::none, 1, notes);
  }();
  return *kept;
}

TEST(FilmTable, IsNearDirectSolutions) {
  const FilmTable made = FilmTable::made(0.5, Supply::none, {}, 2);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  ReynoldsSolver coarse, fine;
  std::vector<double> errors;
  for (int n = 0; n < 200; ++n) {
    // Half of them where ε → 1, half of these where the film changes from pressing to parting.
    const double eps = n % 2 ? 0.95 * unit(random) : 1 - std::pow(10, -0.3 - 2.69 * unit(random));
    const double s = std::sqrt(1 - eps * eps);
    const double direction =
        n % 4 < 2 ? pi * unit(random) : std::clamp(pi / 2 + s * (4 * unit(random) - 2), 0.0, pi);
    const auto film = extrapolated({eps, direction, 0.5, Supply::none}, coarse, fine);
    const double c = std::cos(direction), d = std::sin(direction);
    const auto [along, across] = made.at(eps, c, d);
    const double error = std::hypot(along * (c - across * d) - film.I_n, along * (d + across * c) - film.I_t);
    errors.push_back(error / std::hypot(film.I_n, film.I_t));
    EXPECT_NEAR(made.flow(eps, c), film.flow, 0.01 * film.flow) << eps << " " << direction;
  }
  std::sort(errors.begin(), errors.end());
  EXPECT_LT(errors[100], 1e-4);
  EXPECT_LT(errors[190], 1e-3);
  EXPECT_LT(errors[199], 5e-3);
  EXPECT_LT(made.error(), 5e-3);
}

// Slopes from both sides of the edge between two cells.
TEST(FilmTable, IsSmoothAcrossItsCells) {
  const auto row = [](double x) { return std::tanh(std::atanh(FilmTable::largest) * x / 28); };
  for (int i : {1, 7, 14, 27})
    for (double direction : {0.3, 1.5, 1.6, 2.9}) {
      const double c = std::cos(direction), d = std::sin(direction), h = 1e-4;
      const auto value = [&](double x) {
        const auto [along, across] = table().at(row(x), c, d);
        return std::array<double, 2>{std::log(along), across};
      };
      for (int k : {0, 1}) {
        const double before = (3 * value(i)[k] - 4 * value(i - h)[k] + value(i - 2 * h)[k]) / (2 * h);
        const double after = (-3 * value(i)[k] + 4 * value(i + h)[k] - value(i + 2 * h)[k]) / (2 * h);
        EXPECT_NEAR(before, after, 1e-6 * (1 + std::abs(after))) << i << " " << direction;
      }
    }
}

class FilmTableFiles : public ::testing::Test {
 protected:
  std::filesystem::path file =
      std::filesystem::path(::testing::TempDir()) / ("film_table_test." + std::to_string(getpid()));
  ~FilmTableFiles() override {
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
  }
};

TEST_F(FilmTableFiles, GiveTheSameTableBack) {
  table().save(file);
  std::string why;
  const auto read = FilmTable::load(file, why);
  ASSERT_TRUE(read) << why;
  EXPECT_EQ(read->ratio(), 0.5);
  EXPECT_EQ(read->error(), table().error());
  EXPECT_EQ(read->size(), table().size());
  for (double eps : {0.0, 0.4, 0.9995}) {
    EXPECT_EQ(read->at(eps, 0.6, 0.8).along, table().at(eps, 0.6, 0.8).along);
    EXPECT_EQ(read->at(eps, 0.6, 0.8).across, table().at(eps, 0.6, 0.8).across);
  }
}

TEST_F(FilmTableFiles, AreRefusedWhenTheyAreNoTables) {
  std::string why;
  EXPECT_FALSE(FilmTable::load(file, why));
  EXPECT_EQ(why, "it does not exist");
  std::ofstream(file) << "something else\n";
  EXPECT_FALSE(FilmTable::load(file, why));
  EXPECT_EQ(why, "it is not a film table of this version");
  table().save(file);
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  EXPECT_FALSE(FilmTable::load(file, why));
  EXPECT_EQ(why, "it is damaged");
  std::ofstream(file) << "tappet film table 2\n0x1p-1 0 1000000000 33 160 12 0x0p+0\n";
  EXPECT_FALSE(FilmTable::load(file, why));
  EXPECT_EQ(why, "it is damaged");
}

// One digit of another value would bear another load, and nobody would know.
TEST_F(FilmTableFiles, ADigitThatChangedIsSeen) {
  table().save(file);
  std::string text;
  {
    std::ifstream in(file);
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  std::string why;
  ASSERT_TRUE(FilmTable::of_text(text, why)) << why;
  for (std::size_t at = text.find('\n') + 1; at < text.size(); at += 997) {
    if (text[at] < '0' || text[at] > '9') continue;
    std::string other = text;
    other[at] = other[at] == '3' ? '4' : '3';
    EXPECT_FALSE(FilmTable::of_text(other, why)) << at;
    EXPECT_EQ(why, "it is damaged");
  }
}

// What stands in the cache under its name is neither waited for nor followed nor filled without end.
TEST_F(FilmTableFiles, OnlyOrdinaryFilesAreTaken) {
  std::string why;
  std::filesystem::remove(file);
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  EXPECT_FALSE(FilmTable::load(file, why));
  EXPECT_EQ(why, "it is not an ordinary file");
  std::filesystem::remove(file);
  std::filesystem::create_symlink("/dev/zero", file);
  EXPECT_FALSE(FilmTable::load(file, why));
  EXPECT_EQ(why, "it is not an ordinary file");
  // Writing replaces a link and leaves what it leads to.
  const std::filesystem::path diary = file.string() + ".diary";
  std::ofstream(diary) << "dear diary";
  std::filesystem::remove(file);
  std::filesystem::create_symlink(diary, file);
  table().save(file);
  EXPECT_EQ(std::filesystem::file_size(diary), 10u);
  EXPECT_TRUE(FilmTable::load(file, why)) << why;
  std::filesystem::remove(diary);
}

}  // namespace
}  // namespace tappet::test::film_table_test
