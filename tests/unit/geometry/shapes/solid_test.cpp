#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folder_test.hpp"
#include "tappet/geometry/exact_body.hpp"
#include "tappet/geometry/shape.hpp"
#include "tappet/spec/object.hpp"

namespace tappet::solid_test {
namespace {

using ::testing::HasSubstr;

class SolidShape : public FolderTest {
 protected:
  /// The shape `solid: {file: NAME}` of a model in the folder; what was said goes to `said`.
  std::unique_ptr<Shape> make(const std::string& name) {
    Value root = read_yaml_text("solid: {file: " + name + "}\n", path("model.yaml"));
    Diagnostics diagnostics;
    const Object object = read_object(root, shape_family(), {Dimension::spatial, &diagnostics});
    std::unique_ptr<Shape> out =
        diagnostics.has_errors() ? nullptr : make_shape(object.parameters(), Dimension::spatial, diagnostics);
    said = diagnostics.all().empty() ? "" : diagnostics.all()[0].message;
    return out;
  }
  std::string said;
};

TEST_F(SolidShape, FilesThatCannotBeUsedAreSentences) {
  if (!exact_bodies_available()) {
    EXPECT_FALSE(make("part.step"));
    EXPECT_THAT(said, HasSubstr("built without OpenCASCADE"));
    return;
  }
  EXPECT_FALSE(make("none.step"));
  EXPECT_THAT(said, HasSubstr("there is no such file"));
  write("part.iges", "x");
  EXPECT_FALSE(make("part.iges"));
  EXPECT_THAT(said, HasSubstr("'.iges' is not one of .step, .stp and .brep"));
  for (const char* name : {"part.step", "part.brep"})
    for (const char* text :
         {"", "nonsense\n", "ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\nENDSEC;\nEND-ISO-10303-21;\n"}) {
      write(name, text);
      EXPECT_FALSE(make(name)) << name << text;
      EXPECT_THAT(said, HasSubstr("solid file"));
    }
}

// Out to a file in millimetres and back in metres: mass properties are the closed forms, not the mesh's.
TEST_F(SolidShape, MassPropertiesAreThoseOfTheSolid) {
  if (!exact_bodies_available()) GTEST_SKIP() << "built without OpenCASCADE";
  const double R = 0.02, L = 0.1, V = std::numbers::pi * R * R * L;
  for (const char* name : {"cylinder.step", "cylinder.brep"}) {
    ASSERT_TRUE(exact_cylinder(1e3 * R, 1e3 * L / 2)->write(path(name)));
    const std::unique_ptr<Shape> shape = make(name);
    ASSERT_TRUE(shape) << said;
    const SolidProperties s = shape->solid();
    EXPECT_NEAR(s.volume / V, 1, 1e-9);
    EXPECT_LT(s.centre.norm(), 1e-9 * L);
    EXPECT_NEAR(s.inertia(2, 2) / (V * R * R / 2), 1, 1e-8);
    EXPECT_NEAR(s.inertia(0, 0) / (V * (3 * R * R + L * L) / 12), 1, 1e-8);
    const Bounds box = shape->bounds({});
    // Around the solid, not only around its mesh, whose tolerance is a thousandth of the diagonal.
    const double tolerance = 1e-3 * std::sqrt(8 * R * R + L * L);
    EXPECT_NEAR(box.high.z(), L / 2 + tolerance, 0.01 * tolerance);
    EXPECT_GE(box.high.x(), R);
    EXPECT_LE(box.high.x(), R + 1.01 * tolerance);
  }
}

}  // namespace
}  // namespace tappet::solid_test
