// Equilibrium of a mechanism: f(q) + Jᵀ λ = 0 with Φ(q) = 0, no velocities.
//
//   f    weight, springs, contacts by their laws at rest, and what holds: friction at rest, contacts of rigid bodies
//
// The way there. In independent displacements y (independent.hpp, metric G: metres, and radians by the mechanism's length)
//
//   (K + 1/τ) y = r,   r = Nᵀ f,   K = −∂r/∂y with Jᵀ λ in it
//
// is a step of implicit Euler of ẏ = r(y) over the pseudo-time τ, and for τ → ∞ one of Newton's [KelleyKeyes1998]. τ grows while the
// linear model foretells r, falls where it does not, and stays so short that K + 1/τ is positive: bodies go the way they are pushed, to
// an equilibrium that is stable, unless they stand in an unstable one already. Steps end where surfaces meet.
//
// What holds is known by its force so far, which is part of the iteration and not a state of the model:
//
//   friction      T ← Π_{|T| ≤ μ_s N}(T − ρ s),   s: sliding in the step         [Alart1991]
//   rigid bodies  N ← max(0, N − ρ gap), where all else is balanced
//
// When nothing moves any more, T is in its cone wherever it holds, gaps are 0 where rigid bodies press, and ρ has no part in it. Where
// friction could hold in many places, it holds in one to which the bodies come from where they stand. Friction laws of the sliding
// velocity alone give nothing at rest.
//
// With `axes` the equilibrium is one of steady rotation: all turns with that body at its angular velocity about its axis at the start,
// and −M u̇ of that rotation is part of f.
#pragma once

#include <string>
#include <vector>

#include "tappet/model/model.hpp"
#include "tappet/ode/smooth_system.hpp"

namespace tappet {

struct EquilibriumOptions {
  double time = 0;  ///< of loads and motions, s
  int axes = -1;    ///< the body with which all turns; −1: nothing turns
  int most_steps = 1000;
};

struct StaticSolution {
  bool found = false;
  std::string why;  ///< where none was found: what is not balanced, and how much; a sentence
  int steps = 0;
  double imbalance = 0;    ///< what is left of r, as a part of the forces that balance
  double moved = 0;        ///< largest displacement of a body from where it stood, m
  std::string moved_body;  ///< which
  std::vector<std::string> notes;
};

/// Looks for it from y (q, u, z as the model starts) and leaves it there: q, whole turns in z, and of a steady rotation u. Contacts of the system are
/// left as they were. Throws InputError for what has no statics here: structures, groups of rigid contacts.
StaticSolution solve_statics(const Model& model, SmoothSystem& system, std::vector<double>& y,
                             const EquilibriumOptions& options = {});

}  // namespace tappet
