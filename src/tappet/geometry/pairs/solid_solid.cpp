// Two solids: the corners and rings of each against the surface of the other (own_places.hpp), and the
// nearest place when it is none of them.
//
//   nearest place   points a, b with (b − a) along both outward normals there; gap = n·(b − a)
//
// It begins where the meshes of both are nearest (mesh_place.hpp) and is refined on the exact surfaces.
#include "tappet/geometry/shapes/solid.hpp"

#include "tappet/geometry/mesh_place.hpp"
#include "tappet/geometry/own_places.hpp"

namespace tappet::pairs::solid_solid {
namespace {

struct PlacedSolid {
  const Solid& solid;
  const Pose& pose;

  const std::vector<Vec3>& corners() const { return solid.surface.corners(); }
  const std::vector<Ring>& rings() const { return solid.surface.rings(); }
  Foot nearest(const Vec3& x) const {
    const ExactFoot foot = solid.surface.nearest(pose.local(x));
    return {foot.distance, pose.direction(foot.normal), foot.radius};
  }
};

int candidates(const Shape& first, const Shape& second) {
  const Pose any;
  return own_places(PlacedSolid{static_cast<const Solid&>(first), any}) +
         own_places(PlacedSolid{static_cast<const Solid&>(second), any}) + 1;
}

Proximity evaluate(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int i) {
  const PlacedSolid a{static_cast<const Solid&>(first), p}, b{static_cast<const Solid&>(second), q};
  const double size = std::min(a.solid.size(), b.solid.size());
  return place_of_both(a, b, i, size, [&] {
    const Proximity start = nearest_place(a.solid.mesh(), p, b.solid.mesh(), q);
    const bool convex = a.solid.mesh().convex && b.solid.mesh().convex;
    return std::isfinite(start.gap) ? refined_place(a, b, start, size, (convex ? 2 : 0.25) * size) : start;
  });
}

const Registration<PairType> registered{
    {.name = "solid|solid", .candidates = candidates, .evaluate = evaluate}};

}  // namespace
}  // namespace tappet::pairs::solid_solid
