// Convex hull by adding one point after another: the faces that the point sees are replaced by triangles from
// the point to their outline. Triangles in one plane are then joined to faces. All within a tolerance of
// rounding size.
#include "tappet/geometry/convex_hull.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/Geometry>

#include "tappet/geometry/polyhedron.hpp"

namespace tappet {
namespace {

struct HullTriangle {
  int corner[3];
  Vec3 normal;
  double offset;
};

class Builder {
 public:
  explicit Builder(const std::vector<Vec3>& points) : points_(points) {
    Bounds bounds;
    for (const Vec3& p : points) bounds.include(p);
    tolerance_ = 1e-10 * (bounds.high - bounds.low).norm();
  }

  bool build() {
    if (!(tolerance_ > 0) || !first_tetrahedron()) return false;
    for (int i = 0; i < static_cast<int>(points_.size()); ++i) add(i);
    return true;
  }

  Polyhedron joined() const {
    Polyhedron out;
    std::vector<bool> used(triangles_.size());
    for (const std::size_t first : by_area()) {
      if (used[first]) continue;
      std::vector<int> corners;
      for (std::size_t j = 0; j < triangles_.size(); ++j) {
        if (used[j] || !same_plane(triangles_[first], triangles_[j])) continue;
        used[j] = true;
        corners.insert(corners.end(), std::begin(triangles_[j].corner), std::end(triangles_[j].corner));
      }
      const HullTriangle& t = triangles_[first];
      out.faces.push_back({t.normal, t.offset, outline(corners, t.normal)});
    }
    keep_used_corners(out);
    return out;
  }

  std::vector<Triangle> triangles() const {
    std::vector<Triangle> out;
    for (const HullTriangle& t : triangles_) out.push_back({t.corner[0], t.corner[1], t.corner[2]});
    return out;
  }

 private:
  const std::vector<Vec3>& points_;
  double tolerance_ = 0;
  std::vector<HullTriangle> triangles_;

  double height(const HullTriangle& t, int i) const { return t.normal.dot(points_[i]) - t.offset; }

  void push(int a, int b, int c) {
    const Vec3 n = (points_[b] - points_[a]).cross(points_[c] - points_[a]).normalized();
    const double offset = n.dot(points_[a] + points_[b] + points_[c]) / 3;
    triangles_.push_back({{a, b, c}, n, offset});
  }

  /// The point for which `score` is highest.
  template <class Score>
  int best(const Score& score) const {
    int out = 0;
    for (int i = 1; i < static_cast<int>(points_.size()); ++i)
      if (score(points_[i]) > score(points_[out])) out = i;
    return out;
  }

  bool first_tetrahedron() {
    const int a = best([](const Vec3& p) { return p.x(); });
    const Vec3 pa = points_[a];
    const int b = best([&](const Vec3& p) { return (p - pa).norm(); });
    const Vec3 ab = (points_[b] - pa).normalized();
    const int c = best([&](const Vec3& p) { return ab.cross(p - pa).norm(); });
    if (!(ab.cross(points_[c] - pa).norm() > tolerance_)) return false;
    const Vec3 n = ab.cross(points_[c] - pa).normalized();
    const int d = best([&](const Vec3& p) { return std::abs(n.dot(p - pa)); });
    const double h = n.dot(points_[d] - pa);
    if (!(std::abs(h) > tolerance_)) return false;
    const int u = h > 0 ? c : b, v = h > 0 ? b : c;  // so that a, u, v is seen from the side away from d
    push(a, u, v), push(u, a, d), push(v, u, d), push(a, v, d);
    return true;
  }

  void add(int i) {
    std::map<std::pair<int, int>, bool> rim;  // directed edges of the faces that i sees
    std::vector<HullTriangle> kept;
    for (const HullTriangle& t : triangles_) {
      if (height(t, i) <= tolerance_) {
        kept.push_back(t);
        continue;
      }
      for (int k = 0; k < 3; ++k) rim[{t.corner[k], t.corner[(k + 1) % 3]}] = true;
    }
    if (rim.empty()) return;
    triangles_ = std::move(kept);
    for (const auto& [edge, seen] : rim)
      if (!rim.count({edge.second, edge.first})) push(edge.first, edge.second, i);
  }

  std::vector<std::size_t> by_area() const {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < triangles_.size(); ++i) {
      const int* k = triangles_[i].corner;
      order.emplace_back(-(points_[k[1]] - points_[k[0]]).cross(points_[k[2]] - points_[k[0]]).norm(), i);
    }
    std::sort(order.begin(), order.end());
    std::vector<std::size_t> out;
    for (const auto& entry : order) out.push_back(entry.second);
    return out;
  }

  bool same_plane(const HullTriangle& t, const HullTriangle& other) const {
    return t.normal.dot(other.normal) > 0.9 &&
           std::all_of(std::begin(other.corner), std::end(other.corner),
                       [&](int i) { return std::abs(height(t, i)) <= 4 * tolerance_; });
  }

  /// Corners of a face in order, without those in the middle of an edge.
  std::vector<int> outline(std::vector<int> corners, const Vec3& normal) const {
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    Vec3 centre = Vec3::Zero();
    for (int i : corners) centre += points_[i] / static_cast<double>(corners.size());
    const Vec3 u = (points_[corners[0]] - centre).normalized(), v = normal.cross(u);
    const auto angle = [&](int i) {
      return std::atan2(v.dot(points_[i] - centre), u.dot(points_[i] - centre));
    };
    std::sort(corners.begin(), corners.end(), [&](int i, int j) { return angle(i) < angle(j); });
    std::vector<int> out;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Vec3 &p = points_[corners[(k + corners.size() - 1) % corners.size()]], &q = points_[corners[k]],
                 &r = points_[corners[(k + 1) % corners.size()]];
      if ((q - p).cross(r - q).norm() > tolerance_ * (r - p).norm()) out.push_back(corners[k]);
    }
    return out;
  }

  void keep_used_corners(Polyhedron& out) const {
    std::map<int, int> number;
    for (const auto& face : out.faces)
      for (int i : face.loop) number.emplace(i, 0);
    for (auto& [old, now] : number) {
      now = static_cast<int>(out.corners.size());
      out.corners.push_back(points_[old]);
    }
    for (auto& face : out.faces)
      for (int& i : face.loop) i = number.at(i);
  }
};

/// The point that is farthest along d. Ties would let points in that lie on an edge or in a face; a direction that is
/// turned a little finds corners alone.
int farthest_along(const Vec3& d, const std::vector<Vec3>& points) {
  const Vec3 turned = d.normalized() + 1e-7 * Vec3(0.6180, 0.7548, -0.5698);
  int out = 0;
  double best = turned.dot(points[0]);
  for (int i = 1; i < static_cast<int>(points.size()); ++i)
    if (const double here = turned.dot(points[i]); here > best) best = here, out = i;
  return out;
}

/// Corners of the hull in the directions of a cube's corners, edges and faces.
std::vector<Vec3> first_corners(const std::vector<Vec3>& points) {
  std::vector<int> chosen;
  for (int i = 0; i < 27; ++i)
    if (const Vec3 d(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1); d.norm() > 0)
      chosen.push_back(farthest_along(d, points));
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  std::vector<Vec3> out;
  for (const int i : chosen) out.push_back(points[i]);
  return out;
}

}  // namespace

std::vector<Triangle> hull_triangles(const std::vector<Vec3>& points) {
  if (points.size() < 4) return {};
  Builder builder(points);
  if (!builder.build()) return {};
  return builder.triangles();
}

// Grown from a few corners: each face takes the point that is farthest outside it, as long as one is farther than the
// tolerance. Points that are found inside are not looked at again.
TriangleMesh hull_mesh(const std::vector<Vec3>& points) {
  if (points.size() < 4) return {};
  Bounds bounds;
  for (const Vec3& p : points) bounds.include(p);
  const double tolerance = hull_tolerance * (bounds.high - bounds.low).norm();
  TriangleMesh out{first_corners(points), {}};
  std::vector<Vec3> outside = points;
  while (true) {
    out.triangles = hull_triangles(out.vertices);
    if (out.triangles.empty() || static_cast<int>(out.vertices.size()) >= most_hull_corners) break;
    const int faces = static_cast<int>(out.triangles.size());
    std::vector<Vec3> normal(faces);
    for (int t = 0; t < faces; ++t) normal[t] = out.area_vector(t).normalized();
    const auto height = [&](const Vec3& p, int t) { return normal[t].dot(p - out.corner(t, 0)); };
    std::erase_if(outside, [&](const Vec3& p) {
      for (int t = 0; t < faces; ++t)
        if (height(p, t) > tolerance) return false;
      return true;
    });
    if (outside.empty()) break;
    std::vector<int> chosen;
    for (int t = 0; t < faces; ++t) {
      const int i = farthest_along(normal[t], outside);
      if (height(outside[i], t) > tolerance) chosen.push_back(i);
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    for (const int i : chosen) out.vertices.push_back(outside[i]);
  }
  return out;
}

std::optional<Polyhedron> Polyhedron::hull_of(const std::vector<Vec3>& points) {
  if (points.size() < 4) return {};
  Builder builder(points);
  if (!builder.build()) return {};
  return builder.joined();
}

}  // namespace tappet
