#include "tappet/geometry/convex_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "tappet/geometry/mesh_edges.hpp"

namespace tappet {
namespace {

constexpr double hollow_angle = -1e-3;    ///< rad; coordinates with seven digits bend a plane by less
constexpr double same_face_angle = 1e-3;  ///< rad
constexpr double flat_height = 1e-6;      ///< of the mesh's diagonal

/// Triangles joined to flat faces, and the corners where three faces or more meet.
class Joining {
 public:
  Joining(const TriangleMesh& mesh, const std::vector<MeshEdge>& edges, bool join)
      : mesh_(mesh), across_(mesh.triangles.size(), Triangle{-1, -1, -1}), face_(mesh.triangles.size(), -1) {
    for (const MeshEdge& e : edges)
      for (int side = 0; side < 2; ++side)
        across_[e.triangle[side]][side_of(e.triangle[side], e)] = e.triangle[1 - side];
    const double height = flat_height * diagonal(mesh);
    for (const int seed : by_area())
      if (face_[seed] < 0) spread(seed, join ? height : -1);
  }

  /// Null when the outline of a face is not one loop.
  std::optional<Polyhedron> polyhedron() {
    mark_corners();
    Polyhedron out;
    for (std::size_t f = 0; f < seeds_.size(); ++f) {
      std::vector<int> loop = outline(static_cast<int>(f));
      if (loop.size() < 3) return {};
      const Vec3 n = mesh_.area_vector(seeds_[f]).normalized();
      double offset = 0;
      for (const int v : loop) offset += n.dot(mesh_.vertices[v]) / static_cast<double>(loop.size());
      for (const int v : loop) accuracy = std::max(accuracy, std::abs(n.dot(mesh_.vertices[v]) - offset));
      for (int& v : loop) v = number_[v];
      out.faces.push_back({n, offset, std::move(loop)});
    }
    for (std::size_t v = 0; v < number_.size(); ++v)
      if (number_[v] >= 0) out.corners.push_back(mesh_.vertices[v]);
    return out;
  }
  double accuracy = 0;  ///< how far a face's corners are from its plane, m

 private:
  const TriangleMesh& mesh_;
  std::vector<Triangle> across_;  ///< the neighbour over the side from corner k to k + 1
  std::vector<int> face_, seeds_;
  std::vector<int> number_;               ///< of the corner that a vertex is; −1: none
  std::vector<std::map<int, int>> next_;  ///< of a face: the vertex that follows on its outline

  int side_of(int t, const MeshEdge& e) const {
    const Triangle& k = mesh_.triangles[t];
    for (int i = 0; i < 3; ++i)
      if (k[i] != e.vertex[0] && k[i] != e.vertex[1]) return (i + 1) % 3;
    return 0;
  }

  std::vector<int> by_area() const {
    std::vector<double> area(mesh_.triangles.size());
    for (std::size_t t = 0; t < area.size(); ++t) area[t] = mesh_.area_vector(static_cast<int>(t)).norm();
    std::vector<int> order(area.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return area[a] > area[b]; });
    return order;
  }

  /// Takes the neighbours that lie in the seed's plane; none where `height` is negative.
  void spread(int seed, double height) {
    const int face = static_cast<int>(seeds_.size());
    seeds_.push_back(seed);
    const Vec3 n = mesh_.area_vector(seed).normalized(), origin = mesh_.corner(seed, 0);
    const auto in_plane = [&](int t) {
      if (!(n.dot(mesh_.area_vector(t).normalized()) > std::cos(same_face_angle))) return false;
      for (int k = 0; k < 3; ++k)
        if (!(std::abs(n.dot(mesh_.corner(t, k) - origin)) <= height)) return false;
      return true;
    };
    std::vector<int> front{seed};
    face_[seed] = face;
    while (!front.empty()) {
      const int t = front.back();
      front.pop_back();
      for (const int other : across_[t])
        if (face_[other] < 0 && in_plane(other)) {
          face_[other] = face;
          front.push_back(other);
        }
    }
  }

  void mark_corners() {
    std::vector<std::vector<int>> met(mesh_.vertices.size());
    next_.resize(seeds_.size());
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t)
      for (int k = 0; k < 3; ++k) {
        const int v = mesh_.triangles[t][k];
        if (std::find(met[v].begin(), met[v].end(), face_[t]) == met[v].end()) met[v].push_back(face_[t]);
        if (face_[across_[t][k]] != face_[t]) next_[face_[t]][v] = mesh_.triangles[t][(k + 1) % 3];
      }
    number_.assign(mesh_.vertices.size(), -1);
    int count = 0;
    for (std::size_t v = 0; v < met.size(); ++v)
      if (met[v].size() >= 3) number_[v] = count++;
  }

  /// The corners around a face, anticlockwise; empty when some edges of its border are left over.
  std::vector<int> outline(int face) const {
    const std::map<int, int>& next = next_[face];
    std::vector<int> loop;
    if (next.empty()) return loop;
    std::size_t steps = 0;
    const int first = next.begin()->first;
    for (int v = first; steps == 0 || v != first; ++steps) {
      const auto found = next.find(v);
      if (found == next.end() || steps > next.size()) return {};
      if (number_[v] >= 0) loop.push_back(v);
      v = found->second;
    }
    return steps == next.size() ? loop : std::vector<int>{};
  }
};

}  // namespace

std::unique_ptr<ConvexMesh> ConvexMesh::of(const TriangleMesh& mesh, const SurfaceTree& surface) {
  if (mesh.triangles.empty()) return nullptr;
  const std::vector<MeshEdge> edges = edges_of(mesh);
  for (const MeshEdge& e : edges)
    if (e.count != 2 || e.angle < hollow_angle) return nullptr;
  for (const bool join : {true, false}) {
    Joining joining(mesh, edges, join);
    std::optional<Polyhedron> shape = joining.polyhedron();
    if (!shape) continue;
    std::unique_ptr<ConvexMesh> out(new ConvexMesh(std::move(*shape), joining.accuracy, surface));
    // Convex everywhere and yet not as a whole: several pieces, or a surface that winds round twice.
    for (const Polyhedron::Face& face : out->polyhedron.faces)
      if (face.normal.dot(out->support(face.normal)) - face.offset > 1e-3 * out->reach()) return nullptr;
    return out;
  }
  return nullptr;
}

ConvexMesh::ConvexMesh(Polyhedron shape, double accuracy, const SurfaceTree& surface)
    : PolyhedralShape("convex mesh", std::move(shape), {}), surface_(&surface), accuracy_(accuracy) {
  const std::vector<Vec3>& corners = polyhedron.corners;
  Vec3 sum = Vec3::Zero();
  for (const Vec3& v : corners) sum += v;
  middle_ = sum / static_cast<double>(corners.size());
  for (const Vec3& v : corners) reach_ = std::max(reach_, (v - middle_).norm());
  for (int i = 0; i < 6; ++i) {
    const auto farther = [&, axis = i / 2, sign = i % 2 ? -1.0 : 1.0](const Vec3& a, const Vec3& b) {
      return sign * a[axis] < sign * b[axis];
    };
    start_[i] = static_cast<int>(std::max_element(corners.begin(), corners.end(), farther) - corners.begin());
  }
}

int ConvexMesh::farthest(const Vec3& d) const {
  int axis;
  d.cwiseAbs().maxCoeff(&axis);
  int at = start_[2 * axis + (d[axis] < 0)];
  double most = d.dot(polyhedron.corners[at]);
  for (bool climbed = true; climbed;) {
    climbed = false;
    for (const int other : neighbours(at))
      if (const double h = d.dot(polyhedron.corners[other]); h > most) most = h, at = other, climbed = true;
  }
  return at;
}

Foot ConvexMesh::foot(const Vec3& point) const {
  const SurfacePoint at = surface_->nearest(point);
  return {at.distance, at.normal, 0};
}

}  // namespace tappet
