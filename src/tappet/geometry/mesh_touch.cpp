#include "tappet/geometry/mesh_touch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

namespace tappet {
namespace {

// How far an edge may lean into the other body, as a sine; and two edges be parallel.
constexpr double lean = 0.05, parallel = 1e-3;
// Of the smaller size: a corner so little outside a facet is over it still. Corners of equal plates are on the borders of each other's facets.
constexpr double border = 1e-9;
// Of the smaller size: what is deeper is asked whether it is inside, at most so far on.
constexpr double deep = 1e-6, farther = 1e-5;

using Type = MeshTouch::Type;

struct Finder {
  const Mesh &first, &second;
  const Pose& pose;
  double margin, size;
  std::vector<MeshTouch>& out;

  /// Inside, if so far behind a surface? What is flush with another side of the body is on that: so it is asked a little farther on,
  /// `inward` in its own body.
  bool counts(const Mesh& body, double gap, const Vec3& point, const Vec3& inward) const {
    if (gap > margin || gap < -size) return false;
    const double way = std::min(farther * size, -0.25 * gap);
    return gap > -deep * size || body.surface.nearest(point + way * inward).distance < -1e-3 * way;
  }

  /// A vertex, given in the coordinates of the mesh that the triangle is of, with the directions of its edges.
  struct Over {
    bool is = false;
    double gap = 0;
    Vec3 foot = Vec3::Zero();
  };
  template <class Direction>
  Over over(const Mesh& of, int t, const Vec3& x, std::span<const Vec3> leaving,
            const Direction& direction) const {
    const Vec3& n = of.surface.face_normal(t);
    const Vec3& a = of.mesh.corner(t, 0);
    double gap = n.dot(x - a);
    if (gap > margin || gap < -size) return {};
    const double rim = border * size;
    double outside = 0;
    bool on_rim[3];
    for (int k = 0; k < 3; ++k) {
      const Vec3& from = of.mesh.corner(t, k);
      const Vec3 side = of.mesh.corner(t, (k + 1) % 3) - from;
      const double out = -n.dot(side.cross(x - from)) / side.norm();
      if (out > rim) return {};
      on_rim[k] = out > -rim;
      outside = std::max(outside, out);
    }
    const auto above = [&](const Vec3& normal) {
      return std::all_of(leaving.begin(), leaving.end(),
                         [&](const Vec3& d) { return normal.dot(direction(d)) >= -lean; });
    };
    if (!above(n)) return {};
    // On an edge of the body that it is above on both sides a corner is beside the body until it is behind both.
    for (int k = 0; k < 3; ++k) {
      if (!on_rim[k] || of.facets.edge_across[t][k] < 0) continue;
      const int beyond = of.features.across[t][k];
      const Vec3& other = of.surface.face_normal(beyond);
      if (above(other) && std::max(gap, other.dot(x - of.mesh.corner(beyond, 0))) > -rim) return {};
    }
    Vec3 inward = Vec3::Zero();
    for (const Vec3& d : leaving) inward += direction(d);
    // Beyond the border the facet's plane may be above the surface by as much: that is not yet an overlap.
    if (gap < 0 && gap > -outside) gap = std::numeric_limits<double>::min();
    if (!counts(of, gap, x, inward.stableNormalized())) return {};
    return {true, gap, x - n.dot(x - a) * n};
  }

  void vertex_of_first(int s, int k, int t) const {
    const int v = first.mesh.triangles[s][k];
    const Vec3& x = first.mesh.vertices[v];
    const Over at = over(second, t, pose.local(x), first.facets.leaving(v),
                         [&](const Vec3& d) { return pose.local_direction(d); });
    if (!at.is) return;
    out.push_back({Type::first_on_second,
                   v,
                   second.facets.facet[t],
                   {s, t},
                   at.gap,
                   -pose.direction(second.surface.face_normal(t)),
                   x,
                   pose.point(at.foot)});
  }
  void vertex_of_second(int s, int k, int t) const {
    const int v = second.mesh.triangles[t][k];
    const Vec3 x = pose.point(second.mesh.vertices[v]);
    const Over at =
        over(first, s, x, second.facets.leaving(v), [&](const Vec3& d) { return pose.direction(d); });
    if (!at.is) return;
    out.push_back({Type::second_on_first,
                   first.facets.facet[s],
                   v,
                   {s, t},
                   at.gap,
                   first.surface.face_normal(s),
                   at.foot,
                   x});
  }

  void edges(int s, int i, int t, int j) const {
    const ConvexEdge &e = first.facets.edges[i], &f = second.facets.edges[j];
    const Vec3 &p = first.mesh.vertices[e.vertex[0]], q = pose.point(second.mesh.vertices[f.vertex[0]]);
    const Vec3 u = first.mesh.vertices[e.vertex[1]] - p,
               v = pose.point(second.mesh.vertices[f.vertex[1]]) - q;
    Vec3 n = u.cross(v);
    const double sine = n.norm(), a = u.norm(), b = v.norm();
    if (!(sine > parallel * a * b)) return;
    n /= n.dot(e.outward) < 0 ? -sine : sine;
    if (n.dot(pose.direction(f.outward)) >= 0) return;
    for (const Vec3& into : e.into)
      if (n.dot(into) > lean) return;
    for (const Vec3& into : f.into)
      if (n.dot(pose.direction(into)) < -lean) return;
    // p + α u and q + β v are nearest.
    const Vec3 between = q - p, m = u.cross(v) / (sine * sine);
    const double alpha = between.cross(v).dot(m), beta = between.cross(u).dot(m);
    // At their ends it is a corner that touches.
    const double end = border * size;
    if (alpha * a < end || (1 - alpha) * a < end || beta * b < end || (1 - beta) * b < end) return;
    const Vec3 x = p + alpha * u, y = q + beta * v;
    const double gap = n.dot(between);
    const Vec3 along = pose.local_direction(u / a);
    if (!counts(second, gap, pose.local(x), along.dot(f.outward) > 0 ? Vec3(-along) : along)) return;
    out.push_back({Type::edges, i, j, {s, t}, gap, n, x, y});
  }

  void triangles(int s, int t) const {
    for (int k = 0; k < 3; ++k) vertex_of_first(s, k, t), vertex_of_second(s, k, t);
    for (const int i : first.facets.edge_across[s])
      for (const int j : second.facets.edge_across[t])
        if (i >= 0 && j >= 0) edges(s, i, t, j);
  }
};

}  // namespace

std::span<MeshTouch> find_touches(const Mesh& first, const Mesh& second, const Pose& pose, double margin) {
  static thread_local std::vector<MeshTouch> out;
  out.clear();
  const double size = std::min(first.size(), second.size());
  const Finder find{first, second, pose, margin, size, out};
  near_triangles(first.surface, second.surface, pose, margin, [&](int s, int t) { find.triangles(s, t); });

  // One of each: triangles of a facet all find the same corners, and both triangles of an edge that edge.
  std::sort(out.begin(), out.end(), [](const MeshTouch& a, const MeshTouch& b) {
    return std::tuple(a.name(), a.gap) < std::tuple(b.name(), b.gap);
  });
  out.erase(std::unique(out.begin(), out.end(),
                        [](const MeshTouch& a, const MeshTouch& b) { return a.name() == b.name(); }),
            out.end());
  return out;
}

}  // namespace tappet
