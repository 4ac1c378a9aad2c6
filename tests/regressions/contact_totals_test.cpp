// One total per contact: the sums over its places, what a scale and a balance would show, and places on request.
#include <cmath>

#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::testing::contact_totals_test {
namespace {

// A box of 3 kg that stands on the floor, pressed off its middle: the weight is carried where it acts.
std::string box(const std::string& simulation, const std::string& output) {
  return "tappet: 1\ndimension: spatial\ngravity: [0, 0, -10]\nbodies:\n  box: {mass: 3, inertia: [0.1, 0.1, "
         "0.1], position: [0.2, "
         "-0.1, 0.0999], shapes: {skin: {box: {size: [0.4, 0.3, 0.2]}}}}\nground: {shapes: {floor: {plane: "
         "{point: [0, 0, 0], normal: [0, "
         "0, 1]}}}}\nforces: {press: {type: expression, body: box, point: [0.1, 0, 0], fz: -6}}\ncontacts:\n "
         " stand:\n    between: "
         "[ground.floor, box.skin]\n    normal: {law: hooke, stiffness: 1e5, damping: 500}\n    restitution: "
         "0\n    friction: {law: coulomb, "
         "coefficient: 0.4}\nsimulation: {duration: 1 s, " +
         simulation + "}\noutput: {step: 10 ms" + output + "}\n";
}

struct Way {
  const char *name, *simulation;
};
const Way ways[] = {{"smooth", "method: smooth"},
                    {"smooth, bdf", "method: smooth, integrator: bdf"},
                    {"moreau", "method: moreau, step: 1 ms"}};

std::string of(const Way& way, const std::string& output = "") {
  std::string text = box(way.simulation, output);
  const std::size_t at = text.find("    restitution: 0\n");
  text.erase(at, 19);
  if (std::string(way.name) == "moreau")
    text.replace(text.find("normal: {law: hooke, stiffness: 1e5, damping: 500}"), 50,
                 "normal: {restitution: 0}");
  return text;
}

TEST(ContactTotals, AreWhatABalanceShows) {
  for (const Way& way : ways) {
    const Recording run = run_text(of(way));
    ASSERT_TRUE(run.summary.completed) << way.name << run.summary.stop_reason;
    EXPECT_NEAR(run.last("stand.normal"), 36, 1e-3) << way.name;
    EXPECT_NEAR(run.last("stand.fz"), 36, 1e-3) << way.name;
    EXPECT_EQ(run.last("stand.touching"), 4) << way.name;
    // Moments about the box's middle: 6 N at 0.1 m.
    EXPECT_NEAR(run.last("stand.x"), run.last("box.x") + 0.6 / 36, 2e-4) << way.name;
    EXPECT_NEAR(run.last("stand.y"), run.last("box.y"), 2e-4) << way.name;
    // Of normal forces about their own centre there is no moment across them.
    EXPECT_NEAR(run.last("stand.mx"), 0, 1e-3) << way.name;
    EXPECT_NEAR(run.last("stand.my"), 0, 1e-3) << way.name;
  }
}

// It stands where it was put, but for its tilt, and friction that holds loses nothing.
TEST(ContactTotals, AHeldBoxLosesNothing) {
  for (const Way& way : ways) {
    const Recording run = run_text(of(way, ", signals: [energy.friction_loss, box.x, box.y]"));
    ASSERT_TRUE(run.summary.completed) << way.name << run.summary.stop_reason;
    // Pitch: 0.6 N m by four springs at ±0.2 m, seen from 0.1 m above the floor; 1e-6 m is the settling's.
    const double tilt = std::string(way.name) == "moreau" ? 0 : 0.6 / (4 * 1e5 * 0.2 * 0.2) * 0.1;
    EXPECT_NEAR(run.last("box.x"), 0.2 + tilt, 1e-6) << way.name;
    EXPECT_NEAR(run.last("box.y"), -0.1, 1e-6) << way.name;
    EXPECT_NEAR(run.last("energy.friction_loss"), 0, 1e-9) << way.name;
  }
}

TEST(ContactTotals, AreTheSumsOverPlacesAtEverySample) {
  for (const Way& way : ways) {
    const Recording run = run_text(of(way, ", places: true"));
    for (const auto& row : run.rows) {
      double normal = 0, force = 0, gap = HUGE_VAL;
      for (const std::string place : {"stand.1.", "stand.2.", "stand.3.", "stand.4."}) {
        normal += row[run.column(place + "normal")];
        force += row[run.column(place + "fx")];
        gap = std::min(gap, row[run.column(place + "gap")]);
      }
      EXPECT_NEAR(row[run.column("stand.normal")], normal, 1e-9) << way.name;
      EXPECT_NEAR(row[run.column("stand.fx")], force, 1e-9) << way.name;
      EXPECT_EQ(row[run.column("stand.gap")], gap) << way.name;
    }
  }
}

TEST(ContactTotals, PlacesAreRecordedOnRequest) {
  const auto names = [](const std::vector<std::string>& settings) {
    const Simulation simulation(*model_of_text(of(ways[0]), settings));
    std::vector<std::string> out;
    for (const Signal& signal : simulation.signals()) out.push_back(signal.name);
    return out;
  };
  const auto has = [](const std::vector<std::string>& all, const std::string& name) {
    return std::find(all.begin(), all.end(), name) != all.end();
  };
  EXPECT_TRUE(has(names({}), "stand.normal"));
  EXPECT_FALSE(has(names({}), "stand.1.normal"));
  EXPECT_TRUE(has(names({"output.places=true"}), "stand.1.normal"));
  EXPECT_EQ(names({"output.signals=[stand.2.normal]"}), std::vector<std::string>{"stand.2.normal"});
}

// A ball that falls into glue (e = 0 by its damper) and stays: its hit is a row without an end.
TEST(ContactTotals, AHitThatHasNotEndedIsARow) {
  const std::string ball =
      "tappet: 1\ngravity: [0, -10]\nbodies: {ball: {mass: 1, inertia: 1, position: [0, 0.3], shapes: {s: "
      "{circle: {radius: "
      "0.1}}}}}\nground: {shapes: {f: {plane: {point: [0, 0], normal: [0, 1]}}}}\ncontacts: {hit: {between: "
      "[ground.f, ball.s], normal: "
      "{law: hooke, stiffness: 1e4, damping: 1000}}}\noutput: {step: 1 ms}\nsimulation: {duration: 0.5}\n";
  const Recording run = run_text(ball);
  ASSERT_EQ(run.impacts.size(), 1u);
  EXPECT_EQ(run.summary.impacts, 1);
  const Impact& hit = run.impacts[0];
  EXPECT_NEAR(hit.start, 0.2, 1e-9);                     // √(2 · 0.2/10)
  EXPECT_NEAR(hit.speed_in, 2, 1e-8);                    // √(2 · 10 · 0.2)
  EXPECT_NEAR(hit.impulse, 1 * 2 + 1 * 10 * 0.3, 1e-3);  // stops the ball, and carries it for 0.3 s
  EXPECT_TRUE(std::isnan(hit.end) && std::isnan(hit.speed_out) && std::isnan(hit.restitution));
  // What touches when the run begins is no hit.
  EXPECT_TRUE(run_text(ball, {"bodies.ball.position=[0, 0.1]"}).impacts.empty());
}

}  // namespace
}  // namespace tappet::testing::contact_totals_test
