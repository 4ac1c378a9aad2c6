// Films in moving joints: published times and thresholds by simulation, the energy they take, all methods, the plane and space.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/resume.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::oil_film_test {
namespace {

using ::testing::HasSubstr;
constexpr double pi = std::numbers::pi;

// R 10 mm, L 10 mm, c 0.1 mm.
constexpr double R = 10e-3, L = 10e-3, c = 1e-4;

std::string shaft(const std::string& body, const std::string& lubricant, const std::string& more) {
  return fmt::format(R"(
tappet: 1
dimension: planar
bodies: {{shaft: {{{}}}}}
joints:
  bush:
    type: revolute
    bodies: [ground, shaft]
    points: [[0, 0], [0, 0]]
    clearance: {{bearing_radius: 10 mm, journal_radius: 9.9 mm, length: 10 mm, normal: {{law: hooke, stiffness: 1e9, restitution: 0.5}},
                lubricant: {{{}}}}}
{})",
                     body, lubricant, more);
}

// A run whose first body begins elsewhere than assembly, which takes joints with play as ideal, would put it.
Recording run_from(const std::string& text, double x, double y) {
  const auto model = model_of_text(text);
  Simulation simulation(model);
  State state = simulation.state();
  state.y[0] = x, state.y[1] = y;
  simulation.set_state(state);
  Recording out;
  for (const Signal& signal : simulation.signals()) out.names.push_back(signal.name);
  out.summary = simulation.run(out);
  return out;
}

// t W c²/(μ R L³) from ε = 0, under a load without inertia: a milligram.
TEST(OilFilm, IsSqueezedInThePublishedTime) {
  constexpr double mu = 0.04, W = 1, unit = mu * R * L * L * L / (W * c * c);
  struct Case {
    const char* film;
    double half, nine_tenths;
  };
  for (const Case& of :
       {Case{"half-sommerfeld", 1.20919958, 17.06993962}, Case{"reynolds", 1.94559943, 33.50170123}})
    for (const char* integrator : {"bdf"}) {
      const Recording r =
          run_text(shaft("mass: 1e-6, inertia: 1e-9",
                         fmt::format("viscosity: {}, model: ocvirk, film: {}", mu, of.film), "") +
                   fmt::format(R"(
  guide: {{type: translational, bodies: [ground, shaft], points: [[0, 0], [0, 0]], axis: [1, 0]}}
forces: {{load: {{type: force, body: shaft, force: [{}, 0]}}}}
simulation: {{duration: {}, tolerance: 1e-11, integrator: {}}}
output: {{step: 0.1}}
events:
  half: {{signal: bush.eccentricity_ratio, level: 0.5}}
  most: {{signal: bush.eccentricity_ratio, level: 0.9}}
)",
                               W, 1.01 * of.nine_tenths * unit, integrator));
      ASSERT_EQ(r.events.size(), 2u) << of.film;
      EXPECT_NEAR(r.events[0].time / unit / of.half, 1, 1e-6) << of.film << " " << integrator;
      EXPECT_NEAR(r.events[1].time / unit / of.nine_tenths, 1, 1e-6) << of.film << " " << integrator;
    }
}

// ---- whirl

struct Whirl {
  double growth = 0, ratio = 0;  // 1/s; whirl over turning
};

// A rigid rotor in its equilibrium at ε₀, pushed aside by a thousandth of the clearance; M = m c ω²/W.
// By an integrator of high order: what bdf damps at this tolerance moves the threshold by 0.5 %.
Whirl whirl(double eps, double M, const std::string& film) {
  constexpr double W = 100, omega = 500;
  const double q = 1 - eps * eps, load = eps / (4 * q * q) * std::sqrt(16 * eps * eps + pi * pi * q);
  const double mu = W * c * c / (R * L * L * L * omega * load), mass = M * W / (c * omega * omega);
  const double beta = std::atan(pi * std::sqrt(q) / (4 * eps));
  const double x = eps * c * std::sin(beta), y = -eps * c * std::cos(beta);
  const Recording r = run_from(
      shaft(
          fmt::format("mass: {}, inertia: 1", mass),
          fmt::format("viscosity: {}, model: ocvirk, film: {}", mu, film),
          fmt::format(
              "motions: {{drive: {{joint: bush, speed: {}}}}}\ngravity: [0, {}]\n"
              "simulation: {{duration: 0.6, tolerance: 1e-9, integrator: dop853}}\noutput: {{step: 2e-4}}\n",
              omega, -W / mass)),
      x + 1e-3 * c, y);
  // Peaks of x − x₀, each by the parabola through three samples, after the other pair of roots has died away.
  const std::size_t column = r.column("shaft.x");
  std::vector<std::pair<double, double>> peaks;
  for (std::size_t n = 1000; n + 1 < r.rows.size(); ++n) {
    const double a = r.rows[n - 1][column] - x, b = r.rows[n][column] - x, d = r.rows[n + 1][column] - x;
    if (!(b > a && b >= d)) continue;
    const double shift = 0.5 * (a - d) / (a - 2 * b + d);
    peaks.emplace_back(r.rows[n][0] + shift * 2e-4, b - 0.25 * (a - d) * shift);
  }
  const auto [t0, p0] = peaks.front();
  const auto [t1, p1] = peaks.back();
  return {std::log(p1 / p0) / (t1 - t0), 2 * pi * static_cast<double>(peaks.size() - 1) / (t1 - t0) / omega};
}

TEST(OilFilm, WhirlsFromThePublishedSpeedOn) {
  struct Case {
    double eps, threshold, ratio;
  };
  for (const Case& of :
       {Case{0.1, 7.51461, 0.50294}, Case{0.5, 6.46040, 0.51464}, Case{0.7, 13.16110, 0.34457}})
    for (const char* film : {"half-sommerfeld", "reynolds"}) {
      if (film[0] == 'r' && of.eps != 0.5) continue;  // both have the same slopes in equilibrium: once
      const Whirl below = whirl(of.eps, 0.98 * of.threshold, film),
                  above = whirl(of.eps, 1.02 * of.threshold, film);
      EXPECT_LT(below.growth, 0) << of.eps;
      EXPECT_GT(above.growth, 0) << of.eps;
      const double part = below.growth / (below.growth - above.growth);
      EXPECT_NEAR(0.98 + 0.04 * part, 1, 0.005) << of.eps << " " << film;
      EXPECT_NEAR(below.ratio + part * (above.ratio - below.ratio), of.ratio, 0.005 * of.ratio) << of.eps;
    }
}

// From ε₀ = 0.757 on there is no such speed.
TEST(OilFilm, DoesNotWhirlFarFromTheCentre) {
  EXPECT_LT(whirl(0.8, 40, "half-sommerfeld").growth, 0);
}

// ---- the ledger, over the registries

std::string orbit(const std::string& simulation, const std::string& lubricant) {
  return shaft("mass: 0.5, inertia: 1e-4, angular_velocity: 400", lubricant,
               fmt::format("gravity: [0, -10]\nsimulation: {{duration: 0.03, {}}}\noutput: {{step: 1 ms}}\n",
                           simulation));
}

TEST(OilFilm, TakesWhatIsMissingUnderEveryIntegrator) {
  const std::string methods[] = {"method: smooth, integrator: dopri5, tolerance: 1e-9",
                                 "method: smooth, integrator: dop853, tolerance: 1e-9",
                                 "method: smooth, integrator: adams, tolerance: 1e-9",
                                 "method: smooth, integrator: bdf, tolerance: 1e-9",
                                 "method: event-driven, tolerance: 1e-9"};
  for (const char* law : {"model: ocvirk", "model: ocvirk, film: half-sommerfeld", "model: sommerfeld",
                          "model: sommerfeld, film: full", "model: pinkus-sternlicht", "model: finite"}) {
    double x = 0;
    for (const std::string& method : methods) {
      const Recording r = run_text(orbit(method, fmt::format("viscosity: 4 mPa s, {}", law)));
      EXPECT_GT(r.last("energy.film_loss"), 1e-3) << law;
      const double scale = r.last("energy.film_loss");
      EXPECT_NEAR(r.largest("energy.residual") / scale, 0, 1e-5) << law << ", " << method;
      if (x == 0) x = r.last("shaft.x");
      // A force that jumps where w_t changes its sign is followed less exactly.
      EXPECT_NEAR(r.last("shaft.x"), x, 1e-3 * c) << law << ", " << method;
      EXPECT_EQ(r.impacts.size(), 0u) << law << ", " << method;
    }
  }
}

TEST(OilFilm, GoesOnAfterAnInterruption) {
  for (const char* method : {"method: smooth", "method: event-driven", "method: smooth, integrator: bdf"})
    expect_resumes(*model_of_text(orbit(method, "viscosity: 4 mPa s, model: ocvirk")));
}

// The same shaft in space, aligned: what it does in the plane.
TEST(OilFilm, IsInSpaceWhatItIsInThePlane) {
  const std::string simulation = "tolerance: 1e-10";
  const Recording flat = run_text(orbit(simulation, "viscosity: 4 mPa s, model: ocvirk"));
  const Recording deep = run_text(fmt::format(R"(
tappet: 1
dimension: spatial
gravity: [0, -10, 0]
bodies: {{shaft: {{mass: 0.5, inertia: [1e-4, 1e-4, 1e-4], 
                 angular_velocity: [0, 0, 400]}}}}
joints:
  bush:
    type: revolute
    bodies: [ground, shaft]
    points: [[0, 0, 0], [0, 0, 0]]
    axis: [0, 0, 1]
    clearance: {{bearing_radius: 10 mm, journal_radius: 9.9 mm, length: 10 mm, normal: {{law: hooke, stiffness: 1e9, restitution: 0.5}},
                lubricant: {{viscosity: 4 mPa s, model: ocvirk}}}}
simulation: {{duration: 0.03, {}}}
output: {{step: 1 ms}}
)",
                                              simulation));
  for (const char* signal :
       {"shaft.x", "shaft.y", "energy.film_loss", "bush.eccentricity_ratio", "bush.film_fx"})
    EXPECT_NEAR(deep.last(signal), flat.last(signal), 1e-6 * flat.largest(signal)) << signal;
  EXPECT_LT(std::abs(deep.largest("energy.residual")), 1e-6 * deep.last("energy.film_loss"));
}

// ---- what is said

std::string refusal(const std::string& text) {
  try {
    run_text(text);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(OilFilm, SaysWhatItCannot) {
  const std::string moreau = orbit("method: moreau, step: 1e-5", "viscosity: 4 mPa s");
  EXPECT_THAT(refusal(moreau), HasSubstr("joint 'bush' has a `lubricant`: method moreau"));
  std::string text = orbit("method: smooth", "viscosity: -4 mPa s");
  EXPECT_THAT(refusal(text), HasSubstr("viscosity"));
  text = orbit("method: smooth", "viscosity: 4 mPa s, modle: ocvirk");
  EXPECT_THAT(refusal(text), HasSubstr("modle"));
  text = orbit("method: smooth", "viscosity: 4 mPa s");
  const std::string length = "length: 10 mm, ";
  text.erase(text.find(length), length.size());
  EXPECT_THAT(refusal(text), HasSubstr("joint 'bush' has a `lubricant` and no `length`"));
  // No room for a film from the start.
  const Recording r = run_from(orbit("method: smooth", "viscosity: 4 mPa s"), 1.1 * c, 0);
  EXPECT_THAT(r.summary.stop_reason,
              HasSubstr("the oil film has no thickness left: the eccentricity is 1.1"));
}

TEST(OilFilm, SaysWhatItsStepsWillBe) {
  const auto notes = [](const std::string& integrator) {
    std::string all;
    for (const std::string& note :
         run_text(orbit("integrator: " + integrator, "viscosity: 4 mPa s")).summary.notes)
      all += note + "\n";
    return all;
  };
  EXPECT_THAT(notes("dopri5"), HasSubstr("the oil film holds an explicit integrator to steps of about"));
  EXPECT_THAT(notes("bdf"), ::testing::Not(HasSubstr("explicit integrator")));
  EXPECT_THAT(notes("bdf"), HasSubstr("takes the bearing as short"));
}

}  // namespace
}  // namespace tappet::testing::oil_film_test
