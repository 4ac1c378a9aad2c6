// Oil around balls and under sliders in moving joints: closed forms by simulation, the energy and momentum, every method, resuming, sweeps of
// what users write.
#include <cmath>
#include <numbers>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/resume.hpp"
#include "support/run_model.hpp"
#include "tappet/contact/ball_film.hpp"

namespace tappet::testing::oil_shapes_test {
namespace {

using ::testing::HasSubstr;
constexpr double pi = std::numbers::pi;

// Ball R 10 mm, c 0.1 mm, μ 40 mPa s.
constexpr double mu = 0.04, R = 10e-3, c = 1e-4;

std::string ball(const std::string& body, const std::string& more) {
  return fmt::format(R"(
tappet: 1
dimension: spatial
bodies: {{ball: {{{}}}}}
joints:
  socket:
    type: spherical
    bodies: [ground, ball]
    points: [[0, 0, 0], [0, 0, 0]]
    clearance: {{bearing_radius: 10 mm, journal_radius: 9.9 mm, normal: {{law: hooke, stiffness: 1e9, restitution: 0.5}}, lubricant: {{viscosity: 40 mPa s}}}}
{})",
                     body, more);
}

// W dt = 6π (μ R⁴/c³) J(ε) c dε under a load without inertia.
TEST(OilShapes, ABallIsSqueezedInTheTimeOfTheClosedForm) {
  using Quadrature = boost::math::quadrature::gauss_kronrod<double, 61>;
  const double unit = 6 * pi * mu * R * R * R * R / (c * c);
  const auto time = [&](double to) {
    return unit * Quadrature::integrate([](double e) { return ball_squeeze(e); }, 0.0, to, 15, 1e-13);
  };
  const Recording r =
      run_text(ball("mass: 1e-4, inertia: [1e-6, 1e-6, 1e-6]", fmt::format(R"(
gravity: [0, 0, 0]
forces: {{load: {{type: force, body: ball, force: [0.6, 0, 0.8]}}}}
simulation: {{duration: {}, tolerance: 1e-11, integrator: bdf}}
output: {{step: 0.01}}
events:
  half: {{signal: socket.eccentricity_ratio, level: 0.5}}
  most: {{signal: socket.eccentricity_ratio, level: 0.9}}
)",
                                                                           1.01 * time(0.9))));
  ASSERT_EQ(r.events.size(), 2u) << r.summary.stop_reason;
  EXPECT_NEAR(r.events[0].time / time(0.5), 1, 1e-6);
  EXPECT_NEAR(r.events[1].time / time(0.9), 1, 1e-6);
}

// J ω̇ = −(8π/3) μ R⁴/c ω about any axis.
TEST(OilShapes, ABallIsBrakedAsTheClosedFormSays) {
  const Recording r = run_text(
      ball("mass: 2, inertia: [1e-4, 1e-4, 1e-4], angular_velocity: [60, 0, 80]",
           "gravity: [0, 0, 0]\nsimulation: {duration: 0.1, tolerance: 1e-10}\noutput: {step: 0.05}\n"));
  const double moment = 8 * pi / 3 * mu * R * R * R * R / c;
  EXPECT_NEAR(r.last("ball.wz"), 80 * std::exp(-moment * 0.1 / 1e-4), 1e-6);
  EXPECT_NEAR(r.last("ball.wx"), 60 * std::exp(-moment * 0.1 / 1e-4), 1e-6);
  EXPECT_NEAR(r.value(0, "socket.film_couple"), 100 * moment, 1e-9);
  EXPECT_LT(std::abs(r.largest("energy.residual")), 1e-8);
}

// Slider 2a = 40 mm, play 0.05 mm on each side, 100 mm wide.
constexpr double a = 20e-3, B = 0.1, gap = 5e-5;

std::string slider(const std::string& body, const std::string& film, const std::string& more) {
  return fmt::format(R"(
tappet: 1
dimension: planar
bodies: {{slider: {{{}}}}}
joints:
  guide:
    type: translational
    bodies: [ground, slider]
    points: [[0, 0], [0, 0]]
    axis: [1, 0]
    clearance: {{clearance: 0.05 mm, slider_length: 40 mm, slider_height: 30 mm, normal: {{law: hooke, stiffness: 1e9, restitution: 0.5}},
                lubricant: {{viscosity: 40 mPa s, width: 100 mm{}}}}}
{})",
                     body, film, more);
}

// W = 8 μ a³ B ḣ/h³ of the wall that it comes near: t = (4 μ a³ B/W)(1/h² − 1/h₀²); the other wall does not pull.
TEST(OilShapes, ASliderSinksInTheTimeOfTheClosedForm) {
  constexpr double W = 1000, to = 0.5 * gap;
  const double time = 4 * mu * a * a * a * B / W * (1 / (to * to) - 1 / (gap * gap));
  for (const bool full : {false, true}) {
    const Recording r = run_text(slider("mass: 0.02, inertia: 1e-4", full ? ", film: full" : "",
                                        fmt::format(R"(
gravity: [0, 0]
forces: {{load: {{type: force, body: slider, force: [0, -{}]}}}}
simulation: {{duration: {}, tolerance: 1e-12, integrator: bdf}}
output: {{step: 0.05}}
events: {{sunk: {{signal: guide.eccentricity_ratio, level: 0.5}}}}
)",
                                                    W, 2.2 * time)));
    ASSERT_EQ(r.events.size(), 1u) << r.summary.stop_reason;
    // A film that pulls has the other wall's as well, (4 μ a³ B/W)(1/h₀² − 1/(2 h₀ − h)²).
    const double pulls =
        full ? 4 * mu * a * a * a * B / W * (1 / (gap * gap) - 1 / (1.5 * 1.5 * gap * gap)) : 0;
    EXPECT_NEAR(r.events[0].time / (time + pulls), 1, 1e-6) << full;
  }
}

// Between both walls m v̇ = −2 μ (2a) B/c v.
TEST(OilShapes, ASliderIsBrakedByBothWalls) {
  const Recording r = run_text(
      slider("mass: 2, inertia: 1e-3, velocity: [3, 0]", "",
             "gravity: [0, 0]\nsimulation: {duration: 0.2, tolerance: 1e-10}\noutput: {step: 0.05}\n"));
  const double damping = 2 * mu * 2 * a * B / gap;
  EXPECT_NEAR(r.last("slider.vx"), 3 * std::exp(-damping * 0.2 / 2), 1e-7);
  EXPECT_NEAR(r.last("energy.film_loss"), 0.5 * 2 * (9 - std::pow(r.last("slider.vx"), 2)), 1e-6);
}

// Anything moves; the ledger closes by every method that takes films, and a run that is interrupted goes on.
struct Moving {
  const char* name;
  std::string model;  // with {} for the simulation
};
// A film so thin under a slider is stiff: thin oil, so that explicit integrators can follow.
std::string thin(std::string model) {
  return model.replace(model.find("40 mPa s"), 8, "0.4 mPa s");
}
std::vector<Moving> moving() {
  return {{"ball",
           ball("mass: 0.5, inertia: [1e-4, 2e-4, 1.5e-4], angular_velocity: [100, -50, 80]",
                "gravity: [10, -20, 5]\nsimulation: {duration: 0.02, SIMULATION}\noutput: {step: 1 ms}\n")},
          {"slider",
           thin(slider(
               "mass: 0.5, inertia: 1e-3, velocity: [2, 0]", "",
               "gravity: [5, -40]\nforces: {push: {type: force, body: slider, point: [10 mm, 0], force: [0, "
               "40*sin(600*t)]}}\nsimulation: {duration: 0.02, SIMULATION}\noutput: {step: 1 ms}\n"))},
          {"full slider",
           thin(slider(
               "mass: 0.5, inertia: 1e-3, velocity: [2, 0]", ", film: full",
               "gravity: [5, -40]\nforces: {push: {type: force, body: slider, point: [10 mm, 0], force: [0, "
               "40*sin(600*t)]}}\nsimulation: {duration: 0.02, SIMULATION}\noutput: {step: 1 ms}\n"))}};
}
std::string with(std::string model, const std::string& simulation) {
  return model.replace(model.find("SIMULATION"), 10, simulation);
}
const char* const methods[] = {"method: smooth, integrator: dopri5, tolerance: 1e-9",
                               "method: smooth, integrator: dop853, tolerance: 1e-9",
                               "method: smooth, integrator: adams, tolerance: 1e-9",
                               "method: smooth, integrator: bdf, tolerance: 1e-9",
                               "method: event-driven, tolerance: 1e-9"};

TEST(OilShapes, TakeWhatIsMissingByEveryMethod) {
  for (const Moving& of : moving()) {
    double x = 0;
    for (const char* method : methods) {
      const Recording r = run_text(with(of.model, method));
      ASSERT_TRUE(r.summary.completed) << of.name << ", " << method << ": " << r.summary.stop_reason;
      const double lost = r.last("energy.film_loss");
      EXPECT_GT(lost, 1e-3) << of.name;
      EXPECT_LT(std::abs(r.largest("energy.residual")), 1e-5 * lost) << of.name << ", " << method;
      const std::string signal = std::string(of.name) == "ball" ? "ball.y" : "slider.y";
      if (x == 0) x = r.last(signal);
      EXPECT_NEAR(r.last(signal), x, 1e-3 * gap) << of.name << ", " << method;
    }
  }
}

TEST(OilShapes, GoOnAfterAnInterruption) {
  for (const Moving& of : moving())
    for (const char* method : {methods[0], methods[3], methods[4]})
      expect_resumes(*model_of_text(with(of.model, method)));
}

// Two free bodies joined by a film: no momentum is made.
TEST(OilShapes, MakeNoMomentum) {
  const Recording r = run_text(R"(
tappet: 1
dimension: planar
gravity: [0, 0]
bodies:
  rail: {mass: 2, inertia: 0.02, position: [0.01, 0.02], velocity: [-0.5, 0], angular_velocity: 1}
  slider: {mass: 1, inertia: 0.005, position: [0, 0], velocity: [2, -0.01], angular_velocity: 1}
joints:
  guide:
    type: translational
    bodies: [rail, slider]
    points: [[-0.01, -0.02], [0, 0]]
    axis: [1, 0]
    clearance: {clearance: 0.05 mm, slider_length: 40 mm, slider_height: 30 mm, normal: {law: hooke, stiffness: 1e9, restitution: 0.5},
                lubricant: {viscosity: 0.4 mPa s, width: 100 mm}}
simulation: {duration: 0.02, tolerance: 1e-10}
output: {step: 2 ms}
)");
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  const auto at = [&](double t, const char* name) { return r.value(t, name); };
  const auto px = [&](double t) { return 2 * at(t, "rail.vx") + at(t, "slider.vx"); };
  const auto py = [&](double t) { return 2 * at(t, "rail.vy") + at(t, "slider.vy"); };
  const auto spin = [&](double t) {
    return 0.02 * at(t, "rail.omega") + 0.005 * at(t, "slider.omega") +
           2 * (at(t, "rail.x") * at(t, "rail.vy") - at(t, "rail.y") * at(t, "rail.vx")) +
           at(t, "slider.x") * at(t, "slider.vy") - at(t, "slider.y") * at(t, "slider.vx");
  };
  EXPECT_NEAR(px(0.02), px(0), 1e-9);
  EXPECT_NEAR(py(0.02), py(0), 1e-9);
  EXPECT_NEAR(spin(0.02), spin(0), 1e-9);
  EXPECT_GT(r.last("energy.film_loss"), 1e-3);
}

// A shaft in two oiled bushes, which hold it along its axis twice, with friction where the film is used up, and a pendulum on an oiled ball.
std::string bushes(const std::string& simulation) {
  std::string joints;
  for (const char* side : {"-", ""})
    joints += fmt::format(R"(
  bush{}:
    type: revolute
    bodies: [ground, shaft]
    points: [[0, 0, {}50 mm], [0, 0, {}50 mm]]
    axis: [0, 0, 1]
    clearance: {{bearing_radius: 10 mm, journal_radius: 9.9 mm, length: 10 mm, normal: {{law: hooke, stiffness: 1e9, restitution: 0.5}},
                friction: {{law: ambrosio, coefficient: 0.03, v0: 1 mm/s, v1: 10 mm/s}}, lubricant: {{viscosity: 4 mPa s, model: ocvirk}}}})",
                          side[0] ? "1" : "2", side, side);
  return fmt::format(R"(
tappet: 1
dimension: spatial
gravity: [0, -10, 0]
bodies:
  shaft: {{mass: 0.5, inertia: [1e-3, 1e-3, 1e-4], angular_velocity: [0, 0, 400]}}
  ball: {{mass: 0.2, inertia: [1e-4, 1e-4, 1e-4], position: [0.1, 0, 0]}}
joints:{}
  socket:
    type: spherical
    bodies: [shaft, ball]
    points: [[0, 0, 0], [-0.1, 0, 0]]
    clearance: {{bearing_radius: 5 mm, journal_radius: 4.95 mm, normal: {{law: hooke, stiffness: 1e9, restitution: 0.5}}, lubricant: {{viscosity: 40 mPa s}}}}
simulation: {{duration: 0.01, {}}}
output: {{step: 1 ms}}
)",
                     joints, simulation);
}

TEST(OilShapes, WorkTogether) {
  double y = 0;
  for (const char* method : {methods[0], methods[3], methods[4]}) {
    const Recording r = run_text(bushes(method));
    ASSERT_TRUE(r.summary.completed) << method << ": " << r.summary.stop_reason;
    EXPECT_GT(r.last("bush1.film_power"), 0);
    EXPECT_GT(r.last("bush2.film_power"), 0);
    EXPECT_GT(r.last("socket.film_power"), 0);
    EXPECT_LT(std::abs(r.largest("energy.residual")), 1e-5 * r.last("energy.film_loss")) << method;
    if (y == 0) y = r.last("shaft.y");
    EXPECT_NEAR(r.last("shaft.y"), y, 1e-7) << method;
  }
  expect_resumes(*model_of_text(bushes(methods[4])), 8);
}

std::string refusal(const std::string& text) {
  try {
    return run_text(text).summary.stop_reason;
  } catch (const std::exception& error) {
    return error.what();
  }
}

TEST(OilShapes, SayWhatTheyCannot) {
  EXPECT_THAT(refusal(with(moving()[0].model, "method: moreau, step: 1e-5")),
              HasSubstr("joint 'socket' has a `lubricant`: method moreau"));
  EXPECT_THAT(refusal(with(moving()[1].model, "method: moreau, step: 1e-5")),
              HasSubstr("joint 'guide' has a `lubricant`: method moreau"));
  std::string text = with(moving()[1].model, methods[0]);
  const std::string width = ", width: 100 mm";
  text.erase(text.find(width), width.size());
  EXPECT_THAT(refusal(text), HasSubstr("missing key 'width'"));
  text = with(moving()[0].model, methods[0]);
  text.replace(text.find("viscosity: 40"), 13, "viscosity: -40");
  EXPECT_THAT(refusal(text), HasSubstr("must be > 0"));
  // What is not there is said.
  text = with(moving()[0].model, methods[0]);
  text.replace(text.find("viscosity: 40"), 13, "model: finite, viscosity: 40");
  EXPECT_THAT(refusal(text), HasSubstr("unknown key 'model'"));
}

}  // namespace
}  // namespace tappet::testing::oil_shapes_test
