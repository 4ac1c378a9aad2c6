#include "tappet/geometry/profile_polyhedron.hpp"

#include <algorithm>

#include "tappet/geometry/capsule_contact.hpp"
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/profile_contact.hpp"

namespace tappet {
namespace {

int profile_candidates(const Shape&, const Shape& second) {
  return static_cast<const PolyhedralShape&>(second).corner_count() + nose_groups * capsule_candidates;
}

double smallest(std::span<const Proximity> all) {
  double out = flat;
  for (const Proximity& one : all) out = std::min(out, one.gap);
  return out;
}

/// The nose below the polyhedron, as seen from the polyhedron.
void over_nose(const Profile& profile, const Pose& frame, int piece, const PolyhedralShape& solid,
               const Pose& q, const Bounds& own, std::span<Proximity> best) {
  std::array<Proximity, capsule_candidates> found;
  capsule_contacts(solid, q, nose_line(profile, piece, own), frame, found);
  for (Proximity& one : found) {
    if (!(one.gap < flat)) continue;
    one = exchanged(one);
    if (!leaves_nose(profile, piece, frame.local_direction(one.normal))) one = {};
  }
  if (smallest(found) < smallest(best)) std::copy(found.begin(), found.end(), best.begin());
}

void profile_contacts(const Shape& first, const Pose& p, const Shape& second, const Pose& q,
                      std::span<Proximity> out) {
  const auto& profile = static_cast<const Profile&>(first);
  const auto& solid = static_cast<const PolyhedralShape&>(second);
  const Pose frame = p * profile.place, Q = q * solid.place;
  const int corners = solid.corner_count();
  for (int i = 0; i < corners; ++i)
    out[i] = over_profile(profile, frame, Q.point(solid.polyhedron.corners[i]));
  const std::span<Proximity> noses = out.subspan(corners);
  std::fill(noses.begin(), noses.end(), Proximity{});
  const Bounds own = bounds_in(solid, q, frame);
  const auto [begin, end] = pieces_below(profile, own);
  for (int k = begin; k < end; ++k)
    if (profile.pieces()[k].nose)
      over_nose(profile, frame, k, solid, q, own,
                noses.subspan(k % nose_groups * capsule_candidates, capsule_candidates));
}

}  // namespace

PairType polyhedron_on_profile(const std::string& kind) {
  return {.name = "profile|" + kind, .candidates = profile_candidates, .evaluate_all = profile_contacts};
}

}  // namespace tappet
