// Laws with a stick state on one-dimensional problems with known answers, driven the way stick_slip.hpp
// describes.

#include "tappet/contact/stick_slip.hpp"

#include <cmath>
#include <functional>
#include <numbers>

#include "unit/contact/law_fixture.hpp"

namespace tappet::test::stick_slip_test {
namespace {

// A block on a belt of speed V: m ẍ = pull(x) − F_N μ d, classical Runge–Kutta with events located by
// bisection.
struct Block {
  double mass = 1, normal = 1, belt = 0;
  std::function<double(double x)> pull;
  double x = 0, v = 0, t = 0;
  StickSlip mode = {};

  Tangential relative(double velocity) const { return {velocity - belt, 0}; }
  Tangential holding(double position) const { return {-pull(position), 0}; }

  void start(const FrictionLaw& law) {
    mode = begin_contact(law, relative(v));
    if (mode.sticking) settle_here(law);
  }
  bool settle_here(const FrictionLaw& law) {
    v = belt;
    return settle(law, mode, normal, holding(x));
  }

  std::pair<double, double> advanced(const FrictionLaw& law, double dt) const {
    if (mode.sticking) return {x + belt * dt, belt};
    const auto rate = [&](double px, double pv) {
      const double friction = -normal * slip_coefficient(law, mode, relative(pv))[0];
      return std::pair{pv, (pull(px) + friction) / mass};
    };
    const auto [x1, v1] = rate(x, v);
    const auto [x2, v2] = rate(x + 0.5 * dt * x1, v + 0.5 * dt * v1);
    const auto [x3, v3] = rate(x + 0.5 * dt * x2, v + 0.5 * dt * v2);
    const auto [x4, v4] = rate(x + dt * x3, v + dt * v3);
    return {x + dt * (x1 + 2 * x2 + 2 * x3 + x4) / 6, v + dt * (v1 + 2 * v2 + 2 * v3 + v4) / 6};
  }
  double margin_after(const FrictionLaw& law, double dt) const {
    const auto [px, pv] = advanced(law, dt);
    return margin(law, mode, relative(pv), normal, holding(px));
  }

  /// One step, cut back to an event; true when the mode ended there (the block then sticks or has let go).
  bool step(const FrictionLaw& law, double dt) {
    bool event = false;
    if (margin_after(law, dt) < 0) {
      double low = 0, high = dt;
      for (int k = 0; k < 80; ++k) {
        const double middle = 0.5 * (low + high);
        (margin_after(law, middle) < 0 ? high : low) = middle;
      }
      dt = high;
      event = true;
    }
    std::tie(x, v) = advanced(law, dt);
    t += dt;
    if (!event) {
      accept(law, mode, relative(v));
    } else if (mode.sticking) {
      release(mode, holding(x));
    } else {
      settle_here(law);
    }
    return event;
  }
};

const std::vector<std::string> exact_laws = {"{law: coulomb, coefficient: MU}",
                                             "{law: rooney-deravi, coefficient: MU}"};
const std::vector<std::string> banded_laws = {
    "{law: rooney-deravi, coefficient: MU, stick_velocity: 0.1 mm/s}",
    "{law: karnopp, static: MU, dynamic: MU, stick_velocity: 0.1 mm/s}",
    "{law: modified-karnopp, static: MU, dynamic: MU, stick_velocity: 0.1 mm/s, friction_velocity: 1}"};

std::unique_ptr<FrictionLaw> with_coefficient(std::string yaml, double mu) {
  for (auto at = yaml.find("MU"); at != std::string::npos; at = yaml.find("MU"))
    yaml.replace(at, 2, fmt::format("{:.17g}", mu));
  return friction_law(yaml);
}

Block on_incline(double degrees, double v0) {
  const double angle = degrees * std::numbers::pi / 180;
  return {.normal = 9.81 * std::cos(angle), .pull = [=](double) { return -9.81 * std::sin(angle); }, .v = v0};
}

// Benchmark "Incline 20°, v0 = 3 m/s up": μ = 0.4 stops and sticks, μ = 0.3 comes back.
TEST(StickSlip, InclineStopsAndHolds) {
  for (const std::string& yaml : exact_laws) {
    const auto law = with_coefficient(yaml, 0.4);
    Block block = on_incline(20, 3);
    block.start(*law);
    while (!block.step(*law, 1e-3)) ASSERT_LT(block.t, 1);
    EXPECT_NEAR(block.t, 0.425980768715, 1e-12) << yaml;
    EXPECT_TRUE(block.mode.sticking);
    const double x = block.x;
    for (int k = 0; k < 1000; ++k) EXPECT_FALSE(block.step(*law, 1e-3));
    EXPECT_EQ(block.x, x);
  }
}

TEST(StickSlip, InclineLetsGoAndReturns) {
  for (const std::string& yaml : exact_laws) {
    const auto law = with_coefficient(yaml, 0.3);
    Block block = on_incline(20, 3);
    block.start(*law);
    while (!block.step(*law, 1e-3)) ASSERT_LT(block.t, 1);
    EXPECT_FALSE(block.mode.sticking);  // the friction angle is 16.7°
    while (block.x > 0) {
      const double before_x = block.x, before_v = block.v, before_t = block.t;
      block.step(*law, 1e-3);
      if (block.x > 0) continue;
      // Constant acceleration on the way down: the return by its closed form.
      const double a = (block.v - before_v) / (block.t - before_t);
      const double dt = (-before_v - std::sqrt(before_v * before_v - 2 * a * before_x)) / a;
      EXPECT_NEAR(before_t + dt, 2.069213819486, 1e-11) << yaml;
      EXPECT_NEAR(before_v + a * dt, -0.931184889712, 1e-11) << yaml;
    }
  }
}

TEST(StickSlip, InclineWithinABand) {
  for (const std::string& yaml : banded_laws) {
    const auto law = with_coefficient(yaml, 0.4);
    Block block = on_incline(20, 3);
    block.start(*law);
    while (!block.step(*law, 1e-3)) ASSERT_LT(block.t, 1);
    // It stops when the speed reaches the band, 0.1 mm/s early.
    EXPECT_NEAR(block.t, 0.425980768715 * (1 - 1e-4 / 3), 1e-11) << yaml;
    EXPECT_TRUE(block.mode.sticking);
    const double x = block.x;
    for (int k = 0; k < 1000; ++k) EXPECT_FALSE(block.step(*law, 1e-3));
    EXPECT_EQ(block.x, x);
  }
}

TEST(StickSlip, StartsFromRestOnlyAboveTheFrictionAngle) {
  std::vector<std::string> all = exact_laws;
  all.insert(all.end(), banded_laws.begin(), banded_laws.end());
  for (const std::string& yaml : all) {
    const auto law = with_coefficient(yaml, 0.3);
    const double angle = std::atan(0.3) * 180 / std::numbers::pi;
    Block below = on_incline(angle - 1e-6, 0), above = on_incline(angle + 1e-3, 0);
    below.start(*law), above.start(*law);
    for (int k = 0; k < 2000; ++k) below.step(*law, 1e-3), above.step(*law, 1e-3);
    EXPECT_TRUE(below.mode.sticking) << yaml;
    EXPECT_EQ(below.x, 0) << yaml;
    // a = 9.81 (sin − 0.3 cos) downhill, 2 s.
    const double slope = (angle + 1e-3) * std::numbers::pi / 180;
    EXPECT_NEAR(above.x, -0.5 * 9.81 * (std::sin(slope) - 0.3 * std::cos(slope)) * 4, 1e-12) << yaml;
  }
}

// Benchmark "Friction oscillator".
TEST(StickSlip, OscillatorStopsAfterItsTurningPoints) {
  for (const std::string& yaml : exact_laws) {
    const auto law = with_coefficient(yaml, 0.1);
    Block block{.normal = 10, .pull = [](double x) { return -1e4 * x; }, .x = 0.85e-3};
    block.start(*law);
    EXPECT_FALSE(block.mode.sticking);
    std::vector<double> turns;
    while (!block.mode.sticking) {
      if (block.step(*law, 1e-5)) turns.push_back(block.x * 1e3);
      ASSERT_LT(block.t, 1);
    }
    ASSERT_EQ(turns.size(), 4u);
    const double expected[] = {-0.65, 0.45, -0.25, 0.05};
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(turns[k], expected[k], 1e-9) << yaml;
    EXPECT_NEAR(block.t, 0.125663706144, 1e-9) << yaml;
  }
}

// Benchmark "Stick-slip on a belt".
TEST(StickSlip, BeltHasItsPeriod) {
  const auto law = friction_law("{law: coulomb, coefficient: 0.5, static: 1}");
  Block block{.belt = 0.2, .pull = [](double x) { return -x; }, .v = 0.2};
  block.start(*law);
  ASSERT_TRUE(block.mode.sticking);
  double released = 0, period = 0;
  for (int cycle = 0; cycle < 3; ++cycle) {
    while (!(block.step(*law, 1e-3) && !block.mode.sticking)) ASSERT_LT(block.t, 100);
    period = block.t - released;
    released = block.t;
  }
  EXPECT_NEAR(period, 8.902605407815, 1e-10);
}

TEST(StickSlip, SpatialSlidingTurnsWithTheVelocityAndStopsTogether) {
  // Two components, constant cross force: the force is along −v, and margin() sees the stop.
  const auto law = friction_law("{law: coulomb, coefficient: 0.5}");
  StickSlip mode = begin_contact(*law, {3, 4});
  EXPECT_NEAR(mode.direction[0], 0.6, 1e-15);
  const Tangential mu = slip_coefficient(*law, mode, {4, 3});
  EXPECT_NEAR(mu[0], 0.4, 1e-15);
  EXPECT_NEAR(mu[1], 0.3, 1e-15);
  accept(*law, mode, {4, 3});
  EXPECT_NEAR(mode.direction[1], 0.6, 1e-15);
  EXPECT_GT(margin(*law, mode, {1e-9, 1e-9}, 1, {}), 0);
  EXPECT_LT(margin(*law, mode, {-1e-9, -1e-9}, 1, {}), 0);
  EXPECT_FALSE(settle(*law, mode, 1, {0.6, -0.8}));
  EXPECT_NEAR(mode.direction[0], -0.6, 1e-15);
  EXPECT_TRUE(settle(*law, mode, 1, {0.3, 0.3}));
}

}  // namespace
}  // namespace tappet::test::stick_slip_test
