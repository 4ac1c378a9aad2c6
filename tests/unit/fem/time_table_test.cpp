#include "tappet/fem/time_table.hpp"

#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tappet::fem::time_table_test {
namespace {

TEST(TimeSpline, GoesThroughItsRowsSmoothly) {
  std::vector<double> t, f;
  for (int i = 0; i <= 40; ++i) t.push_back(0.05 * i * (1 + 0.01 * i)), f.push_back(std::sin(t.back()));
  const TimeSpline spline(t, f);
  for (std::size_t i = 0; i < t.size(); ++i) EXPECT_NEAR(spline.at(t[i]).value, f[i], 1e-14);
  // Away from its ends, where f″ = 0 is not the function's.
  for (double x = 0.5; x < 2; x += 0.013) {
    EXPECT_NEAR(spline.at(x).value, std::sin(x), 1e-6);
    EXPECT_NEAR(spline.at(x).d1, std::cos(x), 1e-4);
    const double d = 1e-5;
    EXPECT_NEAR(spline.at(x).d1, (spline.at(x + d).value - spline.at(x - d).value) / (2 * d), 1e-8);
    EXPECT_NEAR(spline.at(x).d2, (spline.at(x + d).d1 - spline.at(x - d).d1) / (2 * d), 1e-4);
  }
  EXPECT_EQ(spline.at(-1).value, f.front());
  EXPECT_EQ(spline.at(9).value, f.back());
  EXPECT_EQ(spline.at(9).d1, 0);
}

std::string fault_of(const std::string& text) {
  const std::string path = ::testing::TempDir() + "time_table_test.csv";
  std::ofstream(path) << text;
  Diagnostics diagnostics;
  read_time_table(path, {}, diagnostics);
  return diagnostics.all().empty() ? "" : diagnostics.all()[0].message;
}

TEST(TimeTable, IsReadOrRefused) {
  using ::testing::HasSubstr;
  EXPECT_EQ(fault_of("t z\n0 0\n1 2\n"), "");
  EXPECT_EQ(fault_of("# measured\nz, t\n0, 0\n\n1, 2\n"), "");
  EXPECT_THAT(fault_of("a b\n0 0\n"), HasSubstr("has no column 't' in its first line"));
  EXPECT_THAT(fault_of("t\n0\n"), HasSubstr("has no column besides 't'"));
  EXPECT_THAT(fault_of("t z\n0 0 0\n"),
              HasSubstr("has 3 numbers in line 2, where its first line names 2 columns"));
  EXPECT_THAT(fault_of("t z\n0 zero\n"), HasSubstr("has 'zero' in line 2, which is not a number"));
  EXPECT_THAT(fault_of("t z\n0 0\n0 1\n"), HasSubstr("has t = 0 in line 3 after t = 0; times must ascend"));
  EXPECT_THAT(fault_of("t z\n0 0\n"), HasSubstr("has 1 rows of numbers; two are needed"));
}

}  // namespace
}  // namespace tappet::fem::time_table_test
