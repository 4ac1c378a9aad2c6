#include "tappet/results/plot.hpp"

#include <cmath>
#include <filesystem>
#include <limits>
#include <regex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folder_test.hpp"
#include "tappet/base/diagnostics.hpp"
#include "tappet/results/result_writer.hpp"

namespace tappet::plot_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

class PlotTest : public FolderTest {
 protected:
  PlotTest() {
    ResultHeader header;
    header.title = "It's a \"crank\"; set output '/nowhere' `date` $HOME";
    header.signals = {
        {"crank_1.x", "m"}, {"crank_1.y", "m"}, {"crank_1.vx", "m/s"}, {"flat.x", "m"}, {"gone.x", "N"}};
    auto writer = ResultWriter::create(path("a.h5"), header);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (int i = 0; i <= 100000; ++i) {
      const double t = 1e-5 * i;
      const double row[] = {t, std::cos(9 * t), std::sin(9 * t), i == 50000 ? 1e3 : std::cos(9 * t), 2, nan};
      writer.sample(row);
    }
    writer.finish({});
  }
  void draw(const PlotOptions& options, const std::string& name) {
    plot(ResultFile(path("a.h5")), options, path(name));
  }
};

TEST_F(PlotTest, SvgCarriesNamesAndUnitsAsTheyAre) {
  draw({.signals = {"crank_1.x", "crank_1.y", "crank_1.vx"}}, "a.svg");
  const std::string svg = text("a.svg");
  EXPECT_THAT(svg, HasSubstr("crank_1.x"));
  EXPECT_THAT(svg, HasSubstr("crank_1.vx [m/s]"));
  EXPECT_THAT(svg, HasSubstr("time [s]"));
  EXPECT_THAT(svg, HasSubstr("set output"));  // the title is text, not commands
  EXPECT_THAT(svg, HasSubstr("`date`"));
  EXPECT_LT(svg.size(), 2'000'000u);    // a long run does not make a huge picture
  EXPECT_THAT(svg, HasSubstr("1000"));  // and loses no peak
}

// As they are, wherever they stand: gnuplot takes two apostrophes at the beginning for an empty text.
TEST_F(PlotTest, TitlesMayHoldAnything) {
  for (const char* title : {"'quoted' title", "''", "'", "it's", "\"double\"", "back\\slash\\n", "`echo run`",
                            "@macro $HOME 100%"}) {
    draw({.signals = {"crank_1.x"}, .title = title}, "a.svg");
    std::string seen = text("a.svg");
    for (const auto& [entity, letter] : {std::pair("&apos;", "'"), std::pair("&quot;", "\""),
                                         std::pair("&#39;", "'"), std::pair("&#34;", "\"")})
      for (std::size_t at; (at = seen.find(entity)) != std::string::npos;)
        seen.replace(at, std::string(entity).size(), letter);
    EXPECT_THAT(seen, HasSubstr(std::string(">") + title + "<")) << title;
  }
}

/// Where the numbers below the horizontal axis stand, and how wide they are about, in the units of the SVG.
std::vector<std::pair<double, double>> tick_labels(const std::string& svg, double letter) {
  std::vector<std::tuple<double, double, std::string>> texts;
  const std::regex place(
      R"re(translate\(([\d.]+),([\d.]+)\)"[^>]*text-anchor="middle"[^>]*>\s*<text>\s*(-?[\d.]+)\s*</text>)re");
  double lowest = 0;
  for (std::sregex_iterator at(svg.begin(), svg.end(), place), end; at != end; ++at) {
    texts.emplace_back(std::stod((*at)[1]), std::stod((*at)[2]), (*at)[3]);
    lowest = std::max(lowest, std::get<1>(texts.back()));
  }
  std::vector<std::pair<double, double>> out;
  for (const auto& [x, y, label] : texts)
    if (y > lowest - 1) out.emplace_back(x, letter * static_cast<double>(label.size()));
  return out;
}

// A column of a paper: 85 mm × 60 mm, letters of 8 points.
TEST_F(PlotTest, NarrowFiguresHaveRoomForTheirCurves) {
  std::filesystem::copy_file(path("a.h5"), path("other.h5"));
  draw({.signals = {"crank_1.x"},
        .untitled = true,
        .others = {path("other.h5")},
        .width = 301,
        .height = 213,
        .font = 8},
       "narrow.svg");
  const std::string svg = text("narrow.svg");
  // One signal of two results: it is named once, and the curves after the results. There is no title.
  EXPECT_THAT(svg, HasSubstr("crank_1.x [m]"));
  EXPECT_THAT(svg, Not(HasSubstr("crank_1.x (")));
  EXPECT_THAT(svg, HasSubstr(">other<"));
  EXPECT_THAT(svg, Not(HasSubstr("crank\"; set output")));
  EXPECT_THAT(svg, Not(HasSubstr("nowhere")));
  // The axis has most of the width, and its numbers keep apart.
  const auto labels = tick_labels(svg, 0.6 * 10);
  ASSERT_GE(labels.size(), 3u);
  EXPECT_GT(labels.back().first - labels.front().first, 0.55 * 301);
  for (std::size_t i = 1; i < labels.size(); ++i)
    EXPECT_GT(labels[i].first - labels[i - 1].first, 0.5 * (labels[i].second + labels[i - 1].second) + 3);
}

// Several signals of several results: each curve says both.
TEST_F(PlotTest, CurvesOfSeveralSignalsAndResultsSayBoth) {
  std::filesystem::copy_file(path("a.h5"), path("other.h5"));
  draw({.signals = {"crank_1.x", "crank_1.y"}, .others = {path("other.h5")}}, "wide.svg");
  const std::string svg = text("wide.svg");
  for (const char* name : {"crank_1.x (a)", "crank_1.y (a)", "crank_1.x (other)", "crank_1.y (other)"})
    EXPECT_THAT(svg, HasSubstr(name));
}

TEST_F(PlotTest, PngAndPdf) {
  draw({.signals = {"crank_1.*"}}, "a.PNG");
  EXPECT_THAT(text("a.PNG"), HasSubstr("PNG"));
  draw({.signals = {"crank_1.y"}, .x = "crank_1.x", .from = 0.5}, "a.pdf");
  EXPECT_THAT(text("a.pdf"), HasSubstr("%PDF"));
}

TEST_F(PlotTest, ConstantAndMissingValuesDraw) {
  EXPECT_NO_THROW(draw({.signals = {"flat.x", "gone.x"}}, "a.svg"));
  EXPECT_NO_THROW(draw({.signals = {"crank_1.x"}, .x = "flat.x"}, "a.svg"));
  EXPECT_NO_THROW(draw({.signals = {"crank_1.x"}, .x = "gone.x"}, "a.svg"));
  EXPECT_NO_THROW(draw({.signals = {"crank_1.x"}, .from = 1.0}, "a.svg"));
}

TEST_F(PlotTest, WhatCannotBeDrawnIsSaid) {
  EXPECT_THAT([&] { draw({.signals = {"crank_1.x"}}, "a.jpeg"); },
              ThrowsMessage<InputError>(HasSubstr(".svg, .png or .pdf")));
  EXPECT_THAT([&] { draw({.signals = {"crank_1.z"}}, "a.svg"); },
              ThrowsMessage<InputError>(HasSubstr("did you mean")));
  EXPECT_THAT([&] { draw({.signals = {"crank_1.x"}, .from = 2.0}, "a.svg"); },
              ThrowsMessage<InputError>(HasSubstr("no samples in that interval")));
  EXPECT_THAT([&] { draw({.signals = {"crank_1.x"}}, "no/folder/a.svg"); },
              ThrowsMessage<InputError>(HasSubstr("No such file")));
  EXPECT_FALSE(std::filesystem::exists(path("a.svg")));
}

TEST_F(PlotTest, AMissingGnuplotIsNamed) {
  const std::string old = std::getenv("PATH");
  ::setenv("PATH", path("nothing").c_str(), 1);
  EXPECT_THAT([&] { draw({.signals = {"crank_1.x"}}, "a.svg"); },
              ThrowsMessage<InputError>(HasSubstr("install the package gnuplot")));
  ::setenv("PATH", old.c_str(), 1);
}

}  // namespace
}  // namespace tappet::plot_test
