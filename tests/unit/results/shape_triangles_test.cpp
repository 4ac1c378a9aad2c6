#include "tappet/results/shape_triangles.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/paths.hpp"
#include "tappet/spec/spec_json.hpp"

namespace tappet::shape_triangles_test {
namespace {

// Files become triangles in body coordinates; other shapes stay what they are.
TEST(ShapeTriangles, OfAMeshFile) {
  const Spec spec = load_spec(testing::source_dir() + "/examples/engines/wedge.yaml",
                              {"bodies.wedge.shapes.body.mesh.position=[1, 2, 3]"});
  nlohmann::ordered_json model = nlohmann::ordered_json::parse(spec_json(spec));
  add_triangles(spec, model);
  const auto& shape = model["bodies"][0]["shapes"][0];
  EXPECT_EQ(shape["vertices"].size(), 6u);
  EXPECT_EQ(shape["triangles"].size(), 8u);
  EXPECT_NEAR(shape["vertices"][0][0].get<double>(), 1 - 0.04, 1e-6);
  EXPECT_FALSE(shape.contains("position"));
  EXPECT_FALSE(model["ground"]["shapes"][0].contains("vertices"));
}

TEST(ShapeTriangles, ACurveIsItsOutline) {
  const Spec spec = load_spec(
      testing::source_dir() + "/examples/cam_tappet/cam.yaml",
      {"bodies.cam.shapes.lobe.curve.position=[1 m, 0]", "bodies.cam.shapes.lobe.curve.angle=90 deg"});
  nlohmann::ordered_json model = nlohmann::ordered_json::parse(spec_json(spec));
  add_triangles(spec, model);
  const auto& shape = model["bodies"][0]["shapes"][0];
  EXPECT_EQ(shape["type"], "polygon");
  ASSERT_EQ(shape["points"].size(), 256u);
  // The nose, 23 mm from the shape's middle, points along its x axis, which is turned to y.
  EXPECT_NEAR(shape["points"][0][0].get<double>(), 1, 1e-6);
  EXPECT_NEAR(shape["points"][0][1].get<double>(), 0.023, 1e-7);
  EXPECT_FALSE(shape.contains("angle"));
}

TEST(ShapeTriangles, AFileThatIsGoneIsNotDrawn) {
  const Spec spec = load_spec(testing::source_dir() + "/examples/engines/wedge.yaml",
                              {"bodies.wedge.shapes.body.mesh.file=gone.stl"});
  nlohmann::ordered_json model = nlohmann::ordered_json::parse(spec_json(spec));
  add_triangles(spec, model);
  EXPECT_FALSE(model["bodies"][0]["shapes"][0].contains("vertices"));
}

}  // namespace
}  // namespace tappet::shape_triangles_test
