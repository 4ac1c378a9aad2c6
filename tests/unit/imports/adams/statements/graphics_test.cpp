#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_adams.hpp"

namespace tappet::adams_graphics_test {
namespace {

using testing::adams_mass_at;
using testing::Recording;
using testing::run_adams;

// A frustum of height 1 between circles of 0.5 and 0.2 stands on the floor by its corners.
TEST(AdamsGraphics, FrustaAreHulls) {
  const ImportedModel import = import_adams_text(
      testing::adams_head + adams_mass_at("0,0,0.4") +
          "MARKER/21, PART=2\nGRAPHICS/1, FRUSTUM, CM=21, LENGTH=1, TOP=0.2, BOTTOM=0.5, SIDES=12\n"
          "GRAPHICS/2, PLANE, RM=10, XMIN=-1, XMAX=1, YMIN=-1, YMAX=1\nGRAPHICS/3, SPDP, I=20, J=10, "
          "COILS=5, DA=0.1\n"
          "GRAPHICS/4, TORUS, CM=21, MAJOR=1, MINOR=0.1, NEWEST=3\n"
          "CONTACT/1, IGEOM=1, JGEOM=2, IMPACT, STIFFNESS=1E5, DAMPING=10, EXPONENT=1.5, DMAX=0.001\n",
      "test.adm");
  const std::string text = to_yaml(import.model);
  EXPECT_THAT(text, ::testing::HasSubstr("hull"));
  EXPECT_THAT(text, ::testing::HasSubstr("[0.5, 0, -0.4]"));
  using ::testing::Contains;
  using ::testing::HasSubstr;
  EXPECT_THAT(import.notes, Contains(HasSubstr("GRAPHICS/3: only cylinders")));
  EXPECT_THAT(import.notes,
              Contains(HasSubstr("argument NEWEST in line 11 is not translated, and the motion does not")));
  testing::run_text(text, {"simulation.duration=0.01"});
}

}  // namespace
}  // namespace tappet::adams_graphics_test
