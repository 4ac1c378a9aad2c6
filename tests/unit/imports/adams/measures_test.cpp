#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_adams.hpp"

namespace tappet::adams_measures_test {
namespace {

using testing::adams_mass_at;
using testing::Recording;
using testing::run_adams;

// A body that turns about z at the rate ω around the origin, and a point of the ground at x = 1: in the body's axes it is at
// (cos ωt, −sin ωt), and that is what the body sees moving.
TEST(AdamsMeasures, RatesAreThoseThatTheFrameSees) {
  const Recording r =
      run_adams(adams_mass_at("0,0,0", ", WZ=3") +
                    "MARKER/11, PART=1, QP=1,0,0\n"
                    "REQUEST/1, F2=VX(11,20,20,20)\\F3=VY(11,20,20,20)\\F4=VM(11,20,20)\n"
                    "REQUEST/2, F2=ACCX(11,20,20,20)\\F3=ACCY(11,20,20,20)\\F4=ACCM(11,20,20)\n"
                    "REQUEST/3, F2=VX(11,20,20)\\F3=VM(11,20)\n",
                1);
  for (const auto& row : r.rows) {
    const double t = row[0], w = 3;
    EXPECT_NEAR(row[r.column("request_1_F2")], -w * std::sin(w * t), 1e-8) << t;
    EXPECT_NEAR(row[r.column("request_1_F3")], -w * std::cos(w * t), 1e-8) << t;
    EXPECT_NEAR(row[r.column("request_1_F4")], w, 1e-8) << t;
    EXPECT_NEAR(row[r.column("request_2_F2")], -w * w * std::cos(w * t), 1e-7) << t;
    EXPECT_NEAR(row[r.column("request_2_F3")], w * w * std::sin(w * t), 1e-7) << t;
    EXPECT_NEAR(row[r.column("request_2_F4")], w * w, 1e-7) << t;
    EXPECT_NEAR(row[r.column("request_3_F2")], 0, 1e-12) << t;
    EXPECT_NEAR(row[r.column("request_3_F3")], 0, 1e-12) << t;
  }
}

// Turns about one axis: AX is the angle, THETA too, and the other angles are none.
TEST(AdamsMeasures, AnglesOfTurnsAboutOneAxis) {
  const Recording x = run_adams(adams_mass_at("0,0,0", ", WX=2") +
                                    "REQUEST/1, F2=AX(20,10)\\F3=THETA(20,10)\\F4=PSI(20,10)\\F6=PHI(20,10)\n"
                                    "REQUEST/2, DISPLACEMENT, I=20, J=0\n",
                                1);
  const Recording y =
      run_adams(adams_mass_at("0,0,0", ", WY=2") + "REQUEST/1, F2=AY(20,10)\\F3=AX(20,10)\n", 0.5);
  const Recording z =
      run_adams(adams_mass_at("0,0,0", ", WZ=2") + "REQUEST/1, F2=AZ(20,10)\\F3=PSI(20)\n", 1);
  EXPECT_NEAR(x.last("request_1_F2"), 2, 1e-8);
  EXPECT_NEAR(x.last("request_1_F3"), 2, 1e-8);
  EXPECT_NEAR(x.last("request_1_F4"), 0, 1e-8);
  EXPECT_NEAR(x.last("request_1_F6"), 0, 1e-8);
  EXPECT_NEAR(x.last("request_2_THETA"), 2, 1e-8);
  EXPECT_NEAR(y.last("request_1_F2"), 1, 1e-8);
  EXPECT_NEAR(y.last("request_1_F3"), 0, 1e-8);
  EXPECT_NEAR(z.last("request_1_F2"), 2, 1e-8);
  EXPECT_NEAR(z.last("request_1_F3"), 2, 1e-8);
}

// About a joint's axis AZ counts whole turns: five of them wind a spring up. I α¨ = −k α from α¨(0) = 0 at the rate 100.
TEST(AdamsMeasures, TurnsOfAJointAreCounted) {
  const Recording r =
      run_adams(adams_mass_at("0,0,0", ", WZ=100") +
                    "JOINT/1, REVOLUTE, I=20, J=10\n"
                    "GFORCE/1, I=20, JFLOAT=10, RM=10\n, FX=0\\\n, FY=0\\\n, FZ=0\\\n, TX=0\\\n, TY=0\\\n"
                    ", TZ=-2.5*AZ(20,10)\n"
                    "REQUEST/1, F2=AZ(20,10)\n",
                1);
  for (const auto& row : r.rows)
    EXPECT_NEAR(row[r.column("request_1_F2")], 100 * std::sin(row[0]), 1e-6) << row[0];
}

// What forces, motions and joints do, on I and on J: a torsion spring by SFORCE, along the axes of a marker.
TEST(AdamsMeasures, ElementsSayTheirForces) {
  const Recording r = run_adams(
      adams_mass_at("0,0,0", ", WZ=1") +
          "JOINT/1, REVOLUTE, I=20, J=10\nMARKER/12, PART=1, REULER=0,90D,0\n"
          "SFORCE/1, ROTATIONAL, I=20, J=10, FUNCTION=-10*AZ(20,10)\n"
          "REQUEST/1, F6=SFORCE(1,0,6,10)\\F8=SFORCE(1,0,8,10)\\F7=SFORCE(1,1,8,10)\\F5=SFORCE(1,0,5,0)\n"
          "REQUEST/2, F2=SFORCE(1,0,7,12)\\F3=SFORCE(1,0,2,0)\\F4=TZ(20,10)\n",
      0.5);
  const double torque = -10 * r.last("joint_1.angle");
  ASSERT_GT(std::abs(torque), 1);
  EXPECT_NEAR(r.last("request_1_F6"), 0, 1e-12);
  EXPECT_NEAR(r.last("request_1_F8"), torque, 1e-9);
  EXPECT_NEAR(r.last("request_1_F7"), -torque, 1e-9);
  EXPECT_NEAR(r.last("request_1_F5"), std::abs(torque), 1e-9);
  // z of the world is y of the marker turned about x by 90°.
  EXPECT_NEAR(r.last("request_2_F2"), torque, 1e-9);
  EXPECT_NEAR(r.last("request_2_F3"), 0, 1e-12);
  const Recording driven =
      run_adams(adams_mass_at("0,0,0") +
                    "JOINT/1, REVOLUTE, I=20, J=10\nMOTION/1, ROTATIONAL, JOINT=1, FUNCTION=TIME**2\n"
                    "REQUEST/1, F8=MOTION(1,0,8,10)\\F7=MOTION(1,1,8,0)\n",
                1);
  EXPECT_NEAR(driven.last("request_1_F8"), 2 * 2.5, 1e-8);
  EXPECT_NEAR(driven.last("request_1_F7"), -2 * 2.5, 1e-8);
}

// The pull of a SPRINGDAMPER with all its parts: F = FORCE − K (x − L) − C ẋ on I.
TEST(AdamsMeasures, SpringsSayTheirForces) {
  const Recording r = run_adams(adams_mass_at("3,0,0", ", VX=2") +
                                    "SPRINGDAMPER/4, TRANSLATION, I=20, J=10, K=50, C=3, LENGTH=2, FORCE=7\n"
                                    "REQUEST/1, FORCE, I=20, J=10\nREQUEST/2, F2=SPDP(4,0,2,0)\n",
                                0.1);
  const double pull = 7 - 50 * (r.last("part_2.x") - 2) - 3 * r.last("part_2.vx");
  EXPECT_NEAR(r.last("request_1_X"), pull, 1e-8);
  EXPECT_NEAR(r.last("request_2_F2"), pull, 1e-8);
}

// A force that asks for itself is said, not followed; so is a function with fewer markers than it takes, in a torque about a joint.
TEST(AdamsMeasures, ForcesThatAskForThemselvesAreSaid) {
  const ImportedModel import =
      import_adams_text(testing::adams_head + adams_mass_at("1,0,0") +
                            "SFORCE/1, TRANSLATIONAL, I=20, J=10, FUNCTION=1+FX(20,10)\nREQUEST/1, "
                            "F2=SFORCE(1,0,1,0)\\F3=FX(20,10)\n",
                        "test.adm", {.partial = true});
  EXPECT_THAT(import.notes, ::testing::Contains(::testing::HasSubstr("SFORCE/1 depends on itself")));
  const Recording r = run_adams(adams_mass_at("0,0,0") +
                                    "JOINT/1, REVOLUTE, I=20, J=10\nDIFF/1, FUNCTION=0, IC=5\n"
                                    "SFORCE/1, ROTATIONAL, I=20, J=10, FUNCTION=DIF(1)\n",
                                1);
  EXPECT_NEAR(r.last("part_2.wz"), 2, 1e-8);
}

// A pull between points off the centres of two bodies, along its line: too long to be written out, which is said; its size is not.
TEST(AdamsMeasures, WhatIsTooLongIsSaid) {
  const std::string model = testing::adams_head + adams_mass_at("0,0,0", ", WX=1") +
                            "MARKER/21, PART=2, QP=0.1,0.2,0.3\nPART/3, MASS=1, CM=30, IP=1,1,1\nMARKER/30, "
                            "PART=3, QP=5,0,0\nMARKER/31, PART=3, "
                            "QP=5.3,0.2,0.1\nSFORCE/1, TRANSLATIONAL, I=21, J=31\n, "
                            "FUNCTION=-10*(DM(21,31)-5)-VR(21,31)\n"
                            "REQUEST/1, F1=SFORCE(1,0,1,0)\\F2=SFORCE(1,0,2,30)\n";
  const ImportedModel import = import_adams_text(model, "test.adm");
  EXPECT_THAT(import.notes, ::testing::Contains(::testing::HasSubstr(
                                "REQUEST/1: request_1_F2 is not measured: written out it has")));
  const Recording r =
      testing::run_text(to_yaml(import.model), {"simulation.duration=0.1", "output.step=0.1"});
  const auto& start = r.rows.front();
  const double length = std::hypot(5.2, 0, -0.2);
  // The body turns about x at 1: its point, 0.2 m above the other, moves at (0, −0.3, 0.2), the other stands: v·d/|d|.
  const double rate = 0.2 * 0.2 / length;
  EXPECT_NEAR(start[r.column("request_1_F1")], std::abs(-10 * (length - 5) - rate), 1e-9);
}

}  // namespace
}  // namespace tappet::adams_measures_test
