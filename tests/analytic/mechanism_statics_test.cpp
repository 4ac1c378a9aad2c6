// Statics of mechanisms against closed forms, as `start: static` finds it, by every method.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"
#include "tappet/equilibrium/linear_modes.hpp"
#include "tappet/equilibrium/statics.hpp"

namespace tappet::testing::mechanism_statics_test {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi;

struct Found {
  StaticSolution solution;
  std::vector<double> y;
};

Found search(const Model& model, const EquilibriumOptions& options = {}) {
  Simulation simulation(model);
  SmoothSystem system(model);
  Found out;
  out.y = simulation.state().y;
  out.solution = solve_statics(model, system, out.y, options);
  return out;
}
Found equilibrium(const std::string& text, const EquilibriumOptions& options = {}) {
  const auto model = model_of_text(text);
  Found out = search(*model, options);
  EXPECT_TRUE(out.solution.found) << out.solution.why;
  EXPECT_LT(out.solution.imbalance, 1e-8);
  return out;
}

// ---- pendula ----

std::string rod(double angle, const std::string& more = "") {
  return fmt::format(R"(
tappet: 1
dimension: planar
gravity: [0, -9.81]
bodies: {{rod: {{mass: 3, inertia: 0.2, position: [{}, {}], angle: {} deg}}}}
joints: {{hinge: {{type: revolute, bodies: [ground, rod], points: [[0, 0], [-0.5, 0]]{}}}}}
simulation: {{duration: 1}}
)",
                     0.5 * std::cos(angle * pi / 180), 0.5 * std::sin(angle * pi / 180), angle, more);
}

TEST(MechanismStatics, OfAPendulumComesDownFromEverywhereButTheTop) {
  for (const double angle : {0.0, 45.0, 89.0, 91.0, 179.0, -120.0}) {
    const Found f = equilibrium(rod(angle));
    EXPECT_NEAR(f.y[0], 0, 1e-9) << angle;
    EXPECT_NEAR(f.y[1], -0.5, 1e-12) << angle;
  }
  const Found up = equilibrium(rod(90));
  EXPECT_NEAR(up.y[1], 0.5, 1e-12);
  EXPECT_LE(up.solution.moved, 1e-12);
}

// ---- a chain between two supports: every bar in moment equilibrium, tan θ_i = (i − (n + 1)/2) m g/H ----

TEST(MechanismStatics, OfAChainIsTheDiscreteCatenary) {
  struct Case {
    int bars;
    double span;
  };
  for (const Case& c : {Case{4, 0.3}, Case{11, 0.6}, Case{30, 2.5}}) {
    const double l = 0.1, m = 0.2;
    // From a V, which balances nowhere.
    const double half = c.span / 2, depth = std::sqrt(std::pow(c.bars * l / 2, 2) - half * half);
    const auto point = [&](int i) {
      const double s = 2.0 * i / c.bars;
      return s <= 1 ? Vec2(half * s, -depth * s) : Vec2(half * s, -depth * (2 - s));
    };
    std::string bodies, joints;
    for (int i = 0; i < c.bars; ++i) {
      const Vec2 a = point(i), b = point(i + 1), middle = 0.5 * (a + b);
      bodies += fmt::format("  b{}: {{mass: {}, inertia: 1e-4, position: [{}, {}], angle: {}}}\n", i, m,
                            middle.x(), middle.y(), std::atan2(b.y() - a.y(), b.x() - a.x()));
      joints +=
          i == 0 ? fmt::format("  j0: {{type: revolute, bodies: [ground, b0], points: [[0, 0], [{}, 0]]}}\n",
                               -l / 2)
                 : fmt::format(
                       "  j{0}: {{type: revolute, bodies: [b{1}, b{0}], points: [[{2}, 0], [-{2}, 0]]}}\n", i,
                       i - 1, l / 2);
    }
    joints += fmt::format("  end: {{type: revolute, bodies: [b{}, ground], points: [[{}, 0], [{}, 0]]}}\n",
                          c.bars - 1, l / 2, c.span);
    const Found f =
        equilibrium(fmt::format("tappet: 1\ndimension: planar\ngravity: [0, "
                                "-9.81]\nbodies:\n{}joints:\n{}simulation: {{duration: 1}}\n",
                                bodies, joints));
    // H by bisection of the span.
    const auto span_of = [&](double H) {
      double sum = 0;
      for (int i = 1; i <= c.bars; ++i) sum += l / std::hypot(1, (i - 0.5 * (c.bars + 1)) * m * g / H);
      return sum;
    };
    double low = 1e-6, high = 1e6;
    for (int n = 0; n < 200; ++n)
      (span_of(std::sqrt(low * high)) < c.span ? low : high) = std::sqrt(low * high);
    Vec2 at = Vec2::Zero();
    double worst = 0;
    for (int i = 1; i <= c.bars; ++i) {
      const double angle = std::atan((i - 0.5 * (c.bars + 1)) * m * g / low);
      const Vec2 along(std::cos(angle), std::sin(angle)), middle = at + 0.5 * l * along;
      at += l * along;
      worst = std::max(worst, (Vec2(f.y[3 * (i - 1)], f.y[3 * (i - 1) + 1]) - middle).norm());
    }
    printf("%d bars: %.1e m from the catenary, %d steps\n", c.bars, worst, f.solution.steps);
    EXPECT_LT(worst, 1e-9 * c.span);
  }
}

// ---- contact: δ = (m g/K)^(1/n), in plane and space, from above and from inside ----

TEST(MechanismStatics, OfABallOnAFloorIsThatOfTheLaw) {
  for (const bool spatial : {false, true})
    for (const double exponent : {1.0, 1.5, 2.2})
      for (const double height : {1.0, 0.1, 0.0999}) {
        const double K = 1e8, m = 2;
        const Found f = equilibrium(fmt::format(
            R"(
tappet: 1
dimension: {}
gravity: [0, -9.81{}]
bodies: {{ball: {{mass: {}, inertia: {}, position: [0, {}{}], shapes: {{skin: {}}}}}}}
ground: {{shapes: {{floor: {{plane: {{point: [0, 0{}], normal: [0, 1{}]}}}}}}}}
contacts: {{c: {{between: [ground.floor, ball.skin], normal: {{law: impact, stiffness: {}, exponent: {}, damping: 1e3, depth: 1e-4}}}}}}
simulation: {{duration: 1}}
)",
            spatial ? "spatial" : "planar", spatial ? ", 0" : "", m, spatial ? "[0.01, 0.01, 0.01]" : "0.01",
            height, spatial ? ", 0" : "", spatial ? "{sphere: {radius: 0.1}}" : "{circle: {radius: 0.1}}",
            spatial ? ", 0" : "", spatial ? ", 0" : "", K, exponent));
        const double exact = std::pow(m * g / K, 1 / exponent);
        EXPECT_NEAR(0.1 - f.y[1], exact, 1e-6 * exact) << spatial << " " << exponent << " " << height;
      }
}

// ---- friction that holds ----

std::string block(double slope, double mu, const std::string& simulation, bool spatial,
                  const std::string& law = "coulomb") {
  const double c = std::cos(slope * pi / 180), s = std::sin(slope * pi / 180);
  return fmt::format(
      R"(
tappet: 1
dimension: {}
gravity: [{}, {}{}]
bodies: {{block: {{mass: 2, inertia: {}, position: [0, 0.05{}], shapes: {{skin: {{box: {{size: [0.2, 0.1{}]}}}}}}}}}}
ground: {{shapes: {{floor: {{plane: {{point: [0, 0{}], normal: [0, 1{}]}}}}}}}}
contacts:
  foot:
    between: [ground.floor, block.skin]
    normal: {{law: hooke, stiffness: 1e6, restitution: 0}}
    friction: {{law: {}, coefficient: {}{}}}
simulation: {{{}}}
)",
      spatial ? "spatial" : "planar", g * s, -g * c, spatial ? ", 0" : "",
      spatial ? "[0.01, 0.01, 0.01]" : "0.01", spatial ? ", 0" : "", spatial ? ", 0.2" : "",
      spatial ? ", 0" : "", spatial ? ", 0" : "", law, mu, law == "ambrosio" ? ", v0: 1e-4, v1: 1e-3" : "",
      simulation);
}

// One row per method: a block on a slope rests where it was put, and stays there when it is let go.
TEST(MechanismStatics, OfABlockOnASlopeHoldsBelowTheAngleOfFriction) {
  for (const char* method : {"method: smooth", "method: event-driven", "method: moreau, step: 1 ms"})
    for (const bool spatial : {false, true})
      for (const double slope : {0.0, 20.0, 26.0}) {  // tan 26.565° = 0.5
        const std::string words = fmt::format("{} {} {}", method, spatial, slope);
        const Recording r =
            run_text(block(slope, 0.5, fmt::format("duration: 0.1, start: static, {}", method), spatial));
        EXPECT_TRUE(r.summary.completed) << words << r.summary.stop_reason;
        const double began = r.rows.front()[r.column("block.x")];
        EXPECT_LT(std::abs(began), 1e-4) << words;
        EXPECT_NEAR(r.last("block.x"), began, 1e-8) << words;
        EXPECT_LT(r.largest("block.vx"), 1e-6) << words;
        EXPECT_LT(r.largest("block.vy"), 1e-6) << words;
      }
}

TEST(MechanismStatics, OfABlockOnASteeperSlopeIsNotThere) {
  for (const char* method : {"smooth", "event-driven", "moreau, step: 1 ms"})
    for (const bool spatial : {false, true}) {
      const auto model =
          model_of_text(block(30, 0.5, fmt::format("duration: 0.1, method: {}", method), spatial));
      const Found f = search(*model);
      EXPECT_FALSE(f.solution.found) << method;
      // What is left of weight and friction: m g (sin 30° − μ cos 30°) = 1.314 N.
      EXPECT_NE(f.solution.why.find("on 'block' a force of [1.314, "), std::string::npos) << f.solution.why;
    }
}

TEST(MechanismStatics, SaysWhichFrictionGivesNothingAtRest) {
  const auto level = model_of_text(block(0, 0.5, "duration: 1", false, "ambrosio"));
  const Found f = search(*level);
  EXPECT_TRUE(f.solution.found);
  ASSERT_FALSE(f.solution.notes.empty());
  EXPECT_NE(f.solution.notes[0].find("gives no force at rest"), std::string::npos);
  EXPECT_FALSE(search(*model_of_text(block(5, 0.5, "duration: 1", false, "ambrosio"))).solution.found);
}

// A hinge with friction holds a rod as long as μ N r is enough, N = m g being the pin's reaction at rest; else it falls to where it is,
// m g a cos θ = μ r m g, and no further.
TEST(MechanismStatics, OfARodInAStiffHinge) {
  for (const double radius : {0.01, 0.1, 0.4, 0.9}) {
    const Found f = equilibrium(
        rod(-30, fmt::format(", friction: {{law: coulomb, coefficient: 0.5, pin_radius: {}}}", radius)));
    EXPECT_NEAR(f.y[2], -std::max(pi / 6, std::acos(std::min(1.0, 0.5 * radius / 0.5))), 1e-5) << radius;
  }
}

// ---- bushing with preload ----

TEST(MechanismStatics, OfAPreloadedBushing) {
  for (const bool spatial : {false, true}) {
    const Found f = equilibrium(fmt::format(
        R"(
tappet: 1
dimension: {}
gravity: [0, -9.81{}]
bodies: {{b: {{mass: 2, inertia: {}}}}}
forces: {{bush: {{type: bushing, bodies: [ground, b], points: {}, stiffness_diagonal: {}, preload: {}}}}}
simulation: {{duration: 1}}
)",
        spatial ? "spatial" : "planar", spatial ? ", 0" : "", spatial ? "[1, 1, 1]" : "1",
        spatial ? "[[0, 0, 0], [0, 0, 0]]" : "[[0, 0], [0, 0]]",
        spatial ? "[1e5, 2e5, 1e5, 10, 10, 10]" : "[1e5, 2e5, 10]",
        spatial ? "[0, 5, 0, 0, 0, 0]" : "[0, 5, 0]"));
    EXPECT_NEAR(f.y[1], (5 - 2 * g) / 2e5, 1e-16);
  }
}

// ---- what has none ----

TEST(MechanismStatics, OfABodyInTheAirIsNotThere) {
  const auto model = model_of_text(R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
bodies: {ball: {mass: 2, inertia: [0.01, 0.01, 0.01]}}
simulation: {duration: 1, start: given}
)");
  const Found f = search(*model);
  EXPECT_FALSE(f.solution.found);
  EXPECT_NE(f.solution.why.find("on 'ball' a force of [0, 0, -19.62] N is not balanced"), std::string::npos)
      << f.solution.why;
}

TEST(MechanismStatics, RefusesToStartFromWhatIsNotThere) {
  const auto model = model_of_text(R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
bodies: {ball: {mass: 2, inertia: [0.01, 0.01, 0.01]}}
simulation: {duration: 1, start: static}
)");
  try {
    Simulation simulation(model);
    FAIL() << "a ball in the air is no equilibrium";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("test.yaml:6:"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("`start: static`: no equilibrium was found"), std::string::npos)
        << error.what();
  }
}

// ---- redundant constraints: Bricard's mechanism, and a bench on three parallel cranks ----

TEST(MechanismStatics, OfRedundantMechanisms) {
  const auto bricard = model_of_example("bricard/bricard.yaml");
  const Found f = search(*bricard);
  EXPECT_TRUE(f.solution.found) << f.solution.why;
  // Three parallel cranks of 0.5 m with a plank of 4 kg: one freedom, three constraints too many in space. It hangs straight down.
  const Found cranks = equilibrium(R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
bodies:
  plank: {mass: 4, inertia: [1, 1, 1], position: [0.3, 0, -0.4]}
  c1: {mass: 1, inertia: [0.02, 0.02, 0.02], position: [-0.85, 0, -0.2], orientation: {axis: [0, 1, 0], angle: 53.13010235415598 deg}}
  c2: {mass: 1, inertia: [0.02, 0.02, 0.02], position: [0.15, 0, -0.2], orientation: {axis: [0, 1, 0], angle: 53.13010235415598 deg}}
  c3: {mass: 1, inertia: [0.02, 0.02, 0.02], position: [1.15, 0, -0.2], orientation: {axis: [0, 1, 0], angle: 53.13010235415598 deg}}
joints:
  a1: {type: revolute, bodies: [ground, c1], points: [[-1, 0, 0], [-0.25, 0, 0]], axis: [0, 1, 0]}
  a2: {type: revolute, bodies: [ground, c2], points: [[0, 0, 0], [-0.25, 0, 0]], axis: [0, 1, 0]}
  a3: {type: revolute, bodies: [ground, c3], points: [[1, 0, 0], [-0.25, 0, 0]], axis: [0, 1, 0]}
  b1: {type: revolute, bodies: [plank, c1], points: [[-1, 0, 0], [0.25, 0, 0]], axis: [0, 1, 0]}
  b2: {type: revolute, bodies: [plank, c2], points: [[0, 0, 0], [0.25, 0, 0]], axis: [0, 1, 0]}
  b3: {type: revolute, bodies: [plank, c3], points: [[1, 0, 0], [0.25, 0, 0]], axis: [0, 1, 0]}
simulation: {duration: 1}
)");
  EXPECT_NEAR(cranks.y[0], 0, 1e-8);
  EXPECT_NEAR(cranks.y[2], -0.5, 1e-10);
}

// ---- steady rotation: a governor's arms stand at cos θ = g/(Ω² ℓ) ----

TEST(MechanismStatics, OfAGovernorThatTurns) {
  for (const double speed : {5.0, 8.0, 20.0}) {
    const auto model = model_of_text(fmt::format(R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
bodies:
  spindle: {{mass: 1, inertia: [0.1, 0.1, 0.1]}}
  arm: {{mass: 2, inertia: [1e-9, 1e-9, 1e-9], position: [0.5*sin(0.3), 0, -0.5*cos(0.3)], orientation: {{axis: [0, 1, 0], angle: -0.3}}}}
joints:
  bearing: {{type: revolute, bodies: [ground, spindle], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1]}}
  hinge: {{type: revolute, bodies: [spindle, arm], points: [[0, 0, 0], [0, 0, 0.5]], axis: [0, 1, 0]}}
motions: {{motor: {{joint: bearing, speed: {}}}}}
simulation: {{duration: 1}}
)",
                                                 speed));
    const Found f = search(*model, {.axes = 0});
    ASSERT_TRUE(f.solution.found) << f.solution.why;
    const double height = g / (speed * speed);  // ℓ cos θ
    EXPECT_NEAR(f.y[7 + 2], -height, 1e-8) << speed;
    EXPECT_NEAR(f.y[7], std::sqrt(0.25 - height * height), 1e-8);
    // It goes on so.
    Simulation simulation(model);
    State state = simulation.state();
    state.y = f.y;
    simulation.set_state(state);
    simulation.advance(0.5);
    EXPECT_NEAR(simulation.value("arm.z"), -height, 1e-6);
  }
}

// ---- whole turns: a torsion spring in space that must be wound twice ----

TEST(MechanismStatics, FollowsWholeTurns) {
  const auto model = model_of_text(R"(
tappet: 1
dimension: spatial
bodies: {wheel: {mass: 1, inertia: [0.1, 0.1, 0.1]}}
joints: {hinge: {type: revolute, bodies: [ground, wheel], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1]}}
forces: {spring: {type: rotational-spring-damper, joint: hinge, stiffness: 2, damping: 0.1, angle: 14}}
simulation: {duration: 1, start: static}
)");
  Simulation simulation(model);
  EXPECT_NEAR(std::abs(simulation.value("wheel.qw")), std::abs(std::cos(7)), 1e-9);
  EXPECT_NEAR(simulation.value("energy.potential"), 0, 1e-12);
  simulation.advance(0.2);
  EXPECT_NEAR(simulation.value("wheel.wz"), 0, 1e-9);
}

// ---- start: static in sweeps of methods, on joints with springs: at rest from the first instant to the last ----

TEST(MechanismStatics, RunsThatStartThereStayThere) {
  for (const char* method : {"smooth", "event-driven", "moreau, step: 1 ms"}) {
    const Recording r = run_text(fmt::format(R"(
tappet: 1
dimension: planar
gravity: [0, -9.81]
bodies:
  a: {{mass: 1, inertia: 0.1, position: [0.5, 0]}}
  b: {{mass: 2, inertia: 0.2, position: [1.5, 0]}}
joints:
  top: {{type: revolute, bodies: [ground, a], points: [[0, 0], [-0.5, 0]]}}
  knee: {{type: revolute, bodies: [a, b], points: [[0.5, 0], [-0.5, 0]]}}
forces:
  k1: {{type: rotational-spring-damper, joint: top, stiffness: 40, damping: 0, angle: 0}}
  k2: {{type: rotational-spring-damper, joint: knee, stiffness: 15, damping: 0, angle: 0}}
simulation: {{duration: 0.5, start: static, method: {}}}
)",
                                             method));
    EXPECT_TRUE(r.summary.completed) << r.summary.stop_reason;
    const double began = r.rows.front()[r.column("b.y")];
    EXPECT_LT(began, -0.1);
    EXPECT_NEAR(r.last("b.y"), began, 1e-9) << method;
    EXPECT_LT(r.largest("b.vy"), 1e-8) << method;
    EXPECT_NEAR(r.last("energy.residual"), 0, 1e-9);
    EXPECT_TRUE(std::any_of(r.summary.notes.begin(), r.summary.notes.end(), [](const std::string& n) {
      return n.find("starts in static equilibrium") == 0;
    }));
  }
}

}  // namespace
}  // namespace tappet::testing::mechanism_statics_test
