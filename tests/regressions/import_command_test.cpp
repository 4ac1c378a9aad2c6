// `tappet import`: a robot's URDF and a file with its surroundings become a model that runs.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regressions/program.hpp"
#include "regressions/source_tree.hpp"

namespace tappet::test::import_command_test {
namespace {

using ::testing::HasSubstr;
using ImportCommand = ProgramTest;

const std::string cart = (source_dir() / "examples/cart/cart.urdf").string();
const std::string road = (source_dir() / "examples/cart/road.yml").string();

// Wheels that roll down a slope: M v̇ = M g sin θ − 4 F and I v̇/R = F R, so that v̇ = g sin θ M/(M + 4 I/R²).
TEST_F(ImportCommand, ACartRollsAsItsUrdfSays) {
  const Outcome import = run({"import", cart, "--contacts", road, "-o", "cart.yaml"});
  ASSERT_EQ(import.status, 0) << import.err;
  const Outcome ran = run({"run", "cart.yaml", "-o", "cart.h5", "--quiet"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const std::string rows = run({"export", "cart.h5", "chassis.vx", "front_left.wy", "chassis.wy"}).out;
  const std::string last = rows.substr(rows.rfind('\n', rows.size() - 2) + 1);
  double t = 0, v = 0, turn = 0, pitch = 0;
  ASSERT_EQ(std::sscanf(last.c_str(), "%lf,%lf,%lf,%lf", &t, &v, &turn, &pitch), 4) << last;
  const double speed = 9.81 * std::sin(std::acos(-1.0) / 18) * 14 / (14 + 4 * 0.005 / 0.01);
  EXPECT_NEAR(t, 1, 1e-12);
  EXPECT_NEAR(v, speed, 1e-6 * speed);
  EXPECT_NEAR(turn, speed / 0.1, 1e-5 * speed);
  EXPECT_NEAR(pitch, 0, 1e-6);
}

// A robot in one folder, its mesh in another, the model in a third: under --on-floor too the mesh is found, and the robot stands. Its
// sensor has no inertia, which is said and keeps nobody from importing it.
TEST_F(ImportCommand, FilesAreFoundFromWhereTheModelStands) {
  for (const char* folder : {"pkg/robot", "pkg/meshes", "models"})
    std::filesystem::create_directories(folder_ / folder);
  write("pkg/meshes/tet.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  write("pkg/robot/r.urdf", R"(<?xml version="1.0" encoding="ISO-8859-1"?><robot name="Gr)"
                            "\xf6\xdf"
                            R"(e"><link name="a"><inertial><origin xyz="0.25 0.25 0.25"/><mass value="1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial><collision><geometry><mesh filename="package://pkg/meshes/tet.obj"/></geometry></collision></link>
    <link name="eye"><inertial><mass value="0.01"/><inertia ixx="0" iyy="0" izz="0"/></inertial></link>
    <joint name="pan" type="continuous"><origin xyz="0.25 0.25 0.25"/><parent link="a"/><child link="eye"/><axis xyz="0 0 1"/></joint></robot>)");
  const Outcome import =
      run({"import", "pkg/robot/r.urdf", "--on-floor", "--packages", ".", "-o", "models/r.yaml"});
  ASSERT_EQ(import.status, 0) << import.err;
  EXPECT_THAT(import.err, HasSubstr("pkg/robot/r.urdf: warning: link 'eye': its principal moments"));
  EXPECT_THAT(text("models/r.yaml"), HasSubstr("../pkg/meshes/tet.obj"));
  EXPECT_THAT(text("models/r.yaml"), HasSubstr("Gr\xc3\xb6\xc3\x9f"
                                               "e"));
  const Outcome check = run({"check", "models/r.yaml"});
  EXPECT_EQ(check.status, 0) << check.err;
  const Outcome ran = run({"run", "models/r.yaml", "-o", "r.h5", "--quiet"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const std::string rows = run({"export", "r.h5", "a.z"}).out;
  const std::string last = rows.substr(rows.rfind('\n', rows.size() - 2) + 1);
  double t = 0, z = 0;
  ASSERT_EQ(std::sscanf(last.c_str(), "%lf,%lf", &t, &z), 2) << last;
  EXPECT_NEAR(z, 0.25, 2e-3);  // 1 mm below its start, as the floor is made
}

TEST_F(ImportCommand, WhatCannotMoveMakesNoModel) {
  write(
      "plane.urdf",
      R"(<robot name="plane"><link name="a"><collision><geometry><box size="9 9 1"/></geometry></collision></link></robot>)");
  const Outcome refused = run({"import", "plane.urdf", "-o", "plane.yaml"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("plane.urdf: error: there is nothing in it that can move"));
  EXPECT_THAT(refused.err, HasSubstr("--repair"));
  EXPECT_FALSE(exists("plane.yaml"));
  EXPECT_EQ(run({"import", "plane.urdf", "--repair", "-o", "plane.yaml"}).status, 0);
  EXPECT_EQ(run({"check", "plane.yaml"}).status, 0);
}

TEST_F(ImportCommand, FaultsAreSentences) {
  EXPECT_THAT(run({"import", "none.urdf"}).err, HasSubstr("none.urdf"));
  write("bad.urdf", "<robot name='r'><link name='a'>");
  const Outcome bad = run({"import", "bad.urdf"});
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.err, HasSubstr("bad.urdf: error: "));
  // A fault of the contact file is told now, not when the model runs.
  write("more.yml", "contacts: {c: {between: [ground.road, front_left.wheel], frction: 1}}");
  const Outcome more = run({"import", cart, "--contacts", "more.yml", "-o", "out.yaml"});
  EXPECT_EQ(more.status, 2);
  EXPECT_THAT(more.err, HasSubstr("frction"));
  EXPECT_FALSE(exists("out.yaml"));
}

}  // namespace
}  // namespace tappet::test::import_command_test
