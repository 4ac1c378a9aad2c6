// Order of convergence under refinement: a cantilever in bending, and the fundamental frequency of a plate.
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

/// ω of the first mode of a free–free bar, held sideways: c π/L exactly when ν = 0.
double bar_frequency(const char* element, CellShape shape, int n) {
  const int divisions[3] = {n, 1, 1};
  Structure s = one_material(fem::generate_block(Vec3::Zero(), {1, 0.2, 0.2}, divisions, shape), element,
                             {.young = 1, .poisson = 0, .density = 1});
  hold(s, "yz", [](const Vec3&) { return true; });
  fem::number_unknowns(s);
  const fem::StructureMatrices m = fem::assemble(s);
  return std::sqrt(fem::lowest_modes(m.K, m.M, 2).omega2[1]);
}

TEST(StructureOrder, BarFrequency) {
  struct Case {
    const char* element;
    CellShape shape;
    double order;
  };
  for (const Case& c : {Case{"hex8", CellShape::hexahedron, 2}, Case{"tet4", CellShape::tetrahedron, 2},
                        Case{"tet10", CellShape::tetrahedron10, 4}}) {
    const double exact = std::numbers::pi;
    const double coarse = std::abs(bar_frequency(c.element, c.shape, 4) - exact),
                 fine = std::abs(bar_frequency(c.element, c.shape, 8) - exact);
    EXPECT_NEAR(std::log2(coarse / fine), c.order, 0.35) << c.element << ": " << coarse << ", " << fine;
  }
}

double plate_frequency(const char* element, int n) {
  const int divisions[2] = {n, n};
  fem::Section section;
  section.thickness = 0.001;
  Structure s =
      one_material(fem::generate_plate(Vec3::Zero(), 1, 1, divisions, std::string(element) == "shell3"),
                   element, {.young = 12 * 0.91e9, .poisson = 0.3, .density = 1000}, section);
  hold(s, "xyzZ", [](const Vec3& x) { return x.x() == 0 || x.x() == 1 || x.y() == 0 || x.y() == 1; });
  fem::number_unknowns(s);
  const fem::StructureMatrices m = fem::assemble(s);
  return std::sqrt(fem::lowest_modes(m.K, m.M, 1).omega2[0]);
}

TEST(StructureOrder, PlateFrequency) {
  const double exact = 2 * std::numbers::pi * std::numbers::pi;
  for (const char* element : {"shell4", "shell3"}) {
    const double coarse = std::abs(plate_frequency(element, 8) / exact - 1),
                 fine = std::abs(plate_frequency(element, 16) / exact - 1);
    EXPECT_GT(std::log2(coarse / fine), 1.8) << element << ": " << coarse << ", " << fine;
  }
}

}  // namespace
}  // namespace tappet::test
