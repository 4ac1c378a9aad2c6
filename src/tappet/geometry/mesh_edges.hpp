// The edges of a mesh: which triangles meet there, at what angle, looking the same way or not.
#pragma once

#include <vector>

#include "tappet/geometry/mesh.hpp"

namespace tappet {

struct MeshEdge {
  int vertex[2] = {-1, -1};    ///< the lower index first
  int triangle[2] = {-1, -1};  ///< the first two that meet here; −1: none
  int count = 0;               ///< triangles that meet here; 2 in a closed mesh
  bool same_way = true;        ///< both triangles look to the same side
  /// Angle between the triangles' normals, rad: 0 flat, > 0 convex, < 0 concave. 0 unless two triangles meet.
  double angle = 0;
  double length = 0;  ///< m
};

/// In the order of their vertices.
std::vector<MeshEdge> edges_of(const TriangleMesh& mesh);

/// Which triangles look the other way than most of the surface they are connected with.
std::vector<bool> triangles_to_turn(const TriangleMesh& mesh, const std::vector<MeshEdge>& edges);

}  // namespace tappet
