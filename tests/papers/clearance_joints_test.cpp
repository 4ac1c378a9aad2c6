// Clearance joints of every kind and size, several in one mechanism, and how their contacts are found.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::clearance_joints_test {
namespace {

constexpr double revolution = 60. / 5000;

// A clearance of 1 µm and one of 1 mm are resolved alike by the same tolerance: what counts is the gap, not
// the size of the mechanism.
TEST(ClearanceSize, IsNoMatterToTheTolerance) {
  for (const double clearance : {1e-6, 1e-5, 1e-4, 1e-3}) {
    const auto with = [&](const char* tolerance) {
      return run_example("slider_crank/clearance.yaml",
                         {fmt::format("joints.wrist.clearance.journal_radius={:.15g} m", 0.010 - clearance),
                          fmt::format("simulation.duration={}", revolution),
                          fmt::format("simulation.tolerance={}", tolerance), "output.step=1e-3",
                          "output.signals=[slider.x]"});
    };
    const Recording fine = with("1e-12"), usual = with("1e-8");
    ASSERT_TRUE(fine.summary.completed && usual.summary.completed) << fine.summary.stop_reason;
    EXPECT_LT(usual.summary.energy_residual, 1e-6);
    // With the smallest play the journal, pressed deeper into the wall than the play is wide, stays on it
    // after the first rebound.
    const std::size_t impacts = std::min<std::size_t>(4, fine.impacts.size());
    ASSERT_GE(impacts, 1u);
    ASSERT_GE(usual.impacts.size(), impacts);
    // Touched as exactly as joints are closed.
    EXPECT_LT(usual.summary.max_first_penetration, 1e-10);
    double time = 0, speed = 0, depth = 0;
    for (std::size_t i = 0; i < impacts; ++i) {
      const Impact &a = usual.impacts[i], &b = fine.impacts[i];
      time = std::max(time, std::abs(a.start / b.start - 1));
      speed = std::max(speed, std::abs(a.speed_in / b.speed_in - 1));
      depth = std::max(depth, std::abs(a.max_penetration / b.max_penetration - 1));
    }
    fmt::print(
        "clearance {:.0e} m: first {} impacts at 1e-8 within {:.1e} (time), {:.1e} (speed), {:.1e} (depth)\n",
        clearance, impacts, time, speed, depth);
    EXPECT_LT(time, 1e-5);
    EXPECT_LT(speed, 1e-4);
    EXPECT_LT(depth, 1e-4);
  }
}

// Play in all three joints of one slider-crank that can have it.
TEST(SeveralClearances, InOneMechanism) {
  const std::vector<std::string> settings = {
      "joints.pin.clearance={bearing_radius: 10 mm, journal_radius: 9.8 mm, length: 15 mm, materials: "
      "[steel, steel], "
      "normal: {law: lankarani-nikravesh, restitution: 0.8}, friction: {law: threlfall, coefficient: 0.03, "
      "v0: 10 mm/s}}",
      "joints.guide.clearance={clearance: 0.2 mm, slider_length: 40 mm, slider_height: 20 mm, "
      "normal: {law: hunt-crossley, stiffness: 1e9, restitution: 0.7}}",
      "simulation.duration=6e-3", "output.step=20e-6", "output.signals=['*.gap', '*_loss', energy.residual]"};
  const auto with = [&](const char* integrator, const char* tolerance) {
    std::vector<std::string> all = settings;
    all.push_back(std::string("simulation.integrator=") + integrator);
    all.push_back(std::string("simulation.tolerance=") + tolerance);
    return run_example("slider_crank/clearance.yaml", all);
  };
  const Recording r = with("dop853", "1e-11"), other = with("dopri5", "1e-11");
  ASSERT_TRUE(r.summary.completed && other.summary.completed) << r.summary.stop_reason;
  EXPECT_LT(r.summary.energy_residual, 1e-8);
  EXPECT_EQ(r.summary.degrees_of_freedom,
            6);  // nine coordinates less the crank's three: its bearing and its motor
  // Each joint strikes, and takes its own share.
  double sum = 0;
  for (const char* joint : {"pin", "wrist", "guide"}) {
    double taken = 0;
    for (const std::string& name : r.names)
      if (name.starts_with(joint) && name.ends_with(".normal_loss")) taken += r.last(name);
    fmt::print("{} took {:.4f} J\n", joint, taken);
    EXPECT_GT(taken, 0) << joint;
    sum += taken;
  }
  EXPECT_NEAR(sum, r.last("energy.normal_loss"), 1e-12 * (1 + sum));
  // Integrators agree on the first impacts.
  ASSERT_GE(r.impacts.size(), 6u);
  double apart = 0;
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(r.impacts[i].contact, other.impacts[i].contact);
    apart = std::max(apart, std::abs(r.impacts[i].start / other.impacts[i].start - 1));
  }
  fmt::print("first six impacts: dopri5 within {:.1e}\n", apart);
  EXPECT_LT(apart, 1e-7);
}

// A journal that is pushed along its axis uses its axial play up and strikes with its shoulder; pushed at one
// end, it tilts until its ends touch.
TEST(SpatialJournal, StrikesWithItsShoulderAndWithItsEnds) {
  const auto model = [](const std::string& forces) {
    return "tappet: 1\n"
           "dimension: spatial\n"
           "bodies:\n"
           "  pin: {mass: 1, inertia: [1e-3, 1e-3, 1e-3]}\n"
           "joints:\n"
           "  bearing:\n"
           "    type: revolute\n"
           "    bodies: [ground, pin]\n"
           "    points: [[0, 0, 0], [0, 0, 0]]\n"
           "    axis: [0, 0, 1]\n"
           "    clearance:\n"
           "      bearing_radius: 10 mm\n"
           "      journal_radius: 9.9 mm\n"
           "      length: 40 mm\n"
           "      axial_play: 0.4 mm\n"
           "      normal: {law: lankarani-nikravesh, stiffness: 1e9, restitution: 0.8}\n"
           "forces:\n" +
           forces +
           "simulation: {duration: 30 ms, tolerance: 1e-11}\n"
           "output: {step: 0.1 ms}\n";
  };
  // 1 m/s² along the axis: 0.2 mm take 20 ms, and the shoulder strikes at 20 mm/s.
  const Recording axial = run_text(model("  push: {type: force, body: pin, force: [0, 0, 1]}\n"));
  ASSERT_TRUE(axial.summary.completed) << axial.summary.stop_reason;
  ASSERT_EQ(axial.impacts.size(), 1u);
  EXPECT_NEAR(axial.impacts[0].start, 0.02, 1e-9);
  EXPECT_NEAR(axial.impacts[0].speed_in, 0.02, 1e-9);
  EXPECT_GT(axial.last("bearing.front.normal_loss"), 0);
  EXPECT_EQ(axial.last("bearing.back.normal_loss"), 0);
  EXPECT_EQ(axial.last("bearing.1.normal_loss"), 0);
  // A moment of 1 N mm about x tilts it: α = 1 rad/s², and the ends, 20 mm away, are 0.1 mm off when φ = 5
  // mrad, at once on opposite sides.
  const Recording tilted = run_text(model("  twist: {type: torque, body: pin, vector: [1e-3, 0, 0]}\n"),
                                    {"simulation.duration=0.11"});
  ASSERT_TRUE(tilted.summary.completed) << tilted.summary.stop_reason;
  ASSERT_EQ(tilted.impacts.size(), 2u);
  EXPECT_NEAR(tilted.impacts[0].start, std::sqrt(2 * std::asin(0.1 / 20)), 1e-7);
  EXPECT_EQ(tilted.impacts[0].start, tilted.impacts[1].start);
  EXPECT_NEAR(tilted.impacts[0].impulse / tilted.impacts[1].impulse, 1, 1e-9);
  EXPECT_NEAR(tilted.last("pin.x"), 0, 1e-12);
  EXPECT_NEAR(tilted.last("pin.y"), 0, 1e-12);
}

// "During the free flight the time step adopted is much larger than during the contact."
TEST(StepsOfARun, AreLongInFlightAndShortInContact) {
  struct Steps final : Observer {
    std::vector<double> times = {0};
    std::vector<Impact> impacts;
    void sample(std::span<const double>) override {}
    void impact(const Impact& i) override { impacts.push_back(i); }
    void progress(double t, double) override { times.push_back(t); }
  } steps;
  const auto model =
      model_of_example("slider_crank/clearance.yaml",
                       {"simulation.duration=0.024", "joints.wrist.clearance.normal={law: hertz}"});
  ASSERT_TRUE(Simulation(*model).run(steps).completed);
  std::vector<double> flight, contact;
  for (std::size_t i = 1; i < steps.times.size(); ++i) {
    const double middle = 0.5 * (steps.times[i] + steps.times[i - 1]),
                 h = steps.times[i] - steps.times[i - 1];
    const bool touching = std::any_of(steps.impacts.begin(), steps.impacts.end(),
                                      [&](const Impact& n) { return n.start < middle && middle < n.end; });
    if (h > 0) (touching ? contact : flight).push_back(h);
  }
  const auto median = [](std::vector<double>& v) {
    std::nth_element(v.begin(), v.begin() + static_cast<long>(v.size() / 2), v.end());
    return v[v.size() / 2];
  };
  ASSERT_GT(flight.size(), 10u);
  ASSERT_GT(contact.size(), 100u);
  const double long_step = median(flight), short_step = median(contact);
  fmt::print("median step {:.1e} s in flight, {:.1e} s in contact\n", long_step, short_step);
  EXPECT_GT(long_step, 10 * short_step);
}

// The summary gives the largest first penetration: what joints are closed to when touches are located, and
// never above what is allowed when steps are rejected.
TEST(FirstPenetration, IsWithinWhatTheStrategyAllows) {
  const auto with = [](const std::string& strategy) {
    const Recording r = run_example(
        "slider_crank/clearance.yaml",
        {"simulation.duration=0.024", "output.step=1e-3", "simulation.contact_detection=" + strategy});
    EXPECT_TRUE(r.summary.completed) << r.summary.stop_reason;
    return r.summary.max_first_penetration;
  };
  EXPECT_LT(with("{strategy: events}"), 1e-10);
  for (const double allowed : {1e-7, 1e-9, 1e-11}) {
    const double found = with(fmt::format("{{strategy: step-rejection, penetration: {}}}", allowed));
    EXPECT_GT(found, 0);
    EXPECT_LE(found, allowed);
  }
}

// Love's limit, 1e-5 √(E/ρ) = 0.0515 m/s for steel: an impact at 1 m/s is 19.4 times too fast, and one at
// 0.05 m/s is not.
TEST(LovesCriterion, WarnsWithTheNumber) {
  const auto at = [](double speed) {
    return run_example(
               "single_impact/spheres.yaml",
               {fmt::format(
                    "forces.push.force=['if(t < 0.2e-3, 8/3*0.14*{}/0.2e-3*sin(pi*t/0.2e-3)^4, 0)', 0, 0]",
                    speed),
                fmt::format("simulation.duration={}", 0.8e-3 / speed), "output.step=2 us"})
        .summary;
  };
  const RunSummary fast = at(1), slow = at(0.05);
  ASSERT_EQ(fast.impacts, 1);
  ASSERT_EQ(slow.impacts, 1);
  ASSERT_EQ(fast.warnings.size(), 1u);
  EXPECT_NE(fast.warnings[0].find("1 of 1 impacts were faster than Love's limit"), std::string::npos);
  EXPECT_NE(fast.warnings[0].find("19.4 times"), std::string::npos) << fast.warnings[0];
  EXPECT_TRUE(slow.warnings.empty()) << slow.warnings[0];
}

// A cylinder law has no force beyond a certain penetration: the run ends there with a sentence, not with
// nonsense.
TEST(CylinderLaw, EndsTheRunWhereItHasNoForce) {
  const Recording r =
      run_example("single_impact/cylinders.yaml",
                  {"bodies.pin.mass=1e5 kg",
                   "forces.push.force=['if(t < 0.2e-3, 8/3*1e5*3/0.2e-3*sin(pi*t/0.2e-3)^4, 0)', 0]",
                   "simulation.duration=5 ms"});
  EXPECT_FALSE(r.summary.completed);
  fmt::print("{}\n", r.summary.stop_reason);
  EXPECT_NE(r.summary.stop_reason.find("dubowsky-freudenstein"), std::string::npos) << r.summary.stop_reason;
  for (const auto& row : r.rows)
    for (const double x : row) ASSERT_TRUE(std::isfinite(x));
}

// A pin that settles on its bearing's wall comes to rest there under every law with hysteresis: late impacts
// are as slow as one likes, δ̇⁽⁻⁾ → 0, and nothing is divided by it, nothing pulls.
TEST(ContactAtRest, Settles) {
  for (const char* law : {"hunt-crossley", "lankarani-nikravesh", "flores"}) {
    const Recording r =
        run_example("single_impact/cylinders.yaml",
                    {std::string("joints.wall.clearance.normal={law: ") + law + ", restitution: 0.3}",
                     "gravity=[0, -9.81]", "forces.push.force=[0, 0]", "simulation.duration=0.2",
                     "simulation.tolerance=1e-9", "output.step=10 us"});
    ASSERT_TRUE(r.summary.completed) << law << ": " << r.summary.stop_reason;
    EXPECT_LT(r.summary.energy_residual, 1e-6) << law;
    const std::size_t normal = r.column("wall.normal");
    for (const auto& row : r.rows) ASSERT_GE(row[normal], 0) << law;
    const double slowest =
        std::min_element(r.impacts.begin(), r.impacts.end(), [](const Impact& a, const Impact& b) {
          return a.speed_in < b.speed_in;
        })->speed_in;
    fmt::print("{}: {} impacts, the slowest at {:.1e} m/s; force at the end {:.6f} N of {:.6f} N\n", law,
               r.impacts.size(), slowest, r.last("wall.normal"), 0.14 * 9.81);
    EXPECT_NEAR(r.last("wall.normal"), 0.14 * 9.81, 0.02 * 0.14 * 9.81) << law;
    EXPECT_LT(std::abs(r.last("pin.vy")), 1e-4) << law;
  }
}

}  // namespace
}  // namespace tappet::testing::clearance_joints_test
