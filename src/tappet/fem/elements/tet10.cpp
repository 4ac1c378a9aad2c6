// 10-node tetrahedron: quadratic displacement; stiffness by four points, mass by a product rule that is exact
// for straight edges [Hughes 1987]. Mid-edge nodes 5–10 lie on the edges 12, 23, 31, 14, 24, 34.
#include <cmath>

#include <Eigen/LU>

#include "tappet/fem/geometric.hpp"

namespace tappet::fem::elements::tet10 {
namespace {

constexpr int edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

using Vec10 = Eigen::Matrix<double, 10, 1>;
using Mat10x3 = Eigen::Matrix<double, 10, 3>;
using Strain = Eigen::Matrix<double, 6, 30>;

struct Point {
  double l[4];  // volume coordinates
};

Point point(double r, double s, double t) {
  return {{1 - r - s - t, r, s, t}};
}

Vec10 shape(const Point& p) {
  Vec10 n;
  for (int a = 0; a < 4; ++a) n[a] = p.l[a] * (2 * p.l[a] - 1);
  for (int e = 0; e < 6; ++e) n[4 + e] = 4 * p.l[edge[e][0]] * p.l[edge[e][1]];
  return n;
}

Mat10x3 shape_gradient(const Point& p) {
  // ∂L_a/∂(r, s, t)
  const Vec3 dl[4] = {Vec3(-1, -1, -1), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  Mat10x3 d;
  for (int a = 0; a < 4; ++a) d.row(a) = (4 * p.l[a] - 1) * dl[a].transpose();
  for (int e = 0; e < 6; ++e) {
    const int i = edge[e][0], j = edge[e][1];
    d.row(4 + e) = 4 * (p.l[i] * dl[j] + p.l[j] * dl[i]).transpose();
  }
  return d;
}

Mat3 jacobian(std::span<const Vec3> x, const Mat10x3& d) {
  Mat3 J = Mat3::Zero();
  for (int a = 0; a < 10; ++a) J += x[a] * d.row(a);
  return J;
}

Strain strain(const Mat10x3& d, const Mat3& J) {
  const Mat10x3 grad = d * J.inverse();
  Strain B;
  for (int a = 0; a < 10; ++a) B.middleCols<3>(3 * a) = strain_block(grad.row(a).transpose());
  return B;
}

// Four points: exact for polynomials of degree 2.
constexpr double inner = 0.1381966011250105, outer = 0.5854101966249685;

Point gauss(int k) {
  Point p{{inner, inner, inner, inner}};
  p.l[k] = outer;
  return p;
}

void matrices(const ElementInput& in, ElementMatrices& out) {
  const Mat6 D = hooke(in.material);
  out.K = Eigen::MatrixXd::Zero(30, 30);
  for (int k = 0; k < 4; ++k) {
    const Mat10x3 d = shape_gradient(gauss(k));
    const Mat3 J = jacobian(in.x, d);
    const Strain B = strain(d, J);
    out.K.noalias() += B.transpose() * (J.determinant() / 24 * D * B);
  }
  // Gauss' points of a cube, brought to the tetrahedron: exact for degree 4 and straight edges.
  out.M = Eigen::MatrixXd::Zero(30, 30);
  const double near = 0.5 * std::sqrt(3.0 / 7 - 2.0 / 7 * std::sqrt(1.2)),
               far = 0.5 * std::sqrt(3.0 / 7 + 2.0 / 7 * std::sqrt(1.2)), wn = (18 + std::sqrt(30.0)) / 72,
               wf = (18 - std::sqrt(30.0)) / 72;
  const double g[] = {0.5 - far, 0.5 - near, 0.5 + near, 0.5 + far}, w[] = {wf, wn, wn, wf};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k) {
        // r = a, s = b (1 − a), t = c (1 − a)(1 − b)
        const double a = g[i], b = g[j], c = g[k];
        const Point p = point(a, b * (1 - a), c * (1 - a) * (1 - b));
        const double weight = w[i] * w[j] * w[k] * (1 - a) * (1 - a) * (1 - b);
        const double m = in.material.density * weight * jacobian(in.x, shape_gradient(p)).determinant();
        const Vec10 N = shape(p);
        for (int n = 0; n < 10; ++n)
          for (int o = 0; o < 10; ++o)
            for (int x = 0; x < 3; ++x) out.M(3 * n + x, 3 * o + x) += m * N[n] * N[o];
      }
}

double quality(std::span<const Vec3> x) {
  double size = 0, least = 1e300;
  for (int a = 1; a < 4; ++a) size = std::max(size, (x[a] - x[0]).norm());
  for (int k = 0; k < 4; ++k) least = std::min(least, jacobian(x, shape_gradient(gauss(k))).determinant());
  return size > 0 ? least / (size * size * size) : 0;
}

void stress(const ElementInput& in, std::span<const double> u, ElementStress& out) {
  const Eigen::Map<const Eigen::Matrix<double, 30, 1>> q(u.data());
  const Mat10x3 d = shape_gradient(point(0.25, 0.25, 0.25));
  keep_stress(hooke(in.material) * (strain(d, jacobian(in.x, d)) * q), out);
}

void geometric(const ElementInput& in, std::span<const double> u, Eigen::MatrixXd& out) {
  const Eigen::Map<const Eigen::Matrix<double, 30, 1>> q(u.data());
  const Mat6 D = hooke(in.material);
  out = Eigen::MatrixXd::Zero(30, 30);
  for (int k = 0; k < 4; ++k) {
    const Mat10x3 d = shape_gradient(gauss(k));
    const Mat3 J = jacobian(in.x, d);
    const Vec6 stress = D * (strain(d, J) * q);
    add_geometric(J.determinant() / 24, Mat10x3(d * J.inverse()), tensor_of(stress), 3, out);
  }
}

const Registration<ElementType> registered{{.name = "tet10",
                                            .help = "10-node tetrahedron, quadratic displacement",
                                            .citation = "Hughes1987",
                                            .shape = CellShape::tetrahedron10,
                                            .dofs = 3,
                                            .matrices = matrices,
                                            .quality = quality,
                                            .stress = stress,
                                            .geometric = geometric}};

}  // namespace
}  // namespace tappet::fem::elements::tet10
