// Plane and axisymmetric elements, and wedges: constant strain, Lamé's thick cylinder as MacNeal & Harder set it, and NAFEMS'
// elliptic membrane.
#include <cmath>
#include <fstream>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "support/run_model.hpp"
#include "support/structures.hpp"

namespace tappet::test::structure_plane_test {
namespace {

using fem::CellShape;
using fem::Mesh;
using fem::Structure;

constexpr double quarter = std::numbers::pi / 2;

/// A grid of i × j quadrangles or pairs of triangles at at(i, j).
Mesh grid(int columns, int rows, bool triangles, const std::function<Vec3(int, int)>& at) {
  Mesh mesh;
  for (int j = 0; j <= rows; ++j)
    for (int i = 0; i <= columns; ++i) mesh.nodes.push_back(at(i, j));
  const auto node = [&](int i, int j) { return i + (columns + 1) * j; };
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const int q[4] = {node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)};
      const int a[3] = {q[0], q[1], q[2]}, b[3] = {q[0], q[2], q[3]};
      if (triangles)
        mesh.add_cell(CellShape::triangle, a), mesh.add_cell(CellShape::triangle, b);
      else
        mesh.add_cell(CellShape::quadrangle, q);
    }
  return mesh;
}

/// The same as one layer of solids of height 1; triangles become wedges.
Mesh extruded(const Mesh& flat) {
  Mesh mesh;
  mesh.nodes = flat.nodes;
  const int n = static_cast<int>(flat.nodes.size());
  for (const Vec3& x : flat.nodes) mesh.nodes.push_back(x + Vec3::UnitZ());
  for (int c = 0; c < static_cast<int>(flat.cells.size()); ++c) {
    std::vector<int> nodes(flat.nodes_of(c).begin(), flat.nodes_of(c).end());
    const std::size_t count = nodes.size();
    for (std::size_t k = 0; k < count; ++k) nodes.push_back(nodes[k] + n);
    mesh.add_cell(count == 3 ? CellShape::wedge : CellShape::hexahedron, nodes);
  }
  return mesh;
}

bool three_sided(const std::string& element) {
  return element.ends_with('3') || element.starts_with("wedge") ||
         (element.ends_with('6') && element != "hex6");
}
bool quadratic(const std::string& element) {
  return element.ends_with('8') || element.ends_with("6") != element.starts_with("wedge") ||
         element.ends_with("15") || element.ends_with("20");
}

fem::Section thick(double thickness) {
  fem::Section out;
  out.thickness = thickness;
  return out;
}

/// Loads of a pressure 1 on the part of the boundary where all nodes of an edge are at `inside`; along the outward normal of
/// the hole. Plane: per unit of thickness, with Simpson's weights where the edge has a middle; of revolution: of the whole ring.
std::vector<Load> pressure(const Mesh& mesh, bool ring, const std::function<bool(const Vec3&)>& inside) {
  std::vector<Load> out;
  for (int c = 0; c < static_cast<int>(mesh.cells.size()); ++c) {
    const auto own = mesh.nodes_of(c);
    const int corners = static_cast<int>(own.size()) % 4 == 0 ? 4 : 3, n = static_cast<int>(own.size());
    for (int k = 0; k < corners; ++k) {
      const Vec3 a = mesh.nodes[own[k]], b = mesh.nodes[own[(k + 1) % corners]];
      if (!inside(a) || !inside(b)) continue;
      // Quadratic along the edge: ∫ N_a n b ds by Simpson's rule, exact for straight edges of constant radius.
      const auto spread = [&](const Vec3& at, const Vec3& tangent, double weight) {
        const Vec3 normal(-tangent.y(), tangent.x(), 0);  // into the body: the body is to the left
        out.push_back({at, weight * (ring ? 2 * std::numbers::pi * at.x() : 1) * normal});
      };
      if (n == corners) {
        spread(a, b - a, 0.5), spread(b, b - a, 0.5);
      } else {
        const Vec3 m = mesh.nodes[own[corners + k]];
        spread(a, -3 * a + 4 * m - b, 1.0 / 6), spread(m, b - a, 4.0 / 6),
            spread(b, a - 4 * m + 3 * b, 1.0 / 6);
      }
    }
  }
  return out;
}

class Cylinder : public ::testing::TestWithParam<const char*> {};

// Inner radius 3, outer 9, E = 1000, unit pressure inside, plane strain [MacNeal & Harder 1985]. Lamé:
// u = (1 + ν) a² p/(E (b² − a²)) ((1 − 2ν) r + b²/r) = 4.5825e-3 for ν = 0.3.
TEST_P(Cylinder, MovesUnderPressureAsLameSays) {
  const std::string element = GetParam();
  const bool ring = element.starts_with("ring"),
             solid = element.starts_with("wedge") || element.starts_with("hex");
  // Triangles and wedges of constant strain need twice as fine a mesh.
  const int n = element.ends_with("strain3") || element == "wedge6" ? 20 : 10;
  const auto radius = [&](int i) { return 3 * std::pow(3.0, static_cast<double>(i) / n); };
  for (const double nu : {0.0, 0.3, 0.49}) {
    // Linear triangles and wedges lock near incompressibility; that is said of them.
    if (nu > 0.4 && !quadratic(element)) continue;
    const double exact = 1.3 * 9 * ((1 - 2 * 0.3) * 3 + 27) / (1000 * 72);
    EXPECT_NEAR(exact, 4.5825e-3, 5e-8);
    const double expected = (1 + nu) * 9 * ((1 - 2 * nu) * 3 + 27) / (1000 * 72);
    const auto half_section = [&](int i, int j) { return Vec3(radius(i), 0.5 * j, 0); };
    const auto quarter_ring = [&](int i, int j) {
      const double angle = quarter * j / (2 * n);
      return Vec3(radius(i) * std::cos(angle), radius(i) * std::sin(angle), 0);
    };
    const Mesh flat = ring ? grid(n, 2, three_sided(element), half_section)
                           : grid(n, 2 * n, three_sided(element), quarter_ring);
    const auto middle = [&](const Vec3& a, const Vec3& b) {
      const Vec3 m = 0.5 * (a + b);
      const double ra = a.head<2>().norm(), rb = b.head<2>().norm(), r = m.head<2>().norm();
      return ring || std::abs(ra - rb) > 1e-9 ? m : Vec3(m.x() * ra / r, m.y() * ra / r, m.z());
    };
    const Mesh edged = quadratic(element) ? with_edge_nodes(flat, middle) : flat;
    Mesh mesh = !solid               ? edged
                : quadratic(element) ? with_edge_nodes(extruded(flat), middle)
                                     : extruded(flat);
    Structure s = one_material(mesh, element.c_str(), {.young = 1000, .poisson = nu, .density = 1}, thick(1));
    if (ring) {
      hold(s, "y", [](const Vec3&) { return true; });
    } else {
      hold(s, "z", [](const Vec3&) { return true; });
      hold(s, "y", [](const Vec3& x) { return std::abs(x.y()) < 1e-9; });
      hold(s, "x", [](const Vec3& x) { return std::abs(x.x()) < 1e-9; });
    }
    const auto inside = [&](const Vec3& x) {
      return std::abs((ring ? x.x() : x.head<2>().norm()) - 3) < 1e-9;
    };
    std::vector<Load> loads = pressure(edged, ring, inside);
    // The body lies to the left of the inner edge as its cells go around it; a pressure pushes into it.
    if (solid) {
      std::vector<Load> both;
      for (const Load& load : loads) {
        // Half on each side; where there are nodes halfway up, a face of 8 nodes has 4/6 in the middle of each vertical edge.
        both.push_back({load.at, 0.5 * load.force});
        both.push_back({load.at + Vec3::UnitZ(), 0.5 * load.force});
      }
      loads = both;
    }
    const auto all = solve_loads(s, loads);
    const double moved = displacement(s, all, {3, 0, 0}).x();
    EXPECT_NEAR(moved / expected, 1, quadratic(element) ? 1e-3 : 0.02) << nu;
  }
}

INSTANTIATE_TEST_SUITE_P(Elements, Cylinder,
                         ::testing::Values("plane-strain3", "plane-strain4", "plane-strain6", "plane-strain8",
                                           "ring3", "ring4", "ring6", "ring8", "wedge6"),
                         [](const auto& p) {
                           std::string name = p.param;
                           std::erase(name, '-');
                           return name;
                         });

// NAFEMS LE1: a quarter of an elliptic plate 0.1 m thick with an elliptic hole, E = 210 GPa, ν = 0.3, pulled outwards at its outer
// edge by 10 MPa; σ_yy at the end of the hole's long axis is 92.7 MPa.
TEST(PlaneStress, NafemsEllipticMembrane) {
  for (const char* element : {"plane-stress8", "plane-stress6"}) {
    // x = (2 + 1.25 s) cos a, y = (1 + 1.75 s) sin a, towards the hole and towards D finer.
    const int n = 24;
    const auto at = [](double s, double a) {
      return Vec3((2 + 1.25 * s) * std::cos(a), (1 + 1.75 * s) * std::sin(a), 0);
    };
    const auto fine = [](double t) { return t * t; };
    const Mesh flat = grid(n, n, three_sided(element), [&](int i, int j) {
      return at(fine(static_cast<double>(i) / n), quarter * fine(static_cast<double>(j) / n));
    });
    const Mesh mesh = with_edge_nodes(flat);
    Structure s = one_material(mesh, element, {.young = 210e9, .poisson = 0.3, .density = 1}, thick(0.1));
    hold(s, "y", [](const Vec3& x) { return std::abs(x.y()) < 1e-9; });
    hold(s, "x", [](const Vec3& x) { return std::abs(x.x()) < 1e-9; });
    const auto outer = [](const Vec3& x) {
      return std::abs(std::pow(x.x() / 3.25, 2) + std::pow(x.y() / 2.75, 2) - 1) < 1e-9;
    };
    std::vector<Load> loads = pressure(mesh, false, outer);
    for (Load& load : loads) load.force *= -10e6 * 0.1;
    const auto all = solve_loads(s, loads);
    // The element at D, whose middle is 1e-3 m from it.
    const fem::Element& e = s.elements[0];
    std::vector<Vec3> x;
    std::vector<double> u;
    Vec3 centre = Vec3::Zero();
    for (int k : s.nodes_of(e)) {
      x.push_back(s.mesh.nodes[k]);
      centre += s.mesh.nodes[k] / static_cast<double>(s.nodes_of(e).size());
      for (int d = 0; d < 3; ++d) u.push_back(all[s.first_unknown[k] + d]);
    }
    EXPECT_LT((centre - Vec3(2, 0, 0)).norm(), 3e-3);
    fem::ElementStress out;
    e.type->stress({x, s.materials[0], s.sections[0]}, u, out);
    EXPECT_NEAR(out.stress[1], 92.7e6, 0.01 * 92.7e6) << element;
  }
}

// As a model file and an .inp file have it: a rod of revolution, 0.1 m in radius and 1 m long, that falls freely and one that is
// pulled; its mass is ρ π r² L, it gets longer by F L/(E A).
TEST(Rings, AModelFileMayNameThem) {
  std::ofstream(std::string(::testing::TempDir()) + "/rod.inp") << R"(*NODE
1, 0, 0
2, 0.1, 0
3, 0.1, 1
4, 0, 1
5, 0.05, 0
6, 0.1, 0.5
7, 0.05, 1
8, 0, 0.5
*ELEMENT, TYPE=CAX8R, ELSET=all
1, 1, 2, 3, 4, 5, 6, 7, 8
*NSET, NSET=foot
1, 2, 5
*NSET, NSET=end
4
)";
  const std::string text = R"(tappet: 1
dimension: spatial
gravity: [0, 0, 0]
materials: {m: {young: 1e9, poisson: 0, density: 1000}}
bodies:
  rod: {structure: {mesh: rod.inp, material: m, fix: {foot: [y]}, points: {tip: {group: end}}, loads: {f: {on: tip, force: [0, 1000, 0]}}}}
simulation: {method: moreau, duration: 1 ms, step: 1 us}
)";
  Diagnostics diagnostics;
  const auto model =
      compile(spec_from_text(text, std::string(::testing::TempDir()) + "/rod.yaml"), diagnostics);
  ASSERT_TRUE(model);
  EXPECT_NEAR(model->structures.front()->mass, 1000 * std::numbers::pi * 0.01, 1e-9);
}

}  // namespace
}  // namespace tappet::test::structure_plane_test
