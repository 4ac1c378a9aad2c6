#include "tappet/geometry/engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tappet/geometry/shapes/plane.hpp"
#include "tappet/geometry/shapes/sphere.hpp"

namespace tappet {
namespace {

using ::testing::HasSubstr;

const Plane floor_plane(Vec3::Zero(), Vec3::UnitZ());
const Sphere ball(Vec3::Zero(), 0.1);
const Pose above{Mat3::Identity(), Vec3(0, 0, 0.0999)};

TEST(Engine, NamesAreThoseOfTheModelFile) {
  EXPECT_EQ(engine_from("polygon"), Engine::polygon);
  EXPECT_EQ(engine_from("exact"), Engine::exact);
  EXPECT_FALSE(engine_from("Polygon"));
  EXPECT_EQ(engine_names()[static_cast<int>(Engine::analytic)], "analytic");
}

TEST(Engine, PolygonAndAnalyticAgreeToTheMeshsTolerance) {
  Diagnostics diagnostics;
  const Pair analytic = make_pair(floor_plane, ball, Engine::analytic, {}, {}, diagnostics);
  ASSERT_TRUE(analytic);
  const double wanted = analytic.evaluate({}, above, 0).gap;
  EXPECT_NEAR(wanted, -1e-4, 1e-15);
  for (const double tolerance : {1e-3, 1e-4, 1e-5}) {
    const Pair polygon =
        make_pair(floor_plane, ball, Engine::polygon, {.tolerance = tolerance}, {}, diagnostics);
    ASSERT_TRUE(polygon);
    ASSERT_EQ(polygon.candidates(), 1);
    EXPECT_NEAR(polygon.evaluate({}, above, 0).gap, wanted, 2 * tolerance);
  }
  const Pair twice = make_pair(ball, ball, Engine::polygon, {}, {}, diagnostics);
  ASSERT_TRUE(twice);
  EXPECT_NEAR(twice.evaluate({}, {Mat3::Identity(), Vec3(0.199, 0, 0)}, 0).gap, -1e-3, 4e-4);
  EXPECT_FALSE(diagnostics.has_errors());
}

TEST(Engine, WhatCannotBeDoneIsSaid) {
  Diagnostics diagnostics;
  EXPECT_FALSE(make_pair(floor_plane, floor_plane, Engine::polygon, {}, {}, diagnostics));
  EXPECT_FALSE(make_pair(floor_plane, ball, Engine::exact, {}, {}, diagnostics));
  ASSERT_EQ(diagnostics.error_count(), 2);
  EXPECT_THAT(diagnostics.all()[0].message,
              HasSubstr("`engine: polygon` does not know how a plane and a plane touch"));
  EXPECT_THAT(diagnostics.all()[1].message, HasSubstr("`engine: exact`"));
}

}  // namespace
}  // namespace tappet
