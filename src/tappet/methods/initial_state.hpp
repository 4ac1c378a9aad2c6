// Where a simulation begins: bodies as assembled, auxiliary variables as they start, nothing touched yet.
#pragma once

#include <optional>

#include "tappet/equilibrium/statics.hpp"
#include "tappet/model/model.hpp"
#include "tappet/model/state.hpp"
#include "tappet/multibody/kinematic_analysis.hpp"
#include "tappet/ode/smooth_system.hpp"

namespace tappet {

/// What assembling a mechanism showed.
struct Start {
  State state;
  Assembly assembly;
  int rows = 0,
      rank = 0;  ///< constraint rows of the motion, and how many of them are independent at the start
  std::optional<StaticSolution> statics;  ///< where the start is one; it was found
};

/// Throws InputError if the mechanism cannot be assembled, or has no equilibrium where the model starts from one.
Start initial_state(const Model& model, SmoothSystem& system);

}  // namespace tappet
