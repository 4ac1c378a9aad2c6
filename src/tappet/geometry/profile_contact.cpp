#include "tappet/geometry/profile_contact.hpp"

#include "tappet/geometry/separation.hpp"

namespace tappet {

std::pair<int, int> pieces_below(const Profile& profile, const Bounds& own) {
  return profile.pieces_between(own.low.x(), own.high.x());
}

Bounds bounds_in(const ConvexShape& shape, const Pose& pose, const Pose& frame) {
  return shape.bounds({frame.R.transpose() * pose.R, frame.local(pose.r)});
}

Capsule nose_line(const Profile& profile, int piece, const Bounds& own) {
  const Vec2 at = profile.pieces()[piece].begin();
  const double more = own.high.y() - own.low.y();
  return {profile.unflatten(at, own.low.y() - more), profile.unflatten(at, own.high.y() + more), 0};
}

bool leaves_nose(const Profile& profile, int piece, const Vec3& own_direction) {
  const Vec2 d = profile.flatten(own_direction);
  const auto &before = profile.pieces()[piece - 1], &after = profile.pieces()[piece];
  const double slack = 1e-9;
  return before.along.dot(d) >= -slack && after.along.dot(d) <= slack;
}

void nose_contacts(const Profile& profile, const Pose& frame, const ConvexShape& shape, const Pose& q,
                   std::span<Proximity> out) {
  const Bounds own = bounds_in(shape, q, frame);
  const auto [first, last] = pieces_below(profile, own);
  for (int i = first; i < last; ++i) {
    if (!profile.pieces()[i].nose) continue;
    Proximity found;
    if (shape.planar()) {
      const Vec3 nose = frame.point(profile.unflatten(profile.pieces()[i].begin()));
      const Pose Q = q * shape.place;
      found = exchanged(touch(shape.foot(Q.local(nose)), Q, nose, 0));
    } else {
      found = separation(nose_line(profile, i, own), frame, shape, q);
    }
    Proximity& best = out[i % nose_groups];
    if (found.gap < best.gap && leaves_nose(profile, i, frame.local_direction(found.normal))) best = found;
  }
}

}  // namespace tappet
