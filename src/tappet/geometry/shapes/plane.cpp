#include "tappet/geometry/shapes/plane.hpp"

#include <fmt/format.h>

#include "tappet/geometry/curvature.hpp"
#include "tappet/geometry/placement.hpp"

namespace tappet {

Plane::Plane(const Vec3& p, const Vec3& n) : Shape("plane"), point(p), normal(n.normalized()) {}

// All of space, or half of it when the plane lies along two axes.
Bounds Plane::bounds(const Pose& pose) const {
  const Vec3 far = Vec3::Constant(std::numeric_limits<double>::infinity());
  Bounds out{-far, far};
  const Vec3 n = pose.direction(normal), at = pose.point(point);
  for (int axis = 0; axis < 3; ++axis) {
    if (n[axis] == 1) out.high[axis] = at[axis];
    if (n[axis] == -1) out.low[axis] = at[axis];
  }
  return out;
}

}  // namespace tappet

namespace tappet::shapes::plane {
namespace {

std::unique_ptr<Shape> make(const PlaneParameters& p, const Origin& origin, Dimension,
                            Diagnostics& diagnostics) {
  if (!(p.normal.norm() > 1e-150)) {
    diagnostics.error(origin.where("normal"),
                      fmt::format("`normal` of plane '{}' has no length", origin.name));
    return nullptr;
  }
  return std::make_unique<Plane>(p.point, p.normal);
}

const Registration<ShapeType> registered{
    {.name = "plane",
     .help = "A half-space (in the plane: a half-plane)",
     .table = table_of<PlaneParameters>("a plane",
                                        "A half-space whose material lies on the side away from the normal",
                                        {{&PlaneParameters::point,
                                          {.name = "point",
                                           .kind = Kind::vector,
                                           .unit = "m",
                                           .help = "any point of the surface, body coordinates",
                                           .fallback = "0",
                                           .range = shape_coordinate()}},
                                         {&PlaneParameters::normal,
                                          {.name = "normal",
                                           .kind = Kind::vector,
                                           .help = "outward direction, body coordinates; any length",
                                           .required = true,
                                           .range = shape_coordinate()}}}),
     .make = made_from<make>}};

std::optional<Mat3> curvature(const Shape&, const Vec3&, const Vec3&) {
  return Mat3::Zero();
}

const Registration<CurvatureType> curved{{.name = "plane", .at = &curvature}};

}  // namespace
}  // namespace tappet::shapes::plane
