// The patch in which two spheres touch, and the pressure in its middle, as signals, against Hertz' formulas.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::hertz_patch_test {
namespace {

// A steel ball at rest on a plate: F = m g, K = 4/(3(σ₁ + σ₂)) √R, δ = (F/K)^(2/3), a² = R δ, p₀ = 3F/(2πa²).
TEST(HertzPatch, HasItsRadiusAndPeakPressure) {
  constexpr double R = 0.05, E = 207e9, nu = 0.3, m = 4, g = 10, F = m * g;
  const double sigma = (1 - nu * nu) / E, K = 4 / (3 * 2 * sigma) * std::sqrt(R);
  const double depth = std::pow(F / K, 2.0 / 3), a = std::sqrt(R * depth);
  const Recording r =
      run_text(fmt::format("tappet: 1\ndimension: spatial\ngravity: [0, 0, {}]\n"
                           "materials: {{steel: {{young: 207 GPa, poisson: 0.3}}}}\n"
                           "bodies: {{ball: {{mass: {}, inertia: [0.004, 0.004, 0.004], position: [0, 0, "
                           "{:.17g}], velocity: [0, 0, 0], shapes: {{skin: "
                           "{{sphere: {{radius: {}}}}}}}}}}}\n"
                           "ground: {{shapes: {{floor: {{plane: {{normal: [0, 0, 1]}}}}}}}}\n"
                           "contacts: {{c: {{between: [ground.floor, ball.skin], materials: [steel, steel], "
                           "normal: {{law: hertz}}}}}}\n"
                           "simulation: {{duration: 0.01}}\noutput: {{step: 0.001}}\n",
                           -g, m, R - depth, R));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_NEAR(r.last("c.normal"), F, 1e-5 * F);
  EXPECT_NEAR(r.last("c.patch_radius"), a, 1e-5 * a);
  EXPECT_NEAR(r.last("c.peak_pressure"), 1.5 * F / (std::numbers::pi * a * a),
              1e-5 * r.last("c.peak_pressure"));
}

}  // namespace
}  // namespace tappet::testing::hertz_patch_test
