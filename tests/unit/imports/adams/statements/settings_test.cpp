#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_adams.hpp"

namespace tappet::adams_settings_test {
namespace {

using testing::adams_mass_at;
using testing::Recording;
using testing::run_adams;

// What Adams View writes about runs, prints and materials has no effect, whatever stands in it, and is said.
TEST(AdamsSettings, WhatTheMotionDoesNotDependOnIsSaid) {
  const ImportedModel import = import_adams_text(
      testing::adams_head + adams_mass_at("0,0,0", ", MATERIAL=steel") +
          "MATERIAL/1, NAME=steel, YOUNGS_MODULUS=2.07E+11, POISSONS_RATIO=0.29\n, DENSITY=7801\n"
          "LIST/ NOSTATEMENTS\nPREFERENCES/ SOLVER=CXX, THREADCOUNT=2\nEQUILIBRIUM/ ERROR=1E-4, MAXIT=25\n"
          "OUTPUT/ REQSAVE, GRSAVE, SOMETHING=3\nSTRING/4, STRING=mdids://road.rdf\nSENSOR/1, CODGEN, "
          "DT=0.1\n"
          "REQUEST/1, F2=DX(20,10), C=X, Y and Z\nREQUEST/2, F2=DX(20,10)\\ CNAMES=\"a\", \"b\", "
          "CUNITS=\"length\", NEWEST=7\n",
      "test.adm");
  using ::testing::Contains;
  using ::testing::HasSubstr;
  for (const char* words :
       {"line 7: MATERIAL/1: has no effect", "LIST: has no effect", "PREFERENCES: has no effect",
        "EQUILIBRIUM: has no effect", "OUTPUT: has no effect", "STRING/4: has no effect",
        "SENSOR/1: has no effect", "REQUEST/2: argument NEWEST"})
    EXPECT_THAT(import.notes, Contains(HasSubstr(words)));
  EXPECT_THAT(to_yaml(import.model), HasSubstr("request_1_F2"));
}

// Numbers and variables of an ARRAY, in forces of time: x = (a + b) t²/2 with a = 3 and b = 2.
TEST(AdamsSettings, ArraysAreRead) {
  const Recording r = run_adams(
      adams_mass_at("0,0,0") +
          "ARRAY/1, IC, SIZE=2, NUMBERS=7, 3.0\nVARIABLE/1, FUNCTION=2.0\nARRAY/2, U, SIZE=1, VARIABLES=1\n"
          "GFORCE/1, I=20, JFLOAT=10, RM=10, FX=ARYVAL(1,2)+ARYVAL(2,1)\\FY=0\\FZ=0\n",
      1);
  EXPECT_NEAR(r.last("part_2.x"), 2.5, 1e-8);
}

// RETURN ends a run as HALT does.
TEST(AdamsSettings, SensorsEndTheRun) {
  const Recording r = run_adams(
      adams_mass_at("0,0,0", ", VX=2") + "SENSOR/1, FUNCTION=DX(20,10), VALUE=1, ERROR=1E-3, GE, RETURN\n",
      1);
  EXPECT_NEAR(r.summary.t_end, 0.5, 1e-8);
}

}  // namespace
}  // namespace tappet::adams_settings_test
