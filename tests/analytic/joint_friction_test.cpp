// Friction in ideal joints, from the reaction: against closed forms, and a pendulum against its own equation of motion integrated here.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/flexible_crank.hpp"
#include "support/friction_laws.hpp"
#include "support/resume.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::joint_friction_test {
namespace {

constexpr double pi = std::numbers::pi;

// A coordinate c of mass m = 2 on a spring k = 8 (ω = 2), about or along an axis through the centre of mass, so that nothing but the preload
// presses: f = μ N₀ (times r) = 0.8. Each half swing ends f/k nearer on both sides of the middle, c_n = (−1)ⁿ (c₀ − 2 n f/k), until
// |c_n| ≤ f/k: from c₀ = 1.05 at n = 5, where it stays.
struct Swing {
  const char* name;
  const char* dimension;
  const char* body;
  const char* joint;
  const char* spring;
  const char* bearing;
  const char* coordinate;
  friend std::ostream& operator<<(std::ostream& out, const Swing& s) { return out << s.name; }
};

const Swing swings[] = {
    {"planar_pin", "planar", "mass: 3, inertia: 2, angle: 1.05",
     "type: revolute, bodies: [ground, b], points: [[0, 0], [0, 0]]",
     "type: rotational-spring-damper, joint: j, stiffness: 8, damping: 0", "pin_radius: 0.1", "j.angle"},
    {"planar_slide", "planar", "mass: 2, inertia: 2, position: [1.05, 0]",
     "type: translational, bodies: [ground, b], points: [[0, 0], [0, 0]], axis: [1, 0]",
     "type: translational-spring-damper, joint: j, stiffness: 8, damping: 0", "bending_arm: 0.2",
     "j.displacement"},
    {"spatial_pin", "spatial", "mass: 3, inertia: [1, 1, 2], orientation: {axis: [0, 0, 1], angle: 1.05}",
     "type: revolute, bodies: [ground, b], points: [[0, 0, 0], [0, 0, 0]], axes: [[0, 0, 1], [0, 0, 1]]",
     "type: rotational-spring-damper, joint: j, stiffness: 8, damping: 0",
     "pin_radius: 0.1, friction_arm: 0.2, bending_arm: 0.3", "j.angle"},
    {"spatial_slide", "spatial", "mass: 2, inertia: [1, 1, 1], position: [0, 0, 1.05]",
     "type: translational, bodies: [ground, b], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1]",
     "type: translational-spring-damper, joint: j, stiffness: 8, damping: 0",
     "bending_arm: 0.3, torsion_arm: 0.1", "j.displacement"},
    {"sleeve", "spatial", "mass: 2, inertia: [1, 1, 1], position: [0, 0, 1.05]",
     "type: cylindrical, bodies: [ground, b], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1]",
     "type: translational-spring-damper, joint: j, stiffness: 8, damping: 0",
     "pin_radius: 0.1, bending_arm: 0.3", "j.displacement"},
};

std::string swing(const Swing& s, const std::string& method, const std::string& law) {
  const bool planar = std::string(s.dimension) == "planar";
  const double preload = std::string(s.coordinate) == "j.angle" ? 40 : 4;
  return fmt::format(R"(tappet: 1
dimension: {}
gravity: {}
bodies: {{b: {{{}}}}}
joints: {{j: {{{}, friction: {{{}, {}, preload: {}}}}}}}
forces: {{s: {{{}}}}}
simulation: {{{}, duration: {}}}
output: {{step: {}, signals: ["*", "*_rate"]}}
)",
                     s.dimension, planar ? "[0, 0]" : "[0, 0, 0]", s.body, s.joint, law, s.bearing, preload,
                     s.spring, method, 4 * pi, pi / 2);
}

class Swings : public ::testing::TestWithParam<Swing> {};
INSTANTIATE_TEST_SUITE_P(All, Swings, ::testing::ValuesIn(swings),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(Swings, LoseTheSameEachTimeAndStop) {
  const Swing& s = GetParam();
  struct Method {
    const char* keys;
    double error;
  };
  for (const Method& m :
       {Method{"method: smooth, tolerance: 1e-10, integrator: dopri5", 1e-7},
        Method{"method: smooth, tolerance: 1e-10, integrator: dop853", 1e-7},
        Method{"method: smooth, tolerance: 1e-9, integrator: adams", 1e-5},
        Method{"method: smooth, tolerance: 1e-9, integrator: bdf", 1e-5},
        Method{"method: event-driven, tolerance: 1e-10", 1e-7}, Method{"method: moreau, step: 1 ms", 4e-3}}) {
    for (const char* law : {"law: coulomb, coefficient: 0.2", "coefficient: 0.2, static: 0.2"}) {
      const Recording r = run_text(swing(s, m.keys, law));
      for (int n = 0; n <= 8; ++n) {
        const int last = std::min(n, 5);
        const double exact = (last % 2 ? -1 : 1) * (1.05 - 0.2 * last);
        EXPECT_NEAR(r.value(n * pi / 2, s.coordinate), exact, m.error) << m.keys << " " << n;
      }
      // All that the spring gave, less what it holds.
      EXPECT_NEAR(r.last("j.friction.friction_loss"), 4 * (1.05 * 1.05 - 0.05 * 0.05), 10 * m.error)
          << m.keys;
      EXPECT_NEAR(r.last("energy.friction_loss"), r.last("j.friction.friction_loss"), 1e-12) << m.keys;
      EXPECT_LT(std::abs(r.last("energy.residual")), m.error) << m.keys;
    }
  }
}

TEST_P(Swings, ResumeToTheLastBit) {
  for (const char* method :
       {"method: smooth, tolerance: 1e-6", "method: event-driven, tolerance: 1e-6",
        "method: moreau, step: 10 ms", "method: smooth, tolerance: 1e-6, integrator: bdf"})
    for (const char* law : {"law: coulomb, coefficient: 0.2, static: 0.25",
                            "law: karnopp, static: 0.25, dynamic: 0.2, stick_velocity: 1e-3"})
      expect_resumes(*model_of_text(swing(GetParam(), method, law)), 6);
}

// Every law that takes numbers for what it requires runs under every method, and dissipates.
TEST_P(Swings, GoWithEveryLaw) {
  for (const std::string& law : friction_laws(0.2, 0.25)) {
    for (const char* method : {"method: smooth, tolerance: 1e-7", "method: event-driven, tolerance: 1e-7",
                               "method: moreau, step: 2 ms"}) {
      const Recording r = run_text(swing(GetParam(), method, law));
      EXPECT_TRUE(r.summary.completed) << law << " " << method << " " << r.summary.stop_reason;
      EXPECT_GT(r.last("j.friction.friction_loss"), 1) << law << " " << method;
      EXPECT_LT(std::abs(r.last("energy.residual")), 1e-2) << law << " " << method;
    }
  }
}

// A block on a guide that slopes by α: N = m g cos α; it comes to rest on a slope with tan α < μ and stays.
TEST(BlockOnAGuide, SlowsDownAndStays) {
  const double slope = 0.6, mu = 1.0;
  for (const bool planar : {true, false})
    for (const char* method : {"method: smooth, tolerance: 1e-10", "method: event-driven, tolerance: 1e-10",
                               "method: moreau, step: 1 ms"}) {
      const Recording r = run_text(fmt::format(
          R"(tappet: 1
dimension: {}
gravity: {}
bodies: {{b: {{mass: 2, inertia: {}, velocity: {}}}}}
joints: {{guide: {{type: translational, bodies: [ground, b], points: [{}, {}], axis: {}, friction: {{coefficient: {}}}}}}}
simulation: {{{}, duration: 1}}
output: {{step: 0.1, signals: ["*", "*_rate"]}}
)",
          planar ? "planar" : "spatial", planar ? "[5.886, -7.848]" : "[5.886, 0, -7.848]",
          planar ? "1" : "[1, 1, 1]", planar ? "[1, 0]" : "[1, 0, 0]", planar ? "[0, 0]" : "[0, 0, 0]",
          planar ? "[0, 0]" : "[0, 0, 0]", planar ? "[1, 0]" : "[1, 0, 0]", mu, method));
      const double brake = 9.81 * (mu * 0.8 - slope),
                   error = std::string(method).find("moreau") == std::string::npos ? 1e-9 : 2e-3;
      EXPECT_NEAR(r.value(0.2, "b.x"), 0.2 - 0.5 * brake * 0.04, error) << method;
      EXPECT_NEAR(r.last("b.x"), 0.5 / brake, error) << method;
      EXPECT_NEAR(r.last("b.vx"), 0, 1e-9) << method;
      EXPECT_NEAR(r.value(0.2, "guide.friction.normal"), 2 * 9.81 * 0.8, 1e-6) << method;
      EXPECT_NEAR(std::abs(r.value(1, "guide.friction.tangential")), 2 * 9.81 * 0.6, 1e-6) << method;
    }
}

// A drawer whose friction acts at a distance c below its centre of mass: braking tilts it, and the couple m a c presses with 1/b:
//   N = m g + |m a| c/b,  m a = −μ N   ⇒   N = m g/(1 − μ c/b),    and none for μ c ≥ b.
std::string drawer(double c, const std::string& method) {
  return fmt::format(R"(tappet: 1
dimension: planar
gravity: [0, -9.81]
bodies: {{b: {{mass: 2, inertia: 1, position: [0, {}], velocity: [1, 0]}}}}
joints: {{guide: {{type: translational, bodies: [ground, b], points: [[0, 0], [0, -{}]], axis: [1, 0], friction: {{coefficient: 0.3, bending_arm: 0.1}}}}}}
simulation: {{{}, duration: 0.1}}
output: {{step: 0.01}}
)",
                     c, c, method);
}

TEST(Drawer, PressesByTheCoupleOfItsBraking) {
  for (const char* method : {"method: smooth, tolerance: 1e-10", "method: event-driven, tolerance: 1e-10",
                             "method: moreau, step: 1 ms, tolerance: 1e-12"}) {
    const Recording r = run_text(drawer(0.2, method));
    const double N = 2 * 9.81 / (1 - 0.3 * 2);
    const bool steps = std::string(method).find("moreau") != std::string::npos;
    EXPECT_NEAR(r.value(0.05, "guide.friction.normal"), N, steps ? 1e-5 : 1e-9) << method;
    EXPECT_NEAR(r.value(0.05, "b.vx"), 1 - 0.05 * 0.3 * N / 2, steps ? 1e-6 : 1e-9) << method;
  }
}

TEST(Drawer, ThatLocksItselfIsSaid) {
  for (const char* method : {"method: smooth, tolerance: 1e-10", "method: event-driven"}) {
    const Recording r = run_text(drawer(0.4, method));
    EXPECT_FALSE(r.summary.completed) << method;
    EXPECT_NE(r.summary.stop_reason.find("friction locks joint 'guide.friction' by itself"),
              std::string::npos)
        << method << ": " << r.summary.stop_reason;
  }
  // By impulses it jams: it stops at once.
  const Recording r = run_text(drawer(0.4, "method: moreau, step: 1 ms"));
  EXPECT_TRUE(r.summary.completed);
  EXPECT_NEAR(r.value(0.01, "b.vx"), 0, 1e-9);
}

// A rod of mass 1 and length 1 on a pin, J = 1/3 about it, released level. With θ from below and s = sign ω the reaction on the rod is
//   R_n = g cos θ + ω²/2  towards the pin,   R_t = g sin θ + θ̈/2  along the path,   J θ̈ = −g sin θ/2 − s μ r R
// so that R² = R_n² + (R_t0 − e s R)², with R_t0 = g sin θ/4 and e = μ r/(2J): a quadratic equation for R.
struct Pendulum {
  double e;  // μ r/(2J)
  double load(double theta, double omega, double s) const {
    const double n = 9.81 * std::cos(theta) + 0.5 * omega * omega, t = 0.25 * 9.81 * std::sin(theta);
    // (1 − e²) R² + 2 e s t R − (n² + t²) = 0
    const double A = 1 - e * e, B = e * s * t, C = n * n + t * t;
    return (-B + std::sqrt(B * B + A * C)) / A;
  }
  double acceleration(double theta, double omega, double s) const {
    return -1.5 * 9.81 * std::sin(theta) - s * 2 * e * load(theta, omega, s);
  }
};

// θ when the first half swing ends, by Runge and Kutta's method in steps that end on ω = 0.
double first_turn(const Pendulum& p) {
  double theta = 0.5 * pi, omega = 0;
  double h = 1e-4;
  const auto step = [&](double length) {
    const auto f = [&](double a, double w) { return std::pair{w, p.acceleration(a, w, -1)}; };
    const auto [a1, w1] = f(theta, omega);
    const auto [a2, w2] = f(theta + 0.5 * length * a1, omega + 0.5 * length * w1);
    const auto [a3, w3] = f(theta + 0.5 * length * a2, omega + 0.5 * length * w2);
    const auto [a4, w4] = f(theta + length * a3, omega + length * w3);
    return std::pair{theta + length / 6 * (a1 + 2 * a2 + 2 * a3 + a4),
                     omega + length / 6 * (w1 + 2 * w2 + 2 * w3 + w4)};
  };
  for (int n = 0; h > 1e-13 && n < 1000000; ++n) {
    const auto [a, w] = step(h);
    if (w > 0 && n > 10) {
      h *= 0.5;
      continue;
    }
    theta = a, omega = w;
  }
  return theta;
}

TEST(PendulumWithBearingFriction, TurnsWhereItsEquationSays) {
  const double mu = 0.3, r = 0.05, exact = first_turn({mu * r / (2.0 / 3)});
  for (const bool planar : {true, false})
    for (const char* method : {"smooth, tolerance: 1e-11", "smooth, tolerance: 1e-10, integrator: adams",
                               "event-driven, tolerance: 1e-11", "moreau, step: 0.2 ms"}) {
      const Recording rec =
          run_text(fmt::format(R"(tappet: 1
dimension: {}
gravity: {}
bodies: {{rod: {{mass: 1, inertia: {}, position: {}}}}}
joints: {{pin: {{type: revolute, bodies: [ground, rod], points: [{}, {}]{}, friction: {{coefficient: {}, pin_radius: {}, {}preload: 0}}}}}}
simulation: {{method: {}, duration: 1.2}}
output: {{step: 0.5 ms}}
)",
                               planar ? "planar" : "spatial", planar ? "[0, -9.81]" : "[0, -9.81, 0]",
                               planar ? "1/12" : "[1/12, 1/12, 1/12]", planar ? "[0.5, 0]" : "[0.5, 0, 0]",
                               planar ? "[0, 0]" : "[0, 0, 0]", planar ? "[-0.5, 0]" : "[-0.5, 0, 0]",
                               planar ? "" : ", axis: [0, 0, 1]", mu, r,
                               planar ? "" : "bending_arm: 0.1, friction_arm: 0.1, ", method));
      const bool steps = std::string(method).find("moreau") != std::string::npos;
      ASSERT_FALSE(rec.rows.empty());
      double turn = 0, best = 1e9;
      for (const auto& row : rec.rows) {
        const double x = row[rec.column("rod.x")], y = row[rec.column("rod.y")];
        if (row[0] > 0.3 && x < 0 && std::abs(row[rec.column(planar ? "rod.omega" : "rod.wz")]) < best)
          best = std::abs(row[rec.column(planar ? "rod.omega" : "rod.wz")]), turn = std::atan2(x, -y);
      }
      // Sampled every 0.5 ms: at most 0.25 ms beside the turn, where θ̈ is about 14 rad/s².
      EXPECT_NEAR(turn, exact, steps ? 3e-4 : 1e-6) << method;
    }
}

// A block on a belt that a motion drives, held by a spring: it sticks until μ_s N/k, then slips about μ N/k with the belt's speed v to
// begin with: farthest at μ N/k + √(((μ_s − μ) N/k)² + (v/ω)²).
TEST(BlockOnABelt, SticksAndSlips) {
  const double N = 2 * 9.81, k = 50, v = 0.1, w = std::sqrt(k / 2);
  const double far = 0.2 * N / k + std::hypot(0.2 * N / k, v / w);
  for (const bool planar : {true, false})
    for (const char* method : {"method: smooth, tolerance: 1e-10", "method: event-driven, tolerance: 1e-10",
                               "method: moreau, step: 0.5 ms"}) {
      const char *zero = planar ? "[0, 0]" : "[0, 0, 0]", *x = planar ? "[1, 0]" : "[1, 0, 0]";
      const Recording r = run_text(
          fmt::format(R"(tappet: 1
dimension: {}
gravity: {}
bodies:
  belt: {{mass: 1, inertia: {}}}
  block: {{mass: 2, inertia: {}, velocity: {}}}
joints:
  runs: {{type: translational, bodies: [ground, belt], points: [{}, {}], axis: {}}}
  lies: {{type: translational, bodies: [belt, block], points: [{}, {}], axis: {}, friction: {{coefficient: 0.2, static: 0.4}}}}
motions: {{drive: {{joint: runs, speed: {}}}}}
forces: {{s: {{type: expression, body: block, fx: -{}*x}}}}
simulation: {{{}, duration: 6}}
output: {{step: 1 ms}}
)",
                      planar ? "planar" : "spatial", planar ? "[0, -9.81]" : "[0, 0, -9.81]",
                      planar ? "1" : "[1, 1, 1]", planar ? "1" : "[1, 1, 1]",
                      planar ? "[0.1, 0]" : "[0.1, 0, 0]", zero, zero, x, zero, zero, x, v, k, method));
      const bool steps = std::string(method).find("moreau") != std::string::npos;
      EXPECT_NEAR(r.largest("block.x"), far, steps ? 1e-3 : 1e-6) << method;
      EXPECT_NEAR(r.value(1, "block.x"), 0.1, steps ? 1e-4 : 1e-9) << method;
    }
}

// A flexible rod's pin is loaded by what its interface carries.
TEST(FrictionAtAFlexibleBody, IsThatOfItsReaction) {
  for (const char* simulation :
       {"duration: 0.02, tolerance: 1e-8", "duration: 0.02, method: moreau, step: 0.02 ms",
        "duration: 0.02, method: event-driven, tolerance: 1e-8"}) {
    const FlexibleCrank crank{.rigid_start = true,
                              .simulation = simulation,
                              .output = "output: {step: 0.002}",
                              .wrist = ", friction: {coefficient: 0.1, pin_radius: 0.01}"};
    const Recording r = run_text(crank.text());
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    const bool steps = std::string(simulation).find("moreau") != std::string::npos;
    for (const auto& row : r.rows) {
      if (row[0] == 0) continue;
      const double load = std::hypot(row[r.column("wrist.fx")], row[r.column("wrist.fy")]);
      EXPECT_NEAR(row[r.column("wrist.friction.normal")], load, (steps ? 1e-2 : 1e-9) * load)
          << simulation << row[0];
    }
    EXPECT_GT(r.last("wrist.friction.friction_loss"), 0) << simulation;
    EXPECT_LT(std::abs(r.last("energy.residual")), (steps ? 1e-2 : 1e-6) * r.last("energy.kinetic"))
        << simulation;
  }
}

TEST(FrictionInAJoint, WithPlayIsRefused) {
  EXPECT_THROW(model_of_text(R"(tappet: 1
dimension: planar
bodies: {b: {mass: 1, inertia: 1}}
joints: {j: {type: revolute, bodies: [ground, b], points: [[0, 0], [0, 0]], friction: {coefficient: 0.1, pin_radius: 1 mm}, clearance: {bearing_radius: 2 mm, journal_radius: 1 mm, normal: {law: hooke, stiffness: 1e6}}}}
simulation: {duration: 1}
)"),
               InputError);
}

}  // namespace
}  // namespace tappet::testing::joint_friction_test
