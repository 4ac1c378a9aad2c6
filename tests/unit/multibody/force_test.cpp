// Every registered force: the power it does on the bodies is what its ledger says, h·u = input − damping −
// dV/dt, at random poses and speeds. A force added later is tested by being registered.
#include "tappet/multibody/force.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/random_poses.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::force_test {
namespace {

struct Case {
  std::string type, variant, planar, spatial;  ///< parameters besides `type`; empty: not in that dimension
};

// What to write for each type; a type that is missing here fails the test below.
const std::vector<Case>& cases() {
  static const std::vector<Case> list = {
      {"spring-damper", "linear",
       "bodies: [a, b], points: [[0.1, 0.2], [0, 0.3]], stiffness: 30, damping: 2, length: 0.4",
       "bodies: [a, b], points: [[0.1, 0.2, 0], [0, 0.3, 1]], stiffness: 30, damping: 2, length: 0.4"},
      {"spring-damper", "expression",
       "bodies: [a, b], points: [[0.1, 0.2], [0, 0.3]], force: 5*x + x^3 + 0.1*v",
       "bodies: [ground, b], points: [[0.1, 0.2, 0], [0, 0.3, 1]], force: 5*x + x^3 + 0.1*v"},
      {"rotational-spring-damper", "linear", "joint: pin, stiffness: 4, damping: 0.3, angle: 0.2",
       "joint: pin, stiffness: 4, damping: 0.3, angle: 0.2"},
      {"rotational-spring-damper", "expression", "joint: pin, torque: 4*sin(x) + v",
       "joint: pin, torque: 4*sin(x) + v"},
      {"translational-spring-damper", "linear", "joint: slot, stiffness: 4, damping: 0.3, displacement: 0.2",
       "joint: slot, stiffness: 4, damping: 0.3, displacement: 0.2"},
      {"translational-spring-damper", "expression", "joint: slot, force: 4*sin(x) + v",
       "joint: slot, force: 4*sin(x) + v"},
      {"bushing", "diagonal",
       "bodies: [a, b], points: [[0.1, 0.2], [0, 0.3]], stiffness_diagonal: [10, 20, 3], damping_diagonal: "
       "[1, 2, 0.5]",
       "bodies: [a, b], points: [[0.1, 0.2, 0], [0, 0.3, 1]], stiffness_diagonal: [10, 20, 30, 3, 4, 5], "
       "damping_diagonal: [1, 2, 3, 0.1, 0.2, 0.3]"},
      {"bushing", "full",
       "bodies: [a, b], points: [[0.1, 0.2], [0, 0.3]], stiffness: [[10, 2, 1], [2, 20, 0.5], [1, 0.5, 3]]",
       "bodies: [ground, b], points: [[0.1, 0.2, 0], [0, 0.3, 1]], stiffness: [[10, 1, 0, 0, 0.5, 0], [1, "
       "20, 0, 0, 0, 0], "
       "[0, 0, 30, 0, 0, 1], [0, 0, 0, 3, 0.2, 0], [0.5, 0, 0, 0.2, 4, 0], [0, 0, 1, 0, 0, 5]]"},
      {"bushing", "loaded",
       "bodies: [a, b], points: [[0.1, 0.2], [0, 0.3]], stiffness_diagonal: [10, 20, 3], offset: [0.1, 0.2, "
       "0.3], preload: [1, 2, 3]",
       "bodies: [a, b], points: [[0.1, 0.2, 0], [0, 0.3, 1]], stiffness_diagonal: [10, 20, 30, 3, 4, 5], "
       "offset: [0.1, 0.2, 0, 0.1, 0, "
       "0.2], preload: [1, 2, 3, 4, 5, 6]"},
      {"beam", "damped",
       "bodies: [a, b], points: [[0.1, 0.2], [0, 0.3]], young: 10, area: 2, second_moments: [0.3], "
       "damping_time: 0.1",
       "bodies: [a, b], points: [[0.1, 0.2, 0], [0, 0.3, 1]], young: 10, shear: 4, area: 2, second_moments: "
       "[0.3, 0.5], "
       "torsion_constant: 0.2, shear_area: 1, up: [1, 0, 0.2], length: 1.1, damping_time: 0.1"},
      {"cable", "taut",
       "bodies: [a, b, ground], points: [[0.1, 0.2], [0, 0.3], [1, 1]], stiffness: 30, damping: 2, length: "
       "0.1",
       "bodies: [a, b, ground], points: [[0.1, 0.2, 0], [0, 0.3, 1], [1, 1, 0]], stiffness: 30, damping: 2, "
       "length: 0.1"},
      {"force", "of_three", "body: a, point: [0.1, 0.2], force: [1, 2], axes_of: b, reaction: ground",
       "body: a, point: [0.1, 0.2, 0.3], force: [1, 2, 3], axes_of: b, reaction: ground"},
      {"torque", "of_three", "body: a, torque: 3, reaction: b, axes_of: b",
       "body: a, vector: [1, 2, 3], axes_of: b, reaction: ground"},
      {"force", "world", "body: a, point: [0.1, 0.2], force: [1, \"2*t\"]",
       "body: a, point: [0.1, 0.2, 0.3], force: [1, 2, \"3*t\"]"},
      {"force", "body_axes", "body: a, point: [0.1, 0.2], force: [1, 2], axes: body, reaction: b",
       "body: a, point: [0.1, 0.2, 0.3], force: [1, 2, 3], axes: body, reaction: b"},
      {"torque", "world", "body: a, torque: 3", "body: a, vector: [1, 2, 3]"},
      {"torque", "body_axes", "body: a, torque: 3, reaction: b",
       "body: a, vector: [1, 2, 3], axes: body, reaction: b"},
      {"expression", "all", "body: a, point: [0.1, 0.2], fx: -3*x + omega, fy: vx - angle",
       "body: a, point: [0.1, 0.2, 0.3], fx: -3*x, fy: vx - z, fz: y*vz, reaction: b"},
  };
  return list;
}

TEST(ForcePower, EveryTypeIsTested) {
  for (const ForceType& type : ForceRegistry::instance().entries())
    EXPECT_TRUE(std::any_of(cases().begin(), cases().end(), [&](const Case& c) {
      return c.type == type.name;
    })) << type.name;
}

class ForcePower : public ::testing::TestWithParam<std::tuple<Case, Dimension>> {};
INSTANTIATE_TEST_SUITE_P(All, ForcePower,
                         ::testing::Combine(::testing::ValuesIn(cases()),
                                            ::testing::Values(Dimension::planar, Dimension::spatial)),
                         [](const auto& info) {
                           const Case& c = std::get<0>(info.param);
                           std::string name =
                               c.type + "_" + c.variant +
                               (std::get<1>(info.param) == Dimension::planar ? "_planar" : "_spatial");
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(ForcePower, IsInputLessDampingLessStored) {
  const auto& [c, dimension] = GetParam();
  const bool planar = dimension == Dimension::planar;
  const std::string text = fmt::format(
      R"(tappet: 1
dimension: {}
bodies:
  a: {{mass: 1, inertia: {}, position: {}}}
  b: {{mass: 2, inertia: {}}}
joints:
  pin: {}
  slot: {}
forces:
  test: {{type: {}, {}}}
simulation: {{duration: 1}}
)",
      planar ? "planar" : "spatial", planar ? "1" : "[1, 2, 2.5]", planar ? "[0.1, 0.2]" : "[0.1, 0.2, 0.3]",
      planar ? "2" : "[2, 2, 3]",
      planar ? "{type: revolute, bodies: [a, b], points: [[0, 0], [0, 0]]}"
             : "{type: revolute, bodies: [a, b], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1]}",
      planar ? "{type: point-on-line, bodies: [a, b], points: [[0.1, 0.2], [0.3, 0]], axis: [1, 2]}"
             : "{type: point-on-line, bodies: [a, b], points: [[0.1, 0.2, 0], [0.3, 0, 1]], axis: [1, 2, 2]}",
      c.type, planar ? c.planar : c.spatial);
  const auto model = model_of_text(text);
  const Mechanism& m = model->mechanism;
  const ForceElement& force = *m.forces[0];
  Kinematics k;
  resize(k, m.dimension, m.body_count());
  std::vector<double> h(m.u_size()), z(m.aux_size, 0.0);
  RandomPoses random(3);
  for (int pose = 0; pose < 30; ++pose) {
    std::vector<double> q = random.positions(m), u = random.velocities(m);
    // A spatial angle has a meaning only where the pin holds: there the second body is the first, turned
    // about z.
    if (c.type == "rotational-spring-damper" && !planar) {
      const double half = random.number();
      const Eigen::Quaterniond a(q[3], q[4], q[5], q[6]),
          b = a * Eigen::Quaterniond(std::cos(half), 0, 0, std::sin(half));
      q[10] = b.w(), q[11] = b.x(), q[12] = b.y(), q[13] = b.z();
      const Vec3 spin = a.toRotationMatrix() * Vec3(u[3], u[4], u[5] + 2);
      const Vec3 spin_b = b.toRotationMatrix().transpose() * spin;
      u[9] = spin_b.x(), u[10] = spin_b.y(), u[11] = spin_b.z();
    }
    const double t = 0.3;
    update_kinematics(k, t, q.data(), u.data(), z.data());
    if (force.aux_offset >= 0) force.start_aux(k, z.data() + force.aux_offset);
    std::fill(h.begin(), h.end(), 0.0);
    ForceSum sum{h.data(), m.ground(), {}};
    force.apply(k, sum);
    double power = 0;
    for (int i = 0; i < m.u_size(); ++i) power += h[i] * u[i];

    auto stored = [&](double s) {
      const std::vector<double> at = moved(m, q, u, s);
      update_kinematics(k, t, at.data(), u.data(), z.data());
      return force.potential(k);
    };
    const double step = 1e-5, rate = (stored(step) - stored(-step)) / (2 * step);
    EXPECT_NEAR(power, sum.powers.input - sum.powers.damping - rate, 1e-6 * (1 + std::abs(power)));
    EXPECT_GE(sum.powers.damping, 0);
  }
}

}  // namespace
}  // namespace tappet::testing::force_test
