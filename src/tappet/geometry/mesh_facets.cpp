#include "tappet/geometry/mesh_facets.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tappet/geometry/mesh_edges.hpp"

namespace tappet {
namespace {

// Between neighbours, rad: triangles that bend less lie in one plane. Corners in single precision leave 1e-6.
constexpr double flat = 1e-5;

Vec3 normal_of(const TriangleMesh& mesh, int triangle) {
  return mesh.area_vector(triangle).stableNormalized();
}

ConvexEdge convex_edge(const TriangleMesh& mesh, const MeshEdge& edge) {
  ConvexEdge out;
  const Vec3 &a = mesh.vertices[edge.vertex[0]], &b = mesh.vertices[edge.vertex[1]];
  const Vec3 along = (b - a).stableNormalized();
  for (int side = 0; side < 2; ++side) {
    out.vertex[side] = edge.vertex[side];
    const Triangle& t = mesh.triangles[edge.triangle[side]];
    const int third =
        *std::find_if(t.begin(), t.end(), [&](int v) { return v != edge.vertex[0] && v != edge.vertex[1]; });
    const Vec3 to = mesh.vertices[third] - a;
    out.into[side] = (to - along.dot(to) * along).stableNormalized();
    out.outward += normal_of(mesh, edge.triangle[side]);
  }
  out.outward.stableNormalize();
  return out;
}

}  // namespace

MeshFacets::MeshFacets(const TriangleMesh& mesh)
    : facet(mesh.triangles.size()), edge_across(mesh.triangles.size(), {-1, -1, -1}) {
  const std::vector<MeshEdge> all = edges_of(mesh);
  std::iota(facet.begin(), facet.end(), 0);
  const auto root = [&](int t) {
    while (facet[t] != t) t = facet[t] = facet[facet[t]];
    return t;
  };
  for (const MeshEdge& edge : all)
    if (edge.count == 2 && std::abs(edge.angle) < flat)
      facet[root(edge.triangle[0])] = root(edge.triangle[1]);
  for (int t = 0; t < static_cast<int>(facet.size()); ++t) facet[t] = root(t);

  for (const MeshEdge& edge : all) {
    if (edge.count != 2 || edge.angle < flat) continue;
    for (const int t : edge.triangle)
      for (int k = 0; k < 3; ++k) {
        const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
        if (std::min(a, b) == edge.vertex[0] && std::max(a, b) == edge.vertex[1])
          edge_across[t][k] = static_cast<int>(edges.size());
      }
    edges.push_back(convex_edge(mesh, edge));
  }

  // Edges inside a facet leave a vertex in between those of its border: they are not asked.
  first_.assign(mesh.vertices.size() + 1, 0);
  const auto counts = [](const MeshEdge& e) { return e.count != 2 || std::abs(e.angle) >= flat; };
  for (const MeshEdge& edge : all)
    if (counts(edge))
      for (const int v : edge.vertex) ++first_[v + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  directions_.resize(first_.back());
  std::vector<int> next(first_.begin(), first_.end() - 1);
  for (const MeshEdge& edge : all) {
    if (!counts(edge)) continue;
    const Vec3 along = (mesh.vertices[edge.vertex[1]] - mesh.vertices[edge.vertex[0]]).stableNormalized();
    directions_[next[edge.vertex[0]]++] = along;
    directions_[next[edge.vertex[1]]++] = -along;
  }
}

}  // namespace tappet
