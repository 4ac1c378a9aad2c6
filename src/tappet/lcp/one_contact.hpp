// One contact with Coulomb friction, everything else held fixed: solved exactly.
//
// Given the contact's own symmetric block W and the velocity b that all other unknowns give it, find
//
//   u = W r + b,   0 ≤ u_n ⟂ r_n ≥ 0,   ‖r_t‖ ≤ μ r_n,   u_t = −α r_t with α ≥ 0, and α = 0 inside the disc.
//
// There are three cases.
//   open    b_n ≥ 0: r = 0.
//   stick   u = 0, that is α = 0 below, if its r lies in the cone.
//   slip    u_n = 0 gives r_n = −(b_n + W_ntᵀ r_t)/W_nn; put into the tangential rows,
//             u_t = A r_t + b̃,   A = W_tt − W_tn W_nt/W_nn,   b̃ = b_t − W_tn b_n/W_nn,   (A + α I) r_t = −b̃,
//           and α > 0 is where ‖r_t‖ = μ r_n. Squared, that is the quartic of [Bonnefon & Daviet 2011]. Here
//           the root is found of
//             g(α) = μ r_n/‖r_t‖ − 1,
//           which is linear in α up to the turning of r_t (as 1/‖r_t‖ is in a trust-region step), in the
//           frame of the eigenvectors of A: Newton with a bracket needs two to four evaluations to reach
//           rounding. g < 0 at α = 0 because sticking failed, and g ≥ 0 at α = ‖b̃‖(W_nn + μ‖W_nt‖)/(−μ b_n),
//           so the root is always there: a single contact has a solution whatever its data. (There may be
//           several, when μ‖W_nt‖ > W_nn: one of them is found.)
#pragma once

#include <array>
#include <cmath>

namespace tappet::lcp {

/// D = 3, or 2 in the plane.
template <int D>
class OneContact {
 public:
  /// `w` is the D × D block, column-major.
  void prepare(const double* w, double mu);
  /// r from the velocity b at r = 0.
  void solve(const double* b, double* r) const;
  /// r from the velocity u at the r that is there.
  void improve(const double* u, double* r) const;
  /// W_nn.
  double normal_response() const { return w_nn_; }

 private:
  void slip(double b_n, const std::array<double, 2>& bt, double* r) const;
  void slide(const double* b, double* r) const;

  double mu_ = 0;
  double w_nn_ = 0;
  std::array<double, D * D> w_{};        ///< the block
  std::array<double, D * D> inverse_{};  ///< of the block, in space, with λ below
  double one_by_nn_ = 0;                 ///< 1/W_nn
  std::array<double, 2> lambda_{};       ///< eigenvalues of A, kept above zero
  bool uncoupled_ = false;    ///< W_nt = 0 and A = λ I: spheres, and any contact through the centres of mass
  double one_by_lambda_ = 0;  ///< 1/λ of an uncoupled contact
  double cos_ = 1, sin_ = 0;  ///< turns the tangents to the eigenvectors of A
  std::array<double, 2> w_nt_{};  ///< W_nt in that frame
};

template <>
void OneContact<2>::prepare(const double* w, double mu);
template <>
void OneContact<2>::solve(const double* b, double* r) const;
template <>
void OneContact<3>::prepare(const double* w, double mu);
template <>
void OneContact<3>::slide(const double* b, double* r) const;
template <>
void OneContact<3>::slip(double b_n, const std::array<double, 2>& bt, double* r) const;

template <>
inline void OneContact<3>::solve(const double* b, double* r) const {
  if (b[0] >= 0 || !(w_nn_ > 0)) {
    r[0] = r[1] = r[2] = 0;
    return;
  }
  if (uncoupled_) {
    // Normal and friction do not feel each other: clip the sticking force to the disc.
    r[0] = -b[0] * one_by_nn_;
    const double square = b[1] * b[1] + b[2] * b[2], limit = mu_ * r[0] * lambda_[0];
    const double factor = square <= limit * limit ? -one_by_lambda_ : -mu_ * r[0] / std::sqrt(square);
    r[1] = factor * b[1], r[2] = factor * b[2];
    return;
  }
  // Stick, if the cone allows it.
  for (int k = 0; k < 3; ++k) r[k] = -(inverse_[k] * b[0] + inverse_[3 + k] * b[1] + inverse_[6 + k] * b[2]);
  const double limit = mu_ * r[0];
  if (!(limit >= 0 && r[1] * r[1] + r[2] * r[2] <= limit * limit)) slide(b, r);
}

template <int D>
inline void OneContact<D>::improve(const double* u, double* r) const {
  // Take the contact's own part out of its velocity, then solve for it anew.
  double b[D];
  for (int k = 0; k < D; ++k) b[k] = u[k];
  if (uncoupled_) {
    b[0] -= w_nn_ * r[0];
    for (int k = 1; k < D; ++k) b[k] -= lambda_[0] * r[k];
  } else {
    for (int l = 0; l < D; ++l)
      for (int k = 0; k < D; ++k) b[k] -= w_[k + D * l] * r[l];
  }
  solve(b, r);
}

}  // namespace tappet::lcp
