// What of flexible bodies touches: names, frames, and that evaluating them allocates nothing.
#include "tappet/model/flexible_surfaces.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "support/run_model.hpp"
#include "tappet/ode/smooth_system.hpp"

namespace tappet::testing::flexible_surfaces_test {
namespace {

using ::testing::HasSubstr;

// A plate on supports of its own: a ball at an interface, nodes against the floor, faces under a ball.
const char* const plate = R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
materials: {m: {young: 1e9, poisson: 0.3, density: 1000}}
bodies:
  plate:
    flexible:
      generate: {plate: {size: [0.2, 0.1], divisions: [4, 2]}}
      section: {thickness: 2 mm}
      material: m
      interfaces:
        left: {group: xmin, shapes: {pin: {sphere: {radius: 3 mm, position: [0, 0, -5 mm]}}}}
        right: {group: xmax, kind: rigid}
      modes: 4
      highest: 1 kHz
  ball: {mass: 0.1, inertia: [1e-5, 1e-5, 1e-5], position: [0.11, 0.05, 9.9 mm], shapes: {skin: {sphere: {radius: 10 mm}}}}
ground: {shapes: {floor: {plane: {point: [0, 0, -7.9 mm], normal: [0, 0, 1]}}, low: {plane: {point: [0, 0, 0.1 mm], normal: [0, 0, 1]}}}}
contacts:
  pin: {between: [ground.floor, plate.left.pin], normal: {law: hooke, stiffness: 1e4}}
  edge: {between: [ground.low, plate.ymin], normal: {law: hooke, stiffness: 1e3}}
  on: {between: [plate.all, ball.skin], normal: {law: hooke, stiffness: 1e4}}
simulation: {duration: 1 ms}
)";

TEST(FlexibleSurfaces, HaveFramesOfTheirOwnAndNoSignals) {
  const auto model = model_of_text(plate);
  const Mechanism& m = model->mechanism;
  const FlexibleBody& body = m.flexible.bodies[0];
  // Two interfaces, 5 nodes of ymin and 15 of all, and where the ball is.
  EXPECT_EQ(m.flexible.carried, 2 + 5 + 15 + 1);
  EXPECT_EQ(m.flexible.feet, 1);
  EXPECT_EQ(m.contacts.size(), 1u + 5 + 1);
  std::vector<std::string> names;
  for (const auto& contact : m.contacts) names.push_back(contact->name);
  EXPECT_THAT(names,
              ::testing::IsSupersetOf({"pin", "edge.ground-plate.ymin.1", "edge.ground-plate.ymin.5", "on"}));
  EXPECT_EQ(m.frame_name(body.interface + 2), "plate.ymin.1");
  for (const Signal& signal : Simulation(model).signals())
    EXPECT_FALSE(signal.name.starts_with("plate.ymin") || signal.name.starts_with("plate.all"))
        << signal.name;
  // Undeformed, a node's frame is where the mesh has it.
  Kinematics k;
  resize(k, m);
  update_kinematics(k, 0, model->q0.data(), model->u0.data(), nullptr);
  double lowest = 1;
  for (int i = 2; i < 7; ++i) lowest = std::min(lowest, k.spatial[body.interface + i].r.y());
  EXPECT_NEAR(lowest, 0, 1e-12);
  EXPECT_LT((k.spatial[body.interface + 22].r - Vec3(0.11, 0.05, 0)).norm(), 1e-12);
}

TEST(FlexibleSurfaces, EvaluateWithoutAllocating) {
  const auto model = model_of_text(plate);
  Simulation simulation(model);
  simulation.advance(0.5e-3);
  const State& state = simulation.state();
  SmoothSystem system(*model);
  std::copy(state.contacts.begin(), state.contacts.end(), system.contact_states().begin());
  std::vector<double> y = state.y;
  system.evaluate(0, y.data());
  const long before = allocations();
  for (int n = 0; n < 10; ++n) {
    for (double& each : y) each += 1e-9;
    system.evaluate(1e-6 * n, y.data());
  }
  EXPECT_EQ(allocations(), before);
}

}  // namespace
}  // namespace tappet::testing::flexible_surfaces_test
