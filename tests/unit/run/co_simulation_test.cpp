#include "tappet/run/co_simulation.hpp"

#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::co_simulation_test {
namespace {

constexpr const char* crank = "slider_crank/clearance.yaml";
constexpr const char* ball = "bouncing_ball/impact.yaml";

struct Case {
  const char* example;
  std::vector<std::string> settings;
  double step;
  long steps;
};

/// Force laws; rigid contact at located impacts; steps of one length.
std::vector<Case> cases() {
  const std::string rigid = "contacts.bounce.normal={restitution: 0.8}";
  return {{crank, {"simulation.duration=24 ms", "output.step=1e-4 s"}, 1e-4, 240},
          {ball, {"simulation.duration=0.6 s", "output.step=1e-3 s"}, 1e-3, 600},
          {ball,
           {"simulation.duration=0.6 s", "output.step=1e-3 s", "simulation.method=event-driven", rigid},
           1e-3,
           600},
          {ball,
           {"simulation.duration=0.6 s", "output.step=1e-3 s", "simulation.method=moreau",
            "simulation.step=4e-4 s", rigid},
           1e-3,
           600}};
}

std::string words(const Case& c) {
  std::string out = c.example;
  for (const std::string& s : c.settings) out += " " + s;
  return out;
}

// Communication points cut no steps: what is shown there is what a run records, to the bit.
TEST(CoSimulation, ShowsAtCommunicationPointsWhatARunRecords) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(words(c));
    const auto model = testing::model_of_example(c.example, c.settings);
    const testing::Recording run = testing::run(*model);
    CoSimulation slave(model);
    for (long k = 0; k <= c.steps; ++k) {
      const auto& row = run.rows.at(static_cast<std::size_t>(k));
      if (k > 0) slave.advance(static_cast<double>(k) * c.step, false);
      ASSERT_EQ(slave.time(), k == c.steps ? slave.time() : row[0]);
      const std::vector<double> expected(row.begin() + 1, row.end());
      ASSERT_EQ(slave.outputs(), expected) << "at " << row[0];
    }
  }
}

TEST(CoSimulation, ASecondTryTakesTheSameSteps) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(words(c));
    const auto model = testing::model_of_example(c.example, c.settings);
    CoSimulation slave(model), other(model);
    for (long k = 1; k <= c.steps; ++k) {
      const double t = static_cast<double>(k) * c.step;
      const CoSimulation::Memory before = slave.memory();
      slave.advance(t, false);
      const std::vector<double> first = slave.outputs();
      slave.recall(before);
      slave.advance(t, false);
      ASSERT_EQ(slave.outputs(), first);
      if (k == c.steps / 2) {
        // As bytes, and in another one.
        CoSimulation::Memory read = other.memory();
        load(save(slave.memory()), read);
        ASSERT_TRUE(read == slave.memory());
        other.recall(read);
      }
      if (k > c.steps / 2) {
        other.advance(t, false);
        ASSERT_EQ(other.outputs(), slave.outputs());
      }
    }
  }
}

// The first impact of the run is where a step that may return early ends first.
TEST(CoSimulation, ReturnsWhereImpactsBegin) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(words(c));
    const auto model = testing::model_of_example(c.example, c.settings);
    const testing::Recording run = testing::run(*model);
    ASSERT_GE(run.impacts.size(), 1u);
    std::vector<double> starts;
    for (const Impact& impact : run.impacts) starts.push_back(impact.start);
    CoSimulation slave(model);
    std::vector<double> met;
    const double end = model->settings.duration;
    while (slave.time() < end) {
      const auto reached = slave.advance(end, true);
      if (reached.impact) met.push_back(slave.time());
      ASSERT_LT(met.size(), 1000u);
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(5, starts.size()); ++i) {
      ASSERT_LT(i, met.size());
      EXPECT_EQ(met[i], starts[i]) << i;
    }
    EXPECT_GE(met.size(), starts.size());
  }
}

// Inputs that are set at communication points act from there on, as by set_input() between advance().
TEST(CoSimulation, InputsActFromWhereTheyAreSet) {
  for (const char* integrator : {"auto", "adams"}) {
    SCOPED_TRACE(integrator);
    const auto model = testing::model_of_text(R"(tappet: 1
inputs: {push: {unit: N}}
bodies: {cart: {mass: 2, inertia: 1}}
forces:
  drive: {type: force, body: cart, force: [push, 0]}
  spring: {type: spring-damper, bodies: [ground, cart], points: [[-1, 0], [0, 0]], stiffness: 50, damping: 0.3, length: 0.9}
joints: {rail: {type: translational, bodies: [ground, cart], points: [[0, 0], [0, 0]], axis: [1, 0]}}
simulation: {duration: 2 s}
output: {step: 10 ms}
)",
                                              {std::string("simulation.integrator=") + integrator});
    CoSimulation slave(model);
    Simulation by_hand(model);
    const std::size_t x = 1;
    ASSERT_EQ(slave.output_signals()[x].name, "cart.x");
    for (int k = 0; k < 50; ++k) {
      const double t = (k + 1) * 0.02, push = k % 3;
      slave.set_inputs(std::vector<double>{push + 1});  // and thinks better of it
      slave.set_inputs(std::vector<double>{push});
      by_hand.set_input(0, push);
      if (k % 10 == 5) slave.outputs();
      slave.advance(t, false);
      by_hand.advance(t);

      EXPECT_NEAR(slave.outputs()[x], by_hand.value("cart.x"), 1e-9) << t;
    }
  }
}

TEST(CoSimulation, AnEventOfTheModelEndsIt) {
  const auto model =
      testing::model_of_example(ball, {"+events.low={signal: ball.y, level: 0.3, stop: true}"});
  CoSimulation slave(model);
  EXPECT_FALSE(slave.advance(0.1, false).ended);
  EXPECT_TRUE(slave.advance(0.2, false).ended);
  // y = 0.4 − g t²/2
  EXPECT_NEAR(slave.time(), std::sqrt(2 * 0.1 / 9.81), 1e-9);
}

TEST(CoSimulation, DamagedBytesAreRefused) {
  const auto model = testing::model_of_example(ball);
  CoSimulation slave(model);
  slave.advance(0.01, false);
  std::vector<std::byte> bytes = save(slave.memory());
  CoSimulation::Memory out = slave.memory();
  bytes[bytes.size() / 2] ^= std::byte{1};
  EXPECT_THROW(load(bytes, out), InputError);
  EXPECT_THROW(load(std::span(bytes).first(7), out), InputError);
  EXPECT_TRUE(out == slave.memory());
}

}  // namespace
}  // namespace tappet::co_simulation_test
