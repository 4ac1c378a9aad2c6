// A rattleback: rolling with friction in space. An ellipsoid whose inertia is skew to its surface, spun the wrong way, begins to pitch and
// turns its spin round; the other way it does not.
//
// Rolling alone [Kane & Levinson 1982]: with γ the upward normal and r from the centre of mass to the touching point, both in body axes,
//
//   v = r × ω,   J ω̇ + ω × J ω = r × m (d(r × ω)/dt + ω × (r × ω) + g γ),   γ̇ = γ × ω,   r = c − S²γ/√(γ·S²γ)
//
// with S the semi-axes and c the ellipsoid's middle. It is integrated here by itself, and has no friction law, gap or event.
#include <Eigen/Dense>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::rattleback_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

struct Rolling {
  Vector3d omega, gamma;
};

Matrix3d hat(const Vector3d& v) {
  Matrix3d m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

Rolling rates(const Rolling& s) {
  Matrix3d J;
  J << 2e-4, -2e-5, 0, -2e-5, 1.6e-3, 0, 0, 0, 1.7e-3;
  const Vector3d S2(0.04, 9e-4, 4e-4), c(0, 0, 0.01);
  const double m = 1, g = 9.81;
  const Vector3d gamma_dot = s.gamma.cross(s.omega), S2g = S2.cwiseProduct(s.gamma),
                 S2g_dot = S2.cwiseProduct(gamma_dot);
  const double root = std::sqrt(s.gamma.dot(S2g));
  const Vector3d r = c - S2g / root,
                 r_dot = -S2g_dot / root + S2g * S2g.dot(gamma_dot) / (root * root * root);
  const Vector3d v = r.cross(s.omega);
  const Vector3d right =
      m * r.cross(r_dot.cross(s.omega) + s.omega.cross(v) + g * s.gamma) - s.omega.cross(J * s.omega);
  return {(J - m * hat(r) * hat(r)).partialPivLu().solve(right), gamma_dot};
}

/// ω · γ, the spin, at t.
double rolling_spin(Rolling s, double t, int steps) {
  const double h = t / steps;
  const auto at = [&](const Rolling& k, double part) {
    return Rolling{s.omega + part * h * k.omega, s.gamma + part * h * k.gamma};
  };
  for (int n = 0; n < steps; ++n) {
    const Rolling a = rates(s), b = rates(at(a, 0.5)), c = rates(at(b, 0.5)), d = rates(at(c, 1));
    s.omega += h / 6 * (a.omega + 2 * b.omega + 2 * c.omega + d.omega);
    s.gamma += h / 6 * (a.gamma + 2 * b.gamma + 2 * c.gamma + d.gamma);
  }
  return s.omega.dot(s.gamma);
}

const Rolling start{{0, 0.05, -5}, {0, 0, 1}};

Recording run_stone(std::vector<std::string> settings) {
  const Recording r = run_example("rattleback/rattleback.yaml", settings);
  EXPECT_TRUE(r.summary.completed) << r.summary.stop_reason;
  return r;
}

TEST(Rattleback, EventDrivenRollsAndTurnsItsSpinRound) {
  const Recording r = run_stone({});
  for (double t : {1.0, 2.0, 4.0, 6.0})
    EXPECT_NEAR(r.value(t, "stone.wz"), rolling_spin(start, t, 40000), 1e-5) << t;
  EXPECT_EQ(r.value(0, "stone.wz"), -5);
  EXPECT_GT(r.last("stone.wz"), 4);
  EXPECT_LT(r.summary.energy_residual, 1e-7);
}

TEST(Rattleback, TheOtherWayItKeepsItsSpin) {
  const Recording r = run_stone({"bodies.stone.angular_velocity=[0, 0.05, 5]"});
  for (const auto& row : r.rows) ASSERT_GT(row[r.column("stone.wz")], 4.7) << row[0];
}

TEST(Rattleback, MoreauApproachesIt) {
  const double exact = rolling_spin(start, 1.2, 20000);
  double errors[2];
  int n = 0;
  for (const char* step : {"2e-4", "1e-4"}) {
    const Recording r = run_stone(
        {"simulation.method=moreau", std::string("simulation.step=") + step, "simulation.duration=1.2"});
    errors[n++] = std::abs(r.last("stone.wz") - exact);
    fmt::print("step {}: spin off by {:.2e} rad/s after 1.2 s\n", step, errors[n - 1]);
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 1, 0.2);

  // Round it goes with steps as well, and with sliding; energy only falls, but for the error of gyroscopic moments.
  const Recording sliding = run_stone(
      {"simulation.method=moreau", "simulation.step=2e-4", "contacts.table.friction.coefficient=0.3"});
  EXPECT_GT(sliding.last("stone.wz"), 1);
  EXPECT_GT(sliding.last("energy.friction_loss"), 1e-3);
  double lowest = HUGE_VAL, growth = 0;
  for (const auto& row : sliding.rows) {
    const double energy = row[sliding.column("energy.kinetic")] + row[sliding.column("energy.potential")];
    growth = std::max(growth, energy - lowest);
    lowest = std::min(lowest, energy);
  }
  EXPECT_LT(growth, 1e-6) << "J, of 0.02 that move";
}

TEST(Rattleback, ForceLawsAgreeOverTheFirstPart) {
  const Recording r =
      run_stone({"simulation.method=smooth", "simulation.duration=0.9", "simulation.tolerance=1e-6"});
  EXPECT_NEAR(r.last("stone.wz"), rolling_spin(start, 0.9, 20000), 1e-3);
}

}  // namespace
}  // namespace tappet::testing::rattleback_test
