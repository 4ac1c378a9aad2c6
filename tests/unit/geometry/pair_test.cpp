#include "tappet/geometry/pair.hpp"

#include <gtest/gtest.h>

#include "tappet/geometry/shapes/plane.hpp"
#include "tappet/geometry/shapes/sphere.hpp"

namespace tappet {
namespace {

TEST(Pair, BallOverPlaneAndTheOtherWayRound) {
  const Plane floor(Vec3(0, 0, 1), Vec3(0, 0, 2));
  const Sphere ball(Vec3(0.5, 0, 0), 0.25);
  const Pose p, q{Mat3::Identity(), Vec3(1, 2, 3)};

  const Pair pair(floor, ball), other(ball, floor);
  ASSERT_TRUE(pair);
  ASSERT_TRUE(other);
  EXPECT_EQ(pair.candidates(), 1);
  const Proximity a = pair.evaluate(p, q, 0), b = other.evaluate(q, p, 0);
  EXPECT_DOUBLE_EQ(a.gap, 1.75);
  EXPECT_EQ(a.normal, Vec3(0, 0, 1));
  EXPECT_EQ(a.on_second, Vec3(1.5, 2, 2.75));
  EXPECT_EQ(a.on_first, Vec3(1.5, 2, 1));

  EXPECT_EQ(b.gap, a.gap);
  EXPECT_EQ(b.normal, -a.normal);
  EXPECT_EQ(b.on_first, a.on_second);
  EXPECT_EQ(b.radius[0], 0.25);

  Proximity all[1];
  other.evaluate(q, p, all);
  EXPECT_EQ(all[0].normal, b.normal);
  EXPECT_EQ(all[0].on_first, b.on_first);
}

TEST(Pair, UnknownPairsSaySo) {
  const Plane floor(Vec3::Zero(), Vec3::UnitZ());
  EXPECT_FALSE(Pair(floor, floor));
}

}  // namespace
}  // namespace tappet
