// Signals, tables and states in expressions against closed forms, under every method.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/refusal.hpp"
#include "support/resume.hpp"
#include "support/run_model.hpp"
#include "tappet/model/method.hpp"

namespace tappet::testing::expression_signals_test {
namespace {

using ::testing::HasSubstr;

const char* const methods[] = {"smooth", "event-driven", "moreau"};

/// Of a run by a method: steps as small as first order needs, or a tolerance far below what is asked for.
std::string simulation(const std::string& method, double duration, double step = 1e-4) {
  return method == "moreau"
             ? fmt::format("\nsimulation: {{method: moreau, duration: {}, step: {}}}", duration, step)
             : fmt::format("\nsimulation: {{method: {}, duration: {}, tolerance: 1e-13}}", method, duration);
}

const std::string head2 = "tappet: 1\ndimension: planar\n", head3 = "tappet: 1\ndimension: spatial\n";
const std::string cart2 = "{mass: 2, inertia: 0.5, position: [0, 0], velocity: [0, 0], angular_velocity: 0}",
                  cart3 =
                      "{mass: 2, inertia: [0.5, 0.5, 0.5], position: [0, 0, 0], velocity: [0, 0, 0], "
                      "angular_velocity: [0, 0, 0]}";

// ---- PID: the closed loop has the poles −1 and −2 ± 2i,
//   m s³ + d s² + k s + i = 2 (s + 1)(s² + 4 s + 8),   x = 1 + 0.8 e^{−t} − e^{−2t} (1.8 cos 2t + 1.4 sin 2t)
// from rest to the target 1.

std::string pid(bool spatial) {
  return (spatial ? head3 : head2) + "inputs: {target: {default: 1, unit: m}}\n" +
         "define: {error: target - cart.x}\n" + "states: {sum: {derivative: error, unit: m s}}\n" +
         "bodies: {cart: " + (spatial ? cart3 : cart2) + "}\n" +
         "forces: {motor: {type: force, body: cart, force: [24*error + 16*sum - 10*cart.vx, 0" +
         (spatial ? ", 0" : "") + "]}}\noutput: {step: 0.25}";
}
double pid_response(double t) {
  return 1 + 0.8 * std::exp(-t) - std::exp(-2 * t) * (1.8 * std::cos(2 * t) + 1.4 * std::sin(2 * t));
}

TEST(ExpressionSignals, PidMovesAMassAsItsPolesSay) {
  for (const bool spatial : {false, true})
    for (const std::string method : methods) {
      SCOPED_TRACE(method + (spatial ? " in space" : " in the plane"));
      const auto error = [&](double step) {
        const Recording out = run_text(pid(spatial) + simulation(method, 3, step));
        EXPECT_TRUE(out.summary.completed) << out.summary.stop_reason;
        EXPECT_LT(out.summary.energy_residual, method == "moreau" ? 1e-2 : 1e-8);
        double worst = 0;
        for (const auto& row : out.rows)
          worst = std::max(worst, std::abs(row[out.column("cart.x")] - pid_response(row[0])));
        return worst;
      };
      if (method != "moreau") {
        EXPECT_LT(error(0), 1e-8);
        continue;
      }
      const double coarse = error(1e-3), fine = error(5e-4);
      EXPECT_LT(fine, 5e-3);
      EXPECT_NEAR(coarse / fine, 2, 0.1);  // of the first order
    }
}

// ---- States that depend on themselves and on time alone. They are met to the second order by moreau too.

struct Response {
  const char* name;
  const char* state;  ///< y
  double (*y)(double t);
};

const Response responses[] = {
    {"lag", "{derivative: (1 - y)/0.2}", [](double t) { return 1 - std::exp(-t / 0.2); }},
    {"stiff lag", "{derivative: 1000*(sin(t) - y) + cos(t), initial: 0}",
     [](double t) { return std::sin(t); }},
    {"growth", "{derivative: 1*y, initial: 2 m, unit: m}", [](double t) { return 2 * std::exp(t); }},
    {"second order", "{transfer_function: {numerator: [4], denominator: [1, 1.2, 4], input: 1}}",
     [](double t) {
       const double z = 0.3, w = 2, d = w * std::sqrt(1 - z * z);
       return 1 - std::exp(-z * w * t) * (std::cos(d * t) + z * w / d * std::sin(d * t));
     }},
    {"lead", "{transfer_function: {numerator: [2, 6], denominator: [2, 2], input: 1}}",
     [](double t) { return 3 - 2 * std::exp(-t); }},
    {"derivative and lag", "{transfer_function: {numerator: [1, 0], denominator: [0.1, 1], input: t^2/2}}",
     [](double t) { return t - 0.1 + 0.1 * std::exp(-t / 0.1); }},
    {"from rest", "{transfer_function: {numerator: [3], denominator: [1, 2, 5], input: 10}, initial: 6}",
     [](double) { return 6.0; }},
    {"integrator of sampled time",
     "{transfer_function: {numerator: [1], denominator: [1, 0], input: cos(t)}}",
     [](double t) { return std::sin(t); }},
};

TEST(ExpressionSignals, StatesRespondAsTheyAreWritten) {
  for (const Response& each : responses)
    for (const std::string method : methods) {
      SCOPED_TRACE(std::string(each.name) + " by " + method);
      const auto error = [&](double step) {
        const Recording out = run_text(head2 + "states: {y: " + each.state + "}\nbodies: {b: " + cart2 +
                                       "}\noutput: {step: 0.1}" + simulation(method, 2, step));
        EXPECT_TRUE(out.summary.completed) << out.summary.stop_reason;
        double worst = 0;
        for (const auto& row : out.rows)
          worst = std::max(worst, std::abs(row[out.column("states.y")] - each.y(row[0])));
        return worst;
      };
      if (method != "moreau") {
        EXPECT_LT(error(0), 1e-9);
        continue;
      }
      const double coarse = error(2e-2), fine = error(1e-2);
      EXPECT_LT(fine, 2e-2);
      if (coarse <= 1e-9) continue;
      EXPECT_GT(coarse / fine, 3.5);  // of the second order
    }
}

// ---- Signals

// A spring and a damper written out are the element.
TEST(ExpressionSignals, ForceOfSignalsIsTheElementThatItSpells) {
  const std::string bodies =
      "bodies: {a: {mass: 2, inertia: 0.5, position: [1, 0.5], velocity: [0, 1]}, b: {mass: 1, inertia: 1, "
      "position: [3, 0], velocity: [0, 0]}}\n";
  const std::string length = "sqrt((b.x - a.x)^2 + (b.y - a.y)^2)";
  const std::string element = head2 + bodies +
                              "forces: {s: {type: spring-damper, bodies: [a, b], points: [[0, 0], [0, 0]], "
                              "stiffness: 30, damping: 2, "
                              "length: 1.5}}\noutput: {step: 0.1}";
  const std::string spelled =
      head2 + "define: {l: " + length +
      ", pull: 30*(l - 1.5) + 2*((b.x - a.x)*(b.vx - a.vx) + (b.y - a.y)*(b.vy - a.vy))/l}\n" + bodies +
      "forces: {s: {type: force, body: a, force: [pull*(b.x - a.x)/l, pull*(b.y - a.y)/l]}, r: {type: force, "
      "body: b, force: [-pull*(b.x - a.x)/l, -pull*(b.y - a.y)/l]}}\n"
      "output: {step: 0.1}";
  for (const std::string method : methods) {
    SCOPED_TRACE(method);
    const std::string how = simulation(method, 2, 1e-3);
    // Energies differ: what is spelled stores none.
    const Recording one = run_text(element + how), other = run_text(spelled + how);
    for (const char* ending : {".x", ".y", ".vx", ".vy"})
      EXPECT_LT(largest_difference(one, other, ending), method == "moreau" ? 1e-12 : 1e-9) << ending;
  }
}

// What a contact's force is copied to receives its impulse.
TEST(ExpressionSignals, ForceOfAContactMovesAnotherBody) {
  const Recording out =
      run_text(head2 +
               "bodies: {ball: {mass: 1, inertia: 1, position: [0, 0.2], velocity: [0, -2], shapes: {skin: "
               "{circle: {radius: "
               "0.1}}}}, other: {mass: 4, inertia: 1, position: [5, 0], velocity: [0, 0]}}\n"
               "ground: {shapes: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}}\n"
               "contacts: {hit: {between: [ground.floor, ball.skin], normal: {law: hooke, stiffness: 1e5}}}\n"
               "forces: {copy: {type: force, body: other, force: [hit.normal, hit.fy]}}\n"
               "simulation: {duration: 0.2, tolerance: 1e-11}");
  EXPECT_NEAR(out.last("ball.vy"), 2, 1e-8);
  EXPECT_NEAR(out.last("other.vy"), 4.0 / 4, 1e-8);
  EXPECT_NEAR(out.last("other.vx"), 4.0 / 4, 1e-8);
}

// Prescribed speed by a signal: x₂ = ∫ 2 x₁, and the rate of that speed is in the effort that drives it.
TEST(ExpressionSignals, SpeedFollowsAPlace) {
  for (const std::string method : methods) {
    SCOPED_TRACE(method);
    const Recording out =
        run_text(head2 +
                 "bodies: {leader: {mass: 1, inertia: 1, position: [1, 0], velocity: [3, 0]}, follower: "
                 "{mass: 5, inertia: 1, "
                 "position: [0, 1]}}\n"
                 "joints: {guide: {type: translational, bodies: [ground, follower], points: [[0, 1], [0, "
                 "0]], axis: [1, 0]}}\n"
                 "motions: {servo: {joint: guide, speed: 2*leader.x}}\noutput: {step: 0.1}" +
                 simulation(method, 1, 1e-3));
    EXPECT_NEAR(out.last("follower.x"), 2 * (1 + 1.5), method == "moreau" ? 1e-2 : 1e-9);
    EXPECT_NEAR(out.last("follower.vx"), 2 * 4, method == "moreau" ? 1e-2 : 1e-9);
    EXPECT_NEAR(out.value(0.5, "servo.force"), 5 * 6, 1e-6);
    EXPECT_LT(out.summary.energy_residual, method == "moreau" ? 1e-2 : 1e-8);
  }
}

// A speed that a state says: z = 1 − e^{−t}, and what drives 5 kg so.
TEST(ExpressionSignals, SpeedFollowsAState) {
  const Recording out = run_text(
      head2 +
      "states: {v: {derivative: 1 - v, unit: m/s}}\nbodies: {b: {mass: 5, inertia: 1, position: [0, 0]}}\n" +
      "joints: {guide: {type: translational, bodies: [ground, b], points: [[0, 0], [0, 0]], axis: [1, 0]}}\n"
      "motions: {servo: {joint: guide, speed: v}}\noutput: {step: 0.1}" +
      simulation("smooth", 2));
  for (const auto& row : out.rows) {
    EXPECT_NEAR(row[out.column("b.x")], row[0] - 1 + std::exp(-row[0]), 1e-9);
    EXPECT_NEAR(row[out.column("servo.force")], 5 * std::exp(-row[0]), 1e-8);
  }
}

TEST(ExpressionSignals, AccelerationOfItsOwnPlace) {
  const Recording out = run_text(
      head2 + "bodies: {b: {mass: 5, inertia: 1, position: [1, 0]}}\n" +
      "joints: {guide: {type: translational, bodies: [ground, b], points: [[0, 0], [0, 0]], axis: [1, 0]}}\n"
      "motions: {servo: {joint: guide, acceleration: -4*b.x}}\noutput: {step: 0.1}" +
      simulation("smooth", 3));
  for (const auto& row : out.rows) EXPECT_NEAR(row[out.column("b.x")], std::cos(2 * row[0]), 1e-8);
}

// The reaction's impulse is the momentum: ∫ R dt = m v, whatever the method, and ∫ a dt = v.
TEST(ExpressionSignals, ReactionsMayDriveStates) {
  for (const std::string method : methods) {
    SCOPED_TRACE(method);
    const Recording out =
        run_text(head2 +
                 "gravity: [0, -9.81]\nstates: {push: {derivative: hinge.fx, unit: N s}, speed: {derivative: "
                 "rod.ax, unit: "
                 "m/s}}\n"
                 "bodies: {rod: {mass: 1, inertia: 1/12, position: [0.5, 0]}}\n"
                 "joints: {hinge: {type: revolute, bodies: [ground, rod], points: [[0, 0], [-0.5, 0]]}}\n"
                 "output: {step: 0.05}" +
                 simulation(method, 1, 1e-4));
    const double bound = method == "moreau" ? 2e-3 : 1e-8;
    for (const auto& row : out.rows) {
      EXPECT_NEAR(row[out.column("states.push")], row[out.column("rod.vx")], bound);
      EXPECT_NEAR(row[out.column("states.speed")], row[out.column("rod.vx")], bound);
    }
  }
}

// ---- Functions and tables

TEST(ExpressionSignals, ImpactAsAFunctionIsTheLaw) {
  const std::string ball =
      "bodies: {ball: {mass: 1, inertia: 1, position: [0, 0.2], velocity: [0, -2], shapes: {skin: {circle: "
      "{radius: "
      "0.1}}}}}\n";
  const std::string run =
      "output: {step: 1 ms, signals: ['ball.*']}\nsimulation: {duration: 0.12, tolerance: 1e-12}";
  const Recording law = run_text(head2 + ball +
                                 "ground: {shapes: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}}\n"
                                 "contacts: {hit: {between: [ground.floor, ball.skin], normal: {law: impact, "
                                 "stiffness: 1e5, exponent: 1.5, "
                                 "damping: 50, depth: 1 mm}}}\n" +
                                 run);
  const Recording function = run_text(head2 + ball +
                                      "forces: {hit: {type: force, body: ball, force: [0, 'impact(ball.y, "
                                      "ball.vy, 0.1, 1e5, 1.5, 50, 1e-3)']}}\n" +
                                      run);
  EXPECT_GT(law.last("ball.vy"), 1);
  for (const auto& row : law.rows) {
    EXPECT_NEAR(row[law.column("ball.y")], function.value(row[0], "ball.y"), 1e-8);
    EXPECT_NEAR(row[law.column("ball.vy")], function.value(row[0], "ball.vy"), 1e-6);
  }
}

// A spline through points of a cubic is the cubic, and a motion gets its derivatives.
TEST(ExpressionSignals, TableDrivesAMotion) {
  const auto x = [](double t) { return 0.1 * t * t * t - 0.2 * t * t + 0.05 * t; };
  std::string points;
  for (const double t : {0.0, 0.3, 0.5, 1.1, 1.5, 2.0}) points += fmt::format("[{}, {}], ", t, 1000 * x(t));
  const Recording out = run_text(
      head2 + "tables: {lift: {points: [" + points + "], y_unit: mm}}\n" +
      "bodies: {b: {mass: 2, inertia: 1, position: [0, 0]}}\n"
      "joints: {guide: {type: translational, bodies: [ground, b], points: [[0, 0], [0, 0]], axis: [1, 0]}}\n"
      "motions: {cam: {joint: guide, displacement: lift(t)}}\noutput: {step: 0.1}" +
      simulation("smooth", 2));
  for (const auto& row : out.rows) {
    const double t = row[0];
    EXPECT_NEAR(row[out.column("b.x")], x(t), 1e-12);
    EXPECT_NEAR(row[out.column("b.vx")], 0.3 * t * t - 0.4 * t + 0.05, 1e-11);
    EXPECT_NEAR(row[out.column("cam.force")], 2 * (0.6 * t - 0.4), 1e-9);
  }
}

struct InFolder : ::testing::Test {
  InFolder() : folder(std::filesystem::temp_directory_path() / fmt::format("tappet_tables_{}", getpid())) {
    std::filesystem::create_directories(folder);
  }
  ~InFolder() override { std::filesystem::remove_all(folder); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  std::string said(const std::string& model) const {
    write("model.yaml", model);
    try {
      model_of(load_spec((folder / "model.yaml").string()));
    } catch (const InputError& fault) {
      return fault.what();
    }
    return "accepted";
  }
  std::filesystem::path folder;
};
using TableFiles = InFolder;

const std::string some_body = "bodies: {b: " + cart2 + "}\nsimulation: {duration: 1}\n";

TEST_F(TableFiles, AreReadByColumnsAndUnits) {
  write("cam.csv", "# a cam\nangle, lift, other\n0, 0, 7\n90, 1, 7\n180, 4, 7\n270, 9, 7\n");
  write("map.csv", "speed; 0; 10\n0; 1; 2\n2; 3; 8\n");
  write("model.yaml",
        head2 +
            "tables: {cam: {file: cam.csv, x: angle, y: lift, x_unit: deg, y_unit: mm}, map: {grid: "
            "map.csv, interpolate: linear}}\n"
            "inputs: {a: {default: 1}}\n"
            "output: {signals: ['b.*']}\n"
            "bodies: {b: {mass: 1, inertia: 1, position: [0, 0], velocity: [0, 0]}}\n"
            "forces: {f: {type: force, body: b, force: ['1000*cam(a*pi)', 'map(a, 5)']}}\n"
            "simulation: {duration: 1}\n");
  const auto model = model_of(load_spec((folder / "model.yaml").string()));
  ASSERT_EQ(model->files.size(), 2u);
  const Recording out = run(*model);
  EXPECT_NEAR(out.last("b.vx"), 4, 1e-9);
  EXPECT_NEAR(out.last("b.vy"), 0.25 * (1 + 2 + 3 + 8), 1e-9);
}

TEST_F(TableFiles, FaultsNameFileAndLine) {
  write("down.csv", "x,y\n0,0\n0.5,1\n0.3,2\n");
  write("twice.csv", "x,y\n0,0\n0.5,1\n0.5,2\n");
  write("word.csv", "x,y\n0,0\n0.5,one\n");
  write("short.csv", "x,y\n0,0\n0.5\n");
  write("open.csv", "x,y\n0,0\n0.5,1\n1,2\n");
  write("grid.csv", "- 0 1\n0 1 2\n1 2\n");
  const std::pair<std::string, std::string> cases[] = {
      {"{file: down.csv}",
       "down.csv:4:1: error: the table 'f' has the point 0.3 after 0.5; they must be in ascending order"},
      {"{file: twice.csv}",
       "twice.csv:4:1: error: the table 'f' has two points at 0.5; each needs a place of its own"},
      {"{file: word.csv}", "word.csv:3:1: error: the table 'f' has 'one', which is not a number"},
      {"{file: short.csv}",
       "short.csv:3:1: error: the table 'f' has 1 numbers in this line, but its first line names 2"},
      {"{file: open.csv, periodic: true}",
       "open.csv:4:1: error: the table 'f' is `periodic`, but ends with the value 2"},
      {"{file: open.csv, y: lift}",
       "model.yaml:3:33: error: the table 'f' takes the column 'lift' of 'open.csv'"},
      {"{file: none.csv}", "the table 'f' names the file 'none.csv', which does not exist"},
      {"{grid: grid.csv}", "grid.csv:3:1: error: the table 'f' has 2 numbers in this row, not 3"},
      {"{points: [[0, 1]]}", "the table 'f' has 1 point; two are the least"},
      {"{points: [[0, 1], [0, 2]]}", "the table 'f' has two points at 0"},
      {"{points: [[0, 1], [1, 2]], file: open.csv}", "the table 'f' gives 2 of `file`, `grid` and `points`"},
      {"{points: [[0, 1], [1, 2]], x_unit: flurb}", "the table 'f' has a unit that is none"},
      {"{points: [[0, 1], [1, 2]], value_unit: mm}", "the table 'f' has no grid"}};
  for (const auto& [table, expected] : cases)
    EXPECT_THAT(said(head2 + "tables: {f: " + table + "}\n" + some_body), HasSubstr(expected));
  EXPECT_THAT(said(head2 + "tables: {sin: {points: [[0, 0], [1, 1]]}}\n" + some_body),
              HasSubstr("'sin' cannot be the name of a table: 'sin' has a meaning already"));
  EXPECT_THAT(said(head2 + "tables: {f: {points: [[0, 0], [1, 1]]}}\ndefine: {f: 3}\n" + some_body),
              HasSubstr("'f' is defined twice"));
}

TEST(ExpressionSignals, TableThatStopsSaysWhere) {
  const Recording out = run_text(
      head2 + "tables: {spring: {points: [[0, 0], [0.5, 10]], interpolate: linear, outside: stop}}\n" +
      "bodies: {b: {mass: 1, inertia: 1, position: [0, 0], velocity: [1, 0]}}\n"
      "forces: {f: {type: force, body: b, force: [spring(b.x), 0]}}\nsimulation: {duration: 1}");
  EXPECT_FALSE(out.summary.completed);
  EXPECT_THAT(out.summary.stop_reason, HasSubstr("force 'f'"));
}

// ---- What is refused, with its place

TEST(ExpressionSignals, Refusals) {
  const std::string hinge =
      "joints: {hinge: {type: revolute, bodies: [ground, b], points: [[0, 0], [-1, 0]]}}\n";
  const auto force = [&](const std::string& fx, const std::string& more = "") {
    return head2 + some_body + hinge + more + "forces: {f: {type: force, body: b, force: ['" + fx + "', 0]}}";
  };
  const std::pair<std::string, std::string> cases[] = {
      {force("b.angel"),
       "test.yaml:6:44: error: 'force' reads 'b.angel', and there is no such signal; did you mean "
       "'b.angle'?"},
      {force("bb.x"), "there is no signal 'bb.x': nothing is called 'bb'; did you mean 'b'?"},
      {force("hinge.fx"),
       "'force' reads 'hinge.fx', a reaction or an acceleration, or depends on one, on which it has an "
       "effect at the same instant: an algebraic loop"},
      {force("b.ax"), "an algebraic loop, 'b.ax' needs 'force' needs 'b.ax'"},
      {force("b.angle"),
       "'force' is 'b.angle', which is in rad, but N is needed; write 1*b.angle for its number"},
      {force("states.y.rate", "states: {y: {derivative: hinge.fy}}\n"), "an algebraic loop"},
      {head2 + some_body + "states: {y: {derivative: 1 + states.y.rate}}",
       "an algebraic loop: 'states.y.rate' needs 'states.y.rate' at the same instant"},
      {head2 + some_body + "states: {a: {derivative: states.c.rate}, c: {derivative: 2*states.a.rate}}",
       "an algebraic loop: 'states.c.rate' needs 'states.a.rate' needs 'states.c.rate'"},
      {head2 + some_body +
           "states: {a: {transfer_function: {numerator: [1, 0], denominator: [1, 1], input: 1 - a}}}",
       "an algebraic loop: 'states.a' needs 'states.a'"},
      {head2 + some_body +
           "states: {a: {transfer_function: {numerator: [1, 0, 0], denominator: [1, 1], input: 1}}}",
       "has a numerator of degree 2 over a denominator of degree 1"},
      {head2 + some_body + "states: {a: {initial: 1}}", "gives neither `derivative` nor `transfer_function`"},
      {head2 + some_body + "states: {a: {derivative: b.y, unit: mm}}", "'mm' is not a unit of the SI itself"},
      {head2 + some_body + "states: {a: {derivative: b.y, unit: rad}}",
       "`derivative` of state 'a' is 'b.y', which is in m, but rad/s is needed"},
      {head2 + some_body + "states: {t: {derivative: 1}}",
       "'t' cannot be the name of a state: 't' is the time"},
      {head2 + "bodies: {b: {mass: 2 + 0*b.x, inertia: 1}}\nsimulation: {duration: 1}",
       "'b.x' is a signal, which changes while the model runs"},
      {head2 + some_body + hinge + "motions: {m: {joint: hinge, angle: 2*b.x rad}}",
       "'angle' uses a signal or a state, which may stand where inputs may: inputs jump"},
      {head2 + some_body + hinge + "motions: {m: {joint: hinge, speed: 2*b.vx}}",
       "`speed` of motion 'm' reads 'b.vx', whose rate is an acceleration or not known"},
      {head2 + some_body + hinge + "motions: {m: {joint: hinge, acceleration: 2*hinge.fx}}",
       "an algebraic loop"},
  };
  for (const auto& [model, expected] : cases) EXPECT_THAT(refusal(model), HasSubstr(expected)) << model;
}

// By methods of rigid bodies a contact's force is a reaction.
TEST(ExpressionSignals, RigidContactsAreReactions) {
  const std::string model =
      head2 +
      "bodies: {ball: {mass: 1, inertia: 1, position: [0, 0.2], shapes: {skin: {circle: {radius: 0.1}}}}}\n"
      "ground: {shapes: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}}\n"
      "contacts: {hit: {between: [ground.floor, ball.skin], normal: {law: newton, restitution: 0.5}}}\n"
      "forces: {f: {type: force, body: ball, force: [2*hit.normal, 0]}}\n";
  for (const std::string method : {"event-driven", "moreau"})
    EXPECT_THAT(refusal(model + simulation(method, 1)), HasSubstr("'force' reads 'hit.normal', a reaction"))
        << method;
}

// ---- Examples

// While the valve is closed its spring surges in the first mode of five masses between six springs.
TEST(ExpressionSignals, ValveSpringSurges) {
  const Recording out = run_example("valve_train/valve_train.yaml",
                                    {"simulation.duration=0.0415", "simulation.tolerance=1e-7"});
  ASSERT_TRUE(out.summary.completed) << out.summary.stop_reason;
  std::vector<double> tops;
  const std::size_t spring = out.column("spring");
  for (std::size_t i = 1; i + 1 < out.rows.size(); ++i)
    if (out.rows[i][0] > 0.031 && out.rows[i][spring] > out.rows[i - 1][spring] &&
        out.rows[i][spring] >= out.rows[i + 1][spring])
      tops.push_back(out.rows[i][0]);
  ASSERT_GE(tops.size(), 3u);
  const double period = (tops.back() - tops.front()) / static_cast<double>(tops.size() - 1);
  const double omega = 2 * std::sqrt(150e3 / 0.008) * std::sin(std::acos(-1.0) / 12);
  // Tops are known to one of the samples, 20 us.
  EXPECT_NEAR(period, 2 * std::acos(-1.0) / omega, 20e-6);
  EXPECT_LT(out.largest("opening"), 0.01);
  EXPECT_GT(out.largest("opening"), 0.0083);
}

TEST(ExpressionSignals, PoleIsBalanced) {
  for (const bool stepped : {false, true}) {
    std::vector<std::string> settings;
    if (stepped) settings = {"simulation.method=moreau", "simulation.step=2 ms"};
    const Recording out = run_example("balance/balance.yaml", settings);
    ASSERT_TRUE(out.summary.completed) << out.summary.stop_reason;
    EXPECT_NEAR(out.value(3.99, "cart.x"), 0, 5e-3);
    EXPECT_NEAR(out.last("cart.x"), 0.5, 1e-4);
    EXPECT_LT(out.largest("pole.angle"), 0.2);
    EXPECT_EQ(out.events.size(), 1u);
  }
}

// ---- Resumed to the same bits

TEST(ExpressionSignals, ResumesToTheSameBits) {
  for (const std::string method : methods) {
    SCOPED_TRACE(method);
    expect_resumes(
        *model_of_text(
            head2 +
            "tables: {cam: {points: [[0, 0], [1, 0.1], [2, 0.05], [3, 0]], periodic: true}}\n"
            "states: {sum: {derivative: 'cam(t) - a.x'}, low: {transfer_function: {numerator: [1], "
            "denominator: [0.01, 0.1, 1], input: a.x}}}\n"
            "bodies: {a: {mass: 1, inertia: 1, position: [0, 0], velocity: [0, 0]}}\n"
            "forces: {f: {type: force, body: a, force: ['50*(cam(t) - low) + 20*sum - 4*a.vx', 0]}}" +
            simulation(method, 2, 0.01)),
        8);
  }
}

}  // namespace
}  // namespace tappet::testing::expression_signals_test
