#include "tappet/studies/sampling.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tappet::sampling_test {
namespace {

using ::testing::HasSubstr;

Axis range(const std::string& name, double from, double to, int count, const std::string& unit = "") {
  Axis axis;
  axis.name = name;
  axis.from = from;
  axis.to = to;
  axis.count = count;
  axis.unit = unit;
  return axis;
}

Axis list(const std::string& name, std::vector<std::string> values) {
  Axis axis;
  axis.name = name;
  axis.values = std::move(values);
  return axis;
}

Design design(const std::vector<Axis>& axes, const std::string& yaml, std::string* faults = nullptr) {
  Diagnostics diagnostics;
  const Object object =
      read_object(read_yaml_text(yaml, "s"), sampling_family(), {.diagnostics = &diagnostics});
  diagnostics.throw_if_errors();
  Design out = SamplingRegistry::instance().find(object.type)->make(axes, object, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    if (faults) *faults += diagnostic.message;
  return out;
}

TEST(Sampling, RangesReachTheirEndsExactly) {
  const Axis axis = range("c", 0.05, 0.5, 7, "mm");
  EXPECT_EQ(axis.level(0).text, "0.05 mm");
  EXPECT_EQ(axis.level(6).text, "0.5 mm");
  EXPECT_DOUBLE_EQ(axis.level(3).number, 0.275);
  Axis ratio = range("c", 1, 100, 3);
  ratio.logarithmic = true;
  EXPECT_DOUBLE_EQ(ratio.level(1).number, 10);
}

TEST(Sampling, GridTakesAllCombinationsTheLastFastest) {
  const Design grid = design({range("a", 1, 3, 3), list("law", {"hertz", "hooke"})}, "type: grid");
  ASSERT_EQ(grid.size(), 6u);
  EXPECT_EQ(grid[0][0].text, "1");
  EXPECT_EQ(grid[0][1].text, "hertz");
  EXPECT_EQ(grid[1][1].text, "hooke");
  EXPECT_EQ(grid[1][1].number, 1);  // its place in the list
  EXPECT_EQ(grid[5][0].text, "3");
  std::string faults;
  EXPECT_TRUE(design({range("a", 1, 3, 0)}, "type: grid", &faults).empty());
  EXPECT_THAT(faults, HasSubstr("'a' needs `count`"));
}

TEST(Sampling, ListTakesValuesTogether) {
  const Design rows = design({range("a", 1, 3, 3), list("b", {"x", "y", "z"})}, "type: list");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1][0].text, "2");
  EXPECT_EQ(rows[1][1].text, "y");
  std::string faults;
  design({range("a", 1, 3, 3), list("b", {"x", "y"})}, "type: list", &faults);
  EXPECT_THAT(faults, HasSubstr("'b' has 2 values, and 'a' has 3"));
}

TEST(Sampling, LatinHypercubeUsesEverySliceOnce) {
  const std::vector<Axis> axes = {range("a", 0, 1, 0), range("b", 10, 20, 0), range("c", -1, 1, 0)};
  const Design rows = design(axes, "{type: latin-hypercube, samples: 50, seed: 3}");
  ASSERT_EQ(rows.size(), 50u);
  for (std::size_t j = 0; j < 3; ++j) {
    std::vector<int> used(50, 0);
    for (const auto& row : rows)
      ++used.at(static_cast<std::size_t>((row[j].number - axes[j].from) / (axes[j].to - axes[j].from) * 50));
    EXPECT_EQ(*std::min_element(used.begin(), used.end()), 1);
  }
  // The same seed gives the same numbers, another one others.
  EXPECT_EQ(design(axes, "{type: latin-hypercube, samples: 50, seed: 3}")[7][1].number, rows[7][1].number);
  EXPECT_NE(design(axes, "{type: latin-hypercube, samples: 50, seed: 4}")[7][1].number, rows[7][1].number);
}

TEST(Sampling, SobolFillsEvenly) {
  const std::vector<Axis> axes = {range("a", 0, 1, 0), range("b", 0, 1, 0)};
  const Design rows = design(axes, "{type: sobol, samples: 255}");
  EXPECT_EQ(rows[0][0].number, 0.5);
  EXPECT_EQ(rows[0][1].number, 0.5);
  EXPECT_EQ(rows[1][0].number + rows[2][0].number, 1);  // 0.25 and 0.75, either way round
  EXPECT_EQ(rows[1][0].number + rows[1][1].number, 1);
  // With the origin, 256 points put 16 into each of 4 × 4 squares.
  std::vector<int> squares(16, 0);
  ++squares[0];
  for (const auto& row : rows)
    ++squares[4 * static_cast<std::size_t>(4 * row[0].number) + static_cast<std::size_t>(4 * row[1].number)];
  EXPECT_THAT(squares, ::testing::Each(16));
  // A later study goes on where this one ended.
  EXPECT_EQ(design(axes, "{type: sobol, samples: 5, skip: 10}")[0][1].number, rows[10][1].number);
}

TEST(Sampling, EveryKindIsDescribed) {
  for (const SamplingType& type : SamplingRegistry::instance().entries()) {
    EXPECT_FALSE(type.help.empty()) << type.name;
    EXPECT_NE(type.make, nullptr) << type.name;
  }
}

}  // namespace
}  // namespace tappet::sampling_test
