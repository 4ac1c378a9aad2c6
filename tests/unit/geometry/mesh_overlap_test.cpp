#include "tappet/geometry/mesh_overlap.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "support/plate_meshes.hpp"
#include "support/random_placements.hpp"
#include "tappet/geometry/mesh_builders.hpp"
#include "tappet/geometry/pair.hpp"

namespace tappet::mesh_overlap_test {
namespace {

Mat3 turned(double angle, const Vec3& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

const Overlap& only(const Overlaps& found) {
  EXPECT_EQ(found.all.size(), 1u);
  static const Overlap none;
  return found.all.empty() ? none : found.all.front();
}

TEST(MeshOverlap, DepthIsTheDeepestOfFacesEdgesAndCorners) {
  const Mesh table(box_mesh(Vec3(2, 2, 0.5))), box(box_mesh(Vec3(0.5, 0.4, 0.3)));
  const double depth = 1e-3;
  // A face, an edge, a corner downwards, each so that its lowest point is 1 mm below the table's top.
  const Mat3 edge = turned(0.4, Vec3::UnitY()), corner = turned(0.5, Vec3(1, 0.7, 0));
  for (const Mat3& R : {turned(0.3, Vec3::UnitZ()), edge, corner}) {
    const double lowest = (R.row(2).cwiseAbs() * Vec3(0.5, 0.4, 0.3)).value();
    const Overlap x = only(find_overlaps(table, box, {R, Vec3(0.2, 0.1, 0.5 + lowest - depth)}));
    EXPECT_NEAR(x.depth, depth, 1e-9);
    EXPECT_LT((x.g - Vec3(0, 0, -1)).norm(), 1e-6);
  }
  // Edge on edge, crosswise.
  const double half = std::numbers::pi / 4, size = std::sqrt(2.0);
  const Mesh cube(box_mesh(Vec3(1, 1, 1)));
  const Mat3 a = turned(half, Vec3::UnitX()), b = turned(half, Vec3::UnitY());
  const Overlap x = only(
      find_overlaps(cube, cube, {a.transpose() * b, a.transpose() * Vec3(0.01, 0.02, 2 * size - 2 * depth)}));
  EXPECT_NEAR(x.depth, 2 * depth, 1e-4 * depth);
  EXPECT_LT((a * x.normal() - Vec3::UnitZ()).norm(), 1e-9);
}

// Equally thick plates overlap in their plane, with or without a difference in height that rounding makes.
TEST(MeshOverlap, EqualPlatesMeetInTheirPlane) {
  const Mesh star(testing::plate(testing::star(6, 0.05, 0.03), 0.01));
  ASSERT_FALSE(star.convex);
  for (const double z : {0.0, 1e-18, 1e-15, 1e-12})
    for (const double x : {0.0952, 0.095, 0.0945}) {
      const auto& found = find_overlaps(star, star, {turned(0.3, Vec3::UnitZ()), Vec3(x, 0.012, z)});
      ASSERT_EQ(found.all.size(), 1u) << z << ' ' << x;
      // Raised by however little, the second's cap counts among its own surface inside the first, and the direction leans a little: by
      // far less than the depth over the thickness.
      EXPECT_LT(std::abs(found.all[0].normal().z()), z == 0 ? 1e-12 : 1e-4) << z << ' ' << x;
    }
}

// δ̇ = g·v + m·ω: against differences of the depth.
TEST(MeshOverlap, ForceIsTheDerivativeOfDepth) {
  const Mesh star(testing::plate(testing::star(6, 0.05, 0.03), 0.01));
  const Pose at{turned(0.3, Vec3::UnitZ()), Vec3(0.0948, 0.012, 0)};
  const Overlap x = only(find_overlaps(star, star, at));
  EXPECT_NEAR(x.g.norm(), 1, 1e-6);
  testing::RandomPlacements random(5);
  constexpr double h = 1e-8;
  for (int i = 0; i < 20; ++i) {
    Vec3 v = random.vector(), w = random.vector();
    v.z() = w.x() = w.y() = 0;
    const auto depth = [&](double s) {
      return only(find_overlaps(star, star,
                                {turned(s * w.norm(), w) * at.R, turned(s * w.norm(), w) * at.r + s * v}))
          .depth;
    };
    EXPECT_NEAR((depth(h) - depth(-h)) / (2 * h), x.g.dot(v) + x.m.dot(w), 1e-5);
  }
}

// A tip in a groove touches both sides, each the way it looks.
TEST(MeshOverlap, BothSidesOfAGrooveAreTouched) {
  const Mesh star(testing::plate(testing::star(6, 0.05, 0.03), 0.01));
  testing::Outline wedge{{0, -0.0005}, {0.03, -0.012}, {0.03, 0.012}, {0, 0.0005}};
  for (Vec2& p : wedge) p.x() -= 0.015;
  const Mesh tip(testing::plate(wedge, 0.01));
  // The groove between two tips opens along the x axis, its bottom 30 mm from the middle.
  const Pose at{Mat3::Identity(), Vec3(0.03 - 1e-4 + 0.015, 0, 0)};
  const Pose star_turned{turned(std::numbers::pi / 6, Vec3::UnitZ()), Vec3::Zero()};
  const auto& found = find_overlaps(star, tip, {star_turned.R.transpose() * at.R, star_turned.local(at.r)},
                                    Grooves::two_places);
  ASSERT_EQ(found.all.size(), 2u);
  const Vec3 one = star_turned.R * found.all[0].direction, two = star_turned.R * found.all[1].direction;
  EXPECT_NEAR(one.x(), two.x(), 1e-6);
  EXPECT_NEAR(one.y(), -two.y(), 1e-6);
  // The side from the bottom (30 mm, 0) to the tip 50 mm away at 30°.
  const Vec2 side = (testing::polar(0.05, std::numbers::pi / 6) - Vec2(0.03, 0)).normalized();
  EXPECT_NEAR(one.x(), side.y(), 1e-6);
  EXPECT_NEAR(std::abs(one.y()), side.x(), 1e-6);
  EXPECT_NEAR(found.all[0].depth, found.all[1].depth, 1e-9);
}

TEST(MeshOverlap, TeethAreSeparatePlaces) {
  const testing::Gear small{.teeth = 20}, large{.teeth = 30};
  const Mesh a(testing::plate(small.outline(), 0.01)), b(testing::plate(large.outline(), 0.01));
  // Turned against each other by 0.1 mm on the base circle: the teeth that would be in contact overlap, each along the line of action.
  const double push = (1e-4 + small.backlash) / large.base_radius();
  const auto& found = find_overlaps(
      a, b, {turned(std::numbers::pi * (1 + 1.0 / 30) - push, Vec3::UnitZ()), Vec3(0.05, 0, 0)});
  ASSERT_GE(found.all.size(), 1u);
  for (const Overlap& x : found.all) {
    EXPECT_LT(std::abs(x.normal().z()), 1e-9);
    EXPECT_NEAR(std::abs(x.normal().x()), std::sin(small.pressure_angle), 0.15);
  }
}

TEST(MeshOverlap, ApartIsTheDistanceOfTheTriangles) {
  const Mesh star(testing::plate(testing::star(6, 0.05, 0.03), 0.01));
  const Pair pair(star, star);
  for (const double gap : {1e-9, 1e-4, 0.02}) {
    double least = HUGE_VAL;
    for (int c = 0; c < pair.candidates(); ++c)
      least = std::min(least, pair.evaluate({}, {Mat3::Identity(), Vec3(0.1 + gap, 0, 0)}, c).gap);
    EXPECT_NEAR(least, gap, 1e-15 + 1e-9 * gap);
  }
}

TEST(MeshOverlap, AllocatesNothingTheSecondTime) {
  const Mesh star(testing::plate(testing::star(6, 0.05, 0.03), 0.01));
  const Pose at{turned(0.3, Vec3::UnitZ()), Vec3(0.0948, 0.012, 0)};
  find_overlaps(star, star, at);
  const long before = testing::allocations();
  EXPECT_EQ(find_overlaps(star, star, at).all.size(), 1u);
  EXPECT_EQ(testing::allocations(), before);
}

}  // namespace
}  // namespace tappet::mesh_overlap_test
