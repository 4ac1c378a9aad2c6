#include "tappet/geometry/shapes/capsule.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "tappet/geometry/closest.hpp"
#include "tappet/geometry/curvature.hpp"
#include "tappet/geometry/placement.hpp"

namespace tappet {

Capsule::Capsule(const Vec3& from, const Vec3& to, double radius, Dimension dimension)
    : ConvexShape("capsule", {}, dimension == Dimension::planar),
      a(from),
      b(to),
      R(radius),
      direction((to - from).normalized()) {}

Foot Capsule::foot(const Vec3& point) const {
  const double s = closest_on_segment(point, a, b);
  const Vec3 d = point - (a + s * (b - a));
  const double length = d.norm();
  return {length - R, length > 0 ? Vec3(d / length) : any_perpendicular(direction),
          s > 0 && s < 1 ? flat : R};
}

// The line of its side, its ends.
void Capsule::features(const Vec3& n, double angle, Features& out) const {
  const bool on_side = std::abs(n.dot(direction)) < angle;
  if (on_side)
    out.add({.base = middle(),
             .dimension = 1,
             .along = {direction},
             .half = (b - a).norm() / 2,
             .radius = R > 0 || planar() ? flat : 0});
  const bool forward = n.dot(direction) > 0;
  out.add({.base = forward ? b : a, .radius = R});
  if (on_side) out.add({.base = forward ? a : b, .radius = R});
}

double Capsule::radius(const Vec3& n) const {
  return std::abs(n.dot(direction)) < 1e-9 ? flat : R;
}

// A cylinder (rectangle) with two half balls (half discs), whose centres of mass lie 3/8 R (4/(3π) R) outside
// its ends.
SolidProperties Capsule::solid() const {
  const double pi = std::numbers::pi, l = (b - a).norm(), square = R * R;
  const Vec3 centre = (a + b) / 2;
  if (planar()) {
    const double bar = 2 * R * l, discs = pi * square;
    const double out = l / 2 + 4 * R / (3 * pi), own = square / 2 - 16 * square / (9 * pi * pi);
    const double inertia = bar * (l * l + 4 * square) / 12 + discs * (own + out * out);
    return {bar + discs, centre, Vec3(0, 0, inertia).asDiagonal()};
  }
  const double bar = pi * square * l, balls = 4.0 / 3 * pi * square * R;
  const double out = l / 2 + 3 * R / 8, own = (0.4 - 9.0 / 64) * square;
  const double along = bar * square / 2 + balls * 0.4 * square;
  const double across = bar * (l * l / 12 + square / 4) + balls * (own + out * out);
  const Mat3 axial = direction * direction.transpose();
  return {bar + balls, centre, along * axial + across * (Mat3::Identity() - axial)};
}

}  // namespace tappet

namespace tappet::shapes::capsule {
namespace {

std::unique_ptr<Shape> make_capsule(const CapsuleParameters& p, const Origin& origin, Dimension dimension,
                                    Diagnostics& diagnostics) {
  const Pose place = placement_of(p, origin, dimension, diagnostics);
  const Vec3 half(0, 0, p.length / 2);
  return std::make_unique<Capsule>(place.point(-half), place.point(half), p.radius);
}

std::unique_ptr<Shape> make_segment(const SegmentParameters& p, const Origin& origin, Dimension dimension,
                                    Diagnostics& diagnostics) {
  if ((p.points[1] - p.points[0]).norm() < shape_length().low) {
    diagnostics.error(
        origin.where("points"),
        fmt::format("the two `points` of segment '{}' are the same; a segment has a length", origin.name));
    return nullptr;
  }
  return std::make_unique<Capsule>(p.points[0], p.points[1], p.radius, dimension);
}

const Registration<ShapeType> capsule{
    {.name = "capsule",
     .help = "A cylinder with half balls at its ends",
     .table = spatial_only(table_of<CapsuleParameters>(
         "a capsule", "A cylinder along the shape's z axis with half balls at its ends",
         with_placement<CapsuleParameters>(
             {{&CapsuleParameters::radius,
               {.name = "radius", .unit = "m", .help = "R", .required = true, .range = shape_length()}},
              {&CapsuleParameters::length,
               {.name = "length",
                .unit = "m",
                .help = "between the centres of the two half balls",
                .required = true,
                .range = shape_length()}}}))),
     .make = made_from<make_capsule>}};

const Registration<ShapeType> segment{
    {.name = "segment",
     .help = "A straight line between two points, with or without thickness",
     .table = planar_only(table_of<SegmentParameters>(
         "a segment",
         "Everything within the radius of the line between two points; it touches from all sides",
         {{&SegmentParameters::points,
           {.name = "points",
            .kind = Kind::points,
            .unit = "m",
            .help = "the two ends, body coordinates",
            .required = true,
            .range = shape_coordinate()}},
          {&SegmentParameters::radius,
           {.name = "radius",
            .unit = "m",
            .help = "half of its thickness",
            .fallback = "0",
            .range = {.low = 0, .high = 1e9}}}})),
     .make = made_from<make_segment>}};

std::optional<Mat3> curvature(const Shape& shape, const Vec3& point, const Vec3& n) {
  const auto& capsule = static_cast<const Capsule&>(shape);
  if (!(capsule.R > 0)) return std::nullopt;
  // Where the ends' balls touch, as on a plane, they are balls.
  constexpr double end = 1e-9;
  const double length = (capsule.b - capsule.a).norm(),
               s = (point - capsule.a).dot(capsule.direction) / length;
  if (s > end && s < 1 - end) return curved_around(capsule.direction, n, capsule.R);
  return curved_alike(n, capsule.R);
}

const Registration<CurvatureType> curved{{.name = "capsule", .at = &curvature}};

}  // namespace
}  // namespace tappet::shapes::capsule
