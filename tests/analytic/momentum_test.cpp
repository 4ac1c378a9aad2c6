// Free bodies that collide: what one gets the other gives, so that momentum and angular momentum stay what
// they were.
#include "support/random_poses.hpp"
#include "support/run_model.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tappet/multibody/dynamics.hpp"

namespace tappet::testing {
namespace {

struct Case {
  const char* name;
  const char* bodies;
  const char* between;
};

// No gravity, oblique approach, spin, friction.
const Case cases[] = {
    {"ball and slab",
     "  slab: {mass: 3, inertia: [0.2, 0.3, 0.4], position: [0, 0, 0], velocity: [0.1, -0.2, 0.3], "
     "angular_velocity: [0.1, 0.2, -0.3], shapes: {face: {plane: {point: [0, 0, 0.05], normal: [0, 0, "
     "1]}}}}\n"
     "  ball: {mass: 0.7, inertia: [0.003, 0.003, 0.003], position: [0.1, 0.05, 0.3], velocity: [1.5, 0.4, "
     "-3], "
     "angular_velocity: [20, -10, 30], shapes: {skin: {sphere: {radius: 0.1}}}}\n",
     "slab.face, ball.skin"},
    {"two balls",
     "  one: {mass: 2, inertia: [0.008, 0.008, 0.008], position: [0, 0, 0], velocity: [1, 0.2, -0.1], "
     "angular_velocity: [5, 30, -20], shapes: {skin: {sphere: {radius: 0.1}}}}\n"
     "  two: {mass: 0.5, inertia: [0.001, 0.001, 0.001], position: [0.4, 0.08, 0.03], velocity: [-2, 0.1, "
     "0.3], "
     "angular_velocity: [-40, 10, 60], shapes: {skin: {sphere: {radius: 0.07}}}}\n",
     "one.skin, two.skin"},
};

std::string model(const Case& c) {
  return fmt::format(
      "tappet: 1\ndimension: spatial\nbodies:\n{}contacts:\n  hit: {{between: [{}], normal: {{law: impact, "
      "stiffness: 1e7, "
      "exponent: 1.5, damping: 100, depth: 0.1 mm}}, friction: {{law: adams, static: 0.4, dynamic: 0.3, "
      "stiction_velocity: "
      "10 mm/s, friction_velocity: 100 mm/s}}}}\nsimulation: {{duration: 0.2, tolerance: 1e-13}}\noutput: "
      "{{step: 5 ms}}\n",
      c.bodies, c.between);
}

struct Momentum {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  double scale = 0;  // Σ m |v|
};

// Σ m v and Σ (r × m v + R I ω), from the state.
Momentum momentum(const Mechanism& m, const Kinematics& k) {
  Momentum out;
  for (int b = 0; b < m.body_count(); ++b) {
    const SpatialFrame& f = k.spatial[b];
    const Body& body = m.bodies[b];
    out.linear += body.mass * f.v;
    out.angular += body.mass * f.r.cross(f.v) + f.R * (body.inertia * (f.R.transpose() * f.w));
    out.scale += body.mass * f.v.norm();
  }
  return out;
}

// Frames from recorded signals.
Kinematics frames(const Mechanism& m, const Recording& r, const std::vector<double>& row) {
  std::vector<double> q, u;
  for (const Body& body : m.bodies) {
    const auto value = [&](const char* what) { return row[r.column(body.name + what)]; };
    for (const char* s : {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"}) q.push_back(value(s));
    const Mat3 R = rotation_of(q.data() + q.size() - 4);
    const Vec3 w = R.transpose() * Vec3(value(".wx"), value(".wy"), value(".wz"));
    for (const char* s : {".vx", ".vy", ".vz"}) u.push_back(value(s));
    u.insert(u.end(), {w[0], w[1], w[2]});
  }
  Kinematics k;
  resize(k, m.dimension, m.body_count());
  update_kinematics(k, 0, q.data(), u.data(), nullptr);
  return k;
}

TEST(Momentum, IsConservedInObliqueCollisions) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto compiled = model_of_text(model(c));
    const Recording r = run(*compiled);
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    ASSERT_EQ(r.impacts.size(), 1u);
    EXPECT_GT(std::abs(r.last("energy.friction_loss")), 1e-3);  // they did slide
    const Momentum before = momentum(compiled->mechanism, frames(compiled->mechanism, r, r.rows.front()));
    double linear = 0, angular = 0;
    for (const auto& row : r.rows) {
      const Momentum now = momentum(compiled->mechanism, frames(compiled->mechanism, r, row));
      linear = std::max(linear, (now.linear - before.linear).norm() / before.scale);
      angular = std::max(angular, (now.angular - before.angular).norm() / before.angular.norm());
    }
    EXPECT_LT(linear, 1e-12);
    EXPECT_LT(angular, 1e-12);
    RecordProperty(fmt::format("{} linear", c.name), fmt::format("{:.1e}", linear));
    RecordProperty(fmt::format("{} angular", c.name), fmt::format("{:.1e}", angular));
  }
}

// The forces of a contact, whatever the pose: they sum to nothing, and so do their moments about any point.
TEST(Momentum, ActionIsReaction) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto compiled = model_of_text(model(c));
    const Mechanism& m = compiled->mechanism;
    DynamicsWorkspace w(m);
    std::vector<ContactState> states(m.contacts.size());
    w.k.contacts = states.data();
    std::vector<double> z(m.aux_size, 0.0);
    RandomPoses random(7);
    int touching = 0;
    for (int n = 0; n < 20000; ++n) {
      const std::vector<double> q = random.positions(m), u = random.velocities(m);
      update_kinematics(w.k, 0, q.data(), u.data(), z.data());
      const Touch touch = m.contacts[0]->touch(w.k);
      if (!(touch.gap < 0)) continue;
      states[0].touching = true;
      ++touching;
      std::vector<double> h(m.u_size(), 0.0);
      ForceSum sum{h.data(), m.ground(), {}};
      apply_contacts(m.contacts, w.k, sum, w.contacts);
      Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
      double size = 0, lever = 0;
      for (int b = 0; b < m.body_count(); ++b) {
        const SpatialFrame& f = w.k.spatial[b];
        const Eigen::Map<const Eigen::Matrix<double, 6, 1>> own(h.data() + 6 * b);
        force += own.head<3>();
        moment += f.r.cross(own.head<3>()) + f.R * own.tail<3>();
        size = std::max(size, own.head<3>().norm());
        lever = std::max({lever, f.r.norm(), (touch.at - f.r).norm()});
      }
      EXPECT_LE(force.norm(), 1e-14 * size);
      EXPECT_LE(moment.norm(), 1e-14 * size * lever);
    }
    EXPECT_GT(touching, 20);
  }
}

}  // namespace
}  // namespace tappet::testing
