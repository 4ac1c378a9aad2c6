#include "tappet/geometry/polyhedron.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "tappet/geometry/closest.hpp"

namespace tappet {

Vec3 Polyhedron::support(const Vec3& d) const {
  std::size_t best = 0;
  double highest = d.dot(corners[0]);
  for (std::size_t i = 1; i < corners.size(); ++i)
    if (const double height = d.dot(corners[i]); height > highest) highest = height, best = i;
  return corners[best];
}

int Polyhedron::face_towards(const Vec3& d) const {
  std::size_t best = 0;
  for (std::size_t i = 1; i < faces.size(); ++i)
    if (faces[i].normal.dot(d) > faces[best].normal.dot(d)) best = i;
  return static_cast<int>(best);
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
    : ConvexShape(std::move(kind), where), polyhedron(std::move(shape)) {
  for (const Vec3& corner : polyhedron.corners) reach_ = std::max(reach_, (corner - middle()).norm());
}

double PolyhedralShape::radius(const Vec3& n) const {
  return polyhedron.faces[polyhedron.face_towards(n)].normal.dot(n) > 1 - 1e-14 ? flat : 0;
}

}  // namespace tappet
