// A cylinder on a plane: three points of each rim, the lowest and those 120° to both sides of it. Standing it
// touches with the three of one rim, lying with the lowest of both.
//
//   C ± h e + R (cos φ d + sin φ e×d),   φ = 0, ±120°,   e the axis, d the direction of steepest descent in
//   the rim's plane gap = n·(point − P)
//
// d follows the plane's normal, so that the points at ±120° slide along the rim as the cylinder tilts. Their
// gap is one function, h₀ + ½ R |n×e| over the rim's centre at h₀, and its rate is the mean of their material
// points' rates: what one gets too much the other gets too little.
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/shapes/cylinder.hpp"

namespace tappet::pairs::plane_cylinder {
namespace {

Proximity evaluate(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int i) {
  const auto& plane = static_cast<const Plane&>(first);
  const auto& cylinder = static_cast<const Cylinder&>(second);
  const Pose frame = q * cylinder.place;
  return over_plane(plane, p,
                    frame.point(cylinder.rim_point(i, frame.local_direction(-p.direction(plane.normal)))), 0);
}

const Registration<PairType> registered{{.name = "plane|cylinder",
                                         .candidates = [](const Shape&, const Shape&) { return 6; },
                                         .evaluate = evaluate}};

}  // namespace
}  // namespace tappet::pairs::plane_cylinder
