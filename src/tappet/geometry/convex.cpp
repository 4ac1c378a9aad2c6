#include "tappet/geometry/convex.hpp"

namespace tappet {

Bounds ConvexShape::bounds(const Pose& pose) const {
  const Pose frame = pose * place;
  Bounds out;
  for (int axis = 0; axis < (planar_ ? 2 : 3); ++axis) {
    const Vec3 d = frame.R.row(axis).transpose();
    out.high[axis] = frame.point(support(d))[axis] + margin();
    out.low[axis] = frame.point(support(-d))[axis] - margin();
  }
  if (planar_) out.low.z() = out.high.z() = 0;
  return out;
}

int ConvexShape::flat_directions(std::span<const Vec3> supports, Vec3 directions[2]) const {
  if (!few_supports()) return 0;
  int count = 0;
  for (std::size_t i = 1; i < supports.size() && count < 2; ++i) {
    Vec3 d = supports[i] - supports[0];
    const double length = d.norm();
    for (int k = 0; k < count; ++k) d -= directions[k].dot(d) * directions[k];
    if (const double rest = d.norm(); rest > 1e-6 * length && rest > 1e-9 * reach())
      directions[count++] = d / rest;
  }
  return count;
}

SolidProperties placed(SolidProperties solid, const Pose& place) {
  solid.centre = place.point(solid.centre);
  solid.inertia = place.R * solid.inertia * place.R.transpose();
  return solid;
}

}  // namespace tappet
