// A half-space; in the plane a half-plane. Its material lies on the side away from the normal.
#pragma once

#include "tappet/base/parameters.hpp"
#include "tappet/geometry/shape.hpp"

namespace tappet {

struct PlaneParameters {
  Vec3 point = Vec3::Zero();  ///< any point of the surface, body coordinates, m
  Vec3 normal = no_vector;    ///< outward, body coordinates; any length
};

class Plane final : public Shape {
 public:
  Plane(const Vec3& point, const Vec3& normal);
  Vec3 point;   ///< any point of the surface, body coordinates, m
  Vec3 normal;  ///< unit, outward, body coordinates

  Bounds bounds(const Pose& pose) const override;
  double size() const override { return std::numeric_limits<double>::infinity(); }
};

}  // namespace tappet
