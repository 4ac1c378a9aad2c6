// Friction that falls with the speed of sliding and sticks at rest: closed forms for every method, in the plane and in space.
//
// A point mass thrown up a slope α has v̇ = −g(sin α + cos α (μ_d + Δμ e^(−v/v_S))) = −g(a + b e^(−v/v_S)). With w = e^(v/v_S) this is
// linear, ẇ = −(g/v_S)(a w + b):
//   w = (w₀ + b/a) e^(−g a t/v_S) − b/a,     at rest where w = 1,  t = v_S/(g a) ln((w₀ + b/a)/(1 + b/a))
// and there it stays if tan α < μ_s.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/resume.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::stribeck_test {
namespace {

constexpr double g = 10, mu_s = 0.5, mu_d = 0.3, v_S = 0.5, v0 = 2, K = 1e7;

struct Way {
  const char *method, *simulation;
  double error;  ///< of speeds, m/s, and places, m
};
const Way ways[] = {{"smooth", ", tolerance: 1e-9", 1e-6},
                    {"event-driven", ", tolerance: 1e-9", 1e-7},
                    {"moreau", ", step: 1e-4", 1e-5}};

/// Thrown up a slope with v0.
std::string thrown(const Way& way, bool planar, double slope) {
  const double along = -g * std::sin(slope), down = g * std::cos(slope);
  // On a spring it begins where the spring carries it.
  const double height = 0.1 - (std::string(way.method) == "smooth" ? down / K : 0);
  return fmt::format(
      "tappet: 1\ndimension: {}\ngravity: [{}{:.17g}, {:.17g}]\nbodies: {{ball: {{mass: 1, position: [{}0, "
      "{:.17g}], velocity: "
      "[{}{}, 0], shapes: {{skin: {{{}: {{radius: 0.1}}}}}}}}}}\n"
      "ground: {{shapes: {{floor: {{plane: {{normal: [{}0, 1]}}}}}}}}\n"
      "contacts: {{floor: {{between: [ground.floor, ball.skin], normal: {{law: hooke, stiffness: {}, "
      "restitution: 0}}, "
      "friction: {{law: stribeck, static: {}, dynamic: {}, stribeck_velocity: {}}}}}}}\n"
      "simulation: {{method: {}, duration: 1{}}}\noutput: {{step: 0.01}}\n",
      planar ? "planar" : "spatial", planar ? "" : "0, ", along, -down, planar ? "" : "0, ", height,
      planar ? "" : "0, ", v0, planar ? "circle" : "sphere", planar ? "" : "0, ", K, mu_s, mu_d, v_S,
      way.method, way.simulation);
}

TEST(Stribeck, SlowsABodyAsItsCurveSaysAndHoldsIt) {
  for (const double slope : {0.0, std::atan(0.4)}) {
    const double a = std::sin(slope) + std::cos(slope) * mu_d, b = std::cos(slope) * (mu_s - mu_d);
    const double w0 = std::exp(v0 / v_S), T = v_S / (g * a);
    const double stop = T * std::log((w0 + b / a) / (1 + b / a));
    const auto speed = [&](double t) { return v_S * std::log((w0 + b / a) * std::exp(-t / T) - b / a); };
    double distance = 0;  // by Simpson's rule
    constexpr int n = 20000;
    for (int i = 0; i <= n; ++i)
      distance += (i == n ? 0 : speed(stop * i / n)) *
                  (i == 0 || i == n ? 1
                   : i % 2          ? 4
                                    : 2) *
                  stop / (3 * n);
    for (const bool planar : {true, false})
      for (const Way& way : ways) {
        const Recording r = run_text(thrown(way, planar, slope));
        const std::string x = planar ? "ball.x" : "ball.y", v = planar ? "ball.vx" : "ball.vy";
        const std::string what =
            fmt::format("{}, {}, slope {}", way.method, planar ? "plane" : "space", slope);
        ASSERT_TRUE(r.summary.completed) << what << r.summary.stop_reason;
        ASSERT_GT(stop, 0.2);
        for (const double t : {0.05, 0.1, 0.2})
          EXPECT_NEAR(r.value(t, v), speed(t), way.error) << what << ' ' << t;
        EXPECT_NEAR(r.last(x), distance, way.error) << what;
        EXPECT_NEAR(r.last(v), 0, 1e-9) << what;
        EXPECT_NEAR(r.last(x), r.value(0.9, x), 1e-9) << what;
      }
  }
}

// Moreau's step takes the friction at its mean speed: of second order while it slides.
TEST(Stribeck, SlidesToSecondOrderByTimeStepping) {
  const double a = mu_d, b = mu_s - mu_d, w0 = std::exp(v0 / v_S), T = v_S / (g * a);
  const double exact = v_S * std::log((w0 + b / a) * std::exp(-0.4 / T) - b / a);
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    const Way way{"moreau", k == 0 ? ", step: 4e-3, tolerance: 1e-13" : ", step: 2e-3, tolerance: 1e-13", 0};
    errors[k] = std::abs(run_text(thrown(way, true, 0)).value(0.4, "ball.vx") - exact);
  }
  fmt::print("errors of the speed {:.2e} and {:.2e} m/s\n", errors[0], errors[1]);
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.5);
}

TEST(Stribeck, GoesOnAfterAResume) {
  for (const Way& way : ways)
    for (const bool planar : {true, false})
      expect_resumes(*model_of_text(thrown(way, planar, std::atan(0.4))));
}

}  // namespace
}  // namespace tappet::testing::stribeck_test
