// A structure lands on a flat face: more than a hundred nodes touch in one step and stick, slide and leave.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/block_on_floor.hpp"
#include "support/resume.hpp"
#include "support/run_model.hpp"

namespace tappet::testing::structure_face_test {
namespace {

constexpr double mass = 1000 * 0.05 * 0.05 * 0.02;

/// A block of 121 nodes a face; `velocity` as it lands, on the face or with an edge first.
std::string block(const std::string& solver, const std::string& velocity, double degrees = 0) {
  return block_on_floor(
      "size: [50 mm, 50 mm, 20 mm], origin: [0, 0, 0.01 mm], divisions: [10, 10, 3]",
      fmt::format("velocity: {}, orientation: {{axis: [1, 0, 0], angle: {} deg}}", velocity, degrees),
      "friction: {law: coulomb, coefficient: 0.3}",
      fmt::format("duration: 3 ms, step: 0.05 ms, solver: {}", solver));
}

// The solver for many contacts, which `auto` begins with, finds what Gauss–Seidel over all of the matrix and
// Newton find.
TEST(StructureFace, SolversAgreeOnEveryStep) {
  const Recording chosen = run_text(block("auto", "[0.3, 0, -1]"));
  ASSERT_TRUE(chosen.summary.completed) << chosen.summary.stop_reason;
  EXPECT_GT(chosen.largest("rub.touching"), 100);
  EXPECT_TRUE(chosen.summary.warnings.empty());
  EXPECT_THAT(chosen.summary.notes,
              ::testing::Contains(::testing::AllOf(::testing::HasSubstr("of at most 121 nodes"),
                                                   ::testing::HasSubstr("nsgs-split converged"))));
  for (const std::string solver : {"nsgs-split", "nsgs", "newton"}) {
    const Recording other = run_text(block(solver, "[0.3, 0, -1]"));
    ASSERT_EQ(other.rows.size(), chosen.rows.size());
    for (const std::string signal : {"rub.normal", "rub.fx", "rub.fy", "block.vz", "block.vx"}) {
      double worst = 0;
      for (std::size_t i = 0; i < chosen.rows.size(); ++i)
        worst = std::max(
            worst, std::abs(chosen.rows[i][chosen.column(signal)] - other.rows[i][other.column(signal)]));
      EXPECT_LT(worst, 1e-9 * chosen.largest(signal) + 1e-9) << solver << " " << signal;
    }
  }
}

// Impulses are the change of momentum, Coulomb's law bounds what friction takes, and the ledger closes.
TEST(StructureFace, MomentumAndEnergy) {
  const Recording r = run_text(block("auto", "[0.3, 0.1, -1]"));
  const double h = 5e-5, t = r.rows.back()[0];
  Vec3 impulse = Vec3::Zero();
  for (const auto& row : r.rows) {
    const Vec3 force(row[r.column("rub.fx")], row[r.column("rub.fy")], row[r.column("rub.fz")]);
    impulse += h * force;
    EXPECT_LE(force.head<2>().norm(), 0.3 * row[r.column("rub.normal")] * (1 + 1e-9) + 1e-12);
  }
  const Vec3 change(r.last("block.vx") - 0.3, r.last("block.vy") - 0.1, r.last("block.vz") + 1);
  EXPECT_LT((mass * (change + Vec3(0, 0, 9.81 * t)) - impulse).norm(), 1e-9 * impulse.norm());
  EXPECT_GT(change.z(), 1);  // it has turned round
  double before = 1e300;
  for (const auto& row : r.rows) {
    const double now = row[r.column("energy.kinetic")] + row[r.column("energy.potential")];
    EXPECT_LE(now, before * (1 + 1e-10));
    before = now;
  }
  EXPECT_LT(r.summary.energy_residual, 1e-12);
}

// Straight down the block stays where it is sideways, and friction pulls as much to one side as to the other.
TEST(StructureFace, Symmetry) {
  const Recording r = run_text(block("auto", "[0, 0, -1]"));
  EXPECT_GT(r.largest("rub.normal"), 100);
  EXPECT_LT(r.largest("rub.fx"), 1e-8 * r.largest("rub.normal"));
  EXPECT_LT(r.largest("block.vx"), 1e-9);
}

// Also where the face comes down bit by bit, so that the resumed run makes at once what came one after the
// other.
TEST(StructureFace, ResumesBitForBit) {
  for (const double degrees : {0.0, 1.0})
    expect_resumes(*model_of_text(block("auto", "[0.3, 0, -1]", degrees)));
}

// With an edge first, more nodes touch in every step: the same motion whichever were made together.
TEST(StructureFace, ComesDownBitByBit) {
  const Recording r = run_text(block("auto", "[0, 0, -1]", 1));
  ASSERT_TRUE(r.summary.completed) << r.summary.stop_reason;
  const auto nodes = [&](double t) { return r.value(t, "rub.touching"); };
  EXPECT_LT(nodes(0.1e-3), nodes(0.3e-3));
  EXPECT_LT(nodes(0.3e-3), nodes(0.6e-3));
  EXPECT_GT(r.largest("rub.touching"), 100);
  EXPECT_LT(r.summary.energy_residual, 1e-12);
  const Recording other = run_text(block("nsgs", "[0, 0, -1]", 1));
  EXPECT_NEAR(r.last("block.vz"), other.last("block.vz"), 1e-9);
}

/// A block of 529 nodes a face in steps in which waves cross most of it: every node feels every other one.
std::string coupled_block(const std::string& solver, double restitution, double theta) {
  std::string text =
      block_on_floor("size: [50 mm, 50 mm, 10 mm], origin: [0, 0, 0.01 mm], divisions: [22, 22, 2]",
                     "velocity: [0.3, 0, -0.3]", "friction: {law: coulomb, coefficient: 0.3}",
                     fmt::format("duration: 4 ms, step: 0.8 ms, theta: {}, solver: {}", theta, solver));
  const std::string plastic = "restitution: 0";
  text.replace(text.find(plastic), plastic.size(), fmt::format("restitution: {}", restitution));
  const std::string weight = "-9.81", sample = "step: 0.05 ms";
  text.replace(text.find(weight), weight.size(), "-300");
  return text.replace(text.find(sample), sample.size(), "step: 0.8 ms");
}

// Where sweeps would have to read all of the matrix again and again, Newton's method takes a few products with it; both find
// the same, and the ledger closes.
TEST(StructureFace, ManyCoupledNodes) {
  for (const auto& [restitution, theta] : {std::pair{0.0, 0.5}, {0.5, 0.5}, {0.5, 0.6}}) {
    SCOPED_TRACE(fmt::format("restitution {}, theta {}", restitution, theta));
    const Recording chosen = run_text(coupled_block("auto", restitution, theta)),
                    sweeps = run_text(coupled_block("nsgs-split", restitution, theta));
    ASSERT_TRUE(chosen.summary.completed) << chosen.summary.stop_reason;
    EXPECT_GT(chosen.largest("rub.touching"), 500);
    // θ > ½ loses energy, and says so.
    for (const Recording* r : {&chosen, &sweeps})
      EXPECT_THAT(r->summary.warnings,
                  ::testing::Not(::testing::Contains(::testing::HasSubstr("not solved"))));
    EXPECT_THAT(chosen.summary.notes, ::testing::Contains(::testing::HasSubstr("(newton converged")));
    ASSERT_EQ(chosen.rows.size(), sweeps.rows.size());
    for (const std::string signal : {"rub.normal", "rub.fx", "rub.fy", "block.vz", "block.vx"}) {
      double worst = 0;
      for (std::size_t i = 0; i < chosen.rows.size(); ++i)
        worst = std::max(
            worst, std::abs(chosen.rows[i][chosen.column(signal)] - sweeps.rows[i][sweeps.column(signal)]));
      EXPECT_LT(worst, 1e-9 * chosen.largest(signal) + 1e-9) << signal;
    }
    if (theta == 0.5) {
      EXPECT_LT(chosen.summary.energy_residual, 1e-11);
    }
  }
}

TEST(StructureFace, ManyCoupledNodesResumeBitForBit) {
  expect_resumes(*model_of_text(coupled_block("auto", 0.5, 0.6)));
}

}  // namespace
}  // namespace tappet::testing::structure_face_test
