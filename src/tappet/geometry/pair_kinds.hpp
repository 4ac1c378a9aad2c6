// What several files of pairs/ share: the pairs of one shape with a plane, a ball or any convex shape.
#pragma once

#include <array>
#include <span>

#include "tappet/geometry/corners.hpp"
#include "tappet/geometry/separation.hpp"
#include "tappet/geometry/shapes/plane.hpp"
#include "tappet/geometry/shapes/sphere.hpp"

namespace tappet {

inline int one_candidate(const Shape&, const Shape&) {
  return 1;
}

/// A point of the second shape, world coordinates, over a plane; `r` its ball's radius, 0 at corners.
inline Proximity over_plane(const Plane& plane, const Pose& p, const Vec3& centre, double r) {
  const Vec3 n = p.direction(plane.normal);
  return touch({n.dot(centre - p.point(plane.point)), plane.normal, flat}, p, centre, r);
}

/// The corners of the second shape over a plane.
template <class Cornered>
PairType corners_on_plane(const std::string& kind) {
  return {.name = "plane|" + kind,
          .candidates = [](const Shape&,
                           const Shape& b) { return corner_count(static_cast<const Cornered&>(b)); },
          .evaluate =
              [](const Shape& a, const Pose& p, const Shape& b, const Pose& q, int i) {
                const auto& shape = static_cast<const Cornered&>(b);
                return over_plane(static_cast<const Plane&>(a), p, (q * shape.place).point(corner(shape, i)),
                                  0);
              }};
}

/// The lowest point of a smooth convex shape over a plane.
template <class Convex>
Proximity lowest_on_plane(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int) {
  const auto& plane = static_cast<const Plane&>(first);
  const auto& shape = static_cast<const Convex&>(second);
  const Pose frame = q * shape.place;
  const Vec3 down = frame.local_direction(-p.direction(plane.normal));
  Proximity out = over_plane(plane, p, frame.point(shape.support(down)), 0);
  out.radius[1] = shape.radius(down);
  return out;
}

/// A convex shape with a ball: the shape's foot below the ball's centre.
template <class Convex>
Proximity with_ball(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int) {
  const auto& shape = static_cast<const Convex&>(first);
  const auto& ball = static_cast<const Sphere&>(second);
  const Pose frame = p * shape.place;
  const Vec3 c = q.point(ball.centre);
  return touch(shape.foot(frame.local(c)), frame, c, ball.R);
}

template <class Convex>
PairType ball_pair(const std::string& kind) {
  return {.name = kind + "|sphere", .candidates = one_candidate, .evaluate = with_ball<Convex>};
}

/// Two convex shapes, at the one place where they are nearest or deepest.
inline Proximity anywhere(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int) {
  return separation(static_cast<const ConvexShape&>(first), p, static_cast<const ConvexShape&>(second), q);
}

inline PairType convex_pair(const std::string& name) {
  return {.name = name, .candidates = one_candidate, .evaluate = anywhere};
}

}  // namespace tappet
