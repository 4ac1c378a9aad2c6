// A smooth closed convex curve of the plane.
#pragma once

#include <array>
#include <optional>

#include "tappet/base/expression.hpp"
#include "tappet/base/parameters.hpp"
#include "tappet/geometry/convex.hpp"

namespace tappet {

struct CurveParameters {
  Formula support = {};          ///< m, of the normal's `angle`; or
  Formula x = {}, y = {};        ///< m, of `u`: a point that goes around once, anticlockwise
  Vec3 position = Vec3::Zero();  ///< of its middle, body coordinates, m
  double angle = not_given;      ///< plane: turned in its body, rad
  std::optional<std::array<double, 4>> orientation = {};  ///< space: quaternion w, x, y, z
};

/// A point of a convex curve, found by its outward normal.
struct CurvePoint {
  Vec2 at = Vec2::Zero();
  double radius = 0;  ///< of curvature, m, > 0
};

class Curve final : public ConvexShape {
 public:
  /// By its support function h(angle): the distance of the tangent from the origin. [at = h n + h′ t, radius
  /// = h + h″]
  Curve(const Expression& support, const Pose& place);
  /// By a point that goes around once, anticlockwise, while u goes from 0 to 2π.
  Curve(const Expression& x, const Expression& y, const Pose& place);

  /// Where the outward normal is (cos θ, sin θ).
  CurvePoint at(double angle) const;

  Vec3 support(const Vec3& d) const override;
  Foot foot(const Vec3& point) const override;
  double radius(const Vec3& n) const override;
  Vec3 middle() const override { return middle_; }
  bool few_supports() const override { return false; }
  void features(const Vec3&, double, Features& out) const override { out.add({.round = true, .radius = -1}); }
  Vec3 round(const Vec3& n) const override { return support(n); }
  Mat3 round_rate(const Vec3& n) const override;
  double reach() const override { return reach_; }

  SolidProperties solid() const override;
  double size() const override { return size_; }

 private:
  static constexpr int samples = 128;
  bool by_support_;
  Expression first_, second_;                ///< h, or x and y
  std::array<double, samples + 1> start_{};  ///< u where the normal's angle is 2π i / samples
  std::array<Vec2, samples> normal_, point_;
  Vec3 middle_ = Vec3::Zero();
  double reach_ = 0, size_ = 0;

  void tabulate();
  double parameter(double angle) const;
};

}  // namespace tappet
