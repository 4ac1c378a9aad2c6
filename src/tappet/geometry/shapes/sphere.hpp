// A ball, in the plane a circle.
#pragma once

#include "tappet/geometry/shape.hpp"

namespace tappet {

class Sphere final : public Shape {
 public:
  Sphere(const Vec3& centre, double radius);
  Vec3 centre;    ///< body coordinates, m
  double radius;  ///< m

  Bounds bounds(const Pose& pose) const override;
  SolidProperties solid() const override;
  double size() const override { return radius; }
};

}  // namespace tappet
