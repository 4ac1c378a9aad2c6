// Structures at one instant of a step: what their signals are read from.
#pragma once

#include <span>

#include "tappet/structures/newmark_moreau.hpp"
#include "tappet/structures/structure_system.hpp"

namespace tappet {

struct StructureInstant {
  const StructureSystem& system;
  const NewmarkMoreau& steps;
  const double *q = nullptr, *u = nullptr;               ///< at the instant
  const double *u_before = nullptr, *u_after = nullptr;  ///< at the ends of the step
  double length = 0;                                     ///< of the step, s
  std::span<const ContactSum> contacts;  ///< forces: means over the step; losses: since the run began, J
};

}  // namespace tappet
