// 8-node brick with enhanced assumed strain: no locking in shear or bending, nor near incompressibility.
//
//   ε = B u + (j₀/j) T₀ M(ξ) α,    ∂Π/∂α = 0 eliminates the α of each element
//
// The compatible strain of trilinear shape functions lacks what bending needs. M brings it: ε_ξξ: ξ, ε_ηη: η,
// ε_ζζ: ζ; γ_ξη: ξ, η; γ_ηζ: η, ζ; γ_ζξ: ζ, ξ (nine modes, those of Wilson and Taylor) and the volume strain
// ξη, ηζ, ζξ, without which a nearly incompressible brick is too stiff. T₀ turns strains of the parameter
// axes at the centre into world axes. Each mode's integral vanishes, so that constant stress is exact in
// bricks of any shape (the patch test). [Simo & Rifai 1990; Simo, Armero & Taylor 1993: the twelve modes]
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "tappet/fem/geometric.hpp"

namespace tappet::fem::elements::hex8 {
namespace {

constexpr int modes = 12;
constexpr double corner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                 {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

using Mat8x3 = Eigen::Matrix<double, 8, 3>;
using Strain = Eigen::Matrix<double, 6, 24>;
using Modes = Eigen::Matrix<double, 6, modes>;

Eigen::Matrix<double, 8, 1> shape(const Vec3& p) {
  Eigen::Matrix<double, 8, 1> n;
  for (int a = 0; a < 8; ++a)
    n[a] = (1 + corner[a][0] * p[0]) * (1 + corner[a][1] * p[1]) * (1 + corner[a][2] * p[2]) / 8;
  return n;
}

Mat8x3 shape_gradient(const Vec3& p) {
  Mat8x3 d;
  for (int a = 0; a < 8; ++a)
    for (int i = 0; i < 3; ++i) {
      double v = corner[a][i] / 8;
      for (int k = 0; k < 3; ++k)
        if (k != i) v *= 1 + corner[a][k] * p[k];
      d(a, i) = v;
    }
  return d;
}

/// J_ij = ∂x_i/∂ξ_j.
Mat3 jacobian(std::span<const Vec3> x, const Mat8x3& d) {
  Mat3 J = Mat3::Zero();
  for (int a = 0; a < 8; ++a) J += x[a] * d.row(a);
  return J;
}

struct Centre {
  Mat3 inverse;  // of J
  double det;
};

Centre centre(std::span<const Vec3> x) {
  const Mat3 J = jacobian(x, shape_gradient(Vec3::Zero()));
  return {J.inverse(), J.determinant()};
}

Modes enhanced(const Vec3& p, const Centre& c, double det) {
  // The tensor e of parameter axes is J⁻ᵀ e J⁻¹ in the world.
  Modes m = Modes::Zero();
  int column = 0;
  const auto add = [&](int i, int j, double value) {
    Mat3 e = Mat3::Zero();
    e(i, j) += 0.5 * value, e(j, i) += 0.5 * value;
    const Mat3 w = c.inverse.transpose() * e * c.inverse;
    m.col(column++) << w(0, 0), w(1, 1), w(2, 2), 2 * w(0, 1), 2 * w(1, 2), 2 * w(2, 0);
  };
  for (int i = 0; i < 3; ++i) add(i, i, p[i]);
  for (int i = 0; i < 3; ++i) add(i, (i + 1) % 3, p[i]), add(i, (i + 1) % 3, p[(i + 1) % 3]);
  for (int i = 0; i < 3; ++i) m.col(column++).head<3>().setConstant(p[i] * p[(i + 1) % 3]);
  return m * (c.det / det);
}

template <class Visit>
void at_gauss_points(std::span<const Vec3> x, Visit&& visit) {
  const Centre c = centre(x);
  const double g = 1 / std::sqrt(3.0);
  for (const auto& k : corner) {
    const Vec3 p = g * Vec3(k[0], k[1], k[2]);
    const Mat8x3 d = shape_gradient(p);
    const Mat3 J = jacobian(x, d);
    const double det = J.determinant();
    const Mat8x3 grad = d * J.inverse();
    Strain B;
    for (int a = 0; a < 8; ++a) B.middleCols<3>(3 * a) = strain_block(grad.row(a).transpose());
    visit(p, det, B, enhanced(p, c, det));
  }
}

struct Parts {
  Eigen::Matrix<double, 24, 24> uu = Eigen::Matrix<double, 24, 24>::Zero();
  Eigen::Matrix<double, modes, 24> au = Eigen::Matrix<double, modes, 24>::Zero();
  Eigen::Matrix<double, modes, modes> aa = Eigen::Matrix<double, modes, modes>::Zero();
};

Parts parts(const ElementInput& in) {
  const Mat6 D = hooke(in.material);
  Parts out;
  at_gauss_points(in.x, [&](const Vec3&, double det, const Strain& B, const Modes& m) {
    const Strain DB = det * D * B;
    out.uu.noalias() += B.transpose() * DB;
    out.au.noalias() += m.transpose() * DB;
    out.aa.noalias() += m.transpose() * (det * D * m);
  });
  return out;
}

void matrices(const ElementInput& in, ElementMatrices& out) {
  const Parts k = parts(in);
  out.K = k.uu - k.au.transpose() * k.aa.ldlt().solve(k.au);
  out.K = (0.5 * (out.K + out.K.transpose())).eval();
  out.M = Eigen::MatrixXd::Zero(24, 24);
  at_gauss_points(in.x, [&](const Vec3& p, double det, const Strain&, const Modes&) {
    const auto N = shape(p);
    for (int a = 0; a < 8; ++a)
      for (int b = 0; b < 8; ++b)
        for (int i = 0; i < 3; ++i) out.M(3 * a + i, 3 * b + i) += in.material.density * det * N[a] * N[b];
  });
}

double quality(std::span<const Vec3> x) {
  double least = 1e300, size = 0;
  for (int a = 0; a < 8; ++a) size = std::max(size, (x[a] - x[0]).norm());
  const double g = 1 / std::sqrt(3.0);
  for (const auto& k : corner)
    least = std::min(least, jacobian(x, shape_gradient(g * Vec3(k[0], k[1], k[2]))).determinant());
  return size > 0 ? 8 * least / (size * size * size) : 0;
}

void stress(const ElementInput& in, std::span<const double> u, ElementStress& out) {
  const Parts k = parts(in);
  const Eigen::Map<const Eigen::VectorXd> q(u.data(), 24);
  const Eigen::VectorXd alpha = -k.aa.ldlt().solve(k.au * q);
  // The mean over the points of integration.
  Vec6 sum = Vec6::Zero();
  double volume = 0;
  at_gauss_points(in.x, [&](const Vec3&, double det, const Strain& B, const Modes& m) {
    sum += det * (B * q + m * alpha);
    volume += det;
  });
  keep_stress(hooke(in.material) * sum / volume, out);
}

void geometric(const ElementInput& in, std::span<const double> u, Eigen::MatrixXd& out) {
  const Parts k = parts(in);
  const Eigen::Map<const Eigen::VectorXd> q(u.data(), 24);
  const Eigen::VectorXd alpha = -k.aa.ldlt().solve(k.au * q);
  const Mat6 D = hooke(in.material);
  out = Eigen::MatrixXd::Zero(24, 24);
  at_gauss_points(in.x, [&](const Vec3&, double det, const Strain& B, const Modes& m) {
    const Vec6 stress = D * (B * q + m * alpha);
    Mat8x3 gradients;
    for (int a = 0; a < 8; ++a) gradients.row(a) << B(0, 3 * a), B(1, 3 * a + 1), B(2, 3 * a + 2);
    add_geometric(det, gradients, tensor_of(stress), 3, out);
  });
}

const Registration<ElementType> registered{{.name = "hex8",
                                            .help = "8-node brick, enhanced assumed strain (12 modes)",
                                            .citation = "Simo1993",
                                            .shape = CellShape::hexahedron,
                                            .dofs = 3,
                                            .matrices = matrices,
                                            .quality = quality,
                                            .stress = stress,
                                            .geometric = geometric}};

}  // namespace
}  // namespace tappet::fem::elements::hex8
