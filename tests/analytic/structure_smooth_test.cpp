// Structures under method smooth: their motion as a differential equation, their contacts by force laws.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/resume.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::structure_smooth_test {
namespace {

using ::testing::HasSubstr;

constexpr double pi = std::numbers::pi;

/// A block with its lower face in z = 0, and what it stands or falls on.
struct Block {
  std::string size = "[1, 1, 1]", divisions = "[1, 1, 1]", young = "1e7", density = "1000",
              position = "[0, 0, 0]", velocity = "[0, 0, 0]", structure = "", gravity = "[0, 0, 0]",
              contact = "", rest = "", forces = "", integrator = "auto";
  double duration = 1, output = 1e-3, tolerance = 1e-8;
};

std::string text(const Block& b) {
  return fmt::format(
      "tappet: 1\ndimension: spatial\ngravity: {}\nmaterials: {{m: {{young: {}, poisson: 0, density: {}}}}}\n"
      "bodies:\n  block: {{position: {}, velocity: {}, structure: {{generate: {{block: {{size: {}, "
      "divisions: "
      "{}}}}}, material: m{}}}}}\n{}"
      "ground: {{shapes: {{floor: {{plane: {{normal: [0, 0, 1]}}}}}}}}\n{}{}"
      "simulation: {{method: smooth, integrator: {}, tolerance: {}, duration: {:.17g}}}\noutput: {{step: "
      "{}}}\n",
      b.gravity, b.young, b.density, b.position, b.velocity, b.size, b.divisions, b.structure, b.rest,
      b.contact.empty() ? "" : "contacts: {hit: {between: [ground.floor, block.zmin], " + b.contact + "}}\n",
      b.forces, b.integrator, b.tolerance, b.duration, b.output);
}

// A bar of 10 m (E 900, ρ 1, A 1: c = 30 m/s) falls from 5 m at g = 10. Exactly [Doyen, Ern & Piperno 2011] it touches in [1, 5/3]
// with an impulse of 800/3: it leaves with 10 m/s. A mesh keeps a part of that as waves of its own, which have nowhere to go.
TEST(StructureSmooth, ABarBouncesAsItShould) {
  const double exact = 10 - 10 * (2 - 5.0 / 3);  // at 2 s
  double speed[3];
  for (int i = 0; i < 3; ++i) {
    Block bar{.size = "[1, 1, 10]",
              .divisions = fmt::format("[1, 1, {}]", 20 << i),
              .young = "900",
              .density = "1",
              .position = "[0, 0, 5]",
              .structure = ", fix: {all: [x, y]}",
              .gravity = "[0, 0, -10]",
              .contact = "normal: {law: hooke, stiffness: 2e5}"};
    bar.duration = 2, bar.tolerance = 1e-7;
    const Recording r = run_text(text(bar));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    EXPECT_LT(r.summary.energy_residual, 1e-6);
    ASSERT_FALSE(r.impacts.empty());
    EXPECT_NEAR(r.impacts.front().start, 1, 1e-6);
    EXPECT_NEAR(r.impacts.front().speed_in, 10, 1e-5);
    double last = 0;
    for (const Impact& impact : r.impacts) last = std::max(last, impact.end);
    EXPECT_NEAR(last, 5.0 / 3, 2 * 10.0 / 30 / (20 << i));  // a wave through two elements
    speed[i] = r.last("block.vz");
  }
  // It comes nearer with every mesh, and where the three meshes point to (Aitken) it is nearer still.
  const double first = speed[1] - speed[0], second = speed[2] - speed[1];
  EXPECT_LT(std::abs(speed[1] - exact), 0.75 * std::abs(speed[0] - exact));
  EXPECT_LT(std::abs(speed[2] - exact), 0.75 * std::abs(speed[1] - exact));
  EXPECT_LT(std::abs(speed[2] + second * second / (first - second) - exact), std::abs(speed[2] - exact));
}

// A block that is stiff beside the springs under its four nodes is a mass on a spring of 4 k: δ = v sqrt(m/4k) sin, for half a period.
TEST(StructureSmooth, AStiffBlockIsAMassOnItsSprings) {
  const double k = 1e4, m = 1000, v = 0.1, time = pi * std::sqrt(m / (4 * k));
  for (const char* integrator : {"dopri5", "dop853", "bdf"}) {
    SCOPED_TRACE(integrator);
    Block block{
        .young = "1e9", .velocity = "[0, 0, -0.1]", .contact = "normal: {law: hooke, stiffness: 1e4}"};
    block.integrator = integrator;
    block.duration = 1.2 * time, block.output = time / 100;
    block.tolerance = std::string(integrator) == "bdf" ? 1e-9 : 1e-7;
    const Recording r = run_text(text(block));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    ASSERT_EQ(r.impacts.size(), 4U);
    for (const Impact& impact : r.impacts) {
      EXPECT_NEAR(impact.end - impact.start, time, 1e-3 * time);
      EXPECT_NEAR(impact.max_penetration, v * std::sqrt(m / (4 * k)), 1e-3 * v * std::sqrt(m / (4 * k)));
      EXPECT_NEAR(impact.impulse, 2 * m * v / 4, 1e-3 * m * v / 2);
      EXPECT_NEAR(impact.restitution, 1, 1e-3);
    }
    EXPECT_NEAR(r.last("block.vz"), v, 1e-5);
  }
}

// Each node loses what its law says: restitution of a stiff block is the law's.
TEST(StructureSmooth, LawsWithLossesReboundAsAskedFor) {
  Block block{.young = "1e9", .velocity = "[0, 0, -0.1]"};
  block.contact = "normal: {law: flores, stiffness: 1e5, exponent: 1, restitution: 0.7}";
  block.duration = 0.4;
  const Recording r = run_text(text(block));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  const Recording rigid = run_text(
      "tappet: 1\ndimension: spatial\nbodies: {ball: {mass: 250, position: [0, 0, 1], velocity: [0, 0, "
      "-0.1], "
      "shapes: {skin: {sphere: {radius: 1}}}}}\nground: {shapes: {floor: {plane: {normal: [0, 0, 1]}}}}\n"
      "contacts: {hit: {between: [ground.floor, ball.skin], normal: {law: flores, stiffness: 1e5, exponent: "
      "1, "
      "restitution: 0.7}}}\nsimulation: {tolerance: 1e-9, duration: 0.4}\n");
  ASSERT_EQ(r.impacts.size(), 4U);
  ASSERT_EQ(rigid.impacts.size(), 1U);
  EXPECT_NEAR(r.impacts[0].restitution, rigid.impacts[0].restitution, 1e-3);
  EXPECT_NEAR(r.impacts[0].peak_force, rigid.impacts[0].peak_force, 1e-3 * rigid.impacts[0].peak_force);
  EXPECT_EQ(r.impacts[0].requested, 0.7);
  EXPECT_NEAR(r.last("hit.normal_loss"), 4 * rigid.last("hit.normal_loss"), 1e-2 * r.last("hit.normal_loss"));
  EXPECT_NEAR(r.last("hit.normal_loss"), r.last("energy.normal_loss"), 1e-9);
  EXPECT_LT(r.summary.energy_residual, 1e-6);
}

// A block that slides, standing on its four springs: μ g, and the heat is what was lost.
TEST(StructureSmooth, FrictionSlowsABlockDown) {
  Block block{.size = "[1, 1, 0.2]",
              .young = "1e9",
              .position = "[0, 0, -0.001]",
              .velocity = "[2, 0, 0]",
              .gravity = "[0, 0, -9]",
              .contact =
                  "normal: {law: hooke, stiffness: 4.5e5}, friction: {law: ambrosio, coefficient: 0.2, "
                  "v0: 1e-4, v1: 1e-3}"};
  block.duration = 0.5;
  const Recording r = run_text(text(block));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_NEAR(r.last("block.vx"), 2 - 0.2 * 9 * 0.5, 2e-3);
  EXPECT_NEAR(r.last("hit.normal"), 200 * 9, 2);
  EXPECT_NEAR(r.last("hit.tangential"), 0.2 * 200 * 9, 0.5);
  EXPECT_NEAR(r.last("hit.friction_loss"), r.last("energy.friction_loss"), 1e-9);
  EXPECT_LT(r.summary.energy_residual, 1e-5);
}

// One element of a bar, its foot driven by u_f = a (1 − cos Ω t): m/3 ü + m/6 ü_f + K (u − u_f) = 0 of its consistent mass, which has
// u = U (1 − cos Ω t) + V (1 − cos ω t) with ω² = 3K/m; the support's force is that of both rows.
TEST(StructureSmooth, ASupportDrivesAnElement) {
  const double m = 1000, K = 1e7, a = 0.01, W = 40, w2 = 3 * K / m;
  Block block{.structure =
                  ", fix: {all: [x, y]}, move: {zmin: {z: '0.01*(1-cos(40*t))'}}, points: {tip: {at: [0.5, "
                  "0.5, 1]}}"};
  block.duration = 0.2, block.tolerance = 1e-10;
  const Recording r = run_text(text(block));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  // ü + ω² u = ω² u_f − ü_f/2.   Particular part: c₀ + c₁ cos Ω t.
  const double c0 = a, c1 = (-w2 * a - 0.5 * a * W * W) / (w2 - W * W);
  for (double t : {0.05, 0.1, 0.2}) {
    const double w = std::sqrt(w2);
    // u(0) = u̇(0) = 0.
    const double u = c0 + c1 * std::cos(W * t) - (c0 + c1) * std::cos(w * t);
    const double acceleration = -c1 * W * W * std::cos(W * t) + (c0 + c1) * w2 * std::cos(w * t);
    const double uf = a * (1 - std::cos(W * t)), af = a * W * W * std::cos(W * t);
    EXPECT_NEAR(r.value(t, "block.tip.uz"), u, 1e-8) << t;
    EXPECT_NEAR(r.value(t, "block.tip.az"), acceleration, 1e-5 * w2 * a) << t;
    EXPECT_NEAR(r.value(t, "block.zmin.fz"), m / 3 * af + m / 6 * acceleration + K * (uf - u), 1) << t;
  }
  EXPECT_LT(r.summary.energy_residual, 1e-7);
}

const char* ball_and_plate =
    "  ball: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.1, 0.05, 0.4], velocity: [0.3, 0, -1], shapes: "
    "{skin: "
    "{sphere: {radius: 0.2}}}}\n";

// A ball falls on a free plate: momentum of both together is kept. The normal there is the mean of those of the faces around, so that
// the gap's rate is not quite that along it: energy is kept to the angle between them, squared.
TEST(StructureSmooth, ABallOnAPlateKeepsMomentum) {
  Block plate{.size = "[1, 1, 0.1]",
              .divisions = "[6, 6, 1]",
              .young = "1e6",
              .density = "100",
              .rest = ball_and_plate};
  std::string model = text(plate);
  const std::string floor = "ground:";
  model.insert(model.find(floor),
               "contacts: {hit: {between: [block.zmax, ball.skin], normal: {law: hertz, stiffness: 1e6}}}\n");
  for (const std::string integrator : {"dop853", "bdf"}) {
    SCOPED_TRACE(integrator);
    const Recording r = run_text(model, {"simulation.duration=0.25", "simulation.integrator=" + integrator});
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    ASSERT_FALSE(r.impacts.empty());
    for (const auto& row : r.rows) {
      EXPECT_NEAR(2 * row[r.column("ball.vz")] + 10 * row[r.column("block.vz")], -2, 1e-6);
      EXPECT_NEAR(2 * row[r.column("ball.vx")] + 10 * row[r.column("block.vx")], 0.6, 1e-6);
    }
    EXPECT_GT(r.last("ball.vz"), -1);
    EXPECT_LT(r.summary.energy_residual, 5e-3);
  }
}

// A mass on a spring-damper between a body and a point of a structure that is fixed everywhere else: a free vibration of the body.
TEST(StructureSmooth, ASpringHangsABodyOnAStructure) {
  Block block{.divisions = "[2, 2, 1]",
              .young = "1e9",
              .structure = ", fix: {zmin: [x, y, z]}, points: {top: {at: [0.5, 0.5, 1]}}"};
  block.rest = "  weight: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0.5, 2], velocity: [0, 0, 0.1]}\n";
  block.forces =
      "forces: {hang: {type: spring-damper, bodies: [block.top, weight], points: [[0, 0, 0], [0, 0, 0]], "
      "stiffness: 400}}\n";
  block.duration = 0.5, block.tolerance = 1e-10;
  const Recording r = run_text(text(block));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  for (double t : {0.1, 0.25, 0.5})
    EXPECT_NEAR(r.value(t, "weight.z") - 2, 0.1 / 20 * std::sin(20 * t), 1e-6) << t;
  EXPECT_LT(r.summary.energy_residual, 1e-6);
}

// A structure that touches nothing goes on beside rigid impacts. One element of a bar that begins to hang in its weight:
// m/3 ü + K u = −m g/2; a ball that bounces with ε = 0.5.
TEST(StructureSmooth, TouchesNothingBesideRigidImpacts) {
  const double m = 1000, K = 1e7, g = 10, w = std::sqrt(3 * K / m), fall = std::sqrt(2 * 0.5 / g);
  Block block{
      .position = "[3, 0, 0]",
      .structure = ", fix: {all: [x, y], zmin: [z]}, points: {tip: {at: [0, 0, 1]}}",
      .gravity = "[0, 0, -10]",
      .rest =
          "  ball: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 1], shapes: {skin: {sphere: {radius: "
          "0.5}}}}\n"};
  block.duration = 0.5, block.tolerance = 1e-10;
  std::string model = text(block);
  model.insert(model.find("simulation:"),
               "contacts: {hit: {between: [ground.floor, ball.skin], normal: {restitution: 0.5}}}\n");
  const Recording r = run_text(model, {"simulation.method=event-driven"});
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  ASSERT_FALSE(r.impacts.empty());
  EXPECT_NEAR(r.impacts[0].start, fall, 1e-9);
  for (double t : {0.1, 0.4, 0.5}) {
    EXPECT_NEAR(r.value(t, "block.tip.uz"), -m * g / (2 * K) * (1 - std::cos(w * t)), 1e-9) << t;
    const double since = t - fall, v = 0.5 * g * fall;
    EXPECT_NEAR(r.value(t, "ball.z"), since < 0 ? 1 - g * t * t / 2 : 0.5 + v * since - g * since * since / 2,
                1e-9)
        << t;
  }
  // Samples inside steps err by e of the displacement u, and in energy by K u e: 1e7 · 1e-3 · 1e-9 of 10 J, and as much of the rate.
  EXPECT_LT(r.summary.energy_residual, 1e-5);
}

// Smooth with stiff springs and moreau agree on what two elastic blocks do.
TEST(StructureSmooth, TwoBlocksMeetAsTheyDoByMoreau) {
  const auto model = [](const char* method, const char* normal) {
    return fmt::format(
        "tappet: 1\ndimension: spatial\nmaterials: {{m: {{young: 1e6, poisson: 0, density: 100}}}}\n"
        "bodies:\n"
        "  left: {{structure: {{generate: {{block: {{size: [1, 1, 1], divisions: [1, 1, 8]}}}}, material: m, "
        "fix: "
        "{{all: [x, y]}}}}, velocity: [0, 0, 1]}}\n"
        "  right: {{position: [0.1, 0.1, 1.01], structure: {{generate: {{block: {{size: [0.8, 0.8, 2], "
        "divisions: [1, "
        "1, 16]}}}}, material: m, fix: {{all: [x, y]}}}}}}\n"
        "contacts: {{hit: {{between: [left.zmax, right.zmin], {}}}}}\n"
        "simulation: {{{}, duration: 0.08}}\noutput: {{step: 1e-4}}\n",
        normal, method);
  };
  const Recording soft =
      run_text(model("method: smooth, tolerance: 1e-7", "normal: {law: hooke, stiffness: 1e9}"));
  const Recording hard = run_text(model("method: moreau, step: 2e-5", "normal: {restitution: 0}"));
  ASSERT_TRUE(soft.summary.completed) << soft.summary.stop_reason;
  ASSERT_TRUE(hard.summary.completed) << hard.summary.stop_reason;
  // Momentum of 100 kg m/s; of the waves' end, what the mesh leaves.
  EXPECT_NEAR(100 * soft.last("left.vz") + 128 * soft.last("right.vz"), 100, 1e-4);
  EXPECT_NEAR(soft.last("left.vz"), hard.last("left.vz"), 0.02);
  EXPECT_NEAR(soft.last("right.vz"), hard.last("right.vz"), 0.02);
  EXPECT_LT(soft.summary.energy_residual, 1e-5);
}

TEST(StructureSmooth, RunsResume) {
  Block plate{.size = "[1, 1, 0.1]",
              .divisions = "[4, 4, 1]",
              .young = "1e6",
              .density = "100",
              .position = "[0, 0, 0.01]",
              .gravity = "[0, 0, -9.81]",
              .contact = "normal: {law: hunt-crossley, stiffness: 1e6, restitution: 0.5}"};
  plate.rest = ball_and_plate;
  plate.duration = 0.2, plate.tolerance = 1e-6;
  std::string model = text(plate);
  const std::string at = "contacts: {";
  model.insert(model.find(at) + at.size(),
               "drop: {between: [block.zmax, ball.skin], normal: {law: hertz, stiffness: 1e6}}, ");
  for (const std::string integrator : {"dopri5", "dop853", "bdf", "adams"}) {
    SCOPED_TRACE(integrator);
    expect_resumes(*model_of_text(model, {"simulation.integrator=" + integrator}), 4);
  }
}

TEST(StructureSmooth, RefusesWhatItCannotDo) {
  const auto refusal = [](const Block& block, const std::vector<std::string>& settings = {}) {
    try {
      model_of_text(text(block), settings);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  Block block{.contact = "normal: {law: hooke, stiffness: 1e6}, friction: {law: coulomb, coefficient: 0.3}"};
  EXPECT_THAT(refusal(block),
              HasSubstr("needs a friction law of the sliding velocity alone, which 'coulomb' is not"));
  block.contact = "normal: {law: hertz}";
  EXPECT_THAT(refusal(block), HasSubstr("stiffness"));
  block.contact = "normal: {law: hooke, stiffness: 1e6}";
  EXPECT_EQ(refusal(block), "accepted");
  block.structure = ", light_contact: [zmin]";
  EXPECT_THAT(refusal(block), HasSubstr("`light_contact`, which method smooth does not do"));
  block.structure = ", attach: {zmax: {body: cap}}";
  block.rest = "  cap: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0.5, 1]}\n";
  EXPECT_THAT(refusal(block), HasSubstr("attaches 'zmax' to 'cap', which method smooth does not do"));
  block.structure = block.rest = "";
  EXPECT_THAT(refusal(block, {"simulation.method=event-driven", "contacts.hit.normal={restitution: 0}"}),
              HasSubstr("is one of a structure, which method event-driven does not compute"));
}

}  // namespace
}  // namespace tappet::testing::structure_smooth_test
