#include "tappet/geometry/shapes/mesh.hpp"

#include "support/allocations.hpp"
#include "unit/geometry/pairs/pair_properties.hpp"
#include <numbers>

#include <gtest/gtest.h>

#include "tappet/geometry/mesh_builders.hpp"
#include "tappet/geometry/pair.hpp"

namespace tappet {
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
  EXPECT_NEAR(found.depth, 4e-3, 1e-5);
  EXPECT_LT((found.normal - Vec3(0, 0, 4)).norm(), 1e-9);
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
  EXPECT_NEAR(found.depth, depth, 0.05 * depth);
  EXPECT_GT(found.normal.z(), 0.999);
}

TEST(MeshMesh, BallsTouchOnce) {
  const Mesh a(ball_mesh(20)), b(ball_mesh(16));
  const Pair pair(a, b);
  ASSERT_EQ(pair.candidates(), 1);
  testing::RandomPlacements random(3);
  const double chord = std::pow(2.2 / 16, 2) / 8;
  for (int i = 0; i < 300; ++i) {
    const Vec3 along = random.direction();
    const Proximity x =
        pair.evaluate({random.rotation(), Vec3::Zero()}, {random.rotation(), 1.98 * along}, 0);
    ASSERT_NEAR(x.gap, -0.02, 4 * chord);
    ASSERT_GT(x.normal.dot(along), 0.99);
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
    EXPECT_NEAR(found.depth, depth, 0.15 * depth) << corner.transpose();
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

TEST(MeshMesh, HoldsInEveryPose) {
  const Mesh ball(ball_mesh(4)), box(box_mesh(Vec3(1, 0.7, 0.4))), cylinder(cylinder_mesh(0.5, 0.6, 3)),
      other(ball_mesh(4));
  // A share that simpler features have already may move too, and so may the place where it is looked for.
  const testing::PairTolerance tolerance{.steepness = 20};
  testing::expect_pair_properties(box, ball, 1.2, 100, tolerance);
  testing::expect_pair_properties(ball, cylinder, 1.2, 20, tolerance);
  testing::expect_pair_properties(ball, other, 1.2, 300, tolerance);
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
}  // namespace tappet
