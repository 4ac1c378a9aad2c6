#include "tappet/geometry/shapes/sphere.hpp"

#include <numbers>

#include "tappet/geometry/placement.hpp"

namespace tappet {

Sphere::Sphere(const Vec3& c, double radius, Dimension dimension)
    : ConvexShape("sphere", {Mat3::Identity(), c}, dimension == Dimension::planar), centre(c), R(radius) {}

Foot Sphere::foot(const Vec3& point) const {
  const double length = point.norm();
  return {length - R, length > 0 ? Vec3(point / length) : Vec3(Vec3::UnitX()), R};
}

Bounds Sphere::bounds(const Pose& pose) const {
  const Vec3 c = pose.point(centre), r(R, R, planar() ? 0 : R);
  return {c - r, c + r};
}

SolidProperties Sphere::solid() const {
  const double square = R * R;
  if (planar()) {
    const double area = std::numbers::pi * square;
    return {area, centre, Vec3(0, 0, area * square / 2).asDiagonal()};
  }
  const double volume = 4.0 / 3 * std::numbers::pi * square * R;
  return {volume, centre, 0.4 * volume * square * Mat3::Identity()};
}

namespace {

std::unique_ptr<Shape> make(const Object& object, Dimension dimension, Diagnostics&) {
  return std::make_unique<Sphere>(to_vec3(object.vector("position")), object.number("radius"), dimension);
}

Table table(const std::string& name, const std::string& help, bool planar) {
  return {
      .name = name,
      .help = help,
      .parameters = {{.name = "radius", .unit = "m", .help = "R", .required = true, .range = shape_length()},
                     position_row("centre, body coordinates")},
      .planar = planar,
      .spatial = !planar};
}

const Registration<ShapeType> sphere{
    {.name = "sphere", .help = "A ball", .table = table("a sphere", "A ball", false), .make = make}};
const Registration<ShapeType> circle{
    {.name = "circle", .help = "A disc", .table = table("a circle", "A disc", true), .make = make}};

}  // namespace
}  // namespace tappet
