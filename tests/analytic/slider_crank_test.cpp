// The ideal slider-crank at constant speed against its closed form.
//
// θ = ωt, sin φ = −(r/l) sin θ, x = r cos θ + l cos φ. With one degree of freedom the kinetic energy is ½
// J(θ) ω², and the crank moment follows from virtual power: T ω = d/dt(½ J ω²), so T = ½ J′(θ) ω².
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::slider_crank_test {
namespace {

struct ClosedForm {
  double x, v, a, torque;
};

ClosedForm closed_form(double t) {
  const double r = 0.05, l = 0.12, omega = 5000 * 2 * std::numbers::pi / 60;
  const double m_rod = 0.21, I_rod = 2.5e-4, m_slider = 0.14;
  const double theta = omega * t, s = std::sin(theta), c = std::cos(theta);
  // Rod angle and its derivatives by θ.
  const double phi = std::asin(-r / l * s), sp = std::sin(phi), cp = std::cos(phi);
  const double phi1 = -r * c / (l * cp), phi2 = (r * s + l * sp * phi1 * phi1) / (l * cp);
  // Slider, and the rod's centre of mass.
  const double x1 = -r * s - l * sp * phi1, x2 = -r * c - l * cp * phi1 * phi1 - l * sp * phi2;
  const double g1 = -r * s - l / 2 * sp * phi1, g2 = -r * c - l / 2 * (cp * phi1 * phi1 + sp * phi2);
  const double h1 = r / 2 * c, h2 = -r / 2 * s;
  const double half_J1 = m_rod * (g1 * g2 + h1 * h2) + I_rod * phi1 * phi2 + m_slider * x1 * x2;
  return {r * c + l * cp, x1 * omega, x2 * omega * omega, half_J1 * omega * omega};
}

class IdealSliderCrank : public ::testing::TestWithParam<const char*> {};

TEST_P(IdealSliderCrank, MatchesTheClosedForm) {
  const Recording r =
      run_example("slider_crank/ideal.yaml", {std::string("simulation.integrator=") + GetParam()});
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  ClosedForm size{};
  for (const auto& row : r.rows) {
    const ClosedForm f = closed_form(row[0]);
    size.x = std::max(size.x, std::abs(f.x)), size.v = std::max(size.v, std::abs(f.v));
    size.a = std::max(size.a, std::abs(f.a)), size.torque = std::max(size.torque, std::abs(f.torque));
  }
  for (const auto& row : r.rows) {
    const ClosedForm f = closed_form(row[0]);
    EXPECT_NEAR(row[r.column("slider.x")], f.x, 1e-8 * size.x) << "t = " << row[0];
    EXPECT_NEAR(row[r.column("slider.vx")], f.v, 1e-8 * size.v) << "t = " << row[0];
    EXPECT_NEAR(row[r.column("slider.ax")], f.a, 1e-8 * size.a) << "t = " << row[0];
    EXPECT_NEAR(row[r.column("motor.torque")], f.torque, 1e-8 * size.torque) << "t = " << row[0];
  }
  EXPECT_LT(r.summary.constraint_violation, 1e-10);
  EXPECT_EQ(r.summary.degrees_of_freedom, 0);
}

INSTANTIATE_TEST_SUITE_P(Integrators, IdealSliderCrank,
                         ::testing::Values("auto", "dopri5", "dop853", "adams", "bdf"),
                         [](const auto& info) { return std::string(info.param); });

// Driven for long, angles grow large; the joints must stay closed all the same.
TEST(IdealSliderCrankForLong, ConstraintsStayClosedAfterManyTurns) {
  const Recording r = run_example("slider_crank/ideal.yaml",
                                  {"simulation.duration=3", "output.step=0.1", "simulation.tolerance=1e-6"});
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_GT(r.last("crank.angle"), 1500);
  EXPECT_LT(r.summary.constraint_violation, 1e-10);
}

}  // namespace
}  // namespace tappet::testing::slider_crank_test
