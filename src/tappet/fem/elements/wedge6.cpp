// 6-node wedge: linear over the triangle, linear along; 3 × 2 points of integration. Stiff in bending, as tet4 is: where
// bricks meet around a hole or a corner is left over, it does [Zienkiewicz & Taylor 2000].
//
//   N = L_a (1 ∓ ζ)/2,   L = (1 − ξ − η, ξ, η),   ζ from −1 (first triangle) to 1
#include <array>
#include <cmath>

#include "tappet/fem/isoparametric.hpp"

namespace tappet::fem::elements::wedge6 {
namespace {

struct Shape {
  static constexpr int nodes = 6, corners = 6;
  static constexpr double measure = 1;  ///< of the wedge of parameters

  static Vec3 middle() { return {1.0 / 3, 1.0 / 3, 0}; }

  static Eigen::Matrix<double, 6, 1> shape(const Vec3& p) {
    const double L[3] = {1 - p[0] - p[1], p[0], p[1]};
    Eigen::Matrix<double, 6, 1> N;
    for (int a = 0; a < 6; ++a) N[a] = 0.5 * L[a % 3] * (1 + (a < 3 ? -p[2] : p[2]));
    return N;
  }

  static Eigen::Matrix<double, 6, 3> gradient(const Vec3& p) {
    const double L[3] = {1 - p[0] - p[1], p[0], p[1]}, dL[3][2] = {{-1, -1}, {1, 0}, {0, 1}};
    Eigen::Matrix<double, 6, 3> d;
    for (int a = 0; a < 6; ++a) {
      const double side = a < 3 ? -1 : 1;
      d.row(a) << 0.5 * dL[a % 3][0] * (1 + side * p[2]), 0.5 * dL[a % 3][1] * (1 + side * p[2]),
          0.5 * side * L[a % 3];
    }
    return d;
  }

  static const std::array<IntegrationPoint, 6>& points() {
    static const std::array<IntegrationPoint, 6> all = [] {
      std::array<IntegrationPoint, 6> out;
      const double at[3][2] = {{1.0 / 6, 1.0 / 6}, {2.0 / 3, 1.0 / 6}, {1.0 / 6, 2.0 / 3}},
                   g = 1 / std::sqrt(3.0);
      for (int k = 0; k < 6; ++k) out[k] = {{at[k % 3][0], at[k % 3][1], k < 3 ? -g : g}, 1.0 / 6};
      return out;
    }();
    return all;
  }
};

const Registration<ElementType> registered{{.name = "wedge6",
                                            .help = "6-node wedge, linear displacement: stiff in bending",
                                            .citation = "Zienkiewicz2000",
                                            .shape = CellShape::wedge,
                                            .dofs = 3,
                                            .matrices = Isoparametric<Shape>::matrices,
                                            .quality = Isoparametric<Shape>::quality,
                                            .stress = Isoparametric<Shape>::stress,
                                            .geometric = Isoparametric<Shape>::geometric}};

}  // namespace
}  // namespace tappet::fem::elements::wedge6
