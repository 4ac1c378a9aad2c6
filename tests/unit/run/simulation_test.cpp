// A run as a whole: the same motion from every integrator, no allocation in the step loop, and a continuation
// that is the same to the last bit.
#include "tappet/run/simulation.hpp"

#include <tuple>
#include <utility>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "support/resume.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::simulation_test {
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

// What a tolerance of 1e-9 per step gives at the end of the run.
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

// With contacts lists grow until the motion has been through all that it does; from the middle of the run on they do not. This holds for
// force laws. Problems of rigid contacts (moreau, event-driven) still make matrices of their own in each impact.
class NoAllocationInContact
    : public ::testing::TestWithParam<std::tuple<const char*, std::vector<std::string>>> {};
INSTANTIATE_TEST_SUITE_P(
    All, NoAllocationInContact,
    ::testing::Values(std::tuple{"slider_crank/clearance.yaml",
                                 std::vector<std::string>{"simulation.duration=20 ms"}},
                      std::tuple{"rolling_ball/rolling.yaml",
                                 std::vector<std::string>{"output.signals=[ball.x, '*.normal']"}},
                      std::tuple{"reproduce/pushed_block.yaml", std::vector<std::string>{}}));

TEST_P(NoAllocationInContact, InTheStepLoop) {
  const auto [example, settings] = GetParam();
  const auto model = model_of_example(example, settings);
  Simulation simulation(*model);
  AllocationWatch watch;
  const RunSummary summary = simulation.run(watch);
  ASSERT_TRUE(summary.completed) << summary.stop_reason;
  ASSERT_GT(watch.counts.size(), 100u);
  EXPECT_EQ(watch.counts.back(), watch.counts[watch.counts.size() / 2]);
}

// ---- step by step ----

/// Examples of every method, short.
struct Short {
  const char* example;
  std::vector<std::string> settings;
};
const Short every_method[] = {
    {"slider_crank/clearance.yaml", {"simulation.duration=5 ms"}},
    {"rolling_ball/rolling.yaml", {"simulation.duration=0.2 s", "simulation.integrator=dopri5"}},
    {"woodpecker/toy.yaml", {"simulation.duration=0.3 s"}},
    {"bouncing_ball/impact.yaml",
     {"simulation.method=moreau", "simulation.step=1 ms", "contacts.bounce.normal.restitution=0.8",
      "simulation.duration=1 s"}},
    {"block_on_plate/block.yaml", {"simulation.duration=10 ms", "simulation.step=0.2 ms"}}};

TEST(StepByStep, IsTheRun) {
  for (const auto& [example, settings] : every_method) {
    SCOPED_TRACE(example);
    const auto model = model_of_example(example, settings);
    Simulation whole(model), by_hand(model);
    // One who wants rows between samples has them counted.
    Observer nobody;
    ASSERT_TRUE(whole.run(nobody).completed);
    long steps = 0;
    for (double t = 0; by_hand.time() < model->settings.duration; ++steps) {
      const double length = by_hand.step();
      ASSERT_GT(length, 0);
      ASSERT_EQ(by_hand.time(), t + length);
      t = by_hand.time();
    }
    EXPECT_GT(steps, 10);
    expect_equal(by_hand.state(), whole.state());
  }
}

TEST(StepByStep, CopiesGoTheSameWay) {
  for (const auto& [example, settings] : every_method) {
    SCOPED_TRACE(example);
    Simulation first(model_of_example(example, settings));
    for (int n = 0; n < 30; ++n) first.step();
    Simulation copy = first.clone();
    expect_equal(copy.state(), first.state());
    const State then = first.state();
    for (int n = 0; n < 15; ++n) first.step(), copy.step();
    expect_equal(copy.state(), first.state());
    EXPECT_NE(first.state(), then);
    // Back to where it was, and there again.
    copy.set_state(then);
    expect_equal(copy.state(), then);
    for (int n = 0; n < 15; ++n) copy.step();
    expect_equal(copy.state(), first.state());
    // A simulation that was moved is the same one.
    Simulation moved = std::move(first);
    moved.step(), copy.step();
    expect_equal(copy.state(), moved.state());
  }
}

TEST(StepByStep, AdvancesToTheInstantAskedFor) {
  for (const auto& [example, settings] : every_method) {
    SCOPED_TRACE(example);
    const auto model = model_of_example(example, settings);
    Simulation simulation(model);
    const double end = model->settings.duration;
    for (const double part : {0.13, 0.29, 0.7, 1.0, 1.1}) {
      simulation.advance(part * end);
      EXPECT_EQ(simulation.time(), part * end);
    }
  }
}

// A pendulum of two rods whose end is pulled out further than it reaches.
const std::string pulled_apart = R"(tappet: 1
dimension: planar
gravity: [0, -9.81]
bodies:
  a: {mass: 1, inertia: 1/12, position: [0.3, 0.4], angle: 0.9272952180016122}
  b: {mass: 1, inertia: 1/12, position: [0.9, 0.4], angle: -0.9272952180016122}
joints:
  first: {type: revolute, bodies: [ground, a], points: [[0, 0], [-0.5, 0]]}
  middle: {type: revolute, bodies: [a, b], points: [[0.5, 0], [-0.5, 0]]}
motions:
  pull: {bodies: [ground, b], points: [[0, 0], [0.5, 0]], distance: 1.2 + t}
simulation: {duration: 2, tolerance: 1e-8}
output: {step: 0.02}
)";

TEST(StepByStep, AThrowLeavesTheStateAsItWas) {
  for (const std::vector<std::string>& settings : {std::vector<std::string>{},
                                                   {"simulation.method=event-driven"},
                                                   {"simulation.method=moreau", "simulation.step=10 ms"},
                                                   {"simulation.integrator=bdf"}}) {
    Simulation simulation(model_of_text(pulled_apart, settings));
    State before = simulation.state();
    for (int tries = 0; tries < 2; ++tries) {
      bool thrown = false;
      for (int n = 0; n < 100000 && !thrown && simulation.time() < 2; ++n) {
        before = simulation.state();
        try {
          simulation.step();
        } catch (const SimulationError&) {
          thrown = true;
        }
      }
      ASSERT_TRUE(thrown);
      expect_equal(simulation.state(), before);
    }
  }
}

/// A disc of 2 kg and 0.1 m radius at rest on the floor.
std::string disc_on_floor(const std::string& method) {
  return R"(tappet: 1
dimension: planar
gravity: [0, -9.81]
ground: {shapes: {floor: {plane: {normal: [0, 1], point: [0, 0]}}}}
bodies:
  disc: {mass: 2, inertia: 0.01, position: [0.25, 0.1], shapes: {rim: {circle: {radius: 0.1}}}}
contacts:
  rest: {between: [ground.floor, disc.rim], normal: {law: hooke, stiffness: 1e5, damping: 400, restitution: 0},
         friction: {law: adams, static: 0.3, dynamic: 0.3, stiction_velocity: 1e-3, friction_velocity: 1e-2}}
output: {step: 0.01}
simulation: {duration: 1, method: )" +
         method + "}\n";
}

// Its weight is on the floor.
TEST(StepByStep, ShowsSignalsAndContacts) {
  for (const char* method : {"moreau, step: 1 ms", "event-driven"}) {
    SCOPED_TRACE(method);
    Simulation simulation(model_of_text(disc_on_floor(method)));
    simulation.advance(0.05);
    EXPECT_NEAR(simulation.value("disc.y"), 0.1, 1e-6);
    EXPECT_NEAR(simulation.value("rest.normal"), 2 * 9.81, 1e-6);
    const std::vector<ContactInfo> contacts = simulation.contacts();
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_EQ(contacts[0].name, "rest");
    EXPECT_EQ(contacts[0].first, "ground");
    EXPECT_EQ(contacts[0].second, "disc");
    EXPECT_NEAR(contacts[0].gap, 0, 1e-6);
    EXPECT_LT((contacts[0].normal - Vec3(0, 1, 0)).norm(), 1e-12);
    EXPECT_LT((contacts[0].point - Vec3(0.25, 0, 0)).norm(), 1e-6);
    EXPECT_LT((contacts[0].force - Vec3(0, 2 * 9.81, 0)).norm(), 1e-6);
    EXPECT_THROW(simulation.value("disk.y"), InputError);
  }
}

// Between steps nothing that is asked changes what comes.
TEST(StepByStep, LookingChangesNothing) {
  for (const auto& [example, settings] : every_method) {
    SCOPED_TRACE(example);
    const auto model = model_of_example(example, settings);
    Simulation watched(model), alone(model);
    std::vector<int> signals;
    for (const Signal& signal : alone.signals()) signals.push_back(watched.signal(signal.name));
    for (int n = 0; n < 25; ++n) {
      if (n == 12) watched.set_state(State(watched.state()));
      if (n == 12) watched.mass_matrix();
      for (const int signal : signals) watched.value(signal);
      watched.contacts();
      watched.constraint_jacobian();
      watched.forces();
      watched.step(), alone.step();
    }
    expect_equal(watched.state(), alone.state());
  }
}

// Forces of a state that was set are those of the step that it came from, to within the change of one step.
TEST(StepByStep, KnowsForcesOfAStateThatWasSet) {
  Simulation first(model_of_text(disc_on_floor("moreau, step: 1 ms")));
  // At the start the weight of 2 kg is carried already.
  ASSERT_EQ(first.contacts().size(), 1u);
  EXPECT_NEAR(first.contacts()[0].force.y(), 2 * 9.81, 1e-6);
  EXPECT_NEAR(first.value("rest.normal"), 2 * 9.81, 1e-6);
  EXPECT_NEAR(first.value("disc.ay"), 0, 1e-6);
  first.advance(0.05);
  Simulation copy = first.clone();
  EXPECT_NEAR(copy.value("rest.normal"), first.value("rest.normal"), 1e-6);
  ASSERT_EQ(copy.contacts().size(), 1u);
  EXPECT_NEAR(copy.contacts()[0].force.y(), 2 * 9.81, 1e-6);
  expect_equal(copy.state(), first.state());
}

// A disc that rested and was lifted by 1 cm falls, and lands after √(2h/g); one that flew and was put onto the floor stays there.
TEST(StepByStep, LooksAnewAtWhatTouchesWhereAStateWasAltered) {
  for (const char* method : {"smooth", "event-driven", "moreau, step: 0.1 ms"}) {
    SCOPED_TRACE(method);
    Simulation simulation(model_of_text(disc_on_floor(method)));
    simulation.advance(0.3);
    EXPECT_NEAR(simulation.value("rest.normal"), 2 * 9.81, 1e-3);
    State lifted = simulation.state();
    lifted.y[1] = 0.11, lifted.y[4] = 0;
    simulation.set_state(lifted);
    expect_equal(simulation.state(), lifted);
    const double fall = std::sqrt(2 * 0.01 / 9.81);
    simulation.advance(0.3 + 0.9 * fall);
    EXPECT_NEAR(simulation.value("disc.y"), 0.11 - 0.81 * 0.01, 1e-5);
    EXPECT_TRUE(simulation.value("rest.normal") == 0);

    State put_down = simulation.state();
    put_down.y[1] = 0.1 - 2 * 9.81 / 1e5, put_down.y[4] = 0;
    simulation.set_state(put_down);
    const Simulation copy = simulation.clone();
    simulation.advance(0.6);
    EXPECT_NEAR(simulation.value("disc.y"), 0.1, 1e-3);
    EXPECT_NEAR(simulation.value("rest.normal"), 2 * 9.81, 1e-3);
    expect_equal(copy.state(), put_down);
  }
}

TEST(StepByStep, RefusesToAdvanceIntoThePast) {
  Simulation simulation(model_of_text(pendulum));
  simulation.advance(0.5);
  EXPECT_THROW(simulation.advance(0.4), std::invalid_argument);
  EXPECT_THROW(simulation.advance(std::nan("")), std::invalid_argument);
  simulation.advance(0.5);
  EXPECT_EQ(simulation.time(), 0.5);
}

// M u̇ = h + Jᵀ λ, J u̇ = γ: of a pendulum at rest, horizontal, φ̈ = −g (ℓ/2)/(ℓ²/3) with ℓ = 1.
TEST(StepByStep, ShowsTheEquationsOfMotion) {
  Simulation simulation(model_of_text(pendulum));
  const Eigen::MatrixXd M = simulation.mass_matrix(), J = simulation.constraint_jacobian();
  const Eigen::VectorXd h = simulation.forces();
  ASSERT_EQ(M.rows(), 3);
  ASSERT_EQ(J.rows(), 2);
  EXPECT_TRUE(M.isDiagonal());
  EXPECT_NEAR(M(2, 2), 1.0 / 12, 1e-15);
  EXPECT_TRUE(h.isApprox(Eigen::Vector3d(0, -9.81, 0)));
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(5, 5);
  K.topLeftCorner(3, 3) = M;
  K.topRightCorner(3, 2) = -J.transpose();
  K.bottomLeftCorner(2, 3) = J;
  Eigen::VectorXd right = Eigen::VectorXd::Zero(5);
  right.head(3) = h;
  const Eigen::VectorXd solution = K.partialPivLu().solve(right);
  EXPECT_NEAR(solution[2], -9.81 * 0.5 / (1.0 / 3), 1e-10);
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
  expect_resumes(*model);
}

TEST(Continuation, RefusesTheCheckpointOfAnotherModel) {
  const auto model = model_of_text(pendulum);
  Simulation simulation(*model);
  State other = simulation.state();
  other.y.push_back(0);
  EXPECT_THROW(simulation.set_state(other), InputError);
  EXPECT_THROW(simulation.restore(std::vector<std::byte>(3)), InputError);
}

}  // namespace
}  // namespace tappet::testing::simulation_test
