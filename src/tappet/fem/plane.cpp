#include "tappet/fem/plane.hpp"

#include "tappet/fem/isoparametric.hpp"

namespace tappet::fem::plane {

namespace {

/// Corners, then the middles of the edges, of the square from −1 to 1.
constexpr double corner[8][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}};

/// N = f_ξ f_η with the derivatives of both, of the factor f that a node at `a` has.
struct Factor {
  double value, slope;
};
Factor linear(double a, double p) {
  return {0.5 * (1 + a * p), 0.5 * a};
}

}  // namespace

void Quadrangle::evaluate(const double* p, double* N, Eigen::Matrix<double, 4, 2>& d) {
  for (int a = 0; a < 4; ++a) {
    const Factor x = linear(corner[a][0], p[0]), y = linear(corner[a][1], p[1]);
    N[a] = x.value * y.value;
    d.row(a) << x.slope * y.value, x.value * y.slope;
  }
}

const std::vector<IntegrationPoint>& Quadrangle::points() {
  static const std::vector<IntegrationPoint> all = [] {
    const double g = 1 / std::sqrt(3.0);
    return std::vector<IntegrationPoint>{{{-g, -g}, 1}, {{g, -g}, 1}, {{-g, g}, 1}, {{g, g}, 1}};
  }();
  return all;
}

//   corners  N = (1 + ξ_a ξ)(1 + η_a η)(ξ_a ξ + η_a η − 1)/4,   edges  N = (1 − ξ²)(1 + η_a η)/2
void Quadrangle8::evaluate(const double* p, double* N, Eigen::Matrix<double, 8, 2>& d) {
  for (int a = 0; a < 8; ++a) {
    const double s = corner[a][0], t = corner[a][1], x = p[0], y = p[1];
    if (a < 4) {
      const double sum = s * x + t * y - 1;
      N[a] = (1 + s * x) * (1 + t * y) * sum / 4;
      d(a, 0) = s * (1 + t * y) * (sum + 1 + s * x) / 4;
      d(a, 1) = t * (1 + s * x) * (sum + 1 + t * y) / 4;
    } else {
      const double u = s == 0 ? 1 - x * x : 1 + s * x, v = t == 0 ? 1 - y * y : 1 + t * y;
      N[a] = u * v / 2;
      d(a, 0) = (s == 0 ? -2 * x : s) * v / 2;
      d(a, 1) = u * (t == 0 ? -2 * y : t) / 2;
    }
  }
}

const std::vector<IntegrationPoint>& Quadrangle8::points() {
  static const std::vector<IntegrationPoint> all = [] {
    std::vector<IntegrationPoint> out;
    for (int k = 0; k < 9; ++k)
      out.push_back({{gauss3_at[k % 3], gauss3_at[k / 3]}, gauss3_weight[k % 3] * gauss3_weight[k / 3]});
    return out;
  }();
  return all;
}

void Triangle::evaluate(const double* p, double* N, Eigen::Matrix<double, 3, 2>& d) {
  N[0] = 1 - p[0] - p[1], N[1] = p[0], N[2] = p[1];
  d << -1, -1, 1, 0, 0, 1;
}

const std::vector<IntegrationPoint>& Triangle::points() {
  static const std::vector<IntegrationPoint> all = {
      {{1.0 / 6, 1.0 / 6}, 1.0 / 6}, {{2.0 / 3, 1.0 / 6}, 1.0 / 6}, {{1.0 / 6, 2.0 / 3}, 1.0 / 6}};
  return all;
}

//   corners  N = L_a (2 L_a − 1),   edges  N = 4 L_a L_b
void Triangle6::evaluate(const double* p, double* N, Eigen::Matrix<double, 6, 2>& d) {
  const double L[3] = {1 - p[0] - p[1], p[0], p[1]};
  const Eigen::RowVector2d dL[3] = {{-1, -1}, {1, 0}, {0, 1}};
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3;
    N[a] = L[a] * (2 * L[a] - 1);
    d.row(a) = (4 * L[a] - 1) * dL[a];
    N[3 + a] = 4 * L[a] * L[b];
    d.row(3 + a) = 4 * (L[a] * dL[b] + L[b] * dL[a]);
  }
}

// Radon's formula of degree 5 [Zienkiewicz & Taylor 2000].
const std::vector<IntegrationPoint>& Triangle6::points() {
  static const std::vector<IntegrationPoint> all = [] {
    const double root = std::sqrt(15.0);
    std::vector<IntegrationPoint> out = {{{1.0 / 3, 1.0 / 3}, 9.0 / 80}};
    for (const double sign : {-1.0, 1.0}) {
      const double a = (6 + sign * root) / 21, w = (155 + sign * root) / 2400;
      for (const auto& [x, y] : {std::pair(a, a), std::pair(1 - 2 * a, a), std::pair(a, 1 - 2 * a)})
        out.push_back({{x, y}, w});
    }
    return out;
  }();
  return all;
}

}  // namespace tappet::fem::plane
