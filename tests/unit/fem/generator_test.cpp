#include "tappet/fem/generator.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/run_model.hpp"
#include "support/structures.hpp"

namespace tappet::fem::generator_test {
namespace {

/// Total mass of unit density, with unit thickness or area: the mesh's measure; and no element is inverted.
double measure(const Mesh& mesh, const char* element) {
  Section section;
  section.thickness = section.area = 1;
  section.inertia_y = section.inertia_z = section.torsion = 1;
  const Structure s = test::one_material(mesh, element, {.young = 1, .poisson = 0, .density = 1}, section);
  Diagnostics diagnostics;
  check(s, {}, diagnostics);
  EXPECT_TRUE(diagnostics.all().empty())
      << element << ": " << (diagnostics.all().empty() ? "" : diagnostics.all()[0].message);
  return total_mass(s);
}

TEST(Generator, MeshesFillTheirShapes) {
  const int three[3] = {2, 3, 4}, two[2] = {3, 5};
  for (const auto& [shape, element] :
       {std::pair{CellShape::hexahedron, "hex8"}, std::pair{CellShape::tetrahedron, "tet4"},
        std::pair{CellShape::tetrahedron10, "tet10"}})
    EXPECT_NEAR(measure(generate_block({1, 2, 3}, {1, 2, 3}, three, shape), element), 6, 1e-12);
  for (bool triangles : {false, true}) {
    const char* element = triangles ? "shell3" : "shell4";
    EXPECT_NEAR(measure(generate_plate({0, 0, 1}, 2, 3, two, triangles), element), 6, 1e-12);
    EXPECT_NEAR(measure(generate_sphere(Vec3::Zero(), 1, 24, triangles), element), 4 * std::numbers::pi,
                0.02);
    EXPECT_NEAR(
        measure(generate_cylinder(Vec3::Zero(), 1, 3, 2 * std::numbers::pi, 64, 2, triangles), element),
        6 * std::numbers::pi, 0.02);
  }
  // 12 edges of 1 cell: 4 along each axis.
  const int one[3] = {1, 1, 1};
  EXPECT_NEAR(measure(generate_frame(Vec3::Zero(), {1, 2, 3}, one, 3, false), "beam"), 24, 1e-12);
}

TEST(Generator, ElementsGrowByTheSameRatio) {
  const std::vector<double> x = graded(7, 4, 8);  // 1, 2, 4, 8 of 15
  for (int i = 0; i <= 4; ++i) EXPECT_NEAR(x[i], 7 * ((1 << i) - 1) / 15.0, 1e-14);
  EXPECT_EQ(graded(3, 1, 5), (std::vector<double>{0, 3}));
  const int three[3] = {4, 3, 2}, two[2] = {4, 3};
  EXPECT_NEAR(
      measure(generate_block({1, 2, 3}, {1, 2, 3}, three, CellShape::tetrahedron10, {8, 0.5, 1}), "tet10"), 6,
      1e-12);
  const Mesh plate = generate_plate({1, 0, 0}, 15, 7, two, false, {8, 0.25});
  EXPECT_NEAR(measure(plate, "shell4"), 105, 1e-9);
  EXPECT_NEAR(plate.nodes[1].x(), 2, 1e-12);
  EXPECT_NEAR(plate.nodes[5].y(), 4, 1e-12);  // 4, 2, 1 of 7
  const Mesh tube = generate_cylinder(Vec3::Zero(), 1, 7, 1.5, 4, 3, false, {8, 4});
  EXPECT_NEAR(std::atan2(tube.nodes[1].y(), tube.nodes[1].x()), 0.1, 1e-12);
  EXPECT_NEAR(tube.nodes[5].z(), 1, 1e-12);
  EXPECT_NEAR(measure(generate_frame(Vec3::Zero(), {1, 2, 3}, three, 1, false, {3, 3, 3}), "beam"),
              1 * 12 + 2 * 15 + 3 * 20, 1e-9);
}

TEST(Generator, SidesAreGroups) {
  const int n[3] = {2, 3, 4};
  const Mesh mesh = generate_block({1, 2, 3}, {1, 2, 3}, n, CellShape::hexahedron);
  ASSERT_TRUE(mesh.find_group("zmax"));
  EXPECT_EQ(mesh.find_group("zmax")->nodes.size(), 12u);
  for (int node : mesh.find_group("zmax")->nodes) EXPECT_NEAR(mesh.nodes[node].z(), 6, 1e-12);
  EXPECT_EQ(surface_faces(mesh, mesh.find_group("zmax")->nodes).size(), 6u);
  // Outward: the top's normal points up.
  for (const Face& f : surface_faces(mesh, mesh.find_group("zmax")->nodes)) {
    const Vec3 a = mesh.nodes[f.nodes[1]] - mesh.nodes[f.nodes[0]],
               b = mesh.nodes[f.nodes[2]] - mesh.nodes[f.nodes[0]];
    EXPECT_GT(a.x() * b.y() - a.y() * b.x(), 0);
  }
}

/// What is said to `generate: {...}`; "" where the mesh is made.
std::string refusal(const std::string& generate) {
  try {
    testing::model_of_text(
        "tappet: 1\ndimension: spatial\nmaterials: {steel: {young: 1e9, poisson: 0.3, density: 1000}}\n"
        "bodies: {a: {structure: {generate: " +
        generate +
        ", material: steel, section: {thickness: 1 mm, rectangle: [1 mm, 1 mm]}}}}\n"
        "simulation: {method: moreau, duration: 1, step: 0.1}\n");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// A line of a file must not take all memory: sizes are foretold, and said.
TEST(Generator, MeshesThatAreTooLargeAreNotBegun) {
  for (const char* huge : {"{block: {size: [1, 1, 1], divisions: [100000, 100000, 100000]}}",
                           "{block: {size: [1, 1, 1], divisions: [200, 200, 200], element: tet10}}",
                           "{plate: {size: [1, 1], divisions: [1000000, 1000000]}}",
                           "{cylindrical-shell: {radius: 1, length: 1, divisions: [10000, 10000]}}",
                           "{space-frame: {size: [1, 1, 1], cells: [1000, 1000, 1000], beams: 1}}",
                           "{space-frame: {size: [1, 1, 1], cells: [100, 100, 100], beams: 100}}"}) {
    const std::string words = refusal(huge);
    EXPECT_NE(words.find("makes a mesh of about"), std::string::npos) << huge << ": " << words;
    EXPECT_NE(words.find("at most 1e+07 are made"), std::string::npos) << huge;
  }
}

}  // namespace
}  // namespace tappet::fem::generator_test
