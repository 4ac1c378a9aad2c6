#include "tappet/imports/urdf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tappet/imports/merge.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::urdf_test {
namespace {

using testing::Contains;
using testing::HasSubstr;

// A column on a massless base, an arm that turns on it, a hand that slides in the arm and a finger that
// follows the arm.
const char* const arm = R"(<robot name="arm">
  <link name="base"/>
  <link name="column">
    <inertial><origin xyz="0 0 0.5"/><mass value="4"/><inertia ixx="0.3" iyy="0.3" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="foot" type="fixed"><parent link="base"/><child link="column"/></joint>
  <link name="arm">
    <inertial><origin xyz="0.2 0 0" rpy="0 0 1.5707963267948966"/><mass value="2"/>
      <inertia ixx="0.1" iyy="0.01" izz="0.11" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0.4 0 0"/><geometry><sphere radius="0.05"/></geometry></collision>
    <visual><geometry><mesh filename="arm.stl"/></geometry></visual>
  </link>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/><parent link="column"/><child link="arm"/><axis xyz="0 2 0"/>
    <limit lower="-1" upper="2" effort="30" velocity="4"/><dynamics damping="0.5"/>
  </joint>
  <link name="tool"><visual><geometry><mesh filename="tool.stl"/></geometry></visual></link>
  <joint name="flange" type="fixed"><origin xyz="0.4 0 0"/><parent link="arm"/><child link="tool"/></joint>
  <link name="finger"><inertial><mass value="0.5"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="knuckle" type="continuous">
    <origin xyz="0.1 0 0"/><parent link="tool"/><child link="finger"/><axis xyz="0 1 0"/>
    <mimic joint="shoulder" multiplier="-2"/>
  </joint>
</robot>)";

Spec spec_of(const UrdfImport& import) {
  return spec_from_text(to_yaml(import.model), "arm.urdf");
}

const Object& named(const std::vector<Object>& all, const std::string& name) {
  for (const Object& object : all)
    if (object.name == name) return object;
  throw std::runtime_error(name);
}

TEST(Urdf, LinksBecomeBodiesAtTheirCentresOfMass) {
  const Spec spec = spec_of(import_urdf_text(arm, "arm.urdf"));
  ASSERT_EQ(spec.bodies.size(), 3u);
  // The base has no mass and is fixed to the column: one body that is free to move.
  EXPECT_EQ(spec.bodies[0].name, "column");
  EXPECT_NEAR(spec.bodies[0].vector("position")[2], 0.5, 1e-12);

  // The arm's frame is turned by 90° about z at the height of 1 m: its centre is 0.2 m along the world's y.
  const Object& link = named(spec.bodies, "arm");
  const auto& r = link.vector("position");
  EXPECT_NEAR(r[0], 0, 1e-12);
  EXPECT_NEAR(r[1], 0.2, 1e-12);
  EXPECT_NEAR(r[2], 1, 1e-12);
  EXPECT_NEAR(link.vector("orientation")[0], std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(link.vector("orientation")[3], std::sqrt(0.5), 1e-12);
  // Its tensor is given in axes turned once more, which exchanges xx and yy.
  EXPECT_NEAR(link.vector("inertia")[0], 0.01, 1e-12);
  EXPECT_NEAR(link.vector("inertia")[4], 0.1, 1e-12);
  // The ball at its end, from the centre of mass.
  EXPECT_NEAR(link.objects("shapes")[0].vector("position")[0], 0.2, 1e-12);
}

TEST(Urdf, JointsKeepPlaceAxisDampingAndCoupling) {
  const Spec spec = spec_of(import_urdf_text(arm, "arm.urdf"));
  const Object& shoulder = named(spec.joints, "shoulder");
  EXPECT_EQ(shoulder.type, "revolute");
  EXPECT_NEAR(shoulder.points("points")[0][2], 0.5, 1e-12);
  EXPECT_NEAR(shoulder.points("points")[1][0], -0.2, 1e-12);
  // y of the arm is −x of the column.
  EXPECT_NEAR(shoulder.vector("axis")[0], -1, 1e-12);
  EXPECT_NEAR(named(spec.forces, "shoulder_damper").number("damping"), 0.5, 0);

  // The finger hangs on the tool, which is part of the arm.
  const Object& knuckle = named(spec.joints, "knuckle");
  EXPECT_EQ(knuckle.names("bodies")[0].text, "arm");
  EXPECT_NEAR(knuckle.points("points")[0][0], 0.3, 1e-12);
  const Object& mimic = named(spec.joints, "knuckle_mimic");
  EXPECT_EQ(mimic.names("joints")[0].text, "knuckle");
  EXPECT_EQ(mimic.number("ratio"), -2);
  // All of it is a model: six degrees of freedom of the column, one of the arm.
  Diagnostics diagnostics;
  EXPECT_TRUE(compile(spec, diagnostics));
}

TEST(Urdf, WhatIsLeftOutIsSaid) {
  const UrdfImport import = import_urdf_text(arm, "arm.urdf");
  EXPECT_THAT(import.notes, Contains(HasSubstr("the mesh 'tool.stl' is left out")));
  EXPECT_THAT(import.notes, Contains(HasSubstr("-1 to 2 rad, at most 30 N m and 4 rad/s")));
}

TEST(Urdf, ARootCalledWorldOrWithoutMassIsTheGround) {
  const std::string xml = R"(<robot name="p"><link name="world"/><link name="rod">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="j" type="prismatic"><origin xyz="0 0 2"/><parent link="world"/><child link="rod"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/></joint></robot>)";
  const Spec spec = spec_of(import_urdf_text(xml, "p.urdf"));
  ASSERT_EQ(spec.bodies.size(), 1u);
  EXPECT_EQ(spec.joints[0].type, "translational");
  EXPECT_EQ(spec.joints[0].names("bodies")[0].text, "ground");
  EXPECT_NEAR(spec.joints[0].points("points")[0][2], 2, 1e-12);
}

std::string fault_of(const std::string& xml) {
  try {
    import_urdf_text(xml, "bad.urdf");
  } catch (const InputError& fault) {
    return fault.what();
  }
  return "none";
}

TEST(Urdf, FaultsAreSentences) {
  EXPECT_THAT(fault_of("<robot"), HasSubstr("bad.urdf: error: this is no URDF that can be read"));
  EXPECT_THAT(fault_of(""), HasSubstr("no URDF that can be read"));
  EXPECT_THAT(fault_of(R"(<robot name="p"><link name="world"/><link name="rod"/>
    <joint name="j" type="continuous"><parent link="world"/><child link="rod"/><axis xyz="0 0 1"/></joint></robot>)"),
              HasSubstr("link 'rod' can move but has no mass"));
  EXPECT_THROW(import_urdf("/no/such/file.urdf"), InputError);
}

TEST(Urdf, MoreIsMergedKeyByKey) {
  UrdfImport import = import_urdf_text(arm, "arm.urdf");
  merge(import.model,
        read_yaml_text("motions: {drive: {joint: shoulder, speed: 1}}\nsimulation: {duration: 3 s}",
                       "more.yaml"));
  const Spec spec = spec_of(import);
  EXPECT_EQ(spec.motions.size(), 1u);
  EXPECT_EQ(spec.simulation.number("duration"), 3);
}

}  // namespace
}  // namespace tappet::urdf_test
