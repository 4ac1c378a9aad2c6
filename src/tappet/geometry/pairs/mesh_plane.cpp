// A mesh on a plane: each of the mesh's corners, bent curves and curved faces is a candidate
// (mesh_features.hpp), and of each ring three points (ring.hpp).
//
//   φ(x) = n·(x − P),   gap = smooth least φ over the feature's points − min(0, φ over its border)
//
// A face counts for what it is deeper than the curves around it, a curve for what it is deeper than its ends:
// a cylinder that lies down rests on its two rims, and the sum of depths passes without a jump from the side
// to the rims.
#include "tappet/geometry/mesh_contact.hpp"
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/shapes/mesh.hpp"
#include "tappet/geometry/shapes/plane.hpp"

namespace tappet::pairs::mesh_plane {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Flat faces and straight edges are never lower than their corners.
bool can_be_lowest(const MeshFeature& f) {
  return f.kind == MeshFeature::Kind::corner || f.curved;
}

int candidates(const Shape&, const Shape& second) {
  int out = 0;
  for (const MeshFeature& f : static_cast<const Mesh&>(second).features.all)
    if (can_be_lowest(f)) out += f.ring >= 0 ? 3 : 1;
  return out;
}

Proximity evaluate(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int candidate) {
  const auto& plane = static_cast<const Plane&>(first);
  const auto& mesh = static_cast<const Mesh&>(second);
  std::size_t at = 0;
  int i = candidate;
  for (;; ++at) {
    const MeshFeature& f = mesh.features.all[at];
    const int count = !can_be_lowest(f) ? 0 : f.ring >= 0 ? 3 : 1;
    if (i < count) break;
    i -= count;
  }
  const MeshFeature& feature = mesh.features.all[at];
  if (feature.ring >= 0) {
    const Vec3 down = q.local_direction(-p.direction(plane.normal));
    return over_plane(plane, p, q.point(mesh.features.rings[feature.ring].point(i, down)), 0);
  }

  // The plane in the mesh's coordinates: φ = n·x − c.
  Proximity out;
  out.normal = p.direction(plane.normal);
  const Vec3 n = q.R.transpose() * out.normal;
  const double c = out.normal.dot(p.point(plane.point) - q.r);
  const auto field = [&](const Vec3& x) { return FieldValue{n.dot(x) - c, n, infinite}; };

  const SmoothLeast least = smooth_least(feature, field, std::max(feature.smoothing, 1e-6 * mesh.size()));
  out.gap = least.distance - deepest(feature.border_tree, feature.border, field);
  out.on_second = q.point(least.point);
  // The smooth depth is not the depth of the point it acts on; the plane's point makes the difference.
  out.on_first = out.on_second - out.gap * out.normal;
  out.radius[0] = infinite;
  out.radius[1] = radius_of(least.curvature[0]);
  return out;
}

const Registration<PairType> registered{
    {.name = "plane|mesh", .candidates = candidates, .evaluate = evaluate}};

}  // namespace
}  // namespace tappet::pairs::mesh_plane
