#include "tappet/geometry/shapes/sphere.hpp"

#include <numbers>

#include "tappet/geometry/curvature.hpp"
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

}  // namespace tappet

namespace tappet::shapes::sphere {
namespace {

template <class P>
std::unique_ptr<Shape> make(const P& p, const Origin&, Dimension dimension, Diagnostics&) {
  return std::make_unique<Sphere>(p.position, p.radius, dimension);
}

template <class P>
Table table(const std::string& name, const std::string& help, bool planar) {
  Table out = table_of<P>(
      name, help,
      {{&P::radius, {.name = "radius", .unit = "m", .help = "R", .required = true, .range = shape_length()}},
       {&P::position, position_row("centre, body coordinates")}});
  out.planar = planar, out.spatial = !planar;
  return out;
}

const Registration<ShapeType> sphere{{.name = "sphere",
                                      .help = "A ball",
                                      .table = table<SphereParameters>("a sphere", "A ball", false),
                                      .make = made_from<make<SphereParameters>>}};
const Registration<ShapeType> circle{{.name = "circle",
                                      .help = "A disc",
                                      .table = table<CircleParameters>("a circle", "A disc", true),
                                      .make = made_from<make<CircleParameters>>}};

std::optional<Mat3> curvature(const Shape& shape, const Vec3&, const Vec3& n) {
  return curved_alike(n, static_cast<const Sphere&>(shape).R);
}

const Registration<CurvatureType> curved{{.name = "sphere", .at = &curvature}};

}  // namespace
}  // namespace tappet::shapes::sphere
