#include "tappet/fem/element.hpp"

#include <cmath>
#include <string>

#include <Eigen/Geometry>

namespace tappet::fem {

const ElementType* default_element(CellShape shape, CellUse use) {
  const auto& registry = ElementRegistry::instance();
  if (use == CellUse::marks) return nullptr;
  if (use != CellUse::any)
    return registry.find((use == CellUse::plane_stress   ? "plane-stress"
                          : use == CellUse::plane_strain ? "plane-strain"
                                                         : "ring") +
                         std::to_string(node_count(shape)));
  switch (shape) {
    case CellShape::line:
      return registry.find("beam");
    case CellShape::triangle:
      return registry.find("shell3");
    case CellShape::quadrangle:
      return registry.find("shell4");
    case CellShape::tetrahedron:
      return registry.find("tet4");
    case CellShape::tetrahedron10:
      return registry.find("tet10");
    case CellShape::hexahedron:
      return registry.find("hex8");
    case CellShape::line3:
      return registry.find("beam3");
    case CellShape::triangle6:
      return registry.find("shell6");
    case CellShape::quadrangle8:
      return registry.find("shell8");
    case CellShape::hexahedron20:
      return registry.find("hex20");
    case CellShape::wedge:
      return registry.find("wedge6");
    case CellShape::wedge15:
      return registry.find("wedge15");
    default:
      return nullptr;
  }
}

Eigen::VectorXd lumped(const Eigen::MatrixXd& m, int nodes, int dofs) {
  Eigen::VectorXd out = m.diagonal();
  if (out.size() != nodes * dofs) return out;
  // A rigid translation along x, y, z feels the whole mass, which is the same for each.
  double total = 0, sum = 0;
  for (int i = 0; i < nodes; ++i) {
    sum += out[dofs * i] + out[dofs * i + 1] + out[dofs * i + 2];
    for (int j = 0; j < nodes; ++j)
      for (int d = 0; d < 3; ++d) total += m(dofs * i + d, dofs * j + d);
  }
  if (sum > 0) out *= total / sum;
  // Every direction of a node alike, so that turning the mesh changes nothing.
  for (int i = 0; i < nodes; ++i)
    for (int first = 0; first < dofs; first += 3) {
      auto part = out.segment<3>(dofs * i + first);
      part.setConstant(part.mean());
    }
  return out;
}

Mat3 shell_axes(const Vec3& n) {
  const Vec3 x = std::abs(n.x()) < 0.999 ? Vec3::UnitX() : Vec3::UnitY();
  Mat3 out;
  out.col(0) = (x - x.dot(n) * n).normalized();
  out.col(1) = n.cross(out.col(0));
  out.col(2) = n;
  return out;
}

Mat3 beam_axes(const Vec3& along, Vec3 up) {
  Mat3 R;
  R.col(0) = along;
  // A beam along `up` has its z towards the world's x.
  if (along.cross(up).norm() < 1e-6 * up.norm())
    up = std::abs(along.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitZ();
  R.col(1) = up.cross(along).normalized();
  R.col(2) = along.cross(R.col(1));
  return R;
}

double von_mises(const std::array<double, 6>& s) {
  const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return std::sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

}  // namespace tappet::fem
