// Natural frequencies against closed forms.
#include "support/structures.hpp"
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tappet/fem/generator.hpp"
#include "tappet/fem/modes.hpp"

namespace tappet::test {
namespace {

using fem::CellShape;
using fem::Structure;

std::vector<double> frequencies(Structure& s, int count) {
  fem::number_unknowns(s);
  const fem::StructureMatrices m = fem::assemble(s);
  const fem::Modes modes = fem::lowest_modes(m.K, m.M, count);
  EXPECT_LT(modes.residual, 1e-9);
  std::vector<double> out;
  for (double w2 : modes.omega2) out.push_back(std::sqrt(std::max(w2, 0.0)));
  return out;
}

TEST(StructureModes, CantileverBeam) {
  fem::Mesh mesh;
  for (int i = 0; i <= 20; ++i) mesh.nodes.emplace_back(i / 20.0, 0, 0);
  for (int i = 0; i < 20; ++i) {
    const int c[2] = {i, i + 1};
    mesh.add_cell(CellShape::line, c);
  }
  fem::Section section;  // so slender that shear and rotary inertia are nothing
  section.area = 1e-6, section.inertia_y = section.inertia_z = 1e-12 / 12, section.torsion = 1.4e-13;
  Structure s = one_material(mesh, "beam", {.young = 2e11, .poisson = 0.3, .density = 8000}, section);
  hold(s, "xyzXYZ", [](const Vec3& x) { return x.x() == 0; });
  const std::vector<double> w = frequencies(s, 6);
  const double unit = std::sqrt(2e11 * section.inertia_y / (8000 * section.area));
  const double roots[] = {1.875104069, 4.694091133, 7.854757438};
  // Each comes twice: both planes of bending are alike.
  for (int k = 0; k < 3; ++k)
    for (int twin = 0; twin < 2; ++twin)
      EXPECT_NEAR(w[2 * k + twin] / (roots[k] * roots[k] * unit), 1, 1e-4) << k;
}

TEST(StructureModes, SimplySupportedPlate) {
  for (const char* element : {"shell4", "shell3"}) {
    const int n[2] = {32, 32};
    fem::Section section;
    section.thickness = 0.001;
    Structure s = one_material(fem::generate_plate(Vec3::Zero(), 1, 1, n, std::string(element) == "shell3"),
                               element, {.young = 2e11, .poisson = 0.3, .density = 7800}, section);
    hold(s, "xyz", [](const Vec3& x) { return x.x() == 0 || x.x() == 1 || x.y() == 0 || x.y() == 1; });
    const std::vector<double> w = frequencies(s, 4);
    const double D = 2e11 * 1e-9 / (12 * 0.91), unit = std::sqrt(D / (7800 * 0.001));
    EXPECT_NEAR(w[0] / unit / 19.7392, 1, 0.003) << element;
    EXPECT_NEAR(w[1] / unit / 49.3480, 1, 0.006) << element;
    EXPECT_NEAR(w[2] / unit / 49.3480, 1, 0.006) << element;
  }
}

TEST(StructureModes, FreeSphere) {
  fem::Section section;
  section.thickness = 0.1;
  const auto modes = [&](int n) {
    Structure s = one_material(fem::generate_sphere(Vec3::Zero(), 2.5, n, false), "shell4",
                               {.young = 2e11, .poisson = 0.3, .density = 7800}, section);
    return frequencies(s, 28);
  };
  const std::vector<double> coarse = modes(8), fine = modes(12);
  const double hertz = 1 / (2 * std::numbers::pi);
  for (int k = 0; k < 6; ++k) EXPECT_LT(fine[k] * hertz, 0.1) << "rigid " << k;
  // n = 2, 3, 4, 5 come 2n + 1 times; the error is of second order in the size of the elements, so both
  // meshes together tell the limit.
  const double expected[] = {237.25, 282.85, 305.24, 324.17};
  const int first[] = {6, 11, 18, 27}, times[] = {5, 7, 9, 1};
  for (int n = 0; n < 4; ++n)
    for (int k = first[n]; k < first[n] + times[n]; ++k) {
      const double limit = fine[k] + (fine[k] - coarse[k]) / (2.25 - 1);
      EXPECT_NEAR(limit * hertz / expected[n], 1, 0.003) << n << " " << k;
      EXPECT_NEAR(fine[k] * hertz / expected[n], 1, 0.025) << n << " " << k;
    }
}

TEST(StructureModes, LumpedMassConvergesToTheSame) {
  const int n[3] = {16, 2, 2};
  double first[2];
  for (bool lumped : {false, true}) {
    Structure s = one_material(fem::generate_block(Vec3::Zero(), {1, 0.1, 0.1}, n, CellShape::hexahedron),
                               "hex8", {.young = 2e11, .poisson = 0.3, .density = 7800});
    s.lumped_mass = lumped;
    hold(s, "xyz", [](const Vec3& x) { return x.x() == 0; });
    first[lumped] = frequencies(s, 2)[0];
  }
  EXPECT_NEAR(first[1] / first[0], 1, 0.01);
  // Timoshenko: 0.9968 of the slender beam's 1.8751² √(EI/ρA).
  const double slender = 1.875104069 * 1.875104069 * std::sqrt(2e11 * 1e-4 / 12 / (7800 * 1e-2));
  EXPECT_NEAR(first[0] / slender, 0.993, 0.01);
}

}  // namespace
}  // namespace tappet::test
