// What can be wrong with a structure in a model file is said, with its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regressions/program.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::structure_input_test {
namespace {

using ::testing::HasSubstr;

/// The messages of a model whose `structure` mapping is this.
std::string messages(const std::string& structure, const std::string& more = "") {
  const std::string text = R"(
tappet: 1
dimension: spatial
materials: {steel: {young: 2e11, poisson: 0.3, density: 7800}, odd: {young: 1e9, poisson: 0.5}}
bodies:
  part:
    structure: )" + structure +
                           R"(
ground: {shapes: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}}
simulation: {method: moreau, duration: 1, step: 0.1}
)" + more;
  std::string out;
  Diagnostics diagnostics;
  try {
    compile(spec_from_text(text, "test.yaml"), diagnostics);
  } catch (const InputError& e) {
    for (const Diagnostic& d : e.diagnostics()) out += d.text() + "\n";
    return out;
  }
  for (const Diagnostic& d : diagnostics.all()) out += d.text() + "\n";
  return out;
}

const std::string block = "generate: {block: {size: [1, 1, 1], divisions: [1, 1, 1]}}";

TEST(StructureInput, GoodModelsAreAccepted) {
  EXPECT_EQ(messages("{" + block + ", material: steel, fix: {xmin: [x, y, z]}}"), "");
  EXPECT_EQ(messages("{" + block + ", material: steel, fix: {xmin: {held: [x]}}}"), "");
}

TEST(StructureInput, FaultsAreSentences) {
  EXPECT_THAT(
      messages("{material: steel}"),
      HasSubstr(
          "test.yaml:7:16: error: structure 'part' has neither `mesh` nor `generate`; give one of them"));
  EXPECT_THAT(messages("{" + block + "}"), HasSubstr("structure 'part' has no `material`"));
  EXPECT_THAT(messages("{" + block + ", material: stele}"),
              HasSubstr("'stele', which is not among `materials` (did you mean 'steel'?)"));
  EXPECT_THAT(messages("{" + block + ", material: odd}"),
              HasSubstr("Poisson's ratio of 0.5; it must lie between -1 and 0.5"));
  EXPECT_THAT(messages("{" + block + ", material: steel, fix: {xmim: [x]}}"),
              HasSubstr("has no group 'xmim' in its mesh (did you mean 'xmin'?); groups: xmin"));
  EXPECT_THAT(messages("{" + block + ", material: steel, fix: {xmin: [w]}}"),
              HasSubstr("holds 'w' of group 'xmin'; x, y, z, rx, ry and rz can be held"));
  EXPECT_THAT(messages("{generate: {block: {size: [1, 1, 1], divisions: [1, 0, 1]}}, material: steel}"),
              HasSubstr("`divisions` holds 0; whole numbers from 1 on"));
  EXPECT_THAT(
      messages("{generate: {block: {size: [1, 1, 1], divisions: [2, 2, 2], grading: [1, 0, 1]}}, material: "
               "steel}"),
      HasSubstr("`grading` holds 0; ratios of the last element to the first from 0.001 to 1000 are allowed"));
  EXPECT_THAT(messages("{generate: {plate: {size: [1, 1], divisions: [2, 2], grading: 3}}, material: steel}"),
              HasSubstr("grading"));
  EXPECT_THAT(messages("{generate: {plate: {size: [1, 1], divisions: [1, 1]}}, material: steel}"),
              HasSubstr("has shells or plane elements without a `thickness`"));
  EXPECT_THAT(messages("{generate: {space-frame: {size: [1, 1, 1], cells: [1, 1, 1]}}, material: steel}"),
              HasSubstr("has beams whose section has no shape"));
  EXPECT_THAT(messages("{mesh: there_is_none.msh, material: steel}"),
              HasSubstr("the mesh file 'there_is_none.msh' does not exist"));
  EXPECT_THAT(messages("{mesh: some.stl, material: steel}"),
              HasSubstr("ends in '.stl'; known are .inp and .msh"));
  EXPECT_THAT(
      messages("{" + block + ", material: steel}",
               "contacts: {c: {between: [ground.floor, part.zmim], normal: {law: newton, restitution: 0}}}"),
      HasSubstr("structure 'part' has no group 'zmim' in its mesh"));
  EXPECT_THAT(
      messages("{" + block +
               ", material: steel, springs: {s: {between: [ground, tip], axis: [0, 0, 1], stiffness: 1}}}"),
      HasSubstr("has no group 'tip'"));
}

TEST(StructureInput, MillimetresAreSuspected) {
  EXPECT_THAT(
      messages("{generate: {block: {size: [120, 80, 20], divisions: [1, 1, 1]}}, material: steel}"),
      HasSubstr(
          "is 145.6 m long and weighs 1.498e+09 kg; if its mesh is in millimetres, give `scale: 1 mm`"));
}

/// The program with a mesh file in millimetres beside the model.
class StructureFiles : public test::ProgramTest {
 protected:
  test::Outcome solve(const std::string& mesh, const std::string& structure) {
    write("part.inp", mesh);
    write("part.yaml", R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
materials: {steel: {young: 210 GPa, poisson: 0.3, density: 7850 kg/m^3}}
bodies:
  part: {structure: {mesh: part.inp, material: steel, )" +
                           structure + R"(}}
)");
    return run({"solve", "part.yaml", "--static"});
  }
  // Two bricks of 100 mm in a row.
  const std::string nodes = R"(*NODE
1, 0, 0, 0
2, 0.1, 0, 0
3, 0.2, 0, 0
4, 0, 0.1, 0
5, 0.1, 0.1, 0
6, 0.2, 0.1, 0
7, 0, 0, 0.1
8, 0.1, 0, 0.1
9, 0.2, 0, 0.1
10, 0, 0.1, 0.1
11, 0.1, 0.1, 0.1
12, 0.2, 0.1, 0.1
)";
  const std::string bricks = R"(*ELEMENT, TYPE=C3D8, ELSET=all
1, 1, 2, 5, 4, 7, 8, 11, 10
2, 2, 3, 6, 5, 8, 9, 12, 11
*NSET, NSET=left
1, 4, 7, 10
*NSET, NSET=corner
1
)";
};

TEST_F(StructureFiles, WholeOnesAreSolved) {
  const auto good = solve(nodes + bricks, "fix: {left: [x, y, z]}");
  EXPECT_EQ(good.status, 0) << good.err;
  EXPECT_THAT(good.out, HasSubstr("part: 24 unknowns, 15.7 kg"));
}

TEST_F(StructureFiles, NodesWithoutElementsAreNamed) {
  const auto outcome = solve(nodes + "77, 5, 5, 5\n78, 5, 5, 6\n" + bricks, "fix: {left: [x, y, z]}");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("warning: structure 'part': 2 of 14 nodes of"));
  EXPECT_THAT(outcome.err, HasSubstr("belong to no element and are left out: 77"));
}

TEST_F(StructureFiles, BadElementsAreCountedAndListed) {
  const auto inverted = solve(nodes + R"(*ELEMENT, TYPE=C3D8, ELSET=all
1, 1, 2, 5, 4, 7, 8, 11, 10
2, 8, 9, 12, 11, 2, 3, 6, 5
)",
                              "fix: {all: [x]}");
  EXPECT_EQ(inverted.status, 2);
  EXPECT_THAT(inverted.err, HasSubstr("1 of 2 elements of"));
  EXPECT_THAT(inverted.err, HasSubstr("are turned inside out"));
  EXPECT_THAT(inverted.err, HasSubstr("fold over): 2"));
  const auto flat = solve(nodes + R"(*ELEMENT, TYPE=S4, ELSET=all
5, 1, 2, 5, 4
6, 2, 3, 3, 2
)",
                          "section: {thickness: 1 mm}, fix: {all: [x]}");
  EXPECT_EQ(flat.status, 2);
  EXPECT_THAT(flat.err, HasSubstr("1 of 2 elements of"));
  EXPECT_THAT(flat.err, HasSubstr("have no length, area or volume: 6"));
}

TEST_F(StructureFiles, MissingGroupsAreSaidWithThoseThatExist) {
  const auto outcome = solve(nodes + bricks, "fix: {right: [x, y, z]}");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("has no group 'right' in its mesh"));
  EXPECT_THAT(outcome.err, HasSubstr("left"));
  EXPECT_THAT(outcome.err, HasSubstr("corner"));
}

TEST_F(StructureFiles, MotionsThatSupportsLeaveFreeAreNamed) {
  const auto corner = solve(nodes + bricks, "fix: {corner: [x, y, z]}");
  EXPECT_EQ(corner.status, 2);
  EXPECT_THAT(corner.err,
              HasSubstr("is not held: its supports leave 3 motions free: rotation of the whole about"));
  const auto sliding = solve(nodes + bricks, "fix: {left: [x, y]}");
  EXPECT_EQ(sliding.status, 2);
  EXPECT_THAT(sliding.err,
              HasSubstr("its supports leave one motion free: translation of the whole along [0, 0, 1]"));
  const auto loose = solve(nodes + bricks, "damping: {mass: 0}");
  EXPECT_EQ(loose.status, 2);
  EXPECT_THAT(loose.err, HasSubstr("is not held at all"));
}

TEST_F(StructureFiles, MillimetresAreSuspected) {
  std::string large = nodes;
  for (auto at = large.find("0.1"); at != std::string::npos; at = large.find("0.1", at))
    large.replace(at, 3, "100");
  for (auto at = large.find("0.2"); at != std::string::npos; at = large.find("0.2", at))
    large.replace(at, 3, "200");
  EXPECT_THAT(solve(large + bricks, "fix: {left: [x, y, z]}").err,
              HasSubstr("if its mesh is in millimetres, give `scale: 1 mm`"));
  EXPECT_THAT(solve(large + bricks, "scale: 0.001, fix: {left: [x, y, z]}").out,
              HasSubstr("24 unknowns, 15.7 kg"));
}

// Cut short, a mesh is refused at its end or read as far as it goes: always by a sentence, never by a crash.
TEST_F(StructureFiles, CutShortTheyNeverCrash) {
  const std::string whole = nodes + bricks;
  for (std::size_t cut : {std::size_t{0}, std::size_t{3}, std::size_t{40}, nodes.size(), nodes.size() + 20,
                          nodes.size() + 50, whole.size() - 30}) {
    const auto outcome = solve(whole.substr(0, cut), "fix: {left: [x, y, z]}");
    EXPECT_TRUE(outcome.status == 0 || outcome.status == 2) << cut << ": " << outcome.status;
    EXPECT_TRUE(outcome.status == 0 || outcome.err.find("error: ") != std::string::npos)
        << cut << ": " << outcome.err;
  }
}

}  // namespace
}  // namespace tappet::testing::structure_input_test
