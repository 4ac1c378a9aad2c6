// Stops of coordinates: the row of each is the derivative of its gap, which is measured from its end of the range.
#include "tappet/multibody/limits.hpp"

#include <gtest/gtest.h>

#include "support/random_poses.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::limits_test {
namespace {

TEST(CoordinateStop, RowsAreDerivativesOfGaps) {
  for (const bool planar : {true, false}) {
    const auto model = model_of_text(planar ? R"(tappet: 1
dimension: planar
bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 2}}
joints:
  turn: {type: revolute, bodies: [ground, a], points: [[0, 0], [0, 0]], limits: {from: -1, to: 2, arm: 0.3, normal: {law: hooke, stiffness: 1}}}
  slide: {type: translational, bodies: [a, b], points: [[0, 0], [0, 0]], axis: [1, 2], limits: {to: 2, normal: {law: hooke, stiffness: 1}}}
  mesh: {type: rack, joints: [turn, slide], radius: 0.2, backlash: 0.1, normal: {law: hooke, stiffness: 1}}
simulation: {duration: 1}
)"
                                            : R"(tappet: 1
dimension: spatial
bodies: {a: {mass: 1, inertia: [1, 2, 2]}, b: {mass: 1, inertia: [2, 3, 2]}}
joints:
  turn: {type: revolute, bodies: [ground, a], points: [[0, 0, 0], [0, 0, 0]], axis: [1, 2, 3], limits: {from: -1, to: 2, arm: 0.3, normal: {law: hooke, stiffness: 1}}}
  slide: {type: translational, bodies: [a, b], points: [[0, 0, 0], [0, 0, 0]], axis: [1, 2, 0], limits: {to: 2, normal: {law: hooke, stiffness: 1}}}
  mesh: {type: rack, joints: [turn, slide], radius: 0.2, backlash: 0.1, normal: {law: hooke, stiffness: 1}}
simulation: {duration: 1}
)");
    const Mechanism& m = model->mechanism;
    ASSERT_EQ(m.contacts.size(), 5u);
    const int width = velocity_size(m.dimension);
    Kinematics k;
    resize(k, m.dimension, m.body_count());
    std::vector<double> z(m.aux_size, 0.0);
    RandomPoses random(5);
    for (int pose = 0; pose < 20; ++pose) {
      const std::vector<double> q = random.positions(m), u = random.velocities(m);
      for (const auto& contact : m.contacts) {
        update_kinematics(k, 0, q.data(), u.data(), z.data());
        CoordinateRow row;
        contact->row(k, 0, row);
        double rate = 0;
        for (int n = 0; n < row.count; ++n)
          for (int i = 0; row.bodies[n] != m.ground() && i < width; ++i)
            rate += row.J[n][i] * u[width * row.bodies[n] + i];
        const Touch now = contact->touch(k);
        EXPECT_NEAR(now.rate, rate, 1e-12 * (1 + std::abs(rate))) << contact->name;
        if (!planar && contact->turns)
          continue;  // an angle about an axis that the pin keeps: only where it is closed
        const auto gap = [&](double s) {
          const std::vector<double> at = moved(m, q, u, s);
          update_kinematics(k, 0, at.data(), u.data(), z.data());
          return contact->touch(k).gap;
        };
        EXPECT_NEAR((gap(1e-5) - gap(-1e-5)) / 2e-5, rate, 1e-6 * (1 + std::abs(rate))) << contact->name;
      }
    }
  }
}

}  // namespace
}  // namespace tappet::testing::limits_test
