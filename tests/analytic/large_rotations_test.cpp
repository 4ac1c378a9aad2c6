// Structures with `large_rotations` in whole models: pendulum, fall on a floor, attached to bodies, resumed, refused.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/refusal.hpp"
#include "support/resume.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::large_rotations_test {
namespace {

using std::numbers::pi;
using ::testing::HasSubstr;

std::string rod(const std::string& structure, const std::string& rest, const std::string& body = "") {
  return fmt::format(R"(
tappet: 1
dimension: spatial
materials: {{m: {{young: 2 GPa, poisson: 0.3, density: 1000}}}}
bodies:
  rod: {{{} structure: {{material: m, section: {{rectangle: [20 mm, 20 mm]}}, large_rotations: true{}}}}}
{})",
                     body, structure, rest);
}

// A rod that hangs from its end by a hinge and is let go where it is level: a quarter of its period is
// √(2 L/(3 g)) K(sin 45°), and it comes down with ω² = 3 g/L (with the inertia of its section, a little less).
TEST(LargeRotations, ARodSwingsAsAPendulum) {
  const double L = 1, g = 9.81, w2 = 0.02 * 0.02 / 12 / (L * L), inertia = 1.0 / 3 + w2;
  const double quarter = std::sqrt(2 * inertia * L / g) * std::comp_ellint_1(std::sin(pi / 4));
  const Recording r = run_text(
      rod(", generate: {beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 4}}, "
          "fix: {all: [y, rx, rz], start: [x, z]}, points: {tip: {at: [1, 0, 0]}}",
          fmt::format("gravity: [0, 0, -9.81]\nsimulation: {{method: moreau, duration: {:.17g}, step: "
                      "{:.17g}}}\noutput: {{step: {:.17g}}}\n",
                      2 * quarter, quarter / 400, quarter / 40)),
      {"materials.m.young=2e12"});
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  // Down after a quarter, level on the other side after two.
  EXPECT_NEAR(r.value(quarter, "rod.tip.x"), 0, 2e-3);
  EXPECT_NEAR(r.value(quarter, "rod.tip.z"), -1, 1e-4);
  EXPECT_NEAR(r.last("rod.tip.x"), -1, 1e-4);
  EXPECT_NEAR(r.last("rod.tip.z"), 0, 2e-3);
  EXPECT_NEAR(r.value(quarter, "rod.tip.vx"), -std::sqrt(g * L / inertia), 2e-3 * std::sqrt(3 * g * L));
  printf("pendulum: tip (%.6f, %.6f) at a quarter, energy residual %.1e\n", r.value(quarter, "rod.tip.x"),
         r.value(quarter, "rod.tip.z"), r.summary.energy_residual);
  EXPECT_LT(r.summary.energy_residual, 1e-11);
  EXPECT_THAT(r.summary.warnings, ::testing::Not(::testing::Contains(HasSubstr("turned"))));
}

std::string falling(double duration) {
  return fmt::format(R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
materials: {{m: {{young: 20 MPa, poisson: 0.3, density: 1000}}}}
bodies:
  bar:
    position: [0, 0, 0.5]
    velocity: [0.5, 0, 0]
    angular_velocity: [0, 9, 4]
    structure: {{material: m, generate: {{block: {{size: [0.5, 0.1, 0.1], divisions: [5, 1, 1]}}}}, large_rotations: true}}
ground: {{shapes: {{floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}}}}}
contacts:
  fall: {{between: [ground.floor, bar.all], normal: {{law: newton, restitution: 0}}, friction: {{law: coulomb, coefficient: 0.3}}}}
simulation: {{method: moreau, duration: {}, step: 0.5 ms}}
output: {{step: 0.5 ms}}
)",
                     duration);
}

// A bar of bricks falls tumbling: until it touches, its centre is a stone's; then the floor takes energy and gives it
// upward momentum, and nodes do not go through it.
TEST(LargeRotations, ABarFallsTumblingOnTheFloor) {
  const Recording r = run_text(falling(0.6));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  const double m = 0.5 * 0.1 * 0.1 * 1000, t = 0.1;
  EXPECT_NEAR(r.value(t, "bar.z"), r.value(0, "bar.z") - 9.81 / 2 * t * t, 1e-9);
  EXPECT_NEAR(r.value(t, "bar.vx"), 0.5, 1e-12);
  EXPECT_EQ(r.value(t, "fall.normal"), 0);
  // The floor's force over time is the change of momentum, weight apart.
  double push = 0, along = 0;
  for (std::size_t i = 1; i < r.rows.size(); ++i) {
    const double dt = r.rows[i][0] - r.rows[i - 1][0];
    push += dt * r.rows[i][r.column("fall.normal")];
    along += dt * r.rows[i][r.column("fall.tangential")];
  }
  const double change = m * (r.last("bar.vz") - r.rows.front()[r.column("bar.vz")] + 9.81 * 0.6);
  printf("impulse %.4f of %.4f N s, deepest %.3g mm, residual %.1e, impacts %zu\n", push, change,
         1e3 * r.largest("fall.penetration"), r.summary.energy_residual, r.impacts.size());
  EXPECT_GT(change, m * 1);
  EXPECT_NEAR(push, change, 1e-6 * change);
  EXPECT_GT(along, 0);
  // Speeds here are up to 6 m/s: a node may go half a step's way before it stops.
  EXPECT_LT(r.largest("fall.penetration"), 6 * 0.5e-3);
  EXPECT_LT(r.summary.energy_residual, 1e-9);
  EXPECT_FALSE(r.impacts.empty());
}

TEST(LargeRotations, ARunGoesOnToTheLastBit) {
  const auto model = model_of_text(falling(0.35), {"simulation.step=1 ms"});
  expect_resumes(*model, 6);
}

/// A slider-crank whose rod is of beams, or a flexible body.
std::string crank(bool structure, int number, const std::string& simulation) {
  const std::string common = "generate: {beam: {from: [0, 0, 0], to: [0.25, 0, 0], elements: " +
                             std::to_string(structure ? number : 16) +
                             "}}, material: soft, section: {rectangle: [8 mm, 8 mm], up: [0, 0, 1]}";
  return fmt::format(
      R"(
tappet: 1
dimension: spatial
materials: {{soft: {{young: 100 GPa, poisson: 0.3, density: 7870}}}}
bodies:
  crank: {{mass: 0.36, inertia: [1e-3, 1e-3, 1e-3], position: [0.0625, 0, 0]}}
  slider: {{mass: 0.0755, inertia: [1e-4, 1e-4, 1e-4], position: [0.375, 0, 0]}}
  rod: {}
joints:
  main: {{type: revolute, bodies: [ground, crank], points: [[0, 0, 0], [-0.0625, 0, 0]], axis: [0, 0, 1]}}
  guide: {{type: translational, bodies: [ground, slider], points: [[0, 0, 0], [0, 0, 0]], axis: [1, 0, 0]}}
{}
motions: {{motor: {{joint: main, speed: 160}}}}
simulation: {}
output: {{step: 0.5 ms}}
)",
      structure
          ? "{position: [0.125, 0, 0], velocity: [0, 10, 0], angular_velocity: [0, 0, -80], structure: {" +
                common +
                ", large_rotations: true, fix: {all: [rx, ry]}, points: {mid: {at: [0.125, 0, 0]}}, "
                "attach: {start: {body: crank, turn: free}, end: {body: slider, turn: free}}}}"
          : "{position: [0.125, 0, 0], flexible: {" + common +
                fmt::format(", interfaces: {{a: {{group: start}}, b: {{group: end}}, mid: {{at: "
                            "[0.125, 0, 0]}}}}, modes: {}}}}}",
                            number),
      structure
          ? ""
          : "  pin: {type: revolute, bodies: [crank, rod.a], points: [[0.0625, 0, 0], [0, 0, 0]], axis: "
            "[0, 0, 1]}\n"
            "  wrist: {type: spherical, bodies: [slider, rod.b], points: [[0, 0, 0], [0, 0, 0]]}",
      simulation);
}

// The coupler of a slider-crank by beams that turn, and as a flexible body with modes: bent by half a percent of its length, both come
// to the same as elements, steps and modes grow.
TEST(LargeRotations, ACouplerIsThatOfAFlexibleBody) {
  const double T = 0.01;
  const Recording body = run_text(crank(false, 6, fmt::format("{{duration: {}, tolerance: 1e-8}}", T)));
  ASSERT_TRUE(body.summary.completed) << body.summary.stop_reason;
  double before = 0, bent = 0;
  for (const int n : {8, 16, 32}) {
    const double h = 2e-4 / n;
    const Recording r =
        run_text(crank(true, n, fmt::format("{{method: moreau, duration: {}, step: {:.17g}}}", T, h)));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    EXPECT_LT(r.summary.energy_residual, 1e-6);
    double off = 0;
    for (const auto& row : r.rows) {
      // Of the line between the ends: what the axial ringing of rod and slider does, with frequencies of its own, is left out.
      const double t = row[0], x = 0.125 * std::cos(160 * t), y = 0.125 * std::sin(160 * t);
      const double way[2] = {row[r.column("rod.mid.x")] - 0.5 * (x + row[r.column("slider.x")]),
                             row[r.column("rod.mid.y")] - 0.5 * y},
                   other[2] = {body.value(t, "rod.mid.x") - 0.5 * (x + body.value(t, "slider.x")),
                               body.value(t, "rod.mid.y") - 0.5 * y};
      bent = std::max(bent, std::hypot(way[0], way[1]));
      off = std::max(off, std::hypot(way[0] - other[0], way[1] - other[1]));
    }
    printf("%2d beams: mid of the rod off by %.3e m, bent by %.3e m, residual %.1e\n", n, off, bent,
           r.summary.energy_residual);
    if (n > 8) {
      EXPECT_LT(off, 0.4 * before) << n;
    }
    before = off;
  }
  EXPECT_GT(bent, 1e-3);
  EXPECT_LT(before, 0.02 * bent);
}

TEST(LargeRotations, WhatDoesNotGoWithItIsRefused) {
  const std::string beam = ", generate: {beam: {from: [0, 0, 0], to: [1, 0, 0], elements: 4}}",
                    run = "simulation: {method: moreau, duration: 1 ms, step: 1 ms}\n";
  EXPECT_EQ(refusal(rod(beam, run)), "accepted");
  EXPECT_THAT(refusal(rod(beam, "simulation: {method: smooth, duration: 1 ms}\n")),
              HasSubstr("has `large_rotations`, which method smooth does not do"));
  EXPECT_THAT(refusal(rod(beam + ", reduce: {modes: 3}", run)),
              HasSubstr("has `large_rotations` and `reduce`"));
  EXPECT_THAT(refusal(rod(beam + ", light_contact: [all]", run)),
              HasSubstr("has `large_rotations` and `light_contact`"));
  EXPECT_THAT(refusal(rod(beam + ", fix: {start: [rx]}", run)), HasSubstr("one rotation of node"));
  EXPECT_EQ(refusal(rod(beam + ", fix: {start: [rx, ry]}", run)), "accepted");
  EXPECT_THAT(refusal(rod(beam + ", move: {start: {rz: 0.1*t^2}}", run)), HasSubstr("moves rz of 'start'"));
  EXPECT_THAT(refusal(rod(beam + ", springs: {s: {between: [ground, tip], axis: [0, 0, 1], stiffness: 3}}, "
                                 "points: {tip: {at: [1, 0, 0]}}",
                          run)),
              HasSubstr("a spring-damper of `forces` follows its ends"));
  EXPECT_THAT(
      refusal(
          rod(", generate: {block: {size: [1, 1, 1], divisions: [1, 1, 1]}}, loads: {l: {on: xmin, moment: "
              "[0, 0, 1]}}",
              run)),
      HasSubstr("a `moment` on nodes that do not turn"));
  EXPECT_THAT(refusal(rod(beam + ", loads: {l: {on: start}}", run)),
              HasSubstr("without `force` and `moment`"));
}

}  // namespace
}  // namespace tappet::testing::large_rotations_test
