// Inputs: numbers that are set between steps. What a constant force, speed or acceleration does has a closed form, and so has what they do
// one after the other.
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/elastic_bar.hpp"
#include "support/refusal.hpp"
#include "support/resume.hpp"
#include "support/run_model.hpp"
#include "tappet/model/model_builder.hpp"
#include "tappet/model/run_parameters.hpp"
#include "tappet/multibody/body.hpp"
#include "tappet/multibody/force_parameters.hpp"

namespace tappet::testing::inputs_test {
namespace {

using ::testing::HasSubstr;

/// How an input becomes motion: ẍ = factor·p, or ẋ = p.
enum class Acts { accelerates, drives_speed };

struct Use {
  const char* name;
  std::string planar,
      spatial;         ///< parts of a model with a body of 2 kg and 0.5 kg m² that move in x or turn about z
  std::string signal;  ///< x
  double factor;
  Acts acts = Acts::accelerates;
  bool smooth_only = false;
};

const std::string
    body2 = "bodies: {b: {mass: 2, inertia: 0.5, position: [1, 0], velocity: [0, 0], angular_velocity: 0}}\n",
    body3 =
        "bodies: {b: {mass: 2, inertia: [0.5, 0.5, 0.5], position: [1, 0, 0], velocity: [0, 0, 0], "
        "angular_velocity: [0, 0, 0]}}\n",
    moving2 = "bodies: {b: {mass: 2, inertia: 0.5, position: [1, 0]}}\n",
    moving3 = "bodies: {b: {mass: 2, inertia: [0.5, 0.5, 0.5], position: [1, 0, 0]}}\n",
    slide2 =
        "joints: {j: {type: translational, bodies: [ground, b], points: [[0, 0], [-1, 0]], axis: [1, 0]}}\n",
    slide3 =
        "joints: {j: {type: translational, bodies: [ground, b], points: [[0, 0, 0], [-1, 0, 0]], axis: [1, "
        "0, 0]}}\n",
    pin2 = "joints: {j: {type: revolute, bodies: [ground, b], points: [[1, 0], [0, 0]]}}\n",
    pin3 =
        "joints: {j: {type: revolute, bodies: [ground, b], points: [[1, 0, 0], [0, 0, 0]], axis: [0, 0, "
        "1]}}\n";

const std::vector<Use>& uses() {
  static const std::vector<Use> all = {
      {"Force", body2 + "forces: {f: {type: force, body: b, force: [p, 0]}}",
       body3 + "forces: {f: {type: force, body: b, force: [p, 0, 0]}}", "b.x", 0.5},
      {"DefinedForce",
       "define: {twice: 2*p, half(u): u/2}\n" + body2 +
           "forces: {f: {type: force, body: b, force: [half(twice), 0]}}",
       "define: {twice: 2*p, half(u): u/2}\n" + body3 +
           "forces: {f: {type: force, body: b, force: [half(twice), 0, 0]}}",
       "b.x", 0.5},
      {"ExpressionForce", body2 + "forces: {f: {type: expression, body: b, fx: 'p + 0*vx'}}",
       body3 + "forces: {f: {type: expression, body: b, fx: 'p + 0*vx'}}", "b.x", 0.5},
      {"Torque", body2 + "forces: {f: {type: torque, body: b, torque: p}}",
       body3 + "forces: {f: {type: torque, body: b, vector: [0, 0, p]}}", "", 2},
      {"Spring",
       body2 + "forces: {f: {type: spring-damper, bodies: [ground, b], points: [[0, 0], [0, 0]], force: -p}}",
       body3 + "forces: {f: {type: spring-damper, bodies: [ground, b], points: [[0, 0, 0], [0, 0, 0]], "
               "force: -p}}",
       "b.x", 0.5},
      {"RotationalSpring",
       moving2 + pin2 + "forces: {f: {type: rotational-spring-damper, joint: j, torque: -p}}",
       moving3 + pin3 + "forces: {f: {type: rotational-spring-damper, joint: j, torque: -p}}", "j.angle", 2},
      {"Acceleration", moving2 + slide2 + "motions: {m: {joint: j, acceleration: p}}",
       moving3 + slide3 + "motions: {m: {joint: j, acceleration: p}}", "j.displacement", 1},
      {"Speed", moving2 + slide2 + "motions: {m: {joint: j, speed: p}}",
       moving3 + slide3 + "motions: {m: {joint: j, speed: p}}", "j.displacement", 1, Acts::drives_speed},
      {"TurningSpeed", moving2 + pin2 + "motions: {m: {joint: j, speed: p}}",
       moving3 + pin3 + "motions: {m: {joint: j, speed: p}}", "j.angle", 1, Acts::drives_speed},
      // Half a metre deep in a wall that pushes with p, whatever the depth.
      {"NormalLaw",
       "ground: {shapes: {w: {plane: {point: [0.6, 0], normal: [1, 0]}}}}\n"
       "bodies: {b: {mass: 2, inertia: 0.5, position: [1, 0], shapes: {s: {circle: {radius: 0.9}}}}}\n"
       "contacts: {c: {between: [ground.w, b.s], normal: {law: expression, force: p}}}",
       "ground: {shapes: {w: {plane: {point: [0.6, 0, 0], normal: [1, 0, 0]}}}}\n"
       "bodies: {b: {mass: 2, inertia: [0.5, 0.5, 0.5], position: [1, 0, 0], shapes: {s: {sphere: {radius: "
       "0.9}}}}}\n"
       "contacts: {c: {between: [ground.w, b.s], normal: {law: expression, force: p}}}",
       "b.x", 0.5, Acts::accelerates, true},
      // The same as a group.
      {"GroupLaw",
       "ground: {shapes: {w: {plane: {point: [0.6, 0], normal: [1, 0]}}}}\n"
       "bodies: {b: {mass: 2, inertia: 0.5, position: [1, 0], shapes: {s: {circle: {radius: 0.9}}}}}\n"
       "contacts: {c: {between: [ground.w, b.s], normal: {law: expression, force: p}, group: true}}",
       "ground: {shapes: {w: {plane: {point: [0.6, 0, 0], normal: [1, 0, 0]}}}}\n"
       "bodies: {b: {mass: 2, inertia: [0.5, 0.5, 0.5], position: [1, 0, 0], shapes: {s: {sphere: {radius: "
       "0.9}}}}}\n"
       "contacts: {c: {between: [ground.w, b.s], normal: {law: expression, force: p}, group: true}}",
       "b.x", 0.5, Acts::accelerates, true}};
  return all;
}

std::string simulation_of(const std::string& method) {
  const std::string rest = ", duration: 1}\n";
  if (method == "moreau") return "simulation: {method: moreau, step: 0.01" + rest;
  if (method == "event-driven") return "simulation: {method: event-driven, tolerance: 1e-10" + rest;
  return "simulation: {tolerance: 1e-10, integrator: " + method + rest;
}

class InputUses : public ::testing::TestWithParam<std::tuple<int, bool, const char*>> {
 protected:
  const Use& use() const { return uses()[std::get<0>(GetParam())]; }
  bool planar() const { return std::get<1>(GetParam()); }
  std::string method() const { return std::get<2>(GetParam()); }
  std::string text() const {
    return fmt::format("tappet: 1\ndimension: {}\ninputs: {{p: {{default: 0.25}}}}\n{}\n{}",
                       planar() ? "planar" : "spatial", planar() ? use().planar : use().spatial,
                       simulation_of(method()));
  }
};
std::vector<std::tuple<int, bool, const char*>> combinations() {
  std::vector<std::tuple<int, bool, const char*>> out;
  for (int n = 0; n < static_cast<int>(uses().size()); ++n)
    for (const bool planar : {true, false})
      for (const char* method : {"dopri5", "dop853", "adams", "bdf", "event-driven", "moreau"})
        if (!uses()[n].smooth_only ||
            (method != std::string("event-driven") && method != std::string("moreau")))
          out.emplace_back(n, planar, method);
  return out;
}
INSTANTIATE_TEST_SUITE_P(All, InputUses, ::testing::ValuesIn(combinations()), [](const auto& info) {
  std::string method = std::get<2>(info.param);
  if (method == "event-driven") method = "events";
  return uses()[std::get<0>(info.param)].name + std::string(std::get<1>(info.param) ? "Planar" : "Spatial") +
         "_" + method;
});

// With p constant for a while and then another, x is a chain of parabolas, or of straight lines. All the work is the input's, or the law's, which
// does not pull. (Method moreau books the work of forces with the velocity at the beginning of each step, and has it to first order only.)
TEST_P(InputUses, GiveTheMotionOfTheirValues) {
  const auto model = model_of_text(text());
  Simulation simulation(model);
  const bool turns = use().signal.empty();
  const std::string signal = !turns ? use().signal : planar() ? "b.angle" : "b.wz";
  const bool rate = signal == "b.wz";  // no angle in space: its rate
  // What is set between steps of any length.
  const std::vector<std::pair<double, double>> schedule = {
      {0.1, 0.25}, {0.2, 3}, {0.15, -2}, {0.05, 0}, {0.3, 1.5}};
  const bool moreau = method() == "moreau", drives = use().acts == Acts::drives_speed;
  // Steps of 0.01 s that begin with the prescribed acceleration's old speed lag by half of a step.
  const bool first_order = moreau && use().name == std::string("Acceleration");
  const double tolerance = first_order ? 0.01 : method() == "adams" || method() == "bdf" ? 1e-7 : 1e-11;
  double x = 0, v = 0, t = 0;
  const double x0 = rate ? 0 : simulation.value(signal);
  const double kinetic0 = simulation.value("energy.kinetic");
  for (const auto& [length, input] : schedule) {
    const double p = use().smooth_only ? std::max(input, 0.0) : input;
    simulation.set_input("p", input);
    EXPECT_EQ(simulation.value("inputs.p"), input);
    t += length;
    simulation.advance(t);
    if (drives) {
      x += p * length, v = p;
    } else {
      const double a = use().factor * p;
      x += v * length + 0.5 * a * length * length, v += a * length;
    }
    EXPECT_NEAR(simulation.value(signal), rate ? v : x0 + x, tolerance) << "at " << t;
    const double kinetic = 0.5 * (signal.ends_with("angle") || rate ? 0.5 : 2) * v * v;
    EXPECT_NEAR(simulation.value("energy.kinetic"), kinetic, 100 * tolerance) << "at " << t;
    if (moreau && !drives) continue;
    const double work = simulation.value(use().smooth_only ? "energy.normal_loss" : "energy.input");
    EXPECT_NEAR(use().smooth_only ? -work : work, kinetic - kinetic0, 100 * tolerance) << "at " << t;
    EXPECT_NEAR(simulation.value("energy.residual"), 0, 100 * tolerance) << "at " << t;
  }
}

// A state has all that an input did: a run that goes on from it, in another simulation or a clone, is the same to the last bit.
TEST_P(InputUses, ResumeBetweenValues) {
  const auto model = model_of_text(text());
  const std::array<double, 4> values = {1, -0.5, 2, 0.3};
  Simulation whole(model);
  std::vector<std::vector<std::byte>> saved;
  std::vector<Simulation> clones;
  for (const double p : values) {
    whole.set_input(0, p);
    saved.push_back(save(whole.state()));  // set, and not stepped since
    clones.push_back(whole.clone());
    for (int n = 0; n < 3; ++n) whole.step();
  }
  for (std::size_t from = 0; from < values.size(); ++from) {
    Simulation resumed(model);
    resumed.restore(saved[from]);
    for (Simulation* other : {&resumed, &clones[from]}) {
      EXPECT_EQ(other->input_value(0), values[from]);
      for (std::size_t i = from; i < values.size(); ++i) {
        other->set_input("p", values[i]);
        for (int n = 0; n < 3; ++n) other->step();
      }
      expect_equal(other->state(), whole.state());
    }
  }
}

// An input whose default is what others set is the same model; and `--input` gives a default.
TEST(Inputs, DefaultsActFromTheBeginning) {
  const std::string text = fmt::format(
      "tappet: 1\ninputs: {{p: {{default: 0, unit: m/s}}}}\n{}{}motions: {{m: {{joint: j, speed: p}}}}\n{}",
      moving2, slide2, simulation_of("dopri5"));
  const Recording run = run_text(text, {"inputs.p.default=2 m/s"});
  EXPECT_NEAR(run.last("j.displacement"), 2, 1e-12);
  EXPECT_EQ(run.at(0)[run.column("b.vx")], 2);  // assembled so: no work was done
  EXPECT_NEAR(run.last("energy.input"), 0, 1e-12);
  EXPECT_EQ(run.last("inputs.p"), 2);
}

// Set before the first step, a speed is a jump from what the default began with.
TEST(Inputs, SpeedsSetBeforeTheFirstStepAreJumps) {
  for (const char* method : {"dopri5", "event-driven", "moreau"}) {
    const auto model = model_of_text(
        fmt::format("tappet: 1\ninputs: {{p: {{}}}}\n{}{}motions: {{m: {{joint: j, speed: p}}}}\n{}", moving2,
                    slide2, simulation_of(method)));
    Simulation simulation(model);
    simulation.set_input("p", 3);
    EXPECT_NEAR(simulation.value("b.vx"), 3, 1e-13) << method;
    EXPECT_NEAR(simulation.value("energy.input"), 9, 1e-12) << method;
    simulation.advance(0.5);
    EXPECT_NEAR(simulation.value("j.displacement"), 1.5, 1e-12) << method;
    EXPECT_NEAR(simulation.value("energy.residual"), 0, 1e-11) << method;
  }
}

// ---- contacts and speeds that jump ----

// A slide of 1 kg that a motor moves touches a ball of 2 kg. When the motor jumps to v, the ball leaves with (1 + ε) v: the motor does
// ½·1·v² and P v, P = 2 (1 + ε) v, of which the impact loses 2 v² (1 − ε²)/2.
TEST(Inputs, ASpeedThatJumpsIsAnImpactOfWhatTouches) {
  for (const char* method : {"event-driven", "moreau"})
    for (const double e : {0.0, 0.5, 1.0}) {
      SCOPED_TRACE(fmt::format("{}, restitution {}", method, e));
      const auto model = model_of_text(fmt::format(R"(tappet: 1
inputs: {{v: {{unit: m/s}}}}
bodies:
  slide: {{mass: 1, inertia: 1, shapes: {{s: {{circle: {{radius: 0.5}}}}}}}}
  ball: {{mass: 2, inertia: 1, position: [1, 0], shapes: {{s: {{circle: {{radius: 0.5}}}}}}}}
joints: {{guide: {{type: translational, bodies: [ground, slide], points: [[0, 0], [0, 0]], axis: [1, 0]}}}}
motions: {{motor: {{joint: guide, speed: v}}}}
contacts: {{hit: {{between: [slide.s, ball.s], normal: {{law: newton, restitution: {}}}, friction: {{law: none}}}}}}
{})",
                                                   e, simulation_of(method)));
      Simulation simulation(model);
      simulation.advance(0.1);
      EXPECT_NEAR(simulation.value("ball.vx"), 0, 1e-12);
      simulation.set_input("v", 3);
      simulation.advance(0.2);
      EXPECT_NEAR(simulation.value("slide.vx"), 3, 1e-11);
      EXPECT_NEAR(simulation.value("ball.vx"), 3 * (1 + e), 1e-10);
      EXPECT_NEAR(simulation.value("energy.normal_loss"), 9 * (1 - e * e), 1e-9);
      EXPECT_NEAR(simulation.value("energy.input"), 4.5 + 18 * (1 + e), 1e-9);
      EXPECT_NEAR(simulation.value("energy.residual"), 0, 1e-9);
      EXPECT_EQ(simulation.state().counters.events, 0);
    }
}

// A block that cannot turn sticks to a plate that a motor moves. The plate jumps to v: friction drags the block with μ g until it sticks again,
// after v/(μ g); and then the other way.
TEST(Inputs, WhatSticksLetsGoOfASpeedThatJumps) {
  for (const char* method : {"dopri5", "event-driven", "moreau"}) {
    SCOPED_TRACE(method);
    const bool smooth = method == std::string("dopri5");
    // At rest on its spring: m g = k δ.
    const auto model = model_of_text(fmt::format(
        R"(tappet: 1
gravity: [0, -10]
inputs: {{v: {{unit: m/s}}}}
bodies:
  plate: {{mass: 1, inertia: 1, shapes: {{top: {{plane: {{point: [0, 0], normal: [0, 1]}}}}}}}}
  block: {{mass: 2, inertia: 1e12, position: [0, {}], shapes: {{s: {{circle: {{radius: 0.5}}}}}}}}
joints: {{guide: {{type: translational, bodies: [ground, plate], points: [[0, 0], [0, 0]], axis: [1, 0]}}}}
motions: {{motor: {{joint: guide, speed: v}}}}
contacts: {{grip: {{between: [plate.top, block.s], normal: {}, friction: {{law: coulomb, coefficient: 0.2}}}}}}
{})",
        smooth ? "0.49999" : "0.5", smooth ? "{law: hooke, stiffness: 2e6}" : "{law: newton, restitution: 0}",
        simulation_of(method)));
    Simulation simulation(model);
    simulation.set_input("v", 0.1);  // 0.05 s of sliding
    simulation.advance(0.1);
    EXPECT_NEAR(simulation.value("block.vx"), 0.1, 1e-8);
    const double x = simulation.value("block.x");
    EXPECT_NEAR(x, 0.1 * 0.1 - 0.5 * 0.1 * 0.05,
                smooth                            ? 1e-7
                : method == std::string("moreau") ? 1e-3
                                                  : 1e-8);
    simulation.set_input("v", 1);  // 0.45 s
    simulation.advance(0.3);
    EXPECT_NEAR(simulation.value("block.vx"), 0.5, 1e-7);
    EXPECT_NEAR(simulation.value("plate.vx"), 1, 1e-12);
    EXPECT_NEAR(simulation.value("block.x") - x, 0.1 * 0.2 + 0.2 * 0.2, 1e-7);
    simulation.set_input("v", 0.25);
    simulation.advance(0.4);
    EXPECT_NEAR(simulation.value("block.vx"), 0.3, 1e-7);
    simulation.advance(0.5);
    EXPECT_NEAR(simulation.value("block.vx"), 0.25, 1e-7);
    EXPECT_NEAR(simulation.value("energy.residual"), 0, 1e-7);
  }
}

// A mechanism of one freedom: when its drive jumps from one speed to another, all velocities change in proportion, and the ledger closes. So it
// does where constraints are redundant and where they are stabilised by feedback.
TEST(Inputs, ASpeedThatJumpsTakesTheWholeMechanismAlong) {
  for (const char* method : {"{duration: 1, tolerance: 1e-10}",
                             "{duration: 1, tolerance: 1e-10, stabilisation: {type: baumgarte}}",
                             "{method: event-driven, duration: 1, tolerance: 1e-10}",
                             "{method: moreau, step: 1e-4, duration: 1}"}) {
    SCOPED_TRACE(method);
    const auto model = model_of_text(fmt::format(R"(tappet: 1
inputs: {{w: {{unit: rad/s, default: 4}}}}
bodies:
  crank:  {{mass: 0.3, inertia: 1e-2, position: [0.1, 0]}}
  rod:    {{mass: 0.2, inertia: 2e-2, position: [0.5, 0]}}
  slider: {{mass: 0.5, inertia: 1e-2, position: [0.8, 0]}}
joints:
  main:  {{type: revolute, bodies: [ground, crank], points: [[0, 0], [-0.1, 0]]}}
  pin:   {{type: revolute, bodies: [crank, rod], points: [[0.1, 0], [-0.3, 0]]}}
  wrist: {{type: revolute, bodies: [rod, slider], points: [[0.3, 0], [0, 0]]}}
  guide: {{type: translational, bodies: [ground, slider], points: [[0, 0], [0, 0]], axis: [1, 0]}}
  again: {{type: translational, bodies: [ground, slider], points: [[0, 0], [0.1, 0]], axis: [1, 0]}}
motions: {{motor: {{joint: main, speed: w}}}}
simulation: {}
)",
                                                 method));
    Simulation simulation(model);
    simulation.advance(0.3);
    const std::vector<double> before = simulation.state().y;
    const double angle = simulation.value("crank.angle"), kinetic = simulation.value("energy.kinetic"),
                 input = simulation.value("energy.input"), residual = simulation.value("energy.residual");
    simulation.set_input("w", -10);
    const std::vector<double> after = simulation.state().y;
    for (int i = 0; i < 9; ++i) {
      EXPECT_EQ(after[i], before[i]) << "position " << i;
      EXPECT_NEAR(after[9 + i], -2.5 * before[9 + i], 1e-7) << "velocity " << i;
    }
    EXPECT_NEAR(simulation.value("energy.kinetic"), 6.25 * kinetic, 1e-7);
    EXPECT_NEAR(simulation.value("energy.input") - input, 5.25 * kinetic, 1e-7);
    EXPECT_NEAR(simulation.value("energy.residual"), residual, 1e-10);
    simulation.advance(0.4);
    EXPECT_NEAR(simulation.value("crank.angle"), angle - 1, 1e-8);
    EXPECT_NEAR(simulation.value("energy.residual"), 0, 2e-4 * kinetic);
  }
}

// A force that pulls a block from the floor, or makes it slide, does so at once, however the contact was held.
TEST(Inputs, ForcesThatJumpOpenContactsAndLetThemSlide) {
  for (const char* method : {"event-driven", "moreau"}) {
    SCOPED_TRACE(method);
    const auto model = model_of_text(fmt::format(R"(tappet: 1
gravity: [0, -10]
inputs: {{pull: {{unit: N}}, lift: {{unit: N}}}}
ground: {{shapes: {{floor: {{plane: {{point: [0, 0], normal: [0, 1]}}}}}}}}
bodies: {{block: {{mass: 2, inertia: 1e12, position: [0, 0.5], shapes: {{s: {{circle: {{radius: 0.5}}}}}}}}}}
forces: {{f: {{type: force, body: block, force: [pull, lift]}}}}
contacts: {{floor: {{between: [ground.floor, block.s], normal: {{law: newton, restitution: 0}}, friction: {{law: coulomb, coefficient: 0.5}}}}}}
{})",
                                                 simulation_of(method)));
    Simulation simulation(model);
    simulation.set_input("pull", 9);  // μ m g = 10 N holds it
    simulation.advance(0.1);
    EXPECT_NEAR(simulation.value("block.x"), 0, 1e-12);
    EXPECT_FALSE(simulation.contacts().empty());
    simulation.set_input("pull", 12);  // 1 m/s²
    simulation.advance(0.3);
    EXPECT_NEAR(simulation.value("block.vx"), 0.2, 1e-8);
    const std::array<double, 2> up = {0, 24};  // 2 m/s²
    simulation.set_inputs(up);
    simulation.advance(0.5);
    EXPECT_NEAR(simulation.value("block.y"), 0.5 + 0.04, 1e-8);
    EXPECT_NEAR(simulation.value("block.vx"), 0.2, 1e-8);
    if (method == std::string("moreau")) continue;
    EXPECT_NEAR(simulation.value("energy.residual"), 0, 1e-9);
  }
}

// A ball that an input lifts and drops on a floor, in every method and as a group: its state holds all that the next step needs.
TEST(Inputs, ResumeAmongContacts) {
  for (const char* method : {"dopri5", "event-driven", "moreau"})
    for (const bool group : {false, true}) {
      SCOPED_TRACE(fmt::format("{}{}", method, group ? ", group" : ""));
      const auto model = model_of_text(fmt::format(
          R"(tappet: 1
gravity: [0, -10]
inputs: {{lift: {{unit: N}}, pull: {{unit: N}}}}
ground: {{shapes: {{floor: {{plane: {{point: [0, 0], normal: [0, 1]}}}}}}}}
bodies: {{ball: {{mass: 1, inertia: 0.1, position: [0, 0.52], shapes: {{s: {{circle: {{radius: 0.5}}}}}}}}}}
forces: {{f: {{type: force, body: ball, force: [pull, lift]}}}}
contacts: {{hit: {{between: [ground.floor, ball.s], normal: {{law: kelvin-voigt, stiffness: 1e5, restitution: 0.5}}, friction: {{law: {}}}, group: {}}}}}
{})",
          method == std::string("dopri5") ? "threlfall, coefficient: 0.3, v0: 0.01"
                                          : "coulomb, coefficient: 0.3",
          group, simulation_of(method)));
      const std::vector<std::array<double, 2>> values = {{0, 1}, {12, 1}, {0, -2}, {5, 3}, {11, 0}, {0, 0.5}};
      Simulation whole(model);
      std::vector<std::vector<std::byte>> saved;
      for (const auto& each : values) {
        whole.set_inputs(each);
        saved.push_back(save(whole.state()));
        for (int n = 0; n < 15; ++n) whole.step();
      }
      for (std::size_t from = 0; from < values.size(); ++from) {
        Simulation resumed(model);
        resumed.restore(saved[from]);
        for (std::size_t i = from; i < values.size(); ++i) {
          resumed.set_inputs(values[i]);
          for (int n = 0; n < 15; ++n) resumed.step();
        }
        expect_equal(resumed.state(), whole.state());
      }
    }
}

// ---- structures ----

// Loads on all nodes and a spring: a free bar of 10 kg moves as a rigid body.
TEST(Inputs, LoadStructures) {
  const auto model = model_of_text(
      elastic_bar(10, 4, "[0, 0, 0]", ", loads: {push: {on: all, force: [p, 0, 0]}}",
                  "inputs: {p: {unit: N}}\nsimulation: {method: moreau, duration: 1, step: 0.01}\n"));
  Simulation simulation(model);
  const int x = simulation.signal("bar.x");
  const double x0 = simulation.value(x);
  simulation.set_input("p", 20);
  simulation.advance(0.5);
  simulation.set_input("p", -40);
  const std::vector<std::byte> saved = save(simulation.state());
  simulation.advance(1);
  Simulation resumed(model);
  resumed.restore(saved);
  resumed.advance(1);
  expect_equal(resumed.state(), simulation.state());
  EXPECT_NEAR(simulation.value(x) - x0, 0.5 * 2 * 0.25 + 1 * 0.5 - 0.5 * 4 * 0.25, 1e-9);
}

// ---- signals ----

TEST(Inputs, SignalsOfRatesAreRecordedWhereTheyAreAskedFor) {
  const std::string text = "tappet: 1\ninputs: {p: {unit: rad/s, default: 2}}\n" + moving2 + pin2 +
                           "motions: {m: {joint: j, speed: p}}\n" + simulation_of("dopri5");
  const Recording all = run_text(text);
  EXPECT_EQ(std::count(all.names.begin(), all.names.end(), "j.angle_rate"), 0);
  EXPECT_EQ(std::count(all.names.begin(), all.names.end(), "inputs.p"), 1);
  EXPECT_NEAR(run_text(text, {"output.signals=[j.angle_rate]"}).last("j.angle_rate"), 2, 1e-12);
  Simulation simulation(model_of_text(text));
  EXPECT_NEAR(simulation.value("j.angle_rate"), 2, 1e-12);
}

// ---- in code ----

TEST(Inputs, AreBuiltInCode) {
  ModelBuilder builder(Dimension::planar);
  builder.add("throttle", InputParameters{.default_value = 4, .unit = "N"});
  builder.add("cart", BodyParameters{.mass = 2});
  builder.add("push", ForceParameters{.body = "cart", .force = {"throttle", 0}});
  builder.set(SimulationParameters{.duration = 1});
  Diagnostics diagnostics;
  const auto model = builder.build(diagnostics);
  ASSERT_EQ(model->inputs.size(), 1u);
  EXPECT_EQ(model->inputs[0].unit, "N");
  Simulation simulation(model);
  ASSERT_EQ(simulation.inputs().size(), 1u);
  EXPECT_EQ(simulation.inputs()[0].name, "throttle");
  simulation.advance(0.5);
  simulation.set_input("throttle", 0);
  simulation.advance(1);
  EXPECT_NEAR(simulation.value("cart.x"), 0.25 + 0.5, 1e-12);
}

// ---- what is refused ----

struct Refused {
  const char *inputs, *rest;  ///< after `inputs: ` and in the rest of the file
  const char* sentence;
};

TEST(Inputs, RefusalsSayWhatIsAllowed) {
  const std::string force = "forces: {f: {type: force, body: b, force: [p, 0]}}";
  const std::string bodies = body2;
  const auto with = [&](const std::string& inputs, const std::string& rest, const std::string& parts = "") {
    return refusal(fmt::format("tappet: 1\ninputs: {}\n{}\n{}\n{}", inputs, parts.empty() ? bodies : parts,
                               rest, simulation_of("dopri5")));
  };
  // The section itself.
  EXPECT_THAT(with("{p: {unit: rpm}}", force),
              HasSubstr("'unit' of the input 'p': 'rpm' is not a unit of the SI itself"));
  EXPECT_THAT(with("{p: {unit: furlong2}}", force), HasSubstr("'unit' of the input 'p'"));
  EXPECT_THAT(with("{p: {unit: N, default: 3 kg}}", force),
              HasSubstr("'default' is '3 kg': 'kg' is a mass, but a force is expected"));
  EXPECT_THAT(with("{p: {default: 3 N}}", force), HasSubstr("a plain number without a unit is expected"));
  EXPECT_THAT(with("{p: {default: x}}", force),
              HasSubstr("'default' must be a plain number: unknown name 'x'"));
  EXPECT_THAT(with("{t: {}}", ""), HasSubstr("'t' cannot be the name of an input: 't' is the time"));
  EXPECT_THAT(with("{pi: {}}", ""),
              HasSubstr("'pi' cannot be the name of an input: 'pi' has a meaning already"));
  EXPECT_THAT(with("{sin: {}}", ""), HasSubstr("'sin' has a meaning already"));
  EXPECT_THAT(with("{a-b: {}}", ""),
              HasSubstr("'a-b' cannot be the name of an input: it consists of the letters a–z"));
  EXPECT_THAT(with("{p: {defalt: 3}}", force), HasSubstr("unknown key 'defalt' in an input"));
  EXPECT_THAT(with("{p: {}}", "define: {p: 3}\n" + force),
              HasSubstr("'p' of 'define': 'p' is an input of the model already"));
  // What uses them.
  EXPECT_THAT(with("{p: {unit: m}}", force), HasSubstr("the input 'p' is in m, but N is needed"));
  EXPECT_THAT(with("{p: {unit: N}}", "forces: {f: {type: force, body: b, force: [p kN, 0]}}"),
              HasSubstr("the input 'p' is in N already; leave 'kN' out"));
  EXPECT_THAT(with("{q: {}}", force), HasSubstr("unknown name 'p' in 'p'"));
  EXPECT_THAT(with("{x: {}}", "forces: {f: {type: expression, body: b, fx: '2*x'}}"),
              HasSubstr("'x' is a variable here and the name of an input"));
  EXPECT_THAT(with("{p: {unit: N}}", "forces: {f: {type: expression, body: b, fx: '2*x'}}"),
              HasSubstr("accepted"));
  // Where they cannot be.
  EXPECT_THAT(with("{p: {}}", "", "bodies: {b: {mass: p}}"),
              HasSubstr("'p' is an input, which changes while the model runs"));
  EXPECT_THAT(with("{p: {}}", "define: {q: p}", "bodies: {b: {mass: q}}"),
              HasSubstr("'p', in 'q', is an input"));
  EXPECT_THAT(with("{p: {}}", "motions: {m: {joint: j, displacement: p}}", moving2 + slide2),
              HasSubstr("'displacement' uses an input: inputs jump, and what is held to a place cannot; "
                        "prescribe the `speed`"));
  EXPECT_THAT(with("{p: {}}", "motions: {m: {body: b, x: 1 + p}}", moving2),
              HasSubstr("'x' uses an input: inputs jump"));
}

TEST(Inputs, UnusedOnesAreSaid) {
  Diagnostics diagnostics;
  compile(spec_from_text("tappet: 1\ninputs: {p: {}, q: {}}\n" + body2 +
                             "forces: {f: {type: force, body: b, force: [p, 0]}}\n" + simulation_of("dopri5"),
                         "test.yaml"),
          diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_THAT(diagnostics.all()[0].text(),
              HasSubstr("test.yaml:2:17: warning: the input 'q' is used nowhere"));
}

TEST(Inputs, AreSetByNameOrNumberToFiniteNumbers) {
  Simulation simulation(model_of_text("tappet: 1\ninputs: {p: {}}\n" + body2 +
                                      "forces: {f: {type: force, body: b, force: [p, 0]}}\n" +
                                      simulation_of("dopri5")));
  const auto fault = [&](auto&& call) -> std::string {
    try {
      call();
    } catch (const InputError& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_THAT(fault([&] { simulation.set_input("q", 1); }), HasSubstr("there is no input 'q'; inputs: p"));
  EXPECT_THAT(fault([&] { simulation.set_input("p", NAN); }),
              HasSubstr("the input 'p' is set to nan, which is not a finite number"));
  EXPECT_THROW(simulation.set_input(1, 1), std::out_of_range);
  EXPECT_THAT(refusal("tappet: 1\ninputs: {p: {}}\n" + body2 + simulation_of("dopri5")),
              HasSubstr("accepted"));
  // As `--input` and `--set` give them.
  const auto set = [&](const std::string& setting) {
    return fault([&] {
      run_text("tappet: 1\ninputs: {p: {unit: N}}\n" + body2 +
                   "forces: {f: {type: force, body: b, force: [p, 0]}}\n" + simulation_of("dopri5"),
               {setting});
    });
  };
  EXPECT_EQ(set("inputs.p.default=2 kN"), "accepted");
  EXPECT_THAT(set("inputs.q.default=2"), HasSubstr("--input q=2: error: there is no input 'q'; inputs: p"));
  EXPECT_THAT(set("inputs.p.default=2 kg"),
              HasSubstr("--input p=2 kg: error: 'default' is '2 kg': 'kg' is a mass"));
}

}  // namespace
}  // namespace tappet::testing::inputs_test
