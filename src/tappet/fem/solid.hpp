// What solid elements share: Hooke's law and strains from gradients of shape functions.
// Strains and stresses are ordered xx yy zz xy yz zx, shear strains as angles (γ = 2ε).
#pragma once

#include <Eigen/Core>

#include "tappet/fem/element.hpp"

namespace tappet::fem {

using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

inline Mat6 hooke(const Elastic& m) {
  const double lambda = m.young * m.poisson / ((1 + m.poisson) * (1 - 2 * m.poisson)),
               G = m.young / (2 * (1 + m.poisson));
  Mat6 D = Mat6::Zero();
  D.topLeftCorner<3, 3>().setConstant(lambda);
  D.diagonal() << lambda + 2 * G, lambda + 2 * G, lambda + 2 * G, G, G, G;
  return D;
}

/// Columns of a node whose shape function has the gradient g.
inline Eigen::Matrix<double, 6, 3> strain_block(const Vec3& g) {
  Eigen::Matrix<double, 6, 3> b;
  b << g.x(), 0, 0, 0, g.y(), 0, 0, 0, g.z(), g.y(), g.x(), 0, 0, g.z(), g.y(), g.z(), 0, g.x();
  return b;
}

inline void keep_stress(const Vec6& s, ElementStress& out) {
  for (int i = 0; i < 6; ++i) out.stress[i] = s[i];
  out.von_mises = von_mises(out.stress);
}

}  // namespace tappet::fem
