#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_adams.hpp"

namespace tappet::adams_joint_test {
namespace {

using testing::adams_mass_at;
using testing::Recording;
using testing::run_adams;

// Two links along x, the first turning at 1 rad/s about the origin, the second by 3 rad/s more about the point at x = 2.
TEST(AdamsJoint, VelocitiesAtTheStartGoFromPartToPart) {
  const std::string links =
      adams_mass_at("1,0,0") +
      "PART/3, MASS=1, CM=30, IP=1,1,1\nMARKER/30, PART=3, QP=3,0,0\nMARKER/21, PART=2\n"
      "MARKER/22, PART=2, QP=2,0,0\nMARKER/32, PART=3, QP=2,0,0\n";
  for (const char* order :
       {"JOINT/2, REVOLUTE, I=32, J=22, IC=0,3\nJOINT/1, REVOLUTE, I=21, J=10, IC=0D, 1.0\n",
        "JOINT/1, REVOLUTE, I=10, J=21, IC=0,-1\nJOINT/2, REVOLUTE, I=22, J=32, IC=0, -3\n"}) {
    const Recording r = run_adams(links + order, 0.1);
    const auto& start = r.rows.front();
    EXPECT_NEAR(start[r.column("part_2.vy")], 1, 1e-9) << order;
    EXPECT_NEAR(start[r.column("part_3.vy")], 6, 1e-9) << order;
    EXPECT_NEAR(start[r.column("part_3.wz")], 4, 1e-9) << order;
  }
  const Recording slide = run_adams(
      adams_mass_at("0,0,0.5") + "JOINT/1, CYLINDRICAL, I=20, J=10, ICTRAN=0.5,2, ICROT=0,5\n", 0.1);
  EXPECT_NEAR(slide.last("part_2.vz"), 2, 1e-9);
  EXPECT_NEAR(slide.last("part_2.wz"), 5, 1e-9);
}

TEST(AdamsJoint, PlacesAtTheStartAreThoseOfTheParts) {
  try {
    import_adams_text(
        testing::adams_head + adams_mass_at("0,0,0") + "JOINT/1, REVOLUTE, I=20, J=10, IC=30D, 1\n",
        "test.adm");
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_THAT(fault.what(),
                ::testing::HasSubstr("test.adm:7: error: JOINT/1: IC moves its parts to 0.5235987"));
  }
}

}  // namespace
}  // namespace tappet::adams_joint_test
