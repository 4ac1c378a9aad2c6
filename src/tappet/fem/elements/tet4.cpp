// 4-node tetrahedron: linear displacement, constant strain [Hughes 1987]. Stiff in bending and near
// incompressibility: the 10-node one is the better choice where it matters.
#include <cmath>

#include <Eigen/LU>

#include "tappet/fem/geometric.hpp"

namespace tappet::fem::elements::tet4 {
namespace {

using Strain = Eigen::Matrix<double, 6, 12>;

Mat3 edges(std::span<const Vec3> x) {
  Mat3 J;
  J << x[1] - x[0], x[2] - x[0], x[3] - x[0];
  return J;
}

Strain strain(std::span<const Vec3> x) {
  const Mat3 inverse = edges(x).inverse();  // rows: gradients of N₁, N₂, N₃
  Strain B;
  for (int a = 1; a < 4; ++a) B.middleCols<3>(3 * a) = strain_block(inverse.row(a - 1).transpose());
  B.leftCols<3>() = strain_block(-inverse.colwise().sum().transpose());
  return B;
}

void matrices(const ElementInput& in, ElementMatrices& out) {
  const double volume = edges(in.x).determinant() / 6;
  const Strain B = strain(in.x);
  out.K = volume * B.transpose() * hooke(in.material) * B;
  out.M = Eigen::MatrixXd::Zero(12, 12);
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b)
      for (int i = 0; i < 3; ++i)
        out.M(3 * a + i, 3 * b + i) = in.material.density * volume * (a == b ? 0.1 : 0.05);
}

double quality(std::span<const Vec3> x) {
  double size = 0;
  for (int a = 1; a < 4; ++a) size = std::max(size, (x[a] - x[0]).norm());
  return size > 0 ? edges(x).determinant() / (size * size * size) : 0;
}

void stress(const ElementInput& in, std::span<const double> u, ElementStress& out) {
  const Eigen::Map<const Eigen::Matrix<double, 12, 1>> q(u.data());
  keep_stress(hooke(in.material) * (strain(in.x) * q), out);
}

void geometric(const ElementInput& in, std::span<const double> u, Eigen::MatrixXd& out) {
  const Eigen::Map<const Eigen::Matrix<double, 12, 1>> q(u.data());
  const Strain B = strain(in.x);
  const Vec6 stress = hooke(in.material) * (B * q);
  Eigen::Matrix<double, 4, 3> gradients;
  for (int a = 0; a < 4; ++a) gradients.row(a) << B(0, 3 * a), B(1, 3 * a + 1), B(2, 3 * a + 2);
  out = Eigen::MatrixXd::Zero(12, 12);
  add_geometric(edges(in.x).determinant() / 6, gradients, tensor_of(stress), 3, out);
}

const Registration<ElementType> registered{{.name = "tet4",
                                            .help = "4-node tetrahedron, constant strain",
                                            .citation = "Hughes1987",
                                            .shape = CellShape::tetrahedron,
                                            .dofs = 3,
                                            .matrices = matrices,
                                            .quality = quality,
                                            .stress = stress,
                                            .geometric = geometric}};

}  // namespace
}  // namespace tappet::fem::elements::tet4
