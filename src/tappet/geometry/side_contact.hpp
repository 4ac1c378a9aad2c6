// In the plane: side on side. The sides that face each other overlap in an interval; each of its two ends is
// a corner of one over the side of the other:
//
//   corner C over a side (m, P)      gap = m·(C − P)
//
// The overlap is taken along the bisector of the two sides, where a corner of the one passes a corner of the
// other with equal gaps: there one candidate ends and another begins.
#pragma once

#include <span>

#include "tappet/geometry/shapes/capsule.hpp"
#include "tappet/geometry/shapes/polygon.hpp"

namespace tappet {

/// A side of a polygon, or the axis of a segment, in world coordinates.
struct Side {
  Vec3 point[2];
  int name[2];  ///< the candidates of its corners
  Vec3 normal;  ///< outward
  double margin;
};

Side side_of(const Polygon& polygon, const Pose& pose, const Vec3& towards, int first_name);
Side side_of(const Capsule& segment, const Pose& pose, const Vec3& towards, int first_name);

void side_contacts(const Side& first, const Side& second, std::span<Proximity> out);

}  // namespace tappet
