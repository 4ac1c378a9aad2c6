// Two elastic cubes pressed together in statics: flush edges, any size, any load, either order of names.
//
// Without Poisson's effect a column of two cubes under its weight is in uniaxial stress, whatever the mesh:
//
//   p = ρ g L in the joint,   u_z(z) = −ρ g (2L z − z²/2)/E
//
// so that each node of the joint carries the weight F = ρ g L³ in proportion to the area around it.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"
#include "tappet/structures/static_contact.hpp"

namespace tappet::testing::structure_press_test {
namespace {

struct Column {
  double length = 0.01;  // of the cubes, m
  double young = 2e11, poisson = 0;
  double force = 20;  // weight of each cube, or load on top, N
  int n = 4;
  bool swapped = false;  // faces of the upper one, nodes of the lower one
  std::string lower = "zmin: [z], xmin: [x], ymin: [y]", upper = "xmin: [x], ymin: [y]";  // supports
  bool weight = true;  // else the load, shared by the nodes on top
  double friction = 0;
};

std::string text_of(const Column& c) {
  const auto cube = [&](const char* name, double origin, const std::string& fix, const std::string& load) {
    return fmt::format(
        "  {0}: {{structure: {{generate: {{block: {{size: [{1}, {1}, {1}], origin: [0, 0, {2}], divisions: "
        "[{3}, {3}, "
        "{3}]}}}}, material: m, fix: {{{4}}}{5}}}}}\n",
        name, c.length, origin, c.n, fix, load);
  };
  const double density = 7800, g = c.weight ? c.force / (density * c.length * c.length * c.length) : 0;
  return fmt::format(
      "tappet: 1\ndimension: spatial\ngravity: [0, 0, {}]\n"
      "materials: {{m: {{young: {}, poisson: {}, density: {}}}}}\nbodies:\n{}{}"
      "contacts: {{joint: {{between: {}, normal: {{law: newton, restitution: 0}}{}}}}}\n"
      "simulation: {{method: moreau, duration: 1, step: 1}}\n",
      -g, c.young, c.poisson, density, cube("lower", 0, c.lower, ""),
      cube("upper", c.length, c.upper,
           c.weight ? "" : fmt::format(", loads: {{press: {{on: zmax, force: [0, 0, {}]}}}}", -c.force)),
      c.swapped ? "[upper.zmin, lower.zmax]" : "[lower.zmax, upper.zmin]",
      c.friction > 0 ? fmt::format(", friction: {{law: coulomb, coefficient: {}}}", c.friction) : "");
}

StaticContact press(const Column& c) {
  const StaticContact out = solve_static_contact(*model_of_text(text_of(c)));
  EXPECT_TRUE(out.converged) << "moved " << out.moved << ", imbalance " << out.imbalance << "\n"
                             << text_of(c);
  EXPECT_LT(out.steps, 60);
  return out;
}

/// Displacement of a node of the column, in units of its own scale.
double displacement(const Column& c, const StaticContact& s, int structure, int i, int j, int k, int d) {
  const auto model = model_of_text(text_of(c));
  const int at = model->structures[structure]->structure.free_unknown(i + (c.n + 1) * (j + (c.n + 1) * k), d);
  return at < 0 ? 0 : s.q[structure][at];
}

void expect_uniform(const Column& c) {
  const StaticContact s = press(c);
  EXPECT_NEAR(s.normal[0] / c.force, 1, 1e-9);
  // Every node of the joint, with its part of the area.
  const int n = c.n;
  ASSERT_EQ(s.nodes[0].size(), static_cast<std::size_t>((n + 1) * (n + 1)));
  for (const NodeImpulse& p : s.nodes[0]) {
    const int i = p.number % (n + 1), j = p.number / (n + 1);
    const double share = (i % n == 0 ? 0.5 : 1) * (j % n == 0 ? 0.5 : 1) / (n * n);
    EXPECT_NEAR(p.normal / (c.force * share), 1, 1e-6) << i << " " << j;
  }
  const double unit = c.force / (c.young * c.length);  // F L/(E A)
  EXPECT_NEAR(displacement(c, s, 0, n, 0, n, 2) / unit, -1.5, 1e-7);
  EXPECT_NEAR(displacement(c, s, 1, 0, n, 0, 2) / unit, -1.5, 1e-7);
  EXPECT_NEAR(displacement(c, s, 1, 1, 1, n, 2) / unit, -2, 1e-7);
}

TEST(StructurePress, UniformPressureAtEverySizeAndLoad) {
  for (const double length : {1e-3, 1e-2, 1.0})
    for (const double strain : {5e-15, 1e-10, 1e-6, 5e-4})
      for (const bool swapped : {false, true}) {
        SCOPED_TRACE(fmt::format("{} m, strain {}, {}", length, strain, swapped));
        expect_uniform(
            {.length = length, .force = strain * 2e11 * length * length, .n = 3, .swapped = swapped});
      }
}

TEST(StructurePress, UniformPressureOnEveryMesh) {
  for (const int n : {2, 4, 5, 7, 10}) {
    SCOPED_TRACE(n);
    expect_uniform({.n = n});
  }
}

// With Poisson's effect, a load that bulges the cubes, and supports that hold their ends or let them widen: the rim of one face moves
// over the other's. The joint carries the load, and names and units do not matter.
TEST(StructurePress, FlushEdgesStayInContact) {
  const std::string free = "zmin: [z], xmin: [x], ymin: [y]", clamped = "zmin: [x, y, z]",
                    guided = "zmax: [x, y]";
  for (const int n : {4, 5, 6})
    for (const auto& [lower, upper] :
         {std::pair{clamped, guided}, {free, guided}, {clamped, std::string("xmin: [x], ymin: [y]")}})
      for (const double friction : {0.0, 0.3}) {
        SCOPED_TRACE(fmt::format("{} {} {} {}", n, lower, upper, friction));
        Column c{
            .poisson = 0.3, .n = n, .lower = lower, .upper = upper, .weight = false, .friction = friction};
        const StaticContact one = press(c);
        // Where the joint is not flat, friction carries a little of it.
        const auto carried = [](const StaticContact& s) {
          double sum = 0;
          for (const NodeImpulse& p : s.nodes[0]) sum += p.impulse.z();
          return std::abs(sum);
        };
        EXPECT_NEAR(carried(one) / c.force, 1, 1e-9);
        // The corner carries its share, whoever's face it is.
        const auto corner = [&](const StaticContact& s) {
          double f = 0;
          for (const NodeImpulse& p : s.nodes[0])
            if (p.number == 0) f = p.normal;
          return f / c.force;
        };
        EXPECT_GT(corner(one), 0.3 * 0.25 / (n * n));
        c.swapped = true;
        const StaticContact other = press(c);
        EXPECT_NEAR(carried(other) / c.force, 1, 1e-9);
        EXPECT_NEAR(corner(other) / corner(one), 1, 1e-5);
        // A hundred times as large, ten times as stiff, the same strain: a linear problem.
        c.swapped = false;
        const double before = displacement(c, one, 1, 0, 0, n, 2);
        Column large = c;
        large.length *= 100, large.young *= 10, large.force *= 1e5;
        const StaticContact scaled = press(large);
        EXPECT_NEAR(carried(scaled) / large.force, 1, 1e-9);
        EXPECT_NEAR(displacement(large, scaled, 1, 0, 0, n, 2) / (100 * before), 1, 1e-7);
      }
}

}  // namespace
}  // namespace tappet::testing::structure_press_test
