#include "tappet/geometry/polyhedron.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <Eigen/Geometry>

#include "tappet/geometry/closest.hpp"

namespace tappet {

int Polyhedron::farthest(const Vec3& d) const {
  std::size_t best = 0;
  double highest = d.dot(corners[0]);
  for (std::size_t i = 1; i < corners.size(); ++i)
    if (const double height = d.dot(corners[i]); height > highest) highest = height, best = i;
  return static_cast<int>(best);
}

int Polyhedron::face_towards(const Vec3& d) const {
  int best = 0, i = 0;
  double most = -HUGE_VAL;
  for (const Face& face : faces) {
    if (const double along = face.normal.dot(d); along > most) most = along, best = i;
    ++i;
  }
  return best;
}

namespace {

/// The nearest point of a face's outline, or null when p lies over the face itself.
std::optional<Vec3> nearest_on_outline(const Polyhedron& shape, const Polyhedron::Face& face, const Vec3& p) {
  bool over = true;
  double nearest = flat;
  Vec3 out = p;
  for (std::size_t i = 0; i < face.loop.size(); ++i) {
    const Vec3 &a = shape.corners[face.loop[i]], &b = shape.corners[face.loop[(i + 1) % face.loop.size()]];
    if (face.normal.cross(b - a).dot(p - a) >= 0) continue;
    over = false;
    const Vec3 foot = a + closest_on_segment(p, a, b) * (b - a);
    if (const double d = (p - foot).squaredNorm(); d < nearest) nearest = d, out = foot;
  }
  if (over) return {};
  return out;
}

}  // namespace

Foot Polyhedron::foot(const Vec3& p) const {
  // Inside, the nearest face counts.
  const Face* highest = &faces[0];
  double height = -flat;
  for (const Face& face : faces)
    if (const double h = face.normal.dot(p) - face.offset; h > height) height = h, highest = &face;
  if (height <= 0) return {height, highest->normal, flat};

  // Outside, the nearest point of the faces that p is in front of.
  Foot out{flat, highest->normal, flat};
  for (const Face& face : faces) {
    const double h = face.normal.dot(p) - face.offset;
    if (h <= 0 || h >= out.distance) continue;
    const std::optional<Vec3> edge = nearest_on_outline(*this, face, p);
    if (!edge) {
      out = {h, face.normal, flat};
    } else if (const double d = (p - *edge).norm(); d < out.distance) {
      out = {d, (p - *edge) / d, 0};
    }
  }
  return out;
}

// Sums over tetrahedra from a point inside to the triangles of the faces.
SolidProperties Polyhedron::solid() const {
  Vec3 inside = Vec3::Zero();
  for (const Vec3& corner : corners) inside += corner / static_cast<double>(corners.size());
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();  // ∫ x xᵀ dV about `inside`
  for (const Face& face : faces)
    for (std::size_t i = 1; i + 1 < face.loop.size(); ++i) {
      Mat3 t;
      t << corners[face.loop[0]] - inside, corners[face.loop[i]] - inside, corners[face.loop[i + 1]] - inside;
      const double v = t.determinant() / 6;
      const Vec3 sum = t.rowwise().sum();
      volume += v;
      first += v / 4 * sum;
      second += v / 20 * (t * t.transpose() + sum * sum.transpose());
    }
  const Vec3 c = first / volume;
  const Mat3 about = second - volume * c * c.transpose();
  return {volume, inside + c, about.trace() * Mat3::Identity() - about};
}

Polyhedron Polyhedron::box(const Vec3& half) {
  Polyhedron out;
  for (int i = 0; i < 8; ++i)
    out.corners.push_back(half.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = side << axis;
      std::vector<int> loop{base, base | u, base | u | v, base | v};
      if (side == 0) std::reverse(loop.begin(), loop.end());
      out.faces.push_back({(side ? 1.0 : -1.0) * Vec3::Unit(axis), half[axis], std::move(loop)});
    }
  return out;
}

PolyhedralShape::PolyhedralShape(std::string kind, Polyhedron shape, const Pose& where)
    : ConvexShape(std::move(kind), where),
      polyhedron(std::move(shape)),
      around_(polyhedron.corners.size() + 1) {
  for (const Vec3& corner : polyhedron.corners) reach_ = std::max(reach_, corner.norm());
  // On a closed surface each neighbour is the next one on exactly one face.
  for (const Polyhedron::Face& face : polyhedron.faces)
    for (const int i : face.loop) ++around_[i + 1];
  std::partial_sum(around_.begin(), around_.end(), around_.begin());
  neighbours_.resize(around_.back());
  faces_at_.resize(around_.back());
  std::vector<int> next(around_.begin(), around_.end() - 1);
  for (int f = 0; f < faces(); ++f) {
    const std::vector<int>& loop = polyhedron.faces[f].loop;
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const int at = next[loop[k]]++;
      neighbours_[at] = loop[(k + 1) % loop.size()];
      faces_at_[at] = f;
    }
  }
}

int PolyhedralShape::farthest(const Vec3& d) const {
  return polyhedron.farthest(d);
}

namespace {

/// What is met on a walk over a surface, up to a number, each once.
class Met {
 public:
  bool add(int i) {
    if (count_ == most || std::find(begin(), end(), i) != end()) return false;
    all_[count_++] = i;
    return true;
  }
  int operator[](int k) const { return all_[k]; }
  int size() const { return count_; }
  const int* begin() const { return all_.data(); }
  const int* end() const { return all_.data() + count_; }

 private:
  static constexpr int most = 48;
  std::array<int, most> all_{};
  int count_ = 0;
};

}  // namespace

// What lies near the farthest corner: an edge or a face is looked along within the angle when its far end is
// hardly lower.
void PolyhedralShape::features(const Vec3& n, double angle, Features& out) const {
  const std::vector<Vec3>& corners = polyhedron.corners;
  Met near, seen;
  near.add(farthest(n));
  const double least = n.dot(corners[near[0]]) - 2 * angle * reach();
  for (int k = 0; k < near.size(); ++k)
    for (int e = around_[near[k]]; e < around_[near[k] + 1]; ++e) {
      if (n.dot(corners[neighbours_[e]]) >= least) near.add(neighbours_[e]);
      const Polyhedron::Face& face = polyhedron.faces[faces_at_[e]];
      if (face.normal.cross(n).squaredNorm() < angle * angle && face.normal.dot(n) > 0)
        seen.add(faces_at_[e]);
    }

  for (const int f : seen) {
    const Polyhedron::Face& face = polyhedron.faces[f];
    Vec3 middle = Vec3::Zero();
    for (const int i : face.loop) middle += corners[i] / static_cast<double>(face.loop.size());
    const Vec3 u = (corners[face.loop[1]] - corners[face.loop[0]]).normalized();
    out.add({.base = middle,
             .dimension = 2,
             .along = {u, face.normal.cross(u)},
             .corners = corners,
             .loop = face.loop,
             .radius = flat});
  }
  for (const int i : near)
    for (const int j : neighbours(i)) {
      if (i > j || n.dot(corners[j]) < least) continue;
      const Vec3 d = corners[j] - corners[i];
      const double length = d.norm();
      if (!(std::abs(n.dot(d)) < angle * length)) continue;
      out.add(
          {.base = (corners[i] + corners[j]) / 2, .dimension = 1, .along = {d / length}, .half = length / 2});
    }
  for (const int i : near) out.add({.base = corners[i]});
}

double PolyhedralShape::radius(const Vec3& n) const {
  return polyhedron.faces[polyhedron.face_towards(n)].normal.dot(n) > 1 - 1e-14 ? flat : 0;
}

}  // namespace tappet
