// A flexible body's mass matrix and inertia forces against sums over the points that it is made of, and the balances of what it
// conserves.
#include "tappet/multibody/flexible_body.hpp"

#include <cmath>
#include <random>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <gtest/gtest.h>

namespace tappet::testing::flexible_body_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// n points with a mass matrix M_s that couples them, as shape functions do, and m shapes; amplitudes as large as the body.
struct Cloud {
  int n = 25, m = 7;
  bool planar;
  MatrixXd mass, x;             // n × n; n × 3
  std::array<MatrixXd, 3> phi;  // n × m
  FlexibleBodies bodies;

  explicit Cloud(bool in_plane, bool second_order = false, unsigned seed = 3) : planar(in_plane) {
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal;
    const auto random = [&](int rows, int columns, double size) {
      MatrixXd out(rows, columns);
      for (double& each : out.reshaped()) each = size * normal(engine);
      return out;
    };
    const MatrixXd root = random(n, n, 1);
    mass = 0.1 * (root * root.transpose() / n + MatrixXd::Identity(n, n));
    x = random(n, 3, 1);
    for (auto& each : phi) each = random(n, m, 0.3);
    if (planar) x.col(2).setZero(), phi[2].setZero();

    FlexibleIntegrals in = FlexibleIntegrals::zero(m);
    const VectorXd one = VectorXd::Ones(n);
    in.mass = one.dot(mass * one);
    in.first = x.transpose() * mass * one;
    in.second = x.transpose() * mass * x;
    for (int a = 0; a < 3; ++a) {
      in.p.row(a) = one.transpose() * mass * phi[a];
      for (int b = 0; b < 3; ++b) {
        in.X[a][b] = (x.col(a).transpose() * mass * phi[b]).transpose();
        in.S[a][b] = phi[a].transpose() * mass * phi[b];
      }
    }
    in.stiffness = VectorXd::LinSpaced(m, 2, 9).asDiagonal();
    in.stiffness *= in.mass;
    if (second_order)
      for (int a = 0; a < (planar ? 2 : 3); ++a) {
        const auto symmetric = [&] {
          const MatrixXd each = random(m, m, 0.2);
          return MatrixXd(0.5 * (each + each.transpose()));
        };
        if (in.C[0].size() == 0)
          for (int i = 0; i < 3; ++i) {
            in.C[i] = MatrixXd::Zero(m, m);
            for (int j = 0; j < 3; ++j) in.X2[i][j] = MatrixXd::Zero(m, m);
          }
        in.C[a] = symmetric();
        for (int b = 0; b < (planar ? 2 : 3); ++b) in.X2[a][b] = symmetric();
      }
    FlexibleBody body;
    prepare(body, in);
    for (auto& each : phi) each = (each * body.given).eval();
    body.interface = 1;
    bodies.bodies = {body};
    bodies.modes = m;
    bodies.rigid = 1;
  }
  const FlexibleBody& body() const { return bodies.bodies[0]; }
  int width() const { return planar ? 3 : 6; }

  // q and u at random, the first coordinates those of the frame.
  void draw(std::mt19937& engine, VectorXd& q, VectorXd& u, double size) const {
    std::normal_distribution<double> normal;
    q.resize((planar ? 3 : 7) + m), u.resize(width() + m);
    for (double& each : q) each = normal(engine);
    for (double& each : u) each = normal(engine);
    if (!planar) q.segment<4>(3).normalize();
    q.tail(m) *= size, u.tail(m) *= size;
  }
  Kinematics at(const VectorXd& q, const VectorXd& u) const {
    Kinematics k;
    resize(k, planar ? Dimension::planar : Dimension::spatial, 1, bodies);
    update_kinematics(k, 0, q.data(), u.data(), nullptr);
    return k;
  }
  MatrixXd matrix(const FlexibleInstant& i) const {
    MatrixXd M = MatrixXd::Identity(width() + m, width() + m);
    M.topLeftCorner(width(), width()) = i.rigid.topLeftCorner(width(), width());
    M.topRightCorner(width(), m) = i.B.topRows(width());
    M.bottomLeftCorner(m, width()) = i.B.topRows(width()).transpose();
    return M;
  }
  // All forces, those of the undeformed rigid body included, as dynamics.cpp adds them.
  VectorXd forces(const FlexibleInstant& i, const Kinematics& k, const Vec3& gravity) const {
    VectorXd h(width() + m);
    h.head(width()) = i.h.head(width());
    h.tail(m) = i.hq;
    for (int a = 0; a < (planar ? 2 : 3); ++a) h[a] += body().mass * gravity[a];
    if (!planar) h.segment<3>(3) -= k.spatial[0].w_body.cross(body().J0 * k.spatial[0].w_body);
    return h;
  }
};

Mat3 axes(const Kinematics& k, bool planar) {
  if (!planar) return k.spatial[0].R;
  Mat3 R = Mat3::Identity();
  R.topLeftCorner<2, 2>() << k.planar[0].c, -k.planar[0].s, k.planar[0].s, k.planar[0].c;
  return R;
}

TEST(FlexibleBody, HasTheMassMatrixAndTheInertiaForcesOfItsPoints) {
  for (const bool planar : {false, true}) {
    const Cloud cloud(planar);
    std::mt19937 engine(11);
    for (int trial = 0; trial < 5; ++trial) {
      VectorXd q, u;
      cloud.draw(engine, q, u, 1);
      const Kinematics k = cloud.at(q, u);
      const Vec3 gravity = planar ? Vec3(1, -3, 0) : Vec3(1, -3, 2);
      FlexibleInstant instant(cloud.body());
      evaluate_flexible(cloud.body(), k, gravity, false, instant);

      // Jacobian of the points' velocities in body axes, and their accelerations at u̇ = 0.
      const Mat3 R = axes(k, planar);
      const Vec3 w = planar ? Vec3(0, 0, k.planar[0].w) : k.spatial[0].w_body;
      const int columns = cloud.width() + cloud.m;
      MatrixXd B = MatrixXd::Zero(3 * cloud.n, columns);
      VectorXd acceleration(3 * cloud.n), weight(3 * cloud.n);
      for (int i = 0; i < cloud.n; ++i) {
        Vec3 place = cloud.x.row(i).transpose(), rate = Vec3::Zero();
        for (int a = 0; a < 3; ++a) {
          place[a] += cloud.phi[a].row(i).dot(q.tail(cloud.m));
          rate[a] = cloud.phi[a].row(i).dot(u.tail(cloud.m));
          B.row(3 * i + a).tail(cloud.m) = cloud.phi[a].row(i);
        }
        const int linear = planar ? 2 : 3;
        B.block(3 * i, 0, 3, linear) = R.transpose().leftCols(linear);
        if (planar)
          B.block(3 * i, 2, 3, 1) = Vec3(-place.y(), place.x(), 0);
        else
          for (int a = 0; a < 3; ++a) B.block(3 * i, 3 + a, 3, 1) = Vec3(Vec3::Unit(a).cross(place));
        acceleration.segment<3>(3 * i) = w.cross(w.cross(place)) + 2 * w.cross(rate);
        weight.segment<3>(3 * i) = R.transpose() * gravity;
      }
      MatrixXd mass = MatrixXd::Zero(3 * cloud.n, 3 * cloud.n);
      for (int i = 0; i < cloud.n; ++i)
        for (int j = 0; j < cloud.n; ++j)
          for (int a = 0; a < 3; ++a) mass(3 * i + a, 3 * j + a) = cloud.mass(i, j);

      const MatrixXd M = B.transpose() * mass * B;
      EXPECT_LT((M - cloud.matrix(instant)).norm(), 1e-13 * M.norm()) << planar;
      const VectorXd h = B.transpose() * mass * (weight - acceleration);
      EXPECT_LT((h - cloud.forces(instant, k, gravity)).norm(), 1e-13 * h.norm()) << planar;

      const double energy = 0.5 * u.dot(M * u);
      const double rigid =
          planar ? 0.5 * (cloud.body().mass * k.planar[0].v.squaredNorm() +
                          cloud.body().J0(2, 2) * k.planar[0].w * k.planar[0].w)
                 : 0.5 * (cloud.body().mass * k.spatial[0].v.squaredNorm() + w.dot(cloud.body().J0 * w));
      EXPECT_NEAR(rigid + flexible_kinetic_energy(cloud.body(), k), energy, 1e-13 * energy);
    }
  }
}

// Energy, momentum and angular momentum about the origin of world axes.
VectorXd balances(const Cloud& cloud, const VectorXd& q, const VectorXd& u) {
  const Kinematics k = cloud.at(q, u);
  FlexibleInstant instant(cloud.body());
  evaluate_flexible(cloud.body(), k, Vec3::Zero(), true, instant);
  const VectorXd momenta = cloud.matrix(instant) * u;
  VectorXd out(7);
  out[0] = 0.5 * u.dot(momenta) + flexible_potential_energy(cloud.body(), k, Vec3::Zero());
  Vec3 linear = Vec3::Zero(), angular, r = Vec3::Zero();
  if (cloud.planar) {
    linear.head<2>() = momenta.head<2>();
    angular = Vec3(0, 0, momenta[2]);
    r.head<2>() = k.planar[0].r;
  } else {
    linear = momenta.head<3>();
    angular = k.spatial[0].R * Vec3(momenta.segment<3>(3));
    r = k.spatial[0].r;
  }
  out.segment<3>(1) = linear;
  out.tail<3>() = angular + r.cross(linear);
  return out;
}

// Largest relative change of the balances over 4 s of free motion in so many steps of the classical Runge–Kutta scheme.
double drift(const Cloud& cloud, VectorXd q, VectorXd u, int steps) {
  const VectorXd before = balances(cloud, q, u);
  const auto rates = [&](const VectorXd& at_q, const VectorXd& at_u, VectorXd& dq, VectorXd& du) {
    const Kinematics k = cloud.at(at_q, at_u);
    FlexibleInstant instant(cloud.body());
    evaluate_flexible(cloud.body(), k, Vec3::Zero(), true, instant);
    du = cloud.matrix(instant).partialPivLu().solve(cloud.forces(instant, k, Vec3::Zero()));
    dq.resize(at_q.size());
    position_rates(k.dimension, 1, at_q.data(), at_u.data(), dq.data());
    dq.tail(cloud.m) = at_u.tail(cloud.m);
  };
  const double h = 4.0 / steps;
  VectorXd q1, q2, q3, q4, u1, u2, u3, u4;
  for (int n = 0; n < steps; ++n) {
    rates(q, u, q1, u1);
    rates(q + h / 2 * q1, u + h / 2 * u1, q2, u2);
    rates(q + h / 2 * q2, u + h / 2 * u2, q3, u3);
    rates(q + h * q3, u + h * u3, q4, u4);
    q += h / 6 * (q1 + 2 * q2 + 2 * q3 + q4);
    u += h / 6 * (u1 + 2 * u2 + 2 * u3 + u4);
  }
  const VectorXd change = balances(cloud, q, u) - before;
  return std::max({std::abs(change[0] / before[0]), change.segment<3>(1).norm() / before.segment<3>(1).norm(),
                   change.tail<3>().norm() / before.tail<3>().norm()});
}

TEST(FlexibleBody, KeepsEnergyAndMomentaInFreeMotionAtTheOrderOfTheScheme) {
  for (const bool planar : {false, true}) {
    const Cloud cloud(planar, true);
    std::mt19937 engine(5);
    VectorXd q, u;
    // Small enough that the mass matrix with its second-order parts stays definite.
    cloud.draw(engine, q, u, 0.05);
    const double coarse = drift(cloud, q, u, 400), fine = drift(cloud, q, u, 800);
    EXPECT_LT(fine, 1e-7) << planar;
    EXPECT_GT(coarse / fine, 10) << "planar " << planar << ": " << coarse << ", " << fine;
  }
}

TEST(FlexibleBody, SaysWhatDoesNotFitTogether) {
  FlexibleIntegrals in = FlexibleIntegrals::zero(2);
  in.mass = 1;
  in.S[0][0] = MatrixXd::Identity(2, 2);
  in.stiffness << 1, 0, 0, -1;
  FlexibleBody body;
  EXPECT_THROW(prepare(body, in), std::runtime_error);
  in.stiffness(1, 1) = 1;
  EXPECT_NO_THROW(prepare(body, in));
  in.S[0][0](1, 1) = 0;
  EXPECT_THROW(prepare(body, in), std::runtime_error);
}

}  // namespace
}  // namespace tappet::testing::flexible_body_test
