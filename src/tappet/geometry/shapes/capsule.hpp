// A capsule: everything within the radius of a segment. In the plane it is the shape `segment`, whose radius
// may be 0.
#pragma once

#include <array>
#include <optional>

#include "tappet/base/parameters.hpp"
#include "tappet/geometry/convex.hpp"

namespace tappet {

struct CapsuleParameters {
  double radius = not_given;                              ///< m
  double length = not_given;                              ///< between the centres of the two half balls, m
  Vec3 position = Vec3::Zero();                           ///< of its middle, body coordinates, m
  double angle = not_given;                               ///< plane: turned in its body, rad
  std::optional<std::array<double, 4>> orientation = {};  ///< space: quaternion w, x, y, z
};
struct SegmentParameters {
  std::array<Vec3, 2> points = {no_vector, no_vector};  ///< its ends, body coordinates, m
  double radius = 0;                                    ///< half of its thickness, m
};

class Capsule final : public ConvexShape {
 public:
  Capsule(const Vec3& a, const Vec3& b, double radius, Dimension dimension = Dimension::spatial);
  const Vec3 a, b;       ///< ends of the axis, body coordinates, m
  const double R;        ///< m; 0: a bare segment
  const Vec3 direction;  ///< unit, from a to b

  Vec3 support(const Vec3& d) const override { return d.dot(direction) > 0 ? b : a; }
  double margin() const override { return R; }
  void features(const Vec3& n, double angle, Features& out) const override;
  int faces() const override { return planar() ? 2 : 0; }
  Vec3 face_normal(int i) const override {
    return (i == 0 ? 1 : -1) * Vec3(-direction.y(), direction.x(), 0);
  }
  Foot foot(const Vec3& point) const override;
  double radius(const Vec3& n) const override;
  Vec3 middle() const override { return (a + b) / 2; }
  double reach() const override { return (b - a).norm() / 2 + R; }

  SolidProperties solid() const override;
  double size() const override { return R > 0 ? R : (b - a).norm() / 2; }

  const Vec3& end(int i) const { return i == 0 ? a : b; }
};

}  // namespace tappet
