#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tappet/imports/importer.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/multibody/kinematics.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::sdf_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

ImportedModel import_text(const std::string& xml) {
  return ImporterRegistry::instance().find("sdf")->import(xml, "robot.sdf", {});
}
std::string fault_of(const std::string& xml) {
  try {
    import_text(xml);
  } catch (const InputError& fault) {
    return fault.what();
  }
  return "none";
}
std::shared_ptr<const Model> model_of(const ImportedModel& import) {
  Diagnostics diagnostics;
  auto out = compile(spec_from_text(to_yaml(import.model), "robot.yaml"), diagnostics);
  diagnostics.throw_if_errors();
  return out;
}

std::string model(const std::string& content, const char* version = "1.9") {
  return std::string("<sdf version='") + version + "'>\n<model name='m'>" + content + "</model></sdf>";
}
std::string link(const std::string& name, const std::string& pose = "0 0 0 0 0 0",
                 const std::string& more = "") {
  return "<link name='" + name + "'><pose " + more + ">" + pose +
         "</pose><inertial><pose>0.1 0 0 0 0 "
         "0</pose><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>";
}

// Where a link, a frame and a joint stand: relative to the model, to each other, turned by roll, pitch and yaw.
TEST(Sdf, PosesAreRelativeToWhatTheyName) {
  const auto made = model_of(
      import_text(model("<pose>0 0 5 0 0 0</pose><frame name='f' attached_to='a'><pose>1 0 0 0 0 "
                        "1.5707963267948966</pose></frame>" +
                        link("a", "0 2 0 0 0 0") + link("b", "3 0 0 0 0 0", "relative_to='f'") +
                        "<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz "
                        "expressed_in='__model__'>0 1 0</xyz></axis></joint>")));
  // b: f is at (1, 2, 5) and turned by 90° about z, so that its x is the world's y; the centre of mass is 0.1 further.
  EXPECT_NEAR(made->q0[7], 1, 1e-12);
  EXPECT_NEAR(made->q0[8], 2 + 3 + 0.1, 1e-12);
  EXPECT_NEAR(made->q0[9], 5, 1e-12);
  Kinematics k;
  const Mechanism& m = made->mechanism;
  resize(k, m.dimension, m.body_count());
  std::vector<double> u(m.u_size(), 0.0), z(m.aux_size, 0.0);
  update_kinematics(k, 0, made->q0.data(), u.data(), z.data());
  EXPECT_NEAR(m.joints[0].angle->evaluate(k).value, 0, 1e-14);
}

TEST(Sdf, WhatIsFixedIsOneBodyAndTheWorldIsTheGround) {
  const auto made = model_of(
      import_text(model(link("base") + link("a", "1 0 0 0 0 0") + link("b", "2 0 0 0 0 0") +
                        "<joint name='w' type='fixed'><parent>world</parent><child>base</child></joint>"
                        "<joint name='g' type='fixed'><parent>a</parent><child>b</child></joint>"
                        "<joint name='j' type='prismatic'><parent>base</parent><child>a</child><axis><xyz>1 "
                        "0 0</xyz></axis></joint>")));
  ASSERT_EQ(made->mechanism.body_count(), 1);
  EXPECT_NEAR(made->mechanism.bodies[0].mass, 4, 1e-12);
  EXPECT_NEAR(made->q0[0], 1.6, 1e-12);
  EXPECT_NEAR(made->mechanism.bodies[0].inertia(1, 1), 2 + 4 * 0.25, 1e-12);
}

TEST(Sdf, FaultsAreSentencesWithTheirLine) {
  EXPECT_THAT(fault_of("<sdf"), HasSubstr("this is no SDF that can be read"));
  EXPECT_THAT(fault_of("<sdf version='1.9'/>"), HasSubstr("the file has no <model>"));
  EXPECT_THAT(fault_of(model(link("a") + link("b") +
                             "\n<joint name='s' type='screw'><parent>a</parent><child>b</child></joint>")),
              HasSubstr("robot.sdf:3: error: joint 's' is of type 'screw', which is not read"));
  EXPECT_THAT(fault_of(model(link("a") +
                             "<joint name='s' type='ball'><parent>a</parent><child>none</child></joint>")),
              HasSubstr("'none'"));
  EXPECT_THAT(fault_of(model(link("a", "0 0"))), HasSubstr("<pose> has 2 numbers and needs 6"));
  EXPECT_THAT(fault_of(model("<include><uri>model://x</uri></include>")), HasSubstr("<include> is not read"));
  EXPECT_THAT(fault_of(model(link("a", "0 0 0 0 0 0", "relative_to='b'") +
                             link("b", "0 0 0 0 0 0", "relative_to='a'"))),
              HasSubstr("is relative to itself"));
}

// A name may look as if it were another model's.
TEST(Sdf, NamesWithColonsAreNames) {
  const auto made = model_of(import_text(
      model(link("x::y", "1 0 0 0 0 0") +
            "<joint name='j' type='revolute'><parent>world</parent><child>x::y</child></joint>")));
  ASSERT_EQ(made->mechanism.body_count(), 1);
  EXPECT_NEAR(made->q0[0], 1.1, 1e-12);
  // What is held in a nested model is relative to that one's frames.
  const auto nested =
      model_of(import_text(model("<model name='inner'><pose>0 0 2 0 0 0</pose>" + link("a", "1 0 0 0 0 0") +
                                 link("b", "0 1 0 0 0 0", "relative_to='a'") + "</model>" +
                                 link("c", "0 0 0 0 0 0", "relative_to='inner::b'"))));
  EXPECT_NEAR(nested->q0[2 * 7 + 1], 1, 1e-12);
  EXPECT_NEAR(nested->q0[2 * 7 + 2], 2, 1e-12);
}

TEST(Sdf, DamagedFilesAreReadOrRefused) {
  const std::string whole =
      model(link("a") + link("b", "1 2 3 0 0 1") +
            "<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 "
            "1</xyz></axis></joint>");
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

}  // namespace
}  // namespace tappet::sdf_test
