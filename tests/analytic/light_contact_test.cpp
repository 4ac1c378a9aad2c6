// `light_contact`: contact nodes without mass are where they are in equilibrium when a step ends.
//
// A bar of 10 m (E 900, ρ 1, A 1: c = 30 m/s) falls from 5 m at g = 10. Exactly [Doyen, Ern & Piperno 2011]: it touches in [1, 5/3] with
// F = 300 + 300 (t − 1), and again in [11/3, 13/3] with F = 500 − 300 (t − 11/3); the impulse is 800/3 each time; at rest and unstrained
// 5 m up at t = 16/3, which is the period.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/resume.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::light_contact_test {
namespace {

/// `across`: elements across, so that several nodes touch; `free`: the bar may move sideways.
struct Bar {
  int elements = 20, across = 1;
  double step = 5e-3, theta = 0.5, duration = 16.0 / 3;
  std::string contact = "normal: {law: newton, restitution: 0}", velocity = "[0, 0, 0]",
              fix = "fix: {all: [x, y]}, ", structure;
};

std::string text(const Bar& b) {
  return fmt::format(
      "tappet: 1\ndimension: spatial\ngravity: [0, 0, -10]\nmaterials: {{m: {{young: 900, poisson: 0, "
      "density: 1}}}}\n"
      "bodies: {{bar: {{position: [0, 0, 5], velocity: {}, structure: {{generate: {{block: {{size: [1, 1, "
      "10], divisions: "
      "[{}, {}, {}]}}}}, material: m, {}points: {{foot: {{at: [0, 0, 0]}}}}, light_contact: [zmin]{}}}}}}}\n"
      "ground: {{shapes: {{floor: {{plane: {{normal: [0, 0, 1]}}}}}}}}\n"
      "contacts: {{hit: {{between: [ground.floor, bar.zmin], {}}}}}\n"
      "simulation: {{method: moreau, duration: {:.17g}, step: {}, theta: {}}}\noutput: {{step: {}}}\n",
      b.velocity, b.across, b.across, b.elements, b.fix, b.structure, b.contact, b.duration, b.step, b.theta,
      b.step);
}

struct Fall {
  double lowest = HUGE_VAL, fastest = 0, least = HUGE_VAL, most = -HUGE_VAL;
  std::vector<double> ends;      ///< of times with load
  std::vector<double> impulses;  ///< in them
};

Fall fall(const Recording& r, double step) {
  Fall out;
  for (const auto& row : r.rows) {
    out.lowest = std::min(out.lowest, row[r.column("bar.foot.z")]);
    out.fastest = std::max(out.fastest, std::abs(row[r.column("bar.foot.vz")]));
    const double energy = row[r.column("energy.kinetic")] + row[r.column("energy.potential")] +
                          row[r.column("energy.friction_loss")];
    out.least = std::min(out.least, energy), out.most = std::max(out.most, energy);
    const double force = row[r.column("hit.normal")];
    // Waves that meet the foot may open it for a step or two: not the end of a contact.
    if (force > 0) {
      if (out.ends.empty() || row[0] - out.ends.back() > 0.3)
        out.ends.push_back(0), out.impulses.push_back(0);
      out.ends.back() = row[0];
      out.impulses.back() += force * step;
    }
  }
  return out;
}

TEST(LightContact, ABarBouncesAsItShould) {
  const Bar bar;
  const Recording r = run_text(text(bar));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  const Fall f = fall(r, bar.step);
  EXPECT_GE(f.lowest, -1e-12);
  EXPECT_LT(f.fastest, 20);
  ASSERT_EQ(f.ends.size(), 2u);
  EXPECT_NEAR(f.ends[0], 5.0 / 3, 3 * bar.step);
  EXPECT_NEAR(f.ends[1], 13.0 / 3, 3 * bar.step);
  for (double impulse : f.impulses) EXPECT_NEAR(impulse, 800.0 / 3, 0.01 * 800 / 3);
}

TEST(LightContact, EnergyIsKeptOverTenPeriods) {
  for (double step : {5e-3, 2.5e-3}) {
    Bar bar;
    bar.duration = 160.0 / 3, bar.step = step;
    const Recording r = run_text(text(bar));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    const Fall f = fall(r, bar.step);
    // Of the 500 J by which it fell.
    EXPECT_LT(f.most - f.least, 1e-9 * 500) << step;
    EXPECT_GE(f.lowest, -1e-12);
    EXPECT_LT(std::abs(r.last("energy.residual")), 1e-9);
  }
}

// Nine nodes in place of four.
TEST(LightContact, SeveralNodes) {
  Bar bar;
  bar.across = 2;
  const Recording r = run_text(text(bar));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  const Fall f = fall(r, bar.step);
  EXPECT_GE(f.lowest, -1e-12);
  ASSERT_EQ(f.ends.size(), 2u);
  EXPECT_NEAR(f.ends[0], 5.0 / 3, 3 * bar.step);
  for (double impulse : f.impulses) EXPECT_NEAR(impulse, 800.0 / 3, 0.01 * 800 / 3);
  EXPECT_LT(f.most - f.least, 1e-9 * 500);
}

// θ > ½: nothing penetrates or rings, and energy falls.
TEST(LightContact, WithDissipation) {
  Bar bar;
  bar.theta = 0.6;
  const Recording r = run_text(text(bar));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  const Fall f = fall(r, bar.step);
  EXPECT_GE(f.lowest, -1e-12);
  EXPECT_LT(f.fastest, 20);
  ASSERT_EQ(f.ends.size(), 2u);
  EXPECT_NEAR(f.ends[0], 5.0 / 3, 5 * bar.step);
  EXPECT_NEAR(f.impulses[0], 800.0 / 3, 0.01 * 800 / 3);
  EXPECT_LE(f.most,
            r.rows.front()[r.column("energy.kinetic")] + r.rows.front()[r.column("energy.potential")] + 1e-9);
}

// A block that slides: friction μ m g brakes it, whatever its feet weigh. It stops after v²/(2μg) and stays.
TEST(LightContact, FrictionBrakesABlock) {
  const auto slide = [](double step) {
    return fmt::format(
        "tappet: 1\ndimension: spatial\ngravity: [0, 0, -10]\nmaterials: {{m: {{young: 1 MPa, poisson: 0.3, "
        "density: "
        "1000}}}}\n"
        "bodies: {{block: {{velocity: [1, 0, 0], structure: {{generate: {{block: "
        "{{size: [0.4, 0.4, 0.1], "
        "divisions: [4, 4, 2]}}}}, material: m, damping: {{stiffness: 1 ms}}, light_contact: [zmin]}}}}}}\n"
        "ground: {{shapes: {{floor: {{plane: {{normal: [0, 0, 1]}}}}}}}}\n"
        "contacts: {{rub: {{between: [ground.floor, block.zmin], normal: {{law: newton, restitution: 0}}, "
        "friction: "
        "{{coefficient: 0.3}}}}}}\n"
        "simulation: {{method: moreau, duration: 0.6, step: {}}}\noutput: {{step: 10 ms}}\n",
        step);
  };
  const Recording r = run_text(slide(5e-4));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_NEAR(r.last("block.x") - r.rows.front()[r.column("block.x")], 1 / (2 * 0.3 * 10), 1e-3);
  EXPECT_NEAR(r.last("block.vx"), 0, 1e-3);
  EXPECT_LT(std::abs(r.last("energy.residual")), 1e-6);
  // All of its kinetic energy went; the part that friction did not take went by damping.
  const double lost = r.last("energy.friction_loss");
  EXPECT_GT(lost, 0.9 * 0.5 * 16);
  EXPECT_LT(lost, 1.02 * 0.5 * 16);
  expect_resumes(*model_of_text(slide(2e-3)), 37);
}

// Against a rigid body that is free to go: momentum passes over as a whole. Struck in its middle it is what an equal mass does to a bar;
// struck beside it the plate turns, which the ledger follows to the order of the step.
TEST(LightContact, PushesARigidBody) {
  for (bool beside : {false, true}) {
    const Recording r = run_text(fmt::format(
        "tappet: 1\ndimension: spatial\nmaterials: {{m: {{young: 900, poisson: 0, density: 1}}}}\nbodies:\n"
        "  bar: {{velocity: [0, 0, -10], structure: {{generate: {{block: {{size: [1, 1, 10], divisions: [1, "
        "1, 40]}}}}, "
        "material: m, fix: {{all: [x, y]}}, light_contact: [zmin]}}}}\n"
        "  plate: {{mass: 10, inertia: [10, 10, 10], position: {}, velocity: [0, 0, 0], shapes: {{top: "
        "{{box: {{size: [4, 4, "
        "1]}}}}}}}}\n"
        "contacts: {{hit: {{between: [plate.top, bar.zmin], normal: {{law: newton, restitution: 0}}}}}}\n"
        "simulation: {{method: moreau, duration: 3, step: 1 ms}}\noutput: {{step: 10 ms}}\n",
        beside ? "[0, 0, -6]" : "[0.5, 0.5, -6]"));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    EXPECT_NEAR(10 * r.last("bar.vz") + 10 * r.last("plate.vz"), -100, 1e-6);
    EXPECT_LT(r.last("plate.vz"), -5);
    EXPECT_GT(r.last("bar.vz"), r.last("plate.vz"));
    EXPECT_LE(r.last("energy.kinetic") + r.last("energy.potential"), 500 * (1 + 1e-3));
    EXPECT_LT(std::abs(r.last("energy.residual")), beside ? 500e-3 : 500e-9);
  }
}

}  // namespace
}  // namespace tappet::testing::light_contact_test
