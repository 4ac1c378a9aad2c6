// Two meshes: the features of each (mesh_features.hpp) against the signed distance to the other's surface.
//
//   gap = smooth least φ over the feature's points − min(0, what simpler features already have of the same
//   contact)
//
// Corners and curves of both are candidates, so that vertices on faces and crossing edges are found; of faces
// only those of one mesh, the smoother, since two faces that touch touch once. To count a contact once, a
// feature counts for what it is deeper than its own border and than the other's corners and curves nearby: of
// two crossing edges only one mesh's counts, and a ball on an edge is carried by the edge.
#include "tappet/geometry/shapes/mesh.hpp"

#include <tuple>

#include "tappet/geometry/mesh_contact.hpp"
#include "tappet/geometry/pair.hpp"

namespace tappet {
namespace {

/// Does a bring its faces, or does b? The less flat, then the finer, then the elder: the same for either
/// order.
bool brings_faces(const Mesh& a, const Mesh& b) {
  const auto key = [](const Mesh& m) {
    return std::tuple(m.features.flat_area, -static_cast<double>(m.mesh.vertices.size()), m.number);
  };
  return key(a) < key(b);
}

int corners_and_curves(const Mesh& m) {
  return m.features.corners + m.features.curves;
}

/// Flat faces matter only where the other is curved: between flat faces, corners and edges say everything.
int all_features(const Mesh& m, const Mesh& other) {
  return corners_and_curves(m) + m.features.curved_faces +
         (other.features.curved_faces > 0 ? m.features.flat_faces : 0);
}

int candidates(const Shape& first, const Shape& second) {
  const auto &a = static_cast<const Mesh&>(first), &b = static_cast<const Mesh&>(second);
  const bool faces_of_a = brings_faces(a, b);
  return (faces_of_a ? all_features(a, b) : corners_and_curves(a)) +
         (faces_of_a ? corners_and_curves(b) : all_features(b, a));
}

/// Signed distance to a mesh, asked for in coordinates of another body.
class SurfaceField {
 public:
  SurfaceField(const Mesh& mesh, const Pose& own, const Pose& asking)
      : mesh_(mesh), R_(own.R.transpose() * asking.R), r_(own.local(asking.r)) {}

  FieldValue operator()(const Vec3& x, int hint) const {
    const SurfacePoint at = mesh_.surface.nearest(own(x), hint);
    if (at.triangle < 0) return {};  // a pose that is not finite
    return {at.distance, R_.transpose() * at.normal, mesh_.features.face_radius[at.triangle], at.triangle};
  }
  Vec3 own(const Vec3& x) const { return R_ * x + r_; }

 private:
  const Mesh& mesh_;
  Mat3 R_;
  Vec3 r_;
};

double smoothing(const MeshFeature& feature, const Mesh& of, const Mesh& other) {
  const double against = feature.kind == MeshFeature::Kind::corner
                             ? 0
                             : feature.spacing * feature.spacing * other.features.curvature / 4;
  return std::max(feature.smoothing + against, 1e-5 * std::min(of.size(), other.size()));
}

/// A feature of `of` against the surface of `other`; the normal points from `of` to `other`.
Proximity touch(const Mesh& of, const Pose& p, const MeshFeature& feature, const Mesh& other, const Pose& q,
                bool first_counts) {
  using Kind = MeshFeature::Kind;
  const SurfaceField field(other, q, p);
  const SmoothLeast least = smooth_least(feature, field, smoothing(feature, of, other));
  double counted = deepest(feature.border_tree, feature.border, field, Everywhere{});
  if (feature.kind != Kind::corner) {
    // Faces leave the other's corners and curves their share; of curves, those of the mesh that does not
    // count first.
    const SurfaceField back(of, p, q);
    const bool rims = feature.kind == Kind::face || !first_counts;
    const Around place{field.own(least.point), std::max(feature.spacing, 1e-9)};
    const MeshFeatures& theirs = other.features;
    const double theirs_here = rims ? Deepest(theirs.rim_tree, theirs.rim_points, back, place,
                                              &theirs.rim_halves, theirs.longest_rim_half)
                                          .run()
                                    : deepest(theirs.corner_tree, theirs.corner_points, back, place);
    counted = std::min(counted, theirs_here);
  }
  // Where an edge crosses an edge, the nearest faces on both sides share: g changes by |Σ μᵢ ∇φᵢ| for each
  // metre along the common normal, and the distance along that is so much larger. Gradients that cancel
  // altogether leave no direction: the point is then as deep in one way as in another.
  Proximity out;
  const double length = least.gradient.norm();
  out.gap = (least.distance - counted) / std::clamp(length, 0.5, 1.0);
  const Vec3 outward = length > 1e-6 ? Vec3(least.gradient / length) : field(least.point, -1).gradient;
  out.normal = -p.direction(outward);
  out.on_first = p.point(least.point);
  out.on_second = out.on_first + out.gap * out.normal;
  out.radius[0] = radius_of(least.curvature[0]);
  out.radius[1] = radius_of(least.curvature[1]);
  return out;
}

Proximity exchanged(Proximity x) {
  x.normal = -x.normal;
  std::swap(x.on_first, x.on_second);
  std::swap(x.radius[0], x.radius[1]);
  return x;
}

Proximity evaluate(const Shape& first, const Pose& p, const Shape& second, const Pose& q, int candidate) {
  const auto &a = static_cast<const Mesh&>(first), &b = static_cast<const Mesh&>(second);
  const bool faces_of_a = brings_faces(a, b);
  const Mesh &m = faces_of_a ? a : b, &o = faces_of_a ? b : a;
  const Pose &x = faces_of_a ? p : q, &y = faces_of_a ? q : p;
  // The candidates of the mesh that brings its faces come first.
  const int leading = all_features(m, o);
  const bool of_m = candidate < leading;
  const Proximity out = of_m ? touch(m, x, m.features.all[candidate], o, y, true)
                             : touch(o, y, o.features.all[candidate - leading], m, x, false);
  return of_m == faces_of_a ? out : exchanged(out);
}

const Registration<PairType> registered{
    {.name = "mesh|mesh", .candidates = candidates, .evaluate = evaluate}};

}  // namespace
}  // namespace tappet
