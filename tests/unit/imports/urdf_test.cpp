#include "tappet/imports/urdf.hpp"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/random_poses.hpp"
#include "support/run_model.hpp"
#include "tappet/imports/merge.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/multibody/constraint_system.hpp"
#include "tappet/multibody/kinematics.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::urdf_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

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
  EXPECT_NEAR(shoulder.points("axes")[0][0], -1, 1e-12);
  EXPECT_NEAR(shoulder.points("axes")[1][1], 1, 1e-12);
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
  EXPECT_THAT(import.notes, Contains(HasSubstr("the mesh 'tool.stl' is left out: there is no such file")));
  EXPECT_THAT(import.notes, Contains(HasSubstr("-1 to 2 rad, at most 30 N m and at most 4 rad/s")));
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
  EXPECT_THAT(
      fault_of(
          R"(<robot name="p"><link name="world"/><link name="rod"/><link name="load"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="j" type="continuous"><parent link="world"/><child link="rod"/><axis xyz="0 0 1"/></joint>
    <joint name="k" type="continuous"><parent link="rod"/><child link="load"/><axis xyz="0 1 0"/></joint></robot>)"),
      HasSubstr("link 'rod' can move but has no mass"));
  EXPECT_THROW(import_urdf("/no/such/file.urdf"), InputError);
}

const std::string inertial =
    R"(<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>)";

// Two sliding jaws, the second of which goes the other way and starts 2 mm out, a link called ground, dampers on a slide and
// on a fixed joint.
const std::string gripper = R"(<robot name="gripper">
  <link name="ground">)" + inertial +
                            R"(</link>
  <link name="left">)" + inertial +
                            R"(</link>
  <link name="right">)" + inertial +
                            R"(</link>
  <link name="pad">)" + inertial +
                            R"(</link>
  <joint name="left" type="prismatic"><origin xyz="0 0 0.1"/><parent link="ground"/><child link="left"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="0.1" effort="10" velocity="1"/><dynamics damping="3" friction="0.5"/></joint>
  <joint name="right slide" type="prismatic"><parent link="ground"/><child link="right"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="0.1" effort="10" velocity="1"/><mimic joint="left" multiplier="-1" offset="0.002"/></joint>
  <joint name="glue" type="fixed"><origin xyz="0 0 0.2"/><parent link="right"/><child link="pad"/><dynamics damping="1"/></joint>
</robot>)";

TEST(Urdf, DisplacementsMimicAndDampAndGroundIsALink) {
  const UrdfImport import = import_urdf_text(gripper, "gripper.urdf");
  const Spec spec = spec_of(import);
  ASSERT_EQ(spec.bodies.size(), 3u);  // the pad is part of the right jaw
  EXPECT_EQ(spec.bodies[0].name, "ground_link");
  EXPECT_THAT(import.notes, Contains(HasSubstr("link 'ground' is called 'ground_link'")));
  EXPECT_THAT(import.notes,
              Contains(HasSubstr("body 'right' consists of link 'right' and of what is fixed to it: pad")));
  EXPECT_EQ(named(spec.joints, "left_joint").names("bodies")[0].text, "ground_link");
  const Object& mimic = named(spec.joints, "right_slide_mimic");
  EXPECT_EQ(mimic.type, "coupler");
  EXPECT_EQ(mimic.number("ratio"), -1);
  EXPECT_EQ(spec.forces.size(), 1u);
  EXPECT_EQ(spec.forces[0].type, "translational-spring-damper");
  EXPECT_THAT(import.notes,
              Contains(HasSubstr("joint 'left': its friction of 0.5 N is not part of the model")));
  EXPECT_THAT(import.notes,
              Contains(HasSubstr("0 to 0.1 m, at most 10 N and at most 1 m/s) are not part of the model")));

  Diagnostics diagnostics;
  const auto model = compile(spec, diagnostics);
  ASSERT_TRUE(model);
  Kinematics k;
  resize(k, Dimension::spatial, model->mechanism.body_count());
  std::vector<double> u(model->mechanism.u_size(), 0.0), z(model->mechanism.aux_size, 0.0);
  update_kinematics(k, 0, model->q0.data(), u.data(), z.data());
  EXPECT_NEAR(model->mechanism.joints[0].displacement->evaluate(k).value, 0, 1e-15);
  EXPECT_NEAR(model->mechanism.joints[1].displacement->evaluate(k).value, 0.002, 1e-15);
}

// A wheel of 0.3 kg m² with 2 rad/s, and a slider of 2 kg with 1 m/s, run into their stops: k is the effort over 1° or 1 mm,
// they go ω √(I/k) past the end and come back as fast as they came. The wheel's origin is turned about its axis.
TEST(Urdf, LimitsBecomeElasticStops) {
  const std::string xml = R"(<robot name="p"><link name="world"/>
    <link name="wheel"><inertial><mass value="1"/><inertia ixx="0.3" iyy="0.3" izz="0.3" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="slider"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="axle" type="revolute"><origin rpy="0 0 2"/><parent link="world"/><child link="wheel"/><axis xyz="0 0 1"/>
      <limit lower="-0.5" upper="0.2" effort="10" velocity="1"/></joint>
    <joint name="rail" type="prismatic"><origin xyz="0 0 3"/><parent link="world"/><child link="slider"/><axis xyz="1 0 0"/>
      <limit lower="-0.1" upper="0.5" effort="50" velocity="1"/></joint></robot>)";
  RobotOptions options;
  options.stops = true;
  UrdfImport import = import_urdf_text(xml, "p.urdf", options);
  merge(import.model,
        read_yaml_text(R"(bodies: {wheel: {angular_velocity: [0, 0, 2]}, slider: {velocity: [-1, 0, 0]}}
gravity: [0, 0, 0]
simulation: {duration: 0.3}
output: {step: 1 ms, signals: [axle.angle, axle.angle_rate, rail.displacement, rail.displacement_rate]}
)",
                       "more.yaml"));
  const double turn = 2 * std::sqrt(0.3 / (10 * 180 / std::numbers::pi)), way = std::sqrt(2 / (50 / 1e-3));
  for (const char* method : {"method=smooth", "method=moreau", "method=event-driven"}) {
    std::vector<std::string> settings = {std::string("simulation.") + method};
    const bool steps = settings[0].ends_with("moreau");
    settings.push_back(steps ? "simulation.step=20 us" : "simulation.tolerance=1e-9");
    const testing::Recording r =
        testing::run(*testing::model_of(spec_from_text(to_yaml(import.model), "p.yaml", settings)));
    double highest = 0, lowest = 0;
    for (const auto& row : r.rows) {
      highest = std::max(highest, row[r.column("axle.angle")]);
      lowest = std::min(lowest, row[r.column("rail.displacement")]);
    }
    EXPECT_NEAR(highest, 0.2 + turn, 0.01 * turn) << method;  // sampled
    EXPECT_NEAR(lowest, -0.1 - way, 0.01 * way) << method;
    EXPECT_NEAR(r.last("axle.angle_rate"), -2, steps ? 2e-2 : 1e-5) << method;
    EXPECT_NEAR(r.last("rail.displacement_rate"), 1, steps ? 1e-2 : 1e-5) << method;
  }
}

// The same robot with limits of the model's own, and friction: the wheel of 0.3 kg m² is slowed down by 0.5 N m, the slider of
// 2 kg by 3 N, until they rest; against an end the slider comes back with a tenth of its speed by the non-smooth methods.
TEST(Urdf, LimitsAndFrictionOfJointsAreTheModels) {
  const std::string xml = R"(<robot name="p"><link name="world"/>
    <link name="wheel"><inertial><mass value="1"/><inertia ixx="0.3" iyy="0.3" izz="0.3" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="slider"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="axle" type="revolute"><origin rpy="0 0 2"/><parent link="world"/><child link="wheel"/><axis xyz="0 0 1"/>
      <limit lower="-0.5" upper="2" effort="10" velocity="1"/><dynamics friction="0.5"/></joint>
    <joint name="rail" type="prismatic"><origin xyz="0 0 3"/><parent link="world"/><child link="slider"/><axis xyz="1 0 0"/>
      <limit lower="-0.1" upper="0.5" effort="50" velocity="1"/><dynamics friction="3"/></joint></robot>)";
  RobotOptions options;
  options.limits = options.friction = true;
  UrdfImport import = import_urdf_text(xml, "p.urdf", options);
  for (const std::string& note : import.notes) EXPECT_EQ(note.find("friction"), std::string::npos) << note;
  merge(import.model,
        read_yaml_text(R"(bodies: {wheel: {angular_velocity: [0, 0, 1]}, slider: {velocity: [-1, 0, 0]}}
simulation: {duration: 1}
output: {step: 1 ms, signals: [axle.angle, axle.angle_rate, rail.displacement, rail.displacement_rate]}
)",
                       "more.yaml"));
  for (const char* method : {"method=smooth", "method=moreau", "method=event-driven"}) {
    std::vector<std::string> settings = {std::string("simulation.") + method};
    const bool steps = settings[0].ends_with("moreau");
    settings.push_back(steps ? "simulation.step=20 us" : "simulation.tolerance=1e-9");
    const testing::Recording r =
        testing::run(*testing::model_of(spec_from_text(to_yaml(import.model), "p.yaml", settings)));
    // ω²/2 = (0.5/0.3) θ; v² = 1 − 2 · 1.5 · 0.1 at the end, then a tenth of that on the way back.
    EXPECT_NEAR(r.last("axle.angle"), 0.3, 1e-4) << method;
    EXPECT_NEAR(r.last("axle.angle_rate"), 0, 1e-9) << method;
    const double from_end = r.last("rail.displacement") + 0.1;
    if (settings[0].ends_with("smooth")) {
      // Hunt and Crossley's law asked for 0.1 realises e with h (1 + e) = ln((1 + h)/(1 − h e)), h = 1.35: 0.515, less what friction takes
      // while it is pressed.
      EXPECT_GT(from_end, 0);
      EXPECT_LT(from_end, 0.515 * 0.515 * (1 - 0.3) / 3);
    } else {
      EXPECT_NEAR(from_end, 0.01 * (1 - 0.3) / 3, 1e-4) << method;
    }
  }
}

TEST(Urdf, MacrosAreRefused) {
  EXPECT_THAT(fault_of(R"(<robot xmlns:xacro="http://ros.org/wiki/xacro" name="p"><link name="a"/>
    <xacro:macro name="leg" params="side"><link name="leg"/></xacro:macro></robot>)"),
              HasSubstr("this is xacro"));
  // Made from macros, but none left: a URDF like any other.
  EXPECT_EQ(
      fault_of(
          R"(<robot xmlns:xacro="http://ros.org/wiki/xacro" name="p"><!-- <xacro:leg/> --><link name="a"/></robot>)"),
      "none");
}

// A description for the eye only: filled with water where that is asked for, its base on the ground.
TEST(Urdf, WithoutAnyMassShapesAreFilledWithWater) {
  const std::string xml =
      R"(<robot name="p"><link name="base"><visual><geometry><box size="1 1 1"/></geometry></visual></link>
    <link name="arm"><visual><geometry><box size="9 9 9"/></geometry></visual>
      <collision><origin xyz="0 0 0.5"/><geometry><box size="0.1 0.2 1"/></geometry></collision></link>
    <link name="tip"><visual><geometry><capsule radius="0.1" length="0.3"/></geometry></visual></link>
    <joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint>
    <joint name="k" type="continuous"><origin xyz="0 0 1"/><parent link="arm"/><child link="tip"/><axis xyz="0 1 0"/></joint></robot>)";
  EXPECT_TRUE(import_urdf_text(xml, "p.urdf").model.find("bodies")->map.empty());
  const UrdfImport import = import_urdf_text(xml, "p.urdf", {.repair = true});
  EXPECT_THAT(import.notes, Contains(HasSubstr("no link has mass: shapes are taken as filled with water, "
                                               "arm (20 kg) and tip (13.61 kg)")));
  const Spec spec = spec_of(import);
  ASSERT_EQ(spec.bodies.size(), 2u);
  EXPECT_NEAR(spec.bodies[0].number("mass"), 20, 1e-12);
  Diagnostics diagnostics;
  const auto model = compile(spec, diagnostics);
  ASSERT_TRUE(model);
  EXPECT_NEAR(model->mechanism.bodies[0].inertia(0, 0), 20.0 / 12 * (0.04 + 1), 1e-12);
}

// --- Forward kinematics by a program of our own

/// A joint of a random tree, and its child's centre of mass.
struct RandomJoint {
  int parent;
  const char* type;
  Vec3 xyz, rpy, axis, centre;
  double mass, multiplier = 0, offset = 0;  ///< a multiplier: mimics the first joint of its type
};

/// Fixed-axis roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll).
Mat3 from_rpy(const Vec3& a) {
  const auto turn = [](double angle, int axis) {
    Mat3 R = Mat3::Identity();
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    R(i, i) = R(j, j) = std::cos(angle);
    R(j, i) = std::sin(angle);
    R(i, j) = -R(j, i);
    return R;
  };
  return turn(a[2], 2) * turn(a[1], 1) * turn(a[0], 0);
}

/// Rodrigues' formula.
Mat3 about(const Vec3& axis, double angle) {
  const Vec3 n = axis / axis.norm();
  Mat3 cross;
  cross << 0, -n.z(), n.y(), n.z(), 0, -n.x(), -n.y(), n.x(), 0;
  return Mat3::Identity() + std::sin(angle) * cross + (1 - std::cos(angle)) * cross * cross;
}

class RandomRobot {
 public:
  explicit RandomRobot(unsigned seed) : random_(seed) {
    for (int n = 0; n < 14; ++n) {
      RandomJoint j;
      j.parent = n == 0 ? 0 : static_cast<int>((0.5 + 0.5 * random_.number()) * n);
      j.type = n % 4 == 3 ? "fixed" : n % 3 == 2 ? "prismatic" : n % 2 ? "revolute" : "continuous";
      j.xyz = random_.vector();
      j.rpy = 3 * random_.vector();
      j.axis = n % 5 == 1 ? Vec3(Vec3::Unit(n % 3)) : random_.vector();
      j.centre = random_.vector();
      j.mass = n % 8 == 3 ? 0 : 1 + n;
      if (n == 5 || n == 9) j.multiplier = -1.5, j.offset = 0.4;
      joints.push_back(j);
    }
  }

  std::string urdf() const {
    const auto vector = [](const Vec3& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); };
    std::string out = R"(<robot name="random"><link name="l0"><inertial><mass value="9"/>)"
                      R"(<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>)";
    for (std::size_t n = 0; n < joints.size(); ++n) {
      const RandomJoint& j = joints[n];
      out += fmt::format("<link name=\"l{}\">", n + 1);
      if (j.mass > 0)
        out += fmt::format(R"(<inertial><origin xyz="{}"/><mass value="{}"/>)"
                           R"(<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>)",
                           vector(j.centre), j.mass);
      out += fmt::format(
          R"(</link><joint name="j{}" type="{}"><origin xyz="{}" rpy="{}"/><parent link="l{}"/>)"
          R"(<child link="l{}"/><axis xyz="{}"/><limit lower="-3" upper="3" effort="1" velocity="1"/>)",
          n, j.type, vector(j.xyz), vector(j.rpy), j.parent, n + 1, vector(j.axis));
      if (j.multiplier != 0)
        out += fmt::format(R"(<mimic joint="j{}" multiplier="{}" offset="{}"/>)", followed(n), j.multiplier,
                           j.offset);
      out += "</joint>";
    }
    return out + "</robot>";
  }

  int followed(std::size_t n) const {
    for (std::size_t k = 0; k < n; ++k)
      if (std::string(joints[k].type) != "fixed") return static_cast<int>(k);
    return 0;
  }

  /// Random coordinates that respect what mimics.
  std::vector<double> coordinates() {
    std::vector<double> q;
    for (std::size_t n = 0; n < joints.size(); ++n)
      q.push_back(joints[n].multiplier != 0 ? joints[n].multiplier * q[followed(n)] + joints[n].offset
                                            : 1.5 * random_.number());
    return q;
  }

  /// Where each link is.
  std::vector<Eigen::Isometry3d> poses(const std::vector<double>& q) const {
    std::vector<Eigen::Isometry3d> out = {Eigen::Isometry3d::Identity()};
    for (std::size_t n = 0; n < joints.size(); ++n) {
      const RandomJoint& j = joints[n];
      const Mat3 R = from_rpy(j.rpy);
      Eigen::Isometry3d place = Eigen::Isometry3d::Identity();
      const std::string type = j.type;
      place.linear() = type == "revolute" || type == "continuous" ? Mat3(R * about(j.axis, q[n])) : R;
      place.translation() = type == "prismatic" ? Vec3(j.xyz + R * j.axis / j.axis.norm() * q[n]) : j.xyz;
      out.push_back(out[j.parent] * place);
    }
    return out;
  }

  std::vector<RandomJoint> joints;

 private:
  testing::RandomPoses random_;
};

// At random coordinates the bodies are put where our own program has the links: then every joint must hold, and its own
// coordinate must be the URDF's.
TEST(UrdfKinematics, CoordinatesAreThoseOfTheDescription) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    RandomRobot robot(seed);
    const UrdfImport import = import_urdf_text(robot.urdf(), "random.urdf");
    Diagnostics diagnostics;
    const auto model = compile(spec_of(import), diagnostics);
    ASSERT_TRUE(model);
    const Mechanism& m = model->mechanism;
    const std::vector<Eigen::Isometry3d> start = robot.poses([&] {
      std::vector<double> q(robot.joints.size(), 0.0);
      for (std::size_t n = 0; n < q.size(); ++n)
        if (robot.joints[n].multiplier != 0) q[n] = robot.joints[n].offset;
      return q;
    }());
    for (int trial = 0; trial < 5; ++trial) {
      const std::vector<double> coordinates = robot.coordinates();
      const std::vector<Eigen::Isometry3d> poses = robot.poses(coordinates);
      std::vector<double> q, u(m.u_size(), 0.0), z(m.aux_size, 0.0);
      for (int b = 0; b < m.body_count(); ++b) {
        // What is fixed to a link goes with it: the body stands in the model where it stands at the start.
        const int link = std::stoi(m.bodies[b].name.substr(1));
        Eigen::Isometry3d body = Eigen::Isometry3d::Identity();
        const double* q0 = model->q0.data() + 7 * b;
        body.translation() = Vec3(q0[0], q0[1], q0[2]);
        body.linear() = Eigen::Quaterniond(q0[3], q0[4], q0[5], q0[6]).toRotationMatrix();
        body = poses[link] * start[link].inverse() * body;
        const Eigen::Quaterniond e(body.linear());
        for (const double x : {body.translation().x(), body.translation().y(), body.translation().z(), e.w(),
                               e.x(), e.y(), e.z()})
          q.push_back(x);
      }
      Kinematics k;
      resize(k, m.dimension, m.body_count());
      update_kinematics(k, 0, q.data(), u.data(), z.data());
      std::vector<const Constraint*> constraints;
      for (std::size_t j = 0; j < m.joints.size(); ++j) {
        const Joint& joint = m.joints[j];
        if (!joint.angle && !joint.displacement) continue;  // a coupling
        constraints.push_back(joint.constraint.get());
        const double expected = coordinates[std::stoi(m.joint_names[j].substr(1))];
        const double got = (joint.angle ? joint.angle : joint.displacement)->evaluate(k).value;
        EXPECT_NEAR(std::remainder(got - expected, joint.angle ? 2 * std::numbers::pi : HUGE_VAL), 0, 1e-12)
            << "seed " << seed << ' ' << m.joint_names[j];
      }
      ASSERT_GT(constraints.size(), 8u);
      ConstraintSystem system(m.dimension, m.body_count(), constraints);
      system.evaluate(k);
      for (const double phi : system.phi()) EXPECT_NEAR(phi, 0, 1e-12) << "seed " << seed;
    }
  }
}

// Driven by motions written in the URDF's angles, an arm with turned origins goes where our own program says.
TEST(UrdfKinematics, MotionsAreWrittenInTheAnglesOfTheDescription) {
  RandomRobot robot(3);
  robot.joints.resize(3);
  for (RandomJoint& j : robot.joints)
    j.type = "revolute", j.parent = static_cast<int>(&j - robot.joints.data());
  std::string xml = robot.urdf();
  UrdfImport import = import_urdf_text(xml, "arm.urdf");
  merge(import.model, read_yaml_text(R"(gravity: [0, 0, 0]
motions:
  a: {joint: j0, angle: 0.6*t}
  b: {joint: j1, angle: -1.1*t}
  c: {joint: j2, angle: 0.9*t}
  hold: {body: l0, position: [0, 0, 0]}
simulation: {duration: 1, tolerance: 1e-11, method: smooth}
output: {step: 0.5}
)",
                                     "more.yaml"));
  const testing::Recording r = testing::run(*testing::model_of(spec_of(import)));
  const std::vector<Eigen::Isometry3d> at_end = robot.poses({0.6, -1.1, 0.9});
  // The base is free to turn, so that distances between points of the links are compared.
  const auto centre = [&](int link) { return Vec3(at_end[link] * robot.joints[link - 1].centre); };
  const auto simulated = [&](int link) {
    const std::string n = fmt::format("l{}.", link);
    return Vec3(r.last(n + "x"), r.last(n + "y"), r.last(n + "z"));
  };
  EXPECT_NEAR((simulated(3) - simulated(1)).norm(), (centre(3) - centre(1)).norm(), 1e-8);
  EXPECT_NEAR((simulated(2) - simulated(1)).norm(), (centre(2) - centre(1)).norm(), 1e-8);
  EXPECT_NEAR(r.last("j1.angle"), -1.1, 1e-8);
}

// A quadruped of boxes and balls whose origins are turned, with a massless footprint, a sensor without inertia and dampers
// in its knees: held by motions it stands on a floor under every method, and the floor carries its weight.
TEST(UrdfRobots, StandOnAFloor) {
  std::string xml =
      R"(<robot name="dog"><link name="footprint"/><link name="trunk"><inertial><mass value="4"/>
    <inertia ixx="0.05" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="f" type="fixed"><origin xyz="0 0 0.24"/><parent link="footprint"/><child link="trunk"/></joint>
    <link name="imu"><inertial><mass value="0.01"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="s" type="fixed"><origin xyz="0.1 0 0"/><parent link="trunk"/><child link="imu"/></joint>)";
  std::string motions;
  for (int leg = 0; leg < 4; ++leg) {
    xml += fmt::format(R"(<link name="leg{0}"><inertial><origin xyz="0 0.15 0"/><mass value="0.5"/>
      <inertia ixx="0.005" iyy="0.001" izz="0.005" ixy="0" ixz="0" iyz="0"/></inertial>
      <collision><origin xyz="0 0.28 0"/><geometry><sphere radius="0.02"/></geometry></collision></link>
      <joint name="hip{0}" type="revolute"><origin xyz="{1} {2} 0" rpy="-1.5707963267948966 {3} 0"/><parent link="trunk"/><child link="leg{0}"/>
      <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="10" velocity="5"/><dynamics damping="0.1"/></joint>)",
                       leg, leg < 2 ? 0.2 : -0.2, leg % 2 ? 0.1 : -0.1, leg < 2 ? -0.7 : 0.7);
    motions += fmt::format("  m{0}: {{joint: hip{0}, angle: 0}}\n", leg);
  }
  UrdfImport import = import_urdf_text(xml + "</robot>", "dog.urdf");
  merge(import.model,
        read_yaml_text("motions:\n" + motions +
                           R"(ground: {shapes: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}}
contacts: {feet: {between: [ground.floor, '*.*'], normal: {law: hunt-crossley, stiffness: 1e5, exponent: 1, restitution: 0.1}, friction: {law: ambrosio, coefficient: 0.8, v0: 1 mm/s, v1: 10 mm/s}}}
simulation: {duration: 1.5}
output: {step: 0.1, signals: ["*.z", "*.normal", "*.angle"]}
)",
                       "more.yaml"));
  const double weight = (4 + 0.01 + 4 * 0.5) * 9.81;
  for (const char* method :
       {"simulation.method=smooth", "simulation.method=moreau", "simulation.method=event-driven"}) {
    std::vector<std::string> settings = {method};
    if (std::string(method).ends_with("moreau")) settings.push_back("simulation.step=1 ms");
    const testing::Recording r =
        testing::run(*testing::model_of(spec_from_text(to_yaml(import.model), "dog.yaml", settings)));
    double carried = 0;
    for (const std::string& name : r.names)
      // The totals of contacts; their places are told by further dots.
      if (name.ends_with(".normal") && std::count(name.begin(), name.end(), '.') == 1)
        carried += r.last(name);
    EXPECT_NEAR(carried, weight, 1e-3 * weight) << method;
    EXPECT_GT(r.last("trunk.z"), 0.2) << method;
    for (int leg = 0; leg < 4; ++leg) EXPECT_NEAR(r.last(fmt::format("hip{}.angle", leg)), 0, 1e-6) << method;
  }
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

/// A chain of links, each hanging on the one before it.
std::string chain(int links, const char* type) {
  std::string out = "<robot name=\"chain\">";
  for (int k = 0; k < links; ++k) {
    out += fmt::format(
        "<link name=\"l{}\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" "
        "ixz=\"0\" iyz=\"0\"/></inertial></link>",
        k);
    if (k > 0)
      out += fmt::format(
          "<joint name=\"j{0}\" type=\"{2}\"><parent link=\"l{1}\"/><child link=\"l{0}\"/><axis xyz=\"0 0 "
          "1\"/></joint>",
          k, k - 1, type);
  }
  return out + "</robot>";
}

// Recursions as deep as the chain would leave the stack.
TEST(Urdf, ChainsMayBeLong) {
  EXPECT_EQ(import_urdf_text(chain(20'000, "continuous"), "chain.urdf").model.find("bodies")->map.size(),
            20'000u);
  EXPECT_EQ(import_urdf_text(chain(20'000, "fixed"), "chain.urdf").model.find("bodies")->map.size(), 1u);
  EXPECT_THAT(
      [] { import_urdf_text(chain(50'001, "fixed"), "chain.urdf"); },
      ::testing::ThrowsMessage<InputError>(HasSubstr("the robot has 50001 links; at most 50000 are read")));
}

}  // namespace
}  // namespace tappet::urdf_test
