// Bar of two nodes that carries tension and pressure alone: K = E A/L n nᵀ, M = ρ A L/6 [2 1; 1 2] in every
// direction [Hughes 1987].
#include <cmath>

#include "tappet/fem/element.hpp"

namespace tappet::fem::elements::truss {
namespace {

void matrices(const ElementInput& in, ElementMatrices& out) {
  const Vec3 along = in.x[1] - in.x[0];
  const double L = along.norm();
  const Mat3 k = in.material.young * in.section.area / (L * L * L) * along * along.transpose();
  out.K.resize(6, 6);
  out.K << k, -k, -k, k;
  const Mat3 m = in.material.density * in.section.area * L / 6 * Mat3::Identity();
  out.M.resize(6, 6);
  out.M << 2 * m, m, m, 2 * m;
}

double quality(std::span<const Vec3> x) {
  return (x[1] - x[0]).norm() > 0 ? 1 : 0;
}

void stress(const ElementInput& in, std::span<const double> u, ElementStress& out) {
  const Vec3 along = in.x[1] - in.x[0];
  const Eigen::Map<const Vec3> a(u.data()), b(u.data() + 3);
  out.stress[0] = in.material.young * along.dot(b - a) / along.squaredNorm();
  out.von_mises = std::abs(out.stress[0]);
}

// N/L for the directions across as along it: of second order both ends' whole difference turns or stretches the bar.
void geometric(const ElementInput& in, std::span<const double> u, Eigen::MatrixXd& out) {
  const Vec3 along = in.x[1] - in.x[0];
  const Eigen::Map<const Vec3> a(u.data()), b(u.data() + 3);
  const double pull =
      in.material.young * in.section.area * along.dot(b - a) / (along.squaredNorm() * along.norm());
  const Mat3 k = pull * Mat3::Identity();
  out.resize(6, 6);
  out << k, -k, -k, k;
}

const Registration<ElementType> registered{{.name = "truss",
                                            .help = "2-node bar, tension and pressure alone",
                                            .citation = "Hughes1987",
                                            .shape = CellShape::line,
                                            .dofs = 3,
                                            .matrices = matrices,
                                            .quality = quality,
                                            .stress = stress,
                                            .geometric = geometric}};

}  // namespace
}  // namespace tappet::fem::elements::truss
