#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_adams.hpp"

namespace tappet::adams_motion_test {
namespace {

using testing::adams_mass_at;
using testing::Recording;
using testing::run_adams;

// X of I against J, whose x is y of the world: the point goes along y, wherever its part turns.
TEST(AdamsMotion, MarkersAreMovedAlongAxesOfTheGround) {
  const Recording r =
      run_adams(adams_mass_at("0,1,0") +
                    "MARKER/11, PART=1, QP=0,1,0, REULER=90D,0,0\nMARKER/21, PART=2, QP=0.5,0,0\n"
                    "MOTION/1, I=20, J=11, X, FUNCTION=0.5*TIME**2\n"
                    "MOTION/2, I=20, J=11, Y, FUNCTION=TIME\n",
                1);
  EXPECT_NEAR(r.last("part_2.y"), 1.5, 1e-8);
  EXPECT_NEAR(r.last("part_2.x"), -1, 1e-8);
}

// A speed may follow what is measured: ẋ = 2 − x from 0.
TEST(AdamsMotion, SpeedsMayFollowPlaces) {
  const Recording r = run_adams(adams_mass_at("0,0,0") +
                                    "JOINT/1, TRANSLATIONAL, I=20, J=10\n"
                                    "MOTION/1, TRANSLATIONAL, JOINT=1, VELOCITY, FUNCTION=2-DZ(20,10,10)\n",
                                1);
  EXPECT_NEAR(r.last("part_2.z"), 2 * (1 - std::exp(-1.0)), 1e-7);
}

}  // namespace
}  // namespace tappet::adams_motion_test
