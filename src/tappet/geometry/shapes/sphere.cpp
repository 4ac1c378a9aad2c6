#include "tappet/geometry/shapes/sphere.hpp"

#include <numbers>

namespace tappet {

Sphere::Sphere(const Vec3& c, double r) : Shape("sphere"), centre(c), radius(r) {}

Bounds Sphere::bounds(const Pose& pose) const {
  const Vec3 c = pose.point(centre), r = Vec3::Constant(radius);
  return {c - r, c + r};
}

SolidProperties Sphere::solid() const {
  const double volume = 4.0 / 3 * std::numbers::pi * radius * radius * radius;
  return {volume, centre, 0.4 * volume * radius * radius * Mat3::Identity()};
}

namespace {

std::unique_ptr<Shape> make(const Object& object, Dimension, Diagnostics&) {
  const auto& c = object.vector("centre");
  return std::make_unique<Sphere>(Vec3(c[0], c[1], c[2]), object.number("radius"));
}

const Registration<ShapeType> registered{
    {.name = "sphere",
     .help = "A ball",
     .table = {.name = "a sphere",
               .help = "A ball",
               .parameters = {{.name = "radius", .unit = "m", .help = "R", .required = true, .range = positive()},
                              {.name = "centre",
                               .kind = Kind::vector,
                               .unit = "m",
                               .help = "centre, body coordinates",
                               .fallback = "0"}},
               .planar = false},
     .make = make}};

}  // namespace
}  // namespace tappet
