#include "tappet/geometry/exact_surface.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/random_placements.hpp"
#include "tappet/geometry/shapes/box.hpp"
#include "tappet/geometry/shapes/capsule.hpp"
#include "tappet/geometry/shapes/cylinder.hpp"
#include "tappet/geometry/shapes/sphere.hpp"

namespace tappet::exact_surface_test {
namespace {

#define NEEDS_OPENCASCADE \
  if (!exact_bodies_available()) GTEST_SKIP() << "built without OpenCASCADE"

/// Inside and outside, the foot of a closed form.
void expect_same(const ExactSurface& surface, const ConvexShape& shape, double reach, double tolerance) {
  testing::RandomPlacements random(3);
  for (int i = 0; i < 300; ++i) {
    const Vec3 p = reach * random.vector();
    const Foot wanted = shape.foot(p);
    const ExactFoot found = surface.nearest(p);
    ASSERT_NEAR(found.distance, wanted.distance, tolerance) << p.transpose();
    ASSERT_LT((found.point + found.distance * found.normal - p).norm(), tolerance) << p.transpose();
  }
}

TEST(ExactSurface, DistancesAreThoseOfClosedForms) {
  NEEDS_OPENCASCADE;
  expect_same({*exact_ball(0.7), 0.01}, Sphere(Vec3::Zero(), 0.7), 1.5, 1e-13);
  expect_same({*exact_box(Vec3(0.5, 0.3, 0.2)), 0.01}, Box(Vec3(1, 0.6, 0.4), {}), 1, 1e-13);
  expect_same({*exact_cylinder(0.4, 0.6), 0.01}, Cylinder(0.4, 1.2, {}), 1.2, 1e-13);
  expect_same({*exact_capsule(0.3, 0.5), 0.01}, Capsule(Vec3(0, 0, -0.5), Vec3(0, 0, 0.5), 0.3), 1.2, 1e-13);
}

// Free-form surfaces have no closed forms: Newton's method finds the same.
TEST(ExactSurface, FreeFormsGiveTheSameDistances) {
  NEEDS_OPENCASCADE;
  expect_same({*exact_cylinder(0.4, 0.6)->free_form(), 0.01}, Cylinder(0.4, 1.2, {}), 1.2, 1e-9);
  expect_same({*exact_ball(0.7)->free_form(), 0.01}, Sphere(Vec3::Zero(), 0.7), 1.5, 1e-9);
}

TEST(ExactSurface, PlacesAreThoseOfTheSolid) {
  NEEDS_OPENCASCADE;
  const ExactSurface box(*exact_box(Vec3(1, 1, 1)), 0.1), cylinder(*exact_cylinder(1, 2), 0.1),
      ball(*exact_ball(1), 0.1), capsule(*exact_capsule(1, 2), 0.1);
  EXPECT_EQ(box.corners().size(), 8u);
  EXPECT_TRUE(box.rings().empty());
  EXPECT_EQ(box.faces() + box.curves(), 0);
  EXPECT_TRUE(cylinder.corners().empty());
  ASSERT_EQ(cylinder.rings().size(), 2u);
  EXPECT_NEAR(cylinder.rings()[0].radius, 1, 1e-15);
  EXPECT_EQ(cylinder.faces() + cylinder.curves(), 0);
  EXPECT_EQ(ball.faces(), 1);
  EXPECT_TRUE(ball.corners().empty() && ball.rings().empty());
  EXPECT_EQ(capsule.faces(), 2);
  EXPECT_TRUE(capsule.corners().empty() && capsule.rings().empty());
}

TEST(ExactSurface, FarthestPointOfABallsFace) {
  NEEDS_OPENCASCADE;
  const ExactSurface ball(*exact_ball(0.5), 0.01), free(*exact_ball(0.5)->free_form(), 0.01);
  testing::RandomPlacements random(4);
  for (int i = 0; i < 50; ++i) {
    const Vec3 d = random.direction();
    const auto place = ball.farthest_of_face(0, d), same = free.farthest_of_face(0, d);
    ASSERT_TRUE(place && same);
    EXPECT_LT((place->point - 0.5 * d).norm(), 1e-14);
    EXPECT_LT((same->point - 0.5 * d).norm(), 1e-7);
    EXPECT_NEAR(place->radius, 0.5, 1e-12);
  }
}

}  // namespace
}  // namespace tappet::exact_surface_test
