// Curved shells: closed forms and limits that elements of different kinds share.
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "support/structures.hpp"
#include "tappet/fem/internal_forces.hpp"

namespace tappet::test::structure_shell_test {
namespace {

using fem::CellShape;
using std::numbers::pi;

/// Nodes (i, j) of a grid of n × m cells, as quadrangles or pairs of triangles.
template <class Place>
fem::Structure grid(int n, int m, const std::string& element, double thickness, const fem::Elastic& material,
                    Place&& place) {
  fem::Mesh mesh;
  for (int j = 0; j <= m; ++j)
    for (int i = 0; i <= n; ++i) mesh.nodes.push_back(place(i, j));
  const auto node = [&](int i, int j) { return i + (n + 1) * j; };
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) {
      const int q[4] = {node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)};
      const int a[3] = {q[0], q[1], q[2]}, b[3] = {q[0], q[2], q[3]};
      if (element == "shell4")
        mesh.add_cell(CellShape::quadrangle, q);
      else
        mesh.add_cell(CellShape::triangle, a), mesh.add_cell(CellShape::triangle, b);
    }
  fem::Section section;
  section.thickness = thickness;
  return one_material(std::move(mesh), element.c_str(), material, section);
}

// A tube that is slit along its length twists like a strip: T = G (2πR t³/3) φ/L, without any strain of its middle surface. The
// directors of neighbouring elements turn in different planes here, so a rotation about the normal that is tied too weakly
// takes twist away: with 10⁻³ G t of tie (t/R)²/(12 · 10⁻³) = 3 % where the ends are far, and 2 % here.
TEST(CurvedShell, SlitTubeTwists) {
  const double R = 1, t = 0.02, L = 1, turn = 1e-3;
  const fem::Elastic steel{.young = 2e11, .poisson = 0.3, .density = 1};
  const int n = 60, m = 4;
  for (const std::string element : {"shell4", "shell3"}) {
    fem::Structure s = grid(n, m, element, t, steel, [&](int i, int j) {
      const double a = 2 * pi * i / n;
      return Vec3(R * std::cos(a), R * std::sin(a), L * j / m);
    });
    // The ends are rigid in their plane and free to warp.
    const auto end = [&](const Vec3& x) { return x.z() == 0 || x.z() == L; };
    hold(s, "xyZ", end);
    hold(s, "z", [&](const Vec3& x) { return x.z() == 0 && x.x() == -R; });
    fem::number_unknowns(s);
    std::vector<double> all(s.unknowns, 0.0);
    for (std::size_t k = 0; k < s.mesh.nodes.size(); ++k) {
      const Vec3& x = s.mesh.nodes[k];
      if (x.z() != L) continue;
      double* own = all.data() + s.first_unknown[k];
      own[0] = -turn * x.y(), own[1] = turn * x.x(), own[5] = turn;
    }
    const std::vector<double> held = fem::internal_forces(s, all);
    std::vector<double> f(s.free, 0.0);
    for (int i = 0; i < s.unknowns; ++i)
      if (s.free_of[i] >= 0) f[s.free_of[i]] = -held[i];
    const fem::StaticSolution q = fem::solve_static(s, fem::assemble(s), f);
    ASSERT_TRUE(q.mechanisms.empty());
    for (int i = 0; i < s.unknowns; ++i)
      if (s.free_of[i] >= 0) all[i] = q.q[s.free_of[i]];
    const std::vector<double> forces = fem::internal_forces(s, all);
    double torque = 0;
    for (std::size_t k = 0; k < s.mesh.nodes.size(); ++k) {
      const Vec3& x = s.mesh.nodes[k];
      const double* own = forces.data() + s.first_unknown[k];
      if (x.z() == L) torque += x.x() * own[1] - x.y() * own[0] + own[5];
    }
    const double G = steel.young / 2.6, J = 2 * pi * R * t * t * t / 3;
    EXPECT_NEAR(torque / (G * J * turn / L), 1, 0.006) << element;
  }
}

/// Sinking of the middle of the free edge of Scordelis and Lo's roof, against 0.3006 of thin shells.
double scordelis_lo(int n, const std::string& element) {
  const double R = 25, L = 50, open = 40 * pi / 180;
  fem::Structure s =
      grid(n, n, element, 0.25, {.young = 4.32e8, .poisson = 0, .density = 1}, [&](int i, int j) {
        return Vec3(L / 2 * i / n, R * std::sin(open * j / n), R * std::cos(open * j / n));
      });
  hold(s, "yz", [](const Vec3& x) { return x.x() == 0; });        // diaphragm
  hold(s, "xYZ", [&](const Vec3& x) { return x.x() == L / 2; });  // symmetry
  hold(s, "yXZ", [](const Vec3& x) { return x.y() == 0; });
  fem::number_unknowns(s);
  const double cell = L / 2 / n * 2 * R * std::sin(open / n / 2);
  std::vector<double> f(s.free, 0.0);
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i)
      if (const int k = s.free_unknown(i + (n + 1) * j, 2); k >= 0)
        f[k] = -90 * cell * (i % n == 0 ? 0.5 : 1) * (j % n == 0 ? 0.5 : 1);
  const fem::StaticSolution q = fem::solve_static(s, fem::assemble(s), f);
  return -q.q[s.free_unknown((n + 1) * (n + 1) - 1, 2)] / 0.3006;
}

// Transverse shear lets it sink by about 0.3 % more than a thin shell; quadrangles and triangles agree on how much.
TEST(CurvedShell, ScordelisLoRoof) {
  const double quadrangles = scordelis_lo(64, "shell4"), triangles = scordelis_lo(64, "shell3");
  EXPECT_NEAR(quadrangles, triangles, 2e-4);
  EXPECT_NEAR(quadrangles, 1.003, 6e-4);
  EXPECT_NEAR(scordelis_lo(16, "shell4"), 1.003, 2e-3);
}

/// The same roof of 8-node or 6-node shells, n × n of them (or pairs), with all nodes on the cylinder; its own weight as load.
double scordelis_lo_raised(int n, const std::string& element) {
  const double R = 25, L = 50, open = 40 * pi / 180;
  fem::Mesh flat;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) flat.nodes.push_back(Vec3(L / 2 * i / n, open * j / n, 0));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const int a = i + (n + 1) * j, c[4] = {a, a + 1, a + n + 2, a + n + 1};
      const int lower[3] = {c[0], c[1], c[2]}, upper[3] = {c[0], c[2], c[3]};
      if (element == "shell8")
        flat.add_cell(fem::CellShape::quadrangle, c);
      else
        flat.add_cell(fem::CellShape::triangle, lower), flat.add_cell(fem::CellShape::triangle, upper);
    }
  fem::Mesh mesh = with_edge_nodes(flat);
  for (Vec3& x : mesh.nodes) x = Vec3(x.x(), R * std::sin(x.y()), R * std::cos(x.y()));
  fem::Section section;
  section.thickness = 0.25;
  fem::Structure s =
      one_material(std::move(mesh), element.c_str(), {.young = 4.32e8, .poisson = 0, .density = 1}, section);
  hold(s, "yz", [](const Vec3& x) { return x.x() == 0; });
  hold(s, "xYZ", [&](const Vec3& x) { return x.x() == L / 2; });
  hold(s, "yXZ", [](const Vec3& x) { return x.y() == 0; });
  fem::number_unknowns(s);
  const fem::StructureMatrices m = fem::assemble(s);
  std::vector<double> f(s.free, 0.0);
  fem::add_weight(s, m.M, Vec3(0, 0, -90 / 0.25), f.data());
  const fem::StaticSolution q = fem::solve_static(s, m, f);
  const int corner = nearest_node(s.mesh, Vec3(L / 2, R * std::sin(open), R * std::cos(open)));
  return -q.q[s.free_unknown(corner, 2)] / 0.3006;
}

// Shells with nodes on their edges converge as the triangles that they consist of.
TEST(CurvedShell, ScordelisLoRoofOfShellsWithEdgeNodes) {
  for (const char* element : {"shell8", "shell6"}) {
    EXPECT_NEAR(scordelis_lo_raised(32, element), 1.003, 1.5e-3) << element;
    EXPECT_NEAR(scordelis_lo_raised(8, element), 1.003, 1e-2) << element;
  }
}

}  // namespace
}  // namespace tappet::test::structure_shell_test
