#include "tappet/geometry/profile_contact.hpp"

#include <cmath>

namespace tappet {

std::pair<int, int> pieces_below(const Profile& profile, const Bounds& own) {
  const double around = (own.high.x() - own.low.x()) / 2;
  return profile.pieces_between(own.low.x() - around, own.high.x() + around);
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

namespace {

/// A direction from the nose, turned by `angle` from the first piece's normal towards the second's, with the
/// shape's point that is lowest along it.
struct Look {
  Vec3 n, t, x;  ///< profile's axes; t: where n turns to
  double slope;  ///< f′ = t·(x − V)
};

class NoseView {
 public:
  NoseView(const Profile& profile, int piece, const Pose& frame, const ConvexShape& shape, const Pose& Q)
      : profile_(profile),
        shape_(shape),
        own_{frame.R.transpose() * Q.R, frame.local(Q.r)},
        nose_(profile.pieces()[piece].begin()),
        n_(profile.pieces()[piece - 1].normal),
        t_(profile.pieces()[piece - 1].along) {
    const Vec2& other = profile.pieces()[piece].normal;
    whole_ = std::atan2(t_.dot(other), n_.dot(other));
  }

  double whole_angle() const { return whole_; }
  Look look(double angle) const {
    const double c = std::cos(angle), s = std::sin(angle);
    const Vec2 n = c * n_ + s * t_, t = c * t_ - s * n_;
    Look out{profile_.unflatten(n), profile_.unflatten(t), Vec3::Zero(), 0};
    out.x = own_.point(shape_.support(own_.local_direction(-out.n)));
    out.slope = t.dot(profile_.flatten(out.x) - nose_);
    return out;
  }
  double gap(const Look& at) const {
    return profile_.flatten(at.n).dot(profile_.flatten(at.x) - nose_) - shape_.margin();
  }
  /// Where an edge or a line of the shape lies along the nose, its middle.
  Vec3 middle_along(const Look& at) const {
    if (shape_.planar()) return at.x;
    const Vec3 y(0, 1e-9, 0);
    const Vec3 one = own_.point(shape_.support(own_.local_direction(y - at.n))),
               two = own_.point(shape_.support(own_.local_direction(-y - at.n)));
    const double length = (one - two).norm();
    if (length < 1e-6 * shape_.reach() || profile_.flatten(one - two).norm() > 1e-6 * length) return at.x;
    return {at.x.x(), (one.y() + two.y()) / 2, at.x.z()};
  }
  double radius(const Look& at) const { return shape_.radius(own_.local_direction(-at.n)); }

 private:
  const Profile& profile_;
  const ConvexShape& shape_;
  Pose own_;  ///< the shape's own axes in the profile's
  Vec2 nose_, n_, t_;
  double whole_;
};

/// The gap of a convex shape over a nose: the highest f(n) = n·(x − V) for n between the normals beside it, x
/// the shape's lowest point along n. At either end of that range the pieces take over, with the same gap.
Proximity over_nose(const NoseView& view, const Pose& frame, double margin) {
  Look low = view.look(0), high = view.look(view.whole_angle());
  if (!(low.slope >= 0 && high.slope <= 0)) return {};
  double from = 0, to = view.whole_angle();
  for (int step = 0; step < 60 && to - from > 1e-16; ++step) {
    const double middle = (from + to) / 2;
    const Look at = view.look(middle);
    if (at.slope > 0)
      from = middle, low = at;
    else
      to = middle, high = at;
  }
  // Across an edge or a face x jumps; the point over the nose is between.
  Look at = low;
  if (low.slope > high.slope) at.x += low.slope / (low.slope - high.slope) * (high.x - low.x);
  Proximity out;
  out.gap = view.gap(at);
  out.normal = frame.direction(at.n);
  out.on_second = frame.point(view.middle_along(at)) - margin * out.normal;
  out.on_first = out.on_second - out.gap * out.normal;
  out.radius[1] = view.radius(at);
  return out;
}

}  // namespace

void nose_contacts(const Profile& profile, const Pose& frame, const ConvexShape& shape, const Pose& q,
                   std::span<Proximity> out) {
  const Bounds own = bounds_in(shape, q, frame);
  const auto [first, last] = pieces_below(profile, own);
  for (int i = first; i < last; ++i) {
    if (!profile.pieces()[i].nose) continue;
    const Proximity found = over_nose({profile, i, frame, shape, q * shape.place}, frame, shape.margin());
    Proximity& best = out[i % nose_groups];
    if (found.gap < best.gap) best = found;
  }
}

}  // namespace tappet
