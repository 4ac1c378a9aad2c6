#include "tappet/geometry/convex_mesh.hpp"

#include <algorithm>
#include <numeric>

#include "tappet/geometry/mesh_edges.hpp"

namespace tappet {
namespace {

constexpr double hollow_angle = -1e-3;  ///< rad; coordinates with seven digits bend a plane by less
constexpr int most_normals = 32;

/// Normals of the largest flat parts, largest first: directions in which an overlap is likely to be undone.
std::vector<Vec3> flat_normals(const TriangleMesh& mesh) {
  struct Part {
    Vec3 sum;
  };
  std::vector<Part> parts;
  std::vector<int> order(mesh.triangles.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return mesh.area_vector(a).squaredNorm() > mesh.area_vector(b).squaredNorm();
  });
  for (const int t : order) {
    const Vec3 area = mesh.area_vector(t);
    const auto same = std::find_if(parts.begin(), parts.end(), [&](const Part& p) {
      return p.sum.normalized().dot(area.normalized()) > 1 - 1e-9;
    });
    if (same != parts.end())
      same->sum += area;
    else if (static_cast<int>(parts.size()) < most_normals)
      parts.push_back({area});
  }
  std::vector<Vec3> out;
  for (const Part& p : parts) out.push_back(p.sum.normalized());
  return out;
}

}  // namespace

std::unique_ptr<ConvexMesh> ConvexMesh::of(const TriangleMesh& mesh, const SurfaceTree& surface) {
  if (mesh.triangles.empty()) return nullptr;
  for (const MeshEdge& e : edges_of(mesh))
    if (e.count != 2 || e.angle < hollow_angle) return nullptr;
  std::unique_ptr<ConvexMesh> out(new ConvexMesh(mesh, surface));
  // Convex everywhere and yet not as a whole: several pieces, or a surface that winds round twice.
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const int i = static_cast<int>(t);
    const Vec3 n = mesh.area_vector(i).normalized();
    if (n.dot(out->support(n) - mesh.corner(i, 0)) > 1e-3 * out->reach()) return nullptr;
  }
  return out;
}

ConvexMesh::ConvexMesh(const TriangleMesh& mesh, const SurfaceTree& surface)
    : ConvexShape("convex mesh", {}),
      mesh_(&mesh),
      surface_(&surface),
      first_(mesh.vertices.size() + 1),
      normals_(flat_normals(mesh)) {
  for (const Triangle& t : mesh.triangles)
    for (const int v : t) ++first_[v + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  neighbours_.resize(first_.back());
  std::vector<int> next(first_.begin(), first_.end() - 1);
  // On a closed surface each neighbour follows in exactly one triangle.
  for (const Triangle& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) neighbours_[next[t[k]]++] = t[(k + 1) % 3];

  Vec3 sum = Vec3::Zero();
  for (const Vec3& v : mesh.vertices) sum += v;
  middle_ = sum / static_cast<double>(mesh.vertices.size());
  for (const Vec3& v : mesh.vertices) reach_ = std::max(reach_, (v - middle_).norm());
  for (int i = 0; i < 6; ++i) {
    const auto farther = [&, axis = i / 2, sign = i % 2 ? -1.0 : 1.0](const Vec3& a, const Vec3& b) {
      return sign * a[axis] < sign * b[axis];
    };
    start_[i] = static_cast<int>(std::max_element(mesh.vertices.begin(), mesh.vertices.end(), farther) -
                                 mesh.vertices.begin());
  }
}

Vec3 ConvexMesh::support(const Vec3& d) const {
  int axis;
  d.cwiseAbs().maxCoeff(&axis);
  int at = start_[2 * axis + (d[axis] < 0)];
  double most = d.dot(mesh_->vertices[at]);
  for (bool climbed = true; climbed;) {
    climbed = false;
    const int from = at;
    for (int k = first_[from]; k < first_[from + 1]; ++k)
      if (const double h = d.dot(mesh_->vertices[neighbours_[k]]); h > most)
        most = h, at = neighbours_[k], climbed = true;
  }
  return mesh_->vertices[at];
}

Foot ConvexMesh::foot(const Vec3& point) const {
  const SurfacePoint at = surface_->nearest(point);
  return {at.distance, at.normal, 0};
}

}  // namespace tappet
