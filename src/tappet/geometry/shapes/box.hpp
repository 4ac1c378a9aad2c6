// A box with its faces across its own axes. In the plane the shape `box` is a polygon.
#pragma once

#include <array>
#include <optional>

#include "tappet/base/parameters.hpp"
#include "tappet/geometry/polyhedron.hpp"

namespace tappet {

struct BoxParameters {
  Vec3 size = no_vector;                                  ///< whole length along x, y and, in space, z, m
  Vec3 position = Vec3::Zero();                           ///< of its middle, body coordinates, m
  double angle = not_given;                               ///< plane: turned in its body, rad
  std::optional<std::array<double, 4>> orientation = {};  ///< space: quaternion w, x, y, z
};

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
