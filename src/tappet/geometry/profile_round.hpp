// A shape with a support function (a convex curve, an ellipsoid) on a profile: its lowest point over each piece (three
// candidates: every third piece), and the noses that stand into it.
#pragma once

#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/profile_contact.hpp"

namespace tappet {

inline constexpr int pieces_at_once = 3, round_candidates = pieces_at_once + nose_groups;

/// The shape's lowest point over piece k, where that is a point of the piece.
template <class Round>
Proximity over_piece(const Profile& profile, const Pose& frame, int k, const Round& shape, const Pose& Q) {
  const Profile::Piece& piece = profile.pieces()[k];
  const Vec3 normal = profile.unflatten(piece.normal), down = Q.local_direction(frame.direction(-normal));
  const Vec3 at = Q.point(shape.support(down));
  const Vec2 d = profile.flatten(frame.local(at)) - piece.anchor;
  const double u = piece.along.dot(d);
  if (u < piece.low || u > piece.high) return {};
  Proximity out = touch({piece.normal.dot(d), normal, flat}, frame, at, 0);
  out.radius[1] = shape.radius(down);
  return out;
}

template <class Round>
Proximity round_on_profile(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int i) {
  const auto& profile = static_cast<const Profile&>(first);
  const auto& shape = static_cast<const Round&>(second);
  const Pose frame = p * profile.place, Q = q * shape.place;
  if (i >= pieces_at_once) {
    std::array<Proximity, nose_groups> noses;
    nose_contacts(profile, frame, shape, q, noses);
    return noses[i - pieces_at_once];
  }
  Proximity best;
  const auto [begin, end] = pieces_below(profile, bounds_in(shape, q, frame));
  for (int k = begin; k < end; ++k) {
    if (k % pieces_at_once != i) continue;
    // What lies deeper below a piece than the shape is thick is behind it, not in it.
    const Proximity found = over_piece(profile, frame, k, shape, Q);
    if (found.gap < best.gap && found.gap > -shape.size()) best = found;
  }
  return best;
}

}  // namespace tappet
