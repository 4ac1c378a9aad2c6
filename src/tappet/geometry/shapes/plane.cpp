#include "tappet/geometry/shapes/plane.hpp"

#include <fmt/format.h>

namespace tappet {

Plane::Plane(const Vec3& p, const Vec3& n) : Shape("plane"), point(p), normal(n.normalized()) {}

Bounds Plane::bounds(const Pose&) const {
  const Vec3 far = Vec3::Constant(std::numeric_limits<double>::infinity());
  return {-far, far};
}

namespace {

std::unique_ptr<Shape> make(const Object& object, Dimension dimension, Diagnostics& diagnostics) {
  const auto &p = object.vector("point"), &n = object.vector("normal");
  const bool planar = dimension == Dimension::planar;
  const Vec3 normal(n[0], n[1], planar ? 0 : n[2]);
  if (normal.norm() == 0) {
    diagnostics.error(object.where("normal"), fmt::format("`normal` of plane '{}' has no length", object.name));
    return nullptr;
  }
  return std::make_unique<Plane>(Vec3(p[0], p[1], planar ? 0 : p[2]), normal);
}

const Registration<ShapeType> registered{
    {.name = "plane",
     .help = "A half-space (in the plane: a half-plane)",
     .table = {.name = "a plane",
               .help = "A half-space whose material lies on the side away from the normal",
               .parameters = {{.name = "point",
                               .kind = Kind::vector,
                               .unit = "m",
                               .help = "any point of the surface, body coordinates",
                               .fallback = "0"},
                              {.name = "normal",
                               .kind = Kind::vector,
                               .help = "outward direction, body coordinates; any length",
                               .required = true}}},
     .make = make}};

}  // namespace
}  // namespace tappet
