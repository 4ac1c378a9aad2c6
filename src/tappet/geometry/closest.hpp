// Closest points of points and segments.
#pragma once

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "tappet/base/vectors.hpp"

namespace tappet {

/// A unit vector perpendicular to the unit vector a; in the plane z = 0 when a is.
inline Vec3 any_perpendicular(const Vec3& a) {
  const Vec3 in_plane(-a.y(), a.x(), 0);
  const double length = in_plane.norm();
  return length > 1e-3 ? Vec3(in_plane / length) : a.cross(Vec3::UnitX()).normalized();
}

/// Where on the segment from a to b the point p is nearest: 0 at a, 1 at b.
inline double closest_on_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 ab = b - a;
  const double length2 = ab.squaredNorm();
  return length2 > 0 ? std::clamp(ab.dot(p - a) / length2, 0.0, 1.0) : 0;
}

struct SegmentPair {
  double s, t;  ///< on the first and the second segment, 0 to 1
};

/// Closest points of the segments p₁q₁ and p₂q₂ [Ericson2005, section 5.1.9]. Parallel segments: the middle
/// of their overlap.
inline SegmentPair closest_on_segments(const Vec3& p1, const Vec3& q1, const Vec3& p2, const Vec3& q2) {
  const Vec3 d1 = q1 - p1, d2 = q2 - p2, r = p1 - p2;
  const double a = d1.squaredNorm(), e = d2.squaredNorm(), b = d1.dot(d2), c = d1.dot(r), f = d2.dot(r);
  if (a == 0 && e == 0) return {0, 0};
  if (a == 0) return {0, std::clamp(f / e, 0.0, 1.0)};
  if (e == 0) return {std::clamp(-c / a, 0.0, 1.0), 0};

  const double sine2 = d1.cross(d2).squaredNorm();
  if (sine2 <= 1e-20 * a * e) {
    const double u = -c / a, v = (b - c) / a;  // the second's ends on the first
    const double low = std::max(0.0, std::min(u, v)), high = std::min(1.0, std::max(u, v));
    const double s = std::clamp((low + high) / 2, 0.0, 1.0);
    return {s, std::clamp((b * s + f) / e, 0.0, 1.0)};
  }
  double s = std::clamp((b * f - c * e) / sine2, 0.0, 1.0);
  const double t = (b * s + f) / e;
  if (t >= 0 && t <= 1) return {s, t};
  const double end = t < 0 ? 0 : 1;
  return {std::clamp((end * b - c) / a, 0.0, 1.0), end};
}

}  // namespace tappet
