// Impulses that do no work, between two solutions of which one would.
//
//   γ_E = γ_F + G P                                    velocities with impulses P; γ_F without, G ⪰ 0
//   A(P) = P·((1 − θ) γ_A + θ γ_E)                     work of the contacts; γ_A as it began. θ = ½: change of kinetic energy
//
// Newton's impact law with Coulomb's friction may gain energy where coefficients of restitution differ, among contacts
// or between normal and tangent [Kane & Levinson 1985; Leine & van de Wouw 2008]. The plastic solution P₀ never does.
// On the way from one to the other,
//
//   P(s) = P₀ + s (P₁ − P₀),     A(s) = A₀ + b s + a s²,     a = θ ΔPᵀ G ΔP ≥ 0,
//
// cones are convex: friction stays in its disc, and what neither solution lets penetrate does not. A is convex in s, so
// it has one zero where its signs at both ends differ: the largest s without gain when A₀ ≤ 0, the least one when A₁ ≤ 0.
// If both solutions are in one mode (the same contacts stick, slip and are open), P(s) is Newton's law with s ε in place of ε,
// in the spirit of [Chatterjee & Ruina 1998].
#pragma once

#include <Eigen/Core>

namespace tappet::lcp {

/// A = P·((1 − θ) γ_A + θ γ_E).
double contact_work(const Eigen::VectorXd& P, const Eigen::VectorXd& before, const Eigen::VectorXd& after,
                    double theta = 0.5);

/// Σ |P| (|γ_A| + |γ_E|): beside this a work is much or little.
double work_scale(const Eigen::VectorXd& P, const Eigen::VectorXd& before, const Eigen::VectorXd& after);

/// The s in [0, 1] at which impulses between P0 (s = 0) and P1 (s = 1) do no work. `after0`, `after1`: γ_E = γ_F + G P of each.
/// Where both ends do work of one sign: 1 if neither gains, 0 if both do.
double scale_back(const Eigen::VectorXd& P0, const Eigen::VectorXd& after0, const Eigen::VectorXd& P1,
                  const Eigen::VectorXd& after1, const Eigen::VectorXd& before, double theta = 0.5);

/// The same from a dense G and γ_F.
double scale_back(const Eigen::MatrixXd& G, const Eigen::VectorXd& P0, const Eigen::VectorXd& P1,
                  const Eigen::VectorXd& before, const Eigen::VectorXd& free, double theta = 0.5);

}  // namespace tappet::lcp
