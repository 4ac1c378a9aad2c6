#include "tappet/geometry/capsule_contact.hpp"

#include <algorithm>

#include "tappet/geometry/face_contact.hpp"
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/shapes/capsule.hpp"

namespace tappet {
namespace {

int candidates(const Shape&, const Shape&) {
  return capsule_candidates;
}

}  // namespace

void capsule_contacts(const Shape& first, const Pose& p, const Shape& second, const Pose& q,
                      std::span<Proximity> out) {
  const auto& solid = static_cast<const PolyhedralShape&>(first);
  const auto& capsule = static_cast<const Capsule&>(second);
  std::fill(out.begin(), out.end(), Proximity{});
  const Proximity nearest = separation(solid, p, capsule, q);
  const Pose P = p * solid.place;
  const Vec3 n = P.local_direction(nearest.normal);
  Facet axis;
  axis.size = 2;
  axis.margin = capsule.R;
  for (int i = 0; i < 2; ++i) {
    axis.name[i] = i;
    axis.point[i] = P.local(q.point(capsule.end(i)));
  }
  const Facet facets[2] = {facet_of(solid, n, {}), axis};
  face_contacts(facets, 1, n, P, out);
  complete(nearest, capsule.R, std::min(solid.reach(), capsule.reach()), out);
}

PairType capsule_on_polyhedron(const std::string& name) {
  return {.name = name, .candidates = candidates, .evaluate_all = capsule_contacts};
}

}  // namespace tappet
