// Interfaces: their velocities and accelerations against differences of their places, and their forces against both.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tappet/multibody/flexible_body.hpp"

namespace tappet::testing::flexible_interface_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

FlexibleBodies random_body(bool planar, std::mt19937& engine) {
  std::normal_distribution<double> normal;
  const int m = 5;
  const auto random = [&](int rows, double size) {
    MatrixXd out(rows, m);
    for (double& each : out.reshaped()) each = size * normal(engine);
    return out;
  };
  FlexibleBodies out;
  FlexibleBody body;
  body.modes = out.modes = m;
  body.interface = out.rigid = out.carried = 1;
  FlexibleInterface at;
  at.name = "a";
  at.position = Vec3(0.3, -0.7, planar ? 0 : 0.4);
  at.angle = 0.6;
  at.orientation = Eigen::AngleAxisd(0.8, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  at.translation = random(3, 1);
  at.rotation = random(3, 1);
  for (auto* list : {&at.shift, &at.turn})
    for (MatrixXd& each : *list) {
      each = random(m, 0.3);
      each = (each + each.transpose()).eval();
    }
  body.interfaces = {at};
  out.bodies = {body};
  return out;
}

class Moving {
 public:
  explicit Moving(bool planar) : planar_(planar) {
    std::mt19937 engine(7);
    bodies_ = random_body(planar, engine);
    std::normal_distribution<double> normal;
    q_.resize((planar ? 3 : 7) + 5), u_.resize(width() + 5), a_.resize(width() + 5);
    for (VectorXd* each : {&q_, &u_, &a_})
      for (double& x : *each) x = normal(engine);
    if (!planar) q_.segment<4>(3).normalize();
    q_.tail(5) *= 0.4;
  }
  int width() const { return planar_ ? 3 : 6; }
  // The state at t when u grows as a t, by many small steps.
  Kinematics at(double t) const {
    const Dimension dimension = planar_ ? Dimension::planar : Dimension::spatial;
    VectorXd q = q_;
    constexpr int steps = 40;
    for (int n = 0; n < steps; ++n) {
      const VectorXd u = u_ + a_ * (t * (n + 0.5) / steps), d = u * (t / steps);
      displace(dimension, 1, q.data(), d.data());
      q.tail(5) += d.tail(5);
    }
    const VectorXd u = u_ + a_ * t;
    Kinematics k;
    resize(k, dimension, 1, bodies_);
    update_kinematics(k, 0, q.data(), u.data(), nullptr);
    return k;
  }
  const FlexibleBodies& bodies() const { return bodies_; }
  const VectorXd& u() const { return u_; }
  const VectorXd& a() const { return a_; }

 private:
  bool planar_;
  FlexibleBodies bodies_;
  VectorXd q_, u_, a_;
};

VectorXd velocity(const Kinematics& k) {
  VectorXd out(k.dimension == Dimension::planar ? 3 : 6);
  if (out.size() == 3)
    out << k.planar[1].v, k.planar[1].w;
  else
    out << k.spatial[1].v, k.spatial[1].w_body;
  return out;
}

TEST(FlexibleInterface, MovesAsItsPlacesDo) {
  for (const bool planar : {false, true}) {
    const Moving moving(planar);
    const double h = 1e-3;
    const Kinematics now = moving.at(0), p1 = moving.at(h), m1 = moving.at(-h), p2 = moving.at(2 * h),
                     m2 = moving.at(-2 * h);
    const auto rate = [&](auto&& of) {
      return ((8 * (of(p1) - of(m1)) - (of(p2) - of(m2))) / (12 * h)).eval();
    };
    if (planar) {
      const Vec2 v = rate([](const Kinematics& k) { return k.planar[1].r; });
      EXPECT_LT((v - now.planar[1].v).norm(), 1e-9);
      const double w =
          (8 * (p1.planar[1].theta - m1.planar[1].theta) - (p2.planar[1].theta - m2.planar[1].theta)) /
          (12 * h);
      EXPECT_NEAR(w, now.planar[1].w, 1e-9);
    } else {
      const Vec3 v = rate([](const Kinematics& k) { return k.spatial[1].r; });
      EXPECT_LT((v - now.spatial[1].v).norm(), 1e-8);
      const Mat3 W = now.spatial[1].R.transpose() * rate([](const Kinematics& k) { return k.spatial[1].R; });
      EXPECT_LT((Vec3(W(2, 1), W(0, 2), W(1, 0)) - now.spatial[1].w_body).norm(), 1e-8);
    }
    // u̇_I = A u̇ + drift, and u_I = A u.
    const FlexibleBody& body = moving.bodies().bodies[0];
    CarriedInstant at(body);
    evaluate_carried(body, body.interfaces[0], now, at);
    const int width = moving.width();
    VectorXd moved(width), accelerated(width);
    carried_velocity(at, now, 0, moving.u().data(), moving.u().data() + width, moved.data());
    EXPECT_LT((moved - velocity(now)).norm(), 1e-12);
    carried_velocity(at, now, 0, moving.a().data(), moving.a().data() + width, accelerated.data());
    for (int i = 0; i < width; ++i) {
      VectorXd row = VectorXd::Unit(width, i);
      accelerated[i] += drift_along(at, now.dimension, row.data());
      // Rows and forces are A by rows.
      VectorXd of_row = VectorXd::Zero(width + 5), rigid = VectorXd::Zero(width), elastic = VectorXd::Zero(5);
      add_carried_rows(at, now, 0, 1, row.data(), of_row.data());
      add_carried_force(at, now, 0, row.data(), rigid.data(), elastic.data());
      EXPECT_NEAR(of_row.dot(moving.u()), moved[i], 1e-12);
      EXPECT_NEAR(rigid.dot(moving.u().head(width)) + elastic.dot(moving.u().tail(5)), moved[i], 1e-12);
    }
    const VectorXd expected = rate([](const Kinematics& k) { return velocity(k); });
    EXPECT_LT((accelerated - expected).norm(), 1e-8 * expected.norm()) << planar;
  }
}

}  // namespace
}  // namespace tappet::testing::flexible_interface_test
