// Natural frequencies against closed forms.
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/beam_file.hpp"
#include "support/run_model.hpp"
#include "support/structures.hpp"
#include "tappet/fem/generator.hpp"
#include "tappet/fem/modes.hpp"
#include "tappet/structures/coupled_modes.hpp"

namespace tappet::test::structure_modes_test {
namespace {

using fem::CellShape;
using fem::Structure;

std::vector<double> frequencies(Structure& s, int count) {
  fem::number_unknowns(s);
  const fem::StructureMatrices m = fem::assemble(s);
  const fem::Modes modes = fem::lowest_modes(m.K, m.M, count);
  EXPECT_LT(modes.residual, 1e-9);
  std::vector<double> out;
  for (double w2 : modes.omega2) out.push_back(std::sqrt(std::max(w2, 0.0)));
  return out;
}

TEST(StructureModes, CantileverBeam) {
  fem::Mesh mesh;
  for (int i = 0; i <= 20; ++i) mesh.nodes.emplace_back(i / 20.0, 0, 0);
  for (int i = 0; i < 20; ++i) {
    const int c[2] = {i, i + 1};
    mesh.add_cell(CellShape::line, c);
  }
  fem::Section section;  // so slender that shear and rotary inertia are nothing
  section.area = 1e-6, section.inertia_y = section.inertia_z = 1e-12 / 12, section.torsion = 1.4e-13;
  Structure s = one_material(mesh, "beam", {.young = 2e11, .poisson = 0.3, .density = 8000}, section);
  hold(s, "xyzXYZ", [](const Vec3& x) { return x.x() == 0; });
  const std::vector<double> w = frequencies(s, 6);
  const double unit = std::sqrt(2e11 * section.inertia_y / (8000 * section.area));
  const double roots[] = {1.875104069, 4.694091133, 7.854757438};
  // Each comes twice: both planes of bending are alike.
  for (int k = 0; k < 3; ++k)
    for (int twin = 0; twin < 2; ++twin)
      EXPECT_NEAR(w[2 * k + twin] / (roots[k] * roots[k] * unit), 1, 1e-4) << k;
}

TEST(StructureModes, SimplySupportedPlate) {
  for (const char* element : {"shell4", "shell3"}) {
    const int n[2] = {48, 48};
    fem::Section section;
    section.thickness = 0.001;
    Structure s = one_material(fem::generate_plate(Vec3::Zero(), 1, 1, n, std::string(element) == "shell3"),
                               element, {.young = 2e11, .poisson = 0.3, .density = 7800}, section);
    hold(s, "xyz", [](const Vec3& x) { return x.x() == 0 || x.x() == 1 || x.y() == 0 || x.y() == 1; });
    const std::vector<double> w = frequencies(s, 4);
    const double D = 2e11 * 1e-9 / (12 * 0.91), unit = std::sqrt(D / (7800 * 0.001));
    EXPECT_NEAR(w[0] / unit / 19.7392, 1, 0.003) << element;
    EXPECT_NEAR(w[1] / unit / 49.3480, 1, 0.003) << element;
    EXPECT_NEAR(w[2] / unit / 49.3480, 1, 0.003) << element;
  }
}

TEST(StructureModes, FreeSphere) {
  fem::Section section;
  section.thickness = 0.1;
  Structure s = one_material(fem::generate_sphere(Vec3::Zero(), 2.5, 30, false), "shell4",
                             {.young = 2e11, .poisson = 0.3, .density = 7800}, section);
  const std::vector<double> w = frequencies(s, 28);
  const double hertz = 1 / (2 * std::numbers::pi);
  for (int k = 0; k < 6; ++k) EXPECT_LT(w[k] * hertz, 0.1) << "rigid " << k;
  // n = 2, 3, 4, 5 come 2n + 1 times; the fourth is furthest off, 0.25 % (0.45 % with 24 elements a side).
  const double expected[] = {237.25, 282.85, 305.24, 324.17};
  const int first[] = {6, 11, 18, 27}, times[] = {5, 7, 9, 1};
  for (int n = 0; n < 4; ++n)
    for (int k = first[n]; k < first[n] + times[n]; ++k)
      EXPECT_NEAR(w[k] * hertz / expected[n], 1, 0.003) << n << " " << k;
}

TEST(StructureModes, LumpedMassConvergesToTheSame) {
  const int n[3] = {16, 2, 2};
  double first[2];
  for (bool lumped : {false, true}) {
    Structure s = one_material(fem::generate_block(Vec3::Zero(), {1, 0.1, 0.1}, n, CellShape::hexahedron),
                               "hex8", {.young = 2e11, .poisson = 0.3, .density = 7800});
    s.lumped_mass = lumped;
    hold(s, "xyz", [](const Vec3& x) { return x.x() == 0; });
    first[lumped] = frequencies(s, 2)[0];
  }
  EXPECT_NEAR(first[1] / first[0], 1, 0.01);
  // Timoshenko: 0.9968 of the slender beam's 1.8751² √(EI/ρA).
  const double slender = 1.875104069 * 1.875104069 * std::sqrt(2e11 * 1e-4 / 12 / (7800 * 1e-2));
  EXPECT_NEAR(first[0] / slender, 0.993, 0.01);
}

// A cantilever, clamped at x = 0, whose tip carries a rigid body with mass μ ρAL, inertia κ ρAL³ and its centre of mass ε L
// beyond the tip. y = a (cosh βx − cos βx) + b (sinh βx − sin βx), lengths in units of L; from kinetic energy
// ½ m (ẏ + ε ẏ')² + ½ J ẏ'² at the tip
//   y'' = β⁴ (κ y' + μ ε (y + ε y')),      y''' = −β⁴ μ (y + ε y')      at x = 1
double tip_equation(double beta, double mu, double kappa, double eps) {
  const double s = std::sin(beta), c = std::cos(beta), S = std::sinh(beta), C = std::cosh(beta);
  const double b2 = beta * beta, b3 = b2 * beta, b4 = b2 * b2;
  // y, y', y'', y''' of both shapes.
  const double A[4] = {C - c, beta * (S + s), b2 * (C + c), b3 * (S - s)},
               B[4] = {S - s, beta * (C - c), b2 * (S + s), b3 * (C + c)};
  const auto moment = [&](const double* y) {
    return y[2] - b4 * (kappa * y[1] + mu * eps * (y[0] + eps * y[1]));
  };
  const auto shear = [&](const double* y) { return y[3] + b4 * mu * (y[0] + eps * y[1]); };
  return moment(A) * shear(B) - moment(B) * shear(A);
}

std::vector<double> tip_roots(int count, double mu, double kappa, double eps) {
  std::vector<double> out;
  for (double b = 0.05; static_cast<int>(out.size()) < count; b += 0.01) {
    double low = b, high = b + 0.01;
    const double at_low = tip_equation(low, mu, kappa, eps);
    if (at_low * tip_equation(high, mu, kappa, eps) > 0) continue;
    for (int pass = 0; pass < 60; ++pass) {
      const double middle = 0.5 * (low + high);
      (at_low * tip_equation(middle, mu, kappa, eps) > 0 ? low : high) = middle;
    }
    out.push_back(low);
  }
  return out;
}

/// ω of a beam of 1 m along x (ρA = 0.01 kg/m, 1 mm square) whose root is held and whose tip a rigid body is attached to.
std::vector<double> with_tip_body(double mass, double inertia, double offset, const std::string& more,
                                  int count) {
  // The body's axes are turned, and its inertia about its length so small that torsion is fast.
  const auto model =
      testing::model_of_text(fmt::format(R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
materials: {{m: {{young: 2e11, poisson: 0.3, density: 10000}}}}
bodies:
  beam: {{structure: {{mesh: {}, material: m, section: {{rectangle: [1 mm, 1 mm]}}, fix: {{root: [x, y, z, rx, ry, rz]}},
          attach: {{tip: {{body: head}}}}}}}}
  head: {{mass: {}, inertia: [{}, {}, 1e-9], position: [{}, 0, 0], orientation: {{axis: [0, 1, 0], angle: 90 deg}}}}
simulation: {{method: moreau, duration: 1, step: 1}}
{}
)",
                                         testing::beam_file(30), mass, inertia, inertia, 1 + offset, more));
  const CoupledModes modes = solve_coupled_modes(*model, count);
  EXPECT_LT(modes.residual, 1e-9);
  EXPECT_EQ(modes.bodies.size(), 1u);
  std::vector<double> out;
  for (double w2 : modes.omega2) out.push_back(std::sqrt(std::max(w2, 0.0)));
  return out;
}

constexpr double beam_mass = 0.01;
const double beam_unit = std::sqrt(2e11 * 1e-12 / 12 / beam_mass);  // √(EI/ρA)

TEST(StructureModes, CantileverWithABodyAtItsTip) {
  EXPECT_NEAR(tip_roots(1, 0, 0, 0)[0], 1.875104069, 1e-8);
  for (const auto& [mu, kappa, eps] : {std::array{1.0, 1e-6, 0.0}, {1.0, 0.1, 0.0}, {0.5, 0.02, 0.2}}) {
    const std::vector<double> w = with_tip_body(beam_mass * mu, beam_mass * kappa, eps, "", 6),
                              roots = tip_roots(3, mu, kappa, eps);
    for (int k = 0; k < 3; ++k)
      for (int twin = 0; twin < 2; ++twin)
        EXPECT_NEAR(w[2 * k + twin] / (roots[k] * roots[k] * beam_unit), 1, 1e-3)
            << mu << ' ' << kappa << ' ' << k;
  }
}

// A spring to the ground along z: y''' = −β⁴ μ y + k y of motion in that plane, none in the other; a joint that leaves the
// head only its way along z takes the other plane out.
TEST(StructureModes, SpringsAndJointsOfABodyAtTheTip) {
  const double k = 5;  // in units of EI/L³
  const double stiffness = k * 2e11 * 1e-12 / 12;
  const auto equation = [&](double b) { return tip_equation(b, 1 - k / std::pow(b, 4), 1e-6, 0); };
  double low = 0.5, high = 2.5;
  for (int pass = 0; pass < 60; ++pass) {
    const double middle = 0.5 * (low + high);
    (equation(middle) * equation(0.5) > 0 ? low : high) = middle;
  }
  const std::vector<double> w = with_tip_body(
      beam_mass, beam_mass * 1e-6, 0,
      fmt::format(
          "forces: {{s: {{type: spring-damper, bodies: [ground, head], points: [[1, 0, 2], [0, 0, 0]], "
          "stiffness: {}, length: 2}}}}",
          stiffness),
      2);
  EXPECT_NEAR(w[0] / (std::pow(tip_roots(1, 1, 1e-6, 0)[0], 2) * beam_unit), 1, 1e-3);
  EXPECT_NEAR(w[1] / (low * low * beam_unit), 1, 1e-3);

  const std::vector<double> guided = with_tip_body(beam_mass, beam_mass * 1e-6, 0,
                                                   "joints: {guide: {type: translational, bodies: [ground, "
                                                   "head], points: [[1, 0, 0], [0, 0, 0]], axis: [0, 0, 1]}}",
                                                   1);
  // y' = 0 and y''' = −β⁴ μ y at the tip, in one plane.
  const auto slides = [](double b) {
    const double s = std::sin(b), c = std::cos(b), S = std::sinh(b), C = std::cosh(b);
    const double ratio = -(S + s) / (C - c);
    return S - s + ratio * (C + c) + b * (C - c + ratio * (S - s));
  };
  low = 0.5, high = 2.3;
  for (int pass = 0; pass < 60; ++pass) {
    const double middle = 0.5 * (low + high);
    (slides(middle) * slides(0.5) > 0 ? low : high) = middle;
  }
  EXPECT_NEAR(guided[0] / (low * low * beam_unit), 1, 1e-3);
}

}  // namespace
}  // namespace tappet::test::structure_modes_test
