// How far apart two convex shapes are, or how deep they overlap, whatever they are: known by support points
// alone.
//
//   f(n) = min over B of n·x − max over A of n·x,   |n| = 1
//
// is the gap as seen along n. The signed distance is its highest value: the distance of separate shapes,
// minus the shortest way out of overlapping ones.
//
// A good direction comes first: of separate shapes by the algorithm of [Gilbert1988], of overlapping ones by a polytope
// that grows inside the difference of both until the shortest way out is found (expansion.hpp), in the plane by
// trying all sides. It says which features of the shapes may touch (feature.hpp). For a pair of features Newton's method
// finds the highest f, with n kept perpendicular to the flat parts, and the points of both that are opposite. The pair
// is the right one when these points lie f(n) apart, with f of the whole shapes: no other direction shows more, no
// other points are nearer. What comes out is exact to rounding, whatever the accuracy of the first direction.
#pragma once

#include "tappet/geometry/convex.hpp"
#include "tappet/geometry/pair.hpp"

namespace tappet {

/// The one place where two convex shapes are nearest or deepest.
Proximity separation(const ConvexShape& first, const Pose& p, const ConvexShape& second, const Pose& q);

}  // namespace tappet
