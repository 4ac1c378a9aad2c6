// Structures at one instant: what their signals are read from.
#pragma once

#include <span>

#include "tappet/structures/structure_system.hpp"

namespace tappet {

/// Of attached nodes on their body: force, and moment about the body's centre of mass, world axes.
struct AttachmentLoad {
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
};

struct StructureInstant {
  const StructureSystem& system;
  const double *q = nullptr, *u = nullptr;  ///< at the instant
  /// Accelerations and forces; of methods that step through impacts, means over the step.
  const double* a = nullptr;
  std::span<const double> supports;                  ///< one per motion of a support, N or N m
  std::span<const AttachmentLoad> attachments = {};  ///< one per entry of Model::spiders
  std::span<const ContactSum> contacts;              ///< losses: since the run began, J
};

}  // namespace tappet
