#include <numbers>

#include <gtest/gtest.h>

#include "tappet/geometry/mesh_builders.hpp"
#include "tappet/geometry/mesh_faults.hpp"
#include "tappet/geometry/pair.hpp"
#include "tappet/geometry/shapes/mesh.hpp"
#include "tappet/geometry/shapes/sphere.hpp"
#include "unit/geometry/pairs/pair_properties.hpp"

namespace tappet::mesh_sphere_test {
namespace {

TEST(MeshSphere, ABallOnABoxIsExact) {
  const Mesh box(box_mesh(Vec3(1, 1, 1)));
  const Sphere ball(Vec3::Zero(), 0.25);
  const Pair pair(box, ball);
  ASSERT_EQ(pair.candidates(), 1);
  const auto at = [&](double x, double y, double z) {
    return pair.evaluate({}, {Mat3::Identity(), Vec3(x, y, z)}, 0);
  };
  EXPECT_NEAR(at(0.3, 0.4, 1.24).gap, -0.01, 1e-15);
  EXPECT_LT((at(0.3, 0.4, 1.24).normal - Vec3(0, 0, 1)).norm(), 1e-14);
  EXPECT_TRUE(std::isinf(at(0.3, 0.4, 1.24).radius[0]));
  EXPECT_NEAR(at(1.3, 0.4, 1.4).gap, 0.25, 1e-15);       // over an edge: 0.3, 0.4, 0.5
  EXPECT_NEAR(at(0, 0.1, 0.2).gap, -0.8 - 0.25, 1e-15);  // inside
}

TEST(MeshSphere, HoldsInEveryPose) {
  const Sphere ball(Vec3(0.1, 0, 0), 0.3);
  const Mesh box(box_mesh(Vec3(1, 0.7, 0.4))), capsule(capsule_mesh(0.3, 0.5, 5));
  testing::expect_pair_properties(box, ball, 1, 100'000);
  testing::expect_pair_properties(ball, capsule, 1, 100'000);
}

/// A block with a round bowl of radius 1 in its top.
TriangleMesh bowl(int n) {
  TriangleMesh mesh = ball_mesh(n);
  // The lower half ball turned inside out, and a box around it, open above.
  std::erase_if(mesh.triangles, [&](const Triangle& t) {
    return (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]).z() > 0;
  });
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  mesh.parts.clear();
  const int base = static_cast<int>(mesh.vertices.size());
  for (const double z : {0.0, -2.0})
    for (int i = 0; i < 4 * n; ++i) {
      const double a = 2 * std::numbers::pi * i / (4 * n);
      mesh.vertices.push_back(Vec3(std::cos(a) * 2, std::sin(a) * 2, z));
      mesh.vertices.push_back(Vec3(std::cos(a), std::sin(a), 0));
    }
  mesh.vertices.push_back(Vec3(0, 0, -2));
  for (int i = 0; i < 4 * n; ++i) {
    const int j = (i + 1) % (4 * n), outer = base + 2 * i, outer2 = base + 2 * j, low = outer + 8 * n,
              low2 = outer2 + 8 * n;
    mesh.triangles.push_back({outer + 1, outer, outer2});
    mesh.triangles.push_back({outer + 1, outer2, outer2 + 1});
    mesh.triangles.push_back({outer, low, low2});
    mesh.triangles.push_back({outer, low2, outer2});
    mesh.triangles.push_back({base + 16 * n, low2, low});
  }
  return welded(mesh, 1e-9);
}

// In a bowl the nearest triangle changes at once; the normal must not.
TEST(MeshSphere, TheNormalTurnsSteadilyInABowl) {
  const TriangleMesh mesh = bowl(16);
  ASSERT_FALSE(find_faults(mesh).any()) << find_faults(mesh).text();
  const Mesh block(mesh);
  EXPECT_GT(block.features.hollow_smoothing, 0);
  const Sphere ball(Vec3::Zero(), 0.2);
  const Pair pair(block, ball);
  Vec3 before = Vec3::Zero();
  const double step = 1e-4, chord = std::pow(2.2 / 16, 2) / 8;
  for (int i = -5000; i <= 5000; ++i) {
    const double a = i * step;
    const Vec3 centre = 0.81 * Vec3(std::sin(a), 0.1, -std::cos(a)).normalized();
    const Proximity x = pair.evaluate({}, {Mat3::Identity(), centre}, 0);
    ASSERT_NEAR(x.gap, -0.01, 4 * chord);
    ASSERT_LT((x.normal + centre.normalized()).norm(), 0.07);  // half the angle between two triangles
    if (i > -5000) {
      ASSERT_LT((x.normal - before).norm(), 30 * step) << a;
    }
    before = x.normal;
  }
}

}  // namespace
}  // namespace tappet::mesh_sphere_test
