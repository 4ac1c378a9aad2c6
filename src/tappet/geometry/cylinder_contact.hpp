// A cylinder on a flat face: of a polyhedron, or the end face of another cylinder.
//
// Candidates 0 to 2 are of the upper rim, 3 to 5 of the lower one: the rim's lowest point over the face, and
// the points 120° to its sides. Three equal springs there are as stiff in every direction, so that a cylinder
// stands. Where a point is not over the face, its place is taken by the farthest point in its direction that
// is over both: where the rim crosses an edge, or a corner of the face below the end face; of a cylinder that
// lies, by where the line of its side leaves the face.
//
//   point X of the cylinder over the face (m, P)     gap = m·(X − P)
//   corner V of the face below an end face (a, C)    gap = a·(V − C)
//   edge across the side                             distance of edge and axis, minus R
//
// The last candidate is the nearest or deepest place of all, when none of these is.
#pragma once

#include "tappet/geometry/pair.hpp"

namespace tappet {

/// "box|cylinder", "cylinder|hull".
PairType cylinder_with_polyhedron(const std::string& name);
PairType cylinder_with_cylinder(const std::string& name);

}  // namespace tappet
