#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_adams.hpp"

namespace tappet::adams_diff_test {
namespace {

using testing::adams_mass_at;
using testing::Recording;
using testing::run_adams;

// A lag of half a second from rest to 1, which pushes a mass of 1 kg: y = 1 − e⁻²ᵗ, z = t²/2 − t/2 + (1 − e⁻²ᵗ)/4. By DIFF and by
// TFSISO, whose input is the variable 1; in seconds and, with the mass in kg, in milliseconds and millimetres.
TEST(AdamsDiff, ALagPushesAMass) {
  const std::string push = "SFORCE/1, TRANSLATIONAL, ACTIONONLY, I=20, J=10, FUNCTION=";
  const std::string transfer =
      "VARIABLE/5, FUNCTION=1+0*TIME\nARRAY/1, U, SIZE=1, VARIABLES=5\nARRAY/2, Y, SIZE=1\nARRAY/3, X, "
      "SIZE=1\n"
      "TFSISO/1, X=3, U=1, Y=2, NUMERATOR=1, DENOMINATOR=1,";
  const double t = 1, y = 1 - std::exp(-2 * t), z = t * t / 2 - t / 2 + y / 4;
  for (const auto& [head, model] :
       {std::pair{testing::adams_head,
                  push + "DIF(1)\nDIFF/1, FUNCTION=(1-DIF(1))/0.5, IC=0\nREQUEST/1, F2=DIF(1)\n"},
        {testing::adams_head_in_mm, push + "DIF(1)\nDIFF/1, FUNCTION=(1-DIF(1))/500\nREQUEST/1, F2=DIF(1)\n"},
        {testing::adams_head, push + "ARYVAL(2,1)\n" + transfer + "0.5\nREQUEST/1, F2=ARYVAL(2,1)\n"},
        {testing::adams_head_in_mm,
         push + "ARYVAL(2,1)\n" + transfer + "500\nREQUEST/1, F2=ARYVAL(2,1)\n"}}) {
    const Recording r = run_adams(adams_mass_at("0,0,0") + model, t, head);
    EXPECT_NEAR(r.last("request_1_F2"), y, 1e-8) << model;
    EXPECT_NEAR(r.last("part_2.z"), z, 1e-8) << model;
  }
}

TEST(AdamsDiff, InitialValuesAndRates) {
  const Recording r = run_adams(
      adams_mass_at("0,0,0") + "DIFF/3, FUNCTION=-DIF(3), IC=2\nREQUEST/1, F2=DIF(3)\\F3=DIF1(3)\n", 1);
  EXPECT_NEAR(r.last("request_1_F2"), 2 * std::exp(-1.0), 1e-9);
  EXPECT_NEAR(r.last("request_1_F3"), -2 * std::exp(-1.0), 1e-9);
}

}  // namespace
}  // namespace tappet::adams_diff_test
