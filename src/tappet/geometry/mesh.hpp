// Surfaces made of triangles.
//
// A mesh is plain data: corners and triangles, counter-clockwise seen from outside. What encloses a volume
// has its mass properties from the divergence theorem; what does not is reported with counts.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "tappet/base/vectors.hpp"
#include "tappet/geometry/shape.hpp"

namespace tappet {

using Triangle = std::array<int, 3>;  ///< three indices of vertices

struct TriangleMesh {
  std::vector<Vec3> vertices;       ///< m
  std::vector<Triangle> triangles;  ///< counter-clockwise seen from outside
  /// Empty, or one label a triangle. Where labels differ there is a seam: another surface begins, even where
  /// the two meet smoothly, as the ends of a capsule meet its side.
  std::vector<int> parts = {};

  const Vec3& corner(int triangle, int k) const { return vertices[triangles[triangle][k]]; }
  /// Twice the area, along the outward normal, m².
  Vec3 area_vector(int triangle) const {
    const Vec3 &a = corner(triangle, 0), &b = corner(triangle, 1), &c = corner(triangle, 2);
    return (b - a).cross(c - a);
  }
};

/// Vertices nearer than `tolerance` become one; triangles that have no area after that are dropped.
TriangleMesh welded(const TriangleMesh& mesh, double tolerance);

/// Diagonal of the box around all vertices, m; 0 for no vertices.
double diagonal(const TriangleMesh& mesh);

/// What is wrong with a mesh. All zero and false: it encloses a volume.
struct MeshFaults {
  int open_edges = 0;     ///< edges of one triangle only
  int crowded_edges = 0;  ///< edges of more than two triangles
  int flipped = 0;        ///< triangles that look the other way than the rest of their surface
  int intersecting = 0;   ///< pairs of triangles that cross each other
  bool inside_out = false;

  bool closed() const { return open_edges == 0 && crowded_edges == 0; }
  bool any() const { return !closed() || flipped > 0 || intersecting > 0 || inside_out; }
  /// "12 open edges and 3 flipped triangles"; "" for none.
  std::string text() const;
};
MeshFaults find_faults(const TriangleMesh& mesh);

/// The same mesh with all triangles looking outward. Needs a closed surface.
TriangleMesh oriented(const TriangleMesh& mesh);

/// Mass properties for density 1 of what a closed, outward-looking mesh encloses.
SolidProperties solid_properties(const TriangleMesh& mesh);

}  // namespace tappet
