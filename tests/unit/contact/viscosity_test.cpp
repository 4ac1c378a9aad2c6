// The viscosity of an oil as users write it, and what is said about one that cannot be used.
#include "tappet/contact/viscosity.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gmock/gmock.h>

#include "unit/contact/film_fixture.hpp"

namespace tappet::test::viscosity_test {
namespace {

using ::testing::HasSubstr;

double viscosity(const std::string& keys) {
  return film_law("{model: ocvirk, " + keys + "}")->bearing().viscosity;
}
std::string refusal(const std::string& keys) {
  std::string why;
  EXPECT_FALSE(try_film_law("{model: ocvirk, " + keys + "}", film_bearing(), why)) << keys;
  return why;
}

TEST(Viscosity, IsANumberOrATableOverTemperature) {
  EXPECT_DOUBLE_EQ(viscosity("viscosity: 40 mPa s"), 0.04);
  EXPECT_DOUBLE_EQ(viscosity("viscosity: {value: 0.04}"), 0.04);
  const std::string table =
      "viscosity: {table: {temperature: [20 degC, 60 degC, 100 degC], viscosity: [100 mPa s, 25 mPa s, 10 "
      "mPa s]}}";
  EXPECT_NEAR(viscosity(table + ", temperature: 20 degC"), 0.1, 1e-15);
  EXPECT_NEAR(viscosity(table + ", temperature: 333.15"), 0.025, 1e-14);
  EXPECT_NEAR(viscosity(table + ", temperature: 100 degC"), 0.01, 1e-14);
  // ln μ is linear: half way between two rows their geometric mean.
  EXPECT_NEAR(viscosity(table + ", temperature: 40 degC"), 0.05, 1e-14);
}

TEST(Viscosity, IsReadFromAFile) {
  const auto file =
      std::filesystem::path(::testing::TempDir()) / ("oil." + std::to_string(getpid()) + ".csv");
  std::ofstream(file) << "temperature,viscosity\n293.15, 0.1  # cold\n\n333.15; 0.025\n";
  const std::string keys = "viscosity: {table: {file: " + file.string() + "}}, temperature: ";
  EXPECT_NEAR(viscosity(keys + "40 degC"), 0.05, 1e-14);
  EXPECT_THAT(refusal(keys + "90 degC"), HasSubstr("`temperature` of the lubricant is 363.15 K, and its "
                                                   "table of viscosity goes from 293.15 to 333.15 K"));
  std::ofstream(file) << "293.15, 0.1\n333.15\n";
  EXPECT_THAT(refusal(keys + "40 degC"),
              HasSubstr("line 2 is not a temperature in K and a viscosity in Pa s"));
  std::filesystem::remove(file);
  EXPECT_THAT(refusal(keys + "40 degC"), HasSubstr("the table of viscosity '" + file.string() + "'"));
}

TEST(Viscosity, SaysWhatItCannot) {
  EXPECT_THAT(refusal("film: reynolds"), HasSubstr("missing key 'viscosity'"));
  EXPECT_THAT(refusal("viscosity: -40 mPa s"), HasSubstr("must be > 0"));
  EXPECT_THAT(refusal("viscosity: 0"), HasSubstr("must be > 0"));
  EXPECT_THAT(refusal("viscosity: {}"), HasSubstr("one of them is needed"));
  EXPECT_THAT(refusal("viscosity: 0.04, temperature: 300"),
              HasSubstr("`temperature` of a lubricant has no effect"));
  const std::string table = "viscosity: {table: {temperature: [300, 350], viscosity: [0.1, 0.02]}}";
  EXPECT_THAT(refusal(table), HasSubstr("the lubricant has no `temperature`"));
  EXPECT_THAT(refusal("viscosity: {table: {temperature: [300, 350], viscosity: [0.1]}}, temperature: 310"),
              HasSubstr("2 temperatures and 1 viscosities"));
  EXPECT_THAT(
      refusal("viscosity: {table: {temperature: [350, 300], viscosity: [0.02, 0.1]}}, temperature: 310"),
      HasSubstr("temperatures must rise"));
  EXPECT_THAT(refusal("viscosity: {table: {file: x.csv, temperature: [300, 350]}}, temperature: 310"),
              HasSubstr("and not both"));
}

}  // namespace
}  // namespace tappet::test::viscosity_test
