#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_adams.hpp"

namespace tappet::adams_part_test {
namespace {

using testing::adams_mass_at;
using testing::Recording;
using testing::run_adams;

// A hook without mass that is fixed to a mass is a piece of it, wherever its own axes are: what hangs on the hook's marker hangs on the mass.
TEST(AdamsPart, MasslessPartsThatAreFixedArePieces) {
  const std::string spring =
      "ACCGRAV/KGRAV=-9.81\nSPRINGDAMPER/1, TRANSLATION, I={}, J=10, K=100, LENGTH=1\n";
  const auto with = [&](const std::string& more, const std::string& marker) {
    return run_adams(adams_mass_at("0,1,-2") + more + fmt::format(fmt::runtime(spring), marker), 1);
  };
  const Recording direct = with("MARKER/21, PART=2, QP=0,1,-1.5\n", "21");
  const Recording hooked = with(
      "PART/3, MASS=0, CM=30, QG=0,1,-1.5, REULER=90D,0,0\nMARKER/30, PART=3\nMARKER/31, PART=3\nMARKER/22, "
      "PART=2, "
      "QP=0,1,-1.5, REULER=90D,0,0\nJOINT/1, FIXED, I=31, J=22\n",
      "30");
  EXPECT_NEAR(hooked.last("part_2.x"), direct.last("part_2.x"), 1e-10);
  EXPECT_NEAR(hooked.last("part_2.z"), direct.last("part_2.z"), 1e-10);
  EXPECT_NEAR(hooked.last("part_2.wx"), direct.last("part_2.wx"), 1e-10);
  EXPECT_GT(std::abs(direct.last("part_2.wx")), 0.1);
}

// A point keeps its orientation, so that a force off its centre moves it as one at its centre does.
TEST(AdamsPart, PointMassesDoNotTurn) {
  const Recording r = run_adams(
      "POINT_MASS/2, MASS=2, CM=20, REULER=30D,20D,0\nMARKER/20, POINT_MASS=2\nMARKER/21, POINT_MASS=2, "
      "QP=0,1,0\n"
      "GFORCE/1, I=21, JFLOAT=10, RM=10, FX=4\\FY=0\\FZ=1\n",
      1);
  EXPECT_NEAR(r.last("part_2.x"), 1, 1e-8);
  EXPECT_NEAR(r.last("part_2.z"), 0.25, 1e-8);
  EXPECT_NEAR(r.last("part_2.wx"), 0, 1e-10);
}

}  // namespace
}  // namespace tappet::adams_part_test
