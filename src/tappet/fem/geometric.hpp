// Geometric stiffness: stress σ that is there already does work where displacements bend or turn what carries it,
//
//   V = ½ ∫ σ_ab ∂_a u · ∂_b u dV = ½ Σ_ij H_ij u_i · u_j,   H_ij = ∫ σ_ab ∂_a N_i ∂_b N_j dV        [Zienkiewicz & Taylor 2000]
//
// the same for each direction of u. Shells count with the forces of their mid-surface; what their moments add is of the order of
// the thickness over the wavelength.
#pragma once

#include "tappet/fem/solid.hpp"

namespace tappet::fem {

inline Mat3 tensor_of(const Vec6& s) {
  Mat3 out;
  out << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  return out;
}

/// Adds volume · ∂N_i σ ∂N_j, `gradients` with one row per node, to all directions of nodes with `dofs` unknowns.
template <class Gradients>
void add_geometric(double volume, const Gradients& gradients, const Mat3& stress, int dofs,
                   Eigen::MatrixXd& out) {
  const int n = static_cast<int>(gradients.rows());
  for (int a = 0; a < n; ++a) {
    const Vec3 pull = volume * (stress * gradients.row(a).transpose());
    for (int b = 0; b < n; ++b) {
      const double h = pull.dot(gradients.row(b).transpose());
      for (int i = 0; i < 3; ++i) out(dofs * a + i, dofs * b + i) += h;
    }
  }
}

}  // namespace tappet::fem
