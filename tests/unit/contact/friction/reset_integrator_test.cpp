// The bristle holds, gives way and holds again.

#include <array>

#include "unit/contact/law_fixture.hpp"

namespace tappet::test::reset_integrator_test {
namespace {

struct BristleBlock {
  double normal = 1, pull = 0;
  double x = 0, v = 0, p = 0, t = 0;
  bool sliding = false;
  int events = 0;

  std::array<double, 3> advanced(const FrictionLaw& law, double dt) const {
    const auto rate = [&](const std::array<double, 3>& y) {
      const BristleOutput out = law.bristle(sliding, {y[1], 0}, {y[2], 0});
      return std::array{y[1], pull - normal * out.coefficient[0], out.deflection_rate[0]};
    };
    const std::array y{x, v, p};
    const auto along = [&](const std::array<double, 3>& k, double h) {
      return std::array{y[0] + h * k[0], y[1] + h * k[1], y[2] + h * k[2]};
    };
    const auto k1 = rate(y), k2 = rate(along(k1, dt / 2)), k3 = rate(along(k2, dt / 2)),
               k4 = rate(along(k3, dt));
    std::array<double, 3> next;
    for (int i = 0; i < 3; ++i) next[i] = y[i] + dt * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) / 6;
    return next;
  }
  void step(const FrictionLaw& law, double dt) {
    const auto margin_after = [&](double h) {
      const auto y = advanced(law, h);
      return law.bristle(sliding, {y[1], 0}, {y[2], 0}).margin;
    };
    bool event = false;
    if (margin_after(dt) < 0) {
      double low = 0, high = dt;
      for (int k = 0; k < 80; ++k) {
        const double middle = 0.5 * (low + high);
        (margin_after(middle) < 0 ? high : low) = middle;
      }
      dt = high;
      event = true;
    }
    const auto y = advanced(law, dt);
    x = y[0], v = y[1], p = y[2], t += dt;
    if (event) {
      sliding = !sliding;
      p = law.bristle_reset(sliding, {p, 0})[0];
      ++events;
    }
  }
};

TEST(ResetIntegrator, HoldsWithoutCreepBelowTheFrictionAngle) {
  const auto law = friction_law("{law: reset-integrator, static: 0.3, dynamic: 0.2}");
  BristleBlock block{.normal = 9.81, .pull = -0.28 * 9.81};
  for (int k = 0; k < 20000; ++k) block.step(*law, 1e-5);
  const double x = block.x;
  // At rest where the bristle carries the load, 0.28/0.3 of its deflection.
  EXPECT_NEAR(x, -1e-6 * 0.28 / 0.3, 1e-12);
  for (int k = 0; k < 100000; ++k) block.step(*law, 1e-5);
  EXPECT_NEAR(block.x, x, 1e-18);
  EXPECT_EQ(block.events, 0);
}

TEST(ResetIntegrator, SlidesAboveItAndHoldsAgain) {
  const auto law = friction_law("{law: reset-integrator, static: 0.3, dynamic: 0.2, damping_time: 0}");
  BristleBlock block{.normal = 10, .pull = -3.1};
  while (block.events == 0) block.step(*law, 1e-5);
  const double v0 = block.v, t0 = block.t;
  for (int k = 0; k < 1000; ++k) block.step(*law, 1e-4);
  // Sliding: the acceleration is −3.1 + 0.2 · 10.
  EXPECT_NEAR(block.v, v0 - 1.1 * (block.t - t0), 1e-12);
  EXPECT_EQ(block.events, 1);
  // Without the pull it stops as Coulomb's block does, then rings on its bristle without sliding.
  block.pull = 0;
  const double stop = block.t - block.v / (0.2 * 10);
  while (block.events == 1) block.step(*law, 1e-4);
  EXPECT_NEAR(block.t, stop, 1e-9);
  for (int k = 0; k < 20000; ++k) block.step(*law, 1e-5);
  EXPECT_FALSE(block.sliding);
  EXPECT_EQ(block.events, 2);
}

TEST(ResetIntegrator, InSpaceTheDeflectionTurnsIntoTheVelocity) {
  const auto law = friction_law("{law: reset-integrator, static: 0.3, dynamic: 0.2}");
  Tangential p{1e-6, 0};
  const Tangential v{0, 1};
  // dφ/dt = |v| cos φ/p₀ with φ the angle of p: nearly along v after a few p₀.
  for (int k = 0; k < 100000; ++k) {
    const BristleOutput out = law->bristle(true, v, p);
    EXPECT_NEAR(out.deflection_rate[0] * p[0] + out.deflection_rate[1] * p[1], 0, 1e-20);
    EXPECT_GE(out.coefficient[0] * v[0] + out.coefficient[1] * v[1], 0);
    p = law->bristle_reset(true,
                           {p[0] + 1e-10 * out.deflection_rate[0], p[1] + 1e-10 * out.deflection_rate[1]});
  }
  EXPECT_NEAR(p[1], 1e-6, 1e-12);
}

}  // namespace
}  // namespace tappet::test::reset_integrator_test
