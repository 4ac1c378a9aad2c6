// Patch tests: constant strain, or curvature, given on the boundary of distorted elements is found inside.
// Meshes and fields of MacNeal & Harder; values are those of the closed form.
#include <gtest/gtest.h>

#include "support/structures.hpp"
#include "tappet/fem/generator.hpp"
#include "tappet/fem/internal_forces.hpp"

namespace tappet::test::structure_patch_test {
namespace {

using fem::CellShape;
using fem::Mesh;
using fem::Structure;

using Field = std::function<Eigen::Matrix<double, 6, 1>(const Vec3&)>;

/// Gives the field on the nodes that `boundary` picks, solves for the others and returns all unknowns.
std::vector<double> solve_patch(Structure& s, const Field& field,
                                const std::function<bool(const Vec3&)>& boundary) {
  hold(s, "xyzXYZ", boundary);
  fem::number_unknowns(s);
  const fem::StructureMatrices m = fem::assemble(s);
  std::vector<double> all(s.unknowns, 0.0);
  for (const fem::Support& support : s.supports) {
    const auto u = field(s.mesh.nodes[support.node]);
    for (int d = 0; d < s.node_unknowns[support.node]; ++d) all[s.first_unknown[support.node] + d] = u[d];
  }
  const std::vector<double> forces = fem::internal_forces(s, all);
  std::vector<double> f(s.free, 0.0);
  for (int i = 0; i < s.unknowns; ++i)
    if (s.free_of[i] >= 0) f[s.free_of[i]] = -forces[i];
  const fem::StaticSolution q = fem::solve_static(s, m, f);
  EXPECT_TRUE(q.mechanisms.empty());
  for (int i = 0; i < s.unknowns; ++i)
    if (s.free_of[i] >= 0) all[i] = q.q[s.free_of[i]];
  return all;
}

void expect_field(const Structure& s, const std::vector<double>& all, const Field& field, double scale) {
  for (int n = 0; n < static_cast<int>(s.mesh.nodes.size()); ++n) {
    const auto u = field(s.mesh.nodes[n]);
    for (int d = 0; d < 3; ++d)
      EXPECT_NEAR(all[s.first_unknown[n] + d], u[d], 1e-10 * scale) << "node " << n << ", " << d;
  }
}

fem::ElementStress stress_of(const Structure& s, const std::vector<double>& all, const fem::Element& e) {
  std::vector<Vec3> x;
  std::vector<double> u;
  for (int n : s.nodes_of(e)) {
    x.push_back(s.mesh.nodes[n]);
    for (int d = 0; d < e.type->dofs; ++d) u.push_back(all[s.first_unknown[n] + d]);
  }
  fem::ElementStress out;
  e.type->stress({x, s.materials[0], s.sections[0]}, u, out);
  return out;
}

constexpr fem::Elastic soft{.young = 1e6, .poisson = 0.25, .density = 1};

// Five quadrangles in a rectangle of 0.24 × 0.12.
Mesh macneal_plate(bool triangles) {
  Mesh mesh;
  mesh.source = "patch";
  mesh.nodes = {{0, 0, 0},       {0.24, 0, 0},    {0.24, 0.12, 0}, {0, 0.12, 0},
                {0.04, 0.02, 0}, {0.18, 0.03, 0}, {0.16, 0.08, 0}, {0.08, 0.08, 0}};
  const int quads[5][4] = {{0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}, {4, 5, 6, 7}};
  for (const auto& q : quads) {
    if (!triangles) {
      mesh.add_cell(CellShape::quadrangle, q);
    } else {
      const int a[3] = {q[0], q[1], q[2]}, b[3] = {q[0], q[2], q[3]};
      mesh.add_cell(CellShape::triangle, a), mesh.add_cell(CellShape::triangle, b);
    }
  }
  return mesh;
}

bool on_plate_edge(const Vec3& x) {
  return x.x() == 0 || x.x() == 0.24 || x.y() == 0 || x.y() == 0.12;
}

class ShellPatch : public ::testing::TestWithParam<const char*> {
 protected:
  Structure plate() const {
    fem::Section section;
    section.thickness = 0.001;
    const std::string element = GetParam();
    const Mesh mesh = macneal_plate(element == "shell3" || element == "shell6");
    const bool raised = element == "shell6" || element == "shell8";
    return one_material(raised ? with_edge_nodes(mesh) : mesh, GetParam(), soft, section);
  }
};

TEST_P(ShellPatch, Membrane) {
  Structure s = plate();
  // u = 1e-3 (x + y/2), v = 1e-3 (y + x/2): no rotation about the normal.
  const Field field = [](const Vec3& x) {
    Eigen::Matrix<double, 6, 1> u = Eigen::Matrix<double, 6, 1>::Zero();
    u[0] = 1e-3 * (x.x() + x.y() / 2), u[1] = 1e-3 * (x.y() + x.x() / 2);
    return u;
  };
  const auto all = solve_patch(s, field, on_plate_edge);
  expect_field(s, all, field, 2.4e-4);
  for (const fem::Element& e : s.elements) {
    const auto out = stress_of(s, all, e);
    EXPECT_NEAR(out.stress[0], 4000.0 / 3, 1e-6);
    EXPECT_NEAR(out.stress[1], 4000.0 / 3, 1e-6);
    EXPECT_NEAR(out.stress[3], 400, 1e-6);
  }
}

TEST_P(ShellPatch, Bending) {
  Structure s = plate();
  // w = 1e-3 (x² + xy + y²)/2, θ_x = w,y, θ_y = −w,x
  const Field field = [](const Vec3& x) {
    Eigen::Matrix<double, 6, 1> u = Eigen::Matrix<double, 6, 1>::Zero();
    u[2] = 1e-3 * (x.x() * x.x() + x.x() * x.y() + x.y() * x.y()) / 2;
    u[3] = 1e-3 * (x.y() + x.x() / 2), u[4] = -1e-3 * (x.x() + x.y() / 2);
    return u;
  };
  const auto all = solve_patch(s, field, on_plate_edge);
  expect_field(s, all, field, 5e-5);
  // M = ∫σ z dz = −D (1 + ν) w'' = −1.1111e-7 N
  for (const fem::Element& e : s.elements) {
    const auto out = stress_of(s, all, e);
    EXPECT_NEAR(out.moment[0], -1e-7 / 0.9, 1e-15);
    EXPECT_NEAR(out.moment[1], -1e-7 / 0.9, 1e-15);
    EXPECT_NEAR(out.moment[2], -1e-7 / 3, 1e-15);
  }
}

INSTANTIATE_TEST_SUITE_P(Shells, ShellPatch, ::testing::Values("shell4", "shell3", "shell8", "shell6"),
                         [](const auto& p) { return std::string(p.param); });

/// MacNeal & Harder's solid: a cube around a distorted brick; tetrahedra: a cube with its inner nodes moved.
Mesh solid_mesh(const std::string& element) {
  if (element.starts_with("wedge")) {
    const int n[3] = {2, 2, 2};
    Mesh mesh = as_wedges(fem::generate_block(Vec3::Zero(), Vec3::Ones(), n, CellShape::hexahedron));
    mesh.nodes[nearest_node(mesh, Vec3(0.5, 0.5, 0.5))] += Vec3(0.08, -0.05, 0.06);
    return element == "wedge6" ? mesh : with_edge_nodes(mesh);
  }
  if (element == "hex20") return with_edge_nodes(solid_mesh("hex8"));
  if (element != "hex8") {
    const int n[3] = {2, 2, 2};
    Mesh mesh = fem::generate_block(Vec3::Zero(), Vec3::Ones(), n,
                                    element == "tet4" ? CellShape::tetrahedron : CellShape::tetrahedron10);
    // The corner in the middle moves, and with it the straight edges that end there.
    const int centre = nearest_node(mesh, Vec3(0.5, 0.5, 0.5));
    mesh.nodes[centre] += Vec3(0.08, -0.05, 0.06);
    if (element == "tet10")
      for (int c = 0; c < static_cast<int>(mesh.cells.size()); ++c) {
        const auto own = mesh.nodes_of(c);
        const int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
        for (int e = 0; e < 6; ++e)
          mesh.nodes[own[4 + e]] = 0.5 * (mesh.nodes[own[edges[e][0]]] + mesh.nodes[own[edges[e][1]]]);
      }
    return mesh;
  }
  Mesh mesh;
  mesh.nodes = {{0, 0, 0},
                {1, 0, 0},
                {1, 1, 0},
                {0, 1, 0},
                {0, 0, 1},
                {1, 0, 1},
                {1, 1, 1},
                {0, 1, 1},
                {0.249, 0.342, 0.192},
                {0.826, 0.288, 0.288},
                {0.850, 0.649, 0.263},
                {0.273, 0.750, 0.230},
                {0.320, 0.186, 0.643},
                {0.677, 0.305, 0.683},
                {0.788, 0.693, 0.644},
                {0.165, 0.745, 0.702}};
  const int cells[7][8] = {{8, 9, 10, 11, 12, 13, 14, 15}, {0, 1, 2, 3, 8, 9, 10, 11},
                           {4, 5, 6, 7, 12, 13, 14, 15},   {0, 1, 5, 4, 8, 9, 13, 12},
                           {1, 2, 6, 5, 9, 10, 14, 13},    {2, 3, 7, 6, 10, 11, 15, 14},
                           {3, 0, 4, 7, 11, 8, 12, 15}};
  const fem::ElementType* type = fem::ElementRegistry::instance().find("hex8");
  for (const auto& cell : cells) {
    int c[8];
    std::copy(cell, cell + 8, c);
    std::vector<Vec3> x;
    for (int n : c) x.push_back(mesh.nodes[n]);
    // Written without regard to orientation: the brick that comes out inside out is turned.
    if (type->quality(x) < 0)
      for (int k = 0; k < 4; ++k) std::swap(c[k], c[k + 4]);
    mesh.add_cell(CellShape::hexahedron, c);
  }
  return mesh;
}

class SolidPatch : public ::testing::TestWithParam<const char*> {};

TEST_P(SolidPatch, ConstantStress) {
  Structure s = one_material(solid_mesh(GetParam()), GetParam(), soft);
  const Field field = [](const Vec3& x) {
    Eigen::Matrix<double, 6, 1> u = Eigen::Matrix<double, 6, 1>::Zero();
    const double sum = x.sum();
    for (int d = 0; d < 3; ++d) u[d] = 1e-3 * (x[d] + sum) / 2;
    return u;
  };
  const auto all =
      solve_patch(s, field, [](const Vec3& x) { return (x.array() == 0).any() || (x.array() == 1).any(); });
  EXPECT_GT(s.free, 0);
  expect_field(s, all, field, 2e-3);
  for (const fem::Element& e : s.elements) {
    const auto out = stress_of(s, all, e);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(out.stress[i], 2000, 2e-7);
    for (int i = 3; i < 6; ++i) EXPECT_NEAR(out.stress[i], 400, 2e-7);
  }
}

INSTANTIATE_TEST_SUITE_P(Solids, SolidPatch,
                         ::testing::Values("hex8", "tet4", "tet10", "hex20", "wedge6", "wedge15"),
                         [](const auto& p) { return std::string(p.param); });

// Pure bending, u = κ (x z, −ν y z, −(x² + ν (z² − y²))/2), is a field of stress E κ z alone: bricks and wedges with straight
// edges and quadratic displacement have it exactly.
class QuadraticPatch : public ::testing::TestWithParam<const char*> {};

TEST_P(QuadraticPatch, PureBending) {
  const std::string element = GetParam();
  const int n[3] = {3, 2, 2};
  const Mesh bricks = fem::generate_block(Vec3::Zero(), Vec3(3, 1, 1), n, CellShape::hexahedron);
  Structure s =
      one_material(with_edge_nodes(element == "hex20" ? bricks : as_wedges(bricks)), GetParam(), soft);
  const Field field = [](const Vec3& x) {
    const double kappa = 1e-3, nu = soft.poisson;
    Eigen::Matrix<double, 6, 1> u = Eigen::Matrix<double, 6, 1>::Zero();
    u[0] = kappa * x.x() * x.z(), u[1] = -nu * kappa * x.y() * x.z();
    u[2] = -0.5 * kappa * (x.x() * x.x() + nu * (x.z() * x.z() - x.y() * x.y()));
    return u;
  };
  const auto all = solve_patch(s, field, [](const Vec3& x) {
    return x.x() == 0 || x.x() == 3 || x.y() == 0 || x.y() == 1 || x.z() == 0 || x.z() == 1;
  });
  EXPECT_GT(s.free, 0);
  expect_field(s, all, field, 5e-3);
}

INSTANTIATE_TEST_SUITE_P(Solids, QuadraticPatch, ::testing::Values("hex20", "wedge15"),
                         [](const auto& p) { return std::string(p.param); });

// MacNeal & Harder's straight beam, 6 × 0.2 × 0.1, of six elements, E = 1e7, ν = 0.3, unit load at its end. Beam theory:
// extension 3e-5, 0.1081 in the plane, 0.4321 out of it. For 20-node bricks the paper has 0.994, 0.970 and 0.961 of that.
TEST_P(QuadraticPatch, MacNealAndHardersBeam) {
  const std::string element = GetParam();
  const int n[3] = {6, 1, 1};
  const Mesh bricks = fem::generate_block(Vec3::Zero(), Vec3(6, 0.2, 0.1), n, CellShape::hexahedron);
  const fem::Elastic material{.young = 1e7, .poisson = 0.3, .density = 1};
  const double reference[3] = {3e-5, 0.1081, 0.4321};
  for (int d = 0; d < 3; ++d) {
    Structure s =
        one_material(with_edge_nodes(element == "hex20" ? bricks : as_wedges(bricks)), GetParam(), material);
    hold(s, "xyz", [](const Vec3& x) { return x.x() == 0; });
    std::vector<Load> loads;
    for (const double y : {0.0, 0.2})
      for (const double z : {0.0, 0.1}) loads.push_back({Vec3(6, y, z), 0.25 * Vec3::Unit(d)});
    const auto all = solve_loads(s, loads);
    double moved = 0;
    for (const Load& load : loads) moved += 0.25 * displacement(s, all, load.at)[d];
    EXPECT_LT(moved / reference[d], 1.02) << d;
    EXPECT_GT(moved / reference[d], element == "hex20" ? 0.95 : 0.9) << d;
  }
}

// A skewed cantilever of 4 × 1 × 2 bricks with bent edges, 1000 N spread over the nodes of its end. CalculiX 2.20 (Debian 12's
// ccx), C3D20, printed these displacements of its corners in November 2026.
TEST(CalculixBricks, SkewedCantilever) {
  const int n[3] = {4, 1, 2};
  Mesh mesh = with_edge_nodes(fem::generate_block(Vec3::Zero(), Vec3(4, 1, 1), n, CellShape::hexahedron));
  std::vector<int> end;
  const auto skewed = [](const Vec3& x) {
    return Vec3(x.x() + 0.1 * x.z(), x.y() + 0.05 * x.x() * x.z() / 4, x.z() + 0.08 * x.y());
  };
  std::vector<bool> root;
  for (std::size_t k = 0; k < mesh.nodes.size(); ++k) {
    if (mesh.nodes[k].x() == 4) end.push_back(static_cast<int>(k));
    root.push_back(mesh.nodes[k].x() == 0);
    mesh.nodes[k] = skewed(mesh.nodes[k]);
  }
  Structure s = one_material(mesh, "hex20", {.young = 2e11, .poisson = 0.3, .density = 1});
  for (std::size_t k = 0; k < root.size(); ++k)
    if (root[k]) s.supports.push_back({static_cast<int>(k), {true, true, true}});
  std::vector<Load> loads;
  for (const int k : end)
    loads.push_back({s.mesh.nodes[k], Vec3(0, 0, 1000.0 / static_cast<double>(end.size()))});
  const auto all = solve_loads(s, loads);
  const Vec3 low = displacement(s, all, skewed(Vec3(4, 0, 0)));
  EXPECT_NEAR(low.x(), 2.332625e-7, 1e-13);
  EXPECT_NEAR(low.y(), -1.142162e-7, 1e-13);
  EXPECT_NEAR(low.z(), 1.269438e-6, 1e-12);
}

// Two halves of Timoshenko's beam: the deflection of a cantilever under its end load at every node.
TEST(BeamPatch, CantileverOfThreeNodeBeams) {
  Mesh mesh;
  for (const double x : {0.0, 0.7, 2.0}) mesh.nodes.push_back(Vec3(x, 0, 0));
  for (int k = 0; k < 2; ++k) {
    const int c[2] = {k, k + 1};
    mesh.add_cell(CellShape::line, c);
  }
  fem::Section section;
  section.area = 1e-2, section.inertia_y = 2e-5, section.inertia_z = 5e-6, section.torsion = 1e-5;
  Structure s =
      one_material(with_edge_nodes(mesh), "beam3", {.young = 2e7, .poisson = 0.25, .density = 1}, section);
  hold(s, "xyzXYZ", [](const Vec3& x) { return x.x() == 0; });
  const auto all = solve_loads(s, {{Vec3(2, 0, 0), Vec3(0, 0, 1)}});
  for (const double x : {0.35, 0.7, 1.35, 2.0})
    EXPECT_NEAR(displacement(s, all, Vec3(x, 0, 0)).z(),
                x * x * (6 - x) / (6 * 2e7 * section.inertia_y) + x / (5.0 / 6 * 8e6 * section.area), 1e-12);
}

// Lines: a chain of elements of unequal length under end loads gives the closed form at every node.
TEST(BeamPatch, CantileverUnderEndLoads) {
  Mesh mesh;
  const double at[] = {0, 0.3, 0.45, 1.1, 2};
  const Vec3 along = Vec3(1, 2, 2) / 3;
  for (double x : at) mesh.nodes.push_back(x * along);
  for (int k = 0; k < 4; ++k) {
    const int c[2] = {k, k + 1};
    mesh.add_cell(CellShape::line, c);
  }
  fem::Section section;
  section.area = 1e-2, section.inertia_y = 2e-5, section.inertia_z = 5e-6, section.torsion = 1e-5;
  section.up = Vec3(2, 1, -2) / 3;  // across `along`: local z; local y = z × x
  Structure s = one_material(mesh, "beam", {.young = 2e7, .poisson = 0.25, .density = 1}, section);
  hold(s, "xyzXYZ", [](const Vec3& x) { return x.norm() == 0; });
  const Vec3 z = section.up, y(z.y() * along.z() - z.z() * along.y(), z.z() * along.x() - z.x() * along.z(),
                               z.x() * along.y() - z.y() * along.x());
  const double E = 2e7, G = 8e6, P = 1, Q = 0.5, N = 3, L = 2;
  const auto all = solve_loads(s, {{L * along, P * z + Q * y + N * along}});
  for (double x : at) {
    const Vec3 u = displacement(s, all, x * along);
    const auto deflection = [&](double load, double I) {
      return load * (x * x * (3 * L - x) / (6 * E * I) + x / (5.0 / 6 * G * section.area));
    };
    EXPECT_NEAR(u.dot(z), deflection(P, section.inertia_y), 1e-10 * deflection(P, section.inertia_y) + 1e-16);
    EXPECT_NEAR(u.dot(y), deflection(Q, section.inertia_z), 1e-10 * deflection(Q, section.inertia_z) + 1e-16);
    EXPECT_NEAR(u.dot(along), N * x / (E * section.area), 1e-14);
  }
}

TEST(TrussPatch, TripodUnderItsLoad) {
  Mesh mesh;
  mesh.nodes = {{1, 0, 0}, {-0.5, 0.866025403784438647, 0}, {-0.5, -0.866025403784438647, 0}, {0, 0, 1}};
  for (int k = 0; k < 3; ++k) {
    const int c[2] = {k, 3};
    mesh.add_cell(CellShape::line, c);
  }
  fem::Section section;
  section.area = 1e-4;
  Structure s = one_material(mesh, "truss", {.young = 1e9, .poisson = 0, .density = 1}, section);
  hold(s, "xyz", [](const Vec3& x) { return x.z() == 0; });
  const auto all = solve_loads(s, {{{0, 0, 1}, {0, 0, -3}}});
  // Each bar of √2 m carries √2 N: its shortening √2·√2/(EA) is the lowering times cos 45°.
  EXPECT_NEAR(displacement(s, all, {0, 0, 1}).z(), -2 * std::sqrt(2.0) / 1e5, 1e-17);
}

// Springs of unequal stiffness in a row carry one force: each gives way by F/k. A mass at the end swings on them.
TEST(SpringPatch, RowOfSpringsAndAMass) {
  const double k[] = {100, 250, 40};
  Structure s;
  s.name = "row", s.materials = {soft};
  s.mesh.nodes = {{0, 0, 0}, {0.3, 0, 0}, {0.45, 0, 0}, {1.1, 0, 0}};
  const auto& elements = fem::ElementRegistry::instance();
  for (int i = 0; i < 3; ++i) {
    fem::Section section;
    section.stiffness = k[i];
    s.sections.push_back(section);
    const int ends[2] = {i, i + 1};
    s.add_element(*elements.find("spring"), ends, i, 0);
  }
  fem::Section mass;
  mass.mass = 2;
  s.sections.push_back(mass);
  const int last[1] = {3};
  s.add_element(*elements.find("point-mass"), last, 3, 0);
  EXPECT_NEAR(fem::total_mass(s), 2, 1e-15);
  // Across their line springs do not hold: guides do.
  hold(s, "yz", [](const Vec3&) { return true; });
  hold(s, "x", [](const Vec3& x) { return x.x() == 0; });
  const auto all = solve_loads(s, {{s.mesh.nodes[3], {5, 0, 0}}});
  double moved = 0;
  for (int i = 0; i < 3; ++i) {
    moved += 5 / k[i];
    EXPECT_NEAR(displacement(s, all, s.mesh.nodes[i + 1]).x(), moved, 1e-13);
  }
  // Rayleigh's quotient of that shape is exact for one mass on massless springs: ω² = 1/(m Σ 1/k).
  const fem::StructureMatrices m = fem::assemble(s);
  std::vector<double> q(s.free), f(s.free, 0.0), g(s.free, 0.0);
  for (int i = 0; i < 3; ++i) q[s.free_unknown(i + 1, 0)] = displacement(s, all, s.mesh.nodes[i + 1]).x();
  multiply_add(m.K, 1, q.data(), f.data());
  multiply_add(m.M, 1, q.data(), g.data());
  double up = 0, down = 0;
  for (int i = 0; i < s.free; ++i) up += q[i] * f[i], down += q[i] * g[i];
  EXPECT_NEAR(up / down, 1 / (2 * (1.0 / 100 + 1.0 / 250 + 1.0 / 40)), 1e-11);
}

}  // namespace
}  // namespace tappet::test::structure_patch_test
