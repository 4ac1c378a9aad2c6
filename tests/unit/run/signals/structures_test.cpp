#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace tappet::structures_test {
namespace {

using testing::Recording;
using testing::run_text;

const double side = 0.1, weight = 1000 * side * side * side * 9.81;

/// A block of eight nodes, thrown or laid down.
Recording block(const std::string& velocity, const std::string& origin, const std::string& simulation) {
  return run_text(fmt::format(R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
materials: {{m: {{young: 1 MPa, poisson: 0.4, density: 1000}}}}
bodies:
  block:
    structure:
      generate: {{block: {{size: [0.1, 0.1, 0.1], origin: {}, divisions: [1, 1, 1]}}}}
      material: m
      points: {{top: {{at: [0, 0, 1.1]}}}}
    velocity: {}
ground: {{shapes: {{floor: {{plane: {{normal: [0, 0, 1]}}}}}}}}
contacts: {{rub: {{between: [ground.floor, block.zmin], normal: {{restitution: 0}}, friction: {{coefficient: 0.2}}}}}}
simulation: {{method: moreau, {}}}
output: {{step: 0.05 ms}}
)",
                              origin, velocity, simulation));
}

// Free flight: every point moves as the centre does.
TEST(StructureSignals, OfABlockInFlight) {
  const Recording r = block("[1, 2, 3]", "[0, 0, 1]", "step: 0.05 ms, duration: 1 ms");
  const double t = 1e-3;
  EXPECT_NEAR(r.last("block.x"), 0.05 + t, 1e-9);
  EXPECT_NEAR(r.last("block.vz"), 3 - 9.81 * t, 1e-9);
  EXPECT_NEAR(r.last("block.top.uy"), 2 * t, 1e-9);
  EXPECT_NEAR(r.last("block.top.vy"), 2, 1e-9);
  EXPECT_NEAR(r.last("block.top.az"), -9.81, 1e-6);
  EXPECT_NEAR(r.last("rub.gap"), 1 + 3 * t, 1e-4);
  EXPECT_EQ(r.last("rub.touching"), 0);
  EXPECT_EQ(r.last("rub.normal"), 0);
}

// Slides on its four nodes: on average they carry its weight and brake it by μ times that. It rocks a little on its elasticity.
TEST(StructureSignals, OfABlockThatSlides) {
  const Recording r = block("[1, 0, 0]", "[0, 0, 0]", "step: 0.05 ms, duration: 200 ms");
  EXPECT_EQ(r.largest("rub.touching"), 4);
  double normal = 0, friction = 0, fx = 0, fz = 0;
  for (const auto& row : r.rows) {
    const double n = static_cast<double>(r.rows.size());
    normal += row[r.column("rub.normal")] / n, friction += row[r.column("rub.tangential")] / n;
    fx += row[r.column("rub.fx")] / n, fz += row[r.column("rub.fz")] / n;
    EXPECT_NEAR(row[r.column("rub.tangential")], 0.2 * row[r.column("rub.normal")], 1e-6 * weight);
    EXPECT_NEAR(row[r.column("rub.fz")], row[r.column("rub.normal")], 1e-9 * weight);
  }
  EXPECT_NEAR(normal, weight, 0.01 * weight);
  EXPECT_NEAR(fz, weight, 0.01 * weight);
  EXPECT_NEAR(friction, 0.2 * weight, 0.002 * weight);
  EXPECT_NEAR(fx, -0.2 * weight, 0.002 * weight);
  EXPECT_GT(r.last("rub.friction_loss"), 0);
  EXPECT_NEAR(r.last("rub.friction_loss"), r.last("energy.friction_loss"), 1e-12);
}

}  // namespace
}  // namespace tappet::structures_test
