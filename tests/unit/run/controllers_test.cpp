#include "tappet/run/controllers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fmu.hpp"
#include "support/folder_test.hpp"
#include "support/resume.hpp"
#include "support/run_model.hpp"

#ifdef TAPPET_FMI

namespace tappet::controllers_test {
namespace {

using ::testing::HasSubstr;
using testing::held_rod;
using testing::pid_section;
using testing::PidFmu;

class ControllersTest : public FolderTest {
 protected:
  std::shared_ptr<const Model> model(const std::string& text,
                                     const std::vector<std::string>& settings = {}) const {
    write("model.yaml", text);
    return testing::model_of(load_spec(path("model.yaml"), settings));
  }
  /// What is said against a model, with an FMU beside it.
  std::string fault(const std::string& text, const std::vector<std::string>& settings = {}) const {
    try {
      Diagnostics diagnostics;
      write("model.yaml", text);
      compile(load_spec(path("model.yaml"), settings), diagnostics);
      std::string out = "accepted";
      for (const Diagnostic& d : diagnostics.all()) out += "\n" + d.text();
      return out;
    } catch (const InputError& error) {
      return error.what();
    }
  }
};

/// The same controller in C++ (examples/fmu/pid.c).
struct Pid {
  double kp = 25, ki = 20, kd = 3, h = 0.005, sum = 0, last = 0;
  bool begun = false;
  double operator()(double e) {
    if (!begun) last = e, begun = true;
    sum += e * h;
    const double u = kp * e + ki * sum + kd * (e - last) / h;
    last = e;
    return u;
  }
};

struct Case {
  const char* method;
  int version;
};

// u(t_k) = f(e(t_k)) held until t_k + 5 ms, be it an FMU's or a program's that sets the input between steps: to the bit.
TEST_F(ControllersTest, AnFmuControlsAsAProgramDoes) {
  for (const Case& c :
       {Case{"method: smooth", 2}, Case{"method: smooth", 3}, Case{"method: event-driven", 3},
        Case{"method: moreau, step: 1 ms", 2}, Case{"method: smooth, integrator: adams", 2}}) {
    SCOPED_TRACE(std::string(c.method) + ", FMI " + std::to_string(c.version));
    write("pid.fmu", testing::pid_fmu({.version = c.version}));
    const testing::Recording run = testing::run(*model(held_rod(pid_section, c.method)));
    ASSERT_TRUE(run.summary.completed) << run.summary.stop_reason;

    Simulation by_hand(model(held_rod("", c.method)));
    const int x = by_hand.signal("cart.x"), angle = by_hand.signal("rod.angle"), push = by_hand.input("push");
    Pid pid;
    double largest = 0;
    for (long k = 0; k < 1600; ++k) {
      by_hand.set_input(push, pid(0.1 * by_hand.value(x) - by_hand.value(angle)));
      by_hand.advance(std::min(static_cast<double>(k + 1) * 0.005, 8.0));
      const auto& row = run.rows.at(static_cast<std::size_t>(k + 1));
      largest = std::max({largest, std::abs(row[run.column("cart.x")] - by_hand.value(x)),
                          std::abs(row[run.column("rod.angle")] - by_hand.value(angle))});
    }
    EXPECT_EQ(largest, 0);
    // It stands, and the cart has come back: the slowest mode decays as exp(−0.33 t).
    EXPECT_LT(std::abs(run.last("rod.angle")), 0.01);
    EXPECT_LT(std::abs(run.last("cart.x")), 0.2);
    EXPECT_LT(run.largest("rod.angle"), 0.2);
  }
}

TEST_F(ControllersTest, WithoutItTheRodFalls) {
  const testing::Recording run = testing::run(*model(held_rod("")));
  EXPECT_GT(run.largest("rod.angle"), 1.5);
}

TEST_F(ControllersTest, RunsGoOnFromCheckpointsToTheBit) {
  for (const int version : {2, 3}) {
    write("pid.fmu", testing::pid_fmu({.version = version}));
    testing::expect_resumes(*model(held_rod(pid_section), {"simulation.duration=1 s"}), 8);
    testing::expect_resumes(
        *model(held_rod(pid_section, "method: moreau, step: 1 ms"), {"simulation.duration=1 s"}), 8);
  }
}

TEST_F(ControllersTest, StatesAndClonesHoldWhatItRemembers) {
  write("pid.fmu", testing::pid_fmu());
  Simulation simulation(model(held_rod(pid_section)));
  simulation.advance(0.503);
  const State there = simulation.state();
  Simulation clone = simulation.clone();
  simulation.advance(1.1);
  clone.advance(1.1);
  testing::expect_equal(simulation.state(), clone.state());
  simulation.set_state(there);
  simulation.advance(1.1);
  testing::expect_equal(simulation.state(), clone.state());
}

TEST_F(ControllersTest, AnFmuThatForgetsIsGoneOnFromNowhere) {
  write("pid.fmu", testing::pid_fmu({.serialises = false}));
  Simulation simulation(model(held_rod(pid_section)));
  const State start = simulation.state();
  EXPECT_FALSE(simulation.exact());
  EXPECT_THAT(simulation.no_way_back(), HasSubstr("canSerializeFMUstate is not true"));
  simulation.advance(0.1);
  try {
    simulation.clone();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot say what it remembers"));
  }
  // From the start there is nothing to remember.
  const double there = simulation.value("rod.angle");
  simulation.set_state(start);
  simulation.advance(0.1);
  EXPECT_EQ(simulation.value("rod.angle"), there);
}

TEST_F(ControllersTest, WhatItSetsNobodyElseSets) {
  write("pid.fmu", testing::pid_fmu());
  Simulation simulation(model(held_rod(pid_section)));
  try {
    simulation.set_input("push", 1);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the input 'push' is set by controller 'pid'"));
  }
}

TEST_F(ControllersTest, AFailureEndsTheRunWhereItCame) {
  for (const int version : {2, 3}) {
    write("pid.fmu", testing::pid_fmu({.version = version}));
    const testing::Recording run = testing::run(
        *model(held_rod(pid_section), {"controllers.pid.parameters={kp: 25, ki: 20, kd: 3, fail_at: 0.25}"}));
    EXPECT_FALSE(run.summary.completed);
    EXPECT_NEAR(run.summary.t_end, 0.25, 1e-12);
    EXPECT_EQ(run.rows.size(), 51u);
    EXPECT_THAT(run.summary.stop_reason, HasSubstr("controller 'pid': the FMU"));
    EXPECT_THAT(run.summary.stop_reason, HasSubstr("with an error: \"it was told to fail"));
  }
}

TEST_F(ControllersTest, AWrongTokenIsRefusedBeforeTheRun) {
  for (const int version : {2, 3}) {
    write("pid.fmu", testing::pid_fmu({.version = version, .token = "another"}));
    Simulation simulation(model(held_rod(pid_section)));
    try {
      simulation.load_controllers();
      FAIL();
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("cannot be instantiated"));
      EXPECT_THAT(error.what(), HasSubstr("'another' may not be the one that its binary was made with"));
    }
  }
}

TEST_F(ControllersTest, OneThatRunsOnlyOnceIsNotRunTwice) {
  write("pid.fmu", testing::pid_fmu({.once = true}));
  const auto held = model(held_rod(pid_section));
  Simulation first(held);
  first.advance(0.01);
  Simulation second(held);
  EXPECT_THROW(second.load_controllers(), InputError);
}

TEST_F(ControllersTest, UnitsOfTheFmuAreItsOwn) {
  // It takes its error in degrees: the same as 180/π times the gains.
  write(
      "pid.fmu",
      testing::pid_fmu(
          {.input_unit = "<Unit name=\"own\"><BaseUnit rad=\"1\" factor=\"0.017453292519943295\"/></Unit>"}));
  const testing::Recording degrees = testing::run(
      *model(held_rod(pid_section), {"controllers.pid.inputs.e=-rod.angle", "controllers.pid.parameters.ki=0",
                                     "controllers.pid.parameters.kp=0.5",
                                     "controllers.pid.parameters.kd=0.05", "simulation.duration=1 s"}));
  write("pid.fmu", testing::pid_fmu());
  const testing::Recording radians = testing::run(*model(
      held_rod(pid_section), {"controllers.pid.inputs.e=-rod.angle", "controllers.pid.parameters.ki=0",
                              "controllers.pid.parameters.kp=28.64788975654116",
                              "controllers.pid.parameters.kd=2.864788975654116", "simulation.duration=1 s"}));
  EXPECT_LT(testing::largest_difference(degrees, radians, ".angle"), 1e-9);
}

// Everything that its description tells is said with file and line, and nothing is loaded for it.
TEST_F(ControllersTest, MistakesAreSaidWithTheirPlaces) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = held_rod(pid_section);
    const std::size_t at = text.find(from);
    return text.replace(at, from.size(), to);
  };
  EXPECT_THAT(fault(held_rod(pid_section)), HasSubstr("does not exist"));
  write("pid.fmu", testing::pid_fmu());
  EXPECT_EQ(fault(held_rod(pid_section)), "accepted");
  EXPECT_THAT(fault(with("{e:", "{err:")),
              HasSubstr("model.yaml:15:14: error: the FMU of controller 'pid' has no input 'err'"));
  EXPECT_THAT(fault(with("{u:", "{uu:")), HasSubstr("has no output 'uu': did you mean 'u'?; it has u"));
  EXPECT_THAT(fault(with("{u: push}", "{e: push}")), HasSubstr("'e' is of causality 'input'"));
  EXPECT_THAT(fault(with("u: push", "u: pusch")),
              HasSubstr("sets 'pusch', which is no input of this model (did you mean 'push'?)"));
  EXPECT_THAT(fault(with("kp: 25", "kq: 25")), HasSubstr("has no parameter 'kq': did you mean 'kp'?"));
  EXPECT_THAT(fault(with("cart.x - rod.angle", "cart.x - rod.angel")),
              HasSubstr("there is no signal 'rod.angel'; did you mean 'rod.angle'?"));
  EXPECT_THAT(fault(with("step: 5 ms", "step: 0 s")), HasSubstr("'step'"));
  EXPECT_THAT(fault(with("    outputs: {u: push}\n", "")), HasSubstr("missing key 'outputs'"));
  EXPECT_THAT(fault(with("{e: '0.1*cart.x - rod.angle'}", "{}")),
              HasSubstr("warning: the input 'e' of the FMU of controller 'pid' is not connected: it keeps "
                        "its start value 0"));
  EXPECT_THAT(fault(with("{unit: N}", "{unit: N, default: 3}")), HasSubstr("its `default` has no effect"));
  EXPECT_THAT(
      fault(
          with("controllers:\n", "controllers:\n  other: {fmu: pid.fmu, outputs: {u: push}, step: 1 ms}\n")),
      HasSubstr(
          "the input 'push' is set twice: by 'u' of controller 'other' and by 'u' of controller 'pid'"));

  write("pid.fmu", testing::pid_fmu({.folder = "binaries/win64/"}));
  EXPECT_THAT(
      fault(held_rod(pid_section)),
      HasSubstr("has no binary for this platform, 'binaries/linux64/pid.so'; it has binaries for: win64"));
  write("pid.fmu", testing::pid_fmu({.co_simulation = false}));
  EXPECT_THAT(fault(held_rod(pid_section)), HasSubstr("has no co-simulation"));
  write("pid.fmu", testing::pid_fmu().substr(0, 3000));
  EXPECT_THAT(fault(held_rod(pid_section)), HasSubstr("is not a zip archive, or a damaged one"));
  write("pid.fmu", testing::pid_fmu({.input_unit = "<Unit name=\"own\"><BaseUnit kg=\"1\"/></Unit>"}));
  EXPECT_THAT(fault(with("'0.1*cart.x - rod.angle'", "cart.x")),
              HasSubstr("'e' of the FMU of controller 'pid' is in own, but the signal 'cart.x' is in m"));
  write("pid.fmu", testing::pid_fmu({.more = "<ScalarVariable name=\"word\" valueReference=\"9\" "
                                             "causality=\"input\"><String start=\"\"/></ScalarVariable>"}));
  EXPECT_THAT(fault(with("{e: '0.1*cart.x - rod.angle'}", "{e: rod.angle, word: cart.x}")),
              HasSubstr("'word' of the FMU of controller 'pid' is of type String"));
}

}  // namespace
}  // namespace tappet::controllers_test

#endif
