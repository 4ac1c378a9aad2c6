// A polygon on a profile: its corners over the profile, and noses of the profile under it (two candidates:
// every other nose).
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/profile_contact.hpp"

namespace tappet::pairs::profile_polygon {
namespace {

int candidates(const Shape&, const Shape& second) {
  return static_cast<const Polygon&>(second).count() + nose_groups;
}

void evaluate_all(const Shape& first, const Pose& p, const Shape& second, const Pose& q,
                  std::span<Proximity> out) {
  const auto& profile = static_cast<const Profile&>(first);
  const auto& polygon = static_cast<const Polygon&>(second);
  const Pose frame = p * profile.place;
  const int corners = polygon.count();
  for (int i = 0; i < corners; ++i) out[i] = over_profile(profile, frame, q.point(polygon.corners[i]));
  for (int i = 0; i < nose_groups; ++i) out[corners + i] = {};
  nose_contacts(profile, frame, polygon, q, out.subspan(corners));
}

const Registration<PairType> registered{
    {.name = "profile|polygon", .candidates = candidates, .evaluate_all = evaluate_all}};

}  // namespace
}  // namespace tappet::pairs::profile_polygon
