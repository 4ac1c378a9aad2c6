// The complementarity problems of this room, as plain data. Nothing here knows what the numbers mean in a
// machine.
//
//   Lcp          w = M z + q,               0 ≤ w ⟂ z ≥ 0
//   Mlcp         the same, but in the first `equalities` rows w = 0 and z is free
//   ConeProblem  u = W r + b; in the first `equalities` rows u = 0 and r is free; then one block of rows
//                a contact, (normal, tangent 1, tangent 2) or in the plane (normal, tangent), with
//                Coulomb's law in the form of De Saxcé:
//                    K*_μ ∋ u + μ‖u_t‖ e_n ⟂ r ∈ K_μ = {r : ‖r_t‖ ≤ μ r_n}
//
// In words, the last line is Signorini's condition 0 ≤ u_n ⟂ r_n ≥ 0 and Coulomb's law: the friction r_t lies
// in the disc of radius μ r_n, and on its rim, opposite to u_t, when u_t ≠ 0 [De Saxcé & Feng 1998; Acary &
// Brogliato 2008].
//
// Each matrix is dense, block-sparse, or a Gram matrix kept as its factor. The third is for thousands of
// contacts: with W = H M⁻¹ Hᵀ and M = L Lᵀ the factor is G = H L⁻ᵀ, W = G Gᵀ, and Gauss–Seidel sweeps in the
// space of L ᵀ-weighted velocities v = Gᵀ r at a cost that does not depend on how many contacts share a body.
#pragma once

#include <variant>
#include <vector>

#include <Eigen/Core>

#include "tappet/linalg/block_csr.hpp"

namespace tappet::lcp {

/// The symmetric positive semidefinite matrix G Gᵀ, known by G.
struct Gram {
  BlockCsr factor;
};

using Matrix = std::variant<Eigen::MatrixXd, BlockCsr, Gram>;

struct Lcp {
  Matrix M;           ///< n × n
  Eigen::VectorXd q;  ///< n
  double unit = 0;    ///< size of w that counts as 1 in the residual; 0: the largest |q|
};

struct Mlcp {
  int equalities = 0;  ///< the first rows, with w = 0 and z free
  Matrix M;            ///< n × n
  Eigen::VectorXd q;   ///< n
  double unit = 0;     ///< size of w that counts as 1 in the residual; 0: the largest |q|
};

/// What a solver of Lcp and Mlcp is given: the former is the latter without equalities.
struct MlcpView {
  int equalities = 0;
  const Matrix& M;
  const Eigen::VectorXd& q;
  double unit = 0;

  MlcpView(const Lcp& p) : M(p.M), q(p.q), unit(p.unit) {}
  MlcpView(const Mlcp& p) : equalities(p.equalities), M(p.M), q(p.q), unit(p.unit) {}
  MlcpView(int equality_count, const Matrix& matrix, const Eigen::VectorXd& vector, double unit_of_w)
      : equalities(equality_count), M(matrix), q(vector), unit(unit_of_w) {}

  int size() const { return static_cast<int>(q.size()); }
};

/// In the sparse forms the block rows of the matrix are the equalities in blocks of any size up to 12, and
/// then the contacts.
struct ConeProblem {
  int dimension = 3;   ///< rows of a contact: 3, or 2 in the plane
  int equalities = 0;  ///< the first rows, with u = 0 and r free
  Matrix W;            ///< n × n, n = equalities + dimension · contacts; symmetric positive semidefinite
  Eigen::VectorXd b;   ///< n
  Eigen::VectorXd mu;  ///< one coefficient of friction a contact, ≥ 0
  double unit = 0;     ///< size of u that counts as 1 in the residual; 0: the largest |b|
  unsigned long matrix = 0;  ///< ≠ 0: a problem with the same number has the same W, to the last bit
  std::vector<int> order;    ///< in which sweeps go over the contacts; empty: as they are numbered

  int contacts() const { return static_cast<int>(mu.size()); }
  int size() const { return static_cast<int>(b.size()); }
  int row(int contact) const { return equalities + dimension * contact; }
};

}  // namespace tappet::lcp
