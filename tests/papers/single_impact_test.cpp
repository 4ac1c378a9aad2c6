// Single impacts through the whole program, against what theory says of them.
//
// A body at rest in the middle of its bearing is pushed for a millisecond, flies to the wall and rebounds:
// m r̈ = −F(δ, δ̇) along a radius, whatever the bearing's curvature.
//
//   Hertz           δ_max = (5 m v²/(4K))^(2/5),  F_max = K δ_max^1.5,  duration 2.943275184324705 δ_max/v
//   K δⁿ (1 + h δ̇/δ̇⁽⁻⁾)   realised restitution e solves h (1 + e) = ln((1 + h)/(1 − h e))
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::single_impact_test {
namespace {

constexpr double mass = 7800 * 4 / 3. * std::numbers::pi * 1e-6;  // steel sphere of radius 10 mm
const double K = 2 / 3. * 207e9 / (1 - 0.09) * 0.1;               // on a half-space of the same

// A push of 8000/3 m sin⁴(πt/T) N for T = 1 ms gives 1 m/s.
std::string model(const std::string& normal, bool planar) {
  return fmt::format(
      "tappet: 1\n"
      "dimension: {0}\n"
      "bodies:\n"
      "  ball: {{mass: {1:.17g}, inertia: {2}}}\n"
      "joints:\n"
      "  wall:\n"
      "    type: {3}\n"
      "    bodies: [ground, ball]\n"
      "    points: {4}\n"
      "    clearance: {{bearing_radius: 11 mm, journal_radius: 10 mm, normal: {5}}}\n"
      "forces:\n"
      "  push: {{type: force, body: ball, force: {6}}}\n"
      "simulation: {{duration: 1.8 ms, tolerance: 1e-12}}\n"
      "output: {{step: 1 ms}}\n",
      planar ? "planar" : "spatial", mass, planar ? "1e-6" : "[1e-6, 1e-6, 1e-6]",
      planar ? "revolute" : "spherical", planar ? "[[0, 0], [0, 0]]" : "[[0, 0, 0], [0, 0, 0]]", normal,
      fmt::format(fmt::runtime(planar ? "['{0}', 0]" : "[0, '{0}', 0]"),
                  fmt::format("if(t < 1e-3, {:.17g}*sin(pi*t/1e-3)^4, 0)", 8000. / 3 * mass)));
}

Impact only_impact(const std::string& normal, bool planar) {
  const Recording r = run_text(model(normal, planar));
  EXPECT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_EQ(r.impacts.size(), 1u);
  EXPECT_LT(r.summary.energy_residual, 1e-9);
  return r.impacts.empty() ? Impact{} : r.impacts[0];
}

TEST(SingleImpact, HertzMatchesTheClosedForm) {
  for (const bool planar : {true, false}) {
    const Impact i = only_impact(fmt::format("{{law: hertz, stiffness: {:.17g}}}", K), planar);
    const double v = i.speed_in, depth = std::pow(1.25 * mass * v * v / K, 0.4);
    const double peak = K * std::pow(depth, 1.5), duration = 2.943275184324705 * depth / v;
    fmt::print(
        "hertz {}: v {:.15f}, depth error {:.1e}, force error {:.1e}, duration error {:.1e}, restitution "
        "error {:.1e}\n",
        planar ? "planar" : "spatial", v, i.max_penetration / depth - 1, i.peak_force / peak - 1,
        (i.end - i.start) / duration - 1, i.restitution - 1);
    EXPECT_NEAR(v, 1, 1e-10);
    EXPECT_NEAR(i.max_penetration / depth, 1, 1e-8);
    EXPECT_NEAR(i.peak_force / peak, 1, 1e-8);
    EXPECT_NEAR((i.end - i.start) / duration, 1, 1e-8);
    EXPECT_NEAR(i.restitution, 1, 1e-8);
    EXPECT_NEAR(i.impulse, 2 * mass * v, 2e-8 * mass);
    // The numbers of the reference, for 1 m/s.
    EXPECT_NEAR(i.max_penetration, 2.355603616275e-5, 1e-8 * 2.36e-5);
    EXPECT_NEAR(i.peak_force, 1733.768118, 1e-8 * 1734);
    EXPECT_NEAR(i.end - i.start, 6.933189668e-5, 1e-8 * 6.9e-5);
  }
}

// A damped contact's largest force lies before its deepest point, inside some step: however long the steps
// are, the impact table has it.
TEST(SingleImpact, PeakForceIsFoundInsideSteps) {
  for (const double restitution : {0.2, 0.5, 0.9}) {
    // Force on K δ_s^1.5 against time on δ_s/v, δ_s = (m v²/K)^0.4: one curve whatever K, m and v.
    double x = 0, v = 1, most = 0;
    const double h = 0.75 * (1 - restitution * restitution), dt = 1e-5;
    const auto force = [&](double x, double v) { return std::pow(std::max(x, 0.0), 1.5) * (1 + h * v); };
    while (v > 0) {  // by Heun's method, whose error is (1e-5)²
      const double f0 = force(x, v), x1 = x + dt * v, v1 = v - dt * f0, f1 = force(x1, v1);
      x += 0.5 * dt * (v + v1), v -= 0.5 * dt * (f0 + f1);
      most = std::max(most, force(x, v));
    }
    for (const char* tolerance : {"1e-6", "1e-8", "1e-11"}) {
      const Recording r =
          run_text(model(fmt::format("{{law: lankarani-nikravesh, stiffness: {:.17g}, restitution: {}}}", K,
                                     restitution),
                         true),
                   {std::string("simulation.tolerance=") + tolerance});
      ASSERT_EQ(r.impacts.size(), 1u);
      const double speed = r.impacts[0].speed_in;
      const double expected = most * K * std::pow(mass * speed * speed / K, 0.6);
      fmt::print("restitution {}, tolerance {}: peak off by {:.1e}\n", restitution, tolerance,
                 r.impacts[0].peak_force / expected - 1);
      EXPECT_NEAR(r.impacts[0].peak_force / expected, 1, std::max(1e-7, 10 * std::stod(tolerance)));
    }
  }
}

// e in (0, 1/h) of h (1 + e) = ln((1 + h)/(1 − h e)): the left side starts below the right one, and the right
// one grows without bound.
double realised(double h) {
  double low = 0, high = std::min(1.0, (1 - 1e-16) / h);
  for (int n = 0; n < 200; ++n) {
    const double e = 0.5 * (low + high);
    (h * (1 + e) > std::log((1 + h) / (1 - h * e)) ? low : high) = e;
  }
  return low;
}

struct Law {
  const char* name;
  double (*hysteresis)(double);
};

class DissipativeImpact : public ::testing::TestWithParam<Law> {};

TEST_P(DissipativeImpact, RealisesWhatTheoryPredicts) {
  double worst = 0;
  for (const double asked : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95}) {
    const Impact i = only_impact(
        fmt::format("{{law: {}, stiffness: {:.17g}, restitution: {}}}", GetParam().name, K, asked), true);
    const double expected = realised(GetParam().hysteresis(asked));
    worst = std::max(worst, std::abs(i.restitution - expected));
    EXPECT_NEAR(i.restitution, expected, 1e-6) << asked;
    EXPECT_EQ(i.requested, asked);
  }
  fmt::print("{}: realised restitution off by at most {:.1e}\n", GetParam().name, worst);
}

INSTANTIATE_TEST_SUITE_P(Laws, DissipativeImpact,
                         ::testing::Values(Law{"hunt-crossley", [](double c) { return 1.5 * (1 - c); }},
                                           Law{"lankarani-nikravesh",
                                               [](double c) { return 0.75 * (1 - c * c); }},
                                           Law{"flores", [](double c) { return 1.6 * (1 - c) / c; }}),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace tappet::testing::single_impact_test
