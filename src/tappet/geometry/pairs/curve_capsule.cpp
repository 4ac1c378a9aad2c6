// A convex curve and a segment: the nearest or deepest place (curve_contact.hpp).
#include "tappet/geometry/curve_contact.hpp"
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/shapes/capsule.hpp"

namespace tappet::pairs::curve_capsule {
namespace {

Proximity evaluate(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int) {
  const auto& segment = static_cast<const Capsule&>(second);
  const std::array<Vec3, 2> ends = {q.point(segment.a), q.point(segment.b)};
  return curve_and_corners(static_cast<const Curve&>(first), p, ends, segment.R);
}

const Registration<PairType> registered{
    {.name = "curve|capsule", .candidates = one_candidate, .evaluate = evaluate}};

}  // namespace
}  // namespace tappet::pairs::curve_capsule
