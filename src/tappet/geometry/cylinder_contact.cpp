#include "tappet/geometry/cylinder_contact.hpp"

#include <algorithm>
#include <cmath>

#include "tappet/geometry/closest.hpp"
#include "tappet/geometry/face_contact.hpp"
#include "tappet/geometry/pair_kinds.hpp"
#include "tappet/geometry/shapes/cylinder.hpp"

namespace tappet {
namespace {

constexpr int on_rims = 6, most_candidates = on_rims + 1;

/// A face in world coordinates: a polygon, or a disc.
struct Ground {
  Vec3 normal, at;  ///< outward; a point, of a disc the centre
  double R = 0;     ///< of a disc
  int size = 0;     ///< corners of a polygon
  std::array<Vec3, Facet::most> corner;

  Vec3 inward(int i) const { return normal.cross(corner[(i + 1) % size] - corner[i]).normalized(); }
  double height(const Vec3& p) const { return normal.dot(p - at); }
  Vec3 flattened(const Vec3& v) const { return v - normal.dot(v) * normal; }
  bool below(const Vec3& p, double tolerance) const {
    if (size == 0) return flattened(p - at).norm() <= R + tolerance;
    for (int i = 0; i < size; ++i)
      if (inward(i).dot(p - corner[i]) < -tolerance) return false;
    return true;
  }
};

/// From the face to the cylinder, the face first.
Proximity over(const Ground& ground, const Vec3& p, double radius_of_ground, double radius) {
  return touch({ground.height(p), ground.normal, radius_of_ground}, {}, p, radius);
}

/// A cylinder's end, its face looking at the ground or not.
struct End {
  Vec3 centre, axis;  ///< axis outward
  double R;

  /// Unit vector in the plane of the rim that leads down.
  Vec3 down(const Vec3& up) const {
    const Vec3 d = axis.dot(up) * axis - up;
    const double length = d.norm();
    return length > 1e-12 ? Vec3(d / length) : any_perpendicular(axis);
  }
};

/// The farthest point along d of what is below the end face and part of the ground.
Proximity farthest(const End& end, const Ground& ground, const Vec3& d, double tolerance) {
  double highest = -flat;
  Proximity best;
  const auto offer = [&](const Vec3& p, const auto& made) {
    if (const double reach = d.dot(p); reach > highest + tolerance) highest = reach, best = made(p);
  };
  const auto on_rim = [&](const Vec3& p) { return over(ground, p, flat, 0); };
  // The cylinder's own point.
  if (const Vec3 p = end.centre + end.R * d; ground.below(p, tolerance)) return on_rim(p);
  const auto in_cap = [&](const Vec3& p) {
    const Vec3 r = p - end.centre;
    return (r - end.axis.dot(r) * end.axis).norm() <= end.R;
  };
  // A corner of the ground below the end face: along the end face's normal.
  const auto corner = [&](const Vec3& p) {
    Proximity out;
    out.normal = -end.axis;
    out.gap = end.axis.dot(p - end.centre);
    out.on_first = p;
    out.on_second = p + out.gap * out.normal;
    out.radius[0] = 0, out.radius[1] = flat;
    return out;
  };
  if (ground.size == 0) {
    const Vec3 flat_d = ground.flattened(d);
    if (const double length = flat_d.norm(); length > 0)
      if (const Vec3 p = ground.at + ground.R / length * flat_d; in_cap(p)) return corner(p);
    // Where the two circles cross, seen along the axis.
    const Vec3 r = ground.at - end.centre, between = r - end.axis.dot(r) * end.axis;
    const double distance = between.norm();
    if (!(distance > 0)) return best;
    const double along = (distance * distance + end.R * end.R - ground.R * ground.R) / (2 * distance),
                 square = end.R * end.R - along * along;
    if (square < 0) return best;
    const Vec3 u = between / distance, v = end.axis.cross(u);
    for (const double sign : {1.0, -1.0})
      offer(end.centre + along * u + sign * std::sqrt(square) * v, on_rim);
    return best;
  }
  for (int i = 0; i < ground.size; ++i) {
    const Vec3 &a = ground.corner[i], &b = ground.corner[(i + 1) % ground.size];
    if (in_cap(a)) offer(a, corner);
    // Where the rim crosses the edge, seen along the axis.
    const auto flatten = [&](const Vec3& v) { return Vec3(v - end.axis.dot(v) * end.axis); };
    const Vec3 r = flatten(a - end.centre), e = flatten(b - a);
    const double A = e.squaredNorm(), B = r.dot(e), C = r.squaredNorm() - end.R * end.R, root = B * B - A * C;
    if (!(root > 0) || !(A > 0)) continue;
    for (const double sign : {1.0, -1.0})
      if (const double t = (-B + sign * std::sqrt(root)) / A; t > 0 && t < 1)
        offer(end.centre + r + t * e, on_rim);
  }
  return best;
}

/// Of a cylinder that lies: where the line of its side leaves a polygon, towards `end`.
Proximity side_leaves(const End& end, const Vec3& other_centre, const Ground& ground) {
  double nearest = flat;
  Proximity best;
  const Vec3 axis = other_centre - end.centre;
  for (int i = 0; i < ground.size; ++i) {
    const Vec3 &a = ground.corner[i], &b = ground.corner[(i + 1) % ground.size];
    const SegmentPair at = closest_on_segments(end.centre, other_centre, a, b);
    if (!(at.s > 0 && at.s < 1 && at.t > 0 && at.t < 1) || at.s >= nearest) continue;
    Vec3 m = axis.cross(b - a);
    const double length = m.norm();
    if (!(length > 0)) continue;
    m *= (m.dot(ground.normal) < 0 ? -1 : 1) / length;
    const Vec3 on_edge = a + at.t * (b - a), on_axis = end.centre + at.s * axis;
    nearest = at.s;
    best.normal = m;
    best.gap = m.dot(on_axis - on_edge) - end.R;
    best.on_first = on_edge;
    best.on_second = on_edge + best.gap * m;
    best.radius[0] = 0, best.radius[1] = flat;
  }
  return best;
}

/// The candidates of both rims over a face, the face first.
void rims_over(const Ground& ground, const Cylinder& cylinder, const Pose& Q, std::span<Proximity> out) {
  const Vec3 axis = Q.direction(Vec3::UnitZ());
  const double upright = axis.dot(ground.normal), tolerance = 1e-9 * cylinder.reach();
  const End ends[2] = {{Q.point({0, 0, cylinder.half}), axis, cylinder.R},
                       {Q.point({0, 0, -cylinder.half}), -axis, cylinder.R}};
  for (int side = 0; side < 2; ++side) {
    const End& end = ends[side];
    const Vec3 down = end.down(ground.normal), across = end.axis.cross(down);
    const bool stands = end.axis.dot(ground.normal) < -0.5;
    for (int k = 0; k < 3; ++k) {
      static constexpr double cosine[3] = {1, -0.5, -0.5},
                              sine[3] = {0, 0.86602540378443865, -0.86602540378443865};
      const Vec3 d = cosine[k] * down + sine[k] * across, p = end.centre + cylinder.R * d;
      Proximity& one = out[3 * side + k];
      if (ground.below(p, tolerance))
        one = over(ground, p, flat, 0);
      else if (stands)
        one = farthest(end, ground, d, tolerance);
      else if (k == 0 && std::abs(upright) < 0.5 && ground.size > 0)
        one = side_leaves(end, ends[1 - side].centre, ground);
    }
  }
}

Ground ground_of(const Facet& facet) {
  Ground out;
  out.normal = facet.normal;
  out.at = facet.point[0];
  out.size = facet.size;
  std::copy_n(facet.point.begin(), facet.size, out.corner.begin());
  return out;
}

int rim_candidates(const Shape&, const Shape&) {
  return most_candidates;
}

/// `solid` is the first.
void on_polyhedron(const PolyhedralShape& solid, const Pose& p, const Cylinder& cylinder, const Pose& q,
                   std::span<Proximity> out) {
  std::fill(out.begin(), out.end(), Proximity{});
  const Proximity nearest = separation(solid, p, cylinder, q);
  const Pose P = p * solid.place;
  rims_over(ground_of(facet_of(solid, P.local_direction(nearest.normal), P)), cylinder, q * cylinder.place,
            out);
  complete(nearest, 0, std::min(solid.reach(), cylinder.reach()), out);
}

void polyhedron_contacts(const Shape& first, const Pose& p, const Shape& second, const Pose& q,
                         std::span<Proximity> out) {
  if (const auto* cylinder = dynamic_cast<const Cylinder*>(&first)) {
    on_polyhedron(static_cast<const PolyhedralShape&>(second), q, *cylinder, p, out);
    for (Proximity& one : out)
      if (one.gap < flat) one = exchanged(one);
    return;
  }
  on_polyhedron(static_cast<const PolyhedralShape&>(first), p, static_cast<const Cylinder&>(second), q, out);
}

/// The end faces that look at each other, if they do: the larger is the ground.
void cylinder_contacts(const Shape& first, const Pose& p, const Shape& second, const Pose& q,
                       std::span<Proximity> out) {
  const auto &one = static_cast<const Cylinder&>(first), &two = static_cast<const Cylinder&>(second);
  std::fill(out.begin(), out.end(), Proximity{});
  const Proximity nearest = separation(one, p, two, q);
  const bool first_is_ground = one.R >= two.R;
  const Cylinder &base = first_is_ground ? one : two, &other = first_is_ground ? two : one;
  const Pose B = (first_is_ground ? p : q) * base.place, O = (first_is_ground ? q : p) * other.place;
  const Vec3 n = first_is_ground ? nearest.normal : Vec3(-nearest.normal), axis = B.direction(Vec3::UnitZ());
  if (std::abs(axis.dot(n)) > 0.5 && std::abs(O.direction(Vec3::UnitZ()).dot(n)) > 0.5) {
    const double up = axis.dot(n) < 0 ? -1 : 1;
    Ground ground;
    ground.normal = up * axis;
    ground.at = B.point({0, 0, up * base.half});
    ground.R = base.R;
    rims_over(ground, other, O, out);
    if (!first_is_ground)
      for (Proximity& found : out)
        if (found.gap < flat) found = exchanged(found);
  }
  complete(nearest, 0, std::min(one.reach(), two.reach()), out);
}

}  // namespace

PairType cylinder_with_polyhedron(const std::string& name) {
  return {.name = name, .candidates = rim_candidates, .evaluate_all = polyhedron_contacts};
}

PairType cylinder_with_cylinder(const std::string& name) {
  return {.name = name, .candidates = rim_candidates, .evaluate_all = cylinder_contacts};
}

}  // namespace tappet
