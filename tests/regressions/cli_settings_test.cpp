// A setting changes what is there; a misspelt name is refused, and adding has its own word: settings, inputs of studies,
// definitions, additions, models from standard input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regressions/program.hpp"
#include "support/paths.hpp"

namespace tappet::test::cli_settings_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class CliSettings : public ProgramTest {
 protected:
  CliSettings() {
    write("m.yaml",
          "tappet: 1\ndefine: {mass: 2 kg}\nbodies:\n  crank: {mass: mass, inertia: 1}\n  rod: {mass: 1, "
          "inertia: 1, "
          "shapes: {skin: {circle: {radius: 0.1}}}}\n"
          "ground: {shapes: {floor: {plane: {point: [0, -9], normal: [0, 1]}}}}\n"
          "joints:\n  pin: {type: revolute, bodies: [ground, crank], points: [[0, 0], [0, 0]]}\n"
          "contacts:\n  hit: {between: [ground.floor, rod.skin], normal: {law: hooke, stiffness: 1e5}}\n"
          "simulation: {duration: 1 ms}\n");
  }
};

struct Misspelt {
  const char *setting, *says;
};

TEST_F(CliSettings, AMisspeltNameIsRefusedWhereverNamesAreFree) {
  for (const auto& [setting, says] :
       {Misspelt{"bodies.rot.mass=3", "the model has no 'bodies.rot'; did you mean 'rod'?"},
        {"bodies.rot={mass: 3, inertia: 1}", "no 'bodies.rot'"},
        {"define.masss=3", "no 'define.masss'; did you mean 'mass'?"},
        {"joints.pn.points=[[0, 0], [0, 0]]", "did you mean 'pin'?"},
        {"contacts.hitt.normal.stiffness=1", "did you mean 'hit'?"},
        {"contacts.hitt.normal={law: hertz}", "did you mean 'hit'?"},
        {"ground.shapes.flor.plane.point=[0, 1]", "no 'ground.shapes.flor'; did you mean 'floor'?"},
        {"bodies.rod.shapes.skn.circle.radius=1", "did you mean 'skin'?"},
        {"forces.push.fx=1", "'forces' holds nothing"},
        {"motions.motor.speed=1", "'motions' holds nothing"},
        {"materials.steel.young=1", "'materials' holds nothing"}}) {
    const Outcome outcome = run({"check", "m.yaml", "--set", setting});
    EXPECT_EQ(outcome.status, 2) << setting;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(says), HasSubstr("--add"))) << setting;
  }
}

// Keys that the tables know may be new in an element that is there.
TEST_F(CliSettings, OptionalKeysOfWhatIsThereAreSet) {
  for (const char* setting :
       {"bodies.rod.velocity=[1, 0]", "contacts.hit.friction.coefficient=0.1", "output.step=1 us",
        "contacts.hit.normal.damping=3", "bodies.rod.shapes.skin.circle.radius=0.2", "define.mass=3 kg",
        "simulation.tolerance=1e-6", "joints.pin.points.1.0=1 mm", "gravity=[0, -9.81]"}) {
    const Outcome outcome = run({"check", "m.yaml", "--set", setting});
    EXPECT_EQ(outcome.status, 0) << setting << "\n" << outcome.err;
  }
}

TEST_F(CliSettings, AddingHasItsOwnWord) {
  const std::string push = "forces.push={type: expression, body: rod, fx: 1}";
  EXPECT_EQ(run({"check", "m.yaml", "--set", push}).status, 2);
  // Whatever the order: what is added can be set.
  const Outcome added = run({"check", "m.yaml", "--set", "forces.push.fx=2", "--add", push});
  EXPECT_EQ(added.status, 0) << added.err;
  const Outcome twice = run({"check", "m.yaml", "--add", "bodies.rod.mass=3"});
  EXPECT_EQ(twice.status, 2);
  EXPECT_THAT(twice.err,
              HasSubstr("--add bodies.rod.mass=3: error: 'bodies.rod.mass' is in the model already"));
}

TEST_F(CliSettings, StudiesAreHeldToTheSameRule) {
  const auto study = [&](const std::string& path, const std::string& set) {
    write("s.yaml", "study: 1\nmodel: m.yaml\nparameters: {mass: {path: " + path + ", values: [1, 2]}}\n" +
                        (set.empty() ? "" : "set: [" + set + "]\n") + "metrics: {v: last(rod.vx)}\n");
    return run({"check", "s.yaml"});
  };
  EXPECT_EQ(study("bodies.rod.mass", "").status, 0);
  const Outcome path = study("bodies.rot.mass", "");
  EXPECT_EQ(path.status, 2);
  EXPECT_THAT(path.err, HasSubstr("did you mean 'rod'?"));
  const Outcome set = study("bodies.rod.mass", "\"bodies.crnk.mass=${mass}\"");
  EXPECT_EQ(set.status, 2);
  EXPECT_THAT(set.err, HasSubstr("did you mean 'crank'?"));
  EXPECT_EQ(study("bodies.rod.mass", "\"+forces.push={type: expression, body: rod, fx: 1}\"").status, 0);
}

TEST_F(CliSettings, AModelComesFromStandardInput) {
  const std::string command =
      "cd '" + path("") + "' && '" + testing::program() + "' run - -q -o in.h5 < m.yaml && '" +
      testing::program() + "' run m.yaml -q -o file.h5 && '" + testing::program() +
      "' export in.h5 > in.csv && '" + testing::program() + "' export file.h5 > file.csv";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(text("in.csv"), text("file.csv"));
  ASSERT_NE(std::system(("cd '" + path("") + "' && echo 'tappet: 1\nbodys: {}' | '" + testing::program() +
                         "' check - 2> said")
                            .c_str()),
            0);
  EXPECT_THAT(text("said"), HasSubstr("standard input:2:1: error: unknown key 'bodys'"));
}

}  // namespace
}  // namespace tappet::test::cli_settings_test
