#include "tappet/studies/catalogue.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tappet/studies/reproduce.hpp"
#include "unit/studies/catalogue_folder.hpp"

namespace tappet::catalogue_test {
namespace {

class CatalogueFile : public CatalogueFolder {
 protected:
  CatalogueFile() {
    write("ball.yaml",
          "tappet: 1\ndimension: planar\ngravity: [0, -10]\nbodies: {ball: {mass: 1, inertia: 1, velocity: "
          "[1, 0]}}\n"
          "simulation: {duration: 1, tolerance: 1e-9}\noutput: {step: 0.1}\n");
    write("speeds.yaml",
          "study: 1\nmodel: ball.yaml\nparameters: {speed: {path: "
          "bodies.ball.velocity.0, values: [1, 2.5]}}\n"
          "metrics: {far: last(ball.x)}\n");
  }
  std::string fault(const std::string& figures) const {
    try {
      load(figures);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no fault";
  }
};

constexpr char rest[] =
    "    plots: {way: {y: [ball.x]}}\n    claims: {moves: {says: it moves, holds: far > 0}}\n    numbers: "
    "{far: last(ball.x)}\n";

TEST_F(CatalogueFile, AFigureOfAModel) {
  const Catalogue c =
      load(std::string("  1:\n    title: Way\n    model: ball.yaml\n    set: [bodies.ball.mass=2]\n") + rest +
           "  2b: {title: Drawing, missing: a drawing}\n");
  EXPECT_EQ(c.name, "somebody-2001");
  ASSERT_EQ(c.figures.size(), 2u);
  const CatalogueFigure& figure = c.figures[0];
  ASSERT_EQ(figure.runs.size(), 1u);
  EXPECT_EQ(figure.runs[0].settings, std::vector<std::string>{"bodies.ball.mass=2"});
  EXPECT_EQ(figure.plots[0].x, "time");
  EXPECT_EQ(figure.numbers[0].text, "last(ball.x)");
  EXPECT_EQ(c.figures[1].number, "2b");
  EXPECT_EQ(c.figures[1].missing, "a drawing");
}

// Settings of the figure are those of its model; a run with a model of its own has its own.
TEST_F(CatalogueFile, RunsAddToTheFiguresSettings) {
  const Catalogue c = load(
      std::string("  1:\n    title: Way\n    model: ball.yaml\n    set: [bodies.ball.mass=2]\n    runs:\n"
                  "      a: {set: [simulation.duration=2]}\n      b: {model: ball.yaml, label: other}\n") +
      rest);
  const auto& runs = c.figures[0].runs;
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].settings, (std::vector<std::string>{"bodies.ball.mass=2", "simulation.duration=2"}));
  EXPECT_TRUE(runs[1].settings.empty());
  EXPECT_EQ(runs[1].label, "other");
}

TEST_F(CatalogueFile, AFigureOfAStudyTakesItsRunsAndMetrics) {
  const Catalogue c = load(
      "  1:\n    title: Way\n    study: speeds.yaml\n    plots: {way: {y: [ball.x]}}\n"
      "    claims: {rises: {says: faster is farther, holds: rising(far)}}\n");
  const CatalogueFigure& figure = c.figures[0];
  ASSERT_EQ(figure.runs.size(), 2u);
  EXPECT_EQ(figure.runs[1].name, "2.5");
  EXPECT_EQ(figure.runs[1].label, "speed 2.5");
  ASSERT_EQ(figure.numbers.size(), 1u);
  EXPECT_EQ(figure.numbers[0].name, "far");
}

TEST_F(CatalogueFile, VariantsOfAStudyAreGroupsOfRuns) {
  const Catalogue c = load(
      "  1:\n    title: Way\n    study: speeds.yaml\n    set: [bodies.ball.mass=2]\n"
      "    variants: {long: {label: longer, set: [simulation.duration=2]}, plain: {}}\n"
      "    plots: {way: {y: [ball.x], runs: [long]}}\n"
      "    claims: {rises: {says: faster is farther, holds: \"rising(far[long])*(far[long, 2.5] > far[plain, "
      "2.5])\"}}\n");
  const CatalogueFigure& figure = c.figures[0];
  ASSERT_EQ(figure.runs.size(), 4u);
  EXPECT_EQ(figure.runs[1].name, "long, 2.5");
  EXPECT_EQ(figure.runs[1].label, "speed 2.5, longer");
  EXPECT_EQ(figure.runs[1].group, "long");
  ASSERT_EQ(figure.runs[1].settings.size(), 3u);
  EXPECT_EQ(figure.runs[1].settings[1], "simulation.duration=2");
  EXPECT_EQ(figure.runs[3].group, "plain");
  check_catalogue(c);
  EXPECT_NE(fault(std::string("  1:\n    title: Way\n    model: ball.yaml\n    variants: {a: {}}\n") + rest)
                .find("`variants` are of a `study`"),
            std::string::npos);
  EXPECT_NE(
      fault(std::string("  1:\n    title: Way\n    model: ball.yaml\n    runs: {a: {group: b}, b: {}}\n") +
            rest)
          .find("a run and a group of the name 'b'"),
      std::string::npos);
}

TEST_F(CatalogueFile, TablesStandBesideFigures) {
  const Catalogue c = load(
      "  1: {title: Sketch, missing: a sketch}\n"
      "tables:\n  1:\n    title: Masses\n    model: ball.yaml\n    numbers: {mass: last(ball.x)}\n"
      "    claims: {mass: {says: one, holds: mass == 1, because: it is not printed}}\n");
  ASSERT_EQ(c.figures.size(), 2u);
  EXPECT_EQ(c.figures[0].called(), "figure 1");
  EXPECT_EQ(c.figures[1].called(), "table 1");
  EXPECT_TRUE(c.figures[1].table);
  EXPECT_EQ(c.figures[1].claims[0].because, "it is not printed");
}

TEST_F(CatalogueFile, PicturesNameInstantsAndWhereTheViewerStands) {
  const std::string begin = std::string("  1:\n    title: Way\n    model: ball.yaml\n") + rest;
  const Catalogue c = load(begin + "    pictures: {a: {at: [2 ms, 0.1 s], from: [1, 0, 1]}}\n");
  ASSERT_EQ(c.figures[0].pictures.size(), 1u);
  EXPECT_EQ(c.figures[0].pictures[0].at, (std::vector<double>{0.002, 0.1}));
  EXPECT_EQ(c.figures[0].pictures[0].title, "Way");
  for (const auto& [keys, word] : {std::pair{"at: [soon]", "is not a time"},
                                   {"at: [2 s, 1 s]", "must rise"},
                                   {"at: [1 s], from: [0, 0, 1]", "must not lie along z"},
                                   {"at: [1 s], run: other", "there is no run 'other'"}})
    EXPECT_NE(fault(begin + fmt::format("    pictures: {{a: {{{}}}}}\n", keys)).find(word), std::string::npos)
        << word;
}

TEST_F(CatalogueFile, FaultsSayWhereTheyAre) {
  EXPECT_NE(fault("  1: {title: Way}\n").find("needs a `model`"), std::string::npos);
  EXPECT_NE(fault(std::string("  1:\n    title: Way\n    model: bal.yaml\n") + rest).find("there is no file"),
            std::string::npos);
  EXPECT_NE(fault("  1: {title: Way, missing: a drawing, model: ball.yaml}\n").find("beside `missing`"),
            std::string::npos);
  EXPECT_NE(fault(std::string("  1:\n    title: Way\n    model: ball.yaml\n    reference: ideal\n") + rest)
                .find("there is no run 'ideal'"),
            std::string::npos);
  EXPECT_NE(fault("  1:\n    title: Way\n    model: ball.yaml\n    plots: {way: {y: [ball.x]}}\n"
                  "    claims: {moves: {says: it moves}}\n")
                .find("needs either `holds`"),
            std::string::npos);
  EXPECT_NE(
      fault("  1:\n    title: Way\n    model: ball.yaml\n    plots: {way: {y: [ball.x], labels: [a, b]}}\n"
            "    claims: {moves: {says: it moves, unchecked: why}}\n")
          .find("`labels` has 2 items for 1"),
      std::string::npos);
  EXPECT_NE(fault("  1:\n    title: Way\n    modell: ball.yaml\n").find("somebody-2001.yaml:8:5"),
            std::string::npos)
      << fault("  1:\n    title: Way\n    modell: ball.yaml\n");
}

}  // namespace
}  // namespace tappet::catalogue_test
