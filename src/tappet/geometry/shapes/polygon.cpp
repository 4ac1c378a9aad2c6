#include "tappet/geometry/shapes/polygon.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/geometry/closest.hpp"
#include "tappet/geometry/placement.hpp"

namespace tappet {

Polygon::Polygon(std::vector<Vec3> points) : ConvexShape("polygon", {}, true), corners(std::move(points)) {
  for (int i = 0; i < count(); ++i) {
    const Vec3 side = corners[next(i)] - corners[i];
    normals.push_back(Vec3(side.y(), -side.x(), 0).normalized());
  }
  middle_ = solid().centre;
  for (const Vec3& corner : corners) reach_ = std::max(reach_, (corner - middle_).norm());
  size_ = -foot(middle_).distance;
}

int Polygon::side_towards(const Vec3& d) const {
  int best = 0;
  for (int i = 1; i < count(); ++i)
    if (normals[i].dot(d) > normals[best].dot(d)) best = i;
  return best;
}

Vec3 Polygon::support(const Vec3& d) const {
  int best = 0;
  for (int i = 1; i < count(); ++i)
    if (d.dot(corners[i]) > d.dot(corners[best])) best = i;
  return corners[best];
}

// Sides, then their corners; there is always the farthest one.
void Polygon::features(const Vec3& n, double angle, Features& out) const {
  const auto looks = [&](int i) {
    return std::abs(normals[i].x() * n.y() - normals[i].y() * n.x()) < angle && normals[i].dot(n) > 0;
  };
  for (int i = 0; i < count(); ++i) {
    if (!looks(i)) continue;
    const Vec3 &a = corners[i], &b = corners[next(i)], d = b - a;
    const double length = d.norm();
    out.add({.base = (a + b) / 2, .dimension = 1, .along = {d / length}, .half = length / 2, .radius = flat});
  }
  int farthest = 0;
  for (int i = 1; i < count(); ++i)
    if (n.dot(corners[i]) > n.dot(corners[farthest])) farthest = i;
  out.add({.base = corners[farthest]});
  for (int i = 0; i < count(); ++i) {
    const int before = i == 0 ? count() - 1 : i - 1;
    if (i != farthest && (looks(i) || looks(before))) out.add({.base = corners[i]});
  }
}

Foot Polygon::foot(const Vec3& p) const {
  // Inside, the nearest side counts.
  int highest = 0;
  double height = -flat;
  for (int i = 0; i < count(); ++i)
    if (const double h = normals[i].dot(p - corners[i]); h > height) height = h, highest = i;
  if (height <= 0) return {height, normals[highest], flat};

  // Outside, the nearest of the sides that p is in front of.
  Foot out{flat, normals[highest], flat};
  for (int i = 0; i < count(); ++i) {
    const double h = normals[i].dot(p - corners[i]);
    if (h <= 0 || h >= out.distance) continue;
    const double s = closest_on_segment(p, corners[i], corners[next(i)]);
    if (s > 0 && s < 1) {
      out = {h, normals[i], flat};
    } else {
      const Vec3 d = p - corners[s == 0 ? i : next(i)];
      if (const double length = d.norm(); length < out.distance) out = {length, d / length, 0};
    }
  }
  return out;
}

double Polygon::radius(const Vec3& n) const {
  return normals[side_towards(n)].dot(n) > 1 - 1e-14 ? flat : 0;
}

// Sums over the triangles from the first corner.
SolidProperties Polygon::solid() const {
  double area = 0, polar = 0;
  Vec3 first = Vec3::Zero();
  for (int i = 1; i + 1 < count(); ++i) {
    const Vec3 u = corners[i] - corners[0], v = corners[i + 1] - corners[0];
    const double a = (u.x() * v.y() - u.y() * v.x()) / 2;
    area += a;
    first += a / 3 * (u + v);
    polar += a / 6 * (u.squaredNorm() + u.dot(v) + v.squaredNorm());
  }
  const Vec3 c = first / area;
  return {area, corners[0] + c, Vec3(0, 0, polar - area * c.squaredNorm()).asDiagonal()};
}

}  // namespace tappet

namespace tappet::shapes::polygon {
namespace {

double bend(const Vec3& p, const Vec3& q, const Vec3& r) {
  return (q - p).cross(r - q).z();
}

/// Without repeated corners and those in the middle of a side, anticlockwise; what is wrong, or "".
std::string tidy(std::vector<Vec3>& points) {
  Bounds bounds;
  double twice_area = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    bounds.include(points[i]);
    twice_area += (points[i] - points[0]).cross(points[(i + 1) % points.size()] - points[0]).z();
  }
  const double extent = (bounds.high - bounds.low).norm();
  if (!(std::abs(twice_area) > 1e-9 * extent * extent)) return "enclose no area";
  if (twice_area < 0) std::reverse(points.begin(), points.end());

  std::vector<Vec3> kept;
  for (const Vec3& point : points)
    if (kept.empty() || (point - kept.back()).norm() > 1e-12 * extent) kept.push_back(point);
  while (kept.size() > 1 && (kept.front() - kept.back()).norm() <= 1e-12 * extent) kept.pop_back();

  points.clear();
  double turned = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const Vec3 &p = kept[(i + kept.size() - 1) % kept.size()], &q = kept[i], &r = kept[(i + 1) % kept.size()];
    const double sine = bend(p, q, r), scale = (q - p).norm() * (r - q).norm();
    if (sine < -1e-12 * scale)
      return fmt::format("are not convex at [{:g}, {:g}]; split the shape into convex ones", q.x(), q.y());
    turned += std::atan2(sine, (q - p).dot(r - q));
    if (sine > 1e-12 * scale || (q - p).dot(r - q) < 0) points.push_back(q);
  }
  if (turned > 7) return "go around more than once";
  return points.size() < 3 ? "enclose no area" : "";
}

std::unique_ptr<Shape> make(const PolygonParameters& p, const Origin& origin, Dimension dimension,
                            Diagnostics& diagnostics) {
  const Pose place = placement_of(p, origin, dimension, diagnostics);
  std::vector<Vec3> points = p.points;
  const std::string fault =
      points.size() < 3 ? fmt::format("are {}; a polygon has at least 3", points.size()) : tidy(points);
  if (!fault.empty()) {
    diagnostics.error(origin.where("points"),
                      fmt::format("the `points` of polygon '{}' {}", origin.name, fault));
    return nullptr;
  }
  if (points.size() > Polygon::most_corners) {
    diagnostics.error(origin.where("points"),
                      fmt::format("polygon '{}' has {} corners; at most {} are allowed", origin.name,
                                  points.size(), Polygon::most_corners));
    return nullptr;
  }
  for (Vec3& point : points) point = place.point(point);
  return std::make_unique<Polygon>(std::move(points));
}

const Registration<ShapeType> registered{
    {.name = "polygon",
     .help = "A convex polygon",
     .table = planar_only(table_of<PolygonParameters>(
         "a polygon", "A convex polygon",
         with_placement<PolygonParameters>({{&PolygonParameters::points,
                                             {.name = "points",
                                              .kind = Kind::points,
                                              .unit = "m",
                                              .help = "corners in order, either way round; convex",
                                              .required = true,
                                              .range = shape_coordinate(),
                                              .count = 0}}}))),
     .make = made_from<make>}};

}  // namespace
}  // namespace tappet::shapes::polygon
