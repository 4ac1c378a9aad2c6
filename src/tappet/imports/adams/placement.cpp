#include "tappet/imports/adams/placement.hpp"

#include <fmt/format.h>

namespace tappet::adams {
namespace {

using Eigen::Vector3d;

/// Right-handed axes with `first` along axis `along` and `second` in its plane with axis `in_plane`, on the positive side.
Eigen::Matrix3d axes_through(const Vector3d& first, int along, const Vector3d& second, int in_plane) {
  Eigen::Matrix3d R;
  R.col(along) = first.normalized();
  R.col(in_plane) = (second - R.col(along) * R.col(along).dot(second)).normalized();
  const int third = 3 - along - in_plane;
  R.col(third) = R.col((third + 1) % 3).cross(R.col((third + 2) % 3));
  return R;
}

}  // namespace

Eigen::Isometry3d read_placement(const Given& given, char letter, Conversion& c) {
  const auto named = [&](char axis) { return std::string{axis, letter}; };
  Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
  const Vector3d origin = c.vector(given, named('Q'), c.units.length);
  out.translation() = origin;
  const std::string X = named('X'), Z = named('Z');
  if (given.has("REULER")) {
    const Vector3d angles = c.vector(given, "REULER", 1);
    out.linear() =
        (Eigen::AngleAxisd(angles.x(), Vector3d::UnitZ()) * Eigen::AngleAxisd(angles.y(), Vector3d::UnitX()) *
         Eigen::AngleAxisd(angles.z(), Vector3d::UnitZ()))
            .toRotationMatrix();
    return out;
  }
  if (!given.has(X) && !given.has(Z)) return out;
  const auto direction = [&](const std::string& name, const Vector3d& absent) -> Vector3d {
    return given.has(name) ? Vector3d(c.vector(given, name, c.units.length) - origin) : absent;
  };
  const Vector3d x = direction(X, Vector3d::UnitX()), z = direction(Z, Vector3d::UnitZ());
  if (!(x.cross(z).norm() > 1e-12 * x.norm() * z.norm())) {
    c.fault(
        given,
        fmt::format("{} and {} do not say how its axes stand: they lie on one line with its origin", X, Z));
    return out;
  }
  out.linear() = given.has("USEXP") ? axes_through(x, 0, z, 2) : axes_through(z, 2, x, 0);
  return out;
}

}  // namespace tappet::adams
