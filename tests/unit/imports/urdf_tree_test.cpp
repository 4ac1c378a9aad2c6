#include "tappet/imports/urdf_tree.hpp"

#include <urdf_parser/urdf_parser.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tappet::urdf_tree_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

std::string inertial(const std::string& xyz, double mass, const std::string& diagonal) {
  const auto at = [&](int n) {
    std::istringstream in(diagonal);
    std::string word;
    for (int i = 0; i <= n; ++i) in >> word;
    return word;
  };
  return "<inertial><origin xyz=\"" + xyz + "\"/><mass value=\"" + std::to_string(mass) +
         "\"/><inertia ixx=\"" + at(0) + "\" iyy=\"" + at(1) + "\" izz=\"" + at(2) +
         "\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& origin = "0 0 0") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><origin xyz=\"" + origin +
         "\"/><parent link=\"" + parent + "\"/><child link=\"" + child + "\"/><axis xyz=\"0 0 1\"/></joint>";
}

UrdfTree tree_of(const std::string& inside, bool repair, Diagnostics& diagnostics) {
  const auto robot = urdf::parseURDF("<robot name=\"r\">" + inside + "</robot>");
  return build_urdf_tree(*robot, repair, {}, diagnostics);
}

// Two equal rods of 1 kg and length 1 along x, end to end: one rod of 2 kg and length 2.
TEST(UrdfTree, FixedLinksAreOneBody) {
  Diagnostics diagnostics;
  const std::string rod = inertial("0.5 0 0", 1, "1e-6 0.083333333333333333 0.083333333333333333");
  const UrdfTree tree = tree_of("<link name=\"a\">" + rod + "</link><link name=\"b\">" + rod + "</link>" +
                                    joint("j", "fixed", "a", "b", "1 0 0"),
                                false, diagnostics);
  ASSERT_EQ(tree.bodies.size(), 1u);
  const RobotMass& m = tree.bodies[0].mass;
  EXPECT_NEAR(m.mass, 2, 1e-12);
  EXPECT_NEAR(m.centre.x(), 1, 1e-12);
  EXPECT_NEAR(m.inertia(2, 2), 2.0 * 4 / 12, 1e-12);
  EXPECT_NEAR(m.inertia(0, 0), 2e-6, 1e-12);
}

// A sensor of 10 g without inertia on a plate: impossible by itself, harmless on the plate.
TEST(UrdfTree, InertiaIsJudgedOfTheWholeBody) {
  Diagnostics diagnostics;
  const UrdfTree tree = tree_of("<link name=\"plate\">" + inertial("0 0 0", 1, "0.1 0.1 0.15") +
                                    "</link><link name=\"sensor\">" + inertial("0 0 0", 0.01, "0 0 0") +
                                    "</link>" + joint("j", "fixed", "plate", "sensor", "0.1 0 0"),
                                false, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(tree.bodies.size(), 1u);
}

// A robot is not refused for one link: what no body can have is put right, with a warning where nobody asked for it.
TEST(UrdfTree, ImpossibleInertiaIsPutRightAndSaid) {
  const std::string robot =
      "<link name=\"base\">" + inertial("0 0 0", 1, "1 1 1") + "</link><link name=\"wheel\">" +
      inertial("0 0 0", 2, "0.1 0.2 1") + "</link><link name=\"laser\">" + inertial("0 0 0", 0.1, "0 0 0") +
      "</link>" + joint("j", "continuous", "base", "wheel") + joint("k", "continuous", "base", "laser");
  for (const bool asked_for : {false, true}) {
    Diagnostics diagnostics;
    const UrdfTree tree = tree_of(robot, asked_for, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors());
    ASSERT_EQ(tree.bodies.size(), 3u);
    for (const UrdfBody& body : tree.bodies) EXPECT_EQ(fault_of(body.mass), "") << body.name;
    const RobotMass& wheel = tree.bodies[tree.bodies[1].name == "wheel" ? 1 : 2].mass;
    EXPECT_NEAR(wheel.inertia(2, 2), 1, 1e-12);  // the largest stays
    EXPECT_NEAR(wheel.inertia(1, 1) - wheel.inertia(0, 0), 0.1, 1e-12);
    const std::vector<std::string>&said = asked_for ? tree.notes : tree.warnings,
          &silent = asked_for ? tree.warnings : tree.notes;
    EXPECT_TRUE(silent.empty());
    EXPECT_THAT(said,
                Contains(HasSubstr("link 'wheel': its principal moments of inertia are 0.1, 0.2 and 1 kg "
                                   "m^2, but none may exceed the sum of the other two; they are taken "
                                   "as 0.45, 0.55 and 1 kg m^2")));
    EXPECT_THAT(said, Contains(HasSubstr("link 'laser': its principal moments of inertia are 0, 0 and 0")));
  }
}

TEST(UrdfTree, EveryRepairIsPossible) {
  for (const char* diagonal :
       {"0 0 0", "0 0 1", "1 0 0", "0 1 1", "-1 1 1", "-1 -1 -1", "1e-9 1e-9 1", "1 2 3.1"}) {
    std::istringstream in(diagonal);
    RobotMass m{.mass = 1, .centre = Eigen::Vector3d::Zero(), .inertia = Eigen::Matrix3d::Zero()};
    for (int i = 0; i < 3; ++i) in >> m.inertia(i, i);
    EXPECT_EQ(fault_of(repaired(m)), "") << diagonal;
  }
  // Without any moment: 1 kg of water is a ball of 62 mm.
  const double r = std::cbrt(3 / (4000 * M_PI));
  EXPECT_NEAR(repaired({.mass = 1, .centre = {1, 2, 3}, .inertia = Eigen::Matrix3d::Zero()}).inertia(0, 0),
              0.4 * r * r, 1e-15);
}

TEST(UrdfTree, LinksWithoutMass) {
  const std::string body = inertial("0 0 0", 2, "1 1 1");
  // At the end of the tree: the joint moves nothing.
  Diagnostics diagnostics;
  const UrdfTree held = tree_of(
      "<link name=\"base\">" + body + "</link><link name=\"camera\"/><link name=\"lens\"/>" +
          joint("pan", "continuous", "base", "camera", "1 0 0") + joint("zoom", "fixed", "camera", "lens"),
      false, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(held.bodies.size(), 1u);
  EXPECT_EQ(held.bodies[0].parts.size(), 3u);
  EXPECT_THAT(held.notes, Contains(HasSubstr("joint 'pan' moves nothing that has mass")));

  // Between two joints: a gimbal's ring.
  const std::string gimbal =
      "<link name=\"base\">" + body + "</link><link name=\"ring\"/><link name=\"load\">" + body + "</link>" +
      joint("outer", "continuous", "base", "ring") + joint("inner", "continuous", "ring", "load");
  Diagnostics refused;
  tree_of(gimbal, false, refused);
  ASSERT_EQ(refused.error_count(), 1);
  EXPECT_THAT(refused.all()[0].message, HasSubstr("link 'ring' can move but has no mass"));
  Diagnostics repaired;
  const UrdfTree tree = tree_of(gimbal, true, repaired);
  EXPECT_FALSE(repaired.has_errors());
  EXPECT_NEAR(tree.bodies[1].mass.mass, 2e-3, 1e-15);
}

TEST(UrdfTree, WhatIsFixedToTheWorldIsGround) {
  Diagnostics diagnostics;
  const UrdfTree tree = tree_of("<link name=\"world\"/><link name=\"base\">" + inertial("0 0 0", 5, "1 1 1") +
                                    "</link><link name=\"arm\">" + inertial("0 0 0", 1, "1 1 1") + "</link>" +
                                    joint("f", "fixed", "world", "base", "0 0 1") +
                                    joint("j", "continuous", "base", "arm", "0 0 1"),
                                false, diagnostics);
  ASSERT_EQ(tree.bodies.size(), 2u);
  EXPECT_TRUE(tree.bodies[0].ground);
  EXPECT_NEAR(tree.bodies[1].pose.translation().z(), 2, 1e-15);
}

}  // namespace
}  // namespace tappet::urdf_tree_test
