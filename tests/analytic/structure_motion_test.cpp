// Supports that move: base excitation, an end moved with a given velocity, statics with a displaced support.
#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/elastic_bar.hpp"
#include "support/refusal.hpp"
#include "tappet/fem/body.hpp"
#include "tappet/fem/modes.hpp"
#include "tappet/fem/statics.hpp"
#include "tappet/structures/static_contact.hpp"

namespace tappet::testing::structure_motion_test {
namespace {

using ::testing::HasSubstr;

/// The bar, whose end at x = 0 moves.
std::string bar(double length, int n, const std::string& motion, double h, double duration,
                const std::string& more = "", const std::string& contacts = "") {
  return elastic_bar(
      length, n, "[0, 0, 0]",
      fmt::format(", points: {{end: {{at: [{}, 0, 0]}}, foot: {{at: [0, 0, 0]}}}}, move: {{xmin: {}}}{}",
                  length, motion, more),
      fmt::format("simulation: {{method: moreau, duration: {}, step: {}}}\n{}", duration, h, contacts));
}

// One element: (m/3) ẍ + k x = k b − (m/6) b̈ with m = 1 kg, k = 900 N/m and b = a sin Ωt, from rest:
// x = X (sin Ωt − (Ω/ω) sin ωt),  X = a (k + m Ω²/6)/(k − m Ω²/3),  ω² = 3 k/m.
double base_excitation_error(const std::string& motion, double h, Recording* out = nullptr) {
  const double a = 0.01, W = 20, w = std::sqrt(2700.0), X = a * (900 + W * W / 6) / (900 - W * W / 3);
  const Recording r = run_text(bar(1, 1, motion, h, 1));
  double error = 0;
  for (const auto& row : r.rows) {
    const double t = row[0], exact = X * (std::sin(W * t) - W / w * std::sin(w * t));
    if (std::abs(std::remainder(t, h)) < 1e-9)
      error = std::max(error, std::abs(row[r.column("bar.end.ux")] - exact));
    EXPECT_NEAR(row[r.column("bar.foot.ux")], a * std::sin(W * t), W * W * a * h * h / 4);
  }
  if (out) *out = r;
  return error / X;
}

TEST(StructureMotion, BaseExcitationOfOneMass) {
  Recording r;
  const double coarse = base_excitation_error("{x: 0.01*sin(20*t)}", 2e-3),
               fine = base_excitation_error("{x: 0.01*sin(20*t)}", 1e-3, &r);
  EXPECT_LT(fine, 0.01);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1) << coarse << ", " << fine;
  EXPECT_LT(r.summary.energy_residual, 1e-12);
  EXPECT_GT(r.largest("energy.input"), 0.01);
  EXPECT_EQ(r.summary.degrees_of_freedom, 4);
}

TEST(StructureMotion, ATableIsASpline) {
  const std::string path = ::testing::TempDir() + "structure_motion_base.csv";
  {
    std::ofstream file(path);
    file << "# t in s, x in m\nt, x\n";
    for (int i = 0; i <= 250; ++i) file << fmt::format("{}, {:.12g}\n", 0.005 * i, 0.01 * std::sin(0.1 * i));
  }
  EXPECT_NEAR(base_excitation_error("{table: " + path + "}", 1e-3),
              base_excitation_error("{x: 0.01*sin(20*t)}", 1e-3), 2e-4);
}

TEST(StructureMotion, AnEndMovedWithGivenVelocity) {
  // d'Alembert: the free end rests until L/c = 1/3 s, moves with 2 v until 3 L/c, rests until 5 L/c.
  // Meanwhile the support pushes with ρ c v A: until 2 L/c it puts in ρ c A v² t.
  const double v = 0.5, T = 1.0 / 3;
  const Recording r = run_text(bar(10, 200, "{x: 0.5*t}", T / 200, 4 * T, ", damping: {stiffness: 1e-6}"),
                               {fmt::format("output.step={}", T / 20)});
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  EXPECT_NEAR(r.value(0.8 * T, "bar.end.ux"), 0, 0.002 * v * T);
  EXPECT_NEAR(r.value(2 * T, "bar.end.ux"), 2 * v * T, 0.01 * v * T);
  EXPECT_NEAR(r.value(4 * T, "bar.end.ux"), 4 * v * T, 0.02 * v * T);
  double push = 0;
  for (int i = 4; i <= 36; ++i) push += r.value(i * T / 20, "bar.xmin.fx") / 33;
  EXPECT_NEAR(push, 30 * v, 0.02 * 30 * v);
  EXPECT_NEAR(r.value(T, "energy.input"), 30 * v * v * T, 0.01 * 30 * v * v * T);
  EXPECT_NEAR(r.value(2 * T, "energy.input"), 60 * v * v * T, 0.01 * 60 * v * v * T);
  EXPECT_LT(r.summary.energy_residual, 1e-11);
}

// A face that is told where to go hits a bar at rest: it presses with ρ c v A for 2 L/c, and the bar leaves
// with 2 v.
TEST(StructureMotion, AMovedFaceHitsABar) {
  const Recording r = run_text(R"(
tappet: 1
dimension: spatial
materials: {m: {young: 900, poisson: 0, density: 1}}
bodies:
  ram:
    position: [-2, 0, 0]
    structure: {generate: {block: {size: [2, 1, 1], divisions: [2, 1, 1]}}, material: m, fix: {all: [y, z]}, move: {xmax: {x: t}}}
  bar:
    position: [0.05, 0, 0]
    structure: {generate: {block: {size: [10, 1, 1], divisions: [100, 1, 1]}}, material: m, fix: {all: [y, z]}}
contacts: {hit: {between: [ram.xmax, bar.xmin], normal: {law: newton, restitution: 0}}}
simulation: {method: moreau, duration: 1, step: 1 ms}
)");
  ASSERT_EQ(r.impacts.size(), 1u);
  EXPECT_NEAR(r.impacts[0].start, 0.05, 0.002);
  EXPECT_NEAR(r.impacts[0].impulse, 20, 0.2);
  EXPECT_NEAR(r.last("bar.vx"), 2, 0.02);
  EXPECT_LT(r.summary.energy_residual, 1e-11);
}

TEST(StructureMotion, AMovedFaceCannotPassTheGround) {
  const Recording r = run_text(
      bar(1, 2, "{x: -t}", 1e-3, 0.1, "",
          "ground: {shapes: {wall: {plane: {point: [-0.05, 0, 0], normal: [1, 0, 0]}}}}\n"
          "contacts: {hit: {between: [ground.wall, bar.xmin], normal: {law: newton, restitution: 0}}}\n"));
  EXPECT_FALSE(r.summary.completed);
  EXPECT_THAT(r.summary.stop_reason, HasSubstr("the contacts contradict each other"));
}

TEST(StructureMotion, StaticsAndModesHoldIt) {
  const auto model =
      model_of_text(bar(2, 4, "{x: 0.01 + t}", 1e-3, 1, ", loads: {pull: {on: end, force: [9, 0, 0]}}"));
  const fem::Body& body = *model->structures[0];
  const fem::Structure held = fem::with_motions_held(body);
  const fem::StructureMatrices m = fem::assemble(held);
  const std::vector<double> f = fem::static_forces(body, held, m, Vec3::Zero());
  const std::vector<double> all =
      fem::spread_with_motions(body, held, fem::solve_static(held, m, f).q.data(), 0);
  double mean = 0;  // the pull is on one corner
  for (int n : held.mesh.find_group("xmax")->nodes) mean += all[held.first_unknown[n]] / 4;
  EXPECT_NEAR(mean, 0.01 + 9 * 2.0 / 900, 1e-12);
  // Held at one end: ω = π c/(2 L), a little more with 4 elements.
  EXPECT_NEAR(std::sqrt(fem::lowest_modes(m.K, m.M, 1).omega2[0]), std::acos(-1.0) * 30 / 4, 0.2);
  // By steps, as with contacts.
  const StaticContact steps = solve_static_contact(*model);
  ASSERT_TRUE(steps.converged);
  const std::vector<double> same = fem::spread(body.structure, steps.q[0].data());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_NEAR(same[i], all[i], 1e-8);
}

TEST(StructureMotion, AReductionKeepsTheMotion) {
  // With all its modes it is the same bar; its support begins with a velocity. Modes are found to 1e-8 of
  // themselves.
  const std::string motion = "{x: 0.01*sin(5*t)}";
  const Recording whole = run_text(bar(2, 8, motion, 1e-3, 1)),
                  reduced = run_text(bar(2, 8, motion, 1e-3, 1, ", reduce: {modes: 40}"));
  for (std::size_t i = 0; i < whole.rows.size(); ++i)
    EXPECT_NEAR(reduced.rows[i][reduced.column("bar.end.ux")], whole.rows[i][whole.column("bar.end.ux")],
                1e-7);
  EXPECT_LT(reduced.summary.energy_residual, 1e-11);
}

TEST(StructureMotion, FaultsAreSentences) {
  EXPECT_THAT(refusal(bar(1, 1, "{x: 0.01 + t}", 1e-3, 1)),
              HasSubstr("the motion of 'xmin' begins at 0.01 at t = 0, but the mesh is where it is 0"));
  EXPECT_THAT(refusal(bar(1, 1, "{y: t}", 1e-3, 1)), HasSubstr("moves y of 'xmin', which `fix` holds"));
  EXPECT_THAT(refusal(bar(1, 1, "{rx: t}", 1e-3, 1)),
              HasSubstr("moves rx of 'xmin', whose nodes have no rotations"));
  EXPECT_THAT(refusal(bar(1, 1, "{x: t}, foot: {x: t}", 1e-3, 1)),
              HasSubstr("moves x of a node of 'foot' that 'xmin' moves already"));
  EXPECT_THAT(refusal(bar(1, 1, "{x: t}, xmax: {x: t}", 1e-3, 1)), HasSubstr("is held everywhere"));
  EXPECT_THAT(refusal(bar(1, 1, "{}", 1e-3, 1)), HasSubstr("moves 'xmin' nowhere"));
  EXPECT_THAT(refusal(bar(1, 1, "{table: none.csv}", 1e-3, 1)),
              HasSubstr("the table 'none.csv' does not exist"));
}

TEST(StructureMotion, AShortTableIsNoted) {
  std::ofstream("short_quake.csv") << "t,x\n0.25,0\n0.5,0.001\n";
  const auto notes_of = [](double duration) {
    const auto model = model_of_text(bar(1, 1, "{table: short_quake.csv}", 1e-3, duration));
    return fmt::format("{}", fmt::join(model->notes, "\n"));
  };
  EXPECT_THAT(notes_of(1), HasSubstr("structure 'bar': the table that moves 'xmin' is shorter than the run; "
                                     "it holds until t = 0.25 s at its "
                                     "first, from t = 0.5 s to the end at 1 s at its last row"));
  std::ofstream("short_quake.csv") << "t,x\n0,0\n2,0.001\n";
  EXPECT_THAT(notes_of(1), ::testing::Not(HasSubstr("shorter than the run")));
}

}  // namespace
}  // namespace tappet::testing::structure_motion_test
