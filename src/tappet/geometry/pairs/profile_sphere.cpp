// A ball on a profile: three candidates, each for every third piece with the nose it begins with
// (shapes/profile.cpp), so that a ball in a hollow rests on both sides.
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/shapes/profile.hpp"

namespace tappet::pairs::profile_sphere {
namespace {

Proximity evaluate(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int slot) {
  const auto& profile = static_cast<const Profile&>(first);
  const auto& ball = static_cast<const Sphere&>(second);
  const Pose frame = p * profile.place;
  const Vec3 c = q.point(ball.centre);
  const Foot foot = profile.foot(frame.local(c), ball.R, slot);
  return foot.distance < flat ? touch(foot, frame, c, ball.R) : Proximity{};
}

const Registration<PairType> registered{{.name = "profile|sphere",
                                         .candidates = [](const Shape&, const Shape&) { return 3; },
                                         .evaluate = evaluate}};

}  // namespace
}  // namespace tappet::pairs::profile_sphere
