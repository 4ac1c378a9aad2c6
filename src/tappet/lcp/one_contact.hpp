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

namespace tappet::lcp {

/// D = 3, or 2 in the plane.
template <int D>
class OneContact {
 public:
  /// `w` is the D × D block, column-major.
  void prepare(const double* w, double mu);
  /// r from the velocity b at r = 0.
  void solve(const double* b, double* r) const;

 private:
  void slip(double b_n, const std::array<double, 2>& bt, double* r) const;

  double mu_ = 0;
  double w_nn_ = 0;
  double cos_ = 1, sin_ = 0;        ///< turns the tangents to the eigenvectors of A
  std::array<double, 2> lambda_{};  ///< eigenvalues of A, kept above zero
  std::array<double, 2> w_nt_{};    ///< W_nt in that frame
  bool uncoupled_ = false;  ///< W_nt = 0 and A = λ I: spheres, and any contact through the centres of mass
};

template <>
void OneContact<2>::prepare(const double* w, double mu);
template <>
void OneContact<2>::solve(const double* b, double* r) const;
template <>
void OneContact<3>::prepare(const double* w, double mu);
template <>
void OneContact<3>::solve(const double* b, double* r) const;
template <>
void OneContact<3>::slip(double b_n, const std::array<double, 2>& bt, double* r) const;

}  // namespace tappet::lcp
