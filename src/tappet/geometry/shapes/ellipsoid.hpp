// An ellipsoid with its semi-axes along its own x, y and z.
#pragma once

#include <array>
#include <optional>

#include "tappet/base/parameters.hpp"
#include "tappet/geometry/convex.hpp"

namespace tappet {

struct EllipsoidParameters {
  Vec3 semi_axes = no_vector;                             ///< half of its length along x, y and z, m
  Vec3 position = Vec3::Zero();                           ///< of its middle, body coordinates, m
  double angle = not_given;                               ///< plane: turned in its body, rad
  std::optional<std::array<double, 4>> orientation = {};  ///< space: quaternion w, x, y, z
};

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
