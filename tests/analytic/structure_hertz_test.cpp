// Hertz: a cylinder of R 50 mm, E 210 GPa, ν 0.3 pressed on a rigid plane with 1000 N/mm, plane strain:
// half-width b = 0.52523 mm, highest pressure p₀ = 1212.07 MPa. The mesh is read from an .inp file in millimetres.
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <Eigen/Dense>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/run_model.hpp"
#include "tappet/structures/static_contact.hpp"

namespace tappet::testing::structure_hertz_test {
namespace {

constexpr int n = 36;
constexpr double width = 16;  // mm

/// Fine near 0.
double graded(int i) {
  return width * std::sinh(5.0 * i / n) / std::sinh(5.0);
}

/// Half of a slice of 1 mm: bottom round, top flat.
std::string half_slice() {
  std::string nodes = "*NODE\n", cells = "*ELEMENT, TYPE=C3D8, ELSET=body\n", foot = "*NSET, NSET=foot\n",
              top = "*NSET, NSET=top\n", middle = "*NSET, NSET=middle\n";
  const auto label = [](int i, int j, int k) { return 1 + i + (n + 1) * (j + (n + 1) * k); };
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i) {
        const double x = graded(i), z = graded(j);
        nodes += fmt::format("{}, {:.15g}, {}, {:.15g}\n", label(i, j, k), x, k,
                             z + x * x / 100 * (1 - z / width));
        if (j == 0) foot += fmt::format("{},\n", label(i, j, k));
        if (j == n) top += fmt::format("{},\n", label(i, j, k));
        if (i == 0) middle += fmt::format("{},\n", label(i, j, k));
        if (i < n && j < n && k == 0)
          cells += fmt::format("{}, {}, {}, {}, {}, {}, {}, {}, {}\n", label(i, j, 0), label(i, j, 0),
                               label(i + 1, j, 0), label(i + 1, j, 1), label(i, j, 1), label(i, j + 1, 0),
                               label(i + 1, j + 1, 0), label(i + 1, j + 1, 1), label(i, j + 1, 1));
      }
  return nodes + cells + foot + top + middle;
}

TEST(StructureHertz, CylinderOnAPlane) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("tappet_hertz_{}", getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "slice.inp") << half_slice();
  std::ofstream(folder / "hertz.yaml") << R"(
tappet: 1
dimension: spatial
materials: {steel: {young: 210 GPa, poisson: 0.3, density: 7850}}
bodies:
  slice:
    structure:
      mesh: slice.inp
      scale: 0.001
      material: steel
      fix: {body: [y], middle: [x]}
      loads: {press: {on: top, force: [0, 0, -500]}}
ground: {shapes: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}}
contacts: {rest: {between: [ground.floor, slice.foot], normal: {law: newton, restitution: 0}}}
simulation: {method: moreau, duration: 1, step: 1}
)";
  const auto model = model_of(load_spec((folder / "hertz.yaml").string()));
  const StaticContact s = solve_static_contact(*model);
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(s.converged) << s.moved;
  EXPECT_NEAR(s.normal[0], 500, 1e-4);

  // Pressures from nodal forces, both faces of the slice together, over their share of the width.
  std::vector<double> force(n + 1, 0.0);
  for (const NodeImpulse& p : s.nodes[0]) force[p.number % (n + 1)] += p.normal;
  // The mean of x² over the pressure is b²/4.
  double sum = 0, moment = 0;
  for (int k = 0; k <= n; ++k) sum += force[k], moment += force[k] * graded(k) * graded(k);
  EXPECT_NEAR(2 * std::sqrt(moment / sum) / 0.52523, 1, 0.03);
  // p = p₀ √(1 − x²/b²): the force within x is p₀ (x √(1 − x²/b²) + b asin(x/b))/2; taken over the inner half.
  double inner = 0;
  int i = 0;
  for (; graded(i) < 0.3; ++i) inner += force[i];
  const double x = 0.5 * (graded(i - 1) + graded(i)), b = 0.52523;
  const double p0 = 2 * inner / (x * std::sqrt(1 - x * x / (b * b)) + b * std::asin(x / b));
  EXPECT_NEAR(p0 / 1212.07, 1, 0.03);
  const double highest = force[0] / (0.5 * (graded(1) - graded(0)));
  EXPECT_NEAR(highest / 1212.07, 1, 0.03);
}

// Hertz: two spheres of R 50 mm, E 20 GPa, ν 0.3, brought together by 4 mm: a = 10 mm, p₀ = 2798.33 MPa. By symmetry
// one of them is pressed on a rigid plane by 2 mm, and a quarter of its lower half will do.
constexpr int wide = 14;
double across(int i, int of = wide) {
  return 34 * std::sinh(2.2 * i / of) / std::sinh(2.2);
}  // mm

std::string quarter_ball(int wide, int high) {
  const auto up = [&](int k) { return std::sinh(2.5 * k / high) / std::sinh(2.5); };
  std::string nodes = "*NODE\n", cells = "*ELEMENT, TYPE=C3D8, ELSET=ball\n", foot = "*NSET, NSET=foot\n",
              top = "*NSET, NSET=top\n", xmin = "*NSET, NSET=xmin\n", ymin = "*NSET, NSET=ymin\n";
  const auto label = [&](int i, int j, int k) { return 1 + i + (wide + 1) * (j + (wide + 1) * k); };
  for (int k = 0; k <= high; ++k)
    for (int j = 0; j <= wide; ++j)
      for (int i = 0; i <= wide; ++i) {
        const double x = across(i, wide), y = across(j, wide), below = 50 - std::sqrt(2500 - x * x - y * y);
        nodes += fmt::format("{}, {:.15g}, {:.15g}, {:.15g}\n", label(i, j, k), x, y,
                             below + (50 - below) * up(k));
        if (k == 0) foot += fmt::format("{},\n", label(i, j, k));
        if (k == high) top += fmt::format("{},\n", label(i, j, k));
        if (i == 0) xmin += fmt::format("{},\n", label(i, j, k));
        if (j == 0) ymin += fmt::format("{},\n", label(i, j, k));
        if (i < wide && j < wide && k < high)
          cells +=
              fmt::format("{}, {}, {}, {}, {}, {}, {}, {}, {}\n", label(i, j, k), label(i, j, k),
                          label(i + 1, j, k), label(i + 1, j + 1, k), label(i, j + 1, k), label(i, j, k + 1),
                          label(i + 1, j, k + 1), label(i + 1, j + 1, k + 1), label(i, j + 1, k + 1));
      }
  return nodes + cells + foot + top + xmin + ymin;
}

/// Hertz' pressure p² = p₀² (1 − r²/a²), fitted to forces of nodes over their areas: p₀ in Pa, a in m.
std::pair<double, double> fit_hertz(const std::vector<std::array<double, 2>>& r_and_p) {
  Eigen::MatrixXd A(r_and_p.size(), 2);
  Eigen::VectorXd b(r_and_p.size());
  for (std::size_t i = 0; i < r_and_p.size(); ++i) {
    const auto [r, p] = r_and_p[i];
    A(static_cast<int>(i), 0) = 1, A(static_cast<int>(i), 1) = -r * r, b[static_cast<int>(i)] = p * p;
  }
  const Eigen::Vector2d c = (A.transpose() * A).ldlt().solve(A.transpose() * b);
  return {std::sqrt(c[0]), std::sqrt(c[0] / c[1])};
}

/// Equilibrium of a model of quarter balls; the first contact's p₀ and a, and its force with those of the other quarters.
struct Hertz {
  double p0 = 0, a = 0, force = 0;
};
Hertz press(const std::string& bodies_and_contacts, int increments = 1) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("tappet_hertz_ball_{}", getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "ball.inp") << quarter_ball(wide, 10);
  std::ofstream(folder / "coarse.inp") << quarter_ball(11, 8);
  std::ofstream(folder / "hertz.yaml") << R"(
tappet: 1
dimension: spatial
materials: {m: {young: 20 GPa, poisson: 0.3, density: 2000}}
simulation: {method: moreau, duration: 1, step: 1}
)" << bodies_and_contacts;
  const auto model = model_of(load_spec((folder / "hertz.yaml").string()));
  const StaticContact s = solve_static_contact(*model, {.increments = increments});
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(s.converged) << s.moved;
  const auto share = [&](int i) {  // of the width, m
    return 0.5e-3 * (across(i + 1) - (i > 0 ? across(i - 1) : 0));
  };
  std::vector<std::array<double, 2>> inside;
  for (const NodeImpulse& p : s.nodes[0]) {
    const int i = p.number % (wide + 1), j = p.number / (wide + 1);
    const double r = 1e-3 * std::hypot(across(i), across(j));
    if (r < 8e-3) inside.push_back({r, p.normal / (share(i) * share(j))});
  }
  const auto [p0, a] = fit_hertz(inside);
  return {p0, a, 4 * s.normal[0]};
}

// Hertz counts the approach from infinity; to the middle of a ball it is 1.88 mm at the same force.
constexpr double hertz_force = 586081;  // 4/3 E* √R δ^(3/2), N

/// A quarter of a ball whose equator moves along z; `fix` holds its planes of symmetry.
std::string ball(const std::string& name, const std::string& mesh, const std::string& fix,
                 double millimetres) {
  return fmt::format(R"(
  {}:
    structure: {{mesh: {}, scale: 0.001, material: m, fix: {{{}}}, move: {{top: {{z: {} mm}}}}}}
)",
                     name, mesh, fix, millimetres);
}

void expect_hertz(const Hertz& h) {
  EXPECT_NEAR(h.force / hertz_force, 1, 0.01);
  EXPECT_NEAR(h.p0 / 2798.33e6, 1, 0.03);
  EXPECT_NEAR(h.a / 0.01, 1, 0.03);
}

TEST(StructureHertz, SphereOnAPlane) {
  expect_hertz(press("bodies:" + ball("ball", "ball.inp", "xmin: [x], ymin: [y]", -1.88) + R"(
ground: {shapes: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}}
contacts: {rest: {between: [ground.floor, ball.foot], normal: {law: newton, restitution: 0}}}
)"));
}

// Two of them, nodes of one against faces of the other, whose mesh is another; each equator moves as above. However many
// increments there are, the equilibrium is the same.
TEST(StructureHertz, TwoSpheres) {
  for (int increments : {1, 3})
    expect_hertz(press("bodies:" + ball("upper", "ball.inp", "xmin: [x], ymin: [y]", -1.88) +
                           ball("lower", "coarse.inp", "xmin: [y], ymin: [x]", 1.88) + R"(
    orientation: {axis: [1, 1, 0], angle: 180 deg}
contacts: {press: {between: [lower.foot, upper.foot], normal: {law: newton, restitution: 0}}}
)",
                       increments));
}

}  // namespace
}  // namespace tappet::testing::structure_hertz_test
