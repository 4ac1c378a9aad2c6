#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_adams.hpp"

namespace tappet::adams_sforce_test {
namespace {

using testing::adams_mass_at;
using testing::Recording;
using testing::run_adams;

// A thruster on a body that turns at ω: v = F/m (sin ωt, 1 − cos ωt)/ω, where its z axis is x of the body. Markers I and J are on one part.
TEST(AdamsSforce, ActionAloneIsAlongZOfJ) {
  const std::string thrust =
      "MARKER/21, PART=2, REULER=90D,90D,0\nSFORCE/1, TRANSLATIONAL, I=20, J=21, ACTIONONLY, FUNCTION=4\n";
  const Recording turning = run_adams(adams_mass_at("0,0,0", ", WZ=3") + thrust, 1);
  EXPECT_NEAR(turning.last("part_2.vx"), 4 / 3.0 * std::sin(3.0), 1e-8);
  EXPECT_NEAR(turning.last("part_2.vy"), 4 / 3.0 * (1 - std::cos(3.0)), 1e-8);
  // J on the ground: the direction stays.
  const Recording fixed = run_adams(
      adams_mass_at("0,0,0", ", WZ=3") +
          "MARKER/11, PART=1, REULER=90D,90D,0\nSFORCE/1, I=20, J=11, TRANS, ACTIONONLY, FUNC=4*TIME\n",
      1);
  EXPECT_NEAR(fixed.last("part_2.vx"), 2, 1e-8);
  EXPECT_NEAR(fixed.last("part_2.vy"), 0, 1e-8);
}

// A torque between two free bodies about z of J: equal and opposite, so that their spins share it as 1/I.
TEST(AdamsSforce, TorquesNeedNoJoint) {
  const Recording r = run_adams(adams_mass_at("0,0,0") +
                                    "PART/3, MASS=1, CM=30, IP=3,3,5\nMARKER/30, PART=3, QP=1,0,0\n"
                                    "SFORCE/1, ROTATIONAL, I=20, J=30, FUNCTION=10\n",
                                1);
  EXPECT_NEAR(r.last("part_2.wz"), 4, 1e-8);
  EXPECT_NEAR(r.last("part_3.wz"), -2, 1e-8);
  const Recording alone = run_adams(
      adams_mass_at("0,0,0") + "SFORCE/1, ROTATIONAL, ACTIONONLY, I=20, J=10, FUNCTION=-5*AZ(20,10)+5\n", 1);
  EXPECT_NEAR(alone.last("part_2.wz"), std::sqrt(2.0) * std::sin(std::sqrt(2.0)), 1e-8);
}

}  // namespace
}  // namespace tappet::adams_sforce_test
