// A cylinder along its own z axis.
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "tappet/base/parameters.hpp"
#include "tappet/geometry/convex.hpp"

namespace tappet {

struct CylinderParameters {
  double radius = not_given;                              ///< m
  double length = not_given;                              ///< from end face to end face, m
  Vec3 position = Vec3::Zero();                           ///< of its middle, body coordinates, m
  double angle = not_given;                               ///< plane: turned in its body, rad
  std::optional<std::array<double, 4>> orientation = {};  ///< space: quaternion w, x, y, z
};

class Cylinder final : public ConvexShape {
 public:
  Cylinder(double radius, double length, const Pose& place);
  const double R, half;  ///< radius and half length, m

  Vec3 support(const Vec3& d) const override;
  Foot foot(const Vec3& point) const override;
  double radius(const Vec3& n) const override;
  int faces() const override { return 2; }
  Vec3 face_normal(int i) const override { return Vec3(0, 0, i == 0 ? 1 : -1); }
  bool few_supports() const override { return false; }
  void features(const Vec3& n, double angle, Features& out) const override;
  Vec3 round(const Vec3& n) const override;
  Mat3 round_rate(const Vec3& n) const override;
  double room_to_turn(const Vec3& n) const override { return 0.8 * std::hypot(n.x(), n.y()); }
  double reach() const override { return std::hypot(R, half); }

  /// Three points of each rim: 0 and 3 the farthest of the upper and lower rim along d, the others 120° to
  /// its sides.
  Vec3 rim_point(int i, const Vec3& d) const;

  SolidProperties solid() const override;
  double size() const override { return std::min(R, half); }
};

}  // namespace tappet
