// What can be wrong with a structure in a model file is said, with its place.
#include "support/run_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tappet::testing {
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
  EXPECT_THAT(messages("{generate: {plate: {size: [1, 1], divisions: [1, 1]}}, material: steel}"),
              HasSubstr("has shells without a `thickness`"));
  EXPECT_THAT(messages("{generate: {space-frame: {size: [1, 1, 1], cells: [1, 1, 1]}}, material: steel}"),
              HasSubstr("has beams whose section has no shape"));
  EXPECT_THAT(messages("{mesh: there_is_none.msh, material: steel}"),
              HasSubstr("the mesh file 'there_is_none.msh' cannot be opened"));
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
          "is 145.6 m long and weighs 1.498e+09 kg; if its mesh is in millimetres, give `scale: 0.001`"));
}

}  // namespace
}  // namespace tappet::testing
