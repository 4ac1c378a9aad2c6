#include "tappet/structures/face_surface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <Eigen/Dense>

namespace tappet {

namespace {

constexpr double crease = 0.8660254037844386;  // cos 30°

/// The point p₀ + r (p₁ − p₀) + s (p₂ − p₀) on the edges of a triangle that is nearest to x.
void nearest_edge(const Vec3* p, const Vec3& x, double& r, double& s) {
  double best = std::numeric_limits<double>::infinity();
  const double corner[3][2] = {{0, 0}, {1, 0}, {0, 1}};
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const Vec3 edge = p[next] - p[k];
    const double along = std::clamp(edge.dot(x - p[k]) / edge.squaredNorm(), 0.0, 1.0);
    const double distance = (x - p[k] - along * edge).squaredNorm();
    if (distance >= best) continue;
    best = distance;
    r = corner[k][0] + along * (corner[next][0] - corner[k][0]);
    s = corner[k][1] + along * (corner[next][1] - corner[k][1]);
  }
}

/// Of a face's corners.
Vec3 normal_of(const Vec3* p, int count) {
  return (count == 3 ? (p[1] - p[0]).cross(p[2] - p[0]) : (p[2] - p[0]).cross(p[3] - p[1])).normalized();
}

}  // namespace

FaceSurface::FaceSurface(const StructureSystem& system, int structure, const std::vector<int>& nodes)
    : system_(system),
      structure_(structure),
      faces_(fem::surface_faces(system.body(structure).structure.mesh, nodes)) {
  const std::vector<Vec3>& x = system.body(structure).structure.mesh.nodes;
  const int count = static_cast<int>(faces_.size());
  std::map<int, std::vector<int>> at_node;
  std::map<std::pair<int, int>, int> edges;
  std::vector<Vec3> normals;
  for (int i = 0; i < count; ++i) {
    const fem::Face& f = faces_[i];
    Vec3 p[4];
    double size = 0;
    for (int k = 0; k < f.count(); ++k) {
      at_node[f.nodes[k]].push_back(i);
      ++edges[std::minmax(f.nodes[k], f.nodes[(k + 1) % f.count()])];
      p[k] = x[f.nodes[k]];
      size = std::max(size, (p[k] - p[0]).norm());
    }
    size_.push_back(size);
    normals.push_back(normal_of(p, f.count()));
  }
  neighbours_.resize(count), smooth_.resize(4 * count), rim_.assign(4 * count, 0);
  for (int i = 0; i < count; ++i) {
    const fem::Face& f = faces_[i];
    for (int k = 0; k < f.count(); ++k) {
      rim_[4 * i + k] = edges[std::minmax(f.nodes[k], f.nodes[(k + 1) % f.count()])] == 1;
      for (int other : at_node[f.nodes[k]]) {
        neighbours_[i].push_back(other);
        if (normals[i].dot(normals[other]) > crease) smooth_[4 * i + k].push_back(other);
      }
    }
    std::sort(neighbours_[i].begin(), neighbours_[i].end());
    neighbours_[i].erase(std::unique(neighbours_[i].begin(), neighbours_[i].end()), neighbours_[i].end());
  }
  mesh_normals_.assign(4 * count, Vec3::Zero());
  for (int i = 0; i < 4 * count; ++i) {
    for (int other : smooth_[i]) mesh_normals_[i] += normals[other];
    mesh_normals_[i].normalize();
  }
  double far = 0;
  for (const Vec3& p : x) far = std::max(far, p.lpNorm<Eigen::Infinity>());
  // Turning and shifting a mesh rounds a few times.
  rounding_ = 16 * std::numeric_limits<double>::epsilon() * far;
}

bool FaceSurface::foot_on(int face, const Vec3& x, const double* q, double limit, Foot& out) const {
  Vec3 p[4];
  const fem::Face& f = faces_[face];
  const int n = f.count();
  for (int k = 0; k < n; ++k) p[k] = system_.position(structure_, f.nodes[k], q);
  const double inside = 1 + 1e-6;
  double* weight = out.weight;
  out.face = face;
  if (n == 3) {
    const Vec3 a = p[1] - p[0], b = p[2] - p[0];
    const double aa = a.dot(a), ab = a.dot(b), bb = b.dot(b), ax = a.dot(x - p[0]), bx = b.dot(x - p[0]),
                 det = aa * bb - ab * ab;
    double r = (bb * ax - ab * bx) / det, s = (aa * bx - ab * ax) / det;
    if (limit == 1 && (r < 0 || s < 0 || r + s > 1)) nearest_edge(p, x, r, s);
    weight[0] = 1 - r - s, weight[1] = r, weight[2] = s, weight[3] = 0;
    out.at = p[0] + r * a + s * b;
    out.flat = a.cross(b).normalized();
    out.distance = (x - out.at).norm();
    return r >= 1 - inside && s >= 1 - inside && r + s <= inside;
  }
  double xi = 0, eta = 0;
  Vec3 t1, t2;
  for (int pass = 0; pass < 20; ++pass) {
    weight[0] = (1 - xi) * (1 - eta) / 4, weight[1] = (1 + xi) * (1 - eta) / 4,
    weight[2] = (1 + xi) * (1 + eta) / 4, weight[3] = (1 - xi) * (1 + eta) / 4;
    out.at = weight[0] * p[0] + weight[1] * p[1] + weight[2] * p[2] + weight[3] * p[3];
    t1 = ((1 - eta) * (p[1] - p[0]) + (1 + eta) * (p[2] - p[3])) / 4;
    t2 = ((1 - xi) * (p[3] - p[0]) + (1 + xi) * (p[2] - p[1])) / 4;
    const Vec3 d = x - out.at, twist = (p[0] - p[1] + p[2] - p[3]) / 4;
    const double m12 = t1.dot(t2) - d.dot(twist), m11 = t1.dot(t1), m22 = t2.dot(t2), r1 = d.dot(t1),
                 r2 = d.dot(t2);
    // At a limit that holds it back a coordinate stays; the other one moves along the edge.
    double dx = 0, dy = 0;
    const auto held = [&](double at, double slope) { return std::abs(at) == limit && slope * at > 0; };
    if (held(xi, r1))
      dy = held(eta, r2) ? 0 : r2 / m22;
    else if (held(eta, r2))
      dx = r1 / m11;
    else {
      const double det = m11 * m22 - m12 * m12;
      dx = (m22 * r1 - m12 * r2) / det, dy = (m11 * r2 - m12 * r1) / det;
    }
    const double xi_before = xi, eta_before = eta;
    xi = std::clamp(xi + dx, -limit, limit), eta = std::clamp(eta + dy, -limit, limit);
    if (std::abs(xi - xi_before) + std::abs(eta - eta_before) < 1e-13) break;
  }
  out.flat = t1.cross(t2).normalized();
  out.distance = (x - out.at).norm();
  return std::abs(xi) <= inside && std::abs(eta) <= inside;
}

FaceSurface::Foot FaceSurface::nearest(const Vec3& x, const double* q, int begin, double limit) const {
  Foot best, one;
  best.distance = limit;
  // Faces that share the nearest edge: that which x is above more than the other knows on which side it is.
  const auto take = [&](int i) {
    foot_on(i, x, q, 1, one);
    const bool same = best.face >= 0 && std::abs(one.distance - best.distance) <= 1e-9 * best.distance;
    const auto above = [&](const Foot& f) { return std::abs(f.flat.dot(x - f.at)); };
    if (same ? above(one) > above(best) * (1 + 1e-9) : one.distance < best.distance) best = one;
  };
  if (begin < 0) {
    for (int i = 0; i < static_cast<int>(faces_.size()); ++i) {
      const double far = (x - system_.position(structure_, faces_[i].nodes[0], q)).norm();
      if (far - 2 * size_[i] > best.distance) continue;
      take(i);
    }
    return best;
  }
  best.distance = std::numeric_limits<double>::infinity();
  for (int around = -1; around != begin; begin = best.face) {
    around = begin;
    for (int i : neighbours_[around]) take(i);
  }
  return best;
}

Vec3 FaceSurface::flat_normal(int face, const double* q) const {
  Vec3 p[4];
  for (int k = 0; k < faces_[face].count(); ++k)
    p[k] = system_.position(structure_, faces_[face].nodes[k], q);
  return normal_of(p, faces_[face].count());
}

Vec3 FaceSurface::normal(const Foot& foot, const double* q) const {
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < faces_[foot.face].count(); ++k) {
    if (foot.weight[k] == 0) continue;
    Vec3 around = Vec3::Zero();
    for (int i : smooth_[4 * foot.face + k]) around += flat_normal(i, q);
    sum += foot.weight[k] * around.normalized();
  }
  return sum.normalized();
}

Vec3 FaceSurface::mesh_normal(const Foot& foot) const {
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < faces_[foot.face].count(); ++k)
    sum += foot.weight[k] * mesh_normals_[4 * foot.face + k];
  return sum.normalized();
}

double FaceSurface::gap(const Foot& foot, const Vec3& X, const Vec3& u, const Vec3& normal,
                        const double* q) const {
  const fem::Face& f = faces_[foot.face];
  const std::vector<Vec3>& mesh = system_.body(structure_).structure.mesh.nodes;
  Vec3 apart = Vec3::Zero(), moved = u;
  for (int k = 0; k < f.count(); ++k) {
    apart += foot.weight[k] * (X - mesh[f.nodes[k]]);
    moved -= foot.weight[k] * system_.velocity(structure_, f.nodes[k], q);
  }
  const Vec3 as_given = mesh_normal(foot);
  const double first = as_given.dot(apart);
  return (std::abs(first) > rounding_ ? first : 0) + (normal - as_given).dot(apart) + normal.dot(moved);
}

// p with x = p + d n(p), by p ← foot of x − d n(p): a contraction as long as the ball is rounder than the surface.
bool FaceSurface::smooth(const Vec3& x, const double* q, Foot& foot, Vec3& normal) const {
  Foot at = foot;
  const double side = at.flat.dot(x - at.at) < 0 ? -1 : 1;
  for (int pass = 0; pass < 40; ++pass) {
    const Vec3 n = side * this->normal(at, q);
    const double height = n.dot(x - at.at);
    if (height < 0.85 * foot.distance || on_rim(at)) return false;
    const Vec3 off = x - height * n - at.at;
    if (off.norm() <= 1e-12 * size_[at.face]) {
      at.distance = height;
      foot = at, normal = n;
      return true;
    }
    at = nearest(x - height * n, q, at.face, 0);
  }
  return false;
}

// An edge of one face alone, with all weight on its nodes.
bool FaceSurface::on_rim(const Foot& foot) const {
  const int n = faces_[foot.face].count();
  for (int k = 0; k < n; ++k)
    if (rim_[4 * foot.face + k] && foot.weight[k] + foot.weight[(k + 1) % n] > 1 - 1e-9) return true;
  return false;
}

bool FaceSurface::beside(const Foot& foot, const Vec3& x, double side, bool before) const {
  if (!on_rim(foot)) return false;
  const double height = foot.flat.dot(x - foot.at), along = (x - foot.at - height * foot.flat).norm();
  const bool above = side * height >= 0;
  const double lean = above ? 0.5 : before ? 0 : 0.1;
  return along > 1e-6 * size_[foot.face] + lean * std::abs(height);
}

}  // namespace tappet
