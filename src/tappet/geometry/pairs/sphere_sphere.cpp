// Two balls.
//
//   gap = |C₂ − C₁| − R₁ − R₂,   normal = (C₂ − C₁)/|C₂ − C₁|
//
// Balls with one centre: the normal is the first body's x axis.
#include "tappet/geometry/pair_kinds.hpp"

namespace tappet::pairs::sphere_sphere {
namespace {

Proximity evaluate(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int) {
  const auto &a = static_cast<const Sphere&>(first), &b = static_cast<const Sphere&>(second);
  const Vec3 c1 = p.point(a.centre), c2 = q.point(b.centre), way = c2 - c1;
  const double distance = way.norm();
  Proximity out;
  out.gap = distance - a.R - b.R;
  out.normal = distance > 0 ? Vec3(way / distance) : Vec3(p.R.col(0));
  out.on_first = c1 + a.R * out.normal;
  out.on_second = c2 - b.R * out.normal;
  out.radius[0] = a.R;
  out.radius[1] = b.R;
  return out;
}

const Registration<PairType> registered{
    {.name = "sphere|sphere", .candidates = one_candidate, .evaluate = evaluate}};

}  // namespace
}  // namespace tappet::pairs::sphere_sphere
