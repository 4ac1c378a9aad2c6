// 15-node wedge: quadratic displacement (serendipity), 7 × 3 points of integration [Zienkiewicz & Taylor 2000].
//
//   corners          N = L_a [(2 L_a − 1)(1 + ζ_a ζ) − (1 − ζ²)]/2
//   triangles' edges N = 2 L_a L_b (1 + ζ_a ζ)
//   edges along ζ    N = L_a (1 − ζ²)
//
// L = (1 − ξ − η, ξ, η); ζ_a = ∓1 on the first and the second triangle.
#include <array>
#include <cmath>

#include "tappet/fem/isoparametric.hpp"

namespace tappet::fem::elements::wedge15 {
namespace {

struct Shape {
  static constexpr int nodes = 15, corners = 6;
  static constexpr double measure = 1;

  static Vec3 middle() { return {1.0 / 3, 1.0 / 3, 0}; }

  static Eigen::Matrix<double, 15, 1> shape(const Vec3& p) {
    const double L[3] = {1 - p[0] - p[1], p[0], p[1]}, z = p[2];
    Eigen::Matrix<double, 15, 1> N;
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3;
      for (int top = 0; top < 2; ++top) {
        const double side = 1 + (top ? z : -z);
        N[a + 3 * top] = 0.5 * L[a] * ((2 * L[a] - 1) * side - (1 - z * z));
        N[6 + a + 3 * top] = 2 * L[a] * L[b] * side;
      }
      N[12 + a] = L[a] * (1 - z * z);
    }
    return N;
  }

  static Eigen::Matrix<double, 15, 3> gradient(const Vec3& p) {
    const double L[3] = {1 - p[0] - p[1], p[0], p[1]}, z = p[2];
    const Eigen::RowVector2d dL[3] = {{-1, -1}, {1, 0}, {0, 1}};
    Eigen::Matrix<double, 15, 3> d;
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3;
      for (int top = 0; top < 2; ++top) {
        const double sign = top ? 1 : -1, side = 1 + sign * z;
        d.row(a + 3 * top) << 0.5 * ((4 * L[a] - 1) * side - (1 - z * z)) * dL[a],
            0.5 * L[a] * ((2 * L[a] - 1) * sign + 2 * z);
        d.row(6 + a + 3 * top) << 2 * side * (L[a] * dL[b] + L[b] * dL[a]), 2 * L[a] * L[b] * sign;
      }
      d.row(12 + a) << (1 - z * z) * dL[a], -2 * z * L[a];
    }
    return d;
  }

  // Seven points over the triangle, exact for degree 5 [Radon 1948], times three along.
  static const std::array<IntegrationPoint, 21>& points() {
    static const std::array<IntegrationPoint, 21> all = [] {
      const double root = std::sqrt(15.0), near = (6 - root) / 21, far = (6 + root) / 21,
                   w_near = (155 - root) / 2400, w_far = (155 + root) / 2400;
      const double at[7][3] = {
          {1.0 / 3, 1.0 / 3, 9.0 / 80}, {near, near, w_near}, {1 - 2 * near, near, w_near},
          {near, 1 - 2 * near, w_near}, {far, far, w_far},    {1 - 2 * far, far, w_far},
          {far, 1 - 2 * far, w_far}};
      std::array<IntegrationPoint, 21> out;
      for (int k = 0; k < 21; ++k) {
        const double* t = at[k % 7];
        out[k] = {{t[0], t[1], gauss3_at[k / 7]}, t[2] * gauss3_weight[k / 7]};
      }
      return out;
    }();
    return all;
  }
};

const Registration<ElementType> registered{{.name = "wedge15",
                                            .help = "15-node wedge, quadratic displacement",
                                            .citation = "Zienkiewicz2000",
                                            .shape = CellShape::wedge15,
                                            .dofs = 3,
                                            .matrices = Isoparametric<Shape>::matrices,
                                            .quality = Isoparametric<Shape>::quality,
                                            .stress = Isoparametric<Shape>::stress,
                                            .geometric = Isoparametric<Shape>::geometric}};

}  // namespace
}  // namespace tappet::fem::elements::wedge15
