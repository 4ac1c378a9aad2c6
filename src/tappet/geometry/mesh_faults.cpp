#include "tappet/geometry/mesh_faults.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/geometry/mesh_edges.hpp"
#include "tappet/geometry/mesh_tree.hpp"

namespace tappet {
namespace {

std::string counted(int n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

}  // namespace

std::string MeshFaults::text() const {
  std::vector<std::string> found;
  if (open_edges) found.push_back(counted(open_edges, "open edge", "open edges"));
  if (crowded_edges) found.push_back(counted(crowded_edges, "edge", "edges") + " of more than two triangles");
  if (flipped) found.push_back(counted(flipped, "flipped triangle", "flipped triangles"));
  if (inside_out) found.push_back("all triangles inside out");
  if (intersecting) found.push_back(counted(intersecting, "pair", "pairs") + " of triangles that cross");
  return join_names(found);
}

MeshFaults find_faults(const TriangleMesh& mesh) {
  MeshFaults out;
  const std::vector<MeshEdge> edges = edges_of(mesh);
  for (const MeshEdge& e : edges) {
    if (e.count == 1) ++out.open_edges;
    if (e.count > 2) ++out.crowded_edges;
  }
  const std::vector<bool> turned = triangles_to_turn(mesh, edges);
  out.flipped = static_cast<int>(std::count(turned.begin(), turned.end(), true));
  if (out.closed()) {
    TriangleMesh even = mesh;
    for (std::size_t t = 0; t < turned.size(); ++t)
      if (turned[t]) std::swap(even.triangles[t][1], even.triangles[t][2]);
    out.inside_out = solid_properties(even).volume < 0;
  }
  // Edges of many triangles are the same triangle many times, each crossing all others.
  if (out.crowded_edges == 0) out.intersecting = crossing_triangles(mesh);
  return out;
}

TriangleMesh oriented(const TriangleMesh& mesh) {
  TriangleMesh out = mesh;
  const std::vector<bool> turned = triangles_to_turn(mesh, edges_of(mesh));
  for (std::size_t t = 0; t < turned.size(); ++t)
    if (turned[t]) std::swap(out.triangles[t][1], out.triangles[t][2]);
  if (solid_properties(out).volume < 0)
    for (Triangle& t : out.triangles) std::swap(t[1], t[2]);
  return out;
}

}  // namespace tappet
