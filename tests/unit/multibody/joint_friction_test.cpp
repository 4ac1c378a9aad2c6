// What presses in a joint with friction: parts of its reaction by their arms.
#include "tappet/multibody/joint_friction.hpp"

#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::joint_friction_test {
namespace {

double load(const std::string& joint) {
  const auto model = model_of_text(R"(tappet: 1
dimension: spatial
bodies: {b: {mass: 1, inertia: [1, 1, 1]}}
joints: {j: {bodies: [ground, b], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1], )" +
                                   joint + R"(}}
simulation: {duration: 1}
)");
  const Mechanism& m = model->mechanism;
  Kinematics k;
  resize(k, m.dimension, m.body_count());
  const std::vector<double> u(6, 0.0), z(m.aux_size, 0.0);
  update_kinematics(k, 0, model->q0.data(), u.data(), z.data());
  return m.contacts[0]->load(k, {3, 4, 6}, {0, 2, -8});
}

TEST(JointFriction, PartsOfTheReactionPressByTheirArms) {
  EXPECT_NEAR(load("type: revolute, friction: {coefficient: 0.1, pin_radius: 0.01}"), 5, 1e-12);
  EXPECT_NEAR(load("type: revolute, friction: {coefficient: 0.1, pin_radius: 0.01, friction_arm: 0.02, "
                   "bending_arm: 0.1}"),
              5 + 2 * 6 + 2 / 0.1, 1e-12);
  EXPECT_NEAR(load("type: translational, friction: {coefficient: 0.1, bending_arm: 0.1, torsion_arm: 0.2}"),
              5 + 2 / 0.1 + 8 / 0.2, 1e-12);
  EXPECT_NEAR(load("type: cylindrical, friction: {coefficient: 0.1, pin_radius: 0.01, bending_arm: 0.5}"),
              5 + 2 / 0.5, 1e-12);
}

}  // namespace
}  // namespace tappet::testing::joint_friction_test
