// Where two meshes are nearest, or deepest in each other.
#pragma once

#include "tappet/geometry/own_places.hpp"
#include "tappet/geometry/shapes/mesh.hpp"

namespace tappet {

/// A mesh where it is.
struct MeshSide {
  const Mesh& mesh;
  const Pose& pose;

  const std::vector<Vec3>& corners() const { return mesh.features.corner_points; }
  const std::vector<Ring>& rings() const { return mesh.features.rings; }
  Foot nearest(const Vec3& x) const {
    const SurfacePoint at = mesh.surface.nearest(pose.local(x));
    if (at.triangle < 0)
      return {.distance = std::numeric_limits<double>::infinity()};  // a pose that is not finite
    return {at.distance, pose.direction(at.normal), mesh.features.face_radius[at.triangle]};
  }
};

/// Of convex meshes the shortest way apart (separation.hpp). Of others, the place to which the middle of what
/// their boxes share leads by projections: one of those that are locally nearest.
Proximity nearest_place(const Mesh& first, const Pose& p, const Mesh& second, const Pose& q);

}  // namespace tappet
