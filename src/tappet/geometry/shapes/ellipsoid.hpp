// An ellipsoid with its semi-axes along its own x, y and z.
#pragma once

#include "tappet/geometry/convex.hpp"

namespace tappet {

class Ellipsoid final : public ConvexShape {
 public:
  Ellipsoid(const Vec3& semi_axes, const Pose& place);
  const Vec3 a;  ///< semi-axes, m

  Vec3 support(const Vec3& d) const override;
  Foot foot(const Vec3& point) const override;
  double radius(const Vec3& n) const override;
  bool few_supports() const override { return false; }
  void features(const Vec3&, double, Features& out) const override { out.add({.round = true, .radius = -1}); }
  Vec3 round(const Vec3& n) const override { return support(n); }
  Mat3 round_rate(const Vec3& n) const override;
  double reach() const override { return a.maxCoeff(); }

  SolidProperties solid() const override;
  double size() const override { return a.minCoeff(); }
};

}  // namespace tappet
