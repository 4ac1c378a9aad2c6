// Events that act: what is switched, set and recorded, against closed forms of what follows, under every method.
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/refusal.hpp"
#include "support/resume.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::sensors_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

const char* const methods[] = {"smooth", "event-driven", "moreau"};
constexpr double step = 1e-3;

std::string simulation(const std::string& method, double duration, const std::string& more = "") {
  return method == "moreau"
             ? fmt::format("\nsimulation: {{method: moreau, duration: {}, step: {}{}}}", duration, step, more)
             : fmt::format("\nsimulation: {{method: {}, duration: {}, tolerance: 1e-11{}}}", method, duration,
                           more);
}
/// Moreau acts at the end of the step in which an event falls.
double bound(const std::string& method, double speed) {
  return method == "moreau" ? 2 * step * speed : 1e-8;
}

struct Space {
  const char* name;
  std::string head, crank, hinge, slide, at;
};
const Space spaces[] = {
    {"plane", "tappet: 1\ndimension: planar\n", "{mass: 2, inertia: 0.5, position: [0, 0]}",
     "{type: revolute, bodies: [ground, crank], points: [[0, 0], [0, 0]]}",
     "{type: translational, bodies: [ground, b], points: [[0, 0], [0, 0]], axis: [1, 0]}", ""},
    {"space", "tappet: 1\ndimension: spatial\n", "{mass: 2, inertia: [0.5, 0.5, 0.5], position: [0, 0, 0]}",
     "{type: revolute, bodies: [ground, crank], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1]}",
     "{type: translational, bodies: [ground, b], points: [[0, 0, 0], [0, 0, 0]], axis: [1, 0, 0]}", ", 0"}};

// A motor is switched off at t = 1, while it turns at 3 + 2t: from there the crank turns on as it is.
TEST(Sensors, MotionIsSwitchedOff) {
  for (const Space& in : spaces)
    for (const std::string method : methods) {
      SCOPED_TRACE(method + " in " + in.name);
      const Recording out =
          run_text(in.head + "bodies: {crank: " + in.crank + "}\njoints: {hinge: " + in.hinge +
                   "}\nmotions: {motor: {joint: hinge, speed: 3 + 2*t rad/s}}\n"
                   "events: {off: {when: t >= 1, action: {deactivate: [motor]}}}\noutput: {step: 0.25}" +
                   simulation(method, 2));
      ASSERT_TRUE(out.summary.completed) << out.summary.stop_reason;
      ASSERT_EQ(out.events.size(), 1u);
      EXPECT_NEAR(out.events[0].time, 1, 1e-9);
      const std::string omega = in.at.empty() ? "crank.omega" : "crank.wz";
      EXPECT_NEAR(out.last(omega), 5, bound(method, 2));
      EXPECT_NEAR(out.value(0.5, "motor.torque"), 0.5 * 2, 1e-6);
      EXPECT_NEAR(out.last("motor.torque"), 0, 1e-9);
      EXPECT_LT(out.summary.energy_residual, method == "moreau" ? 1e-3 : 1e-9);
    }
}

// A pendulum of length 1 lets go where it hangs straight down: there v² = 2 g, and it flies as a ball thrown.
TEST(Sensors, JointIsReleased) {
  for (const std::string method : methods) {
    SCOPED_TRACE(method);
    const Recording out = run_text(
        "tappet: 1\ndimension: planar\ngravity: [0, -9.81]\n"
        "bodies: {bob: {mass: 3, position: [-1, 0]}}\n"
        "joints: {pin: {type: distance, bodies: [ground, bob], points: [[0, 0], [0, 0]], length: 1}}\n"
        "events: {release: {when: bob.x > 0, action: {deactivate: [pin]}}}\noutput: {step: 1 ms}" +
        simulation(method, 1.5));
    ASSERT_TRUE(out.summary.completed) << out.summary.stop_reason;
    ASSERT_EQ(out.events.size(), 1u);
    const double t0 = out.events[0].time, v = std::sqrt(2 * 9.81);
    // K(½)/√g · ... is not needed: what is known is what follows.
    EXPECT_NEAR(out.last("bob.vx"), v, bound(method, 20));
    EXPECT_NEAR(out.last("bob.vy"), -9.81 * (1.5 - t0), bound(method, 20));
    EXPECT_NEAR(out.last("bob.y"), -1 - 0.5 * 9.81 * std::pow(1.5 - t0, 2), bound(method, 20));
    EXPECT_LT(out.summary.energy_residual, method == "moreau" ? 1e-3 : 1e-9);
    EXPECT_THAT(out.summary.notes, Contains(HasSubstr("event 'release' acted once")));
  }
}

// A stretched spring goes, and its energy with it: ½ k x² where x = 1 − cos is largest.
TEST(Sensors, ForceIsSwitchedOffWithItsEnergy) {
  for (const std::string method : methods) {
    SCOPED_TRACE(method);
    const Recording out = run_text(
        "tappet: 1\ndimension: planar\n"
        "bodies: {b: {mass: 1, inertia: 1, position: [1, 0], velocity: [0, 0]}}\n"
        "forces: {spring: {type: spring-damper, bodies: [ground, b], points: [[0, 0], [0, 0]], stiffness: 4, "
        "length: "
        "0.5}}\n"
        "events: {snap: {when: b.x < 0.75, action: {deactivate: [spring]}}}\noutput: {step: 0.1}" +
        simulation(method, 2));
    // ½ v² = ½ 4 (0.5² − 0.25²)
    const double v = std::sqrt(4 * (0.25 - 0.0625));
    EXPECT_NEAR(out.last("b.vx"), -v, bound(method, 2));
    EXPECT_NEAR(out.last("energy.potential"), 0, 1e-15);
    EXPECT_LT(out.summary.energy_residual, method == "moreau" ? 1e-3 : 1e-9);
    EXPECT_THAT(out.summary.notes, Contains(HasSubstr("event 'snap' acted once; what it changed took 0.12")));
  }
}

// A brake that is off at the start comes on at t = 1: v falls from 2 as e^{−c t/m}.
TEST(Sensors, ForceIsSwitchedOn) {
  for (const std::string method : methods) {
    SCOPED_TRACE(method);
    const Recording out = run_text(
        "tappet: 1\ndimension: planar\n"
        "bodies: {b: {mass: 2, inertia: 1, position: [0, 0], velocity: [2, 0]}}\n"
        "forces: {brake: {type: expression, body: b, fx: -3*vx}}\n"
        "events: {on: {when: t, level: 1, action: {activate: [brake]}}}\noutput: {step: 0.5}" +
        simulation(method, 2, ", inactive: [brake]"));
    EXPECT_NEAR(out.value(1, "b.vx"), 2, 1e-9);
    EXPECT_NEAR(out.last("b.vx"), 2 * std::exp(-1.5), bound(method, 3));
  }
}

// A slide is caught by a motion that comes on: it takes its speed at once, which costs what the ledger says.
TEST(Sensors, MotionIsSwitchedOn) {
  for (const Space& in : spaces)
    for (const std::string method : methods) {
      SCOPED_TRACE(method + " in " + in.name);
      const Recording out = run_text(
          in.head + "bodies: {b: {mass: 2, inertia: " + (in.at.empty() ? "1" : "[1, 1, 1]") +
          ", position: [0, 0" + in.at + "], velocity: [3, 0" + in.at + "]}}\njoints: {guide: " + in.slide +
          "}\nmotions: {belt: {joint: guide, speed: 1 m/s}}\n"
          "events: {catch: {signal: b.x, level: 1.5, action: {activate: [belt]}}}\noutput: {step: 0.25}" +
          simulation(method, 2, ", inactive: [belt]"));
      ASSERT_TRUE(out.summary.completed) << out.summary.stop_reason;
      EXPECT_NEAR(out.value(0.25, "b.vx"), 3, 1e-10);
      EXPECT_NEAR(out.last("b.vx"), 1, 1e-10);
      EXPECT_NEAR(out.last("b.x"), 1.5 + 1.5, bound(method, 3));
      EXPECT_NEAR(out.last("energy.input"), 0.5 * 2 * (1 - 9), 1e-8);
      EXPECT_LT(out.summary.energy_residual, 1e-9);
    }
}

// Thrust is set at the third of the way: x = v t, then with a = F/m.
TEST(Sensors, InputIsSet) {
  for (const std::string method : methods) {
    SCOPED_TRACE(method);
    const Recording out = run_text(
        "tappet: 1\ndimension: planar\ninputs: {thrust: {default: 0, unit: N}}\n"
        "bodies: {b: {mass: 2, inertia: 1, position: [0, 0], velocity: [1, 0]}}\n"
        "forces: {f: {type: force, body: b, force: [thrust, 0]}}\n"
        "events: {go: {when: b.x > 0.5, action: {set: {thrust: 6}}}}\noutput: {step: 0.25}" +
        simulation(method, 1));
    EXPECT_NEAR(out.value(0.25, "inputs.thrust"), 0, 0);
    EXPECT_NEAR(out.last("inputs.thrust"), 6, 0);
    EXPECT_NEAR(out.last("b.vx"), 1 + 3 * 0.5, bound(method, 3));
    EXPECT_NEAR(out.last("b.x"), 1 + 1.5 * 0.25, bound(method, 3));
  }
}

// A thermostat: an input goes up and down between two levels for as long as it runs; ẏ = u − y/τ … each leg takes its logarithm.
TEST(Sensors, TwoEventsSwitchToAndFro) {
  for (const std::string method : {"smooth", "event-driven"}) {
    SCOPED_TRACE(method);
    const Recording out = run_text(
        "tappet: 1\ndimension: planar\ninputs: {heat: {default: 1}}\nstates: {T: {derivative: 2*heat - T}}\n"
        "bodies: {b: {mass: 1, inertia: 1, position: [0, 0], velocity: [0, 0]}}\n"
        "events: {hot: {when: T > 1.2, action: {set: {heat: 0}}}, cold: {when: T < 0.8, action: {set: {heat: "
        "1}}}}\n" +
        simulation(method, 10));
    ASSERT_GT(out.events.size(), 6u);
    // 2 (1 − e^{−t}) = 1.2; then 1.2 e^{−t} = 0.8; then 2 − 1.2 e^{−t} = 1.2
    const double first = std::log(2 / 0.8), down = std::log(1.2 / 0.8), up = std::log(1.2 / 0.8);
    double expected = first;
    for (std::size_t i = 0; i < out.events.size(); ++i) {
      EXPECT_NEAR(out.events[i].time, expected, 1e-8) << i;
      EXPECT_EQ(out.events[i].event, i % 2 ? 1 : 0);
      expected += i % 2 ? up : down;
    }
  }
}

TEST(Sensors, OnceActsOnce) {
  const Recording out = run_text(
      "tappet: 1\ndimension: planar\ninputs: {a: {default: 0, unit: N}}\n"
      "bodies: {b: {mass: 1, inertia: 1, position: [1, 0], velocity: [0, 0]}}\n"
      "forces: {spring: {type: spring-damper, bodies: [ground, b], points: [[0, 0], [0, 0]], stiffness: 40, "
      "length: "
      "0.5}, f: {type: force, body: b, force: [0, a]}}\n"
      "events: {pass: {signal: b.x, level: 0.6, action: {set: {a: 1}, once: true}}}\n"
      "simulation: {duration: 3}");
  EXPECT_GE(out.events.size(), 3u);
  EXPECT_THAT(out.summary.notes, Contains(HasSubstr("event 'pass' acted once")));
}

// A floor that goes lets what lies on it fall; what is on its way through it falls free from where it is.
TEST(Sensors, ContactIsSwitchedOff) {
  const std::pair<const char*, const char*> laws[] = {{"smooth", "{law: hooke, stiffness: 1e6}"},
                                                      {"event-driven", "{law: newton, restitution: 0}"},
                                                      {"moreau", "{law: newton, restitution: 0}"}};
  for (const auto& [method, law] : laws) {
    SCOPED_TRACE(method);
    const Recording out = run_text(
        std::string("tappet: 1\ndimension: planar\ngravity: [0, -9.81]\n"
                    "bodies: {ball: {mass: 1, inertia: 1, position: [0, 0.1], velocity: [0, 0], shapes: "
                    "{skin: {circle: "
                    "{radius: 0.1}}}}}\n"
                    "ground: {shapes: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}}\n"
                    "contacts: {lie: {between: [ground.floor, ball.skin], normal: ") +
        law + "}}\nevents: {open: {when: t > 0.5, action: {deactivate: [lie]}}}\noutput: {step: 0.1}" +
        simulation(method, 1));
    ASSERT_TRUE(out.summary.completed) << out.summary.stop_reason;
    EXPECT_NEAR(out.value(0.4, "ball.y"), 0.1, 3e-5);
    EXPECT_NEAR(out.last("ball.y"), 0.1 - 0.5 * 9.81 * 0.25,
                std::string(method) == "smooth" ? 3e-3 : bound(method, 10));
    EXPECT_LT(out.summary.energy_residual, 1e-3);
  }
}

TEST(Sensors, RecordWritesARowThere) {
  struct Rows final : Observer {
    std::vector<std::vector<double>> between_rows;
    bool wants_between() const override { return true; }
    void between(std::span<const double> row) override { between_rows.emplace_back(row.begin(), row.end()); }
  } rows;
  const auto model = model_of_text(
      "tappet: 1\ndimension: planar\n"
      "bodies: {b: {mass: 1, inertia: 1, position: [0, 0], velocity: [1, 0]}}\n"
      "events: {half: {when: b.x > 0.517, action: {record: true}}}\noutput: {step: 0.1, signals: [b.x]}\n"
      "simulation: {duration: 1}");
  Simulation(model).run(rows);
  ASSERT_EQ(rows.between_rows.size(), 1u);
  EXPECT_NEAR(rows.between_rows[0][0], 0.517, 1e-12);
  EXPECT_NEAR(rows.between_rows[0][1], 0.517, 1e-12);
}

TEST(Sensors, WhatDoesNotFitIsNotSwitchedOn) {
  const Recording out = run_text(
      "tappet: 1\ndimension: planar\n"
      "bodies: {b: {mass: 1, inertia: 1, position: [0, 0], velocity: [1, 0]}}\n"
      "joints: {pin: {type: revolute, bodies: [ground, b], points: [[0, 0], [0, 0]]}}\n"
      "events: {on: {when: t > 0.5, action: {activate: [pin]}}}\n"
      "simulation: {duration: 1, inactive: [pin]}");
  EXPECT_FALSE(out.summary.completed);
  EXPECT_THAT(out.summary.stop_reason, HasSubstr("'pin' is switched on where it is open by 0.5 m"));
  EXPECT_NEAR(out.summary.t_end, 0.5, 0.5);
}

TEST(Sensors, Refusals) {
  const std::string head =
      "tappet: 1\ndimension: planar\ndefine: {gain: 3}\ninputs: {u: {default: 0, unit: N}}\n"
      "bodies: {b: {mass: 1, inertia: 1, position: [0, 0]}}\n"
      "forces: {push: {type: force, body: b, force: [gain*u, 0]}}\nsimulation: {duration: 1}\n";
  const std::pair<std::string, std::string> cases[] = {
      {"{when: t > 1, action: {deactivate: [pusch]}}",
       "`action` of event 'e' names 'pusch', which is no joint, motion, force or contact (did you mean "
       "'push'?)"},
      {"{when: t > 1, action: {set: {gain: 3}}}",
       "sets 'gain', which is no input: what `define` says is worked in"},
      {"{when: t > 1, action: {set: {v: 3}}}", "sets 'v', which does not exist; inputs: u"},
      {"{when: t > 1, action: {}}", "`action` of event 'e' does nothing"},
      {"{when: t > 1, action: {activate: [push], deactivate: [push]}}", "switches 'push' on and off at once"},
      {"{action: {record: true}}", "event 'e' gives neither `signal` nor `when`"},
      {"{when: t > 1, signal: b.x}", "event 'e' gives both `signal` and `when`"},
      {"{when: b.ax > 1}", "`when` of event 'e' reads 'b.ax', a reaction or an acceleration"},
      {"{when: b.w > 1}", "`when` of event 'e' reads 'b.w', and there is no such signal"},
      {"{when: t > 1 s}", "`when` of event 'e' is 't > 1 s': 's' stands behind it"}};
  for (const auto& [event, expected] : cases)
    EXPECT_THAT(refusal(head + "events: {e: " + event + "}"), HasSubstr(expected)) << event;
}

TEST(Sensors, ResumesToTheSameBits) {
  for (const std::string method : methods) {
    SCOPED_TRACE(method);
    expect_resumes(
        *model_of_text(
            "tappet: 1\ndimension: planar\ngravity: [0, -9.81]\ninputs: {push: {default: 0, unit: N}}\n"
            "states: {turned: {derivative: arm.omega}}\n"
            "bodies: {arm: {mass: 1, inertia: 1/12, position: [0.5, 0]}, b: {mass: 1, inertia: 1, position: "
            "[3, 0], "
            "velocity: [0, 0]}}\n"
            "joints: {pin: {type: revolute, bodies: [ground, arm], points: [[0, 0], [-0.5, 0]]}}\n"
            "forces: {f: {type: force, body: b, force: [push, 0]}, hold: {type: spring-damper, bodies: "
            "[ground, b], "
            "points: [[3, 1], [0, 0]], stiffness: 30, damping: 1}}\n"
            "events: {low: {when: turned < -1, action: {set: {push: 3}, deactivate: [hold]}}, free: {when: "
            "arm.angle < "
            "-2, action: {deactivate: [pin]}}, back: {when: t > 1.2, action: {activate: [hold]}}}" +
            simulation(method, 1.5)),
        8);
  }
}

}  // namespace
}  // namespace tappet::testing::sensors_test
