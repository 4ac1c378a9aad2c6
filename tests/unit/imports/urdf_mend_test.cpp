#include "tappet/imports/urdf_mend.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tappet/imports/urdf.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::urdf_mend_test {
namespace {

using testing::Contains;
using testing::HasSubstr;

// All that the parser would refuse the robot for: a colour of three numbers, an unknown shape, one without extent or file, a
// joint without limit, one with half of one, dynamics of nothing, a safety controller without its key, a version, inertia that
// is missing in part or whole, an axis of no length.
const char* const careless =
    R"(<robot name="r" version="7"><material name="red"><color rgba="1 0 0"/></material>
  <link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
    <visual><geometry><capsule radius="1" length="2"/></geometry><material name="red"><color rgba="1 0 0"/></material></visual>
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
       {"link 'base': a <visual> is left out: <capsule> is not a shape of URDF",
        "link 'base': a <collision> is left out: it has no geometry",
        "link 'base': a <collision> is left out: its <mesh> has no filename",
        "link 'base': a shape without extent is left out", "link 'tip': its <inertial> has no mass",
        "joint 'j': it has no <limit>", "joint 'j': its axis has no length; x is taken",
        "joint 'k': its limits (-1 to 1 m"})
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
