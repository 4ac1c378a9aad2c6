#include "tappet/geometry/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace tappet {
namespace {

Vec3 lowest(const TriangleMesh& mesh) {
  Bounds box;
  for (const Vec3& v : mesh.vertices) box.include(v);
  return box.low;
}

/// Cells of a grid, each with one vertex that stands for those around it.
class WeldGrid {
 public:
  WeldGrid(const Vec3& origin, double tolerance) : origin_(origin), cell_(tolerance) {}

  /// A vertex already kept within the tolerance of `p`, or −1.
  int find(const Vec3& p, const std::vector<Vec3>& kept) const {
    const auto at = cell_of(p);
    for (int i = -1; i <= 1; ++i)
      for (int j = -1; j <= 1; ++j)
        for (int k = -1; k <= 1; ++k) {
          const auto [begin, end] = cells_.equal_range(key(at[0] + i, at[1] + j, at[2] + k));
          for (auto it = begin; it != end; ++it)
            if ((kept[it->second] - p).norm() <= cell_) return it->second;
        }
    return -1;
  }
  void add(const Vec3& p, int index) {
    const auto at = cell_of(p);
    cells_.emplace(key(at[0], at[1], at[2]), index);
  }

 private:
  std::array<std::int64_t, 3> cell_of(const Vec3& p) const {
    const Vec3 x = (p - origin_) / cell_;
    return {static_cast<std::int64_t>(std::floor(x[0])), static_cast<std::int64_t>(std::floor(x[1])),
            static_cast<std::int64_t>(std::floor(x[2]))};
  }
  static std::uint64_t key(std::int64_t i, std::int64_t j, std::int64_t k) {
    const auto mix = [](std::int64_t x, std::uint64_t prime) {
      return static_cast<std::uint64_t>(x) * prime;
    };
    return mix(i, 0x9E3779B97F4A7C15u) ^ mix(j, 0xC2B2AE3D27D4EB4Fu) ^ mix(k, 0x165667B19E3779F9u);
  }

  Vec3 origin_;
  double cell_;
  std::unordered_multimap<std::uint64_t, int> cells_;
};

}  // namespace

double diagonal(const TriangleMesh& mesh) {
  Bounds box;
  for (const Vec3& v : mesh.vertices) box.include(v);
  return mesh.vertices.empty() ? 0 : (box.high - box.low).norm();
}

TriangleMesh welded(const TriangleMesh& mesh, double tolerance) {
  TriangleMesh out;
  if (!(diagonal(mesh) > 0)) return out;
  // Coordinates in cells must fit an integer, whatever tolerance is asked for.
  WeldGrid grid(lowest(mesh), std::max(tolerance, 1e-12 * diagonal(mesh)));
  std::vector<int> index(mesh.vertices.size());
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    index[i] = grid.find(mesh.vertices[i], out.vertices);
    if (index[i] >= 0) continue;
    index[i] = static_cast<int>(out.vertices.size());
    grid.add(mesh.vertices[i], index[i]);
    out.vertices.push_back(mesh.vertices[i]);
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& old = mesh.triangles[t];
    const Triangle now{index[old[0]], index[old[1]], index[old[2]]};
    if (now[0] == now[1] || now[1] == now[2] || now[2] == now[0]) continue;
    out.triangles.push_back(now);
    if (!mesh.parts.empty()) out.parts.push_back(mesh.parts[t]);
  }
  return out;
}

// Tetrahedra from one point to every triangle, signed: with d = a·(b × c),
//   V = Σ d/6,   V c = Σ d/24 (a + b + c),   ∫x xᵀ dV = Σ d/120 (a aᵀ + b bᵀ + c cᵀ + (a+b+c)(a+b+c)ᵀ)
// The point is taken in the middle of the mesh: far from it, large tetrahedra would cancel.
SolidProperties solid_properties(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return {};
  Bounds box;
  for (const Vec3& v : mesh.vertices) box.include(v);
  const Vec3 origin = 0.5 * (box.low + box.high);

  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const int i = static_cast<int>(t);
    const Vec3 a = mesh.corner(i, 0) - origin, b = mesh.corner(i, 1) - origin, c = mesh.corner(i, 2) - origin;
    const double d = a.dot(b.cross(c));
    const Vec3 sum = a + b + c;
    volume += d / 6;
    first += d / 24 * sum;
    second += d / 120 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  if (volume == 0) return {};
  const Vec3 centre = first / volume;
  const Mat3 about = second - volume * centre * centre.transpose();
  return {volume, origin + centre, about.trace() * Mat3::Identity() - about};
}

}  // namespace tappet
