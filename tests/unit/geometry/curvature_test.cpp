// Curvature of shapes against closed forms and against the gap itself.
#include "tappet/geometry/curvature.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tappet/geometry/shapes/capsule.hpp"
#include "tappet/geometry/shapes/cylinder.hpp"
#include "tappet/geometry/shapes/ellipsoid.hpp"
#include "tappet/geometry/shapes/plane.hpp"
#include "tappet/geometry/shapes/sphere.hpp"

namespace tappet::curvature_test {
namespace {

TEST(Curvature, OfAnEllipsoidIsHowItsFootFallsAway) {
  // Near a point with normal n the ellipsoid is at −½ xᵀ C x along n: the foot of a point that is x across and that much below has no distance.
  const Ellipsoid shape(Vec3(0.3, 0.1, 0.06), {});
  const Vec3 n = Vec3(0.3, -0.4, 0.7).normalized(), at = shape.support(n);
  const auto C = CurvatureRegistry::instance().find("ellipsoid")->at(shape, at, n);
  ASSERT_TRUE(C);
  EXPECT_NEAR((*C * n).norm(), 0, 1e-12);
  for (const Vec3& direction : {n.unitOrthogonal(), n.cross(n.unitOrthogonal())}) {
    const double h = 1e-4;
    const Vec3 x = h * direction;
    // Both sides, so that what is odd in x drops out.
    const double fall = 0.5 * (shape.foot(at + x).distance + shape.foot(at - x).distance);
    EXPECT_NEAR(fall, 0.5 * x.dot(*C * x), 1e-3 * fall);
  }
}

TEST(Curvature, GivesTheGapsTwoRadii) {
  const Plane plane(Vec3::Zero(), Vec3::UnitZ());
  const Cylinder cylinder(0.2, 1, {});
  Pose lying;
  lying.R << 0, 0, 1, 0, 1, 0, -1, 0, 0;
  Proximity place;
  place.gap = 0, place.normal = Vec3::UnitZ();
  const auto line = relative_radii(plane, {}, cylinder, lying, place);
  ASSERT_TRUE(line);
  EXPECT_TRUE(std::isinf((*line)[0]));
  EXPECT_NEAR((*line)[1], 0.2, 1e-12);
  // Standing on its end it is flat; inclined it touches with an edge.
  const auto flat_end = relative_radii(plane, {}, cylinder, {}, place);
  ASSERT_TRUE(flat_end);
  EXPECT_TRUE(std::isinf((*flat_end)[1]));
  place.normal = Vec3(1, 0, 1).normalized();
  EXPECT_FALSE(relative_radii(plane, {}, cylinder, {}, place));
  const Sphere one(Vec3::Zero(), 0.2), other(Vec3::Zero(), 0.3);
  const auto round = relative_radii(one, {}, other, {}, place);
  ASSERT_TRUE(round);
  EXPECT_NEAR((*round)[0], 0.12, 1e-12);
  EXPECT_NEAR((*round)[1], 0.12, 1e-12);
}

TEST(Curvature, OfACapsuleIsABallsAtItsEnds) {
  const Capsule capsule(Vec3(-1, 0, 0), Vec3(1, 0, 0), 0.1);
  const auto at = CurvatureRegistry::instance().find("capsule")->at;
  const auto side = at(capsule, Vec3(0.3, 0, 0.1), Vec3::UnitZ());
  const auto end = at(capsule, Vec3(1, 0, 0.1), Vec3::UnitZ());
  ASSERT_TRUE(side && end);
  EXPECT_NEAR((*side)(0, 0), 0, 1e-12);
  EXPECT_NEAR((*side)(1, 1), 10, 1e-12);
  EXPECT_NEAR((*end)(0, 0), 10, 1e-12);
}

}  // namespace
}  // namespace tappet::curvature_test
