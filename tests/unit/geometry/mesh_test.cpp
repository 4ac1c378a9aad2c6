#include "tappet/geometry/mesh.hpp"

#include <numbers>

#include <gtest/gtest.h>

#include "tappet/geometry/mesh_builders.hpp"
#include "tappet/geometry/mesh_faults.hpp"

namespace tappet::mesh_test {
namespace {

TriangleMesh tetrahedron() {
  return {.vertices = {Vec3(0, 0, 0), Vec3(3, 0, 0), Vec3(0, 2, 0), Vec3(0, 0, 1)},
          .triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

TriangleMesh moved(TriangleMesh mesh, const Vec3& by) {
  for (Vec3& v : mesh.vertices) v += by;
  return mesh;
}

TriangleMesh together(TriangleMesh a, const TriangleMesh& b) {
  const int base = static_cast<int>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const Triangle& t : b.triangles) a.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
  a.parts.clear();
  return a;
}

TEST(MeshProperties, OfABox) {
  const Vec3 at(5, -7, 11), side(2, 3, 4);
  const SolidProperties s = solid_properties(moved(box_mesh(side / 2), at));
  EXPECT_NEAR(s.volume, 24, 1e-12);
  EXPECT_LT((s.centre - at).norm(), 1e-13);
  const Mat3 wanted = Vec3(9 + 16, 4 + 16, 4 + 9).asDiagonal() * (24.0 / 12);
  EXPECT_LT((s.inertia - wanted).norm(), 1e-11);
}

TEST(MeshProperties, OfATetrahedron) {
  // Corners at the origin and at a, b, c on the axes: V = abc/6, centre a/4, I_xx about the origin V (b² +
  // c²)/10, ∫xy dV = V ab/20.
  const double a = 3, b = 2, c = 1, V = 1;
  const SolidProperties s = solid_properties(tetrahedron());
  EXPECT_NEAR(s.volume, V, 1e-15);
  EXPECT_LT((s.centre - Vec3(a, b, c) / 4).norm(), 1e-15);
  EXPECT_NEAR(s.inertia(0, 0), V * (b * b + c * c) / 10 - V * (b * b + c * c) / 16, 1e-15);
  EXPECT_NEAR(s.inertia(0, 1), -(V * a * b / 20 - V * a * b / 16), 1e-15);
}

TEST(MeshProperties, OfABallConvergeWithTheSquareOfTheEdge) {
  const double volume = 4 * std::numbers::pi / 3;
  double before = 0, inertia_before = 0;
  for (const int n : {8, 16, 32}) {
    const SolidProperties s = solid_properties(ball_mesh(n));
    const double error = volume - s.volume, inertia_error = 0.4 * volume - s.inertia(1, 1);
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / error), 2, 0.05) << n;
      EXPECT_NEAR(std::log2(inertia_before / inertia_error), 2, 0.05) << n;
    }
    EXPECT_LT(s.centre.norm(), 1e-14);
    before = error;
    inertia_before = inertia_error;
  }
  EXPECT_LT(before / volume, 2e-3);
}

TEST(MeshWeld, MakesOneVertexOfManyAndDropsSlivers) {
  const TriangleMesh box = box_mesh(Vec3(1, 1, 1));
  TriangleMesh soup;
  for (const Triangle& t : box.triangles)
    for (const int v : t)
      soup.vertices.push_back(box.vertices[v] + 1e-9 * soup.vertices.size() * Vec3::UnitX());
  for (int i = 0; i < 12; ++i) soup.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  soup.triangles.push_back({0, 1, 1});
  const TriangleMesh out = welded(soup, 1e-6);
  EXPECT_EQ(out.vertices.size(), 8u);
  EXPECT_EQ(out.triangles.size(), 12u);
  EXPECT_FALSE(find_faults(out).any());
}

TEST(MeshFaults, NoneInTheBuilders) {
  for (const TriangleMesh& mesh : {box_mesh(Vec3(1, 2, 3)), ball_mesh(6), cylinder_mesh(1, 2, 5),
                                   capsule_mesh(0.3, 1, 4), tetrahedron()}) {
    const MeshFaults faults = find_faults(mesh);
    EXPECT_FALSE(faults.any()) << faults.text();
  }
}

TEST(MeshFaults, AreCounted) {
  TriangleMesh open = box_mesh(Vec3(1, 1, 1));
  open.triangles.pop_back();
  EXPECT_EQ(find_faults(open).text(), "3 open edges");

  TriangleMesh flipped = ball_mesh(4);
  for (const int t : {3, 40}) std::swap(flipped.triangles[t][0], flipped.triangles[t][1]);
  EXPECT_EQ(find_faults(flipped).text(), "2 flipped triangles");

  TriangleMesh inside_out = ball_mesh(4);
  for (Triangle& t : inside_out.triangles) std::swap(t[0], t[1]);
  EXPECT_EQ(find_faults(inside_out).text(), "all triangles inside out");
  EXPECT_FALSE(find_faults(oriented(inside_out)).any());
  EXPECT_FALSE(find_faults(oriented(flipped)).any());

  // Two boxes pushed into each other by a corner: three sides of each cross three of the other.
  const TriangleMesh crossing =
      together(box_mesh(Vec3(1, 1, 1)), moved(box_mesh(Vec3(1, 1, 1)), Vec3(1.3, 1.2, 1.1)));
  EXPECT_GE(find_faults(crossing).intersecting, 6);
  EXPECT_TRUE(find_faults(crossing).closed());

  TriangleMesh crowded = box_mesh(Vec3(1, 1, 1));
  crowded.vertices.push_back(Vec3(5, 5, 5));
  crowded.triangles.push_back({crowded.triangles[0][0], crowded.triangles[0][1], 8});
  EXPECT_EQ(find_faults(crowded).crowded_edges, 1);
}

TEST(MeshFaults, AHollowInsideIsNone) {
  TriangleMesh inner = box_mesh(Vec3(0.5, 0.5, 0.5));
  for (Triangle& t : inner.triangles) std::swap(t[0], t[1]);
  const TriangleMesh shell = together(box_mesh(Vec3(1, 1, 1)), inner);
  EXPECT_FALSE(find_faults(shell).any()) << find_faults(shell).text();
  EXPECT_NEAR(solid_properties(shell).volume, 7, 1e-12);
}

}  // namespace
}  // namespace tappet::mesh_test
