// 20-node brick: quadratic displacement without the middles of faces (serendipity), 3 × 3 × 3 points of integration.
//
//   corners   N = (1 + ξ_a ξ)(1 + η_a η)(1 + ζ_a ζ)(ξ_a ξ + η_a η + ζ_a ζ − 2)/8
//   edges     N = (1 − ξ²)(1 + η_a η)(1 + ζ_a ζ)/4 for an edge along ξ, and so on              [Zienkiewicz & Taylor 2000]
//
// Bending of a box-shaped brick is exact. All points of integration are used, so that nothing but rigid motion is free of
// energy: C3D20R of Abaqus and CalculiX uses 2 × 2 × 2 and is softer in coarse meshes.
#include <array>

#include "tappet/fem/isoparametric.hpp"

namespace tappet::fem::elements::hex20 {
namespace {

constexpr double node[20][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1},
                                {1, -1, 1},   {1, 1, 1},   {-1, 1, 1}, {0, -1, -1}, {1, 0, -1},
                                {0, 1, -1},   {-1, 0, -1}, {0, -1, 1}, {1, 0, 1},   {0, 1, 1},
                                {-1, 0, 1},   {-1, -1, 0}, {1, -1, 0}, {1, 1, 0},   {-1, 1, 0}};

struct Shape {
  static constexpr int nodes = 20, corners = 8;
  static constexpr double measure = 8;  ///< of the cube of parameters

  static Vec3 middle() { return Vec3::Zero(); }

  static Eigen::Matrix<double, 20, 1> shape(const Vec3& p) {
    Eigen::Matrix<double, 20, 1> N;
    for (int a = 0; a < 20; ++a) {
      double v = 1, sum = -2;
      for (int k = 0; k < 3; ++k) {
        v *= node[a][k] == 0 ? 1 - p[k] * p[k] : 1 + node[a][k] * p[k];
        sum += node[a][k] * p[k];
      }
      N[a] = a < 8 ? v * sum / 8 : v / 4;
    }
    return N;
  }

  static Eigen::Matrix<double, 20, 3> gradient(const Vec3& p) {
    Eigen::Matrix<double, 20, 3> d;
    for (int a = 0; a < 20; ++a)
      for (int i = 0; i < 3; ++i) {
        // The factor of direction i differentiated, times the others.
        double others = 1, sum = -2;
        for (int k = 0; k < 3; ++k) {
          if (k != i) others *= node[a][k] == 0 ? 1 - p[k] * p[k] : 1 + node[a][k] * p[k];
          sum += node[a][k] * p[k];
        }
        const double own = node[a][i] == 0 ? 1 - p[i] * p[i] : 1 + node[a][i] * p[i],
                     slope = node[a][i] == 0 ? -2 * p[i] : node[a][i];
        d(a, i) = a < 8 ? others * (slope * sum + own * node[a][i]) / 8 : others * slope / 4;
      }
    return d;
  }

  static const std::array<IntegrationPoint, 27>& points() {
    static const std::array<IntegrationPoint, 27> all = [] {
      std::array<IntegrationPoint, 27> out;
      for (int k = 0; k < 27; ++k) {
        const int a = k % 3, b = k / 3 % 3, c = k / 9;
        out[k] = {{gauss3_at[a], gauss3_at[b], gauss3_at[c]},
                  gauss3_weight[a] * gauss3_weight[b] * gauss3_weight[c]};
      }
      return out;
    }();
    return all;
  }
};

const Registration<ElementType> registered{{.name = "hex20",
                                            .help = "20-node brick, quadratic displacement",
                                            .citation = "Zienkiewicz2000",
                                            .shape = CellShape::hexahedron20,
                                            .dofs = 3,
                                            .matrices = Isoparametric<Shape>::matrices,
                                            .quality = Isoparametric<Shape>::quality,
                                            .stress = Isoparametric<Shape>::stress,
                                            .geometric = Isoparametric<Shape>::geometric}};

}  // namespace
}  // namespace tappet::fem::elements::hex20
