// Small vectors and matrices, everywhere the same.
#pragma once

#include <Eigen/Core>

namespace tappet {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

/// The vector turned by +90°.
inline Vec2 perpendicular(const Vec2& a) {
  return {-a.y(), a.x()};
}
inline double cross(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

}  // namespace tappet
