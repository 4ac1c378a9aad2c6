#include "tappet/studies/reproduce.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tappet/studies/gallery.hpp"
#include "unit/studies/catalogue_folder.hpp"

namespace tappet::reproduce_test {
namespace {

namespace fs = std::filesystem;

constexpr char model[] =
    "tappet: 1\ntitle: flight\ndimension: planar\ngravity: [0, -10]\n"
    "bodies: {ball: {mass: 1, inertia: 1, velocity: [1, 5]}}\nsimulation: {duration: 1, tolerance: "
    "1e-9}\noutput: {step: 0.01}\n";

class Reproduce : public CatalogueFolder {
 protected:
  Reproduce() { write("ball.yaml", model); }
  std::string out() const { return path("out"); }
};

constexpr char figure[] = R"(  1:
    title: <Flight>
    model: ball.yaml
    reference: slow
    runs:
      slow: {}
      fast: {set: ["bodies.ball.velocity=[3, 5]"]}
      wrong: {set: ["bodies.ball.mass=-1"]}
    numbers:
      far: last(ball.x)
      high: max(ball.y)
      ahead: last(ball.x - reference.ball.x)
    plots: {way: {x: ball.x, y: [ball.y]}}
    claims:
      height: {says: both rise as high, holds: "spread(high) < 1e-6"}
      far: {says: the fast one comes farther, holds: "abs(ahead[fast] - 2) < 1e-6"}
)";

// Five throws at 1, 1.1, … 1.4 m/s come 1.2 m far in the mean, with a standard deviation of √0.025 m.
TEST_F(Reproduce, EnsemblesHaveMeansAndConfidenceIntervals) {
  const std::vector<Catalogue> documents = {load(R"(  1:
    title: Flight
    model: ball.yaml
    ensemble: {members: 5, set: ["bodies.ball.velocity=[1 + ${n}*0.1, 5]"]}
    runs:
      slow: {}
      other: {model: ball.yaml, set: ["bodies.ball.velocity=[1.25, 5]"]}
    numbers: {far: last(ball.x)}
    plots: {way: {x: ball.x, y: [ball.y]}}
    claims:
      farther: {says: it comes less far, holds: "far[slow] < far[other]"}
      far: {says: it comes a metre far, holds: "far[slow] > 0.9"}
)")};
  const auto made = reproduce(documents, {.folder = out()});
  const Reproduction& r = made[0];
  ASSERT_TRUE(r.faults.empty()) << r.faults[0];
  EXPECT_NEAR(r.numbers.values[0][0], 1.2, 1e-9);
  EXPECT_NEAR(r.numbers.half_width(0, 0), 2.776445 * std::sqrt(0.025 / 5), 1e-6);
  EXPECT_TRUE(std::isnan(r.numbers.half_width(1, 0)));  // a run of another model is one run
  EXPECT_TRUE(r.judgements[0].open());
  EXPECT_TRUE(r.judgements[1].holds);
  EXPECT_EQ(r.verdict, Verdict::partly);
  EXPECT_NE(gallery_page(made, out()).find("1.2 ± 0.2"), std::string::npos);
  EXPECT_NE(text("out/somebody-2001/figure_1_numbers.csv").find("run,far [m],far +- [m],status"),
            std::string::npos);
  EXPECT_NE(verdict_table(made).find("farther,open,0."), std::string::npos);
  EXPECT_THROW(load("  1: {title: a, model: ball.yaml, ensemble: {members: 3, set: [bodies.ball.mass=2]}, "
                    "plots: {w: {y: [ball.x]}}, "
                    "claims: {c: {says: a, unchecked: b}}}\n"),
               InputError);
}

// A claim that does not hold, and one whose reason is known: printed, and on the page; not where it holds.
TEST_F(Reproduce, SaysWhyAClaimDoesNotHold) {
  std::string text_of_figure = figure;
  const std::string holds = "\"abs(ahead[fast] - 2) < 1e-6\"";
  text_of_figure.replace(text_of_figure.find(holds), holds.size(),
                         "\"ahead[fast] > 3\", because: nobody printed how fast");
  const std::vector<Catalogue> documents = {load(text_of_figure)};
  const auto made = reproduce(documents, {.folder = out()});
  EXPECT_EQ(made[0].verdict, Verdict::partly);
  EXPECT_NE(gallery_page(made, out()).find("Why not: nobody printed how fast"), std::string::npos);
  EXPECT_NE(verdict_table(made).find(",nobody printed how fast\n"), std::string::npos) << verdict_table(made);
  EXPECT_EQ(counts_text(made), "1 figure: 1 partly seen");
  EXPECT_EQ(reason_of({"a", "a", "x > 0", "", "since"}, {.decided = true, .holds = true, .terms = {}}), "");
}

// Fixed steps of 0.03 s: 33 of them and one of 0.01 s. Where they end is drawn, and their length is a signal.
TEST_F(Reproduce, StepsOfTheIntegratorAreRecorded) {
  const std::vector<Catalogue> documents = {load(R"yaml(  1:
    title: Steps
    model: ball.yaml
    set: [simulation.step=0.03, output.step=0.001]
    numbers: {longest: max(step_length), shortest: min(step_length), number: integral(1/step_length)}
    plots: {way: {y: [ball.x], steps: true}}
    claims: {all: {says: a, holds: longest > shortest}}
)yaml")};
  const auto made = reproduce(documents, {.folder = out()});
  ASSERT_TRUE(made[0].faults.empty()) << made[0].faults[0];
  const auto& numbers = made[0].numbers.values[0];
  EXPECT_NEAR(numbers[0], 0.03, 1e-12);
  EXPECT_NEAR(numbers[1], 0.01, 1e-12);
  EXPECT_NEAR(numbers[2], 34, 0.05);  // by the trapezoidal rule over samples of 1 ms
  std::istringstream csv(text("out/somebody-2001/figure_1_way.csv"));
  std::string line;
  std::vector<double> times;
  for (std::getline(csv, line); std::getline(csv, line);)
    times.push_back(std::stod(line.substr(line.find(',') + 1)));
  ASSERT_EQ(times.size(), 34u);
  for (std::size_t i = 0; i < 33; ++i) EXPECT_NEAR(times[i], 0.03 * static_cast<double>(i + 1), 1e-12);
}

TEST_F(Reproduce, PicturesShowWhatStandsInSpace) {
  write("space.yaml",
        "tappet: 1\ndimension: spatial\ngravity: [0, 0, -10]\n"
        "bodies: {ball: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 2], shapes: {skin: {sphere: {radius: "
        "0.5}}}}}\n"
        "ground: {shapes: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}}\n"
        "simulation: {duration: 0.5}\noutput: {step: 0.01}\n");
  const std::string begin =
      "  1:\n    title: Fall\n    model: space.yaml\n    numbers: {low: last(ball.z)}\n    plots: {way: {y: "
      "[ball.z]}}\n    claims: {falls: {says: a, holds: low < 1}}\n    pictures: {a: ";
  const std::vector<Catalogue> documents = {load(begin + "{at: [0 s, 0.4 s]}}\n")};
  const auto made = reproduce(documents, {.folder = out()});
  ASSERT_TRUE(made[0].faults.empty()) << made[0].faults[0];
  for (const auto& [file, said] :
       {std::pair{"figure_1_a_1.svg", "t = 0 ms"}, {"figure_1_a_2.svg", "t = 0.4 s"}}) {
    const std::string svg = text(std::string("out/somebody-2001/") + file);
    EXPECT_NE(svg.find(said), std::string::npos) << svg.substr(0, 600);
    EXPECT_NE(svg.find("<path"), std::string::npos);
  }
  const std::vector<Catalogue> late = {load(begin + "{at: [3 s]}}\n")};
  EXPECT_NE(reproduce(late, {.folder = out()})[0].faults.at(0).find("recorded nothing from 3 s on"),
            std::string::npos);
}

TEST_F(Reproduce, ComputesNumbersVerdictDataAndPage) {
  const std::vector<Catalogue> documents = {load(figure)};
  const auto made = reproduce(documents, {.folder = out()});
  ASSERT_EQ(made.size(), 1u);
  const Reproduction& r = made[0];
  EXPECT_EQ(r.verdict, Verdict::seen) << r.reason;
  EXPECT_NEAR(r.numbers.values[0][1], 1.25, 1e-6);
  // The run that cannot be made is a row with its reason.
  EXPECT_TRUE(r.run_reasons[1].empty());
  EXPECT_NE(r.run_reasons[2].find("mass"), std::string::npos);
  for (const std::string& table : r.tables) EXPECT_TRUE(fs::exists(fs::path(out()) / table)) << table;
  const std::string page = gallery_page(made, out());
  EXPECT_EQ(page.find("<Flight>"), std::string::npos);
  EXPECT_NE(page.find("&lt;Flight&gt;"), std::string::npos);
  EXPECT_NE(page.find("data:image/svg+xml;base64,"), std::string::npos);
  EXPECT_NE(verdict_table(made).find("somebody-2001,1,seen,far,yes"), std::string::npos)
      << verdict_table(made);
}

// The verdict follows the numbers: one setting changed, and one claim less holds; two, and none does.
TEST_F(Reproduce, VerdictsFollowTheNumbers) {
  std::vector<Catalogue> documents = {load(figure)};
  documents[0].figures[0].runs[1].settings = {"bodies.ball.velocity=[3, 6]"};
  EXPECT_EQ(reproduce(documents, {.folder = out()})[0].verdict, Verdict::partly);
  documents[0].figures[0].runs[1].settings = {"bodies.ball.velocity=[2.9, 6]"};
  EXPECT_EQ(reproduce(documents, {.folder = out()})[0].verdict, Verdict::not_seen);
}

TEST_F(Reproduce, WhatFailsIsSaidAndTheRestGoesOn) {
  std::vector<Catalogue> documents = {
      load(std::string(figure) +
           "  2:\n    title: None\n    model: ball.yaml\n"
           "    set: [\"bodies.ball.mass=-1\"]\n    plots: {way: {y: [ball.x]}}\n"
           "    numbers: {far: last(ball.x)}\n    claims: {far: {says: far, holds: far > 0}}\n"
           "  3: {title: Drawing, missing: a drawing}\n")};
  const auto made = reproduce(documents, {.folder = out()});
  ASSERT_EQ(made.size(), 3u);
  EXPECT_EQ(made[0].verdict, Verdict::seen);
  EXPECT_EQ(made[1].verdict, Verdict::failed);
  EXPECT_NE(made[1].reason.find("mass"), std::string::npos);
  EXPECT_EQ(made[2].verdict, Verdict::missing);
  const std::string page = gallery_page(made, out());
  EXPECT_NE(page.find("It could not be made"), std::string::npos);
  EXPECT_NE(page.find("a drawing"), std::string::npos);
}

TEST_F(Reproduce, QuickFiguresSayTheyAre) {
  std::vector<Catalogue> documents = {load(figure)};
  documents[0].figures[0].quick = {"simulation.duration=0.5"};
  const auto quick = reproduce(documents, {.folder = out(), .quick = true});
  EXPECT_TRUE(quick[0].quick);
  EXPECT_EQ(quick[0].verdict, Verdict::partly);  // it does not come as far
  EXPECT_NE(gallery_page(quick, out()).find("--quick"), std::string::npos);
  documents[0].figures[0].quick.clear();
  documents[0].figures[0].slow = true;
  EXPECT_EQ(reproduce(documents, {.folder = out(), .quick = true})[0].verdict, Verdict::left_out);
}

TEST_F(Reproduce, UnknownFiguresAreRefused) {
  const std::vector<Catalogue> documents = {load(figure)};
  EXPECT_THROW(reproduce(documents, {.folder = out(), .figures = {"7"}}), InputError);
}

TEST_F(Reproduce, CheckFindsWhatNoRunHas) {
  check_catalogue(load(figure));
  for (const auto& [from, to] :
       {std::pair{"max(ball.y)", "max(ball.q)"}, {"x: ball.x", "x: ball.q"}, {"ahead[fast]", "ahead[fat]"}}) {
    std::string altered = figure;
    altered.replace(altered.find(from), std::string(from).size(), to);
    EXPECT_THROW(check_catalogue(load(altered)), InputError) << to;
  }
}

// A claim that is not examined does not count as seen.
TEST(Verdict, UncheckedClaimsDoNotHold) {
  const Judgement yes{.decided = true, .holds = true, .terms = {}},
      no{.decided = true, .holds = false, .terms = {}};
  const FigureClaim claim{"a", "says", "x > 0", ""}, open{"b", "says", "", "cannot be seen"};
  EXPECT_EQ(verdict_of({claim, claim}, {yes, yes}), Verdict::seen);
  EXPECT_EQ(verdict_of({claim, claim}, {yes, no}), Verdict::partly);
  EXPECT_EQ(verdict_of({claim, open}, {yes, {}}), Verdict::partly);
  EXPECT_EQ(verdict_of({claim}, {no}), Verdict::not_seen);
}

}  // namespace
}  // namespace tappet::reproduce_test
