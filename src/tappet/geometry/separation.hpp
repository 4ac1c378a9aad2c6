// How far apart two convex shapes are, or how deep they overlap, whatever they are: known by support points
// alone.
//
//   f(n) = min over B of n·x − max over A of n·x,   |n| = 1
//
// is the gap as seen along n. The signed distance is its highest value: the distance of separate shapes,
// minus the shortest way out of overlapping ones.
//
// Separate shapes: the algorithm of [Gilbert1988]. Touching and overlapping ones: move B away along n until
// it stands clear, find the direction n′ in which it is then nearest, repeat. f never decreases, and near
// touching the error of n shrinks each time by depth / (depth + relative radius of curvature). The start is
// the best of the faces' normals, the axes and the line of centres. Where a shape is smooth, both are only
// begun, and Newton's method for the highest f ends them, with n kept perpendicular to the edge, line or face
// that the other touches with.
#pragma once

#include "tappet/geometry/convex.hpp"
#include "tappet/geometry/pair.hpp"

namespace tappet {

/// The one place where two convex shapes are nearest or deepest.
Proximity separation(const ConvexShape& first, const Pose& p, const ConvexShape& second, const Pose& q);

}  // namespace tappet
