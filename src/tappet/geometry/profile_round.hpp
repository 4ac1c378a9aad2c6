// A shape with a support function (a convex curve, an ellipsoid) on a profile: its lowest point over each
// piece (three candidates: every third piece), and the noses that stand into it.
#pragma once

#include <algorithm>

#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/profile_contact.hpp"

namespace tappet {

inline constexpr int pieces_at_once = 3, round_candidates = pieces_at_once + nose_groups;

/// How far a piece goes on below the next one, where both meet in a hollow: what is there has to stay above
/// both.
inline double below_next(const Profile& profile, int k, int step) {
  const int next = k + step, corner = step > 0 ? next : k;
  if (next < 0 || next >= static_cast<int>(profile.pieces().size()) || profile.pieces()[corner].nose)
    return 0;
  const Profile::Piece& other = profile.pieces()[next];
  return other.high - other.low;
}

/// The shape's lowest point over piece k, where that is a point of the piece.
template <class Round>
Proximity over_piece(const Profile& profile, const Pose& frame, int k, const Round& shape, const Pose& Q) {
  const Profile::Piece& piece = profile.pieces()[k];
  const Vec3 normal = profile.unflatten(piece.normal), down = Q.local_direction(frame.direction(-normal));
  const Vec3 at = Q.point(shape.support(down));
  const Vec2 d = profile.flatten(frame.local(at)) - piece.anchor;
  const double u = piece.along.dot(d), h = piece.normal.dot(d);
  if (u < piece.low - below_next(profile, k, -1) || u > piece.high + below_next(profile, k, 1)) return {};
  Proximity out = touch({h, normal, flat}, frame, at, 0);
  out.radius[1] = shape.radius(down);
  return out;
}

/// `nearest`: the piece of each of the first three candidates.
template <class Round>
void round_on_profile(const Profile& profile, const Pose& p, const Round& shape, const Pose& q,
                      std::span<Proximity> out, int nearest[pieces_at_once]) {
  const Pose frame = p * profile.place, Q = q * shape.place;
  std::fill(out.begin(), out.end(), Proximity{});
  nose_contacts(profile, frame, shape, q, out.subspan(pieces_at_once));
  const auto [begin, end] = pieces_below(profile, bounds_in(shape, q, frame));
  for (int k = begin; k < end; ++k) {
    // What lies deeper below a piece than the shape is thick is behind it, not in it.
    const Proximity found = over_piece(profile, frame, k, shape, Q);
    Proximity& best = out[k % pieces_at_once];
    if (found.gap < best.gap && found.gap > -shape.size()) best = found, nearest[k % pieces_at_once] = k;
  }
}

template <class Round>
void round_contacts(const Shape& first, const Pose& p, const Shape& second, const Pose& q,
                    std::span<Proximity> out) {
  int nearest[pieces_at_once];
  round_on_profile(static_cast<const Profile&>(first), p, static_cast<const Round&>(second), q, out, nearest);
}

inline int round_candidate_count(const Shape&, const Shape&) {
  return round_candidates;
}

template <class Round>
PairType round_pair(const std::string& kind) {
  return {
      .name = "profile|" + kind, .candidates = round_candidate_count, .evaluate_all = round_contacts<Round>};
}

}  // namespace tappet
