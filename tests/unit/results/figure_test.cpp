#include "tappet/results/figure.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folder_test.hpp"
#include "tappet/base/diagnostics.hpp"

namespace tappet::figure_test {
namespace {

using ::testing::HasSubstr;

class FigureTest : public FolderTest {};

TEST_F(FigureTest, PointsAndCurvesWithNamesAndUnits) {
  Figure figure{.title = "It's <b>", .x_name = "clearance", .x_unit = "mm", .panels = {}};
  figure.panels.push_back({"", "m/s", {{"speed_in", {1, 2, 3}, {4, NAN, 6}, Series::Style::points}}});
  figure.panels.push_back(
      {"peaks", "N", {{"a", {1, 2}, {3, 4}, Series::Style::line_points}, {"b", {1, 2}, {4, 3}}}});
  draw(figure, path("a.svg"));
  const std::string svg = text("a.svg");
  for (const char* label : {"clearance [mm]", "speed_in [m/s]", "peaks [N]", "It's &lt;b>"})
    EXPECT_THAT(svg, HasSubstr(label));
}

TEST_F(FigureTest, MapsOnGridsAndElsewhere) {
  Map map{"t", "a", "mm", "b", "", "peak", "N", {}, {}, {}};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j) {
      map.x.push_back(0.1 * i);
      map.y.push_back(j);
      map.z.push_back(i == 2 && j == 1 ? NAN : i * j);
    }
  draw(map, path("grid.svg"));
  EXPECT_THAT(text("grid.svg"), HasSubstr("peak [N]"));
  EXPECT_THAT(text("grid.svg"), HasSubstr("<image"));  // cells
  map.x[1] = 0.017;
  draw(map, path("points.svg"));
  EXPECT_THAT(text("points.svg"), ::testing::Not(HasSubstr("<image")));
}

TEST_F(FigureTest, UnknownEndingsAreRefused) {
  EXPECT_THROW(draw(Figure{}, path("a.gif")), InputError);
}

}  // namespace
}  // namespace tappet::figure_test
