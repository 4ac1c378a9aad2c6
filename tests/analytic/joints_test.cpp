// Reactions, motions and forces of single joints against closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::joints_test {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi;

std::string planar(const std::string& body, double duration = 1, double step = 0.05) {
  return fmt::format(
      "tappet: 1\ndimension: planar\n{}simulation: {{duration: {}, tolerance: 1e-11}}\noutput: {{step: "
      "{}}}\n",
      body, duration, step);
}
std::string spatial(const std::string& body, double duration = 1, double step = 0.05) {
  return fmt::format(
      "tappet: 1\ndimension: spatial\n{}simulation: {{duration: {}, tolerance: 1e-11}}\noutput: {{step: "
      "{}}}\n",
      body, duration, step);
}

Recording completed(const std::string& text) {
  Recording r = run_text(text);
  EXPECT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_LT(r.summary.constraint_violation, 1e-10);
  return r;
}

// ---- reactions ----

// A rod of mass m released horizontally. At the angle θ below the horizontal: ω² = 3g sin θ/ℓ, and the pin
// carries 5/2 mg sin θ along the rod and mg/4 cos θ across it.
void expect_pin_of_a_falling_rod(const Recording& r, const std::string& up, const std::string& vertical) {
  for (const auto& row : r.rows) {
    const double x = row[r.column("rod.x")] / 0.5, y = row[r.column("rod." + up)] / 0.5;  // cos θ, −sin θ
    const double along = -2.5 * 2 * g * y, across = 0.25 * 2 * g * x;
    EXPECT_NEAR(row[r.column("pin.fx")], -along * x - across * y, 1e-7);
    EXPECT_NEAR(row[r.column("pin." + vertical)], -along * y + across * x, 1e-7);
  }
}

TEST(Reactions, RevoluteInThePlane) {
  expect_pin_of_a_falling_rod(completed(planar(R"(gravity: [0, -9.81]
bodies: {rod: {mass: 2, inertia: 2/12, position: [0.5, 0]}}
joints: {pin: {type: revolute, bodies: [ground, rod], points: [[0, 0], [-0.5, 0]]}}
)")),
                              "y", "fy");
}

TEST(Reactions, RevoluteInSpace) {
  const Recording r = completed(spatial(R"(gravity: [0, 0, -9.81]
bodies: {rod: {mass: 2, inertia: [1e-3, 2/12, 2/12], position: [0.5, 0, 0]}}
joints: {pin: {type: revolute, bodies: [ground, rod], points: [[0, 0, 0], [-0.5, 0, 0]], axis: [0, 1, 0]}}
)"));
  expect_pin_of_a_falling_rod(r, "z", "fz");
  EXPECT_LT(r.largest("pin.ty"), 1e-9);  // a pin carries no moment about its axis
}

TEST(Reactions, Spherical) {
  expect_pin_of_a_falling_rod(completed(spatial(R"(gravity: [0, 0, -9.81]
bodies: {rod: {mass: 2, inertia: [1e-3, 2/12, 2/12], position: [0.5, 0, 0]}}
joints: {pin: {type: spherical, bodies: [ground, rod], points: [[0, 0, 0], [-0.5, 0, 0]]}}
)")),
                              "z", "fz");
}

// A block on a slide at 30°: normal force mg cos 30°, acceleration g sin 30°; a force above the slide's line
// is held by a moment.
TEST(Reactions, Translational) {
  const Recording r = completed(planar(R"(gravity: [0, -9.81]
bodies: {block: {mass: 2, inertia: 0.1}}
joints: {slide: {type: translational, bodies: [ground, block], points: [[0, 0], [0, 0]], axis: [cos(pi/6), -sin(pi/6)]}}
forces: {push: {type: force, body: block, point: [0, 0.1], force: [3, 0]}}
)"));
  const double c = std::cos(pi / 6), s = 0.5;
  // Across the slide (s, c): gravity 2g c less the push's part 3 s.
  const double normal = 2 * g * c - 3 * s, a = g * s + 3 * c / 2;
  for (const auto& row : r.rows) {
    EXPECT_NEAR(row[r.column("slide.fx")], normal * s, 1e-9);
    EXPECT_NEAR(row[r.column("slide.fy")], normal * c, 1e-9);
    EXPECT_NEAR(row[r.column("slide.torque")], 3 * 0.1, 1e-9);
    EXPECT_NEAR(row[r.column("block.x")], 0.5 * a * c * row[0] * row[0], 1e-9);
  }
}

// Tension of a pendulum released horizontally: 3 m g sin θ.
TEST(Reactions, Distance) {
  const Recording r = completed(planar(R"(gravity: [0, -9.81]
bodies: {bob: {mass: 2, position: [-1, 0]}}
joints: {rod: {type: distance, bodies: [ground, bob], points: [[0, 0], [0, 0]]}}
)"));
  for (const auto& row : r.rows) {
    const double x = row[r.column("bob.x")], y = row[r.column("bob.y")], tension = -3 * 2 * g * y;
    EXPECT_NEAR(row[r.column("rod.fx")], -tension * x, 1e-7);
    EXPECT_NEAR(row[r.column("rod.fy")], -tension * y, 1e-7);
  }
}

// Hooke's joint between two shafts at 30°: ω₂/ω₁ = cos β/(1 − sin²β cos²θ), and power goes through it without
// loss.
TEST(Reactions, UniversalJointBetweenTwoShafts) {
  const Recording r = completed(spatial(R"(bodies:
  one: {mass: 1, inertia: [0.1, 0.1, 0.1]}
  two: {mass: 1, inertia: [0.2, 0.2, 0.2], orientation: {axis: [0, 0, 1], angle: 30 deg}}
joints:
  first: {type: revolute, bodies: [ground, one], points: [[0, 0, 0], [0, 0, 0]], axis: [1, 0, 0]}
  second: {type: revolute, bodies: [ground, two], points: [[0, 0, 0], [0, 0, 0]], axis: [cos(pi/6), sin(pi/6), 0]}
  cross: {type: universal, bodies: [one, two], points: [[0, 0, 0], [0, 0, 0]], axes: [[0, 1, 0], [0, 0, 1]]}
motions: {motor: {joint: first, speed: 2*pi}}
forces: {load: {type: torque, body: two, vector: [-3, 0, 0], axes: body}}
)"));
  EXPECT_EQ(r.summary.degrees_of_freedom, 0);
  EXPECT_GT(r.summary.redundant, 0);
  const double b = pi / 6, w1 = 2 * pi, sb2 = std::sin(b) * std::sin(b);
  for (const auto& row : r.rows) {
    // The fork of the driving shaft starts in the plane of the shafts.
    const double theta = w1 * row[0], c2 = std::cos(theta) * std::cos(theta);
    const double ratio = std::cos(b) / (1 - sb2 * c2);
    const double w2 = row[r.column("two.wx")] * std::cos(b) + row[r.column("two.wy")] * std::sin(b);
    EXPECT_NEAR(w2, w1 * ratio, 1e-8);
    const double alpha2 = -w1 * w1 * std::cos(b) * sb2 * std::sin(2 * theta) / std::pow(1 - sb2 * c2, 2);
    EXPECT_NEAR(row[r.column("motor.torque")], (3 + 0.2 * alpha2) * ratio, 1e-7);
  }
}

TEST(Reactions, Gear) {
  const Recording r = completed(planar(R"(bodies:
  small: {mass: 1, inertia: 0.1}
  large: {mass: 4, inertia: 1.6, position: [3, 0]}
joints:
  a: {type: revolute, bodies: [ground, small], points: [[0, 0], [0, 0]]}
  b: {type: revolute, bodies: [ground, large], points: [[3, 0], [0, 0]]}
  mesh: {type: gear, joints: [a, b], ratio: -2}
forces: {drive: {type: torque, body: small, torque: 5}}
)"));
  // (I_a + I_b/ratio²) α = T; the mesh turns the small wheel back by I_b α/ratio².
  const double alpha = 5 / (0.1 + 1.6 / 4);
  for (const auto& row : r.rows) {
    EXPECT_NEAR(row[r.column("small.alpha")], alpha, 1e-9);
    EXPECT_NEAR(row[r.column("large.angle")], -0.25 * alpha * row[0] * row[0], 1e-8);
    EXPECT_NEAR(row[r.column("mesh.torque")], -1.6 / 4 * alpha, 1e-9);
  }
}

TEST(Reactions, GearInSpaceOverManyTurns) {
  const Recording r = completed(spatial(R"(bodies:
  small: {mass: 1, inertia: [0.1, 0.1, 0.1]}
  large: {mass: 4, inertia: [1.6, 1.6, 1.6], position: [3, 0, 0]}
joints:
  a: {type: revolute, bodies: [ground, small], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1]}
  b: {type: revolute, bodies: [ground, large], points: [[3, 0, 0], [0, 0, 0]], axis: [0, 0, 1]}
  mesh: {type: gear, joints: [a, b], ratio: -2}
forces: {drive: {type: torque, body: small, vector: [0, 0, 5]}}
)",
                                        3, 0.25));
  for (const auto& row : r.rows) {
    EXPECT_NEAR(row[r.column("small.wz")], 10 * row[0], 1e-8);
    EXPECT_NEAR(row[r.column("large.wz")], -5 * row[0], 1e-8);
  }
}

TEST(Reactions, Rack) {
  const Recording r = completed(planar(R"(bodies:
  pinion: {mass: 1, inertia: 0.1}
  bar: {mass: 4, inertia: 1, position: [0, -0.2]}
joints:
  axle: {type: revolute, bodies: [ground, pinion], points: [[0, 0], [0, 0]]}
  slide: {type: translational, bodies: [ground, bar], points: [[0, -0.2], [0, 0]], axis: [1, 0]}
  teeth: {type: rack, joints: [axle, slide], radius: 0.2}
forces: {drive: {type: torque, body: pinion, torque: 5}}
)"));
  const double alpha = 5 / (0.1 + 4 * 0.04);
  for (const auto& row : r.rows) {
    EXPECT_NEAR(row[r.column("bar.x")], 0.5 * 0.2 * alpha * row[0] * row[0], 1e-8);
    EXPECT_NEAR(row[r.column("teeth.force")], 4 * 0.2 * alpha, 1e-9);  // on the bar
  }
}

// ---- motions, each an expression of t ----

struct MotionCase {
  const char* name;
  std::string motion;
  double (*angle)(double);
  double (*alpha)(double);
  friend std::ostream& operator<<(std::ostream& out, const MotionCase& c) { return out << c.name; }
};

class JointMotions : public ::testing::TestWithParam<MotionCase> {};
INSTANTIATE_TEST_SUITE_P(Expressions, JointMotions,
                         ::testing::Values(MotionCase{"angle", "angle: 0.5*sin(3*t) rad",
                                                      [](double t) { return 0.5 * std::sin(3 * t); },
                                                      [](double t) { return -4.5 * std::sin(3 * t); }},
                                           MotionCase{"speed", "speed: 2*t + cos(t) rad/s",
                                                      [](double t) { return t * t + std::sin(t); },
                                                      [](double t) { return 2 - std::sin(t); }},
                                           MotionCase{"acceleration", "acceleration: 6*t rad/s^2",
                                                      [](double t) { return t * t * t; },
                                                      [](double t) { return 6 * t; }}),
                         [](const auto& info) { return std::string(info.param.name); });

// The driving torque of a rod about its end under gravity: I α + m g ℓ/2 cos θ, I = m ℓ²/3.
TEST_P(JointMotions, FollowTheirExpression) {
  const MotionCase& c = GetParam();
  for (bool in_space : {false, true}) {
    const Recording r = completed(
        in_space
            ? spatial("gravity: [0, -9.81, 0]\nbodies: {rod: {mass: 2, inertia: [1e-3, 2/12, 2/12], "
                      "position: [0.5, 0, 0]}}\n"
                      "joints: {pin: {type: revolute, bodies: [ground, rod], points: [[0, 0, 0], [-0.5, 0, "
                      "0]], axis: [0, 0, "
                      "1]}}\nmotions: {motor: {joint: pin, " +
                      c.motion + "}}\n")
            : planar("gravity: [0, -9.81]\nbodies: {rod: {mass: 2, inertia: 2/12, position: [0.5, 0]}}\n"
                     "joints: {pin: {type: revolute, bodies: [ground, rod], points: [[0, 0], [-0.5, 0]]}}\n"
                     "motions: {motor: {joint: pin, " +
                     c.motion + "}}\n"));
    for (const auto& row : r.rows) {
      const double theta = c.angle(row[0]), alpha = c.alpha(row[0]);
      EXPECT_NEAR(row[r.column("rod.x")], 0.5 * std::cos(theta), 1e-9);
      EXPECT_NEAR(row[r.column("rod.y")], 0.5 * std::sin(theta), 1e-9);
      EXPECT_NEAR(row[r.column("motor.torque")], 2.0 / 3 * alpha + 2 * g * 0.5 * std::cos(theta), 1e-7);
    }
    EXPECT_LT(r.summary.energy_residual, 1e-9);
  }
}

TEST(Motions, DisplacementOfASlide) {
  const Recording r = completed(planar(R"(bodies: {block: {mass: 2, inertia: 1}}
joints: {slide: {type: translational, bodies: [ground, block], points: [[0, 0], [0, 0]], axis: [0, 1]}}
motions: {lift: {joint: slide, displacement: 5*t^2 cm}}
)"));
  for (const auto& row : r.rows) {
    EXPECT_NEAR(row[r.column("block.y")], 0.05 * row[0] * row[0], 1e-12);
    EXPECT_NEAR(row[r.column("lift.force")], 2 * 0.1, 1e-10);
  }
}

// A point of a body moved on a circle; the body hangs from it and is otherwise free to swing.
TEST(Motions, PositionOfAPoint) {
  const Recording r =
      completed(planar(R"(bodies: {plate: {mass: 2, inertia: 1, position: [0.1, 0], angular_velocity: 0}}
motions: {hand: {body: plate, position: [0.1*cos(2*t), 0.1*sin(2*t)]}}
)"));
  for (const auto& row : r.rows) {
    const double t = row[0];
    EXPECT_NEAR(row[r.column("plate.x")], 0.1 * std::cos(2 * t), 1e-10);
    EXPECT_NEAR(row[r.column("plate.vy")], 0.2 * std::cos(2 * t), 1e-10);
    EXPECT_NEAR(row[r.column("hand.fx")], -2 * 0.4 * std::cos(2 * t), 1e-9);
    EXPECT_NEAR(row[r.column("hand.fy")], -2 * 0.4 * std::sin(2 * t), 1e-9);
  }
}

// ---- forces ----

// m ẍ + c ẋ + k x = 0, underdamped, from x₀ at rest.
double damped(double t, double m, double c, double k, double x0) {
  const double a = c / (2 * m), w = std::sqrt(k / m - a * a);
  return x0 * std::exp(-a * t) * (std::cos(w * t) + a / w * std::sin(w * t));
}

TEST(Forces, SpringDamperLinearAndByExpression) {
  for (const char* law : {"stiffness: 50, damping: 1, length: 1", "force: 50*x + 1*v, length: 1"}) {
    const Recording r = completed(planar(fmt::format(R"(bodies: {{ball: {{mass: 2, position: [1.2, 0]}}}}
forces: {{spring: {{type: spring-damper, bodies: [ground, ball], points: [[0, 0], [0, 0]], {}}}}}
)",
                                                     law),
                                         3));
    for (const auto& row : r.rows)
      EXPECT_NEAR(row[r.column("ball.x")], 1 + damped(row[0], 2, 1, 50, 0.2), 1e-9) << law;
    EXPECT_LT(r.summary.energy_residual, 1e-9) << law;
  }
}

TEST(Forces, RotationalSpringDamperInPlaneAndSpace) {
  for (bool in_space : {false, true}) {
    const std::string text = in_space ? spatial(R"(bodies: {wheel: {mass: 1, inertia: [1, 1, 2]}}
joints: {axle: {type: revolute, bodies: [ground, wheel], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1]}}
forces: {spring: {type: rotational-spring-damper, joint: axle, stiffness: 50, damping: 1, angle: 9}}
)",
                                                3)
                                      : planar(R"(bodies: {wheel: {mass: 1, inertia: 2}}
joints: {axle: {type: revolute, bodies: [ground, wheel], points: [[0, 0], [0, 0]]}}
forces: {spring: {type: rotational-spring-damper, joint: axle, stiffness: 50, damping: 1, angle: 9}}
)",
                                               3);
    // The wheel turns through more than two whole turns.
    const Recording r = completed(text);
    for (const auto& row : r.rows) {
      const double angle = 9 + damped(row[0], 2, 1, 50, -9);
      if (in_space)
        EXPECT_NEAR(std::abs(row[r.column("wheel.qw")]), std::abs(std::cos(angle / 2)), 1e-8);
      else
        EXPECT_NEAR(row[r.column("wheel.angle")], angle, 1e-8);
    }
    EXPECT_LT(r.summary.energy_residual, 1e-9);
  }
}

TEST(Forces, BushingSwingsAsItsDiagonalSays) {
  const Recording r =
      completed(spatial(R"(bodies: {block: {mass: 2, inertia: [1, 2, 3], position: [0.01, 0.02, 0]}}
forces: {mount: {type: bushing, bodies: [ground, block], points: [[0, 0, 0], [0, 0, 0]],
                 stiffness_diagonal: [50, 80, 100, 5, 6, 7], damping_diagonal: [1, 0, 0, 0, 0, 0]}}
)"));
  for (const auto& row : r.rows) {
    EXPECT_NEAR(row[r.column("block.x")], damped(row[0], 2, 1, 50, 0.01), 1e-9);
    EXPECT_NEAR(row[r.column("block.y")], damped(row[0], 2, 0, 80, 0.02), 1e-9);
  }
  EXPECT_LT(r.summary.energy_residual, 1e-9);
}

TEST(Forces, InWorldAndBodyAxes) {
  // A body that turns at 2 rad/s; 3 N along the world's x, or along its own.
  for (bool own : {false, true}) {
    const Recording r =
        completed(planar(fmt::format(R"(bodies: {{puck: {{mass: 1.5, inertia: 1, angular_velocity: 2}}}}
forces: {{jet: {{type: force, body: puck, force: [3, 0], axes: {}}}}}
)",
                                     own ? "body" : "world")));
    for (const auto& row : r.rows) {
      const double t = row[0];
      EXPECT_NEAR(row[r.column("puck.vx")], own ? 2 * std::sin(2 * t) / 2 : 2 * t, 1e-9);
      EXPECT_NEAR(row[r.column("puck.vy")], own ? 2 * (1 - std::cos(2 * t)) / 2 : 0, 1e-9);
    }
    EXPECT_LT(r.summary.energy_residual, 1e-9);
  }
}

TEST(Forces, TorqueAboutAPrincipalAxisAndInTime) {
  const Recording r = completed(spatial(R"(bodies: {wheel: {mass: 1, inertia: [1, 2, 3]}}
forces: {drive: {type: torque, body: wheel, vector: [0, 0, 6*t], axes: body}}
)"));
  for (const auto& row : r.rows) EXPECT_NEAR(row[r.column("wheel.wz")], row[0] * row[0], 1e-9);
  EXPECT_LT(r.summary.energy_residual, 1e-9);
}

TEST(Forces, ExpressionOfTheMotion) {
  // Drag and spring to the origin: the damped oscillator again.
  const Recording r = completed(planar(R"(bodies: {ball: {mass: 2, position: [0.2, 0]}}
forces: {all: {type: expression, body: ball, fx: -50*x - vx}}
)",
                                       3));
  for (const auto& row : r.rows) EXPECT_NEAR(row[r.column("ball.x")], damped(row[0], 2, 1, 50, 0.2), 1e-9);
  EXPECT_LT(r.summary.energy_residual, 1e-9);
}

// ---- redundant and contradictory ----

std::string spatial_four_bar(double coupler) {
  return fmt::format(R"(tappet: 1
dimension: spatial
gravity: [0, -9.81, 0]
bodies:
  crank: {{mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0.5, 0], angular_velocity: [0, 0, -1]}}
  coupler: {{mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 1, 0]}}
  rocker: {{mass: 1, inertia: [0.1, 0.1, 0.1], position: [2, 0.5, 0]}}
joints:
  a: {{type: revolute, bodies: [ground, crank], points: [[0, 0, 0], [0, -0.5, 0]], axis: [0, 0, 1]}}
  b: {{type: revolute, bodies: [crank, coupler], points: [[0, 0.5, 0], [-1, 0, 0]], axis: [0, 0, 1]}}
  c: {{type: revolute, bodies: [coupler, rocker], points: [[{}, 0, 0], [0, 0.5, 0]], axis: [0, 0, 1]}}
  d: {{type: revolute, bodies: [rocker, ground], points: [[0, -0.5, 0], [2, 0, 0]], axis: [0, 0, 1]}}
simulation: {{duration: 1}}
)",
                     coupler);
}

TEST(Redundancy, SpatialFourBarOfRevolutesRuns) {
  const Recording r = run_text(spatial_four_bar(1));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_EQ(r.summary.degrees_of_freedom, 1);
  EXPECT_EQ(r.summary.redundant, 3);
  ASSERT_FALSE(r.summary.notes.empty());
  EXPECT_NE(r.summary.notes[0].find("repeats"), std::string::npos) << r.summary.notes[0];
  EXPECT_LT(r.summary.energy_residual, 1e-6);
}

TEST(Redundancy, LinksThatCannotMeetAreAnErrorThatNamesJoints) {
  const auto model = model_of_text(spatial_four_bar(5));
  try {
    Simulation simulation(*model);
    FAIL() << "assembled";
  } catch (const InputError& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("cannot be assembled"), std::string::npos) << text;
    EXPECT_TRUE(text.find("'a'") != std::string::npos || text.find("'b'") != std::string::npos ||
                text.find("'c'") != std::string::npos || text.find("'d'") != std::string::npos)
        << text;
  }
}

// A plate with fifty equal pendulums hinged to its centre of mass, all alike: they swing as one of fifty
// times the mass.
TEST(Hub, FiftyPendulumsOnOneSlider) {
  auto model = [](int count, double mass) {
    std::string text = "gravity: [0, -9.81]\nbodies:\n  cart: {mass: 3, inertia: 1}\n";
    for (int i = 0; i < count; ++i)
      text += fmt::format("  rod{}: {{mass: {}, inertia: {}/12, position: [0.5, 0]}}\n", i, mass, mass);
    text +=
        "joints:\n  rail: {type: translational, bodies: [ground, cart], points: [[0, 0], [0, 0]], axis: [1, "
        "0]}\n";
    for (int i = 0; i < count; ++i)
      text += fmt::format(
          "  pin{0}: {{type: revolute, bodies: [cart, rod{0}], points: [[0, 0], [-0.5, 0]]}}\n", i);
    return planar(text);
  };
  const Recording many = completed(model(50, 0.02)), one = completed(model(1, 1));
  for (std::size_t i = 0; i < one.rows.size(); ++i)
    for (const char* signal : {"cart.x", "cart.vx", "rod0.angle", "rod0.omega", "cart.ax"})
      EXPECT_NEAR(many.rows[i][many.column(signal)], one.rows[i][one.column(signal)], 1e-8) << signal;
}

}  // namespace
}  // namespace tappet::testing::joints_test
