// What a mesh is as a polyhedron: flat facets, the edges between them that stand out, and the directions that leave each vertex.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "tappet/geometry/mesh.hpp"

namespace tappet {

/// An edge that stands out: the two facets that meet there fall away from it.
struct ConvexEdge {
  int vertex[2] = {-1, -1};
  Vec3 outward = Vec3::Zero();  ///< unit: the middle of both facets' normals
  std::array<Vec3, 2> into = {Vec3::Zero(),
                              Vec3::Zero()};  ///< unit: across the edge, into each of its triangles
};

struct MeshFacets {
  explicit MeshFacets(const TriangleMesh& mesh);

  std::vector<int> facet;                       ///< per triangle: neighbours in one plane have one number
  std::vector<ConvexEdge> edges;                ///< in the order of their vertices
  std::vector<std::array<int, 3>> edge_across;  ///< per triangle: of its edge k, the number in `edges`; −1
  /// Unit directions of the edges that leave a vertex.
  std::span<const Vec3> leaving(int vertex) const {
    return std::span(directions_).subspan(first_[vertex], first_[vertex + 1] - first_[vertex]);
  }

 private:
  std::vector<int> first_;
  std::vector<Vec3> directions_;
};

}  // namespace tappet
