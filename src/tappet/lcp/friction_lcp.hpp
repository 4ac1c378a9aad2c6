// Coulomb friction as a linear complementarity problem: exactly in the plane, by a polygon in space.
//
// Given the velocities of contacts as they depend on impulses, normals first,
//
//   ξ_n = W_nn P_n + W_nt P_t + b_n,      ξ_t = W_tn P_n + W_tt P_t + b_t,      W_tn = W_ntᵀ,
//
// and the laws −P_n ∈ Upr(ξ_n), −P_t ∈ μ P_n Sgn(ξ_t) [Flores 2022, eqs 16 and 17], where b holds what
// restitution adds (ξ = γ⁺ + ε γ⁻, eqs 18 and 19).
//
// In the plane the set-valued Sgn is two Upr, to the right and to the left [Glocker & Studer 2005, section
// 4]: with P_R = μ P_n + P_t ≥ 0, P_L = μ P_n − P_t ≥ 0 and ξ_t = ξ_R − ξ_L,
//
//   | ξ_n |   | W_nn − W_nt μ   W_nt   0 | | P_n |   | b_n |
//   | ξ_R | = | W_tn − W_tt μ   W_tt   1 | | P_R | + | b_t |
//   | P_L |   |      2μ          −1    0 | | ξ_L |   |  0  |
//
// In space the disc is the polygon with k corners on it, P_t = D β, and λ bounds the sliding speed [Stewart &
// Trinkle 1996; Anitescu & Potra 1997]:
//
//   | ξ_n |   | W_nn      W_nt D      0 | | P_n |   | b_n    |
//   |  σ  | = | Dᵀ W_tn   Dᵀ W_tt D   e | |  β  | + | Dᵀ b_t |
//   |  ζ  |   |  μ        −eᵀ         0 | |  λ  |   |   0    |
//
// Both matrices are copositive: Lemke's method solves them. Their last rows are impulses where the others are
// velocities; they are multiplied by friction_row_factor(), so that w has one unit and one residual can judge it.
#pragma once

#include <Eigen/Core>

#include "tappet/lcp/problem.hpp"

namespace tappet::lcp {

/// Where the unknowns of a friction problem are in the Mlcp that was built of it.
struct FrictionLayout {
  int equalities = 0;
  int contacts = 0;
  int dimension = 2;
  int facets = 0;  ///< corners of the polygon; 0: the right/left decomposition of the plane
};

/// What an impulse of a contact does to its velocity: the larger of its W_nn and W_tt (mean diagonal). W_tt alone will not do:
/// where joints and motions prescribe the slip, as of a driven cam below a guided tappet, it is nothing but rounding.
double friction_row_factor(double w_nn, double w_tt);

/// The planar problem of the blocks above; unknowns (P_n, P_R, ξ_L), each of one entry a contact.
void planar_friction_lcp(const Eigen::MatrixXd& w_nn, const Eigen::MatrixXd& w_nt,
                         const Eigen::MatrixXd& w_tt, const Eigen::VectorXd& mu, const Eigen::VectorXd& b_n,
                         const Eigen::VectorXd& b_t, Lcp& out);

/// The same from a cone problem; of a spatial one with so many facets (at least 3; even numbers keep it
/// symmetric). Equality rows come first. `facets` is ignored in the plane.
FrictionLayout friction_mlcp(const ConeProblem& problem, int facets, Mlcp& out);

/// r of the cone problem from the unknowns of its Mlcp.
void friction_impulses(const ConeProblem& problem, const FrictionLayout& layout, const Eigen::VectorXd& z,
                       Eigen::VectorXd& r);

}  // namespace tappet::lcp
