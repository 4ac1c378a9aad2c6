#include "tappet/imports/urdf_mend.hpp"

#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tappet/imports/urdf.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::urdf_mend_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// All that the parser would refuse the robot for: a colour of three numbers, an unknown shape, one without extent or file, a
// joint without limit, one with half of one, dynamics of nothing, a safety controller without its key, a version, inertia that
// is missing in part or whole, an axis of no length.
const char* const careless =
    R"(<robot name="r" version="7"><material name="red"><color rgba="1 0 0"/></material>
  <link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
    <visual><geometry><cone radius="1" length="2"/></geometry><material name="red"><color rgba="1 0 0"/></material></visual>
    <collision><geometry/></collision><collision><geometry><mesh filename=""/></geometry></collision>
    <collision><geometry><sphere radius="0"/></geometry></collision><collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="hand"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="tip"><inertial><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 0"/><dynamics/><safety_controller/></joint>
  <joint name="k" type="prismatic"><parent link="arm"/><child link="hand"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/></joint>
  <joint name="l" type="fixed"><parent link="hand"/><child link="tip"/></joint></robot>)";

TEST(UrdfMend, ACarelessRobotIsReadAndEveryChangeIsSaid) {
  const UrdfImport import = import_urdf_text(careless, "careless.urdf");
  Diagnostics diagnostics;
  EXPECT_TRUE(compile(spec_from_text(to_yaml(import.model), "careless.yaml"), diagnostics));
  for (const char* said :
       {"link 'base': a <visual> is left out: <cone> is not a shape of URDF",
        "link 'base': a <collision> is left out: it has no geometry",
        "link 'base': a <collision> is left out: its <mesh> has no filename",
        "link 'base': a sphere without extent is left out", "link 'tip': its <inertial> has no mass",
        "joint 'j': it has no <limit>", "joint 'j': its axis has no length; x is taken",
        "joint 'k': its limits (-1 to 1 m"})
    EXPECT_THAT(import.notes, Contains(HasSubstr(said)));
}

// Of one shape that it cannot read, the parser drops all shapes of the link and says nothing.
TEST(UrdfMend, ABadShapeCostsNoOther) {
  const UrdfImport import =
      import_urdf_text(R"(<robot><link name="a"><inertial><origin xyz="" rpy="0, 0, 0"/><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1"/></inertial>
    <collision><geometry><box size="1 1"/></geometry></collision>
    <collision><geometry><sphere radius="1m"/></geometry></collision>
    <collision><geometry><mesh filename="none.stl" scale="0.001"/></geometry></collision>
    <collision><geometry><mesh filename="none.stl" scale="1 2"/></geometry></collision>
    <collision name="c"><geometry><box size="1, 2, 3"/></geometry></collision>
    <collision name="c"><origin xyz="0 0 1" rpy=""/><geometry><capsule radius="0.5" length="2"/></geometry></collision>
    <collision><geometry><cylinder radius="+0.5" length="2e0"/></geometry></collision></link></robot>)",
                       "shapes.urdf");
  Diagnostics diagnostics;
  const auto model = compile(spec_from_text(to_yaml(import.model), "shapes.yaml"), diagnostics);
  ASSERT_TRUE(model);
  std::vector<std::string> kinds;
  for (const Surface& s : model->mechanism.surfaces) kinds.push_back(s.shape->kind());
  EXPECT_THAT(kinds, ::testing::ElementsAre("box", "capsule", "cylinder"));
  EXPECT_NEAR(model->mechanism.surfaces[1].shape->solid().volume,
              std::numbers::pi * (0.25 * 2 + 4.0 / 3 * 0.125), 1e-12);
  for (const char* said :
       {"the robot has no name", "the size of its <box>, '1 1', is not three numbers",
        "the radius of its <sphere>, '1m', is not a number",
        "the scale 0.001 of its <mesh> is taken along all three axes", "the mesh 'none.stl' is left out",
        "the scale of its <mesh>, '1 2', is not three numbers"})
    EXPECT_THAT(import.notes, Contains(HasSubstr(said)));
}

TEST(UrdfMend, JointsAsPeopleWriteThem) {
  const std::string body =
      R"(<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>)";
  const UrdfImport import =
      import_urdf_text(R"(<robot name="r"><link name="a">)" + body + R"(<link name="b">)" + body +
                           R"(<link name="c">)" + body +
                           R"(<joint name="mount" type="fixed"><parent link="world"/><child link="a"/></joint>
    <joint name="j" type="Revolute"><origin xyz="0,0,1"/><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
      <limit lower="-inf" upper="INF" effort="inf" velocity="1"/><dynamics damping="" friction="0"/></joint>
    <joint name="k" type="prismatic"><parent link="b"/><child link="c"/><axis xyz=""/><limit lower="" upper=""/></joint></robot>)",
                       "joints.urdf");
  const Spec spec = spec_from_text(to_yaml(import.model), "joints.yaml");
  Diagnostics diagnostics;
  EXPECT_TRUE(compile(spec, diagnostics));
  ASSERT_EQ(spec.bodies.size(), 2u);  // the third is the ground
  EXPECT_EQ(spec.joints[0].type, "revolute");
  for (const char* said :
       {"there is no link 'world', which a joint holds on to", "joint 'j': its type 'Revolute' is taken as",
        "joint 'j': what its <limit> calls infinite is no limit"})
    EXPECT_THAT(import.notes, Contains(HasSubstr(said)));
}

TEST(UrdfMend, NamesThatYamlWouldTakeForOtherThingsStay) {
  std::string xml = "<robot name=\"no\">";
  for (const char* name : {"1", "true", "null", "a b", "a_b", "~", "-x"})
    xml += std::string("<link name=\"") + name +
           R"("><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>)";
  for (const char* name : {"true", "null", "a b", "a_b", "~", "-x"})
    xml += std::string("<joint name=\"to ") + name +
           R"(" type="continuous"><parent link="1"/><child link=")" + name + "\"/></joint>";
  const UrdfImport import = import_urdf_text(xml + "</robot>", "names.urdf");
  const Spec spec = spec_from_text(to_yaml(import.model), "names.yaml");
  EXPECT_EQ(spec.bodies.size(), 7u);
  Diagnostics diagnostics;
  EXPECT_TRUE(compile(spec, diagnostics));
}

TEST(UrdfMend, WrittenElementsAreReadTheSame) {
  std::string fault;
  const std::string text = "<a x=\"&lt;&quot;&amp;\">one &amp; two<b/><c y=\"1\">&lt;</c></a>";
  const auto root = read_xml(text, fault);
  ASSERT_TRUE(root);
  const auto again = read_xml(to_xml(*root), fault);
  ASSERT_TRUE(again) << fault;
  EXPECT_EQ(to_xml(*again), to_xml(*root));
  EXPECT_EQ(again->attribute("x"), "<\"&");
  EXPECT_EQ(again->child("c")->text, "<");
}

}  // namespace
}  // namespace tappet::urdf_mend_test
