// A cylinder on a profile: three points of each rim (plane_cylinder.cpp), the lowest taken over the piece
// that is nearest to the cylinder's middle, and noses of the profile under it (two candidates: every other
// nose).
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/profile_contact.hpp"
#include "tappet/geometry/shapes/cylinder.hpp"

namespace tappet {
namespace {

constexpr int on_rims = 6, candidates = on_rims + nose_groups;

Proximity evaluate(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int i) {
  const auto& profile = static_cast<const Profile&>(first);
  const auto& cylinder = static_cast<const Cylinder&>(second);
  const Pose frame = p * profile.place, Q = q * cylinder.place;
  if (i >= on_rims) {
    std::array<Proximity, nose_groups> noses;
    nose_contacts(profile, frame, cylinder, q, noses);
    return noses[i - on_rims];
  }
  const Vec3 rim = Q.point(Vec3(0, 0, i < 3 ? cylinder.half : -cylinder.half));
  const Vec3 up = frame.direction(profile.foot(frame.local(rim)).normal);
  return over_profile(profile, frame, Q.point(cylinder.rim_point(i, Q.local_direction(-up))));
}

const Registration<PairType> registered{{.name = "profile|cylinder",
                                         .candidates = [](const Shape&, const Shape&) { return candidates; },
                                         .evaluate = evaluate}};

}  // namespace
}  // namespace tappet
