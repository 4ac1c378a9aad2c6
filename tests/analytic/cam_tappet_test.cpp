// A flat tappet rises by the support function of the cam below it, h(β) with β = 90° − θ:
//
//   y = h,     ẏ = −ω h′,     ÿ = ω² h″
//   N = F₀ + k (h − r) + m g + m ω² h″,      T = −N h′ + μ N h
//
// where T is the motor's torque: the arm of the normal force is h′, that of friction h. With h = r + L cos⁶(β/2), h″ at the nose
// is −3/2 L, so that the tappet leaves the cam there above ω² = (F₀ + k L + m g)/(3/2 m L).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::cam_tappet_test {
namespace {

constexpr double r = 15e-3, L = 8e-3, m = 0.12, k = 25e3, F0 = 250, g = 9.81, mu = 0.1;

double leaving_speed() {
  return std::sqrt((F0 + k * L + m * g) / (1.5 * m * L));
}

Recording at_speed(double omega, std::vector<std::string> settings = {}) {
  settings.push_back(fmt::format("motions.motor.speed={} rad/s", omega));
  settings.push_back(fmt::format("simulation.duration={} s", 2 * std::numbers::pi / omega));
  return run_example("cam_tappet/cam.yaml", settings);
}

/// The first landing; that surfaces touch from the start on is not one.
Impact first_landing(const Recording& run) {
  for (const Impact& impact : run.impacts)
    if (impact.speed_in > 0.1) return impact;
  throw std::runtime_error("the tappet does not land");
}

TEST(CamTappet, ForceAndTorqueAreThoseOfTheSupportFunction) {
  const double omega = 0.9 * leaving_speed();
  const Recording run = at_speed(omega);
  ASSERT_GT(run.rows.size(), 500u);
  for (const std::vector<double>& row : run.rows) {
    const auto value = [&](const char* signal) { return row[run.column(signal)]; };
    const double beta = std::numbers::pi / 2 - value("cam.angle"), c = std::cos(beta / 2),
                 s = std::sin(beta / 2);
    const double h = r + L * std::pow(c, 6), slope = -3 * L * std::pow(c, 5) * s,
                 bend = L * (7.5 * std::pow(c, 4) * s * s - 1.5 * std::pow(c, 6));
    const double N = F0 + k * (h - r) + m * g + m * omega * omega * bend;
    EXPECT_NEAR(value("tappet.y"), h + 10e-3, 1e-11);
    EXPECT_NEAR(value("touch.normal"), N, 1e-6 * F0) << "t = " << row[0];
    EXPECT_NEAR(value("motor.torque"), -N * slope + mu * N * h, 1e-6 * F0 * r) << "t = " << row[0];
  }
}

TEST(CamTappet, LeavesTheCamAboveTheSpeedAtWhichTheNoseFallsAwayTooFast) {
  const Recording below = at_speed(0.999 * leaving_speed()), above = at_speed(1.001 * leaving_speed());
  EXPECT_LT(below.largest("touch.gap"), 1e-11);
  EXPECT_EQ(below.impacts.size(), 0u);
  EXPECT_GT(above.largest("touch.gap"), 1e-9);
  EXPECT_GT(above.impacts.size(), 0u);
}

// The slip is prescribed by motor and guide: no impulse changes it (W_tt = 0), and friction only follows its sign.
TEST(CamTappet, MethodsAgreeOnWhereItLands) {
  const double omega = 1.2 * leaving_speed();
  const Recording exact = at_speed(omega);
  ASSERT_TRUE(exact.summary.completed) << exact.summary.stop_reason;
  const Impact expected = first_landing(exact);
  for (const char* solver : {"auto", "lemke", "nsgs"}) {
    const Impact landing = first_landing(
        at_speed(omega, {"simulation.method=moreau", "simulation.step=2 us", "simulation.tolerance=1e-8",
                         fmt::format("simulation.solver={}", solver)}));
    EXPECT_NEAR(landing.start, expected.start, 4e-6) << solver;
    EXPECT_NEAR(landing.speed_in, expected.speed_in, 0.01 * expected.speed_in) << solver;
  }
}

}  // namespace
}  // namespace tappet::testing::cam_tappet_test
