// Models built by a program are the models of the files that say the same.
#include "tappet/model/model_builder.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/paths.hpp"
#include "support/run_model.hpp"
#include "tappet/contact/friction/adams.hpp"
#include "tappet/contact/friction/ambrosio.hpp"
#include "tappet/contact/friction/coulomb.hpp"
#include "tappet/contact/laws/hooke.hpp"
#include "tappet/contact/laws/hunt_crossley.hpp"
#include "tappet/contact/laws/impact.hpp"
#include "tappet/contact/laws/lankarani_nikravesh.hpp"
#include "tappet/contact/laws/newton.hpp"
#include "tappet/geometry/shapes/box.hpp"
#include "tappet/geometry/shapes/plane.hpp"
#include "tappet/geometry/shapes/sphere.hpp"
#include "tappet/model/run_parameters.hpp"
#include "tappet/multibody/clearance.hpp"
#include "tappet/spec/spec_json.hpp"

namespace tappet::test::model_builder_test {
namespace {

using testing::Recording;
using testing::run;

std::shared_ptr<const Model> built(const ModelBuilder& builder) {
  Diagnostics diagnostics;
  return builder.build(diagnostics);
}

/// About z.
Mat3 about_z(double inertia) {
  Mat3 out = Mat3::Zero();
  out(2, 2) = inertia;
  return out;
}

// ---- the same model in words and in code

struct Pair {
  std::string name, yaml;
  ModelBuilder builder;
};

Pair pendulum() {
  ModelBuilder b(Dimension::planar);
  b.gravity({0, -9.81, 0});
  b.add("rod", BodyParameters{.mass = 2, .inertia = about_z(0.1), .position = Vec3(0.5, 0, 0)});
  b.add("pin", RevoluteParameters{.bodies = {"ground", "rod"}, .points = {Vec3(0, 0, 0), Vec3(-0.5, 0, 0)}});
  b.add("spring", RotationalSpringDamperParameters{.joint = "pin", .stiffness = 3, .damping = 0.2});
  b.add("push", ForceParameters{.body = "rod", .force = {"2*sin(5*t)", 0.5}});
  b.add("down", EventParameters{.signal = "rod.x", .direction = "falling"});
  b.set(SimulationParameters{.duration = 2});
  b.set(OutputParameters{.step = 0.05});
  return {"pendulum", R"(
tappet: 1
gravity: [0, -9.81 m/s^2]
bodies: {rod: {mass: 2 kg, inertia: 0.1, position: [500 mm, 0]}}
joints: {pin: {type: revolute, bodies: [ground, rod], points: [[0, 0], [-0.5, 0]]}}
forces:
  spring: {type: rotational-spring-damper, joint: pin, stiffness: 3, damping: 0.2}
  push: {type: force, body: rod, force: [2*sin(5*t) N, 0.5 N]}
events: {down: {signal: rod.x, direction: falling}}
simulation: {duration: 2 s}
output: {step: 50 ms}
)",
          std::move(b)};
}

Pair slider_crank() {
  ModelBuilder b(Dimension::planar);
  b.gravity({0, -9.81, 0});
  b.add("steel", MaterialParameters{.young = 207e9, .poisson = 0.3});
  b.add("crank", BodyParameters{.mass = 0.3, .inertia = about_z(1e-4), .position = Vec3(0.025, 0, 0)});
  b.add("rod", BodyParameters{.mass = 0.21, .inertia = about_z(2.5e-4), .position = Vec3(0.11, 0, 0)});
  b.add("slider", BodyParameters{.mass = 0.14, .inertia = about_z(1e-4), .position = Vec3(0.17, 0, 0)});
  b.add("main",
        RevoluteParameters{.bodies = {"ground", "crank"}, .points = {Vec3(0, 0, 0), Vec3(-0.025, 0, 0)}});
  b.add("pin",
        RevoluteParameters{.bodies = {"crank", "rod"}, .points = {Vec3(0.025, 0, 0), Vec3(-0.06, 0, 0)}});
  b.add("wrist",
        RevoluteParameters{.bodies = {"rod", "slider"},
                           .points = {Vec3(0.06, 0, 0), Vec3(0, 0, 0)},
                           .clearance = JournalContactParameters{
                               .bearing_radius = 0.01,
                               .journal_radius = 0.0095,
                               .materials = {"steel", "steel"},
                               .normal = LankaraniNikraveshParameters{.restitution = 0.9},
                               .friction = AmbrosioParameters{.coefficient = 0.03, .v0 = 1e-4, .v1 = 1e-3}}});
  b.add("guide",
        TranslationalParameters{
            .bodies = {"ground", "slider"}, .points = {Vec3(0, 0, 0), Vec3(0, 0, 0)}, .axis = Vec3(1, 0, 0)});
  b.add("motor", MotionParameters{.joint = "main", .speed = "5000 rpm"});
  b.set(SimulationParameters{.duration = 0.01});
  return {"slider-crank with clearance", R"(
tappet: 1
gravity: [0, -9.81]
materials: {steel: {young: 207 GPa, poisson: 0.3}}
bodies:
  crank: {mass: 0.3, inertia: 1e-4, position: [25 mm, 0]}
  rod: {mass: 0.21, inertia: 2.5e-4, position: [110 mm, 0]}
  slider: {mass: 0.14, inertia: 1e-4, position: [170 mm, 0]}
joints:
  main: {type: revolute, bodies: [ground, crank], points: [[0, 0], [-0.025, 0]]}
  pin: {type: revolute, bodies: [crank, rod], points: [[0.025, 0], [-0.06, 0]]}
  wrist:
    type: revolute
    bodies: [rod, slider]
    points: [[0.06, 0], [0, 0]]
    clearance:
      bearing_radius: 10 mm
      journal_radius: 9.5 mm
      materials: [steel, steel]
      normal: {law: lankarani-nikravesh, restitution: 0.9}
      friction: {law: ambrosio, coefficient: 0.03, v0: 0.1 mm/s, v1: 1 mm/s}
  guide: {type: translational, bodies: [ground, slider], points: [[0, 0], [0, 0]], axis: [1, 0]}
motions: {motor: {joint: main, speed: 5000 rpm}}
simulation: {duration: 10 ms}
)",
          std::move(b)};
}

Pair bouncing_ball() {
  ModelBuilder b(Dimension::spatial);
  b.gravity({0, 0, -9.81});
  b.add("ball", BodyParameters{.density = 1000,
                               .position = Vec3(0, 0, 0.12),
                               .velocity = Vec3(1, 0, 0),
                               .angular_velocity = Vec3(0, 3, 0),
                               .shapes = {{"skin", SphereParameters{.radius = 0.1}}}});
  b.set(GroundParameters{.shapes = {{"floor", PlaneParameters{.normal = Vec3(0, 0, 1)}}}});
  b.add("bounce", ContactParameters{.between = {"ground.floor", "ball.skin"},
                                    .normal = ImpactParameters{.stiffness = 1e7, .damping = 50},
                                    .friction = AdamsFrictionParameters{.static_coefficient = 0.3,
                                                                        .dynamic_coefficient = 0.2,
                                                                        .stiction_velocity = 0.01,
                                                                        .friction_velocity = 0.1}});
  b.set(SimulationParameters{.duration = 0.3});
  return {"ball on the floor", R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
bodies:
  ball:
    density: 1000
    position: [0, 0, 120 mm]
    velocity: [1, 0, 0]
    angular_velocity: [0, 3, 0]
    shapes: {skin: {sphere: {radius: 0.1}}}
ground: {shapes: {floor: {plane: {normal: [0, 0, 1]}}}}
contacts:
  bounce:
    between: [ground.floor, ball.skin]
    normal: {law: impact, stiffness: 1e7, damping: 50}
    friction: {law: adams, static: 0.3, dynamic: 0.2, stiction_velocity: 1 cm/s, friction_velocity: 0.1}
simulation: {duration: 0.3}
)",
          std::move(b)};
}

Pair spatial_mechanism() {
  const double c = std::sqrt(0.5);
  ModelBuilder b(Dimension::spatial);
  b.gravity({0, 0, -9.81});
  const Mat3 inertia = Vec3(0.01, 0.02, 0.03).asDiagonal();
  b.add("link", BodyParameters{.mass = 1,
                               .inertia = inertia,
                               .position = Vec3(0.5, 0, 0),
                               .orientation = std::array<double, 4>{c, c, 0, 0}});
  b.add("bob", BodyParameters{.mass = 0.5, .inertia = inertia, .position = Vec3(1, 0, -0.3)});
  b.add("hinge", RevoluteParameters{.bodies = {"ground", "link"},
                                    .points = {Vec3(0, 0, 0), Vec3(-0.5, 0, 0)},
                                    .axis = Vec3(0, 1, 0)});
  b.add("ball", SphericalParameters{.bodies = {"link", "bob"}, .points = {Vec3(0.5, 0, 0), Vec3(0, 0, 0.3)}});
  b.add("mount", BushingParameters{.bodies = {"ground", "bob"},
                                   .points = {Vec3(1, 0, -0.3), Vec3(0, 0, 0)},
                                   .stiffness_diagonal = {100, 100, 100, 1, 1, 1},
                                   .damping_diagonal = {1, 1, 1, 0.1, 0.1, 0.1}});
  b.add("wind", TorqueParameters{.body = "bob", .vector = {0, "0.1*t", 0}, .axes = "body"});
  b.set(SimulationParameters{.duration = 0.5});
  return {"spatial mechanism",
          fmt::format(R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
bodies:
  link: {{mass: 1, inertia: [0.01, 0.02, 0.03], position: [0.5, 0, 0], orientation: [{0}, {0}, 0, 0]}}
  bob: {{mass: 0.5, inertia: [0.01, 0.02, 0.03], position: [1, 0, -0.3]}}
joints:
  hinge: {{type: revolute, bodies: [ground, link], points: [[0, 0, 0], [-0.5, 0, 0]], axis: [0, 1, 0]}}
  ball: {{type: spherical, bodies: [link, bob], points: [[0.5, 0, 0], [0, 0, 0.3]]}}
forces:
  mount:
    type: bushing
    bodies: [ground, bob]
    points: [[1, 0, -0.3], [0, 0, 0]]
    stiffness_diagonal: [100, 100, 100, 1, 1, 1]
    damping_diagonal: [1, 1, 1, 0.1, 0.1, 0.1]
  wind: {{type: torque, body: bob, vector: [0, 0.1*t, 0], axes: body}}
simulation: {{duration: 0.5}}
)",
                      c),
          std::move(b)};
}

Pair group(const std::string& method) {
  const bool smooth = method == "smooth";
  ModelBuilder b(Dimension::planar);
  b.gravity({0, -9.81, 0});
  for (int n = 0; n < 3; ++n)
    b.add(fmt::format("ball{}", n), BodyParameters{.mass = 1,
                                                   .inertia = about_z(0.004),
                                                   .position = Vec3(0.02 * n, 0.11 + 0.25 * n, 0),
                                                   .shapes = {{"skin", CircleParameters{.radius = 0.1}}}});
  b.set(GroundParameters{.shapes = {{"floor", PlaneParameters{.normal = Vec3(0, 1, 0)}}}});
  ContactParameters contact{.between = {"*", "ball*.skin"}, .group = true};
  if (smooth)
    contact.normal = HuntCrossleyParameters{.stiffness = 1e6, .restitution = 0.6};
  else
    contact.normal = NewtonParameters{.restitution = 0.3},
    contact.friction = CoulombParameters{.coefficient = 0.2};
  b.add("all", contact);
  SimulationParameters simulation{.method = method, .duration = 0.4};
  if (!smooth) simulation.step = 1e-3;
  b.set(simulation);
  return {"group, method " + method,
          fmt::format(R"(
tappet: 1
gravity: [0, -9.81]
bodies:
  ball0: {{mass: 1, inertia: 0.004, position: [0, 0.11], shapes: {{skin: {{circle: {{radius: 0.1}}}}}}}}
  ball1: {{mass: 1, inertia: 0.004, position: [0.02, 0.36], shapes: {{skin: {{circle: {{radius: 0.1}}}}}}}}
  ball2: {{mass: 1, inertia: 0.004, position: [0.04, 0.61], shapes: {{skin: {{circle: {{radius: 0.1}}}}}}}}
ground: {{shapes: {{floor: {{plane: {{normal: [0, 1]}}}}}}}}
contacts: {{all: {{between: ["*", "ball*.skin"], group: true, {}}}}}
simulation: {{method: {}, duration: 0.4{}}}
)",
                      smooth ? "normal: {law: hunt-crossley, stiffness: 1e6, restitution: 0.6}"
                             : "normal: {restitution: 0.3}, friction: {coefficient: 0.2}",
                      method, smooth ? "" : ", step: 1 ms"),
          std::move(b)};
}

class InCodeAndInWords : public ::testing::TestWithParam<int> {};

std::vector<Pair> pairs() {
  std::vector<Pair> out;
  out.push_back(pendulum());
  out.push_back(slider_crank());
  out.push_back(bouncing_ball());
  out.push_back(spatial_mechanism());
  out.push_back(group("smooth"));
  out.push_back(group("moreau"));
  return out;
}
INSTANTIATE_TEST_SUITE_P(Models, InCodeAndInWords, ::testing::Range(0, 6));

TEST_P(InCodeAndInWords, RunEqually) {
  const Pair pair = std::move(pairs()[GetParam()]);
  SCOPED_TRACE(pair.name);
  const Recording file = testing::run_text(pair.yaml), code = run(*built(pair.builder));
  EXPECT_EQ(file.names, code.names);
  ASSERT_EQ(file.rows.size(), code.rows.size());
  EXPECT_EQ(file.rows, code.rows);  // to the last bit
  EXPECT_EQ(file.events.size(), code.events.size());
  EXPECT_EQ(file.impacts.size(), code.impacts.size());
  EXPECT_GT(file.rows.size(), 10u);
}

// The text that is stored with results is read as the same model.
TEST_P(InCodeAndInWords, WrittenAndReadAgainStayTheSame) {
  const Pair pair = std::move(pairs()[GetParam()]);
  SCOPED_TRACE(pair.name);
  const Spec again = spec_from_text(pair.builder.text(), "again.yaml");
  EXPECT_EQ(spec_json(again), spec_json(pair.builder.spec()));
}

// ---- every example, rebuilt from the structs that its file was read into

std::vector<std::string> example_files() {
  std::vector<std::string> out;
  const std::filesystem::path folder = testing::source_dir() + "/examples";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    // Studies and catalogues stand among the models.
    if (read_yaml_file(entry.path().string()).find("bodies")) out.push_back(entry.path().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

class EveryExample : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Examples, EveryExample, ::testing::ValuesIn(example_files()), [](const auto& info) {
  std::string name = std::filesystem::relative(info.param, testing::source_dir() + "/examples").string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

TEST_P(EveryExample, RebuiltFromItsStructsIsTheSame) {
  const Value root = read_yaml_file(GetParam());
  const Spec spec = load_spec(GetParam());
  ModelBuilder builder(spec.dimension);
  builder.title(spec.title);
  Vec3 gravity = Vec3::Zero();
  for (std::size_t i = 0; i < spec.gravity.size(); ++i) gravity[static_cast<int>(i)] = spec.gravity[i];
  builder.gravity(gravity);
  if (const Value* defined = root.find("define"))
    for (const auto& [head, value] : defined->map) builder.define(head, value.text);
  for (const auto* section : {&spec.inputs, &spec.tables, &spec.states, &spec.materials, &spec.material_pairs,
                              &spec.joints, &spec.motions, &spec.forces, &spec.contacts, &spec.events})
    for (const Object& object : *section) {
      AnyParameters parameters = object.parameters();
      parameters.origin = {};
      builder.add(object.name, parameters);
    }
  for (const Object& object : spec.bodies) {
    BodyParameters body = object.parameters().as<BodyParameters>();
    // Structures and flexible bodies have no struct: they are handed on as written.
    if (body.flexible)
      body.flexible = WrittenParameters{to_yaml(*root.find("bodies")->find(object.name)->find("flexible"))};
    if (body.structure)
      body.structure = WrittenParameters{to_yaml(*root.find("bodies")->find(object.name)->find("structure"))};
    builder.add(object.name, body);
  }
  builder.set(spec.ground.parameters());
  builder.set(spec.simulation.parameters());
  builder.set(spec.output.parameters());
  // Files of tables are read from the working folder.
  const std::filesystem::path here = std::filesystem::current_path();
  std::filesystem::current_path(std::filesystem::path(GetParam()).parent_path());
  EXPECT_EQ(spec_json(builder.spec()), spec_json(spec));
  std::filesystem::current_path(here);
}

// ---- what is wrong is said as for a file, with the element's name in the place of a line

std::string faults(const ModelBuilder& builder) {
  try {
    built(builder);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// The fault of a file without its place: everything after "error: ".
std::string sentence(const std::string& text) {
  const std::size_t at = text.find("error: ");
  return at == std::string::npos ? text : text.substr(at);
}

std::string faults_of_text(const std::string& yaml) {
  try {
    testing::model_of_text(yaml);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

ModelBuilder one_body() {
  ModelBuilder b(Dimension::planar);
  b.add("block", BodyParameters{.mass = 1, .inertia = about_z(0.1)});
  b.set(SimulationParameters{.duration = 1});
  return b;
}

TEST(ModelBuilder, FaultsNameTheElementAndSayWhatAFileWouldBeTold) {
  const std::string file = "tappet: 1\nbodies: {block: {mass: 1, inertia: 0.1}}\nsimulation: {duration: 1}\n";
  const auto check = [&](const std::string& name, AnyParameters parameters, const std::string& path,
                         const std::string& yaml) {
    ModelBuilder b = one_body();
    b.add(name, std::move(parameters));
    const std::string code = faults(b), words = faults_of_text(file + yaml);
    EXPECT_TRUE(code.starts_with(path + ": error: ")) << code;
    EXPECT_EQ(sentence(code), sentence(words)) << code << "\n" << words;
    EXPECT_FALSE(words.empty());
  };
  // A number out of its range, a key that is missing, a name that does not exist, a fault that only the element knows of.
  check("rod",
        DistanceParameters{
            .bodies = {"ground", "block"}, .points = {Vec3(0, 0, 0), Vec3(0, 0, 0)}, .length = -1},
        "joints.rod",
        "joints: {rod: {type: distance, bodies: [ground, block], points: [[0, 0], [0, 0]], length: -1}}");
  check("pin", RevoluteParameters{.bodies = {"ground", "block"}}, "joints.pin",
        "joints: {pin: {type: revolute, bodies: [ground, block]}}");
  check("pin", RevoluteParameters{.bodies = {"ground", "blok"}, .points = {Vec3(0, 0, 0), Vec3(0, 0, 0)}},
        "joints.pin", "joints: {pin: {type: revolute, bodies: [ground, blok], points: [[0, 0], [0, 0]]}}");
  check("pull",
        SpringDamperParameters{.bodies = {"ground", "block"}, .points = {Vec3(0, 0, 0), Vec3(0, 0, 0)}},
        "forces.pull",
        "forces: {pull: {type: spring-damper, bodies: [ground, block], points: [[0, 0], [0, 0]]}}");
  check("push", ForceParameters{.body = "block", .force = {"3*x", 0}}, "forces.push",
        "forces: {push: {type: force, body: block, force: [3*x, 0]}}");
  check("wave", MotionParameters{.body = "block", .x = "sin(t)", .z = "0"}, "motions.wave",
        "motions: {wave: {body: block, x: sin(t), z: 0}}");
}

TEST(ModelBuilder, WhatLeadsOutOfThePlaneIsRefused) {
  ModelBuilder b = one_body();
  b.add("away", BodyParameters{.mass = 1, .position = Vec3(0, 0, 2)});
  EXPECT_EQ(faults(b), "bodies.away: error: 'position' has 3 numbers, but 2 are expected in a planar model");
  ModelBuilder spin = one_body();
  spin.add("top", BodyParameters{.mass = 1, .inertia = about_z(1), .angular_velocity = Vec3(1, 0, 0)});
  EXPECT_TRUE(faults(spin).starts_with("bodies.top: error: 'angular_velocity' must be a number"))
      << faults(spin);
}

TEST(ModelBuilder, SaysEveryFaultAtOnce) {
  ModelBuilder b = one_body();
  b.add("light", BodyParameters{.mass = -1});
  b.add("pin", RevoluteParameters{.bodies = {"ground", "block"}});
  b.add("touch", ContactParameters{.between = {"ground.floor", "block.skin"},
                                   .normal = HookeParameters{.stiffness = 1e5, .damping = -3}});
  const std::string text = faults(b);
  for (const char* place : {"bodies.light: ", "joints.pin: ", "contacts.touch: "})
    EXPECT_NE(text.find(place), std::string::npos) << text;
}

TEST(ModelBuilder, WhatNoSectionTakesIsAProgrammersError) {
  ModelBuilder b(Dimension::planar);
  EXPECT_THROW(b.add("skin", SphereParameters{.radius = 1}), std::logic_error);
  EXPECT_THROW(b.set(BodyParameters{.mass = 1}), std::logic_error);
}

TEST(ModelBuilder, NamesMustDiffer) {
  ModelBuilder b = one_body();
  b.add("block", BodyParameters{.mass = 2});
  EXPECT_NE(faults(b).find("same name"), std::string::npos) << faults(b);
}

// ---- an inverted pendulum on a cart that rolls on the ground, without a line of YAML

TEST(ModelBuilder, CartWithAnInvertedPendulumFallsAsLagrangesEquationsSay) {
  // M: cart, m: bob at the end of a massless rod of length l. From rest at a small angle θ₀ without friction the angle
  // grows as θ₀ cosh(ω t), ω² = (M + m) g/(M l).
  const double M = 1, m = 0.1, l = 0.5, g = 9.81, theta0 = 1e-4;
  ModelBuilder b(Dimension::planar);
  b.gravity({0, -g, 0});
  b.add("cart", BodyParameters{.mass = M, .inertia = about_z(0.02)});
  b.add("bob", BodyParameters{.mass = m,
                              .inertia = about_z(1e-9),
                              .position = Vec3(-l * std::sin(theta0), l * std::cos(theta0), 0),
                              .angle = theta0});
  b.add("rail",
        TranslationalParameters{
            .bodies = {"ground", "cart"}, .points = {Vec3(0, 0, 0), Vec3(0, 0, 0)}, .axis = Vec3(1, 0, 0)});
  b.add("hinge", RevoluteParameters{.bodies = {"cart", "bob"}, .points = {Vec3(0, 0, 0), Vec3(0, -l, 0)}});
  b.add("push", ExpressionForceParameters{.body = "cart", .fx = "0*x"});
  b.set(SimulationParameters{.duration = 1, .tolerance = 1e-12});
  const Recording r = run(*built(b));
  const double omega = std::sqrt((M + m) * g / (M * l));
  EXPECT_NEAR(r.last("bob.angle"), theta0 * std::cosh(omega), 5e-5 * theta0 * std::cosh(omega));
}

TEST(ModelBuilder, APendulumThatFallsRestsOnTheGround) {
  const double m = 0.2, half = 0.25, height = 0.1, tilt = 0.05;
  ModelBuilder b(Dimension::planar);
  b.gravity({0, -9.81, 0});
  b.add("cart", BodyParameters{.mass = 1, .inertia = about_z(0.02), .position = Vec3(0, height, 0)});
  b.add("rod",
        BodyParameters{.mass = m,
                       .inertia = about_z(m * half * half / 3),
                       .position = Vec3(half * std::sin(tilt), height + half * std::cos(tilt), 0),
                       .angle = -tilt,
                       .shapes = {{"tip", CircleParameters{.radius = 0.02, .position = Vec3(0, half, 0)}}}});
  b.set(GroundParameters{.shapes = {{"floor", PlaneParameters{.normal = Vec3(0, 1, 0)}}}});
  b.add("rail", TranslationalParameters{.bodies = {"ground", "cart"},
                                        .points = {Vec3(0, height, 0), Vec3(0, 0, 0)},
                                        .axis = Vec3(1, 0, 0)});
  b.add("hinge", RevoluteParameters{.bodies = {"cart", "rod"}, .points = {Vec3(0, 0, 0), Vec3(0, -half, 0)}});
  b.add("brake", ExpressionForceParameters{.body = "cart", .fx = "-20*vx"});
  b.add("landing", ContactParameters{.between = {"ground.floor", "rod.tip"},
                                     .normal = NewtonParameters{.restitution = 0}});
  b.set(SimulationParameters{.method = "moreau", .duration = 4, .step = 1e-3});
  const Recording r = run(*built(b));
  // At rest nothing pushes sideways. Moments about the hinge: the floor carries half of the weight, since the centre of
  // mass is half as far from the hinge as the tip.
  EXPECT_NEAR(r.last("landing.normal"), m * 9.81 / 2, 1e-6);
  EXPECT_LT(std::abs(r.last("landing.gap")), 1e-5);
}

}  // namespace
}  // namespace tappet::test::model_builder_test
