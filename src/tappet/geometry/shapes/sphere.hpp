// A ball, in the plane a circle.
#pragma once

#include "tappet/base/parameters.hpp"
#include "tappet/geometry/convex.hpp"

namespace tappet {

struct SphereParameters {
  double radius = not_given;     ///< m
  Vec3 position = Vec3::Zero();  ///< of its centre, body coordinates, m
};
struct CircleParameters {
  double radius = not_given;
  Vec3 position = Vec3::Zero();
};

class Sphere final : public ConvexShape {
 public:
  Sphere(const Vec3& centre, double radius, Dimension dimension = Dimension::spatial);
  const Vec3 centre;  ///< body coordinates, m
  const double R;     ///< radius, m

  Vec3 support(const Vec3&) const override { return Vec3::Zero(); }
  double margin() const override { return R; }
  void features(const Vec3&, double, Features& out) const override { out.add({.radius = R}); }
  Foot foot(const Vec3& point) const override;
  double radius(const Vec3&) const override { return R; }
  double reach() const override { return R; }

  Bounds bounds(const Pose& pose) const override;
  SolidProperties solid() const override;
  double size() const override { return R; }
};

}  // namespace tappet
