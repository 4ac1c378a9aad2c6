// A run as a whole: the same motion from every integrator, no allocation in the step loop, and a continuation
// that is the same to the last bit.
#include "tappet/run/simulation.hpp"

#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "support/resume.hpp"
#include "support/run_model.hpp"

namespace tappet::testing {
namespace {

const std::string pendulum = R"(tappet: 1
dimension: planar
gravity: [0, -9.81]
bodies:
  rod: {mass: 1, inertia: 1/12, position: [0.5, 0]}
joints:
  hinge: {type: revolute, bodies: [ground, rod], points: [[0, 0], [-0.5, 0]]}
events:
  lowest: {signal: rod.x, level: 0}
simulation: {duration: 2, tolerance: 1e-9}
output: {step: 0.02}
)";

// ---- all integrators find the same motion ----

double difference(const std::string& example, const char* integrator,
                  const std::vector<std::string>& settings) {
  auto with = [&](const char* name, const char* tolerance) {
    std::vector<std::string> all = settings;
    all.push_back(std::string("simulation.integrator=") + name);
    all.push_back(std::string("simulation.tolerance=") + tolerance);
    return example.empty() ? run_text(pendulum, all) : run_example(example, all);
  };
  const Recording exact = with("dop853", "1e-13"), found = with(integrator, "1e-9");
  EXPECT_TRUE(found.summary.completed) << found.summary.stop_reason;
  EXPECT_EQ(found.summary.integrator, integrator);
  double m = 0;
  for (const char* ending : {".x", ".y", ".angle"}) m = std::max(m, largest_difference(exact, found, ending));
  return m;
}

class Integrators : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, Integrators, ::testing::Values("dopri5", "dop853", "adams", "bdf"),
                         [](const auto& info) { return std::string(info.param); });

// What a tolerance of 1e-9 a step gives at the end of the run.
TEST_P(Integrators, AgreeOnAPendulum) {
  EXPECT_LT(difference("", GetParam(), {}), 2e-7);
}

TEST_P(Integrators, AgreeOnTheSliderCrank) {
  EXPECT_LT(difference("slider_crank/ideal.yaml", GetParam(), {}), 1e-9);
}

TEST_P(Integrators, AgreeOnAndrewsMechanism) {
  // β passes 15 rad in 30 ms; its speed multiplies early errors.
  EXPECT_LT(difference("andrews/squeezer.yaml", GetParam(), {}), 2e-6);
}

// ---- events ----

TEST_P(Integrators, LocateEvents) {
  const Recording r = run_text(pendulum, {std::string("simulation.integrator=") + GetParam()});
  // The quarter period of a rod released horizontally: √(2ℓ/3g) K(1/√2), ℓ = 1.
  const double quarter = std::sqrt(2 / (3 * 9.81)) * 1.8540746773013719;
  ASSERT_EQ(r.events.size(), 2u);
  EXPECT_NEAR(r.events[0].time, quarter, 1e-7);
  EXPECT_NEAR(r.events[1].time, 3 * quarter, 1e-7);
}

TEST(Events, StopTheRunWhereTheyAre) {
  const Recording r = run_text(pendulum, {"events.lowest.stop=true"});
  EXPECT_TRUE(r.summary.completed);
  ASSERT_EQ(r.events.size(), 1u);
  EXPECT_EQ(r.summary.t_end, r.events[0].time);
  EXPECT_EQ(r.rows.back()[0], r.events[0].time);
  EXPECT_NEAR(r.last("rod.x"), 0, 1e-9);
}

TEST(Events, CountOnlyTheDirectionAskedFor) {
  const Recording r = run_text(pendulum, {"events.lowest.direction=rising"});
  ASSERT_EQ(r.events.size(), 1u);
  EXPECT_GT(r.events[0].time, 1);
}

// ---- no allocation in the loop ----

/// Notes the number of allocations at each sample and step, in room made before.
struct AllocationWatch final : Observer {
  std::vector<long> counts;
  AllocationWatch() { counts.reserve(100000); }
  void note() {
    if (counts.size() < counts.capacity()) counts.push_back(allocations());
  }
  void sample(std::span<const double>) override { note(); }
  void progress(double, double) override { note(); }
};

class NoAllocation : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(All, NoAllocation,
                         ::testing::Combine(::testing::Values("slider_crank/ideal.yaml",
                                                              "andrews/squeezer.yaml",
                                                              "bricard/bricard.yaml"),
                                            ::testing::Values("dopri5", "dop853")));

TEST_P(NoAllocation, InTheStepLoop) {
  const auto [example, integrator] = GetParam();
  // Many samples, and none but the first and the last.
  for (const char* samples : {"0.001", "100"}) {
    const auto model =
        model_of_example(example, {std::string("simulation.integrator=") + integrator,
                                   std::string("output.step=") + samples, "simulation.tolerance=1e-8"});
    Simulation simulation(*model);
    AllocationWatch watch;
    const RunSummary summary = simulation.run(watch);
    ASSERT_TRUE(summary.completed) << summary.stop_reason;
    ASSERT_GT(watch.counts.size(), 12u);
    // The first steps may still make room.
    EXPECT_EQ(watch.counts.back(), watch.counts[5]) << "samples every " << samples << " s";
  }
}

// ---- a continuation is the same to the last bit ----

class Continuation : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(All, Continuation,
                         ::testing::Combine(::testing::Values("pendulum", "andrews/squeezer.yaml",
                                                              "four_bar_chain/two.yaml"),
                                            ::testing::Values("dopri5", "dop853", "adams", "bdf")));

TEST_P(Continuation, EndsBitIdentical) {
  const auto [name, integrator] = GetParam();
  std::vector<std::string> settings = {std::string("simulation.integrator=") + integrator,
                                       "simulation.tolerance=1e-8"};
  if (std::string(name).starts_with("four")) settings.push_back("simulation.duration=0.6");
  const auto model =
      std::string(name) == "pendulum" ? model_of_text(pendulum, settings) : model_of_example(name, settings);
  expect_resumes(*model, 3);
}

TEST(Continuation, RefusesTheCheckpointOfAnotherModel) {
  const auto model = model_of_text(pendulum);
  Simulation simulation(*model);
  EXPECT_THROW(simulation.restore(std::vector<double>(3, 0.0)), InputError);
}

}  // namespace
}  // namespace tappet::testing
