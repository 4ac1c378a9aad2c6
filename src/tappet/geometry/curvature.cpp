#include "tappet/geometry/curvature.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tappet {
namespace {

// Curvatures below this part of the larger one are none: rounding of directions.
constexpr double not_curved = 1e-12;

std::optional<Mat3> curvature_of(const Shape& shape, const Pose& pose, const Vec3& at, const Vec3& n) {
  const CurvatureType* type = CurvatureRegistry::instance().find(shape.kind());
  if (!type) return std::nullopt;
  const std::optional<Mat3> own = type->at(shape, pose.R.transpose() * (at - pose.r), pose.R.transpose() * n);
  if (!own) return std::nullopt;
  return Mat3(pose.R * *own * pose.R.transpose());
}

}  // namespace

std::optional<std::array<double, 2>> relative_radii(const Shape& first, const Pose& p, const Shape& second,
                                                    const Pose& q, const Proximity& place) {
  if (!std::isfinite(place.gap) || place.normal.isZero(0)) return std::nullopt;
  const auto one = curvature_of(first, p, place.on_first, place.normal);
  const auto other = curvature_of(second, q, place.on_second, -place.normal);
  if (!one || !other) return std::nullopt;
  // Two directions across the normal, and the eigenvalues of the 2 × 2 matrix between them.
  const Mat3 sum = *one + *other;
  const Vec3 x = place.normal.unitOrthogonal(), y = place.normal.cross(x);
  const double xx = x.dot(sum * x), xy = x.dot(sum * y), yy = y.dot(sum * y);
  const double mean = 0.5 * (xx + yy), spread = std::hypot(0.5 * (xx - yy), xy);
  const double size = std::abs(mean) + spread;
  const auto radius = [&](double curvature) {
    return std::abs(curvature) <= not_curved * size ? std::numeric_limits<double>::infinity() : 1 / curvature;
  };
  return std::array{radius(mean - spread), radius(mean + spread)};
}

}  // namespace tappet
