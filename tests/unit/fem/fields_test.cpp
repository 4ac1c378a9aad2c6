#include "tappet/fem/fields.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/structures.hpp"
#include "tappet/fem/generator.hpp"

namespace tappet::test::fields_test {
namespace {

using fem::CellShape;

/// Uniform strain ε of one direction n: u = ε n (n·x); all rotations 0.
std::vector<double> stretched(fem::Structure& s, const Vec3& n, double strain) {
  fem::number_unknowns(s);
  std::vector<double> all(s.unknowns, 0.0);
  for (std::size_t i = 0; i < s.mesh.nodes.size(); ++i)
    for (int d = 0; d < 3; ++d)
      if (s.node_unknowns[i] > 0) all[s.first_unknown[i] + d] = strain * n[d] * n.dot(s.mesh.nodes[i]);
  return all;
}

// E = 1 MPa and ν = 0: stretching by 1e-3 along n is a stress of 1 kPa n nᵀ, whatever the element and however
// it lies.
TEST(Fields, StressIsInWorldAxes) {
  const Vec3 n = Vec3(2, 1, 2) / 3, across = Vec3(-1, 4, -1) / std::sqrt(18.0);
  const fem::Elastic m{.young = 1e6, .poisson = 0, .density = 1};
  fem::Section section;
  section.thickness = 0.01, section.area = 1e-4, section.inertia_y = section.inertia_z = 1e-9,
  section.torsion = 1e-9;
  section.up = across;
  for (const char* element : {"hex8", "tet4", "tet10", "shell4", "shell3", "beam", "truss"}) {
    const std::string name = element;
    fem::Mesh mesh;
    const int two[3] = {2, 2, 2};
    if (name == "hex8" || name.starts_with("tet"))
      mesh = fem::generate_block(Vec3::Zero(), Vec3::Ones(), two,
                                 name == "hex8"   ? CellShape::hexahedron
                                 : name == "tet4" ? CellShape::tetrahedron
                                                  : CellShape::tetrahedron10);
    else if (name.starts_with("shell")) {
      mesh = fem::generate_plate(Vec3::Zero(), 1, 1, two, name == "shell3");
      // Into the plane of n and `across`, turned in it.
      for (Vec3& x : mesh.nodes)
        x = Vec3((0.8 * x.x() - 0.6 * x.y()) * n + (0.6 * x.x() + 0.8 * x.y()) * across);
    } else {
      mesh.nodes = {Vec3::Zero(), 0.7 * n};
      const int ends[2] = {0, 1};
      mesh.add_cell(CellShape::line, ends);
    }
    fem::Structure s = one_material(mesh, element, m, section);
    const auto stress = fem::element_stress(s, stretched(s, n, 1e-3));
    const fem::FieldMesh drawn = fem::field_mesh(s);
    ASSERT_EQ(stress.size(), 7 * drawn.element_count());
    EXPECT_EQ(drawn.node_count(), s.mesh.nodes.size());
    EXPECT_EQ(drawn.ends.back(), static_cast<int>(drawn.cells.size()));
    for (std::size_t e = 0; e < drawn.element_count(); ++e) {
      const double* t = &stress[7 * e];
      const double expected[7] = {1e3,
                                  1e3 * n.x() * n.x(),
                                  1e3 * n.y() * n.y(),
                                  1e3 * n.z() * n.z(),
                                  1e3 * n.x() * n.y(),
                                  1e3 * n.y() * n.z(),
                                  1e3 * n.z() * n.x()};
      for (int k = 0; k < 7; ++k) EXPECT_NEAR(t[k], expected[k], 1e-7) << name << " " << k;
    }
  }
}

}  // namespace
}  // namespace tappet::test::fields_test
