#include "tappet/geometry/convex_hull.hpp"

#include <gtest/gtest.h>

#include "support/random_poses.hpp"
#include "tappet/geometry/mesh_builders.hpp"
#include "tappet/geometry/mesh_faults.hpp"

namespace tappet::convex_hull_test {
namespace {

// A box of 7 × 7 × 7 points, most of them inside, in faces or on edges: eight corners are left.
TEST(HullMesh, OfAGridIsItsBox) {
  std::vector<Vec3> points;
  for (int i = 0; i < 343; ++i) points.push_back(Vec3(i % 7, 2 * (i / 7 % 7), 3 * (i / 49)));
  const TriangleMesh hull = hull_mesh(points);
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(hull.triangles.size(), 12u);
  EXPECT_FALSE(find_faults(hull).any()) << find_faults(hull).text();
  EXPECT_NEAR(solid_properties(hull).volume, 6 * 12 * 18, 1e-9);
}

// Nothing is farther outside than the tolerance, no corner is anything but a point, and the surface is closed.
TEST(HullMesh, HoldsAllPoints) {
  testing::RandomPoses random(5);
  for (int trial = 0; trial < 10; ++trial) {
    std::vector<Vec3> points;
    for (int i = 0; i < 3000; ++i) {
      const Vec3 p = random.vector();
      points.push_back(trial % 2 ? Vec3(p.normalized()) : p.cwiseProduct(Vec3(1, 0.1, 4)));
    }
    const TriangleMesh hull = hull_mesh(points);
    const MeshFaults faults = find_faults(hull);
    EXPECT_TRUE(faults.closed() && faults.flipped == 0 && !faults.inside_out) << faults.text();
    const double tolerance = hull_tolerance * 9;
    const bool whole = hull.vertices.size() < most_hull_corners;
    for (int t = 0; t < static_cast<int>(hull.triangles.size()); ++t) {
      const Vec3 n = hull.area_vector(t).normalized();
      for (const Vec3& p : points) EXPECT_LT(n.dot(p - hull.corner(t, 0)), whole ? tolerance : 0.02);
    }
  }
}

TEST(HullMesh, OfFlatPointsIsEmpty) {
  EXPECT_TRUE(hull_mesh({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(1, 1, 0), Vec3(2, 3, 0)})
                  .triangles.empty());
  EXPECT_TRUE(hull_mesh({Vec3(0, 0, 0), Vec3(1, 0, 0)}).triangles.empty());
}

}  // namespace
}  // namespace tappet::convex_hull_test
