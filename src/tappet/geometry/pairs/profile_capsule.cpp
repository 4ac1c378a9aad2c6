// A capsule, or in the plane a segment, on a profile: its two end balls as balls (three candidates each), and
// noses under its axis (two candidates: every other nose).
//
//   nose line V + λ y, axis E(s):   gap = distance of the lines − R where 0 < s < 1
//
// An end ball sees a nose only where no inner point of the axis is nearer to it, so that end and axis hand it
// over.
#include "tappet/geometry/closest.hpp"
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/profile_contact.hpp"

namespace tappet::pairs::profile_capsule {
namespace {

constexpr int at_ends = 6, candidates = at_ends + nose_groups;

/// Where on the axis the nose is nearest, and how it is then touched.
Proximity over_nose(const Profile& profile, const Pose& frame, int piece, const Capsule& capsule,
                    const Pose& q, double& s) {
  const Vec3 a = frame.local(q.point(capsule.a)), b = frame.local(q.point(capsule.b));
  const Vec2 nose = profile.pieces()[piece].begin();
  // Seen along the width.
  s = closest_on_segment(profile.unflatten(nose), profile.unflatten(profile.flatten(a)),
                         profile.unflatten(profile.flatten(b)));
  const Vec3 at = a + s * (b - a);
  const Vec2 d = profile.flatten(at) - nose;
  const double distance = d.norm();
  if (!(distance > 0)) return {};
  Proximity out = touch({distance, profile.unflatten(d / distance), 0}, frame, frame.point(at), capsule.R);
  out.radius[1] = s > 0 && s < 1 ? flat : capsule.R;
  return out;
}

Proximity at_end(const Profile& profile, const Pose& frame, const Capsule& capsule, const Pose& q, int end,
                 int slot) {
  const Vec3 c = q.point(capsule.end(end)), own = frame.local(c);
  const Foot foot = profile.foot(own, capsule.R, slot);
  if (!(foot.distance < flat)) return {};
  if (foot.radius == 0 && foot.distance > 0) {
    // A nose: is an inner point of the axis nearer?
    const Vec2 inward = profile.flatten(
        frame.local_direction(q.direction(end == 0 ? capsule.direction : Vec3(-capsule.direction))));
    if (profile.flatten(foot.normal).dot(inward) < 0) return {};
  }
  return touch(foot, frame, c, capsule.R);
}

Proximity evaluate(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int i) {
  const auto& profile = static_cast<const Profile&>(first);
  const auto& capsule = static_cast<const Capsule&>(second);
  const Pose frame = p * profile.place;
  if (i < at_ends) return at_end(profile, frame, capsule, q, i / 3, i % 3);
  Proximity best;
  const auto [begin, end] = pieces_below(profile, bounds_in(capsule, q, frame));
  for (int k = begin; k < end; ++k) {
    if (!profile.pieces()[k].nose || k % nose_groups != i - at_ends) continue;
    double s = 0;
    const Proximity found = over_nose(profile, frame, k, capsule, q, s);
    if (s > 0 && s < 1 && found.gap < best.gap &&
        leaves_nose(profile, k, frame.local_direction(found.normal)))
      best = found;
  }
  return best;
}

const Registration<PairType> registered{{.name = "profile|capsule",
                                         .candidates = [](const Shape&, const Shape&) { return candidates; },
                                         .evaluate = evaluate}};

}  // namespace
}  // namespace tappet::pairs::profile_capsule
