#include "tappet/geometry/mesh_features.hpp"

#include <gtest/gtest.h>

#include "tappet/geometry/mesh_builders.hpp"
#include "tappet/geometry/mesh_faults.hpp"

namespace tappet::mesh_features_test {
namespace {

constexpr double crease = 0.7;

TEST(MeshFeatures, OfABox) {
  const MeshFeatures f = find_features(box_mesh(Vec3(1, 1, 1)), crease, 0.2);
  EXPECT_EQ(f.corners, 8);
  EXPECT_EQ(f.curves, 12);
  EXPECT_EQ(f.curved_faces, 0);
  EXPECT_EQ(f.corner_points.size(), 8u);
  EXPECT_TRUE(f.rings.empty());
}

TEST(MeshFeatures, DoNotDependOnTheMesh) {
  for (const int n : {5, 10, 20}) {
    const MeshFeatures ball = find_features(ball_mesh(n), crease, 0.2);
    EXPECT_EQ(ball.all.size(), 1u);
    EXPECT_EQ(ball.curved_faces, 1);

    // A cylinder's side is straight along its axis: nowhere lower than its rims.
    const MeshFeatures cylinder = find_features(cylinder_mesh(1, 2, n), crease, 0.2);
    EXPECT_EQ(cylinder.corners, 0);
    EXPECT_EQ(cylinder.curves, 2);
    EXPECT_EQ(cylinder.curved_faces, 0);
    ASSERT_EQ(cylinder.rings.size(), 2u);
    for (const Ring& ring : cylinder.rings) {
      EXPECT_NEAR(ring.radius, 1, 1e-12);
      EXPECT_NEAR(std::abs(ring.axis.z()), 1, 1e-12);
      EXPECT_LT((ring.centre.cwiseAbs() - Vec3(0, 0, 2)).norm(), 1e-12);
    }

    const MeshFeatures capsule = find_features(capsule_mesh(0.5, 1, n), crease, 0.2);
    EXPECT_EQ(capsule.all.size(), 1u);
    EXPECT_EQ(capsule.curved_faces, 1);
  }
}

TEST(MeshFeatures, RadiusOfABallAndOfACylinder) {
  const TriangleMesh mesh = ball_mesh(16);
  const MeshFeatures ball = find_features(mesh, crease, 1);
  for (const double r : ball.all[0].radius) EXPECT_NEAR(r, 1, 0.1);
  for (const double r : ball.face_radius) EXPECT_NEAR(r, 1, 0.1);
  const MeshFeatures cylinder = find_features(cylinder_mesh(1, 2, 16), crease, 1);
  for (const double r : cylinder.face_radius) EXPECT_TRUE(std::isinf(r));
}

TEST(MeshFeatures, HollowEdgesCannotTouch) {
  // Two steps of a stair: the inner edge is sharp but hollow.
  TriangleMesh stair{.vertices = {}, .triangles = {}};
  const std::vector<Vec2> outline = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  for (const double y : {0.0, 1.0})
    for (const Vec2& p : outline) stair.vertices.push_back(Vec3(p.x(), y, p.y()));
  const auto quad = [&](int a, int b, int c, int d) {
    stair.triangles.push_back({a, b, c});
    stair.triangles.push_back({a, c, d});
  };
  for (int i = 0; i < 6; ++i) quad(i, i + 6, (i + 1) % 6 + 6, (i + 1) % 6);
  for (const Triangle& t : {Triangle{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}) {
    stair.triangles.push_back(t);
    stair.triangles.push_back({t[0] + 6, t[2] + 6, t[1] + 6});
  }
  ASSERT_FALSE(find_faults(stair).any()) << find_faults(stair).text();
  const MeshFeatures f = find_features(stair, crease, 0.3);
  EXPECT_EQ(f.corners, 12);  // those of the hollow edge's ends have outer edges too
  EXPECT_EQ(f.curves, 17);   // 18 without the hollow one
}

}  // namespace
}  // namespace tappet::mesh_features_test
