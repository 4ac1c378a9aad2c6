// Where a mesh can touch: its corners, its sharp curves and its curved faces.
//
// One candidate a vertex would make the contact as stiff as the mesh is fine, and one candidate a mesh could
// not let a box stand on its four corners. So the places that may touch are those of the shape, not those of
// the triangles: a box has eight corners, a cylinder two rims and a side, a ball one face, however finely
// they are meshed. They are found by the angle between neighbouring triangles: above `crease` an edge is
// sharp, below it the two belong to one surface.
//
// Each feature carries points, curves segments. What a feature measures is a smooth least value of a distance
// φ over them,
//
//   λᵢ ∝ exp(−φᵢ/ε),   g = Σ λᵢ φᵢ − c ε,   μᵢ = λᵢ (1 − (φᵢ − Σ λⱼ φⱼ)/ε)
//
// with its contact at x = Σ μᵢ xᵢ and its normal along Σ μᵢ ∇φᵢ. The μᵢ are the derivatives ∂g/∂φᵢ. They add
// up to 1, and a rigid body's velocity is linear in the place, so dg/dt = n · v(x) for equal ∇φᵢ: force,
// power and stored energy agree, and nothing jumps when the contact moves from triangle to triangle. However
// many points share the least value, g is that value. ε = h θ / 4 (edge length h, angle θ between
// neighbouring triangles) is twice the height of the surface over the chord, h²/8R: a rolling ball then feels
// a small part of its mesh's polygon. Around the lowest point of a curved surface the mean of φ lies ε above
// the least for a face and ε/2 for a bent curve: this is c ε.
#pragma once

#include <vector>

#include "tappet/geometry/mesh.hpp"
#include "tappet/geometry/mesh_tree.hpp"
#include "tappet/geometry/ring.hpp"

namespace tappet {

struct MeshFeature {
  enum class Kind { corner, curve, face };
  Kind kind = Kind::corner;
  /// A curve that bends, a face that bends in both directions (a ball's, not a cylinder's side): only these
  /// can be lowest without their border.
  bool curved = false;
  std::vector<Vec3> points;    ///< without the border; a corner's own; of curves the middles of segments
  std::vector<double> radius;  ///< of curvature at each point, m, signed; 0 on corners and curves
  PointTree tree;              ///< over the points
  std::vector<Vec3> border;    ///< a curve's ends, the points of the curves around a face
  PointTree border_tree;
  std::vector<Vec3> halves;  ///< of curves: half of the segment that a point is the middle of
  double longest_half = 0;   ///< m
  double smoothing = 0;      ///< ε, m
  double shift = 0;          ///< c
  int ring = -1;             ///< of curves that are whole circles: which; these touch by points of the circle
};

struct MeshFeatures {
  std::vector<MeshFeature> all;  ///< corners, curves, curved faces, in this order
  int corners = 0, curves = 0, curved_faces = 0;
  std::vector<Vec3> corner_points;
  std::vector<Ring> rings;          ///< curves whose points lie on one circle
  double hollow_smoothing = 0;      ///< ε of the hollow parts of curved faces, m; 0 when there are none
  std::vector<double> face_radius;  ///< per triangle: radius of curvature, signed, m; infinite on flat ones
  std::vector<int> face;            ///< per triangle: the face it belongs to, which creases enclose
  int faces = 0;
  std::vector<std::array<int, 2>> convex_faces;  ///< pairs of faces that a convex crease joins, ascending
  std::vector<Triangle> across;  ///< per triangle: its neighbour across the edge from corner k to the next
};

/// `crease`: angle above which an edge is sharp, rad. `spacing`: of points on long edges and large triangles,
/// m.
MeshFeatures find_features(const TriangleMesh& mesh, double crease, double spacing);

}  // namespace tappet
