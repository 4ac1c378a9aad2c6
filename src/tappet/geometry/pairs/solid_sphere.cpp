// A ball and a solid: the point of the solid's surface nearest to the ball's centre.
//
//   gap = φ(C) − R,   normal = ∇φ,   φ the signed distance to the surface
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/shapes/solid.hpp"

namespace tappet::pairs::solid_sphere {
namespace {

Proximity evaluate(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int) {
  const auto& ball = static_cast<const Sphere&>(second);
  const Vec3 c = q.point(ball.centre);
  const ExactFoot foot = static_cast<const Solid&>(first).surface.nearest(p.local(c));
  if (!std::isfinite(foot.distance)) return {};
  return touch({foot.distance, foot.normal, foot.radius}, p, c, ball.R);
}

const Registration<PairType> registered{
    {.name = "solid|sphere", .candidates = one_candidate, .evaluate = evaluate}};

}  // namespace
}  // namespace tappet::pairs::solid_sphere
