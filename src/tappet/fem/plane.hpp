// Elements of plane and axisymmetric models by shape functions and points of integration. They lie in a plane z = const; their
// nodes stay in it, and their third unknown, the displacement along z, is held.
//
//   ε = (∂u/∂x, ∂v/∂y, ε_z, ∂u/∂y + ∂v/∂x),   K = Σ w det J b Bᵀ D B,   M = Σ w det J b ρ Nᵀ N     [Hughes 1987, section 3.9]
//
//   plane stress     σ_z = 0, so that ε_z has no part:  D = E/(1 − ν²) [1 ν; ν 1; (1 − ν)/2];   b the thickness
//   plane strain     ε_z = 0;                                                                b the thickness
//   axisymmetric     x is the radius, y the axis; ε_z is the hoop strain u/x;               b = 2π x, the whole ring
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include <Eigen/LU>

#include "tappet/fem/solid.hpp"

namespace tappet::fem::plane {

using Mat4 = Eigen::Matrix4d;

struct IntegrationPoint {
  double at[2];
  double weight;
};

/// Bilinear, 2 × 2 points: stiff in bending.
struct Quadrangle {
  static constexpr int nodes = 4, corners = 4;
  static constexpr CellShape shape = CellShape::quadrangle;
  static constexpr double measure = 4, middle[2] = {0, 0};
  static void evaluate(const double* p, double* N, Eigen::Matrix<double, nodes, 2>& d);
  static const std::vector<IntegrationPoint>& points();
};
/// Serendipity, 3 × 3 points.
struct Quadrangle8 {
  static constexpr int nodes = 8, corners = 4;
  static constexpr CellShape shape = CellShape::quadrangle8;
  static constexpr double measure = 4, middle[2] = {0, 0};
  static void evaluate(const double* p, double* N, Eigen::Matrix<double, nodes, 2>& d);
  static const std::vector<IntegrationPoint>& points();
};
/// Linear; stiff in bending.
struct Triangle {
  static constexpr int nodes = 3, corners = 3;
  static constexpr CellShape shape = CellShape::triangle;
  static constexpr double measure = 0.5, middle[2] = {1.0 / 3, 1.0 / 3};
  static void evaluate(const double* p, double* N, Eigen::Matrix<double, nodes, 2>& d);
  static const std::vector<IntegrationPoint>& points();
};
/// Quadratic, 7 points.
struct Triangle6 {
  static constexpr int nodes = 6, corners = 3;
  static constexpr CellShape shape = CellShape::triangle6;
  static constexpr double measure = 0.5, middle[2] = {1.0 / 3, 1.0 / 3};
  static void evaluate(const double* p, double* N, Eigen::Matrix<double, nodes, 2>& d);
  static const std::vector<IntegrationPoint>& points();
};

enum class Kind { stress, strain, ring };

/// Strains ordered xx yy zz xy.
inline Mat4 elasticity(Kind kind, const Elastic& m) {
  Mat4 D = Mat4::Zero();
  D(3, 3) = m.young / (2 * (1 + m.poisson));
  if (kind == Kind::stress) {
    const double c = m.young / (1 - m.poisson * m.poisson);
    D.topLeftCorner<2, 2>() << c, m.poisson * c, m.poisson * c, c;
    return D;
  }
  const Mat6 solid = hooke(m);
  D.topLeftCorner<3, 3>() = solid.topLeftCorner<3, 3>();
  return D;
}

template <class Shape, Kind kind>
struct PlaneElement {
  static constexpr int n = Shape::nodes;
  using Strain = Eigen::Matrix<double, 4, 2 * n>;

  struct Point {
    double N[n], det, radius;
    Strain B;
  };

  static Point evaluate(std::span<const Vec3> x, const double* p) {
    Point out;
    Eigen::Matrix<double, n, 2> d;
    Shape::evaluate(p, out.N, d);
    Eigen::Matrix2d J = Eigen::Matrix2d::Zero();
    out.radius = 0;
    for (int a = 0; a < n; ++a) {
      J += x[a].template head<2>() * d.row(a);
      out.radius += out.N[a] * x[a].x();
    }
    out.det = J.determinant();
    const Eigen::Matrix<double, n, 2> g = d * J.inverse();
    out.B.setZero();
    for (int a = 0; a < n; ++a) {
      out.B(0, 2 * a) = out.B(3, 2 * a + 1) = g(a, 0);
      out.B(1, 2 * a + 1) = out.B(3, 2 * a) = g(a, 1);
      // On the axis itself u/x is ∂u/∂x.
      if (kind == Kind::ring) out.B(2, 2 * a) = out.radius > 0 ? out.N[a] / out.radius : g(a, 0);
    }
    return out;
  }

  static void matrices(const ElementInput& in, ElementMatrices& out) {
    const Mat4 D = elasticity(kind, in.material);
    Eigen::Matrix<double, 2 * n, 2 * n> K = Eigen::Matrix<double, 2 * n, 2 * n>::Zero();
    Eigen::Matrix<double, n, n> M = Eigen::Matrix<double, n, n>::Zero();
    for (const IntegrationPoint& p : Shape::points()) {
      const Point at = evaluate(in.x, p.at);
      const double across = kind == Kind::ring ? 2 * std::numbers::pi * at.radius : in.section.thickness;
      const double volume = p.weight * at.det * across;
      K.noalias() += at.B.transpose() * (volume * D * at.B);
      const Eigen::Map<const Eigen::Matrix<double, n, 1>> N(at.N);
      M.noalias() += in.material.density * volume * N * N.transpose();
    }
    out.K = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    out.M = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) {
        for (int i = 0; i < 2; ++i)
          for (int j = 0; j < 2; ++j)
            out.K(3 * a + i, 3 * b + j) = 0.5 * (K(2 * a + i, 2 * b + j) + K(2 * b + j, 2 * a + i));
        for (int i = 0; i < 3; ++i) out.M(3 * a + i, 3 * b + i) = M(a, b);
      }
  }

  static double quality(std::span<const Vec3> x) {
    double least = 1e300, size = 0;
    for (int a = 1; a < Shape::corners; ++a) size = std::max(size, (x[a] - x[0]).norm());
    for (const IntegrationPoint& p : Shape::points()) least = std::min(least, evaluate(x, p.at).det);
    return size > 0 ? Shape::measure * least / (size * size) : 0;
  }

  static void stress(const ElementInput& in, std::span<const double> u, ElementStress& out) {
    Eigen::Matrix<double, 2 * n, 1> q;
    for (int a = 0; a < n; ++a) q[2 * a] = u[3 * a], q[2 * a + 1] = u[3 * a + 1];
    const Eigen::Vector4d s = elasticity(kind, in.material) * (evaluate(in.x, Shape::middle).B * q);
    out.stress = {s[0], s[1], s[2], s[3], 0, 0};
    out.von_mises = von_mises(out.stress);
  }

  static ElementType type(const char* name, const char* help) {
    return {.name = name,
            .help = help,
            .citation = "Hughes1987",
            .shape = Shape::shape,
            .dofs = 3,
            .matrices = matrices,
            .quality = quality,
            .stress = stress,
            .plane = true,
            .ring = kind == Kind::ring};
  }
};

}  // namespace tappet::fem::plane
