// What is wrong with a flexible body is said in a sentence with its place.
#include "tappet/model/compile_flexible.hpp"

#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::compile_flexible_test {
namespace {

// The first error of a model with one flexible body, `flexible` its mapping.
std::string refusal(const std::string& flexible, const std::string& rest = "", const std::string& body = "",
                    const std::string& method = "smooth") {
  try {
    model_of_text(fmt::format(R"(
tappet: 1
dimension: spatial
materials: {{m: {{young: 1e9, poisson: 0.3, density: 1000}}}}
bodies:
  box: {{mass: 1, inertia: [1, 1, 1]}}
  rod: {{{}flexible: {{{}}}}}
{}
simulation: {{duration: 1, method: {}}}
)",
                              body, flexible, rest, method));
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

const std::string beam =
    "generate: {beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 4}}, material: m, section: {rectangle: [20 "
    "mm, 10 mm]}";
const std::string ends = ", interfaces: {a: {group: start}, b: {group: end}}";

TEST(CompileFlexible, SaysWhatIsWrong) {
  EXPECT_EQ(refusal(beam + ends), "");
  const struct {
    std::string flexible, rest, body, says;
  } cases[] = {
      {"", "", "", "none of its sources"},
      {beam + ", matrices: x.h5", "", "", "give one of `mesh`, `generate`, `matrices` and `arrays`"},
      {"matrices: nowhere.h5", "", "", "which does not exist"},
      {beam, "", "", "has no `interfaces`"},
      {beam + ", interfaces: {a: {group: nothing}}", "", "", "nothing"},
      {beam + ", interfaces: {a: {group: start}, b: {group: start}}", "", "", "belongs to another one too"},
      {beam + ", interfaces: {a: {}}", "", "", "neither `group` nor `at`"},
      {beam + ends + ", frame: c", "", "",
       "`frame` of flexible body 'rod' is 'c'; it must be one of mean, a and b"},
      {beam + ends + ", highest: 1e-3", "", "", "no mode below `highest`"},
      {beam + ends + ", large_rotations: true", "", "", "is for a body's `structure`"},
      {beam + ends, "", "mass: 1, ", "has `flexible` and `mass`"},
      {beam + ends, "",
       "structure: {generate: {block: {size: [1, 1, 1], divisions: [1, 1, 1]}}, material: m}, ",
       "has `flexible` and `structure`"},
      {beam + ends, "joints: {j: {type: spherical, bodies: [box, rod], points: [[0, 0, 0], [0, 0, 0]]}}", "",
       "acts on 'rod', which is flexible: name one of its interfaces: rod.a and rod.b"},
      {beam + ends, "joints: {j: {type: spherical, bodies: [box, rod.c], points: [[0, 0, 0], [0, 0, 0]]}}",
       "", "'rod.c', which does not exist"},
      {beam + ends + ", damping: {ratio: [1, 2]}", "", "", "`ratio` of flexible body 'rod' has 2 numbers"},
      {beam + ends + ", damping: {ratio: [0.1], mass: 1}", "", "", "`ratio` beside Rayleigh's"},
      {beam + ends + ", coordinates: [1]", "", "",
       "`coordinates` of flexible body 'rod' has 1 numbers; it has 6"},
      {beam + ", interfaces: {a: {group: start, kind: averaged}}", "", "", "in one place"},
      {"generate: {plate: {size: [1, 1], divisions: [2, 2]}}, section: {thickness: 10 mm}, material: m, "
       "interfaces: "
       "{a: {group: xmin, kind: averaged}}",
       "", "", "on a line"},
      {beam + ", interfaces: {a: {group: start, kind: glued}}", "", "", "rigid and averaged"},
      {beam + ends + ", modes: 100", "", "", "only 18 beside what its interfaces do"},
      {beam + ends + ", boundary: loose", "", "", "fixed and free"},
      {beam + ends, "", "shapes: {s: {sphere: {radius: 1 mm}}}, ", "`flexible.interfaces.NAME.shapes`"},
      {beam + ends,
       "ground: {shapes: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}}\n"
       "contacts: {c: {between: [ground.floor, rod.nothing], normal: {law: hooke, stiffness: 1}}}",
       "", "nothing"},
      {beam + ends,
       "ground: {shapes: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}}\n"
       "contacts: {c: {between: [ground.floor, rod.all], group: true, normal: {law: hooke, stiffness: 1}}}",
       "", "surfaces of flexible bodies are followed place by place"},
      {"arrays: {mass: 1, inertia: [1, 1, 1], S: {xx: [[1]]}, stiffness: [[1]]}",
       "ground: {shapes: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}}\n"
       "contacts: {c: {between: [ground.floor, rod.all], normal: {law: hooke, stiffness: 1}}}",
       "", "given by its integrals"},
      {"arrays: {mass: 1, inertia: [1, 1, 1], S: {xx: [[1]]}, stiffness: [[1]]}, interfaces: {a: "
       "{translation: "
       "[[1], [0], [0]], kind: averaged}}",
       "", "", "belongs to a mesh"},
      {"generate: {block: {size: [1, 1, 1], divisions: [1, 1, 1]}}, material: m, geometric_stiffening: "
       "false, interfaces: {a: {at: "
       "[0, 0, 0]}}",
       "", "", "lie on a line"},
      {"arrays: {mass: 1, inertia: [1, 1, 1], S: {xx: [[1, 0], [0, 1]]}, stiffness: [[1, 0], [0, -1]]}", "",
       "", "fly apart"},
      {"arrays: {mass: 1, inertia: [1, 1, 1], S: {xx: [[1, 0], [0, 0]]}, stiffness: [[1, 0], [0, 1]]}", "",
       "", "has no mass"},
      {"arrays: {mass: 1, inertia: [1, 1, 1], S: {xx: [[1]]}, stiffness: [[1]], p: [[3], [0], [0]]}", "", "",
       "is not positive definite"},
      {"arrays: {mass: 1, inertia: [1, 1, 1], S: {xx: [[1]]}, stiffness: [[1]], p: [[1, 2], [0, 1], [0, 1]]}",
       "", "", "`p` of flexible body 'rod' is 3 × 2; it must be 3 × 1"},
      {"arrays: {mass: 1, inertia: [1, 1, 1], S: {xx: [[1]]}, stiffness: [[1]]}, modes: 3", "", "",
       "belongs to a mesh"},
  };
  for (const auto& each : cases) {
    const std::string said = refusal(each.flexible, each.rest, each.body);
    EXPECT_NE(said.find(each.says), std::string::npos) << each.flexible << each.rest << "\n  says: " << said;
    EXPECT_NE(said.find("test.yaml:"), std::string::npos) << said;
  }
  EXPECT_NE(refusal(beam + ends, "", "", "moreau, step: 1e-3, theta: 1").find("theta: 0.5"),
            std::string::npos);
}

// A mesh of two parts.
TEST(CompileFlexible, RefusesAMeshThatIsNotConnected) {
  const std::string path = ::testing::TempDir() + "two_beams.inp";
  std::ofstream(path) << "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 1, 1, 0\n*ELEMENT, TYPE=B31, "
                         "ELSET=all\n1, 1, 2\n2, 3, 4\n"
                         "*NSET, NSET=start\n1\n*NSET, NSET=end\n2\n";
  const std::string said =
      refusal("mesh: " + path + ", material: m, section: {rectangle: [20 mm, 10 mm]}, modes: 2" + ends);
  EXPECT_FALSE(said.empty());
  EXPECT_NE(said.find("test.yaml:"), std::string::npos) << said;
}

}  // namespace
}  // namespace tappet::testing::compile_flexible_test
