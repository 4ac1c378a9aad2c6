#include "tappet/geometry/face_contact.hpp"

#include <algorithm>
#include <cmath>

#include "tappet/geometry/closest.hpp"
#include "tappet/geometry/pair_kinds.hpp"

namespace tappet {
namespace {

/// One corner of the overlap: a corner of a facet (the other index is −1), or the crossing of two edges.
struct OverlapCorner {
  int first = -1, second = -1;
  bool edges = false;
  Vec3 at = Vec3::Zero();
};

/// Both facets as seen along n.
class Overlap {
 public:
  Overlap(const Facet facet[2], const Vec3& n) : facet_(facet), n_(n) {
    double extent = 0;
    for (int side = 0; side < 2; ++side) {
      centre_[side] = Vec3::Zero();
      for (int i = 0; i < facet[side].size; ++i) centre_[side] += facet[side].point[i] / facet[side].size;
      for (int i = 0; i < facet[side].size; ++i)
        extent = std::max(extent, (facet[side].point[i] - centre_[side]).norm());
    }
    tolerance_ = 1e-8 * extent;  // of the direction along which the facets are seen
  }

  /// The farthest corner of the overlap along d; false when there is no overlap.
  bool farthest(const Vec3& d, OverlapCorner& best) const {
    highest_ = -flat;
    for (int side = 0; side < 2; ++side)
      for (int i = 0; i < facet_[side].size; ++i)
        if (inside(facet_[side].point[i], 1 - side))
          offer(d,
                side == 0 ? OverlapCorner{i, -1, false, facet_[0].point[i]}
                          : OverlapCorner{-1, i, false, facet_[1].point[i]},
                best);
    for (int i = 0; i < edges(0); ++i)
      for (int j = 0; j < edges(1); ++j) {
        OverlapCorner crossing{i, j, true, Vec3::Zero()};
        if (cross(crossing)) offer(d, crossing, best);
      }
    return highest_ > -flat;
  }

  Vec3 outward(int side, int i) const { return flatten(facet_[side].point[i] - centre_[side]); }

 private:
  const Facet* facet_;
  Vec3 n_, centre_[2];
  double tolerance_ = 0;
  mutable double highest_ = 0;

  int edges(int side) const { return facet_[side].size > 2 ? facet_[side].size : facet_[side].size - 1; }
  const Vec3& end(int side, int i) const { return facet_[side].point[(i + 1) % facet_[side].size]; }
  Vec3 flatten(const Vec3& v) const { return v - n_.dot(v) * n_; }

  /// Is p over the facet? An axis has nothing over it.
  bool inside(const Vec3& p, int side) const {
    const Facet& f = facet_[side];
    if (f.size < 3) return false;
    // Seen along n the second facet runs the other way round.
    const Vec3 up = side == 0 ? n_ : Vec3(-n_);
    for (int i = 0; i < f.size; ++i) {
      const Vec3 edge = flatten(end(side, i) - f.point[i]);
      if (up.cross(edge).dot(p - f.point[i]) < -tolerance_ * edge.norm()) return false;
    }
    return true;
  }

  bool cross(OverlapCorner& c) const {
    const Vec3 &a = facet_[0].point[c.first], &b = facet_[1].point[c.second];
    const Vec3 u = flatten(end(0, c.first) - a), v = flatten(end(1, c.second) - b), r = flatten(b - a);
    const double sine = n_.dot(u.cross(v));
    if (std::abs(sine) <= 1e-9 * u.norm() * v.norm()) return false;
    const double s = n_.dot(r.cross(v)) / sine, t = n_.dot(r.cross(u)) / sine;
    if (!(s > 0 && s < 1 && t > 0 && t < 1)) return false;
    c.at = a + s * (end(0, c.first) - a);
    return true;
  }

  /// Corners are offered before crossings and win against crossings at the same place.
  void offer(const Vec3& d, const OverlapCorner& feature, OverlapCorner& best) const {
    const double height = d.dot(feature.at);
    if (height > highest_ + 10 * tolerance_ * d.norm() || highest_ == -flat)
      highest_ = height, best = feature;
  }
};

/// Witness points without margins: a on the first, b on the second, normal m (facets' axes).
struct Exact {
  Vec3 a, b, m;
  double gap;
  double radius[2];
};

/// False where there is nothing to measure along: edges (nearly) parallel.
bool measure(const Facet facet[2], const OverlapCorner& f, const Vec3& n, Exact& out) {
  if (!f.edges) {
    const bool of_first = f.second < 0;
    const Facet& other = facet[of_first ? 1 : 0];
    const Vec3& corner = of_first ? facet[0].point[f.first] : facet[1].point[f.second];
    out.m = of_first ? Vec3(-other.normal) : other.normal;
    const double height = other.normal.dot(corner - other.point[0]);
    const Vec3 foot = corner - height * other.normal;
    out.gap = height;
    out.a = of_first ? corner : foot;
    out.b = of_first ? foot : corner;
    out.radius[0] = of_first ? 0 : flat;
    out.radius[1] = of_first ? flat : 0;
    return true;
  }
  const Vec3 &a0 = facet[0].point[f.first], &a1 = facet[0].point[(f.first + 1) % facet[0].size];
  const Vec3 &b0 = facet[1].point[f.second], &b1 = facet[1].point[(f.second + 1) % facet[1].size];
  const SegmentPair at = closest_on_segments(a0, a1, b0, b1);
  out.a = a0 + at.s * (a1 - a0);
  out.b = b0 + at.t * (b1 - b0);
  const bool inner = at.s > 0 && at.s < 1 && at.t > 0 && at.t < 1;
  const Vec3 e = inner ? Vec3((a1 - a0).cross(b1 - b0)) : Vec3(out.b - out.a);
  const double length = e.norm();
  if (!(length > 0)) return false;
  out.m = (e.dot(n) < 0 ? -1 : 1) * e / length;
  out.gap = out.m.dot(out.b - out.a);
  out.radius[0] = out.radius[1] = 0;
  return true;
}

}  // namespace

void face_contacts(const Facet facet[2], int named, const Vec3& n, const Pose& frame,
                   std::span<Proximity> out) {
  const Overlap overlap(facet, n);
  for (int i = 0; i < facet[named].size; ++i) {
    OverlapCorner feature;
    Exact exact;
    if (!overlap.farthest(overlap.outward(named, i), feature) || !measure(facet, feature, n, exact)) continue;
    Proximity& proximity = out[facet[named].name[i]];
    proximity.normal = frame.direction(exact.m);
    proximity.gap = exact.gap - facet[0].margin - facet[1].margin;
    proximity.on_first = frame.point(exact.a + facet[0].margin * exact.m);
    proximity.on_second = proximity.on_first + proximity.gap * proximity.normal;
    for (int side = 0; side < 2; ++side)
      proximity.radius[side] = facet[side].margin > 0 ? facet[side].margin : exact.radius[side];
  }
}

Facet facet_of(const PolyhedralShape& shape, const Vec3& d, const Pose& to) {
  const Polyhedron::Face& face = shape.polyhedron.faces[shape.polyhedron.face_towards(d)];
  Facet out;
  out.size = static_cast<int>(face.loop.size());
  for (int i = 0; i < out.size; ++i) {
    out.name[i] = face.loop[i];
    out.point[i] = to.point(shape.polyhedron.corners[face.loop[i]]);
  }
  out.normal = to.direction(face.normal);
  return out;
}

void complete(const Proximity& nearest, double margin, double scale, std::span<Proximity> out) {
  Proximity* smallest = &out.front();
  for (Proximity& proximity : out) {
    // Separate cores: what seems nearer than the nearest place is a corner's height over a plane beside its
    // face.
    if (nearest.gap + margin > 0 && proximity.gap < nearest.gap - 1e-9 * scale) proximity = {};
    if (proximity.gap < smallest->gap) smallest = &proximity;
  }
  if (nearest.gap < smallest->gap - 1e-9 * scale) out.back() = nearest;
}

namespace {

/// The shape with fewer corners lends its names, of two alike the smaller, of two equal the first.
int named(const PolyhedralShape& first, const PolyhedralShape& second) {
  if (first.corner_count() != second.corner_count())
    return first.corner_count() < second.corner_count() ? 0 : 1;
  return first.reach() <= second.reach() ? 0 : 1;
}

}  // namespace

int polyhedra_candidates(const PolyhedralShape& first, const PolyhedralShape& second) {
  return (named(first, second) == 0 ? first : second).corner_count() + 1;
}

void polyhedra_contacts(const PolyhedralShape& first, const Pose& p, const PolyhedralShape& second,
                        const Pose& q, std::span<Proximity> out) {
  std::fill(out.begin(), out.end(), Proximity{});
  const Proximity nearest = separation(first, p, second, q);
  const Pose P = p * first.place, Q = q * second.place, relative{P.R.transpose() * Q.R, P.local(Q.r)};
  const Vec3 n = P.local_direction(nearest.normal);
  const Facet facets[2] = {facet_of(first, n, {}),
                           facet_of(second, Q.local_direction(-nearest.normal), relative)};
  face_contacts(facets, named(first, second), n, P, out);
  complete(nearest, 0, std::min(first.reach(), second.reach()), out);
}

namespace {

const PolyhedralShape& solid_of(const Shape& shape) {
  return static_cast<const PolyhedralShape&>(shape);
}

int pair_candidates(const Shape& a, const Shape& b) {
  return polyhedra_candidates(solid_of(a), solid_of(b));
}

void pair_contacts(const Shape& a, const Pose& p, const Shape& b, const Pose& q, std::span<Proximity> out) {
  polyhedra_contacts(solid_of(a), p, solid_of(b), q, out);
}

}  // namespace

PairType polyhedra_pair(const std::string& name) {
  return {.name = name,
          .candidates = pair_candidates,
          .evaluate_all = pair_contacts};
}

}  // namespace tappet
