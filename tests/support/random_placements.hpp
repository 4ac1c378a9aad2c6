// Random poses of two shapes, the same in every run.
#pragma once

#include <random>

#include <Eigen/Geometry>

#include "tappet/geometry/shape.hpp"

namespace tappet::testing {

class RandomPlacements {
 public:
  explicit RandomPlacements(unsigned seed) : engine_(seed) {}

  double number() { return uniform_(engine_); }  ///< in (−1, 1)
  Vec3 vector() { return {number(), number(), number()}; }
  Vec3 direction() {
    Vec3 v = vector();
    while (v.norm() < 0.1 || v.norm() > 1) v = vector();
    return v.normalized();
  }
  Mat3 rotation() { return Eigen::AngleAxisd(3.1 * number(), direction()).toRotationMatrix(); }
  /// Anywhere within `reach` of the origin, turned at will.
  Pose pose(double reach) { return {rotation(), reach * vector()}; }

 private:
  std::mt19937 engine_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

/// The pose after a small turn and shift.
inline Pose nudged(const Pose& pose, const Vec3& turn, const Vec3& shift) {
  const double angle = turn.norm();
  const Mat3 R =
      angle > 0 ? Mat3(Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix()) : Mat3(Mat3::Identity());
  return {R * pose.R, pose.r + shift};
}

}  // namespace tappet::testing
