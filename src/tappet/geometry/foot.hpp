// The surface of a shape as seen from a point, and what a ball centred at that point makes of it.
#pragma once

#include <limits>

#include "tappet/base/vectors.hpp"
#include "tappet/geometry/pair.hpp"

namespace tappet {

inline constexpr double flat = std::numeric_limits<double>::infinity();  ///< radius of curvature of a plane

/// The nearest point of the surface is point − distance · normal.
struct Foot {
  double distance = 0;          ///< m; negative inside
  Vec3 normal = Vec3::UnitX();  ///< unit, outward
  double radius = 0;            ///< of the surface's curvature there, as in Proximity::radius
};

/// A ball of radius r (0: a corner) around the world point c; `foot` is c's, in the axes of `frame`. The
/// surface is first.
inline Proximity touch(const Foot& foot, const Pose& frame, const Vec3& c, double r) {
  Proximity out;
  out.gap = foot.distance - r;
  out.normal = frame.direction(foot.normal);
  out.on_first = c - foot.distance * out.normal;
  out.on_second = c - r * out.normal;
  out.radius[0] = foot.radius;
  out.radius[1] = r;
  return out;
}

/// The same contact with the shapes in the other order.
inline Proximity exchanged(Proximity proximity) {
  proximity.normal = -proximity.normal;
  std::swap(proximity.on_first, proximity.on_second);
  std::swap(proximity.radius[0], proximity.radius[1]);
  return proximity;
}

}  // namespace tappet
