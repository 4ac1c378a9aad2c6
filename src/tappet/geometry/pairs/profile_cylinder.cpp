// A cylinder on a profile: its lowest point over each piece, and noses of the profile under it, as of an
// ellipsoid (profile_round.hpp). Over the piece that is nearest, three points of each rim take the place of
// the lowest (plane_cylinder.cpp), so that it stands and lies.
#include "tappet/geometry/profile_round.hpp"
#include "tappet/geometry/shapes/cylinder.hpp"

namespace tappet::pairs::profile_cylinder {
namespace {

constexpr int on_rims = 6, candidates = on_rims + round_candidates;

int candidate_count(const Shape&, const Shape&) {
  return candidates;
}

void evaluate_all(const Shape& first, const Pose& p, const Shape& second, const Pose& q,
                  std::span<Proximity> out) {
  const auto& profile = static_cast<const Profile&>(first);
  const auto& cylinder = static_cast<const Cylinder&>(second);
  const Pose frame = p * profile.place, Q = q * cylinder.place;
  std::fill(out.begin(), out.end(), Proximity{});
  const std::span<Proximity> others = out.subspan(on_rims);
  int nearest[pieces_at_once];
  round_on_profile<Cylinder>(profile, p, cylinder, q, others, nearest);
  int best = 0;
  for (int i = 1; i < pieces_at_once; ++i)
    if (others[i].gap < others[best].gap) best = i;
  if (others[best].gap == flat) return;
  const Profile::Piece& piece = profile.pieces()[nearest[best]];
  const Vec3 normal = profile.unflatten(piece.normal), down = Q.local_direction(frame.direction(-normal));
  bool lowest = false;
  for (int i = 0; i < on_rims; ++i) {
    const Vec3 at = Q.point(cylinder.rim_point(i, down));
    const Vec2 d = profile.flatten(frame.local(at)) - piece.anchor;
    const double u = piece.along.dot(d);
    if (u < piece.low || u > piece.high) continue;
    out[i] = touch({piece.normal.dot(d), normal, flat}, frame, at, 0);
    lowest = lowest || out[i].gap <= others[best].gap + 1e-12 * cylinder.reach();
  }
  if (lowest) others[best] = {};
}

const Registration<PairType> registered{
    {.name = "profile|cylinder", .candidates = candidate_count, .evaluate_all = evaluate_all}};

}  // namespace
}  // namespace tappet::pairs::profile_cylinder
