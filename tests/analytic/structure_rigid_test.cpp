// Rigid bodies and structures in one model: attached nodes, contact of nodes with shapes of bodies, both side
// by side.
#include <cmath>

#include <Eigen/Dense>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/beam_file.hpp"
#include "support/refusal.hpp"
#include "support/resume.hpp"
#include "tappet/structures/static_contact.hpp"

namespace tappet::testing::structure_rigid_test {
namespace {

using ::testing::HasSubstr;

std::string cantilever(const std::string& head, const std::string& structure, double h, double duration,
                       const std::string& more = "") {
  return fmt::format(R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
materials: {{m: {{young: 2e11, poisson: 0.3, density: 0.01}}}}
bodies:
  beam: {{structure: {{mesh: {}, material: m, section: {{rectangle: [10 mm, 10 mm]}}, fix: {{root: [x, y, z, rx, ry, rz]}},
          points: {{end: {{group: tip}}}}, {}}}}}
  head: {{{}}}
simulation: {{method: moreau, duration: {}, step: {}}}
output: {{step: 10 ms}}
{})",
                     beam_file(8), structure, head, duration, h, more);
}

// A heavy head with its centre 0.1 m beyond the tip of a beam without mass (Timoshenko, two unknowns at the
// tip) is let go: both modes and the static sag are known.
double head_error(double h, Recording* out = nullptr) {
  const double E = 2e11, b = 0.01, I = std::pow(b, 4) / 12, m = 2, J = 0.02, d = 0.1, g = 9.81;
  const double shear = 12 * E * I / (E / 2.6 * b * b * 5 / 6), k = E * I / (1 + shear);
  Eigen::Matrix2d K, M;
  K << 12 * k, -6 * k, -6 * k, (4 + shear) * k;
  M << m, m * d, m * d, J + m * d * d;
  const Eigen::Vector2d sag = K.inverse() * Eigen::Vector2d(-m * g, -m * g * d);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2d> modes(K, M);
  const Eigen::Vector2d part = modes.eigenvectors().transpose() * (M * sag);
  const Recording r = run_text(cantilever("mass: 2, inertia: [0.01, 0.02, 0.02], position: [1.1, 0, 0]",
                                          "attach: {tip: {body: head}}", h, 1));
  double error = 0;
  for (const auto& row : r.rows) {
    Eigen::Vector2d q = sag;
    for (int i = 0; i < 2; ++i)
      q -= part[i] * std::cos(std::sqrt(modes.eigenvalues()[i]) * row[0]) * modes.eigenvectors().col(i);
    error = std::max(error, std::abs(row[r.column("head.z")] - (q[0] + d * q[1])));
  }
  if (out) *out = r;
  return error / std::abs(sag[0] + d * sag[1]);
}

TEST(StructureRigid, AHeavyHeadOnACantilever) {
  Recording r;
  const double coarse = head_error(2e-3), fine = head_error(1e-3, &r);
  EXPECT_LT(fine, 1e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2) << coarse << ", " << fine;
  EXPECT_LT(r.summary.energy_residual, 1e-11);
  EXPECT_LT(r.summary.constraint_violation, 1e-12);
}

// The same head as a node's own mass and inertia, without offset: the structure alone.
TEST(StructureRigid, AHeadAtTheTipIsAPointMass) {
  const Recording rigid = run_text(cantilever("mass: 2, inertia: [0.01, 0.02, 0.02], position: [1, 0, 0]",
                                              "attach: {tip: {body: head}}", 1e-3, 0.5));
  std::string text =
      cantilever("", "masses: {head: {on: tip, mass: 2, inertia: [0.01, 0.02, 0.02]}}", 1e-3, 0.5);
  text.erase(text.find("  head: {}\n"), 11);
  const Recording mass = run_text(text);
  for (std::size_t i = 0; i < rigid.rows.size(); ++i)
    EXPECT_NEAR(rigid.rows[i][rigid.column("beam.end.uz")], mass.rows[i][mass.column("beam.end.uz")], 2e-5);
}

// A pendulum of 0.5 m hangs from the tip. On a stiff beam it swings as from the ground.
TEST(StructureRigid, APendulumHangsFromABeam) {
  const std::string head =
      "mass: 0.2, inertia: [0.001, 0.001, 0.001], position: [1, 0, -0.5], velocity: [0, 1, 0], "
      "angular_velocity: [2, 0, 0]";
  const Recording elastic = run_text(cantilever(head, "attach: {tip: {body: head, turn: free}}", 1e-3, 2));
  EXPECT_TRUE(elastic.summary.completed) << elastic.summary.stop_reason;
  EXPECT_LT(elastic.summary.energy_residual, 1e-5);
  EXPECT_LT(elastic.summary.constraint_violation, 1e-8);
  const Recording stiff = run_text(cantilever(head, "attach: {tip: {body: head, turn: free}}", 1e-3, 2),
                                   {"materials.m.young=2e15"});
  const Recording ground = run_text(fmt::format(R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
bodies: {{head: {{{}}}}}
joints: {{pin: {{type: spherical, bodies: [ground, head], points: [[1, 0, 0], [0, 0, 0.5]]}}}}
simulation: {{method: moreau, duration: 2, step: 1e-3}}
output: {{step: 10 ms}}
)",
                                                head));
  for (std::size_t i = 0; i < stiff.rows.size(); ++i)
    EXPECT_NEAR(stiff.rows[i][stiff.column("head.y")], ground.rows[i][ground.column("head.y")], 5e-6);
}

// Two bodies with a stiff block between them are one body: pushed aside its centre of mass they turn
// together.
TEST(StructureRigid, AStiffBlockJoinsTwoBodies) {
  const Recording r = run_text(R"(
tappet: 1
dimension: spatial
materials: {m: {young: 1e9, poisson: 0, density: 1}}
bodies:
  block: {position: [-0.5, -0.1, -0.1], structure: {generate: {block: {size: [1, 0.2, 0.2], divisions: [4, 1, 1]}}, material: m,
          attach: {xmin: {body: a}, xmax: {body: b}}}}
  a: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [-1, 0, 0]}
  b: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [1, 0, 0]}
forces: {push: {type: force, body: b, point: [0, 0, 0], force: [0, 0, 0.01]}}
simulation: {method: moreau, duration: 0.3, step: 1e-3}
)");
  // One body: 2.04 kg; about y 2 (0.01 + 1) + 0.04 (1 + 0.04)/12.
  const double m = 2.04, J = 2.02 + 0.04 * 1.04 / 12, t = 0.3;
  const double F = 0.01, centre = F * t * t / (2 * m), angle = F * t * t / (2 * J);  // upwards at x > 0
  EXPECT_NEAR(r.last("b.z"), centre + angle, 2e-3 * centre);
  EXPECT_NEAR(r.last("a.z"), centre - angle, 2e-3 * centre);
  EXPECT_NEAR(r.last("block.z"), centre, 2e-3 * centre);
  EXPECT_NEAR(r.last("a.vz") + r.last("b.vz") + 0.04 * r.last("block.vz"), F * t, 1e-11);
}

// A rigid face hits a bar: until the wave is back after 2 L/c the body slows down as exp(−ρ c A t/m).
TEST(StructureRigid, ARigidFaceHitsABar) {
  const Recording r = run_text(R"(
tappet: 1
dimension: spatial
materials: {m: {young: 900, poisson: 0, density: 1}}
bodies:
  bar: {structure: {generate: {block: {size: [10, 1, 1], divisions: [200, 1, 1]}}, material: m, fix: {all: [y, z]}}}
  ram: {mass: 5, inertia: [1, 1, 1], position: [-2.02, 0.5, 0.5], velocity: [2, 0, 0], shapes: {face: {box: {size: [4, 4, 4]}}}}
contacts: {hit: {between: [ram.face, bar.xmin], normal: {law: newton, restitution: 0}}}
simulation: {method: moreau, duration: 1, step: 0.5 ms}
output: {step: 10 ms}
)");
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_NEAR(r.impacts[0].start, 0.01, 0.001);
  for (double t : {0.1, 0.3, 0.6})
    EXPECT_NEAR(r.value(t, "ram.vx"), 2 * std::exp(-30 * (t - 0.01) / 5), 0.02) << t;
  double before = 1e300;
  for (const auto& row : r.rows) {
    EXPECT_NEAR(5 * row[r.column("ram.vx")] + 10 * row[r.column("bar.vx")], 10, 1e-10);
    const double now = row[r.column("energy.kinetic")] + row[r.column("energy.potential")];
    EXPECT_LE(now, before * (1 + 1e-12));
    before = now;
  }
  EXPECT_GT(before, 0.99 * 10);
  EXPECT_LT(r.summary.energy_residual, 1e-12);
}

// The same ram on a slide that ends 0.2 s after the hit, at (v m/ρcA) (1 − exp(−ρcA t/m)): it goes back with half of its speed, and the bar
// without it.
TEST(StructureRigid, ARamStopsAtItsLimitWhileItPushesABar) {
  const double speed = 2 * std::exp(-6 * 0.2), way = 0.02 + (2 - speed) / 6;
  const Recording r = run_text(fmt::format(R"(
tappet: 1
dimension: spatial
materials: {{m: {{young: 900, poisson: 0, density: 1}}}}
bodies:
  bar: {{structure: {{generate: {{block: {{size: [10, 1, 1], divisions: [200, 1, 1]}}}}, material: m, fix: {{all: [y, z]}}}}}}
  ram: {{mass: 5, inertia: [1, 1, 1], position: [-2.02, 0.5, 0.5], velocity: [2, 0, 0], shapes: {{face: {{box: {{size: [4, 4, 4]}}}}}}}}
joints:
  slide: {{type: translational, bodies: [ground, ram], points: [[-2.02, 0.5, 0.5], [0, 0, 0]], axis: [1, 0, 0], limits: {{to: {}, normal: {{restitution: 0.5}}}}}}
contacts: {{hit: {{between: [ram.face, bar.xmin], normal: {{law: newton, restitution: 0}}}}}}
simulation: {{method: moreau, duration: 0.3, step: 0.5 ms}}
output: {{step: 10 ms}}
)",
                                           way));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_NEAR(r.value(0.2, "ram.vx"), 2 * std::exp(-6 * 0.19), 0.02);
  EXPECT_NEAR(r.value(0.25, "ram.vx"), -0.5 * speed, 0.02);
  EXPECT_NEAR(r.last("ram.vx"), r.value(0.25, "ram.vx"), 1e-9);
  EXPECT_LT(r.last("slide.to.gap"), 0.05);
  EXPECT_GT(r.last("slide.to.normal_loss"), 0);
  EXPECT_LT(r.summary.energy_residual, 1e-9);
}

std::string ball_on_plate(const std::string& ball, const std::string& more, const std::string& between) {
  return fmt::format(R"(
tappet: 1
dimension: spatial
{}
materials: {{m: {{young: 2e11, poisson: 0.3, density: 7800}}}}
bodies:
  plate: {{structure: {{generate: {{plate: {{size: [1, 1], divisions: [12, 12], origin: [-0.5, -0.5, 0]}}}}, material: m,
           section: {{thickness: 5 mm}}, points: {{middle: {{at: [0, 0, 0]}}}}{}}}}}
  ball: {{density: 7800 kg/m^3, shapes: {{s: {{sphere: {{radius: 50 mm}}}}}}, {}}}
contacts: {{hit: {{between: [{}], normal: {{law: newton, restitution: 0}}, friction: {{law: coulomb, coefficient: 0.3}}}}}}
simulation: {{method: moreau, duration: 0.1, step: 0.1 ms}}
)",
                     more.find("fix") != std::string::npos ? "gravity: [0, 0, -9.81]" : "gravity: [0, 0, 0]",
                     more, ball, between);
}

// A ball hits a plate that floats: linear and angular momentum of both together stay, energy does not grow.
TEST(StructureRigid, ABallHitsAFreePlate) {
  const double ball = 7800 * 4 / 3.0 * std::acos(-1.0) * std::pow(0.05, 3), plate = 39;
  // Nodes against the ball, and the ball against faces.
  for (const char* between : {"ball.s, plate.all", "plate.all, ball.s"}) {
    const Recording r = run_text(ball_on_plate(
        "position: [0.08, 0.03, 0.051], velocity: [0.5, 0, -1], angular_velocity: [0, 30, 0]", "", between));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    EXPECT_GT(r.impacts.size(), 0u);
    double before = 1e300;
    for (const auto& row : r.rows) {
      // To the rounding of K q.
      EXPECT_NEAR(ball * row[r.column("ball.vx")] + plate * row[r.column("plate.vx")], 0.5 * ball, 1e-8);
      EXPECT_NEAR(ball * row[r.column("ball.vz")] + plate * row[r.column("plate.vz")], -ball, 1e-8);
      const double now = row[r.column("energy.kinetic")] + row[r.column("energy.potential")];
      EXPECT_LE(now, before * (1 + 1e-10));
      before = now;
    }
    EXPECT_LT(r.summary.energy_residual, 1e-10);
    EXPECT_GT(r.last("ball.vz"), -0.9);
  }
}

const std::string edges = ", fix: {xmin: [x, y, z], xmax: [x, y, z], ymin: [x, y, z], ymax: [x, y, z]}";

// Between four nodes, where a small ball would fall through them, it bounces on the face; beside the plate it
// falls.
TEST(StructureRigid, ASmallBallBouncesOnFaces) {
  const std::string above = "position: [0.0416, 0.0416, 0.051], velocity: [0, 0, -1]",
                    beside = "position: [0.6, 0, 0.051], velocity: [0, 0, -1]";
  const Recording r = run_text(ball_on_plate(above, edges, "plate.all, ball.s"));
  double up = 0;
  for (const auto& row : r.rows) {
    up = std::max(up, row[r.column("ball.vz")]);
    EXPECT_GT(row[r.column("hit.gap")], -1e-4);
  }
  EXPECT_GT(up, 0.1);
  EXPECT_LT(r.summary.energy_residual, 1e-10);
  const Recording missed = run_text(ball_on_plate(beside, edges, "plate.all, ball.s"));
  EXPECT_NEAR(missed.last("ball.z"), 0.051 - 0.1 - 9.81 * 0.005, 1e-9);
  Diagnostics diagnostics;
  compile(spec_from_text(ball_on_plate(above, edges, "ball.s, plate.all"), "test.yaml"), diagnostics);
  ASSERT_FALSE(diagnostics.all().empty());
  EXPECT_THAT(diagnostics.all()[0].message, HasSubstr("can fall between them; write the structure first"));
}

// At rest on the middle of a plate with simply supported edges: w = 0.01160 P a²/D, and the weight of the
// plate itself.
TEST(StructureRigid, ABallRestsOnAPlate) {
  const double P = 9.81 * 7800 * 4 / 3.0 * std::acos(-1.0) * std::pow(0.05, 3);
  const double D = 2e11 * std::pow(0.005, 3) / (12 * 0.91);
  const double sag = 0.01160 * P / D + 0.004062 * 9.81 * 39 / D;
  // On a node, on faces, and rolling there from beside.
  for (const auto& [at, between] : {std::pair{"[0, 0, 0.05]", "ball.s, plate.all"},
                                    {"[0, 0, 0.05]", "plate.all, ball.s"},
                                    {"[0.004, 0.003, 0.05]", "plate.all, ball.s"}}) {
    const StaticContact rest =
        solve_static_contact(*model_of_text(ball_on_plate(fmt::format("position: {}", at), edges, between)));
    ASSERT_TRUE(rest.converged) << at << between << rest.moved;
    EXPECT_NEAR(rest.normal[0], P, 1e-6 * P);
    EXPECT_NEAR(-rest.bodies[0].z(), sag, 0.03 * sag);
  }
}

// A box smaller than a face touches it with its corners: it bounces between four nodes and comes to rest there, its weight on
// the plate; momentum stays and energy does not grow when the plate floats.
TEST(StructureRigid, CornersOfABoxTouchFaces) {
  const auto box = [](const std::string& body, const std::string& more, const std::string& between) {
    std::string text = ball_on_plate(body, more, between);
    const std::string sphere = "sphere: {radius: 50 mm}";
    return text.replace(text.find(sphere), sphere.size(), "box: {size: [40 mm, 40 mm, 20 mm]}");
  };
  const double mass = 7800 * 0.04 * 0.04 * 0.02, plate = 39;
  const Recording r =
      run_text(box("position: [0.0416, 0.0416, 0.0101], velocity: [0.2, 0, -1]", "", "plate.all, ball.s"));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  double before = 1e300;
  for (const auto& row : r.rows) {
    EXPECT_NEAR(mass * row[r.column("ball.vx")] + plate * row[r.column("plate.vx")], 0.2 * mass, 1e-8);
    EXPECT_NEAR(mass * row[r.column("ball.vz")] + plate * row[r.column("plate.vz")], -mass, 1e-8);
    const double now = row[r.column("energy.kinetic")] + row[r.column("energy.potential")];
    EXPECT_LE(now, before * (1 + 1e-10));
    before = now;
  }
  EXPECT_EQ(r.largest("hit.touching"), 4);
  EXPECT_GT(r.last("ball.vz"), 0);
  EXPECT_LT(r.last("ball.vx"), 0.19);  // friction
  EXPECT_LT(r.summary.energy_residual, 1e-10);
  const StaticContact rest = solve_static_contact(
      *model_of_text(box("position: [0.0416, 0.0416, 0.01]", edges, "plate.all, ball.s")));
  ASSERT_TRUE(rest.converged) << rest.moved;
  Vec3 carried = Vec3::Zero();  // normals lean with the plate, and friction pulls along it
  for (const NodeImpulse& p : rest.nodes[0]) carried += p.impulse;
  EXPECT_LT((carried - Vec3(0, 0, 9.81 * mass)).norm(), 1e-6 * 9.81 * mass) << carried.transpose();
  // With the box first only nodes touch, and none is below it.
  const Recording through =
      run_text(box("position: [0.0416, 0.0416, 0.0101], velocity: [0, 0, -1]", edges, "ball.s, plate.all"));
  EXPECT_NEAR(through.last("ball.z"), 0.0101 - 0.1 - 9.81 * 0.005, 1e-9);
}

// Side by side, without a link: as each alone.
TEST(StructureRigid, SideBySideEachIsAsAlone) {
  const std::string
      head = R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
materials: {m: {young: 1e7, poisson: 0.3, density: 1000}}
ground: {shapes: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}}
simulation: {method: moreau, duration: 0.3, step: 0.5 ms}
bodies:
)",
      soft =
          "  cube: {position: [2, 0, 0.05], structure: {generate: {block: {size: [0.2, 0.2, 0.2], divisions: "
          "[2, 2, 2]}}, "
          "material: m}}\n",
      hard =
          "  arm: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 1], angular_velocity: [0, 1, 0]}\n"
          "  ball: {density: 1000, position: [1, 0, 0.2], velocity: [1, 0, 0], shapes: {s: {sphere: {radius: "
          "0.1}}}}\n",
      joints =
          "joints: {pin: {type: revolute, bodies: [ground, arm], points: [[0, 0, 1.5], [0, 0, 0.5]], axis: "
          "[0, 1, 0]}}\n",
      soft_hit =
          "  a: {between: [ground.floor, cube.zmin], normal: {law: newton, restitution: 0}, friction: {law: "
          "coulomb, "
          "coefficient: 0.3}}\n",
      hard_hit =
          "  b: {between: [ground.floor, ball.s], normal: {law: newton, restitution: 0.5}, friction: {law: "
          "coulomb, "
          "coefficient: 0.3}}\n";
  const Recording both = run_text(head + soft + hard + joints + "contacts:\n" + soft_hit + hard_hit),
                  one = run_text(head + soft + "contacts:\n" + soft_hit),
                  other = run_text(head + hard + joints + "contacts:\n" + hard_hit);
  for (const auto& [alone, names] :
       {std::pair<const Recording&, std::vector<std::string>>{one, {"cube.x", "cube.z", "a.normal"}},
        {other, {"ball.x", "ball.z", "arm.x", "pin.fz", "b.normal"}}})
    for (const std::string& name : names)
      for (std::size_t i = 0; i < both.rows.size(); ++i) {
        // Times are rounded in different ways.
        const double one_value = alone.rows[i][alone.column(name)];
        EXPECT_NEAR(both.rows[i][both.column(name)], one_value, 1e-10 * std::max(1.0, std::abs(one_value)))
            << name;
      }
  EXPECT_EQ(both.impacts.size(), one.impacts.size() + other.impacts.size());
}

// A point mass of a structure, 2 kg, and a rigid body of 3 kg with a spring-damper between them, along a slanted line:
//   x(t) = v₀/ω_d e^(−ζωt) sin ω_d t,   ω² = k/μ,  2ζω = c/μ,  μ = 1.2 kg
std::string two_masses(const std::string& spring, double h, const std::string& more = "") {
  return fmt::format(R"(
tappet: 1
dimension: spatial
materials: {{m: {{young: 2e11, poisson: 0.3, density: 7800}}}}
bodies:
  rig:
    structure:
      generate: {{space-frame: {{size: [1, 1, 1], cells: [1, 1, 1]}}}}
      section: {{rectangle: [10 mm, 10 mm]}}
      material: m
      fix: {{all: [x, y, z, rx, ry, rz]}}
      points: {{mass: {{new: [0, 0, 2]}}}}
      masses: {{two: {{on: mass, mass: 2 kg}}}}
  block: {{mass: 3 kg, inertia: [0.03, 0.03, 0.03], position: [0.6, 0, 2.8], velocity: [0.6, 0, 0.8]{}}}
forces: {{s: {{type: spring-damper, bodies: [rig.mass, block], {}}}}}
simulation: {{method: moreau, duration: 0.5, step: {}}}
output: {{step: 0.1}}
)",
                     more, spring, h);
}

/// Elongation at the end, the mass' centre being 1 m from the body's at first.
double elongation(const Recording& r) {
  const Vec3 a(r.last("rig.mass.x"), r.last("rig.mass.y"), r.last("rig.mass.z")),
      b(r.last("block.x"), r.last("block.y"), r.last("block.z"));
  return (b - a).norm() - 1;
}

TEST(StructureRigid, SpringsBetweenAPointMassAndABody) {
  const double k = 300, mu = 1.2, w = std::sqrt(k / mu);
  for (double c : {0.0, 6.0}) {
    const double decay = c / (2 * mu), wd = std::sqrt(w * w - decay * decay),
                 exact = std::exp(-decay * 0.5) * std::sin(wd * 0.5) / wd;
    double before = 0;
    for (double h : {4e-3, 2e-3, 1e-3}) {
      const Recording r = run_text(
          two_masses(fmt::format("points: [[0, 0, 0], [0, 0, 0]], stiffness: {}, damping: {}", k, c), h));
      ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
      const double error = std::abs(elongation(r) - exact);
      if (before > 0) {
        EXPECT_NEAR(std::log2(before / error), 2, 0.1) << h;
      }
      before = error;
      // On a straight line nothing is lost but what the damper takes; momentum stays.
      EXPECT_LT(r.summary.energy_residual, 1e-12);
      EXPECT_NEAR(2 * r.last("rig.mass.vx") + 3 * r.last("block.vx"), 1.8, 1e-12);
      EXPECT_NEAR(r.last("energy.kinetic") + r.last("energy.potential") + r.last("energy.damping_loss"), 1.5,
                  1e-12);
      if (c == 0) {
        EXPECT_EQ(r.last("energy.damping_loss"), 0);
      }
    }
    EXPECT_LT(before, 2e-4 / w);
  }
}

// F = k x + b x³: ½ μ v₀² = ½ k a² + ¼ b a⁴ when it is longest, here 0.05 m.
TEST(StructureRigid, NonlinearSpringsBetweenAPointMassAndABody) {
  const double a = 0.05, k = 300, b = (0.5 * 1.2 - 0.5 * k * a * a) / (0.25 * std::pow(a, 4));
  for (double h : {2e-3, 1e-3}) {
    const Recording r = run_text(
        two_masses(fmt::format("points: [[0, 0, 0], [0, 0, 0]], force: {} * x + {} * x^3", k, b), h) + "\n",
        {"output.step=1 ms"});
    double longest = 0;
    for (const auto& row : r.rows) {
      const auto at = [&](const char* name) { return row[r.column(name)]; };
      longest = std::max(longest,
                         std::hypot(at("block.x") - at("rig.mass.x"), at("block.z") - at("rig.mass.z")) - 1);
    }
    EXPECT_NEAR(longest / a, 1, 40 * h * h / (0.1 * 0.1)) << h;
    EXPECT_LT(r.summary.energy_residual, 1e-12);
    EXPECT_NEAR(r.last("energy.kinetic") - r.last("energy.input"), 1.5, 1e-12);
  }
}

// Off the body's centre, where both turn about each other: the ledger closes to second order, momentum to rounding. (The
// body's inertia is the same about all axes: gyroscopic moments are of first order in the rigid bodies' own scheme.)
TEST(StructureRigid, SpringsTurnBodies) {
  double before = 0;
  for (double h : {4e-3, 2e-3, 1e-3}) {
    const Recording r = run_text(two_masses("points: [[0, 0, 0], [0.1, 0.05, 0]], stiffness: 300", h,
                                            ", angular_velocity: [2, 0, 1]"));
    EXPECT_NEAR(3 * r.last("block.vz") + 2 * r.last("rig.mass.vz"), 2.4, 1e-12);
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / r.summary.energy_residual), 2, 0.3) << h;
    }
    before = r.summary.energy_residual;
  }
  EXPECT_LT(before, 1e-4);
}

TEST(StructureRigid, ForcesOnStructuresThatCannotBeAreRefused) {
  const auto refused = [](const std::string& spring) { return refusal(two_masses(spring, 1e-3)); };
  EXPECT_THAT(refused("points: [[0, 0, 1], [0, 0, 0]], stiffness: 1"), HasSubstr("must be [0, 0, 0]"));
  EXPECT_THAT(refused("points: [[0, 0, 0], [0, 0, 0]]"),
              HasSubstr("has none of `stiffness`, `damping` and `force`"));
  std::string bushing = two_masses("points: [[0, 0, 0], [0, 0, 0]], stiffness: 1", 1e-3);
  const std::string all = std::string(bushing).replace(bushing.find("rig.mass, block"), 8, "rig.all");
  EXPECT_THAT(refusal(all), HasSubstr("acts on 'rig.all' of"));
  const std::string none =
      std::string(bushing).replace(bushing.find("rig.mass, block"), 15, "rig.mass, blok");
  EXPECT_THAT(refusal(none), HasSubstr("did you mean 'block'?"));
}

// A head on a cantilever hits a ball that lies on the floor: interrupted while both touch.
TEST(StructureRigid, ResumesBitForBit) {
  std::string text = cantilever(
      "mass: 2, inertia: [0.01, 0.02, 0.02], position: [1, 0, 0], shapes: {s: {sphere: {radius: 90 mm}}}",
      "attach: {tip: {body: head}}", 1e-3, 0.2, R"(
ground: {shapes: {floor: {plane: {point: [0, 0, -0.2], normal: [0, 0, 1]}}}}
contacts:
  a: {between: [ground.floor, ball.s], normal: {law: newton, restitution: 0.3}, friction: {law: coulomb, coefficient: 0.3}}
  b: {between: [ball.s, head.s], normal: {law: newton, restitution: 0.3}, friction: {law: coulomb, coefficient: 0.3}}
)");
  text.insert(text.find("simulation:"),
              "  ball: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [1, 0, -0.15], shapes: {s: {sphere: "
              "{radius: 50 mm}}}}\n");
  expect_resumes(*model_of_text(text));
}

TEST(StructureRigid, FaultsAreSentences) {
  EXPECT_THAT(
      refusal(cantilever("mass: 1, inertia: [1, 1, 1]", "attach: {tip: {body: haed}}", 1e-3, 0.01)),
      HasSubstr("attaches 'tip' to 'haed', which is not a rigid body of this model (did you mean 'head'?)"));
  EXPECT_THAT(refusal(cantilever("mass: 1", "attach: {tip: {body: head}}", 1e-3, 0.01)),
              HasSubstr("attaches 'tip' to 'head', which has no `inertia`"));
  EXPECT_THAT(refusal(cantilever("mass: 1, inertia: [1, 1, 1]",
                                 "attach: {tip: {body: head}, end: {body: head}}", 1e-3, 0.01)),
              HasSubstr("attaches a node of 'end' that 'tip' attaches already"));
  EXPECT_THAT(refusal(cantilever("mass: 1, inertia: [1, 1, 1], velocity: [0, 0, 1]",
                                 "attach: {tip: {body: head}}", 1e-3, 0.01)),
              HasSubstr("give both one `velocity`"));
  EXPECT_THAT(
      refusal(cantilever(
          "mass: 1, inertia: [1, 1, 1], shapes: {s: {sphere: {radius: 0.1}}}", "damping: {mass: 0}", 1e-3,
          0.01,
          "contacts: {c: {between: [head.s, beam.tip], normal: {law: newton, restitution: 0}, lift: t}}")),
      HasSubstr("has `lift`, which is for the ground's surfaces"));
}

}  // namespace
}  // namespace tappet::testing::structure_rigid_test
