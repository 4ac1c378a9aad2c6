// A ball on a plane.
//
//   gap = n·(C − P) − R,   normal = n,   touching at C − R n
#include "tappet/geometry/pair.hpp"
#include "tappet/geometry/shapes/plane.hpp"
#include "tappet/geometry/shapes/sphere.hpp"

namespace tappet {
namespace {

Proximity evaluate(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int) {
  const auto& plane = static_cast<const Plane&>(first);
  const auto& ball = static_cast<const Sphere&>(second);
  Proximity out;
  out.normal = p.direction(plane.normal);
  out.on_second = q.point(ball.centre) - ball.radius * out.normal;
  out.gap = out.normal.dot(out.on_second - p.point(plane.point));
  out.on_first = out.on_second - out.gap * out.normal;
  out.radius[0] = std::numeric_limits<double>::infinity();
  out.radius[1] = ball.radius;
  return out;
}

const Registration<PairType> registered{
    {.name = "plane|sphere", .candidates = [](const Shape&, const Shape&) { return 1; }, .evaluate = evaluate}};

}  // namespace
}  // namespace tappet
