#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_adams.hpp"

namespace tappet::adams_gcon_test {
namespace {

using testing::adams_mass_at;
using testing::Recording;
using testing::run_adams;

// DZ held in axes of the ground: pushed along x and z, a mass goes along x alone.
TEST(AdamsGcon, APlaneHoldsAPoint) {
  const Recording r = run_adams(adams_mass_at("0,0,0.5") +
                                    "GCON/1, FUNCTION=DZ(20,10,10) - 0.5\n"
                                    "GFORCE/1, I=20, JFLOAT=10, RM=10, FX=2\\FY=0\\FZ=7\n",
                                1);
  EXPECT_NEAR(r.last("part_2.x"), 1, 1e-8);
  EXPECT_NEAR(r.last("part_2.z"), 0.5, 1e-9);
}

}  // namespace
}  // namespace tappet::adams_gcon_test
