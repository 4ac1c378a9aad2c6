#include "tappet/imports/robot_shapes.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tappet/geometry/mesh_builders.hpp"
#include "tappet/imports/urdf.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::robot_shapes_test {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::string obj_of(const TriangleMesh& mesh, std::size_t left_out) {
  std::string out;
  for (const Vec3& v : mesh.vertices) out += fmt::format("v {} {} {}\n", v.x(), v.y(), v.z());
  for (std::size_t t = left_out; t < mesh.triangles.size(); ++t)
    out += fmt::format("f {} {} {}\n", mesh.triangles[t][0] + 1, mesh.triangles[t][1] + 1,
                       mesh.triangles[t][2] + 1);
  return out;
}

// A folder as a package of ROS has it: NAME/urdf/robot.urdf and NAME/meshes/….
class UrdfMeshes : public ::testing::Test {
 protected:
  fs::path root = fs::path(::testing::TempDir()) / "tappet_urdf" /
                  ::testing::UnitTest::GetInstance()->current_test_info()->name();
  void SetUp() override {
    fs::remove_all(root);
    fs::create_directories(root / "walker" / "urdf");
    fs::create_directories(root / "walker" / "meshes");
  }
  void TearDown() override { fs::remove_all(root); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(root / "walker" / name, std::ios::binary) << text;
  }
  UrdfImport import(const std::string& mesh) const {
    write("urdf/robot.urdf",
          R"(<robot name="r"><link name="a"><inertial><origin xyz="0 0 0.5"/><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial><collision><origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/>
      <geometry><mesh )" +
              mesh + R"(/></geometry></collision></link></robot>)");
    RobotOptions options;
    options.model_folder = (root / "walker" / "urdf").string();
    return import_urdf((root / "walker" / "urdf" / "robot.urdf").string(), options);
  }
  std::shared_ptr<const Model> model(const UrdfImport& import) const {
    Diagnostics diagnostics;
    auto out =
        compile(spec_from_text(to_yaml(import.model), (root / "walker" / "urdf" / "robot.yaml").string()),
                diagnostics);
    diagnostics.throw_if_errors();
    return out;
  }
};

TEST_F(UrdfMeshes, ClosedOnesAreTakenAsTheyAre) {
  write("meshes/box.obj", obj_of(box_mesh({1, 2, 3}), 0));
  const UrdfImport got = import(R"(filename="package://walker/meshes/box.obj" scale="0.001 0.001 0.001")");
  const auto made = model(got);
  const Shape& shape = *made->mechanism.surfaces.at(0).shape;
  EXPECT_THAT(to_yaml(got.model), HasSubstr("file: ../meshes/box.obj"));
  EXPECT_THAT(got.notes, Not(Contains(HasSubstr("mesh"))));
  // 2 × 4 × 6 mm, its middle at (1, 0, 0) of the link and so at z = −0.5 of the body.
  EXPECT_NEAR(shape.solid().volume, 48e-9, 1e-20);
  EXPECT_NEAR((shape.solid().centre - Vec3(1, 0, -0.5)).norm(), 0, 1e-15);
  // Turned by 90° about z: x and y are exchanged.
  EXPECT_NEAR(shape.bounds({}).high.x() - 1, 2e-3, 1e-15);
}

TEST_F(UrdfMeshes, ScalesMayDifferAndMirror) {
  write("meshes/box.obj", obj_of(box_mesh({1, 2, 3}), 0));
  const UrdfImport got = import(R"(filename="../meshes/box.obj" scale="1 -1 2")");
  EXPECT_NEAR(model(got)->mechanism.surfaces.at(0).shape->solid().volume, 96, 1e-12);
}

TEST_F(UrdfMeshes, OpenOnesBecomeTheirHull) {
  write("meshes/box.obj", obj_of(box_mesh({1, 2, 3}), 2));  // a lid is missing
  const UrdfImport got = import(R"(filename="package://walker/meshes/box.obj")");
  EXPECT_THAT(got.notes, Contains(HasSubstr("is taken as the convex hull of its vertices: mesh")));
  EXPECT_THAT(got.notes, Contains(HasSubstr("open edges")));
  EXPECT_NEAR(model(got)->mechanism.surfaces.at(0).shape->solid().volume, 48, 1e-12);
}

TEST_F(UrdfMeshes, InsideOutOnesAreTurned) {
  TriangleMesh box = box_mesh({1, 2, 3});
  for (Triangle& t : box.triangles) std::swap(t[0], t[1]);
  write("meshes/box.obj", obj_of(box, 0));
  const UrdfImport got = import(R"(filename="package://walker/meshes/box.obj")");
  EXPECT_THAT(to_yaml(got.model), HasSubstr("repair: true"));
  EXPECT_NEAR(model(got)->mechanism.surfaces.at(0).shape->solid().volume, 48, 1e-12);
}

TEST_F(UrdfMeshes, WhatCannotBeReadIsLeftOutAndSaid) {
  write("meshes/flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const UrdfImport flat = import(R"(filename="package://walker/meshes/flat.obj")");
  EXPECT_THAT(flat.notes, Contains(HasSubstr("the mesh 'package://walker/meshes/flat.obj' is left out")));
  EXPECT_TRUE(model(flat)->mechanism.surfaces.empty());
  const UrdfImport missing = import(R"(filename="package://walker/meshes/none.stl")");
  EXPECT_THAT(missing.notes, Contains(HasSubstr("there is no such file; --packages")));
}

// Capitals as Windows takes them, its folders, and what xacro has left.
TEST_F(UrdfMeshes, AreFoundHoweverTheyAreNamed) {
  write("meshes/Box.OBJ", obj_of(box_mesh(Vec3(1, 1, 1)), 0));
  for (const std::string name :
       {"package://walker/meshes/box.obj", "..\\meshes\\Box.OBJ", "$(find walker)/meshes/BOX.obj",
        "../meshes/box.obj", "model://walker/meshes/Box.OBJ", "package://renamed/meshes/Box.OBJ"}) {
    const UrdfImport got = import("filename=\"" + name + "\"");
    EXPECT_NEAR(model(got)->mechanism.surfaces.at(0).shape->solid().volume, 8, 1e-12) << name;
    EXPECT_THAT(to_yaml(got.model), HasSubstr("../meshes/Box.OBJ"));
  }
  const UrdfImport full = import("filename=\"file://" + (root / "walker/meshes/Box.OBJ").string() + "\"");
  EXPECT_EQ(model(full)->mechanism.surfaces.size(), 1u);
}

TEST_F(UrdfMeshes, ColladaIsRead) {
  // A tetrahedron with legs of 100 in a scene that halves it, in centimetres: legs of 0.5 m.
  write(
      "meshes/tet.dae",
      R"(<?xml version="1.0"?><COLLADA version="1.4.1"><asset><unit name="cm" meter="0.01"/><up_axis>Y_UP</up_axis></asset>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="pa" count="12">0 0 0 100 0 0 0 100 0 0 0 100</float_array></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <polylist count="4"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#p" offset="1"/>
      <vcount>3 3 3 3</vcount><p>0 0 2 0 1 0  0 0 1 0 3 0  0 0 3 0 2 0  1 0 2 0 3 0</p></polylist></mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s"><node><scale>0.5 0.5 0.5</scale><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene></COLLADA>)");
  const UrdfImport got = import(R"(filename="package://walker/meshes/tet.dae")");
  EXPECT_NEAR(model(got)->mechanism.surfaces.at(0).shape->solid().volume, 0.125 / 6, 1e-15);
}

}  // namespace
}  // namespace tappet::robot_shapes_test
