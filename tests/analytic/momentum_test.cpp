// Free bodies that collide: what one gets the other gives, so that momentum and angular momentum stay what
// they were.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/random_poses.hpp"
#include "support/run_model.hpp"
#include "tappet/multibody/dynamics.hpp"

namespace tappet::testing::momentum_test {
namespace {

// No gravity, oblique approach, spin, friction. The first is heavy, the second comes in from above.
const std::string one =
    "  one: {{mass: 3, inertia: [0.02, 0.03, 0.04], position: [0, 0, 0], velocity: [0.1, -0.2, 0.3], "
    "angular_velocity: [0.4, 0.7, -0.3], shapes: {{skin: {{{}}}}}}}\n";
const std::string two =
    "  two: {{mass: 0.7, inertia: [0.003, 0.004, 0.005], position: [0.04, 0.03, 0.4], velocity: [0.7, 0.3, "
    "-3], "
    "angular_velocity: [8, -6, 10], shapes: {{skin: {{{}}}}}}}\n";

std::string bodies(const char* first, const char* second) {
  return fmt::format(fmt::runtime(one), first) + fmt::format(fmt::runtime(two), second);
}

const char
    *sphere = "sphere: {radius: 0.1}",
    *box = "box: {size: [0.2, 0.24, 0.16]}", *cylinder = "cylinder: {radius: 0.1, length: 0.18}",
    *ellipsoid = "ellipsoid: {semi_axes: [0.12, 0.1, 0.08]}",
    *hull =
        "hull: {points: [[0.12, 0, -0.1], [-0.1, 0.11, -0.1], [-0.1, -0.11, -0.1], [0.11, 0.02, 0.11], "
        "[-0.08, 0.09, 0.12], [-0.09, -0.1, 0.1]]}",
    *plane = "plane: {point: [0, 0, 0.05], normal: [0, 0, 1]}",
    *profile = "profile: {points: [[-0.3, 0.05], [0, 0.08], [0.3, 0.04]]}";

struct Case {
  std::string name, bodies;
};

std::vector<Case> cases() {
  std::vector<Case> out;
  const char *all[] = {sphere, box, cylinder, ellipsoid, hull},
             *first[] = {plane, profile, sphere, box, cylinder, ellipsoid, hull};
  const auto word = [](const std::string& shape) { return shape.substr(0, shape.find(':')); };
  for (const char* a : first)
    for (const char* b : all) out.push_back({word(a) + " and " + word(b), bodies(a, b)});
  return out;
}

std::string model(const Case& c) {
  return fmt::format(
      "tappet: 1\ndimension: spatial\nbodies:\n{}contacts:\n  hit: {{between: [one.skin, two.skin], normal: "
      "{{law: impact, "
      "stiffness: 1e7, "
      "exponent: 1.5, damping: 100, depth: 0.1 mm}}, friction: {{law: adams, static: 0.4, dynamic: 0.3, "
      "stiction_velocity: "
      "10 mm/s, friction_velocity: 100 mm/s}}}}\nsimulation: {{duration: 0.15, tolerance: 1e-12}}\noutput: "
      "{{step: 5 ms}}\n",
      c.bodies);
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
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const auto compiled = model_of_text(model(c));
    const Recording r = run(*compiled);
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    ASSERT_GE(r.impacts.size(), 1u);
    EXPECT_GT(std::abs(r.last("energy.friction_loss")), 1e-3);  // they did slide
    EXPECT_GT(std::abs(r.last("two.vz") - r.rows.front()[r.column("two.vz")]), 0.5);
    const Momentum before = momentum(compiled->mechanism, frames(compiled->mechanism, r, r.rows.front()));
    double linear = 0, angular = 0;
    for (const auto& row : r.rows) {
      const Momentum now = momentum(compiled->mechanism, frames(compiled->mechanism, r, row));
      linear = std::max(linear, (now.linear - before.linear).norm() / before.scale);
      angular = std::max(angular, (now.angular - before.angular).norm() / before.angular.norm());
    }
    // Of momentum, which is linear in the state, only rounding is lost; of angular momentum, a product, what
    // the tolerance of 1e-12 leaves. The moments themselves sum to nothing up to rounding: see below.
    EXPECT_LT(linear, 1e-14);
    EXPECT_LT(angular, 1e-11);
    RecordProperty(fmt::format("{} linear", c.name), fmt::format("{:.1e}", linear));
    RecordProperty(fmt::format("{} angular", c.name), fmt::format("{:.1e}", angular));
  }
}

// The forces of a contact, whatever the pose: they sum to nothing, and so do their moments about any point.
TEST(Momentum, ActionIsReaction) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const auto compiled = model_of_text(model(c));
    const Mechanism& m = compiled->mechanism;
    DynamicsWorkspace w(m);
    std::vector<ContactState> states(m.contacts.size());
    w.k.contacts = states.data();
    std::vector<double> z(m.aux_size, 0.0);
    RandomPoses random(7);
    int touching = 0;
    for (int n = 0; n < 20000 && touching < 100; ++n) {
      const std::vector<double> q = random.positions(m), u = random.velocities(m);
      update_kinematics(w.k, 0, q.data(), u.data(), z.data());
      bool any = false;
      double reach = 0;  // of the places of contact, from the origin
      for (std::size_t i = 0; i < m.contacts.size(); ++i) {
        const Touch touch = m.contacts[i]->touch(w.k);
        states[i].touching = touch.gap < 0;
        if (!states[i].touching) continue;
        any = true;
        reach = std::max(reach, touch.at.norm());
      }
      touching += any;
      if (!any) continue;
      std::vector<double> h(m.u_size(), 0.0);
      ForceSum sum{h.data(), m.ground(), {}};
      apply_contacts(m.contacts, w.k, sum, w.contacts);
      Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
      double size = 0, lever = reach;
      for (int b = 0; b < m.body_count(); ++b) {
        const SpatialFrame& f = w.k.spatial[b];
        const Eigen::Map<const Eigen::Matrix<double, 6, 1>> own(h.data() + 6 * b);
        force += own.head<3>();
        moment += f.r.cross(own.head<3>()) + f.R * own.tail<3>();
        size = std::max(size, own.head<3>().norm());
        lever = std::max(lever, f.r.norm());
      }
      EXPECT_LE(force.norm(), 1e-14 * size);
      EXPECT_LE(moment.norm(), 1e-14 * size * lever);
    }
    EXPECT_GE(touching, 20);
  }
}

}  // namespace
}  // namespace tappet::testing::momentum_test
