// Natural modes of structures together with the rigid bodies that are attached to them.
//
//   K φ = ω² M φ      over the free unknowns of all structures and p, what joints leave of the bodies' small motions
//
// A body moves by δ = (Δr, φ), φ in its own axes. Joints and motions allow J δ = 0, so δ = N p with the columns of N
// a basis of that space. Unknowns of attached nodes follow,
//
//   u_n = Δr + R φ × s₀,   φ_n = R φ   (spiders.hpp),        u = T (u_rest, p),   K̃ = Tᵀ K T,  M̃ = Tᵀ M T + Nᵀ M_b N
//
// and forces among the bodies (springs, bushings) add −Nᵀ (∂h/∂δ) N, by differences. Contacts, weight, structures' springs
// with laws of their own and `forces` on their nodes take no part.
#pragma once

#include <vector>

#include "tappet/fem/modes.hpp"
#include "tappet/model/model.hpp"

namespace tappet {

struct CoupledModes {
  std::vector<double> omega2;  ///< ω², ascending, rad²/s²
  double residual = 0;
  int unknowns = 0;
  std::vector<int> bodies;  ///< those that take part, among the mechanism's
  /// Of each mode and each structure: its free unknowns with moved supports held; of each mode and body that takes part: Δr
  /// and the rotation in world axes.
  std::vector<std::vector<std::vector<double>>> structures;
  std::vector<std::vector<Vec3>> moved, turned;
};

CoupledModes solve_coupled_modes(const Model& model, int count);

}  // namespace tappet
