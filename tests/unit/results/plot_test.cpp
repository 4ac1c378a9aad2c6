#include "tappet/results/plot.hpp"

#include <cmath>
#include <limits>

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
