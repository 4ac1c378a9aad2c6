#include "tappet/fem/structure.hpp"

#include <gtest/gtest.h>

#include "support/structures.hpp"
#include "tappet/fem/generator.hpp"

namespace tappet::fem::structure_test {
namespace {

TEST(Structure, FaultsOfAMeshAreCountedAndListed) {
  const int n[3] = {3, 1, 1};
  Mesh mesh = generate_block(Vec3::Zero(), {3, 1, 1}, n, CellShape::hexahedron);
  // The second brick inside out, the third flat, and a node that belongs to nothing.
  const auto second = mesh.cell_nodes.begin() + mesh.cells[1].first;
  std::swap_ranges(second, second + 4, second + 4);
  for (int k = 0; k < 8; ++k)
    mesh.cell_nodes[mesh.cells[2].first + k] = mesh.cell_nodes[mesh.cells[2].first + k % 4];
  mesh.nodes.push_back(Vec3(9, 9, 9));
  const Structure s = test::one_material(mesh, "hex8", {.young = 1, .poisson = 0, .density = 1});
  Diagnostics diagnostics;
  check(s, {}, diagnostics);
  std::string all;
  for (const Diagnostic& d : diagnostics.all()) all += d.message + "\n";
  EXPECT_NE(all.find("1 of 3 elements of block are turned inside out (their nodes are in the wrong order, or "
                     "they fold over): 2"),
            std::string::npos)
      << all;
  EXPECT_NE(all.find("1 of 3 elements of block have no length, area or volume: 3"), std::string::npos) << all;
  EXPECT_NE(all.find("nodes of block belong to no element and are left out"), std::string::npos) << all;
  EXPECT_EQ(diagnostics.error_count(), 2);
}

TEST(Structure, MassAndWeight) {
  const int n[3] = {2, 3, 4};
  for (bool lumped : {false, true}) {
    Structure s = test::one_material(generate_block({1, 0, 0}, {1, 2, 3}, n, CellShape::tetrahedron10),
                                     "tet10", {.young = 1, .poisson = 0, .density = 7});
    s.lumped_mass = lumped;
    Vec3 centre;
    EXPECT_NEAR(total_mass(s, &centre), 42, 1e-11);
    EXPECT_LT((centre - Vec3(1.5, 1, 1.5)).norm(), 1e-12);
    number_unknowns(s);
    const StructureMatrices m = assemble(s);
    std::vector<double> f(s.free, 0.0);
    add_weight(s, m.M, {0, 0, -10}, f.data());
    double sum = 0;
    for (int i = 2; i < s.free; i += 3) sum += f[i];
    EXPECT_NEAR(sum, -420, 1e-10);
  }
}

}  // namespace
}  // namespace tappet::fem::structure_test
