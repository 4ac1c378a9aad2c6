// A convex polygon of the plane.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "tappet/base/parameters.hpp"
#include "tappet/geometry/convex.hpp"

namespace tappet {

struct PolygonParameters {
  std::vector<Vec3> points = {};                          ///< corners in order, either way round; convex, m
  Vec3 position = Vec3::Zero();                           ///< of its middle, body coordinates, m
  double angle = not_given;                               ///< plane: turned in its body, rad
  std::optional<std::array<double, 4>> orientation = {};  ///< space: quaternion w, x, y, z
};

class Polygon final : public ConvexShape {
 public:
  static constexpr int most_corners = 256;
  /// Corners in body coordinates, z = 0, anticlockwise, convex.
  explicit Polygon(std::vector<Vec3> corners);
  const std::vector<Vec3> corners;
  std::vector<Vec3> normals;  ///< outward, unit, of the side from corner i to corner i + 1

  int count() const { return static_cast<int>(corners.size()); }
  int next(int i) const { return i + 1 == count() ? 0 : i + 1; }
  /// The side whose normal is nearest to d.
  int side_towards(const Vec3& d) const;

  Vec3 support(const Vec3& d) const override;
  Foot foot(const Vec3& point) const override;
  double radius(const Vec3& n) const override;
  void features(const Vec3& n, double angle, Features& out) const override;
  int faces() const override { return count(); }
  Vec3 face_normal(int i) const override { return normals[i]; }
  Vec3 middle() const override { return middle_; }
  double reach() const override { return reach_; }

  SolidProperties solid() const override;
  double size() const override { return size_; }

 private:
  Vec3 middle_ = Vec3::Zero();
  double reach_ = 0, size_ = 0;
};

}  // namespace tappet
