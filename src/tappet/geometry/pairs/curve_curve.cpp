// Two convex curves: the nearest or deepest place (curve_contact.hpp).
#include "tappet/geometry/curve_contact.hpp"
#include "tappet/geometry/pair_kinds.hpp"

namespace tappet::pairs::curve_curve {
namespace {

Proximity evaluate(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int) {
  return curve_and_curve(static_cast<const Curve&>(first), p, static_cast<const Curve&>(second), q);
}

const Registration<PairType> registered{
    {.name = "curve|curve", .candidates = one_candidate, .evaluate = evaluate}};

}  // namespace
}  // namespace tappet::pairs::curve_curve
