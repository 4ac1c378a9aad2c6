// Order of convergence under refinement, for every element: displacements under a force that is known, and
// natural frequencies.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/structures.hpp"
#include "tappet/fem/generator.hpp"
#include "tappet/fem/modes.hpp"

namespace tappet::test::structure_convergence_test {
namespace {

using fem::CellShape;
using fem::Structure;

/// ω of the first mode of a free–free bar, held sideways: c π/L exactly when ν = 0.
double bar_frequency(const char* element, CellShape shape, int n) {
  const int divisions[3] = {n, 1, 1};
  Structure s = one_material(fem::generate_block(Vec3::Zero(), {1, 0.2, 0.2}, divisions, shape), element,
                             {.young = 1, .poisson = 0, .density = 1});
  hold(s, "yz", [](const Vec3&) { return true; });
  fem::number_unknowns(s);
  const fem::StructureMatrices m = fem::assemble(s);
  return std::sqrt(fem::lowest_modes(m.K, m.M, 2).omega2[1]);
}

TEST(StructureOrder, BarFrequency) {
  struct Case {
    const char* element;
    CellShape shape;
    double order;
  };
  for (const Case& c : {Case{"hex8", CellShape::hexahedron, 2}, Case{"tet4", CellShape::tetrahedron, 2},
                        Case{"tet10", CellShape::tetrahedron10, 4}}) {
    const double exact = std::numbers::pi;
    const double coarse = std::abs(bar_frequency(c.element, c.shape, 4) - exact),
                 fine = std::abs(bar_frequency(c.element, c.shape, 8) - exact);
    EXPECT_NEAR(std::log2(coarse / fine), c.order, 0.35) << c.element << ": " << coarse << ", " << fine;
  }
}

double plate_frequency(const char* element, int n) {
  const int divisions[2] = {n, n};
  fem::Section section;
  section.thickness = 0.001;
  Structure s =
      one_material(fem::generate_plate(Vec3::Zero(), 1, 1, divisions, std::string(element) == "shell3"),
                   element, {.young = 12 * 0.91e9, .poisson = 0.3, .density = 1000}, section);
  hold(s, "xyzZ", [](const Vec3& x) { return x.x() == 0 || x.x() == 1 || x.y() == 0 || x.y() == 1; });
  fem::number_unknowns(s);
  const fem::StructureMatrices m = fem::assemble(s);
  return std::sqrt(fem::lowest_modes(m.K, m.M, 1).omega2[0]);
}

TEST(StructureOrder, PlateFrequency) {
  const double exact = 2 * std::numbers::pi * std::numbers::pi;
  for (const char* element : {"shell4", "shell3"}) {
    const double coarse = std::abs(plate_frequency(element, 8) / exact - 1),
                 fine = std::abs(plate_frequency(element, 16) / exact - 1);
    EXPECT_GT(std::log2(coarse / fine), 1.8) << element << ": " << coarse << ", " << fine;
  }
}

constexpr double pi = std::numbers::pi;

using NodeField = std::function<Eigen::Matrix<double, 6, 1>(const Vec3&)>;

/// Solves for the body force b (N/kg, with density 1), given at the nodes, and returns the error of the
/// displacements against `exact` in the norm of the mass matrix, relative to that of `exact`.
double static_error(Structure& s, const NodeField& b, const NodeField& exact) {
  fem::number_unknowns(s);
  const fem::StructureMatrices m = fem::assemble(s);
  // The force acts where nodes are held too.
  Structure loose = s;
  loose.supports.clear();
  fem::number_unknowns(loose);
  std::vector<double> load(loose.free, 0.0), loaded(loose.free, 0.0), right(s.free, 0.0), f(s.free, 0.0);
  const int nodes = static_cast<int>(s.mesh.nodes.size());
  for (int n = 0; n < nodes; ++n)
    for (int d = 0; d < loose.node_unknowns[n]; ++d) load[loose.free_unknown(n, d)] = b(s.mesh.nodes[n])[d];
  multiply_add(fem::assemble(loose).M, 1, load.data(), loaded.data());
  for (int n = 0; n < nodes; ++n)
    for (int d = 0; d < 6; ++d)
      if (const int k = s.free_unknown(n, d); k >= 0)
        f[k] = loaded[loose.free_unknown(n, d)], right[k] = d < 3 ? exact(s.mesh.nodes[n])[d] : 0;
  const fem::StaticSolution q = fem::solve_static(s, m, f);
  EXPECT_TRUE(q.mechanisms.empty());
  // Translations alone: drilling rotations are no part of the exact field.
  std::vector<double> off(s.free, 0.0);
  for (int n = 0; n < nodes; ++n)
    for (int d = 0; d < 3; ++d)
      if (const int k = s.free_unknown(n, d); k >= 0) off[k] = q.q[k] - right[k];
  const auto norm = [&](const std::vector<double>& v) {
    std::vector<double> w(s.free, 0.0);
    multiply_add(m.M, 1, v.data(), w.data());
    double sum = 0;
    for (int i = 0; i < s.free; ++i) sum += v[i] * w[i];
    return std::sqrt(sum);
  };
  return norm(off) / norm(right);
}

// u = a sin πx sin πy sin πz in a cube held all round; b = −div σ/ρ.
double solid_error(const char* element, CellShape shape, int n) {
  const double E = 1, nu = 0.3, mu = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
  const int divisions[3] = {n, n, n};
  Structure s = one_material(fem::generate_block(Vec3::Zero(), Vec3::Ones(), divisions, shape), element,
                             {.young = E, .poisson = nu, .density = 1});
  hold(s, "xyz", [](const Vec3& x) { return (x.array() == 0).any() || (x.array() == 1).any(); });
  const Vec3 a(1, 0.5, -0.7);
  const auto exact = [&](const Vec3& x) {
    Eigen::Matrix<double, 6, 1> u = Eigen::Matrix<double, 6, 1>::Zero();
    u.head<3>() = a * std::sin(pi * x.x()) * std::sin(pi * x.y()) * std::sin(pi * x.z());
    return u;
  };
  const auto force = [&](const Vec3& x) {
    Eigen::Matrix<double, 6, 1> b = Eigen::Matrix<double, 6, 1>::Zero();
    const Vec3 sn(std::sin(pi * x.x()), std::sin(pi * x.y()), std::sin(pi * x.z())),
        cs(std::cos(pi * x.x()), std::cos(pi * x.y()), std::cos(pi * x.z()));
    const double phi = sn.prod();
    for (int i = 0; i < 3; ++i) {
      double gradient = 0;  // ∂_i div u
      for (int j = 0; j < 3; ++j)
        gradient += a[j] * pi * pi * (i == j ? -phi : cs[i] * cs[j] * sn[3 - i - j]);
      b[i] = 3 * pi * pi * mu * a[i] * phi - (lambda + mu) * gradient;
    }
    return b;
  };
  return static_error(s, force, exact);
}

TEST(StructureOrder, SolidsUnderABodyForce) {
  struct Case {
    const char* element;
    CellShape shape;
    int coarse;
    double order;
  };
  for (const Case& c : {Case{"hex8", CellShape::hexahedron, 6, 2}, Case{"tet4", CellShape::tetrahedron, 6, 2},
                        Case{"tet10", CellShape::tetrahedron10, 3, 3}}) {
    const double coarse = solid_error(c.element, c.shape, c.coarse),
                 fine = solid_error(c.element, c.shape, 2 * c.coarse);
    EXPECT_GT(std::log2(coarse / fine), c.order - 0.2) << c.element << ": " << coarse << ", " << fine;
  }
}

// A square plate that all sides support, under a pressure of sin πx sin πy: w = (1/(4π⁴ D) + 1/(2π² κGt)) sin
// πx sin πy [Reissner–Mindlin], and stretched in its plane likewise.
double plate_error(const char* element, int n, bool bending) {
  const double E = 1, nu = 0.3, t = 0.1, mu = E / (2 * (1 + nu)), D = E * t * t * t / (12 * (1 - nu * nu));
  const int divisions[2] = {n, n};
  fem::Section section;
  section.thickness = t;
  Structure s =
      one_material(fem::generate_plate(Vec3::Zero(), 1, 1, divisions, std::string(element) == "shell3"),
                   element, {.young = E, .poisson = nu, .density = 1 / t}, section);
  const auto on_x = [](const Vec3& x) { return x.x() == 0 || x.x() == 1; };
  const auto on_y = [](const Vec3& x) { return x.y() == 0 || x.y() == 1; };
  NodeField exact, force;
  const auto sine = [](const Vec3& x) { return std::sin(pi * x.x()) * std::sin(pi * x.y()); };
  if (bending) {
    hold(s, "xyZ", [](const Vec3&) { return true; });
    hold(s, "zX", on_x);
    hold(s, "zY", on_y);
    const double w = 1 / (4 * pi * pi * pi * pi * D) + 1 / (2 * pi * pi * 5 / 6 * mu * t);
    exact = [=](const Vec3& x) {
      return Eigen::Matrix<double, 6, 1>(w * sine(x) * Eigen::Matrix<double, 6, 1>::Unit(2));
    };
    force = [=](const Vec3& x) {
      return Eigen::Matrix<double, 6, 1>(sine(x) * Eigen::Matrix<double, 6, 1>::Unit(2));
    };
  } else {
    hold(s, "zXY", [](const Vec3&) { return true; });
    hold(s, "xy", [&](const Vec3& x) { return on_x(x) || on_y(x); });
    exact = [=](const Vec3& x) {
      return Eigen::Matrix<double, 6, 1>(sine(x) * Eigen::Matrix<double, 6, 1>::Unit(0));
    };
    const double S = E / (1 - nu * nu);
    force = [=](const Vec3& x) {
      Eigen::Matrix<double, 6, 1> b = Eigen::Matrix<double, 6, 1>::Zero();
      b[0] = t * pi * pi * (S + mu) * sine(x);
      b[1] = -t * pi * pi * (nu * S + mu) * std::cos(pi * x.x()) * std::cos(pi * x.y());
      return b;
    };
  }
  return static_error(s, force, exact);
}

TEST(StructureOrder, ShellsUnderPressureAndInTheirPlane) {
  for (const char* element : {"shell4", "shell3"})
    for (bool bending : {true, false}) {
      const double coarse = plate_error(element, 12, bending), fine = plate_error(element, 24, bending);
      EXPECT_GT(std::log2(coarse / fine), 1.8)
          << element << (bending ? " bent" : " stretched") << ": " << coarse << ", " << fine;
    }
}

// Lines. A truss vibrates along itself with ω = π c/L; of the beam three meshes tell the order by themselves.
double line_frequency(const char* element, int n, double inertia = 1e-8) {
  fem::Mesh mesh;
  for (int k = 0; k <= n; ++k) mesh.nodes.emplace_back(static_cast<double>(k) / n, 0, 0);
  for (int k = 0; k < n; ++k) {
    const int c[2] = {k, k + 1};
    mesh.add_cell(CellShape::line, c);
  }
  fem::Section section;
  section.area = 1e-2, section.inertia_y = section.inertia_z = inertia, section.torsion = 2 * inertia;
  Structure s = one_material(mesh, element, {.young = 1, .poisson = 0, .density = 1}, section);
  if (std::string(element) == "truss") {
    hold(s, "yz", [](const Vec3&) { return true; });
    hold(s, "x", [](const Vec3& x) { return x.x() == 0; });
  } else {
    hold(s, "xyXZ", [](const Vec3&) { return true; });
    hold(s, "z", [](const Vec3& x) { return x.x() == 0 || x.x() == 1; });
  }
  fem::number_unknowns(s);
  const fem::StructureMatrices m = fem::assemble(s);
  return std::sqrt(fem::lowest_modes(m.K, m.M, 1).omega2[0]);
}

TEST(StructureOrder, Lines) {
  const double coarse = line_frequency("truss", 4) - pi / 2, fine = line_frequency("truss", 8) - pi / 2;
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.05) << coarse << ", " << fine;
  // Its shape functions are those of a slender beam with shear: fourth order as long as an element is
  // slender, second when it is not.
  for (const auto& [inertia, order] : {std::pair{1e-8, 4.0}, std::pair{1e-4, 2.0}}) {
    const double a = line_frequency("beam", 2, inertia), b = line_frequency("beam", 4, inertia),
                 c = line_frequency("beam", 8, inertia);
    EXPECT_NEAR(std::log2((a - b) / (b - c)), order, 0.3) << a << ", " << b << ", " << c;
  }
}

}  // namespace
}  // namespace tappet::test::structure_convergence_test
