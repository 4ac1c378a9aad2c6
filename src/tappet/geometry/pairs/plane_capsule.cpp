// A capsule on a plane: its two end balls. Lying flat it touches with both.
//
//   gapᵢ = n·(Eᵢ − P) − R,   E₀, E₁ ends of the axis
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/shapes/capsule.hpp"

namespace tappet::pairs::plane_capsule {
namespace {

Proximity evaluate(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int i) {
  const auto& capsule = static_cast<const Capsule&>(second);
  return over_plane(static_cast<const Plane&>(first), p, q.point(capsule.end(i)), capsule.R);
}

const Registration<PairType> registered{{.name = "plane|capsule",
                                         .candidates = [](const Shape&, const Shape&) { return 2; },
                                         .evaluate = evaluate}};

}  // namespace
}  // namespace tappet::pairs::plane_capsule
