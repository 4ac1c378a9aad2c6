#include "tappet/multibody/surface_contact.hpp"

#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/random_poses.hpp"
#include "support/run_model.hpp"
#include "tappet/model/signals.hpp"

namespace tappet::testing::surface_contact_test {
namespace {

using ::testing::HasSubstr;

std::string ball_model(const std::string& contact, const std::string& ball = "mass: 2, inertia: [1, 1, 1]") {
  return "tappet: 1\ndimension: spatial\ngravity: [0, 0, -10]\nbodies:\n  ball: {" + ball +
         ", position: [0, 0, 1], shapes: {skin: {sphere: {radius: 0.1, position: [0.02, 0, 0]}}}}\n"
         "  twin: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 1], shapes: {skin: {sphere: {radius: "
         "0.1}}}}\n"
         "ground: {shapes: {floor: {plane: {point: [0, 0, 0.2], normal: [0, 0.1, 1]}}}}\n"
         "contacts:\n  bounce: {" +
         contact + "}\nsimulation: {duration: 1}\n";
}
const std::string law = "normal: {law: hertz, stiffness: 1e6}";

std::string fault(const std::string& text) {
  try {
    model_of_text(text);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(SurfaceContact, EngineIsAKeyOfTheContact) {
  const std::string between = "between: [ground.floor, ball.skin], ";
  EXPECT_EQ(fault(ball_model(between + "engine: polygon, mesh_tolerance: 0.1 mm, " + law)), "");
  EXPECT_THAT(fault(ball_model(between + "engine: poligon, " + law)), HasSubstr("polygon"));
  EXPECT_THAT(fault(ball_model(between + "engine: polygon, mesh_tolerance: 0, " + law)),
              HasSubstr("mesh_tolerance"));
  EXPECT_THAT(fault(ball_model(between + "engine: polygon, mesh_tolerance: 1e-12, " + law)),
              HasSubstr("contact 'bounce': `mesh_tolerance` of 1e-12 m is too small"));
  EXPECT_THAT(fault("tappet: 1\ndimension: planar\ngravity: [0, -10]\nbodies:\n  ball: {mass: 1, inertia: 1, "
                    "position: [0, 1], "
                    "shapes: {skin: {circle: {radius: 0.1}}}}\nground: {shapes: {floor: {plane: {point: [0, "
                    "0], normal: [0, 1]}}}}\n"
                    "contacts: {bounce: {between: [ground.floor, ball.skin], engine: polygon, " +
                    law + "}}\nsimulation: {duration: 1}\n"),
              HasSubstr("computes in space"));
}

TEST(SurfaceContact, RateIsTheDerivativeOfTheGap) {
  const auto model = model_of_text(ball_model("between: [ground.floor, ball.skin], " + law));
  const Mechanism& m = model->mechanism;
  ASSERT_EQ(m.contacts.size(), 1u);
  EXPECT_EQ(m.contacts[0]->name, "bounce");
  EXPECT_EQ(m.contacts[0]->bodies[0], m.ground());
  RandomPoses random(3);
  Kinematics k;
  resize(k, m.dimension, m.body_count());
  for (int n = 0; n < 20; ++n) {
    std::vector<double> q = random.positions(m);
    const std::vector<double> u = random.velocities(m);
    update_kinematics(k, 0, q.data(), u.data(), nullptr);
    const Touch here = m.contacts[0]->touch(k);
    std::vector<double> step = u;
    const double h = 1e-6;
    for (double& x : step) x *= h;
    displace(m.dimension, m.body_count(), q.data(), step.data());
    update_kinematics(k, 0, q.data(), u.data(), nullptr);
    EXPECT_NEAR((m.contacts[0]->touch(k).gap - here.gap) / h, here.rate, 1e-4);
    EXPECT_NEAR(here.slip.dot(here.normal), 0, 1e-12);
    EXPECT_NEAR(here.normal.norm(), 1, 1e-15);
  }
}

TEST(SurfaceContact, PatternsMakeEveryPairOnce) {
  const auto model = model_of_text(ball_model("between: ['ground.*', '*.skin'], " + law));
  std::vector<std::string> names;
  for (const auto& contact : model->mechanism.contacts) names.push_back(contact->name);
  EXPECT_THAT(names, ::testing::ElementsAre("bounce.ground-ball", "bounce.ground-twin"));
}

const char* const two_shapes = R"(tappet: 1
dimension: {}
gravity: {}
bodies:
  a: {{mass: 1, inertia: {}, position: {}, shapes: {}}}
  b: {{mass: 1, inertia: {}, position: {}, shapes: {}}}
ground: {{shapes: {}}}
contacts: {{hit: {{between: {}, normal: {{law: {}}}, friction: {{law: coulomb, coefficient: 0.3}}, {}}}}}
simulation: {{method: {}, duration: 0.01}}
output: {{step: 1 ms}}
)";

std::string two_shapes_model(bool planar, const std::string& between, const std::string& more,
                             const std::string& method) {
  const std::string law =
      method == "smooth" ? "hooke, stiffness: 1e5, damping: 100" : "newton, restitution: 0";
  return planar ? fmt::format(fmt::runtime(two_shapes), "planar", "[0, -10]", "1", "[0, 1]",
                              "{s: {circle: {radius: 1}}, t: {circle: {radius: 0.5, position: [3, 0]}}}", "1",
                              "[9, 1]", "{s: {circle: {radius: 1}}}",
                              "{floor: {plane: {point: [0, 0], normal: [0, 1]}}, wall: {plane: {point: [-9, "
                              "0], normal: [1, 0]}}}",
                              between, law, more, method)
                : fmt::format(fmt::runtime(two_shapes), "spatial", "[0, 0, -10]", "[1, 1, 1]", "[0, 0, 1]",
                              "{s: {sphere: {radius: 1}}, t: {box: {size: [1, 1, 1], position: [3, 0, 0]}}}",
                              "[1, 1, 1]", "[9, 0, 1]", "{s: {sphere: {radius: 1}}}",
                              "{floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}, wall: {plane: {point: "
                              "[-9, 0, 0], "
                              "normal: [1, 0, 0]}}}",
                              between, law, more, method);
}

// Two shapes of one body on one floor: every contact and every signal has a name of its own, which says the shapes.
TEST(SurfaceContact, NoTwoSignalsHaveOneName) {
  for (const bool planar : {true, false})
    for (const char* between : {"[ground.floor, 'a.*']", "['ground.*', 'a.*']", "['*.*', '*.*']"}) {
      const auto model = model_of_text(two_shapes_model(planar, between, "group: false", "smooth"));
      std::set<std::string> names;
      for (const SignalDefinition& signal : all_signals(*model))
        EXPECT_TRUE(names.insert(signal.name).second) << signal.name << " of " << between;
      const bool all = std::string(between).starts_with("['*");
      const std::string place = planar ? "" : ".1";  // a box has several
      EXPECT_TRUE(names.count(all ? "hit.a.t-ground.floor" + place + ".gap"
                                  : "hit.ground.floor-a.t" + place + ".gap"));
      EXPECT_TRUE(names.count(all ? "hit.a.s-ground.floor.gap" : "hit.ground.floor-a.s.gap"));
    }
}

// A pattern that takes in the ground's planes, which never meet each other, can be a group.
TEST(SurfaceContact, AGroupOfEverything) {
  for (const bool planar : {true, false})
    for (const char* method : {"moreau, step: 1 ms", "event-driven"}) {
      const Recording r = run_text(two_shapes_model(planar, "['*.*', '*.*']", "group: true", method));
      EXPECT_NEAR(r.last("b.vx"), 0, 1e-9);
      EXPECT_NEAR(r.last(planar ? "b.y" : "b.z"), 1, 1e-9) << method;  // stands
    }
}

TEST(SurfaceContact, StiffnessFollowsFromMaterialAndCurvature) {
  const std::string steel = "materials: {steel: {young: 207 GPa, poisson: 0.3}}\n";
  std::string text =
      ball_model("between: [ground.floor, ball.skin], materials: [steel, steel], normal: {law: hertz}");
  text.insert(text.find("bodies:"), steel);
  const auto model = model_of_text(text);
  // K = 4/(3·2σ) √R, σ = (1 − ν²)/E.
  const double K = 2.0 / 3 * 207e9 / (1 - 0.09) * std::sqrt(0.1);
  const NormalOutput out = model->mechanism.contacts[0]->normal_law->evaluate({.depth = 1e-5});
  EXPECT_NEAR(out.force, K * std::pow(1e-5, 1.5), 1e-10 * out.force);
}

TEST(SurfaceContact, FaultsSayWhatIsWrong) {
  EXPECT_THAT(
      fault(ball_model("between: [ground.flor, ball.skin], " + law)),
      HasSubstr("'ground.flor', which is no surface of this model (did you mean 'ground.floor'?); surfaces: "
                "ball.skin, twin.skin and ground.floor"));
  EXPECT_THAT(fault(ball_model("between: [ball.skin, ball.skin], " + law)),
              HasSubstr("surfaces of one body"));
  EXPECT_THAT(fault(ball_model("between: [ground.floor, ball.skin], " + law, "density: 1")),
              HasSubstr("centre of mass at [0.02, 0, 0] m"));
  EXPECT_THAT(fault(ball_model("between: [ground.floor, ball.skin], " + law, "inertia: [1, 1, 1]")),
              HasSubstr("body 'ball' has neither `mass` nor `density`"));
  EXPECT_THAT(fault(ball_model("between: [ground.floor, ball.skin], normal: {law: hertz}")),
              HasSubstr("'stiffness' is not given and cannot be derived"));
}

TEST(SurfaceContact, DensityGivesMassAndInertia) {
  const auto model = model_of_text(
      "tappet: 1\ndimension: spatial\nbodies: {b: {density: 7800, shapes: {s: {sphere: {radius: 0.1}}}}}\n"
      "simulation: {duration: 1}\n");
  const Body& body = model->mechanism.bodies[0];
  EXPECT_NEAR(body.mass, 7800 * 4.0 / 3 * M_PI * 1e-3, 1e-12);
  EXPECT_NEAR(body.inertia(1, 1), 0.4 * body.mass * 0.01, 1e-12);
}

}  // namespace
}  // namespace tappet::testing::surface_contact_test
