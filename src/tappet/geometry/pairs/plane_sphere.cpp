// A ball on a plane.
//
//   gap = n·(C − P) − R,   normal = n,   touching at C − R n
#include "tappet/geometry/pair_kinds.hpp"

namespace tappet::pairs::plane_sphere {
namespace {

Proximity evaluate(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int) {
  const auto& ball = static_cast<const Sphere&>(second);
  return over_plane(static_cast<const Plane&>(first), p, q.point(ball.centre), ball.R);
}

const Registration<PairType> registered{
    {.name = "plane|sphere", .candidates = one_candidate, .evaluate = evaluate}};

}  // namespace
}  // namespace tappet::pairs::plane_sphere
