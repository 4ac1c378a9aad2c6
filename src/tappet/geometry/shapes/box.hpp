// A box with its faces across its own axes. In the plane the shape `box` is a polygon.
#pragma once

#include "tappet/geometry/polyhedron.hpp"

namespace tappet {

class Box final : public PolyhedralShape {
 public:
  Box(const Vec3& size, const Pose& place);
  const Vec3 half;  ///< half of its sides, m

  Vec3 support(const Vec3& d) const override;
  Foot foot(const Vec3& point) const override;
  SolidProperties solid() const override;
  double size() const override { return half.minCoeff(); }
};

}  // namespace tappet
