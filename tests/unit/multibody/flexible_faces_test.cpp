// A ball on faces: nearest points of triangles against a search over their points, and rows that are the velocities they stand for.
#include "tappet/multibody/flexible_faces.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace tappet::testing::flexible_faces_test {
namespace {

TEST(FlexibleFaces, NearestPointOfATriangleIsThatOfASearch) {
  const Vec3 a(0.1, -0.2, 0.3), b(1.2, 0.1, 0.2), c(0.4, 0.9, -0.1);
  for (int n = 0; n < 200; ++n) {
    const Vec3 p(std::sin(1.7 * n) * 1.5, std::cos(2.3 * n) * 1.5, std::sin(0.9 * n + 1));
    const auto w = nearest_on_triangle(p, a, b, c);
    EXPECT_NEAR(w[0] + w[1] + w[2], 1, 1e-14);
    for (const double each : w) EXPECT_GE(each, 0);
    const double distance = (w[0] * a + w[1] * b + w[2] * c - p).norm();
    double least = HUGE_VAL;
    constexpr int grid = 60;
    for (int i = 0; i <= grid; ++i)
      for (int j = 0; i + j <= grid; ++j) {
        const double u = double(i) / grid, v = double(j) / grid;
        least = std::min(least, (u * a + v * b + (1 - u - v) * c - p).norm());
      }
    EXPECT_LE(distance, least + 1e-14) << n;
    EXPECT_GE(distance, least - 2.0 / grid) << n;
  }
}

// A body of one triangle, whose nodes move by three modes; a ball above it.
struct Case {
  FlexibleBodies all;
  Kinematics k;
  Case() {
    FlexibleBody body;
    body.body = 0, body.modes = 3, body.interface = 2;
    const Vec3 x[3] = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
    for (int n = 0; n < 3; ++n) {
      FlexibleInterface node;
      node.node = n, node.position = x[n];
      node.translation = Eigen::MatrixXd::Zero(3, 3);
      node.translation.col(n) = Vec3(0.1 * n, -0.2, 1);
      body.interfaces.push_back(node);
    }
    auto faces = std::make_shared<FlexibleFaces>();
    faces->triangles = {{0, 1, 2}}, faces->probe = 1, faces->centre = Vec3(0.1, 0, 0);
    FlexibleInterface foot;
    foot.translation = foot.rotation = Eigen::MatrixXd::Zero(3, 3);
    foot.faces = faces, foot.foot = 0;
    body.interfaces.push_back(foot);
    all.bodies = {body};
    all.modes = 3, all.carried = 4, all.feet = 1, all.rigid = 2;
    resize(k, Dimension::spatial, 2, all);
  }
  void place(const std::vector<double>& q, const std::vector<double>& u) {
    update_kinematics(k, 0, q.data(), u.data(), nullptr);
  }
};

TEST(FlexibleFaces, GapChangesAsTheRateAndTheRowsOfTheFootSay) {
  Case c;
  std::vector<double> q = {0.1, 0.2, 0.3, 0.9, 0.1, -0.2, 0.3,   0.5, 0.6,
                           0.9, 1,   0.1, 0.1, 0,   0.02, -0.03, 0.05};
  for (int b = 0; b < 2; ++b) Eigen::Map<Eigen::Vector4d>(q.data() + 7 * b + 3).normalize();
  const std::vector<double> u = {0.3,  -0.1, 0.2, 0.5, 0.4, -0.6, -0.2, 0.1,
                                 -0.8, 0.3,  0.2, 0.1, 0.4, -0.3, 0.7};
  const FaceContact contact(c.all.bodies[0].interface + 3, 1, Vec3(0.1, 0, 0), 0.2);
  c.place(q, u);
  const Touch now = contact.find_touch(c.k);
  const auto gap_at = [&](double time) {
    std::vector<double> moved = q, d(12);
    for (int i = 0; i < 12; ++i) d[i] = time * u[i];
    displace(Dimension::spatial, 2, moved.data(), d.data());
    for (int i = 0; i < 3; ++i) moved[14 + i] += time * u[12 + i];
    c.place(moved, u);
    return contact.find_touch(c.k).gap;
  };
  const double h = 1e-5;
  EXPECT_NEAR(now.rate, (gap_at(h) - gap_at(-h)) / (2 * h), 1e-8);
  // The velocity of the foot, which the mean of its nodes' says, is what its rows say.
  c.place(q, u);
  CarriedInstant at(c.all.bodies[0]);
  evaluate_carried(c.all.bodies[0], c.all.bodies[0].interfaces[3], c.k, at);
  double v[6];
  carried_velocity(at, c.k, 0, u.data(), u.data() + 12, v);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(v[i], c.k.spatial[5].v[i], 1e-14);
  EXPECT_LT((c.k.spatial[0].point(at.d) - c.k.spatial[5].r).norm(), 1e-14);
}

}  // namespace
}  // namespace tappet::testing::flexible_faces_test
