// Solid elements by shape functions and points of integration:
//
//   u = Σ N_a(ξ) u_a,   x = Σ N_a(ξ) x_a,   K = Σ w det J Bᵀ D B,   M = Σ w det J ρ Nᵀ N        [Hughes 1987, chapter 3]
//
// An element is a struct with `nodes`, `shape(p)` (N at a point p of the parameters), `gradient(p)` (∂N/∂ξ, one row per node),
// `points()` (where and with which weights to integrate, for stiffness and mass alike) and `middle()`.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include <Eigen/LU>

#include "tappet/fem/geometric.hpp"

namespace tappet::fem {

struct IntegrationPoint {
  Vec3 at;
  double weight;
};

template <class Shape>
struct Isoparametric {
  static constexpr int n = Shape::nodes;
  using Gradient = Eigen::Matrix<double, n, 3>;
  using Strain = Eigen::Matrix<double, 6, 3 * n>;

  /// J_ij = ∂x_i/∂ξ_j.
  static Mat3 jacobian(std::span<const Vec3> x, const Gradient& d) {
    Mat3 J = Mat3::Zero();
    for (int a = 0; a < n; ++a) J += x[a] * d.row(a);
    return J;
  }

  static Strain strain(const Gradient& d, const Mat3& J) {
    const Gradient g = d * J.inverse();
    Strain B;
    for (int a = 0; a < n; ++a) B.template middleCols<3>(3 * a) = strain_block(g.row(a).transpose());
    return B;
  }

  static void matrices(const ElementInput& in, ElementMatrices& out) {
    const Mat6 D = hooke(in.material);
    out.K = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    out.M = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    for (const IntegrationPoint& p : Shape::points()) {
      const Gradient d = Shape::gradient(p.at);
      const Mat3 J = jacobian(in.x, d);
      const double volume = p.weight * J.determinant();
      const Strain B = strain(d, J);
      out.K.noalias() += B.transpose() * (volume * D * B);
      const Eigen::Matrix<double, n, 1> N = Shape::shape(p.at);
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
          for (int i = 0; i < 3; ++i)
            out.M(3 * a + i, 3 * b + i) += in.material.density * volume * N[a] * N[b];
    }
    out.K = (0.5 * (out.K + out.K.transpose())).eval();
  }

  static double quality(std::span<const Vec3> x) {
    double least = 1e300, size = 0;
    for (int a = 1; a < Shape::corners; ++a) size = std::max(size, (x[a] - x[0]).norm());
    for (const IntegrationPoint& p : Shape::points())
      least = std::min(least, jacobian(x, Shape::gradient(p.at)).determinant());
    return size > 0 ? Shape::measure * least / (size * size * size) : 0;
  }

  static void stress(const ElementInput& in, std::span<const double> u, ElementStress& out) {
    const Eigen::Map<const Eigen::Matrix<double, 3 * n, 1>> q(u.data());
    const Gradient d = Shape::gradient(Shape::middle());
    keep_stress(hooke(in.material) * (strain(d, jacobian(in.x, d)) * q), out);
  }

  static void geometric(const ElementInput& in, std::span<const double> u, Eigen::MatrixXd& out) {
    const Eigen::Map<const Eigen::Matrix<double, 3 * n, 1>> q(u.data());
    const Mat6 D = hooke(in.material);
    out = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    for (const IntegrationPoint& p : Shape::points()) {
      const Gradient d = Shape::gradient(p.at);
      const Mat3 J = jacobian(in.x, d);
      const Vec6 stress = D * (strain(d, J) * q);
      add_geometric(p.weight * J.determinant(), Gradient(d * J.inverse()), tensor_of(stress), 3, out);
    }
  }
};

/// Gauss' points of a line from −1 to 1, exact for degree 5.
inline constexpr double gauss3_at[] = {-0.7745966692414834, 0, 0.7745966692414834};
inline constexpr double gauss3_weight[] = {5.0 / 9, 8.0 / 9, 5.0 / 9};

}  // namespace tappet::fem
