#include "tappet/geometry/mesh_tree.hpp"

#include <algorithm>
#include <cmath>

#include "tappet/geometry/closest.hpp"

namespace tappet {

SurfaceTree::SurfaceTree(const TriangleMesh& mesh)
    : mesh_(&mesh),
      face_normals_(mesh.triangles.size()),
      vertex_normals_(mesh.vertices.size(), Vec3::Zero()),
      edge_normals_(mesh.triangles.size()) {
  if (mesh.triangles.empty()) return;
  nodes_ = box_tree(mesh.vertices, mesh.triangles);

  // Normals: of faces; of edges the sum of both faces; of vertices weighted by the faces' angles there.
  const int n = static_cast<int>(mesh.triangles.size());
  for (int t = 0; t < n; ++t) {
    face_normals_[t] = mesh.area_vector(t).stableNormalized();
    for (int k = 0; k < 3; ++k) {
      const Vec3 u = mesh.corner(t, (k + 1) % 3) - mesh.corner(t, k),
                 v = mesh.corner(t, (k + 2) % 3) - mesh.corner(t, k);
      vertex_normals_[mesh.triangles[t][k]] += std::atan2(u.cross(v).norm(), u.dot(v)) * face_normals_[t];
    }
  }
  struct HalfEdge {
    int low, high, triangle, k;
  };
  std::vector<HalfEdge> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (int t = 0; t < n; ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), t, k});
    }
  std::sort(sides.begin(), sides.end(), [](const HalfEdge& a, const HalfEdge& b) {
    return std::tie(a.low, a.high) < std::tie(b.low, b.high);
  });
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i;
    Vec3 sum = Vec3::Zero();
    for (; end < sides.size() && sides[end].low == sides[i].low && sides[end].high == sides[i].high; ++end)
      sum += face_normals_[sides[end].triangle];
    for (; i < end; ++i) edge_normals_[sides[i].triangle][sides[i].k] = sum;
  }
}

// Regions of the triangle's plane by barycentric signs [Ericson2005, 5.1.5].
SurfaceTree::Foot SurfaceTree::foot(const Vec3& p, int t) const {
  const Vec3 &a = mesh_->corner(t, 0), &b = mesh_->corner(t, 1), &c = mesh_->corner(t, 2);
  const Vec3 ab = b - a, ac = c - a, ap = p - a;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return {a, 1};
  const Vec3 bp = p - b;
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return {b, 2};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {a + d1 / (d1 - d3) * ab, 4};
  const Vec3 cp = p - c;
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return {c, 3};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {a + d2 / (d2 - d6) * ac, 6};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6) return {b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b), 5};
  const double sum = va + vb + vc;
  return {a + vb / sum * ab + vc / sum * ac, 0};
}

Vec3 SurfaceTree::pseudo_normal(int t, int where) const {
  if (where == 0) return face_normals_[t];
  return where <= 3 ? vertex_normals_[mesh_->triangles[t][where - 1]] : edge_normals_[t][where - 4];
}

SurfacePoint SurfaceTree::nearest(const Vec3& p, int hint) const {
  double best = std::numeric_limits<double>::infinity();
  SurfacePoint out;
  const auto visit = [&](int triangle, const Vec3& point, double d2) {
    if (d2 >= best) return;
    best = d2;
    out.point = point;
    out.triangle = triangle;
  };
  if (hint >= 0) {
    const Vec3 at = foot(p, hint).point;
    visit(hint, at, (at - p).squaredNorm());
  }
  within(
      p, [&] { return best; }, visit);
  if (out.triangle < 0) return out;

  const Vec3 outward = pseudo_normal(out.triangle, foot(p, out.triangle).where);
  const Vec3 away = p - out.point;
  const double length = away.norm();
  const double side = away.dot(outward) < 0 ? -1 : 1;
  out.distance = side * length;
  // On the surface itself the direction is that of the surface.
  out.normal =
      length > 1e-14 * (nodes_[0].reach + p.norm()) ? Vec3(side / length * away) : outward.stableNormalized();
  return out;
}

bool SurfaceTree::between(const Vec3& from, const Vec3& to, double margin) const {
  const Vec3 way = to - from;
  const auto hits = [&](int t) {
    const Vec3& n = face_normals_[t];
    const double rate = n.dot(way);
    if (std::abs(rate) < 1e-6 * way.norm()) return false;
    const double s = n.dot(mesh_->corner(t, 0) - from) / rate;
    if (s <= margin || s >= 1 - margin) return false;
    const Vec3 x = from + s * way;
    for (int k = 0; k < 3; ++k) {
      const Vec3& a = mesh_->corner(t, k);
      if (n.dot((mesh_->corner(t, (k + 1) % 3) - a).cross(x - a)) < 0) return false;
    }
    return true;
  };
  const auto descend = [&](const auto& self, int at) -> bool {
    const BoxNode& node = nodes_[at];
    // The part of the line between the box's faces.
    const Vec3 a = node.axes.transpose() * (from - node.centre), d = node.axes.transpose() * way;
    double low = 0, high = 1;
    for (int k = 0; k < 3; ++k) {
      if (d[k] == 0) {
        if (std::abs(a[k]) > node.half[k]) return false;
        continue;
      }
      const double s = (-node.half[k] - a[k]) / d[k], t = (node.half[k] - a[k]) / d[k];
      low = std::max(low, std::min(s, t));
      high = std::min(high, std::max(s, t));
    }
    if (low > high) return false;
    if (node.leaf()) return hits(node.primitive());
    return self(self, node.child) || self(self, node.child + 1);
  };
  return !nodes_.empty() && descend(descend, 0);
}

bool boxes_overlap(const BoxNode& first, const BoxNode& second, const Pose& second_in_first) {
  const Vec3& a = first.half;
  const Vec3& b = second.half;
  const Vec3 apart = second_in_first.point(second.centre) - first.centre;
  if (apart.squaredNorm() > (first.reach + second.reach) * (first.reach + second.reach)) return false;
  const Mat3 C = first.axes.transpose() * (second_in_first.R * second.axes);
  const Vec3 t = first.axes.transpose() * apart;
  const Mat3 D = C.cwiseAbs();
  // Faces of the first, of the second, then edges on edges.
  for (int i = 0; i < 3; ++i)
    if (std::abs(t[i]) > a[i] + D.row(i).dot(b)) return false;
  for (int j = 0; j < 3; ++j)
    if (std::abs(C.col(j).dot(t)) > D.col(j).dot(a) + b[j]) return false;
  const double slack = 1e-12 * (first.reach + second.reach);  // of axes that are nearly parallel
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double reach = a[i1] * D(i2, j) + a[i2] * D(i1, j) + b[j1] * D(i, j2) + b[j2] * D(i, j1);
      if (std::abs(t[i2] * C(i1, j) - t[i1] * C(i2, j)) > reach + slack) return false;
    }
  }
  return true;
}

namespace {

/// The nearest points of triangle s of the first and t of the second replace those known if they are nearer.
void offer(const SurfaceTree& first, int s, const SurfaceTree& second, int t, const Pose& pose,
           SurfaceGap& best) {
  const auto take = [&](const Vec3& x, const Vec3& y) {
    const double d = (y - x).norm();
    if (d < best.distance) best = {d, s, t, x, y};
  };
  Vec3 a[3], b[3];
  for (int k = 0; k < 3; ++k) a[k] = first.mesh().corner(s, k), b[k] = pose.point(second.mesh().corner(t, k));
  for (int k = 0; k < 3; ++k) {
    take(first.nearest_on(s, b[k]), b[k]);
    take(a[k], pose.point(second.nearest_on(t, pose.local(a[k]))));
    for (int l = 0; l < 3; ++l) {
      const Vec3 &a1 = a[(k + 1) % 3], &b1 = b[(l + 1) % 3];
      const SegmentPair at = closest_on_segments(a[k], a1, b[l], b1);
      take(a[k] + at.s * (a1 - a[k]), b[l] + at.t * (b1 - b[l]));
    }
  }
}

}  // namespace

SurfaceGap surface_gap(const SurfaceTree& first, const SurfaceTree& second, const Pose& pose, double bound) {
  SurfaceGap best;
  best.distance = bound;
  if (first.nodes().empty() || second.nodes().empty()) return best;
  // No nearer than the middle of one box is to the other, less the reach of the first.
  const auto least = [&](int i, int j) {
    const BoxNode &a = first.nodes()[i], &b = second.nodes()[j];
    const double from_a = std::sqrt(a.distance2(pose.point(b.centre))) - b.reach,
                 from_b = std::sqrt(b.distance2(pose.local(a.centre))) - a.reach;
    return std::max(from_a, from_b);
  };
  const auto descend = [&](const auto& self, int i, int j) -> void {
    const BoxNode &a = first.nodes()[i], &b = second.nodes()[j];
    if (a.leaf() && b.leaf()) return offer(first, a.primitive(), second, b.primitive(), pose, best);
    const bool split_first = b.leaf() || (!a.leaf() && a.reach > b.reach);
    const int next[2][2] = {{split_first ? a.child : i, split_first ? j : b.child},
                            {split_first ? a.child + 1 : i, split_first ? j : b.child + 1}};
    const double bounds[2] = {least(next[0][0], next[0][1]), least(next[1][0], next[1][1])};
    const int near = bounds[1] < bounds[0];
    for (const int k : {near, 1 - near})
      if (bounds[k] < best.distance) self(self, next[k][0], next[k][1]);
  };
  descend(descend, 0, 0);
  return best;
}

PointTree::PointTree(const std::vector<Vec3>& points) {
  if (!points.empty()) nodes_ = box_tree(points, {});
}

}  // namespace tappet
