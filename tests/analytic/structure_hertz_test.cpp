// Hertz: a cylinder of R 50 mm, E 210 GPa, ν 0.3 pressed on a rigid plane with 1000 N/mm, plane strain:
// half-width b = 0.52523 mm, highest pressure p₀ = 1212.07 MPa. The mesh is read from an .inp file in millimetres.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"
#include "tappet/stepping/static_contact.hpp"

namespace tappet::testing {
namespace {

constexpr int n = 36;
constexpr double width = 16;  // mm

/// Fine near 0.
double graded(int i) { return width * std::sinh(5.0 * i / n) / std::sinh(5.0); }

/// Half of a slice of 1 mm: bottom round, top flat.
std::string half_slice() {
  std::string nodes = "*NODE\n", cells = "*ELEMENT, TYPE=C3D8, ELSET=body\n", foot = "*NSET, NSET=foot\n", top = "*NSET, NSET=top\n",
              middle = "*NSET, NSET=middle\n";
  const auto label = [](int i, int j, int k) { return 1 + i + (n + 1) * (j + (n + 1) * k); };
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i) {
        const double x = graded(i), z = graded(j);
        nodes += fmt::format("{}, {:.15g}, {}, {:.15g}\n", label(i, j, k), x, k, z + x * x / 100 * (1 - z / width));
        if (j == 0) foot += fmt::format("{},\n", label(i, j, k));
        if (j == n) top += fmt::format("{},\n", label(i, j, k));
        if (i == 0) middle += fmt::format("{},\n", label(i, j, k));
        if (i < n && j < n && k == 0)
          cells += fmt::format("{}, {}, {}, {}, {}, {}, {}, {}, {}\n", label(i, j, 0), label(i, j, 0), label(i + 1, j, 0), label(i + 1, j, 1), label(i, j, 1),
                               label(i, j + 1, 0), label(i + 1, j + 1, 0), label(i + 1, j + 1, 1), label(i, j + 1, 1));
      }
  return nodes + cells + foot + top + middle;
}

TEST(StructureHertz, CylinderOnAPlane) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("tappet_hertz_{}", getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "slice.inp") << half_slice();
  std::ofstream(folder / "hertz.yaml") << R"(
tappet: 1
dimension: spatial
materials: {steel: {young: 210 GPa, poisson: 0.3, density: 7850}}
bodies:
  slice:
    structure:
      mesh: slice.inp
      scale: 0.001
      material: steel
      fix: {body: [y], middle: [x]}
      loads: {press: {on: top, force: [0, 0, -500]}}
ground: {shapes: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}}
contacts: {rest: {between: [ground.floor, slice.foot], normal: {law: newton, restitution: 0}}}
simulation: {method: moreau, duration: 1, step: 1}
)";
  const auto model = model_of(load_spec((folder / "hertz.yaml").string()));
  const StaticContact s = solve_static_contact(*model);
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(s.converged) << s.moved;
  EXPECT_NEAR(s.normal[0], 500, 1e-4);

  // Pressures from nodal forces, both faces of the slice together, over their share of the width.
  std::vector<double> force(n + 1, 0.0);
  for (const NodeImpulse& p : s.nodes[0]) force[p.number % (n + 1)] += p.normal;
  // The mean of x² over the pressure is b²/4.
  double sum = 0, moment = 0;
  for (int k = 0; k <= n; ++k) sum += force[k], moment += force[k] * graded(k) * graded(k);
  EXPECT_NEAR(2 * std::sqrt(moment / sum) / 0.52523, 1, 0.03);
  // p = p₀ √(1 − x²/b²): the force within x is p₀ (x √(1 − x²/b²) + b asin(x/b))/2; taken over the inner half.
  double inner = 0;
  int i = 0;
  for (; graded(i) < 0.3; ++i) inner += force[i];
  const double x = 0.5 * (graded(i - 1) + graded(i)), b = 0.52523;
  const double p0 = 2 * inner / (x * std::sqrt(1 - x * x / (b * b)) + b * std::asin(x / b));
  EXPECT_NEAR(p0 / 1212.07, 1, 0.03);
  const double highest = force[0] / (0.5 * (graded(1) - graded(0)));
  EXPECT_NEAR(highest / 1212.07, 1, 0.03);
}

}  // namespace
}  // namespace tappet::testing
