// Structures that hit, slide and stick, against closed forms.
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/block_on_floor.hpp"
#include "support/elastic_bar.hpp"
#include "support/refusal.hpp"
#include "support/resume.hpp"

namespace tappet::testing::structure_contact_test {
namespace {

/// Mean of a signal between two times.
double mean(const Recording& r, const std::string& name, double from, double to) {
  double sum = 0;
  int count = 0;
  for (const auto& row : r.rows)
    if (row[0] >= from && row[0] <= to) sum += row[r.column(name)], ++count;
  return sum / count;
}

/// Root of the mean square about the mean, relative to it.
double ripple(const Recording& r, const std::string& name, double from, double to) {
  const double m = mean(r, name, from, to);
  double sum = 0;
  int count = 0;
  for (const auto& row : r.rows)
    if (row[0] >= from && row[0] <= to) sum += std::pow(row[r.column(name)] - m, 2), ++count;
  return std::sqrt(sum / count) / m;
}

TEST(StructureContact, BarOnAWall) {
  const Recording r = run_text(bar_on_wall("", "", 200, 0.5e-3));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  ASSERT_EQ(r.impacts.size(), 1u);
  EXPECT_NEAR(r.impacts[0].start, 0.5, 0.005);
  EXPECT_NEAR(r.impacts[0].end, 7.0 / 6, 0.01 * 7 / 6);
  EXPECT_NEAR(mean(r, "hit.normal", 0.55, 1.1), 300, 6);
  EXPECT_NEAR(r.impacts[0].impulse, 200, 2);  // m v turned round
  EXPECT_NEAR(r.last("bar.vx"), 10, 0.1);
  // Energy is never gained, and what is lost is the node's own at impact: its half element of 200.
  double before = 1e300;
  for (const auto& row : r.rows) {
    const double now = row[r.column("energy.kinetic")] + row[r.column("energy.potential")];
    EXPECT_LE(now, before * (1 + 1e-10));  // rounding of K q, far from where the mesh was
    before = now;
  }
  EXPECT_GT(before / 500, 0.99);
  EXPECT_LT(r.summary.energy_residual, 1e-12);
}

TEST(StructureContact, BarOnAWallConverges) {
  // Time of release and loss of energy under refinement of mesh and step together.
  double error[2], loss[2];
  for (int k = 0; k < 2; ++k) {
    const Recording r = run_text(bar_on_wall("", "", 50 << k, 2e-3 / (1 << k)));
    error[k] = std::abs(r.impacts[0].impulse - 200);
    loss[k] = r.last("energy.normal_loss");
  }
  EXPECT_LT(error[1], 0.8 * error[0]);
  EXPECT_NEAR(loss[1] / loss[0], 0.5, 0.1);
}

TEST(StructureContact, VariantsCalmTheForce) {
  const double plain = ripple(run_text(bar_on_wall()), "hit.normal", 0.6, 1.1),
               theta = ripple(run_text(bar_on_wall("", ", theta: 0.6")), "hit.normal", 0.6, 1.1),
               light = ripple(run_text(bar_on_wall(", mass: lumped, light_contact: [xmin]", ", theta: 0.6")),
                              "hit.normal", 0.6, 1.1);
  EXPECT_LT(theta, 0.5 * plain) << plain;
  EXPECT_LT(light, 0.5 * plain) << plain;
}

// Two equal bars: velocities are exchanged after 2L/c = 3.9496835e-4 s with a force of ρ c v A/2 = 78993.67
// N.
TEST(StructureContact, TwoBarsExchangeTheirVelocities) {
  const Recording r = run_text(R"(
tappet: 1
dimension: spatial
materials: {steel: {young: 2e11, poisson: 0, density: 7800}}
bodies:
  first:
    velocity: [10, 0, 0]
    structure: {generate: {block: {size: [1, 20 mm, 20 mm], divisions: [100, 1, 1]}}, material: steel, fix: {all: [y, z]}}
  second:
    structure: {generate: {block: {size: [1, 20 mm, 20 mm], origin: [1.0005, 0, 0], divisions: [100, 1, 1]}}, material: steel, fix: {all: [y, z]}}
contacts: {hit: {between: [second.xmin, first.xmax], normal: {law: newton, restitution: 0}}}
simulation: {method: moreau, duration: 0.6 ms, step: 1 us}
output: {step: 1 us}
)");
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  ASSERT_EQ(r.impacts.size(), 1u);
  EXPECT_NEAR(r.impacts[0].end - r.impacts[0].start, 3.9496835e-4, 0.01 * 3.95e-4);
  EXPECT_NEAR(mean(r, "hit.normal", 0.1e-3, 0.4e-3), 78993.67, 0.02 * 78993.67);
  EXPECT_NEAR(r.last("second.vx"), 10, 0.1);
  EXPECT_NEAR(r.last("first.vx"), 0, 0.1);
  EXPECT_NEAR(r.last("first.vx") + r.last("second.vx"), 10, 1e-9);  // momentum
}

// A block on an incline of 30° slides with g (sin φ − μ cos φ) whatever its size, and rests exactly when μ >
// tan φ.
std::string incline(double edge, double mu, double duration = 0.5) {
  const double g = 9.81, phi = std::numbers::pi / 6;
  return fmt::format(R"(
tappet: 1
dimension: spatial
gravity: [{}, 0, {}]
materials: {{m: {{young: 1e8, poisson: 0.3, density: 1000}}}}
bodies:
  block:
    structure:
      generate: {{block: {{size: [{}, {}, {}], divisions: [4, 4, 4]}}}}
      material: m
      damping: {{stiffness: {}}}
      points: {{foot: {{at: [0, 0, 0]}}}}
ground: {{shapes: {{floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}}}}}
contacts: {{rub: {{between: [ground.floor, block.zmin], normal: {{law: newton, restitution: 0}}, friction: {{law: coulomb, coefficient: {}}}}}}}
simulation: {{method: moreau, duration: {}, step: 0.5 ms}}
output: {{step: 5 ms}}
)",
                     g * std::sin(phi), -g * std::cos(phi), edge, edge, edge, 2e-3 * edge, mu, duration);
}

TEST(StructureContact, BlockOnAnIncline) {
  const double expected = 9.81 * (std::sin(std::numbers::pi / 6) - 0.3 * std::cos(std::numbers::pi / 6));
  for (double edge : {1.4, 0.14}) {
    const Recording r = run_text(incline(edge, 0.3));
    ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
    EXPECT_TRUE(r.summary.warnings.empty());
    const double a = (r.value(0.5, "block.vx") - r.value(0.25, "block.vx")) / 0.25;
    EXPECT_NEAR(a / expected, 1, 1e-3) << edge;
    EXPECT_LT(r.summary.energy_residual, 1e-9) << edge;
  }
  for (double edge : {1.4, 0.14}) {
    // Its vibration has died away by 1 s.
    const Recording r = run_text(incline(edge, 0.7, 1.2));
    EXPECT_NEAR(r.value(1.2, "block.foot.x"), r.value(1, "block.foot.x"), 1e-13 * edge)
        << "a held block does not creep";
    EXPECT_LT(std::abs(r.value(1.2, "block.vx")), 1e-11) << edge;
  }
}

// An elastic block on an elastic plate of 12 × 3 faces, which is held below. Gravity may lean.
std::string block_on_bed(double mu, double lean, const std::string& velocity, double duration) {
  return fmt::format(R"(
tappet: 1
dimension: spatial
gravity: [{}, 0, {}]
materials: {{soft: {{young: 20 MPa, poisson: 0.3, density: 1000}}, hard: {{young: 100 MPa, poisson: 0.3, density: 1000}}}}
bodies:
  bed:
    structure:
      generate: {{block: {{size: [0.6, 0.15, 0.05], origin: [0, 0, -0.05], divisions: [12, 3, 1]}}}}
      material: soft
      damping: {{stiffness: 1e-3 s}}
      fix: {{zmin: [x, y, z]}}
  block:
    velocity: {}
    structure:
      generate: {{block: {{size: [0.1, 0.07, 0.08], origin: [0.063, 0.041, 0], divisions: [3, 2, 2]}}}}
      material: hard
      damping: {{stiffness: 1e-3 s}}
      points: {{foot: {{at: [0.063, 0.041, 0]}}}}
contacts: {{rub: {{between: [bed.zmax, block.zmin], normal: {{law: newton, restitution: 0}}, friction: {{law: coulomb, coefficient: {}}}}}}}
simulation: {{method: moreau, duration: {}, step: 0.5 ms}}
output: {{step: 1 ms}}
)",
                     9.81 * std::sin(lean), -9.81 * std::cos(lean), velocity, mu, duration);
}

TEST(StructureContact, BlockSlidesOverFaces) {
  const double mu = 0.2, weight = 9.81 * 1000 * 0.1 * 0.07 * 0.08;
  const Recording r = run_text(block_on_bed(mu, 0, "[1, 0, 0]", 0.4));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  // It passes over six faces of 50 mm, and slows down as friction asks, whatever is below its nodes.
  const auto x = r.column("block.x"), v = r.column("block.vx"), f = r.column("rub.fx"),
             n = r.column("rub.normal");
  EXPECT_GT(r.rows.back()[x] - r.rows.front()[x], 0.2);
  double worst = 0, ratio = 0, sum = 0;
  int count = 0;
  for (const auto& row : r.rows) {
    if (row[0] < 0.05) continue;
    worst = std::max(worst, std::abs(row[v] - (1 - mu * 9.81 * row[0])));
    ratio = std::max(ratio, std::abs(row[f] / row[n] + mu));
    sum += row[n], ++count;
  }
  EXPECT_LT(worst, 1e-5);
  EXPECT_NEAR(sum / count, weight, 1e-4 * weight);
  EXPECT_LT(ratio, 1e-5);
  EXPECT_LT(r.summary.energy_residual, 1e-9);
}

TEST(StructureContact, BlockGlidesOverFacesWithoutCatching) {
  const Recording r = run_text(block_on_bed(0, 0, "[1, 0, 0]", 0.35));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  const auto v = r.column("block.vx");
  double worst = 0;
  for (const auto& row : r.rows) worst = std::max(worst, std::abs(row[v] - 1));
  EXPECT_LT(worst, 1e-5);
}

TEST(StructureContact, HeldBlockOnABedDoesNotCreep) {
  const Recording r = run_text(block_on_bed(0.5, 0.35, "[0, 0, 0]", 2));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  for (const char* d : {"x", "y", "z"}) {
    const std::string name = fmt::format("block.foot.{}", d);
    EXPECT_NEAR(r.value(2, name), r.value(1, name), 1e-12) << d;
  }
}

// A mass on a nonlinear spring F = k d + k₃ d³: the period of Duffing's oscillator, by elliptic integral.
TEST(StructureContact, NonlinearSpring) {
  const Recording r = run_text(R"(
tappet: 1
dimension: spatial
materials: {m: {young: 1e9, poisson: 0, density: 1}}
bodies:
  bar:
    velocity: [0, 0, 2]
    structure:
      generate: {block: {size: [0.1, 0.1, 1], divisions: [1, 1, 1]}}
      material: m
      fix: {all: [x, y]}
      points: {foot: {at: [0, 0, 0]}}
      masses: {m: {on: all, mass: 0.99}}
      springs: {s: {between: [ground, foot], axis: [0, 0, 1], force: 10*d + 10*d^3}}
simulation: {method: moreau, duration: 4, step: 1 ms}
output: {step: 1 ms}
)");
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  // Energy ½v² = ½·10·a² + ¼·10·a⁴ gives a; quarter period = ∫ da/v.
  const double a2 = (-5 + std::sqrt(25.0 + 20)) / 5;  // 5 a² + 2.5 a⁴ = 2
  const double a = std::sqrt(a2);
  double quarter = 0;
  const int n = 20000;
  for (int i = 0; i < n; ++i) {  // d = a sin φ
    const double phi = std::numbers::pi / 2 * (i + 0.5) / n, d = a * std::sin(phi);
    quarter += std::numbers::pi / 2 / n / std::sqrt(10 + 5 * (a2 + d * d));
  }
  double highest = 0, when = 0, crossing = 0;
  for (std::size_t i = 1; i < r.rows.size(); ++i) {
    const double z = r.rows[i][r.column("bar.foot.uz")];
    if (z > highest) highest = z, when = r.rows[i][0];
    const double last = r.rows[i - 1][r.column("bar.foot.uz")];
    if (crossing == 0 && last > 0 && z <= 0) crossing = r.rows[i - 1][0] + 1e-3 * last / (last - z);
  }
  EXPECT_NEAR(highest, a, 2e-4);
  EXPECT_NEAR(crossing, 2 * quarter, 1e-3);
  EXPECT_GT(when, 0);
}

TEST(StructureContact, ResumesBitForBit) {
  expect_resumes(*model_of_text(bar_on_wall("", "", 20, 5e-3)));
}

// Each solver does what it is chosen for, or is refused; none is replaced by another.
TEST(StructureContact, TheChosenSolverSolves) {
  const auto block = [](const std::string& simulation, const std::string& friction) {
    return block_on_floor("size: [20 mm, 20 mm, 20 mm], origin: [0, 0, 1 mm], divisions: [2, 2, 2]",
                          "velocity: [0.3, 0, -0.5]", friction,
                          "duration: 20 ms, step: 0.5 ms, " + simulation);
  };
  const std::string rough = "friction: {law: coulomb, coefficient: 0.3}";
  const Recording reference = run_text(block("solver: auto", "")),
                  slides = run_text(block("solver: auto", rough));
  for (const std::string solver : {"nsgs", "pgs", "newton", "apgd", "lemke", "principal-pivoting"}) {
    const Recording smooth = run_text(block("solver: " + solver, ""));
    EXPECT_NEAR(smooth.last("block.vz"), reference.last("block.vz"), 1e-9) << solver;
    const bool cones = solver != "lemke" && solver != "principal-pivoting";
    if (!cones) continue;
    EXPECT_NEAR(run_text(block("solver: " + solver, rough)).last("block.vx"), slides.last("block.vx"), 1e-9)
        << solver;
    EXPECT_THAT(
        refusal(block(fmt::format("solver: {}, facets: 8", solver), rough)),
        ::testing::HasSubstr("does not solve contact problems with friction by `facets`; auto and lemke do"))
        << solver;
  }
  EXPECT_THAT(refusal(block("solver: lemke", rough)),
              ::testing::HasSubstr("friction in space needs `facets` with it"));
  EXPECT_THAT(refusal(block("solver: principal-pivoting", rough)),
              ::testing::HasSubstr("does not solve contact problems with friction"));
  EXPECT_EQ(refusal(block("solver: lemke, facets: 8", rough)), "accepted");
}

}  // namespace
}  // namespace tappet::testing::structure_contact_test
