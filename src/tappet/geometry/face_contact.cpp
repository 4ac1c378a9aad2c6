#include "tappet/geometry/face_contact.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "tappet/geometry/closest.hpp"
#include "tappet/geometry/pair_kinds.hpp"

namespace tappet {
namespace {

/// One corner of the overlap: a corner of a facet (the other index is −1), or the crossing of two edges.
struct OverlapCorner {
  int first, second;
  bool edges;
  Vec3 at;
};

/// Both facets as seen along n, and the corners of what they have in common.
class FaceOverlap {
 public:
  FaceOverlap(const Facet facet[2], const Vec3& n) : facet_(facet), n_(n) {
    double extent = 0;
    for (int side = 0; side < 2; ++side) {
      centre_[side] = Vec3::Zero();
      for (int i = 0; i < facet[side].size; ++i) centre_[side] += facet[side].point[i];
      centre_[side] /= facet[side].size;
      for (int i = 0; i < facet[side].size; ++i)
        extent = std::max(extent, (facet[side].point[i] - centre_[side]).squaredNorm());
    }
    tolerance_ = 1e-8 * std::sqrt(extent);  // of the direction along which the facets are seen
    const Vec3 e1 = any_perpendicular(n), e2 = n.cross(e1);
    for (int side = 0; side < 2; ++side) flatten(side, e1, e2);
    for (int side = 0; side < 2; ++side) measure_heights(side);

    // Corners come before crossings and win against crossings at the same place.
    for (int side = 0; side < 2; ++side)
      for (int i = 0; i < facet[side].size; ++i)
        if (inside(side, i)) add({side == 0 ? i : -1, side == 0 ? -1 : i, false, facet[side].point[i]});
    for (int i = 0; i < edges(0); ++i)
      for (std::uint64_t met = left_[0][i] ^ left_[0][next(0, i)]; met != 0; met &= met - 1)
        if (const int j = std::countr_zero(met); cross(i, j)) {
          const Vec3 &a = facet_[0].point[i], &b = facet_[0].point[next(0, i)];
          const double from = height(0, i, j), to = height(0, next(0, i), j);
          add({i, j, true, a + from / (from - to) * (b - a)});
        }
  }

  /// The farthest corner of the overlap along d; null when there is no overlap.
  const OverlapCorner* farthest(const Vec3& d) const {
    const OverlapCorner* best = nullptr;
    const double enough = 10 * tolerance_ * d.norm();
    double highest = -flat;
    for (int c = 0; c < corners_; ++c)
      if (const double height = d.dot(corner_[c].at); !best || height > highest + enough)
        highest = height, best = &corner_[c];
    return best;
  }

  Vec3 outward(int side, int i) const {
    const Vec3 v = facet_[side].point[i] - centre_[side];
    return v - n_.dot(v) * n_;
  }

 private:
  static constexpr int most = Facet::most;
  const Facet* facet_;
  Vec3 n_, centre_[2];
  double tolerance_ = 0;
  Vec2 flat_[2][most], edge_[2][most];  // points, and ways to the next ones, as seen along n
  double square_[2][most];              // of the lengths of these ways
  double height_[2][most * most];
  std::uint64_t left_[2][most],
      outside_[2][most];  // of each point: to the left of which edges of the other, and outside of which
  int corners_ = 0;
  OverlapCorner corner_[4 * most];

  int edges(int side) const { return facet_[side].size > 2 ? facet_[side].size : facet_[side].size - 1; }
  /// How far point i of this side lies to the left of edge j of the other, times that edge's length.
  double height(int side, int i, int j) const { return height_[side][i * edges(1 - side) + j]; }
  int next(int side, int i) const { return i + 1 < facet_[side].size ? i + 1 : 0; }
  void add(const OverlapCorner& corner) {
    if (corners_ < 4 * most) corner_[corners_++] = corner;
  }

  void flatten(int side, const Vec3& e1, const Vec3& e2) {
    for (int i = 0; i < facet_[side].size; ++i)
      flat_[side][i] = {e1.dot(facet_[side].point[i] - centre_[0]),
                        e2.dot(facet_[side].point[i] - centre_[0])};
    for (int i = 0; i < edges(side); ++i) {
      edge_[side][i] = flat_[side][next(side, i)] - flat_[side][i];
      square_[side][i] = edge_[side][i].squaredNorm();
    }
  }

  void measure_heights(int side) {
    const int other = 1 - side, count = edges(other);
    // Seen along n the second facet runs the other way round.
    const double inward = other == 0 ? 1 : -1, tolerance = tolerance_ * tolerance_;
    double* height = height_[side];
    for (int i = 0; i < facet_[side].size; ++i) {
      std::uint64_t left = 0, outside = 0;
      for (int j = 0; j < count; ++j) {
        const Vec2 &e = edge_[other][j], d = flat_[side][i] - flat_[other][j];
        const double h = e.x() * d.y() - e.y() * d.x();
        *height++ = h;
        left |= static_cast<std::uint64_t>(h > 0) << j;
        outside |= static_cast<std::uint64_t>((inward * h < 0) & (h * h > tolerance * square_[other][j]))
                   << j;
      }
      left_[side][i] = left, outside_[side][i] = outside;
    }
  }

  /// Is point i of this side over the other facet? An axis has nothing over it.
  bool inside(int side, int i) const { return facet_[1 - side].size > 2 && outside_[side][i] == 0; }

  /// Do edge i of the first and edge j of the second cross, each between the other's ends?
  bool cross(int i, int j) const {
    const double a = height(0, i, j), b = height(0, next(0, i), j);
    const double c = height(1, j, i), d = height(1, next(1, j), i);
    if (!(a * b < 0 && c * d < 0)) return false;
    // Edges that are all but parallel cross nowhere in particular.
    return (a - b) * (a - b) > 1e-18 * square_[0][i] * square_[1][j];
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
  const FaceOverlap overlap(facet, n);
  for (int i = 0; i < facet[named].size; ++i) {
    Exact exact;
    const OverlapCorner* corner = overlap.farthest(overlap.outward(named, i));
    if (!corner || !measure(facet, *corner, n, exact)) continue;
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

bool contains_nearest(double gap, double margin, double scale, std::span<Proximity> out) {
  const double rounding = 1e-9 * scale;
  double smallest = flat;
  for (Proximity& proximity : out) {
    // Separate cores: what seems nearer than the nearest place is a corner's height over a plane beside its
    // face.
    if (gap + margin > 0 && proximity.gap < gap - rounding) proximity = {};
    smallest = std::min(smallest, proximity.gap);
  }
  return gap >= smallest - rounding;
}

void complete(const Proximity& nearest, double margin, double scale, std::span<Proximity> out) {
  if (!contains_nearest(nearest.gap, margin, scale, out)) out.back() = nearest;
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
  const Proximity nearest = separation(first, p, second, q);
  const Pose P = p * first.place, Q = q * second.place;
  opposite_faces(first, second, P, {P.R.transpose() * Q.R, P.local(Q.r)}, P.local_direction(nearest.normal),
                 out);
  complete(nearest, 0, std::min(first.reach(), second.reach()), out);
}

void opposite_faces(const PolyhedralShape& first, const PolyhedralShape& second, const Pose& frame,
                    const Pose& relative, const Vec3& n, std::span<Proximity> out) {
  std::fill(out.begin(), out.end(), Proximity{});
  const Facet facets[2] = {facet_of(first, n, {}), facet_of(second, relative.local_direction(-n), relative)};
  face_contacts(facets, named(first, second), n, frame, out);
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
  return {.name = name, .candidates = pair_candidates, .evaluate_all = pair_contacts};
}

}  // namespace tappet
