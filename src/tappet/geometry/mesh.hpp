// Surfaces made of triangles.
//
// A mesh is plain data: corners and triangles, counter-clockwise seen from outside. What encloses a volume
// has its mass properties from the divergence theorem; mesh_faults.hpp says what does not.
#pragma once

#include <array>
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

/// Mass properties for density 1 of what a closed, outward-looking mesh encloses.
SolidProperties solid_properties(const TriangleMesh& mesh);

}  // namespace tappet
