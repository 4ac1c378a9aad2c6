// Flat against flat: where the faces of two polyhedra, or the axis of a capsule and a face, lie on each
// other.
//
// The direction n in which the shapes are nearest (separation.hpp) says which faces are opposite. Seen along
// n, the two faces overlap in a convex polygon; its corners are corners of the one over the other's face, or
// crossings of an edge of the one with an edge of the other. Each has an exact gap of its own:
//
//   corner C over a face (m, P)      gap = m·(C − P)                   along the face's normal m
//   edge over edge, at X₁ and X₂     gap = e·(X₂ − X₁)                 along e, perpendicular to both
//
// One of the two shapes, always the same, lends its corners as names: the candidate of a corner is the corner
// of the overlap that is farthest in its direction. So a box on a box, a larger box, a smaller box or over
// the edge of a box touches at four places, wherever it slides. One more candidate is the nearest or deepest
// place of all, when none of these is.
#pragma once

#include <array>
#include <span>

#include "tappet/geometry/polyhedron.hpp"

namespace tappet {

/// A face, or a capsule's axis, in common axes.
struct Facet {
  static constexpr int most = 64;
  int size = 0;
  std::array<Vec3, most> point;
  std::array<int, most> name;  ///< number of the corner in its shape
  Vec3 normal = Vec3::Zero();  ///< outward; zero for an axis
  double margin = 0;
};

/// Fills the candidates that the corners of the facet `named` (0: first, 1: second) stand for; the others are
/// left as they are. n is unit, from the first to the second, in the facets' axes; `frame` turns those into
/// world axes.
void face_contacts(const Facet facet[2], int named, const Vec3& n, const Pose& frame,
                   std::span<Proximity> out);

/// A pair type for two kinds of polyhedra.
PairType polyhedra_pair(const std::string& name);

/// Candidates of two polyhedra: the corners of the one that lends its names, and the nearest place.
int polyhedra_candidates(const PolyhedralShape& first, const PolyhedralShape& second);
void polyhedra_contacts(const PolyhedralShape& first, const Pose& p, const PolyhedralShape& second,
                        const Pose& q, std::span<Proximity> out);

/// The part of this that the corners stand for, when the shapes face each other along n; the second in the axes of the first,
/// which `frame` turns into world axes.
void opposite_faces(const PolyhedralShape& first, const PolyhedralShape& second, const Pose& frame,
                    const Pose& relative, const Vec3& n, std::span<Proximity> out);

/// The facet of a polyhedron that looks along d (own axes), moved into other axes.
Facet facet_of(const PolyhedralShape& shape, const Vec3& d, const Pose& to);

/// Takes out what only seems to be nearer than the nearest place with this gap. Is one of the others as near?
/// `margin`: of both shapes together.
bool contains_nearest(double gap, double margin, double scale, std::span<Proximity> out);
/// The same, and keeps the nearest place in the last candidate when no other is as near.
void complete(const Proximity& nearest, double margin, double scale, std::span<Proximity> out);

}  // namespace tappet
