// Where two meshes touch that do not overlap: corners on facets, edges on edges.
//
// Polyhedra that are rigid and impenetrable touch where a vertex of one lies on a facet of the other, or where two edges cross. With
// A the first mesh, B the second, N the outward normal of a facet, d the directions of edges,
//
//   vertex of A on a facet of B   n = −N_B,  g = N_B·(x_A − y)                 y any point of the facet
//   vertex of B on a facet of A   n = N_A,   g = N_A·(x_B − y)
//   edge of A on an edge of B     n = ±d_A × d_B/|d_A × d_B|,  g = n·(y_B − x_A)   x, y the points where the lines are nearest
//
// n from A to B. Each g is a smooth function of the poses, on both sides of zero, as long as the vertex is over the facet and the nearest
// points are on the edges. Where it ends, at the border of a facet or the end of an edge, another begins with the same place and
// gap: the least of all gaps is continuous.
//
// On an edge that stands out a corner may be above both facets: it goes past the body unless it is behind both, the larger of the two
// gaps. So plates that lie on each other flush slide over each other's edges.
//
// A vertex touches a facet from outside: no edge that leaves it goes into the facet's body (d·n_away > −lean). Else each corner of a plate
// would touch the faces of another of equal thickness that it is flush with, from within. Of edges, both facets of each lie on the edge's own
// side of the plane across n. `lean` is wide: where an edge leans into the other body its farther end is the deeper, and is found too.
//
// Depths: overlaps are seen up to half a body's size, so that a step which has gone too far is known to have; whether what is deep
// behind a facet is inside the body or has gone round it is asked of the signed distance.
#pragma once

#include <span>
#include <tuple>

#include "tappet/geometry/shapes/mesh.hpp"

namespace tappet {

/// A corner on a facet, or two edges, in the coordinates of the first mesh.
struct MeshTouch {
  enum class Type { first_on_second, second_on_first, edges };
  Type type = Type::edges;
  int first = 0, second = 0;  ///< a vertex, a facet, or an edge of either
  int triangle[2] = {0, 0};   ///< that it was found at
  double gap = 0;             ///< g, m
  Vec3 normal = Vec3::Zero(), on_first = Vec3::Zero(), on_second = Vec3::Zero();

  /// What touches: tells touches apart.
  std::tuple<Type, int, int> name() const { return {type, first, second}; }
};

/// All within `margin` of each other or overlapping, ascending by what touches. Pure but for the room it works in, which each thread
/// keeps; valid until the thread's next call.
std::span<MeshTouch> find_touches(const Mesh& first, const Mesh& second, const Pose& second_in_first,
                                  double margin);

}  // namespace tappet
