#include "tappet/geometry/mesh_edges.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tappet {
namespace {

struct HalfEdge {
  int low, high, triangle;
  bool forward;  ///< runs from low to high in its triangle
  bool operator<(const HalfEdge& other) const {
    return std::tie(low, high, triangle) < std::tie(other.low, other.high, other.triangle);
  }
};

std::vector<HalfEdge> half_edges(const TriangleMesh& mesh) {
  std::vector<HalfEdge> out;
  out.reserve(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
      out.push_back({std::min(a, b), std::max(a, b), static_cast<int>(t), a < b});
    }
  std::sort(out.begin(), out.end());
  return out;
}

/// Angle between the two triangles, > 0 where the edge is convex.
double dihedral(const TriangleMesh& mesh, const MeshEdge& edge, bool first_forward) {
  const Vec3 n1 = mesh.area_vector(edge.triangle[0]).normalized();
  Vec3 n2 = mesh.area_vector(edge.triangle[1]).normalized();
  if (!edge.same_way) n2 = -n2;
  Vec3 along = (mesh.vertices[edge.vertex[1]] - mesh.vertices[edge.vertex[0]]).normalized();
  if (!first_forward) along = -along;
  return std::atan2(n1.cross(n2).dot(along), n1.dot(n2));
}

}  // namespace

std::vector<MeshEdge> edges_of(const TriangleMesh& mesh) {
  const std::vector<HalfEdge> halves = half_edges(mesh);
  std::vector<MeshEdge> out;
  for (std::size_t i = 0; i < halves.size();) {
    MeshEdge edge{.vertex = {halves[i].low, halves[i].high}};
    const std::size_t first = i;
    for (; i < halves.size() && halves[i].low == edge.vertex[0] && halves[i].high == edge.vertex[1]; ++i) {
      if (edge.count < 2) edge.triangle[edge.count] = halves[i].triangle;
      ++edge.count;
    }
    edge.length = (mesh.vertices[edge.vertex[1]] - mesh.vertices[edge.vertex[0]]).norm();
    if (edge.count == 2) {
      // Neighbours that look the same way run along their common edge in opposite directions.
      edge.same_way = halves[first].forward != halves[first + 1].forward;
      edge.angle = dihedral(mesh, edge, halves[first].forward);
    }
    out.push_back(edge);
  }
  return out;
}

std::vector<bool> triangles_to_turn(const TriangleMesh& mesh, const std::vector<MeshEdge>& edges) {
  struct Neighbour {
    int triangle;
    bool same_way;
  };
  std::vector<std::vector<Neighbour>> neighbours(mesh.triangles.size());
  for (const MeshEdge& e : edges) {
    if (e.count != 2) continue;
    neighbours[e.triangle[0]].push_back({e.triangle[1], e.same_way});
    neighbours[e.triangle[1]].push_back({e.triangle[0], e.same_way});
  }
  // From one triangle of a connected surface to all others; the fewer are those to turn.
  std::vector<bool> turned(mesh.triangles.size()), reached(mesh.triangles.size());
  std::vector<int> surface;
  for (std::size_t start = 0; start < mesh.triangles.size(); ++start) {
    if (reached[start]) continue;
    surface.assign(1, static_cast<int>(start));
    reached[start] = true;
    std::size_t count = 0;
    for (std::size_t i = 0; i < surface.size(); ++i) {
      const int t = surface[i];
      count += turned[t];
      for (const Neighbour& n : neighbours[t]) {
        if (reached[n.triangle]) continue;
        reached[n.triangle] = true;
        turned[n.triangle] = turned[t] != !n.same_way;
        surface.push_back(n.triangle);
      }
    }
    if (2 * count > surface.size())
      for (const int t : surface) turned[t] = !turned[t];
  }
  return turned;
}

}  // namespace tappet
