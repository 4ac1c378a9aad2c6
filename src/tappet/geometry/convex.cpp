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

SolidProperties placed(SolidProperties solid, const Pose& place) {
  solid.centre = place.point(solid.centre);
  solid.inertia = place.R * solid.inertia * place.R.transpose();
  return solid;
}

}  // namespace tappet
