// A whole circle where two faces of a body meet sharply: the rim of a cylinder.
#pragma once

#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include "tappet/base/vectors.hpp"

namespace tappet {

struct Ring {
  Vec3 centre = Vec3::Zero(), axis = Vec3::UnitZ();  ///< body coordinates, m; axis unit
  double radius = 0;                                 ///< m

  /// The part of d in the ring's plane, unit. Along the axis no direction is farther than another.
  Vec3 across(const Vec3& d) const {
    const Vec3 out = d - d.dot(axis) * axis;
    return out.norm() > 1e-12 * d.norm() ? Vec3(out.normalized()) : Vec3(axis.unitOrthogonal());
  }
  /// The point farthest in direction d (0) and those 120° to its sides (1, 2): standing on a plane a ring
  /// touches with all three.
  Vec3 point(int i, const Vec3& d) const {
    return at(across(d), i == 0 ? 0 : (i == 1 ? 1 : -1) * 2 * std::numbers::pi / 3);
  }
  /// The point at angle a from the unit vector `from` in the ring's plane.
  Vec3 at(const Vec3& from, double a) const {
    return centre + radius * (std::cos(a) * from + std::sin(a) * axis.cross(from));
  }
};

}  // namespace tappet
