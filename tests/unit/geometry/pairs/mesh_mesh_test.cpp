#include "tappet/geometry/shapes/mesh.hpp"

#include <numbers>

#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "tappet/geometry/mesh_builders.hpp"
#include "tappet/geometry/mesh_faults.hpp"
#include "tappet/geometry/pair.hpp"
#include "unit/geometry/pairs/pair_properties.hpp"

namespace tappet::mesh_mesh_test {
namespace {

struct Contacts {
  int count = 0;
  double depth = 0;  ///< sum
  Vec3 normal = Vec3::Zero();
};

/// Candidates deeper than `least`.
Contacts contacts(const Pair& pair, const Pose& p, const Pose& q, double least) {
  Contacts out;
  for (int c = 0; c < pair.candidates(); ++c) {
    const Proximity x = pair.evaluate(p, q, c);
    if (x.gap > -least) continue;
    ++out.count;
    out.depth -= x.gap;
    out.normal += x.normal;
  }
  return out;
}

TEST(MeshMesh, ABoxOnALargerOneStandsOnFourCorners) {
  const Mesh table(box_mesh(Vec3(2, 2, 0.5))), box(box_mesh(Vec3(0.5, 0.4, 0.3)));
  const Pair pair(table, box);
  const Mat3 R = Eigen::AngleAxisd(0.3, Vec3::UnitZ()).toRotationMatrix();
  const Contacts found = contacts(pair, {}, {R, Vec3(0.2, 0.1, 0.8 - 0.001)}, 1e-5);
  EXPECT_EQ(found.count, 4);
  EXPECT_NEAR(found.depth, 4e-3, 1e-12);
  EXPECT_LT((found.normal - Vec3(0, 0, 4)).norm(), 1e-12);
}

TEST(MeshMesh, ACylinderStandsOnThreePointsOfItsRim) {
  const Mesh table(box_mesh(Vec3(2, 2, 0.5))), cylinder(cylinder_mesh(0.5, 0.3, 12));
  const Pair pair(table, cylinder);
  const Contacts found = contacts(pair, {}, {Mat3::Identity(), Vec3(0.2, 0.1, 0.8 - 0.001)}, 1e-5);
  EXPECT_EQ(found.count, 3);
  EXPECT_NEAR(found.depth, 3e-3, 1e-12);
}

TEST(MeshMesh, CrossingEdgesTouchOnce) {
  // Two boxes turned by 45° about perpendicular axes, edge on edge.
  const Mesh a(box_mesh(Vec3(1, 1, 1))), b(box_mesh(Vec3(1, 1, 1)));
  const Pair pair(a, b);
  const double quarter = std::numbers::pi / 4, depth = 0.002;
  const Pose p{Eigen::AngleAxisd(quarter, Vec3::UnitX()).toRotationMatrix(), Vec3::Zero()};
  const Pose q{Eigen::AngleAxisd(quarter, Vec3::UnitY()).toRotationMatrix(),
               Vec3(0.013, 0.02, 2 * std::sqrt(2.0) - depth)};
  const Contacts found = contacts(pair, p, q, 0.1 * depth);
  EXPECT_EQ(found.count, 1);
  EXPECT_NEAR(found.depth, depth, 1e-9);
  EXPECT_GT(found.normal.z(), 1 - 1e-9);
}

TEST(MeshMesh, BallsTouchOnce) {
  const Mesh a(ball_mesh(20)), b(ball_mesh(16));
  const Pair pair(a, b);
  ASSERT_EQ(pair.candidates(), 1);
  testing::RandomPlacements random(3);
  const double h = 2.2 / 16, chord = h * h / 8;
  for (int i = 0; i < 300; ++i) {
    const Vec3 along = random.direction();
    const Proximity x =
        pair.evaluate({random.rotation(), Vec3::Zero()}, {random.rotation(), 1.98 * along}, 0);
    ASSERT_NEAR(x.gap, -0.02, 2 * chord);
    ASSERT_GT(x.normal.dot(along), 1 - h * h);
  }
}

TEST(MeshMesh, ABallOnFaceEdgeAndCornerOfABoxTouchesOnce) {
  const Mesh box(box_mesh(Vec3(1, 1, 1))), ball(ball_mesh(20));
  const Pair pair(box, ball);
  const double depth = 0.02;
  for (const Vec3& corner : {Vec3(0.1, 0.2, 1), Vec3(0.13, 1, 1), Vec3(1, 1, 1)}) {
    const Vec3 outward = (corner.array() == 1).cast<double>().matrix().normalized();
    const Contacts found =
        contacts(pair, {}, {Mat3::Identity(), corner + (1 - depth) * outward}, 0.1 * depth);
    EXPECT_EQ(found.count, 1) << corner.transpose();
    EXPECT_NEAR(found.depth, depth, 0.1 * depth) << corner.transpose();
    EXPECT_GT(found.normal.normalized().dot(outward), 0.99) << corner.transpose();
  }
}

TEST(MeshMesh, CrossedCylindersTouchOnce) {
  const Mesh a(cylinder_mesh(0.2, 1, 12)), b(cylinder_mesh(0.2, 1, 12));
  const Pair pair(a, b);
  const Mat3 R = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX()).toRotationMatrix();
  const double depth = 0.01;
  const Contacts found = contacts(pair, {}, {R, Vec3(0.4 - depth, 0.1, 0.2)}, 0.1 * depth);
  EXPECT_EQ(found.count, 1);
  EXPECT_NEAR(found.depth, depth, 0.2 * depth);
  EXPECT_GT(found.normal.x(), 0.99);
}

// What is not convex touches where it overlaps.
TEST(MeshMesh, ABallInAGrooveTouchesTheNearerWall) {
  TriangleMesh groove;
  const std::vector<Vec2> outline = {{-2, -1}, {2, -1}, {2, 1}, {1, 1}, {1, 0}, {-1, 0}, {-1, 1}, {-2, 1}};
  const int n = static_cast<int>(outline.size());
  for (const double y : {-1.0, 1.0})
    for (const Vec2& p : outline) groove.vertices.push_back(Vec3(p.x(), y, p.y()));
  const auto quad = [&](int a, int b, int c, int d) {
    groove.triangles.push_back({a, b, c});
    groove.triangles.push_back({a, c, d});
  };
  for (int i = 0; i < n; ++i) quad(i, i + n, (i + 1) % n + n, (i + 1) % n);
  for (const Triangle& t : {Triangle{0, 1, 5}, {1, 4, 5}, {1, 2, 4}, {2, 3, 4}, {0, 5, 7}, {5, 6, 7}}) {
    groove.triangles.push_back(t);
    groove.triangles.push_back({t[0] + n, t[2] + n, t[1] + n});
  }
  ASSERT_FALSE(find_faults(groove).any()) << find_faults(groove).text();
  TriangleMesh small = ball_mesh(16);
  for (Vec3& v : small.vertices) v *= 0.9;
  const Mesh hollow(groove), ball(small);
  ASSERT_FALSE(hollow.convex);
  ASSERT_TRUE(ball.convex);
  const Pair pair(hollow, ball);
  // Radius 0.9 m in a groove 2 m wide and 1 m deep: 3 mm into the floor, then 3 mm into a wall.
  const Contacts x = contacts(pair, {}, {Mat3::Identity(), Vec3(0.05, 0.1, 0.897)}, 0);
  ASSERT_EQ(x.count, 1);
  EXPECT_NEAR(x.depth, 0.003, 0.005);
  EXPECT_GT(x.normal.z(), 0.99);
  const Contacts y = contacts(pair, {}, {Mat3::Identity(), Vec3(0.103, 0.1, 0.95)}, 0);
  ASSERT_EQ(y.count, 1);
  EXPECT_NEAR(y.depth, 0.003, 0.005);
  EXPECT_LT(y.normal.x(), -0.99);
}

TEST(MeshMesh, HoldsInEveryPose) {
  const Mesh ball(ball_mesh(4)), box(box_mesh(Vec3(1, 0.7, 0.4))), other(ball_mesh(4));
  testing::expect_pair_properties(ball, other, 1.2, 100'000);
}

TEST(MeshMesh, AllocatesNothing) {
  const Mesh a(ball_mesh(6)), b(box_mesh(Vec3(1, 1, 1)));
  const Pair pair(a, b);
  const long before = testing::allocations();
  const Contacts found = contacts(pair, {}, {Mat3::Identity(), Vec3(0, 0, 1.99)}, 1e-3);
  EXPECT_EQ(testing::allocations(), before);
  EXPECT_EQ(found.count, 1);
}

}  // namespace
}  // namespace tappet::mesh_mesh_test
