// How surfaces are curved where they touch, in all directions.
//
// C is the surface's curvature at a point with outward normal n: symmetric, C n = 0, and its other two eigenvalues are the principal
// curvatures, 1/m, convex > 0. Near the point the surface is at −½ xᵀ C x along n. Two surfaces that touch have the gap ½ xᵀ (C₁ + C₂) x, whose
// eigenvalues are 1/R′ and 1/R″.
//
// A shape that knows its C says so in its own file, by one registration under its kind.
#pragma once

#include <array>
#include <optional>
#include <string>

#include <Eigen/Geometry>

#include "tappet/base/registry.hpp"
#include "tappet/geometry/pair.hpp"
#include "tappet/geometry/shape.hpp"

namespace tappet {

struct CurvatureType {
  std::string name;  ///< Shape::kind()
  /// C at a point of the surface with outward normal n, both in the axes of the body; none at edges.
  std::optional<Mat3> (*at)(const Shape& shape, const Vec3& point, const Vec3& n) = nullptr;
};
using CurvatureRegistry = Registry<CurvatureType>;

/// R′ ≥ R″ of two shapes at one of their places, m: infinite where the gap is not curved, negative where it curves the other way. None
/// where a curvature is not known.
std::optional<std::array<double, 2>> relative_radii(const Shape& first, const Pose& p, const Shape& second,
                                                    const Pose& q, const Proximity& place);

/// Of a surface like a cylinder's: 1/R around the axis.
inline Mat3 curved_around(const Vec3& axis, const Vec3& n, double radius) {
  const Vec3 around = axis.cross(n).normalized();
  return around * around.transpose() / radius;
}
/// Of one like a sphere's.
inline Mat3 curved_alike(const Vec3& n, double radius) {
  return (Mat3::Identity() - n * n.transpose()) / radius;
}

}  // namespace tappet
