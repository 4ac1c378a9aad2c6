// Axes that turn with an element, and its deformation in them: what every element that knows small displacements alone needs to
// turn as far as it likes [Felippa & Haugen 2005].
//
// Nodes are at x_a (at first X_a) and, where they have rotations, turned by R_a (at first 1). The element's frame R follows from three
// conditions, each linear in R and linear in (x, R_a):
//
//   solids, shells, plane elements    Rᵀ A is symmetric, A = Σ x_a g_aᵀ, the gradient of the linear field nearest to the nodes'
//                                     displacements: A = F where that is linear, and a shell's normal is across the plane nearest to it
//   lines                             R e₁ along c = Σ γ_a x_a: R e₂·c = R e₃·c = 0; and, where nodes turn, the mean of their
//                                     rotations about it: Σ (R e₂·R_a e₃ − R e₃·R_a e₂) = 0
//
// The deformation is d = Rᵀ(x_a − x̄) − (X_a − X̄), and of rotations the vector ϑ of S = Rᵀ R_a: ϑ = c(tr S) ax S, c = φ/sin φ,
// where ax S is the axial vector of its skew part. The element's own matrices hold for d: V = ½ dᵀ K d.
//
// Between two shapes 0 and 1 the same bilinear conditions give differences exactly. With the mean Ȳ = ½ (Y₀ + Y₁) of anything, and
// Cayley's vectors, ΔR = ω̂ R̄ and ΔR_a = θ̂_a R̄_a,
//
//   Δ(Rᵀ A) = R̄ᵀ(ΔA − ω̂ Ā)      so that ω = H⁻¹ (Σ G_a Δx_a + Σ Q_a θ_a) without an error
//   Δd_a = R̄ᵀ (Δx_a − ω × (x̄_a − x̄)),    Δϑ_a = Λ_a (θ_a − ω),   Λ_a = c̄ N_a + ax S̄ c[τ₀, τ₁] t_aᵀ
//
// with N w = ax(R̄ᵀ ŵ R̄_a), t·w = tr(R̄ᵀ ŵ R̄_a) and the divided difference of c. Hence Δd = B̄ (Δx, θ), and the force f = B̄ᵀ s does exactly
// the work sᵀ Δd, has no resultant, and no moment about anything at the mean positions: with s = ½ K (d₀ + d₁) a step by the midpoint
// rule keeps energy and both momenta [Simo & Tarnow 1992; Gonzalez 1996]. For 0 = 1 it is the force itself, B̄ = ∂d/∂(x, θ).
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "tappet/base/vectors.hpp"

namespace tappet::fem {

/// Where the nodes of an element are, and how they are turned since the start.
struct NodePlaces {
  const Vec3* x = nullptr;
  const Mat3* R = nullptr;  ///< read where nodes turn
};

class ElementFrame {
 public:
  /// `dimension`: 0 to 3, of the cell; `dofs`: 3 or 6 unknowns per node.
  ElementFrame(std::span<const Vec3> x, int dimension, int dofs);

  int nodes() const { return static_cast<int>(X_.cols()); }
  int unknowns() const { return dofs_ * nodes(); }

  Mat3 rotation(const NodePlaces& at) const;
  /// d in the order of the element's unknowns.
  void deformation(const NodePlaces& at, const Mat3& R, double* d) const;

  /// f = B̄ᵀ s between two shapes with the frames R0 and R1: forces and moments in world axes.
  void pull_back(const NodePlaces& at0, const Mat3& R0, const NodePlaces& at1, const Mat3& R1,
                 const double* s, double* f) const;
  /// B = ∂d/∂(x, θ).
  void gradient(const NodePlaces& at, const Mat3& R, Eigen::MatrixXd& B) const;
  /// T = ∂f/∂(x, θ) of f = Bᵀ s, where s changes by the columns of S; θ turns on the world's side.
  void tangent(const NodePlaces& at, const Mat3& R, const double* s, const Eigen::MatrixXd& S,
               Eigen::MatrixXd& T) const;

 private:
  enum class Kind { fixed, line, polar };
  template <class T>
  struct Rates;
  template <class T>
  struct Shape;
  template <class T>
  void find_rates(const Shape<T>& shape, Rates<T>& out) const;
  template <class T>
  void pull(const Shape<T>& shape, const T* s, T* f) const;

  Kind kind_ = Kind::fixed;
  int dofs_ = 3;
  Eigen::Matrix3Xd X_, g_;        // from the mean; gradients, or e₁ γ_a
  Mat3 axes_ = Mat3::Identity();  // of a line: e₁ e₂ e₃
};

Mat3 cross_matrix(const Vec3& a);
/// (1 − ½ θ̂)⁻¹ (1 + ½ θ̂): a rotation by 2 atan(|θ|/2).
Mat3 cayley(const Vec3& theta);
/// From a rotation vector, and back: of at most π.
Mat3 rotation_of_vector(const Vec3& v);
Vec3 vector_of_rotation(const Mat3& R);

}  // namespace tappet::fem
