// Two polygons: corners of the sides that lie on each other, and the nearest place when it is none of them
// (side_contact.hpp). Candidates: corners of the first, corners of the second, the nearest place.
#include <algorithm>

#include "tappet/geometry/face_contact.hpp"
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/side_contact.hpp"

namespace tappet::pairs::polygon_polygon {
namespace {

int candidates(const Shape& first, const Shape& second) {
  [[maybe_unused]] const auto& b = static_cast<const Polygon&>(second);
  return static_cast<const Polygon&>(first).count() + b.count() + 1;
}

void evaluate_all(const Shape& first, const Pose& p, const Shape& second, const Pose& q,
                  std::span<Proximity> out) {
  const auto& a = static_cast<const Polygon&>(first);
  const auto& b = static_cast<const Polygon&>(second);
  std::fill(out.begin(), out.end(), Proximity{});
  const Proximity nearest = separation(a, p, b, q);
  side_contacts(side_of(a, p, nearest.normal, 0), side_of(b, q, -nearest.normal, a.count()), out);
  complete(nearest, b.margin(), std::min(a.reach(), b.reach()), out);
}

const Registration<PairType> registered{
    {.name = "polygon|polygon", .candidates = candidates, .evaluate_all = evaluate_all}};

}  // namespace
}  // namespace tappet::pairs::polygon_polygon
