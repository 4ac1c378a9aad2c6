#include <numbers>

#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "tappet/geometry/mesh_builders.hpp"
#include "tappet/geometry/pair.hpp"
#include "tappet/geometry/shapes/mesh.hpp"
#include "tappet/geometry/shapes/plane.hpp"
#include "unit/geometry/pairs/pair_properties.hpp"

namespace tappet::mesh_plane_test {
namespace {

const Plane floor_plane(Vec3::Zero(), Vec3::UnitZ());

double least_gap(const Pair& pair, const Pose& p, const Pose& q) {
  double out = std::numeric_limits<double>::infinity();
  for (int c = 0; c < pair.candidates(); ++c) out = std::min(out, pair.evaluate(p, q, c).gap);
  return out;
}

TEST(MeshPlane, ABoxStandsOnItsCorners) {
  const Mesh box(box_mesh(Vec3(1, 2, 0.5)));
  const Pair pair(floor_plane, box);
  ASSERT_EQ(pair.candidates(), 8);
  int below = 0;
  for (int c = 0; c < 8; ++c) {
    const Proximity x = pair.evaluate({}, {Mat3::Identity(), Vec3(3, 4, 0.499)}, c);
    if (x.gap > 0) {
      EXPECT_NEAR(x.gap, 0.999, 1e-15);
      continue;
    }
    ++below;
    EXPECT_NEAR(x.gap, -0.001, 1e-15);
    EXPECT_EQ(x.normal, Vec3(0, 0, 1));
    EXPECT_EQ(x.radius[1], 0);
    EXPECT_NEAR(std::abs(x.on_second.x() - 3), 1, 1e-15);
    EXPECT_NEAR(std::abs(x.on_second.y() - 4), 2, 1e-15);
  }
  EXPECT_EQ(below, 4);
}

TEST(MeshPlane, ABallTouchesOnceWhicheverWayItIsTurned) {
  const Mesh ball(ball_mesh(16));
  const Pair pair(floor_plane, ball);
  ASSERT_EQ(pair.candidates(), 1);
  testing::RandomPlacements random(3);
  const double chord = std::pow(2.2 / 16, 2) / 8;
  for (int i = 0; i < 2000; ++i) {
    const Proximity x = pair.evaluate({}, {random.rotation(), Vec3(0, 0, 0.99)}, 0);
    ASSERT_NEAR(x.gap, -0.01, 2 * chord);
    ASSERT_LT(Vec2(x.on_second.x(), x.on_second.y()).norm(), 0.1);
    ASSERT_NEAR(x.radius[1], 1, 0.1);
  }
}

// A rolling ball feels little of its polygons: the gap's ripple is a small part of the height of the surface
// over them.
TEST(MeshPlane, ARollingBallFeelsLittleOfItsTriangles) {
  const Mesh ball(ball_mesh(16));
  const Pair pair(floor_plane, ball);
  double low = 1, high = -1;
  for (int i = 0; i < 400; ++i) {
    const Mat3 R = Eigen::AngleAxisd(0.5 + 0.0025 * i, Vec3(1, 0.2, 0.1).normalized()).toRotationMatrix();
    const double gap = pair.evaluate({}, {R, Vec3(0, 0, 1)}, 0).gap;
    low = std::min(low, gap);
    high = std::max(high, gap);
  }
  const double chord = std::pow(2.2 / 16, 2) / 8;
  EXPECT_LT(high - low, 0.5 * chord);
}

TEST(MeshPlane, ACylinderLiesOnItsTwoRims) {
  const Mesh cylinder(cylinder_mesh(0.1, 0.3, 16));
  const Pair pair(floor_plane, cylinder);
  const Mat3 R = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX()).toRotationMatrix();
  const double depth = 0.005;
  double total = 0;
  for (int c = 0; c < pair.candidates(); ++c) {
    const Proximity x = pair.evaluate({}, {R, Vec3(0, 0, 0.1 - depth)}, c);
    if (x.gap > -0.1 * depth) continue;
    total -= x.gap;
    EXPECT_NEAR(x.gap, -depth, 0.05 * depth);
    EXPECT_NEAR(std::abs(x.on_second.y()), 0.3, 1e-9);
  }
  EXPECT_NEAR(total, 2 * depth, 0.1 * depth);
}

// When the contact passes from the round end of a capsule to its side, the sum of depths has no dip and no
// jump.
TEST(MeshPlane, DepthIsHandedOverWithoutADip) {
  const Mesh capsule(capsule_mesh(0.1, 0.3, 12));
  const Pair pair(floor_plane, capsule);
  const double depth = 0.004;
  for (int i = 0; i <= 900; ++i) {
    // The lower end's ball stays `depth` deep while the capsule tilts from upright to lying.
    const double tilt = i * std::numbers::pi / 2 / 1000;
    const Mat3 R = Eigen::AngleAxisd(tilt, Vec3::UnitX()).toRotationMatrix();
    const double height = 0.1 - depth + 0.3 * std::cos(tilt);
    double total = 0;
    for (int c = 0; c < pair.candidates(); ++c)
      total -= std::min(0.0, pair.evaluate({}, {R, Vec3(0, 0, height)}, c).gap);
    ASSERT_NEAR(total, depth, 0.15 * depth) << "tilt " << tilt;
  }
}

TEST(MeshPlane, GapChangesWithTheVelocityAtTheContact) {
  testing::RandomPlacements random(5);
  for (const TriangleMesh& mesh : {ball_mesh(10), box_mesh(Vec3(1, 0.7, 0.4)), cylinder_mesh(0.5, 0.6, 8)}) {
    const Mesh shape(mesh);
    const Pair pair(floor_plane, shape);
    for (int i = 0; i < 200; ++i) {
      const Pose q{random.rotation(),
                   Vec3(0, 0, 2.5 + random.number())};  // clear of the plane: no border counts
      const Vec3 w = random.vector(), v = random.vector();
      const double h = 1e-5;
      for (int c = 0; c < pair.candidates(); ++c) {
        // The points 120° beside the lowest of a ring slide along it as it tilts.
        if (!shape.features.rings.empty() && c % 3 != 0) continue;
        const Proximity x = pair.evaluate({}, q, c);
        const double after = pair.evaluate({}, testing::nudged(q, h * w, h * v), c).gap;
        const double before = pair.evaluate({}, testing::nudged(q, -h * w, -h * v), c).gap;
        const double rate = x.normal.dot(v + w.cross(x.on_second - q.r));
        ASSERT_NEAR((after - before) / (2 * h), rate, 1e-4);
      }
    }
  }
}

TEST(MeshPlane, HoldsInEveryPose) {
  const Plane plane(Vec3(0.1, 0.2, 0.3), Vec3(1, 2, 3));
  for (const TriangleMesh& mesh : {ball_mesh(5), box_mesh(Vec3(1, 0.7, 0.4)), cylinder_mesh(0.5, 0.6, 5)}) {
    const Mesh shape(mesh);
    // Where a border touches, its depth is taken off: both may move.
    testing::expect_pair_properties(plane, shape, 1, 100'000, {.steepness = 2.001});
  }
}

TEST(MeshPlane, AllocatesNothing) {
  const Mesh ball(ball_mesh(10));
  const Pair pair(floor_plane, ball);
  const long before = testing::allocations();
  const double gap = least_gap(pair, {}, {Mat3::Identity(), Vec3(0, 0, 1)});
  EXPECT_EQ(testing::allocations(), before);
  EXPECT_NEAR(gap, 0, 0.01);
}

}  // namespace
}  // namespace tappet::mesh_plane_test
