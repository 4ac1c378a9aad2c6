#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/random_poses.hpp"
#include "support/run_model.hpp"
#include "tappet/imports/importer.hpp"
#include "tappet/imports/merge.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/multibody/constraint_system.hpp"
#include "tappet/multibody/kinematics.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::mjcf_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

ImportedModel import_text(const std::string& xml, const RobotOptions& options = {}) {
  return ImporterRegistry::instance().find("mujoco")->import(xml, "robot.xml", options);
}

std::string fault_of(const std::string& xml) {
  try {
    import_text(xml);
  } catch (const InputError& fault) {
    return fault.what();
  }
  return "none";
}

std::shared_ptr<const Model> model_of(const ImportedModel& import, const char* more = "") {
  Value model = import.model;
  if (*more) merge(model, read_yaml_text(more, "more.yaml"));
  Diagnostics diagnostics;
  auto out = compile(spec_from_text(to_yaml(model), "robot.yaml"), diagnostics);
  diagnostics.throw_if_errors();
  return out;
}

int body_called(const Mechanism& m, const std::string& name) {
  for (int b = 0; b < m.body_count(); ++b)
    if (m.bodies[b].name == name) return b;
  return -1;
}

std::string arm(const std::string& geom, const std::string& compiler = "") {
  return "<mujoco><compiler angle='radian' " + compiler +
         "/><worldbody><body name='a' pos='0 0 1'><joint name='j' axis='0 1 0'/>" + geom +
         "</body></worldbody></mujoco>";
}

// Volumes and moments of all solids, density 1000, half sizes.
TEST(Mjcf, GeomsHaveTheirMass) {
  constexpr double pi = std::numbers::pi;
  struct Case {
    const char* geom;
    double mass, xx, zz;
  };
  const double ball = 4000.0 / 3 * pi * 1e-3, tube = 1000 * pi * 0.01 * 0.4;
  for (const Case& c :
       {Case{"<geom size='0.1'/>", ball, 0.4 * ball * 0.01, 0.4 * ball * 0.01},
        Case{"<geom type='box' size='0.1 0.2 0.3'/>", 48, 16 * 0.13, 16 * 0.05},
        Case{"<geom type='ellipsoid' size='0.1 0.2 0.3' mass='5'/>", 5, 0.13, 0.05},
        Case{"<geom type='cylinder' size='0.1 0.2'/>", tube, tube * (0.03 + 0.16) / 12, tube * 0.005},
        Case{"<geom type='capsule' fromto='0 0 -0.2 0 0 0.2' size='0.1'/>", tube + ball,
             tube * 0.19 / 12 + ball * (0.4 * 0.01 + 0.04 + 3.0 / 8 * 0.4 * 0.1),
             tube * 0.005 + ball * 0.004}}) {
    const auto model = model_of(import_text(arm(c.geom)));
    const auto& body = model->mechanism.bodies[0];
    EXPECT_NEAR(body.mass, c.mass, 1e-12 * c.mass) << c.geom;
    EXPECT_NEAR(body.inertia(0, 0), c.xx, 1e-12 * c.xx) << c.geom;
    EXPECT_NEAR(body.inertia(2, 2), c.zz, 1e-12 * c.zz) << c.geom;
  }
}

// Classes of defaults, one inside another, with what bodies and elements choose.
TEST(Mjcf, DefaultsAreInherited) {
  const auto model = model_of(import_text(
      R"(<mujoco><default><geom density='500'/><default class='heavy'><geom density='2000' size='0.1'/>
    <default class='big'><geom size='0.2'/></default></default></default><worldbody>
    <body name='a' childclass='heavy'><freejoint/><geom/></body><body name='b' childclass='heavy'><freejoint/><geom class='big'/></body>
    <body name='c'><freejoint/><geom size='0.1'/></body></worldbody></mujoco>)"));
  const double ball = 4.0 / 3 * std::numbers::pi * 1e-3;
  EXPECT_NEAR(model->mechanism.bodies[0].mass, 2000 * ball, 1e-12);
  EXPECT_NEAR(model->mechanism.bodies[1].mass, 16000 * ball, 1e-12);
  EXPECT_NEAR(model->mechanism.bodies[2].mass, 500 * ball, 1e-12);
}

TEST(Mjcf, BodiesWithoutJointsArePartOfOthers) {
  const auto model = model_of(import_text(
      R"(<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='table' pos='0 0 1'><geom type='box' size='1 1 .1'/>
    <body name='a' pos='1 0 0'><joint type='hinge'/><geom size='0.1' mass='1'/><body name='tool' pos='2 0 0'><geom size='0.1' mass='3'/></body></body></body></worldbody></mujoco>)"));
  const Mechanism& m = model->mechanism;
  ASSERT_EQ(m.body_count(), 1);
  EXPECT_NEAR(m.bodies[0].mass, 4, 1e-12);
  EXPECT_NEAR(model->q0[0], 1 + 1.5, 1e-12);  // its centre
  EXPECT_NEAR(m.bodies[0].inertia(2, 2), 4 * 0.4 * 0.01 + 0.75 * 4, 1e-12);
}

// An input is a motor's torque times its gear, and a servo goes to its angle: k (u − x) = m g l sin x at rest.
TEST(Mjcf, ActuatorsAreInputs) {
  const ImportedModel import = import_text(
      R"(<mujoco><compiler angle='radian'/><worldbody><body name='a' pos='0 0 1'><joint name='j' axis='0 1 0' damping='2'/>
    <inertial pos='0 0 -0.5' mass='2' diaginertia='0.1 0.1 0.1'/></body></worldbody>
    <actuator><position name='servo' joint='j' kp='40'/><motor name='push' joint='j' gear='3'/><muscle joint='j'/></actuator></mujoco>)");
  EXPECT_THAT(import.notes, Contains(HasSubstr("<muscle> actuators")));
  const auto model = model_of(
      import,
      "inputs: {servo: {default: 0.5}, push: {default: 1}}\nsimulation: {duration: 10, tolerance: 1e-9}\n"
      "output: {step: 1, signals: [j.angle]}");
  const double x = testing::run(*model).last("j.angle");
  EXPECT_NEAR(40 * (0.5 - x) + 3, 2 * 9.81 * 0.5 * std::sin(x), 1e-4);
}

// Names that expressions have already are not those of inputs, and limits are those that the file gives.
TEST(Mjcf, ActuatorsMayBeCalledAsVariables) {
  const ImportedModel import = import_text(
      R"(<mujoco><compiler angle='radian'/><worldbody><body name='a'><joint name='j' axis='0 1 0' range='-1 2'/>
    <inertial pos='0 0 -0.5' mass='2' diaginertia='0.1 0.1 0.1'/></body></worldbody>
    <actuator><velocity name='v' joint='j' kv='40'/><motor name='x' joint='j'/></actuator></mujoco>)");
  EXPECT_THAT(import.notes, Contains(HasSubstr("actuator 'v' is the input 'v_input' of the model")));
  EXPECT_THAT(import.notes, Contains(HasSubstr("its limits (-1 to 2 rad) are not part of the model")));
  const auto model =
      model_of(import,
               "inputs: {v_input: {default: 0.5}}\nsimulation: {duration: 10, tolerance: 1e-9}\n"
               "gravity: [0, 0, 0]\noutput: {step: 1, signals: [j.angle_rate]}");
  EXPECT_NEAR(testing::run(*model).last("j.angle_rate"), 0.5, 1e-6);
}

// What an equality of joints says, with its offset at the start.
TEST(Mjcf, JointsFollowOthers) {
  const auto model = model_of(import_text(R"(<mujoco><compiler angle='radian'/><worldbody>
    <body name='a'><joint name='one' axis='0 1 0'/><geom type='box' size='.1 .1 .1'/></body>
    <body name='b' pos='0 1 0'><joint name='two' axis='0 1 0'/><geom type='box' size='.1 .1 .1'/></body></worldbody>
    <equality><joint joint1='two' joint2='one' polycoef='0.3 -2 0 0 0'/></equality></mujoco>)"),
                              "bodies: {a: {angular_velocity: [0, 1, 0]}}\nsimulation: {duration: 1, "
                              "tolerance: 1e-10}\ngravity: [0, 0, 0]\n"
                              "output: {step: 0.5, signals: [one.angle, two.angle]}");
  const testing::Recording r = testing::run(*model);
  EXPECT_NEAR(r.rows[0][r.column("two.angle")], 0.3, 1e-14);
  EXPECT_GT(std::abs(r.last("one.angle")), 0.1);
  EXPECT_NEAR(r.last("two.angle"), 0.3 - 2 * r.last("one.angle"), 1e-8);
}

TEST(Mjcf, FaultsAreSentencesWithTheirLine) {
  EXPECT_THAT(fault_of("<mujoco"), HasSubstr("this is no MJCF that can be read"));
  EXPECT_THAT(fault_of("<mujoco>\n<worldbody>\n<body><joint type='screw'/></body></worldbody></mujoco>"),
              HasSubstr("robot.xml:3: error: joint 'body_1_joint' is of type 'screw'; hinge, slide, ball and "
                        "free are known"));
  EXPECT_THAT(fault_of(arm("\n<geom size='big'/>")),
              HasSubstr("robot.xml:2: error: <geom>: size is 'big', which is no number"));
  EXPECT_THAT(fault_of(arm("<geom type='box' size='1'/>")), HasSubstr("a box needs 3 sizes"));
  EXPECT_THAT(fault_of(arm("<geom mesh='none'/>")), HasSubstr("there is no mesh 'none'"));
  EXPECT_THAT(fault_of(arm("<geom class='none' size='1'/>")),
              HasSubstr("there is no class of defaults called 'none'"));
  EXPECT_THAT(fault_of(arm("")), HasSubstr("body 'a' can move but has no mass"));
  // As of all robots: put right, with a warning.
  EXPECT_THAT(import_text(arm("<inertial pos='0 0 0' mass='1' diaginertia='1 1 5'/>")).warnings.at(0),
              HasSubstr("none may exceed the sum of the other two"));
  EXPECT_THAT(fault_of(arm("<replicate count='3'/>")), HasSubstr("<replicate> is not read"));
  EXPECT_THAT(fault_of(arm("<geom size='1'/>", "coordinate='global'")), HasSubstr("coordinate"));
  EXPECT_THAT(fault_of("<mujoco><include file='none.xml'/></mujoco>"),
              HasSubstr("none.xml: error: does not exist"));
}

// Twenty files that each include the next one twice would be a million.
TEST(Mjcf, AFileIsIncludedOnce) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "mjcf_include_once";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "a.xml") << "<mujoco><worldbody/></mujoco>";
  const auto fault = [&](const std::string& xml) {
    try {
      ImporterRegistry::instance().find("mujoco")->import(xml, (folder / "robot.xml").string(), {});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(fault("<mujoco><include file='a.xml'/></mujoco>"), "none");
  EXPECT_THAT(fault("<mujoco><include file='a.xml'/>\n<include file='./a.xml'/></mujoco>"),
              HasSubstr("robot.xml:2: error: the file '" + (folder / "a.xml").string() +
                        "' is included a second time"));
  std::filesystem::remove_all(folder);
}

// Classes of defaults know where they come from. Copies of all that is above would take gigabytes here.
TEST(Mjcf, ManyClassesOfDefaultsTakeNoMoreThanTheirText) {
  std::string xml = "<mujoco><default><geom";
  for (int i = 0; i < 3000; ++i) xml += fmt::format(" x{}='1'", i);
  xml += "/>";
  for (int i = 0; i < 10'000; ++i) xml += fmt::format("<default class='c{}'/>", i);
  xml += "</default><worldbody><geom class='c77' type='sphere' size='1'/></worldbody></mujoco>";
  import_text(xml);  // 3,000 × 10,000 entries were three gigabytes
}

// A file cut anywhere is read or refused.
TEST(Mjcf, DamagedFilesAreReadOrRefused) {
  const std::string whole =
      arm("<geom type='capsule' fromto='0 0 0 0 0 1' size='0.1' euler='1 2 3'/><body><joint "
          "type='ball'/><geom size='1'/></body>");
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char put : {'\0', '9', '-', '<', ' '}) {
      std::string damaged = whole;
      damaged[at] = put;
      try {
        import_text(damaged);
      } catch (const InputError& fault) {
        EXPECT_FALSE(fault.diagnostics().empty());
        ++refused;
      }
    }
  EXPECT_GT(refused, 100);
}

// --- Forward kinematics by a program of our own

struct RandomJoint {
  int parent;
  bool slides;
  Vec3 pos, euler, anchor, axis, centre;
  double ref;
};

Mat3 about(const Vec3& axis, double angle) {
  const Vec3 n = axis / axis.norm();
  Mat3 cross;
  cross << 0, -n.z(), n.y(), n.z(), 0, -n.x(), -n.y(), n.x(), 0;
  return Mat3::Identity() + std::sin(angle) * cross + (1 - std::cos(angle)) * cross * cross;
}

// At random coordinates the bodies are put where our own program has them; every joint then holds, and its coordinate is the file's. Euler
// angles in the order z (turning along), X and Y (fixed); joints beside their body's origin and with references.
TEST(MjcfKinematics, CoordinatesAreThoseOfTheFile) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    testing::RandomPoses random(seed);
    std::vector<RandomJoint> joints;
    for (int n = 0; n < 10; ++n)
      joints.push_back({n == 0 ? -1 : n - 1, n % 3 == 2, random.vector(), 3 * random.vector(),
                        random.vector(), random.vector(), random.vector(), random.number()});
    const auto text = [](const Vec3& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); };
    std::string xml = "<mujoco><compiler angle='radian' eulerseq='zXY'/><worldbody>";
    for (std::size_t n = 0; n < joints.size(); ++n) {
      const RandomJoint& j = joints[n];
      xml += fmt::format(
          "<body name='b{}' pos='{}' euler='{}'><joint name='j{}' type='{}' pos='{}' axis='{}' ref='{}'/>"
          "<inertial pos='{}' mass='1' diaginertia='1 1 1'/>",
          n, text(j.pos), text(j.euler), n, j.slides ? "slide" : "hinge", text(j.anchor), text(j.axis), j.ref,
          text(j.centre));
    }
    for (std::size_t n = 0; n < joints.size(); ++n) xml += "</body>";
    const auto model = model_of(import_text(xml + "</worldbody></mujoco>"));
    const Mechanism& m = model->mechanism;
    ASSERT_EQ(m.body_count(), 10);
    const auto poses = [&](const std::vector<double>& q) {
      std::vector<Eigen::Isometry3d> out;
      for (std::size_t n = 0; n < joints.size(); ++n) {
        const RandomJoint& j = joints[n];
        Eigen::Isometry3d place = Eigen::Isometry3d::Identity();
        place.translation() = j.pos;
        place.linear() = about(Vec3::UnitY(), j.euler[2]) * about(Vec3::UnitX(), j.euler[1]) *
                         about(Vec3::UnitZ(), j.euler[0]);
        Eigen::Isometry3d move = Eigen::Isometry3d::Identity();
        if (j.slides) {
          move.translation() = (q[n] - j.ref) * j.axis / j.axis.norm();
        } else {
          move.linear() = about(j.axis, q[n] - j.ref);
          move.translation() = j.anchor - move.linear() * j.anchor;
        }
        out.push_back((n ? out.back() : Eigen::Isometry3d::Identity()) * place * move);
      }
      return out;
    };
    for (int trial = 0; trial < 5; ++trial) {
      std::vector<double> coordinates;
      for (std::size_t n = 0; n < joints.size(); ++n) coordinates.push_back(1.5 * random.number());
      const auto at = poses(coordinates);
      std::vector<double> q, u(m.u_size(), 0.0), z(m.aux_size, 0.0);
      for (int b = 0; b < m.body_count(); ++b) {
        const int n = std::stoi(m.bodies[b].name.substr(1));
        const Vec3 r = at[n] * joints[n].centre;
        const Eigen::Quaterniond e(at[n].linear());
        q.insert(q.end(), {r.x(), r.y(), r.z(), e.w(), e.x(), e.y(), e.z()});
      }
      Kinematics k;
      resize(k, m.dimension, m.body_count());
      update_kinematics(k, 0, q.data(), u.data(), z.data());
      std::vector<const Constraint*> constraints;
      for (std::size_t j = 0; j < m.joints.size(); ++j) {
        const Joint& joint = m.joints[j];
        constraints.push_back(joint.constraint.get());
        const double got = (joint.angle ? joint.angle : joint.displacement)->evaluate(k).value;
        EXPECT_NEAR(std::remainder(got - coordinates[std::stoi(m.joint_names[j].substr(1))],
                                   joint.angle ? 2 * std::numbers::pi : HUGE_VAL),
                    0, 1e-12)
            << "seed " << seed;
      }
      ConstraintSystem system(m.dimension, m.body_count(), constraints);
      system.evaluate(k);
      for (const double phi : system.phi()) EXPECT_NEAR(phi, 0, 1e-12) << "seed " << seed;
    }
  }
}

// A cart and pendulum on one body's two joints: the body in between is a thousandth of it, and nothing is lost.
TEST(Mjcf, SeveralJointsOfABody) {
  const ImportedModel import = import_text(
      R"(<mujoco><worldbody><body name='a' pos='0 0 1'><joint name='x' type='slide' axis='1 0 0'/><joint name='y' type='hinge' axis='0 1 0'/>
    <inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/></body></worldbody></mujoco>)");
  const auto model = model_of(import);
  ASSERT_EQ(model->mechanism.body_count(), 2);
  const int a = body_called(model->mechanism, "a"), between = body_called(model->mechanism, "x_link");
  ASSERT_GE(between, 0);
  EXPECT_NEAR(model->mechanism.bodies[between].mass, 0.002, 1e-15);
  EXPECT_NEAR(model->mechanism.bodies[a].mass, 1.998, 1e-12);
  EXPECT_THAT(import.notes,
              Contains(HasSubstr("has 2 joints: bodies of a thousandth of it stand between them")));
}

}  // namespace
}  // namespace tappet::mjcf_test
