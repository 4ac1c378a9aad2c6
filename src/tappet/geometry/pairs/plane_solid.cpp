// A solid on a plane: its corners, three points of each ring, the lowest points of its bent curves and faces
// (exact_surface.hpp).
//
//   gap = n·(x − P),   x where n·x is least on the curve or face
//
// A curve or face whose lowest point is on its sharp border faces nothing: the border's own candidates touch.
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/shapes/solid.hpp"

namespace tappet::pairs::plane_solid {
namespace {

int candidates(const Shape&, const Shape& second) {
  const ExactSurface& s = static_cast<const Solid&>(second).surface;
  return static_cast<int>(s.corners().size() + 3 * s.rings().size()) + s.curves() + s.faces();
}

Proximity evaluate(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int i) {
  const auto& plane = static_cast<const Plane&>(first);
  const ExactSurface& s = static_cast<const Solid&>(second).surface;
  const Vec3 down = q.local_direction(-p.direction(plane.normal));
  const auto at = [&](const Vec3& x, double radius) {
    Proximity out = over_plane(plane, p, q.point(x), 0);
    out.radius[1] = radius;
    return out;
  };
  const int corners = static_cast<int>(s.corners().size()), rings = 3 * static_cast<int>(s.rings().size());
  if (i < corners) return at(s.corners()[i], 0);
  i -= corners;
  if (i < rings) return at(s.rings()[i / 3].point(i % 3, down), 0);
  i -= rings;
  const std::optional<ExactPlace> place =
      i < s.curves() ? s.farthest_of_curve(i, down) : s.farthest_of_face(i - s.curves(), down);
  return place ? at(place->point, place->radius) : Proximity{};
}

const Registration<PairType> registered{
    {.name = "plane|solid", .candidates = candidates, .evaluate = evaluate}};

}  // namespace
}  // namespace tappet::pairs::plane_solid
