// Meshes of files as shapes of bodies: moved to their centre of mass, stretched, turned, closed by their hull.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"
#include "tappet/geometry/mesh_builders.hpp"

namespace tappet::testing::mesh_shapes_test {
namespace {

namespace fs = std::filesystem;

class MeshShapes : public ::testing::Test {
 protected:
  fs::path folder = fs::path(::testing::TempDir()) / "tappet_mesh_shapes";
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }

  /// A box of 2 × 4 × 6 whose corner is the file's origin, without its first triangles.
  void write_box(std::size_t without) const {
    const TriangleMesh box = box_mesh({1, 2, 3});
    std::ofstream out(folder / "box.obj");
    for (const Vec3& v : box.vertices) out << fmt::format("v {} {} {}\n", v.x() + 1, v.y() + 2, v.z() + 3);
    for (std::size_t t = without; t < box.triangles.size(); ++t)
      out << fmt::format("f {} {} {}\n", box.triangles[t][0] + 1, box.triangles[t][1] + 1,
                         box.triangles[t][2] + 1);
  }
  std::shared_ptr<const Model> model(const std::string& mesh, const std::string& body = "density: 10") const {
    return model_of(spec_from_text(fmt::format(R"(tappet: 1
dimension: spatial
gravity: [0, 0, 0]
bodies: {{b: {{{}, shapes: {{s: {{mesh: {{file: box.obj, {}}}}}}}}}}}
simulation: {{duration: 1}}
)",
                                               body, mesh),
                                   (folder / "m.yaml").string()));
  }
};

TEST_F(MeshShapes, DensityMovesAMeshToItsCentreOfMass) {
  write_box(0);
  const auto m = model("scale: 1");
  const Body& body = m->mechanism.bodies[0];
  EXPECT_NEAR(body.mass, 480, 1e-9);
  EXPECT_NEAR(body.inertia(0, 0), 480.0 / 12 * (16 + 36), 1e-9);
  EXPECT_NEAR(body.inertia(0, 1), 0, 1e-9);
  EXPECT_NEAR(m->mechanism.surfaces[0].shape->solid().centre.norm(), 0, 1e-12);
  ASSERT_FALSE(m->notes.empty());
  EXPECT_NE(m->notes[0].find("mesh 'b.s' is moved"), std::string::npos) << m->notes[0];
  // Where it is told to be, it stays; and a body that knows its mass may have it anywhere.
  EXPECT_THROW(model("position: [0, 0, 0]"), InputError);
  EXPECT_NEAR(
      model("scale: 1", "mass: 1, inertia: [1, 1, 1]")->mechanism.surfaces[0].shape->solid().centre.x(), 1,
      1e-12);
  EXPECT_NEAR(model("centred: true", "mass: 1, inertia: [1, 1, 1]")
                  ->mechanism.surfaces[0]
                  .shape->solid()
                  .centre.norm(),
              0, 1e-12);
  EXPECT_THROW(model("centred: true, position: [0, 0, 1]"), InputError);
}

TEST_F(MeshShapes, StretchAndOrientation) {
  write_box(0);
  const auto m = model("stretch: [-1, 0.5, 2], orientation: {axis: [0, 0, 1], angle: 90 deg}, scale: 2",
                       "mass: 1, inertia: [1, 1, 1]");
  const SolidProperties solid = m->mechanism.surfaces[0].shape->solid();
  EXPECT_NEAR(solid.volume, 48 * 8, 1e-9);
  // (1, 2, 3) → scaled (−2, 2, 12) → turned (−2, −2, 12)
  EXPECT_NEAR((solid.centre - Vec3(-2, -2, 12)).norm(), 0, 1e-9);
  EXPECT_THROW(model("stretch: [1, 0, 1]"), InputError);
}

TEST_F(MeshShapes, AnOpenSurfaceIsRefusedOrItsHull) {
  write_box(2);
  try {
    model("scale: 1");
    ADD_FAILURE();
  } catch (const InputError& fault) {
    EXPECT_NE(std::string(fault.what()).find("`convex: true` takes the hull"), std::string::npos)
        << fault.what();
  }
  EXPECT_NEAR(model("convex: true")->mechanism.bodies[0].mass, 480, 1e-9);
}

}  // namespace
}  // namespace tappet::testing::mesh_shapes_test
