// A convex curve and a polygon: the nearest or deepest place (curve_contact.hpp).
#include "tappet/geometry/curve_contact.hpp"
#include "tappet/geometry/pair_kinds.hpp"

namespace tappet::pairs::curve_polygon {
namespace {

Proximity evaluate(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int) {
  const auto& polygon = static_cast<const Polygon&>(second);
  std::array<Vec3, Polygon::most_corners> corners;
  const int n = polygon.count();
  for (int i = 0; i < n; ++i) corners[i] = q.point(polygon.corners[i]);
  return curve_and_corners(static_cast<const Curve&>(first), p, std::span(corners).first(n), 0);
}

const Registration<PairType> registered{
    {.name = "curve|polygon", .candidates = one_candidate, .evaluate = evaluate}};

}  // namespace
}  // namespace tappet::pairs::curve_polygon
