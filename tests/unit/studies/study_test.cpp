#include "tappet/studies/study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folder_test.hpp"

namespace tappet::study_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class StudyTest : public FolderTest {
 protected:
  StudyTest() {
    write("model.yaml", R"(tappet: 1
gravity: [0, -9.81]
bodies: {bob: {mass: 1 kg, position: [-1 m, 0]}}
joints: {rod: {type: distance, bodies: [ground, bob], points: [[0, 0], [0, 0]], length: 1 m}}
simulation: {duration: 0.1 s}
output: {step: 10 ms}
)");
  }
  Study load(const std::string& yaml) {
    write("study.yaml", yaml);
    return load_study(path("study.yaml"));
  }
  std::string faults(const std::string& yaml) {
    try {
      load(yaml);
    } catch (const InputError& error) {
      std::string out;
      for (const Diagnostic& diagnostic : error.diagnostics()) out += diagnostic.text() + "\n";
      return out;
    }
    return "";
  }
};

const std::string good = R"(study: 1
model: model.yaml
parameters:
  mass: {path: bodies.bob.mass, from: 1 kg, to: 3 kg, count: 3}
  x: {values: [-1, -0.5]}
set: ["bodies.bob.position=[${x} m, 0]", "joints.rod.length=0 - ${x} m"]
revolution: 0.1*${mass} s
metrics:
  low: min(bob.y)
  late: {value: max(abs(bob.vx)), from: 50 ms}
)";

TEST_F(StudyTest, RunsFollowFromTheFile) {
  const Study study = load(good);
  EXPECT_EQ(study.runs(), 6u);
  EXPECT_THAT(study.settings_of(3), ElementsAre("bodies.bob.mass=2 kg", "bodies.bob.position=[-0.5 m, 0]",
                                                "joints.rod.length=0 - -0.5 m"));
  EXPECT_DOUBLE_EQ(study.revolution_of(5).period, 0.3);
  EXPECT_THAT(study.signals, ElementsAre("bob.vx", "bob.y"));
  EXPECT_EQ(study.metrics[1].window.from, 0.05);
}

TEST_F(StudyTest, TheFingerprintChangesWithWhateverChangesARow) {
  const std::string first = load(good).fingerprint();
  EXPECT_EQ(load(good).fingerprint(), first);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return load(text).fingerprint();
  };
  EXPECT_NE(changed("3 kg", "4 kg"), first);
  EXPECT_NE(changed("min(bob.y)", "max(bob.y)"), first);
  EXPECT_NE(changed("50 ms", "60 ms"), first);
  EXPECT_NE(changed("length=0 -", "length=-1*"), first);
  EXPECT_NE(changed("0.1*$", "0.2*$"), first);
  write("model.yaml", text("model.yaml") + "title: changed\n");
  EXPECT_NE(load(good).fingerprint(), first);
}

TEST_F(StudyTest, FaultsHaveTheirPlace) {
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return faults(text);
  };
  EXPECT_THAT(with("min(bob.y)", "min(bob.z)"), HasSubstr("study.yaml:9:8: error: metric 'low'"));
  EXPECT_THAT(with("to: 3 kg", "to: 3 g"),
              HasSubstr("study.yaml:4:49: error: `from` is in 'kg' and `to` in 'g'"));
  EXPECT_THAT(with("from: 1 kg, ", ""), HasSubstr("either `values`, or `from` and `to`"));
  EXPECT_THAT(with("count: 3", "conut: 3"), HasSubstr("did you mean 'count'?"));
  EXPECT_THAT(with("model.yaml", "none.yaml"), HasSubstr("study.yaml:2:8: error: there is no model file"));
  EXPECT_THAT(with("${x} m, 0", "${y} m, 0"), HasSubstr("'${y}' names no parameter; parameters: mass and x"));
  EXPECT_THAT(with("0.1*${mass} s", "bob.x"), HasSubstr("study.yaml:7:13: error: `revolution`"));
  EXPECT_THAT(with("0.1*${mass} s", "0.1 kg"), HasSubstr("mass"));
  EXPECT_THAT(with("bodies.bob.mass", "bodies.bob.maß"), HasSubstr("no run of the study is possible"));
  EXPECT_THAT(with("revolution: 0.1*${mass} s\nmetrics:\n  low: min(bob.y)",
                   "metrics:\n  low: {value: min(bob.y), last: 1}"),
              HasSubstr("say with `revolution`"));
  EXPECT_THAT(good + "", HasSubstr("study"));
  EXPECT_THAT(faults(good + "plots: {a: {x: mass, y: none}}\n"),
              HasSubstr("study.yaml:11:25: error: `y` of plot 'a' is 'none'; allowed: low and late"));
  EXPECT_THAT(faults(good + "sampling: {type: sobol}\n"), HasSubstr("missing key 'samples'"));
}

TEST_F(StudyTest, SomeImpossibleRunsAreNoFaultOfTheStudy) {
  std::string text = good;
  text.replace(text.find("from: 1 kg"), 10, "from: -1 kg");
  text.replace(text.find("0.1*${mass} s"), 13, "0.1 s");
  EXPECT_EQ(load(text).runs(), 6u);
}

}  // namespace
}  // namespace tappet::study_test
