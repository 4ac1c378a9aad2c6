#include "tappet/geometry/mesh_tree.hpp"

#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "support/random_placements.hpp"
#include "tappet/geometry/mesh_builders.hpp"

namespace tappet::mesh_tree_test {
namespace {

double box_distance(const Vec3& p, const Vec3& half) {
  const Vec3 q = p.cwiseAbs() - half;
  return q.cwiseMax(0.0).norm() + std::min(q.maxCoeff(), 0.0);
}

TEST(SurfaceTree, SignedDistanceToABoxIsExact) {
  const Vec3 half(1, 0.5, 0.25);
  const TriangleMesh mesh = box_mesh(half);
  const SurfaceTree tree(mesh);
  testing::RandomPlacements random(1);
  for (int i = 0; i < 20'000; ++i) {
    const Vec3 p = 1.5 * random.vector();
    const SurfacePoint at = tree.nearest(p);
    ASSERT_NEAR(at.distance, box_distance(p, half), 1e-14);
    ASSERT_NEAR(at.normal.norm(), 1, 1e-14);
    ASSERT_LT((at.point + at.distance * at.normal - p).norm(), 1e-14);
  }
}

TEST(SurfaceTree, FindsWhatALoopOverAllTrianglesFinds) {
  const TriangleMesh mesh = capsule_mesh(0.4, 0.7, 6);
  const SurfaceTree tree(mesh);
  testing::RandomPlacements random(2);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p = 1.5 * random.vector();
    double least = 1e9;
    tree.within(
        p, [] { return 1e9; }, [&](int, const Vec3&, double d2) { least = std::min(least, d2); });
    ASSERT_DOUBLE_EQ(std::abs(tree.nearest(p).distance), std::sqrt(least));
    ASSERT_DOUBLE_EQ(std::abs(tree.nearest(p, i % 100).distance), std::sqrt(least));
  }
}

TEST(SurfaceTree, QueriesAllocateNothing) {
  const TriangleMesh mesh = ball_mesh(10);
  const SurfaceTree tree(mesh);
  const long before = testing::allocations();
  double sum = 0;
  for (int i = 0; i < 100; ++i) sum += tree.nearest(Vec3(0.01 * i, 0.5, 0.5)).distance;
  EXPECT_EQ(testing::allocations(), before);
  EXPECT_TRUE(std::isfinite(sum));
}

TEST(SurfaceTree, OnTheSurfaceTheNormalIsTheSurfacesOwn) {
  const TriangleMesh mesh = box_mesh(Vec3(1, 1, 1));
  const SurfaceTree tree(mesh);
  EXPECT_EQ(tree.nearest(Vec3(0.25, 0.5, 1)).normal, Vec3(0, 0, 1));
  EXPECT_LT((tree.nearest(Vec3(1, 1, 1)).normal - Vec3(1, 1, 1).normalized()).norm(), 1e-14);
}

TEST(PointTree, HoldsEveryPointOnce) {
  const std::vector<Vec3> points = ball_mesh(5).vertices;
  const PointTree tree(points);
  std::vector<int> seen(points.size());
  for (const BoxNode& node : tree.nodes()) {
    if (!node.leaf()) continue;
    ++seen[node.primitive()];
    EXPECT_LE(node.distance2(points[node.primitive()]), 1e-24);
  }
  for (const int n : seen) EXPECT_EQ(n, 1);
  EXPECT_TRUE(PointTree().empty());
}

TEST(CrossingTriangles, NeighboursDoNotCross) {
  EXPECT_EQ(crossing_triangles(ball_mesh(8)), 0);
  EXPECT_EQ(crossing_triangles({}), 0);
}

}  // namespace
}  // namespace tappet::mesh_tree_test
