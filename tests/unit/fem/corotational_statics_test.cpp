// Large rotations at rest, against closed forms and published solutions.
#include "tappet/fem/corotational_statics.hpp"

#include <numbers>

#include <gtest/gtest.h>

#include "support/structures.hpp"

namespace tappet::fem::corotational_statics_test {
namespace {

using std::numbers::pi;

Body body_of(Structure s) {
  s.turns = true;
  Body out;
  number_unknowns(s);
  out.structure = std::move(s);
  return out;
}

void load(Body& body, std::vector<int> nodes, const Vec3& force, const Vec3& moment = Vec3::Zero()) {
  NodeLoad out;
  out.nodes = std::move(nodes);
  for (int d = 0; d < 3; ++d) {
    out.force[d] = Expression::constant(force[d]);
    out.moment[d] = Expression::constant(moment[d]);
  }
  out.turns = true;
  body.loads.push_back(out);
}

Vec3 place(const Structure& s, const TurnedStatics& found, int node) {
  return s.mesh.nodes[node] + Eigen::Map<const Vec3>(found.all.data() + s.first_unknown[node]);
}

/// A cantilever along x of length 10 with E I = 1, clamped at the origin; its last node is the tip.
Structure cantilever(int n, double up_inertia = 1) {
  Mesh mesh;
  for (int i = 0; i <= n; ++i) mesh.nodes.emplace_back(10.0 * i / n, 0, 0);
  for (int i = 0; i < n; ++i) {
    const int ends[] = {i, i + 1};
    mesh.add_cell(CellShape::line, ends);
  }
  Section section;
  section.area = 100, section.inertia_y = up_inertia, section.inertia_z = 1, section.torsion = 1;
  section.shear_y = section.shear_z = 1;
  Structure s =
      test::one_material(std::move(mesh), "beam", {.young = 1, .poisson = 0, .density = 1}, section);
  test::hold(s, "xyzXYZ", [](const Vec3& x) { return x.norm() < 1e-9; });
  return s;
}

// M = 2π E I/L rolls a beam up into a circle. Elements bend evenly and keep their chord, so that any number of them makes a regular
// polygon that closes, L/n/sin(π/n) wide.
TEST(CorotationalStatics, AnEndMomentRollsACantileverUp) {
  for (int n : {8, 16, 40}) {
    Body body = body_of(cantilever(n));
    load(body, {n}, Vec3::Zero(), Vec3(0, 0, 2 * pi / 10));
    const TurnedStatics found = solve_turned_static(body, body.structure, Vec3::Zero(), 10);
    ASSERT_TRUE(found.converged) << n << ": " << found.reached;
    EXPECT_LT(place(body.structure, found, n).norm(), 1e-9) << n;
    const double width = (place(body.structure, found, n / 2) - place(body.structure, found, 0)).norm();
    EXPECT_NEAR(width, 10.0 / n / std::sin(pi / n), 1e-9) << n;
    EXPECT_NEAR(width, 10 / pi, (n == 16 ? 0.01 : n == 40 ? 0.0011 : 0.03) * 10 / pi) << n;
    printf("%d elements: width %.6f of %.6f, %d increments, %d iterations\n", n, width, 10 / pi,
           found.increments, found.iterations);
  }
}

// Half of it, out of the other plane and twice around: rotation vectors beyond π come back from the other side.
TEST(CorotationalStatics, TwiceAroundAboutAnotherAxis) {
  Body body = body_of(cantilever(20));
  load(body, {20}, Vec3::Zero(), Vec3(0, 4 * pi / 10, 0));
  const TurnedStatics found = solve_turned_static(body, body.structure, Vec3::Zero(), 20);
  ASSERT_TRUE(found.converged) << found.reached;
  EXPECT_LT(place(body.structure, found, 20).norm(), 1e-8);
  EXPECT_LT(place(body.structure, found, 10).norm(), 1e-8);
}

// The same of shells and of bricks, whose own bending is not quite exact.
TEST(CorotationalStatics, AStripOfShellsRollsUp) {
  for (const char* element : {"shell4", "shell3"}) {
    const int n = 24;
    Mesh mesh;
    for (int i = 0; i <= n; ++i)
      for (int k = 0; k < 2; ++k) mesh.nodes.emplace_back(10.0 * i / n, k, 0);
    for (int i = 0; i < n; ++i) {
      const int a = 2 * i, q[] = {a, a + 2, a + 3, a + 1}, t1[] = {a, a + 2, a + 3}, t2[] = {a, a + 3, a + 1};
      if (element[5] == '4')
        mesh.add_cell(CellShape::quadrangle, q);
      else
        mesh.add_cell(CellShape::triangle, t1), mesh.add_cell(CellShape::triangle, t2);
    }
    Section section;
    section.thickness = 0.1;
    Structure s =
        test::one_material(std::move(mesh), element, {.young = 12000, .poisson = 0, .density = 1}, section);
    test::hold(s, "xyzXYZ", [](const Vec3& x) { return x.x() < 1e-9; });
    Body body = body_of(std::move(s));
    load(body, {2 * n, 2 * n + 1}, Vec3::Zero(), Vec3(0, -2 * pi / 10, 0));
    const TurnedStatics found = solve_turned_static(body, body.structure, Vec3::Zero(), 20);
    ASSERT_TRUE(found.converged) << element << found.reached;
    EXPECT_LT(place(body.structure, found, 2 * n).head<1>().norm(), 0.1) << element;
    EXPECT_LT(std::abs(place(body.structure, found, 2 * n).z()), 0.1) << element;
    EXPECT_NEAR(place(body.structure, found, n).z(), 10 / pi, 0.01 * 10 / pi) << element;
    printf("%s: tip (%.5f, %.5f), height %.5f, %d iterations\n", element,
           place(body.structure, found, 2 * n).x(), place(body.structure, found, 2 * n).z(),
           place(body.structure, found, n).z(), found.iterations);
  }
}

// Bathe and Bolourchi's bend: an eighth of a circle of radius 100, 1 × 1, E 1e7, ν 0, 600 across its plane at the tip.
TEST(CorotationalStatics, TheBendOf45Degrees) {
  for (int n : {8, 16}) {
    Mesh mesh;
    for (int i = 0; i <= n; ++i) {
      const double a = pi / 4 * i / n;
      mesh.nodes.emplace_back(100 * std::sin(a), 100 * (1 - std::cos(a)), 0);
    }
    for (int i = 0; i < n; ++i) {
      const int ends[] = {i, i + 1};
      mesh.add_cell(CellShape::line, ends);
    }
    Section section;
    section.area = 1, section.inertia_y = section.inertia_z = 1.0 / 12, section.torsion = 0.1406;
    Structure s =
        test::one_material(std::move(mesh), "beam", {.young = 1e7, .poisson = 0, .density = 1}, section);
    test::hold(s, "xyzXYZ", [](const Vec3& x) { return x.norm() < 1e-9; });
    Body body = body_of(std::move(s));
    load(body, {n}, Vec3(0, 0, 600));
    const TurnedStatics found = solve_turned_static(body, body.structure, Vec3::Zero(), 6);
    ASSERT_TRUE(found.converged);
    const Vec3 tip = place(body.structure, found, n);
    printf("%d elements: tip %.3f %.3f %.3f, %d iterations\n", n, tip.x(), tip.y(), tip.z(),
           found.iterations);
    // Axes of the paper: 15.75 along the chord's other direction, 47.25 along the clamped end's tangent, 53.4 across.
    EXPECT_NEAR(tip.y(), 15.75, 0.01 * 53.4) << n;
    EXPECT_NEAR(tip.x(), 47.25, 0.01 * 53.4) << n;
    EXPECT_NEAR(tip.z(), 53.4, 0.01 * 53.4) << n;
  }
}

TEST(CorotationalStatics, WhatIsNotHeldIsSaid) {
  Structure s = cantilever(4);
  s.supports.clear();
  Body body = body_of(std::move(s));
  load(body, {4}, Vec3(0, 0, 1));
  EXPECT_EQ(solve_turned_static(body, body.structure, Vec3::Zero(), 1).mechanisms.size(), 6u);
}

// Beyond its load a truss of two bars snaps through, with no equilibrium in between: the part of the load is near the exact one.
// E A (1/L₀ − 1/L) h of each bar is largest where L³ = L₀ a².
TEST(CorotationalStatics, SaysWhereEquilibriumEnds) {
  const double a = 1, h0 = 0.1, L0 = std::hypot(a, h0), EA = 1000;
  Mesh mesh;
  mesh.nodes = {{-a, 0, 0}, {0, 0, h0}, {a, 0, 0}};
  const int left[] = {0, 1}, right[] = {1, 2};
  mesh.add_cell(CellShape::line, left), mesh.add_cell(CellShape::line, right);
  Section section;
  section.area = 1;
  Structure s =
      test::one_material(std::move(mesh), "truss", {.young = EA, .poisson = 0, .density = 1}, section);
  test::hold(s, "xyz", [&](const Vec3& x) { return std::abs(x.x()) > a / 2; });
  test::hold(s, "y", [](const Vec3& x) { return std::abs(x.x()) < 0.5; });
  const double L = std::cbrt(L0 * a * a), h = std::sqrt(L * L - a * a), most = 2 * EA * (L0 - L) / L0 * h / L;
  for (const double part : {0.5, 0.99}) {
    Body body = body_of(s);
    load(body, {1}, Vec3(0, 0, -part * most));
    const TurnedStatics found = solve_turned_static(body, body.structure, Vec3::Zero(), 10);
    printf("load %.2f of the largest: reached %.4f, converged %d, h %.5f\n", part, found.reached,
           found.converged, place(body.structure, found, 1).z());
    {
      EXPECT_TRUE(found.converged);
      const double now = place(body.structure, found, 1).z(), length = std::hypot(a, now);
      EXPECT_NEAR(2 * EA * (L0 - length) / L0 * now / length, part * most, 1e-9 * most);
    }
  }
}

}  // namespace
}  // namespace tappet::fem::corotational_statics_test
