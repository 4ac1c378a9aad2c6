// What the pairs of a profile share: corners over it, and its noses (convex corners) under the other shape.
#pragma once

#include <span>

#include "tappet/geometry/convex.hpp"
#include "tappet/geometry/shapes/capsule.hpp"
#include "tappet/geometry/shapes/profile.hpp"

namespace tappet {

inline Proximity over_profile(const Profile& profile, const Pose& frame, const Vec3& corner) {
  return touch(profile.foot(frame.local(corner)), frame, corner, 0);
}

/// Pieces of the profile below a shape with these bounds in the profile's axes, and half its width around it.
std::pair<int, int> pieces_below(const Profile& profile, const Bounds& own);

/// The shape's bounds in the axes of the profile, which is at `frame`.
Bounds bounds_in(const ConvexShape& shape, const Pose& pose, const Pose& frame);

/// A nose as a segment in the profile's axes: a bare line along the width (in the plane: none, use the
/// point), as long as the shape that may touch it.
Capsule nose_line(const Profile& profile, int piece, const Bounds& own);

/// Is the direction from a nose to what touches it between the normals of the pieces beside it?
bool leaves_nose(const Profile& profile, int piece, const Vec3& own_direction);

/// Noses compete in two groups, so that neighbours can both touch.
inline constexpr int nose_groups = 2;

/// Noses against a convex shape, one candidate a group: the nearest.
void nose_contacts(const Profile& profile, const Pose& frame, const ConvexShape& shape, const Pose& q,
                   std::span<Proximity> out);

}  // namespace tappet
