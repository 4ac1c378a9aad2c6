// Two capsules: the points of their axes nearest to each other; where the axes are parallel, in the middle of
// what they share.
//
//   gap = |E₂(t) − E₁(s)| − R₁ − R₂,   0 ≤ s, t ≤ 1
//
// Axes that meet: in space the normal is perpendicular to both; in the plane the gap is minus the shortest
// way out.
#include "tappet/geometry/shapes/capsule.hpp"

#include "tappet/geometry/closest.hpp"
#include "tappet/geometry/pair_kinds.hpp"

namespace tappet::pairs::capsule_capsule {
namespace {

Proximity evaluate(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int) {
  const auto& one = static_cast<const Capsule&>(first);
  const auto& two = static_cast<const Capsule&>(second);
  const Vec3 a0 = p.point(one.a), a1 = p.point(one.b), b0 = q.point(two.a), b1 = q.point(two.b);
  const SegmentPair at = closest_on_segments(a0, a1, b0, b1);
  const Vec3 a = a0 + at.s * (a1 - a0), b = b0 + at.t * (b1 - b0), d = b - a;
  const double distance = d.norm();
  if (one.planar() && distance <= 1e-12 * one.reach()) return separation(one, p, two, q);
  Proximity out;
  if (distance > 0) {
    out.normal = d / distance;
  } else {
    const Vec3 across = (a1 - a0).cross(b1 - b0);
    const double length = across.norm();
    out.normal = length > 0 ? Vec3(across / length) : any_perpendicular(p.direction(one.direction));
  }
  out.gap = distance - one.R - two.R;
  out.on_first = a + one.R * out.normal;
  out.on_second = b - two.R * out.normal;
  out.radius[0] = at.s > 0 && at.s < 1 ? flat : one.R;
  out.radius[1] = at.t > 0 && at.t < 1 ? flat : two.R;
  return out;
}

const Registration<PairType> registered{
    {.name = "capsule|capsule", .candidates = one_candidate, .evaluate = evaluate}};

}  // namespace
}  // namespace tappet::pairs::capsule_capsule
