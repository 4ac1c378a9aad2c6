#include "tappet/geometry/shapes/box.hpp"

#include <cmath>

#include "tappet/geometry/curvature.hpp"
#include "tappet/geometry/placement.hpp"
#include "tappet/geometry/shapes/polygon.hpp"

namespace tappet {

Box::Box(const Vec3& size, const Pose& where)
    : PolyhedralShape("box", Polyhedron::box(size / 2), where), half(size / 2) {}

Vec3 Box::support(const Vec3& d) const {
  return {d.x() < 0 ? -half.x() : half.x(), d.y() < 0 ? -half.y() : half.y(),
          d.z() < 0 ? -half.z() : half.z()};
}

Foot Box::foot(const Vec3& p) const {
  const Vec3 beyond = p.cwiseAbs() - half;
  int axis = 0;
  const double highest = beyond.maxCoeff(&axis);
  if ((beyond.array() > 0).count() <= 1) return {highest, (p[axis] < 0 ? -1 : 1) * Vec3::Unit(axis), flat};
  const Vec3 d = p - p.cwiseMax(-half).cwiseMin(half);
  const double distance = d.norm();
  return {distance, d / distance, 0};
}

SolidProperties Box::solid() const {
  const double volume = 8 * half.prod();
  const Vec3 s = volume / 3 * half.cwiseProduct(half);
  return placed({volume, Vec3::Zero(), Vec3(s.y() + s.z(), s.z() + s.x(), s.x() + s.y()).asDiagonal()},
                place);
}

}  // namespace tappet

namespace tappet::shapes::box {
namespace {

std::unique_ptr<Shape> make(const BoxParameters& p, const Origin& origin, Dimension dimension,
                            Diagnostics& diagnostics) {
  const Pose place = placement_of(p, origin, dimension, diagnostics);
  if (dimension == Dimension::spatial) return std::make_unique<Box>(p.size, place);
  const double x = p.size.x() / 2, y = p.size.y() / 2;
  return std::make_unique<Polygon>(std::vector<Vec3>{place.point({-x, -y, 0}), place.point({x, -y, 0}),
                                                     place.point({x, y, 0}), place.point({-x, y, 0})});
}

const Registration<ShapeType> registered{
    {.name = "box",
     .help = "A box (in the plane: a rectangle)",
     .table = table_of<BoxParameters>(
         "a box", "A box (in the plane: a rectangle) whose sides lie along the shape's axes",
         with_placement<BoxParameters>({{&BoxParameters::size,
                                         {.name = "size",
                                          .kind = Kind::vector,
                                          .unit = "m",
                                          .help = "whole length along x, y and, in space, z",
                                          .required = true,
                                          .range = shape_length()}}})),
     .make = made_from<make>}};

// Flat on its faces.
std::optional<Mat3> curvature(const Shape& shape, const Vec3&, const Vec3& n) {
  constexpr double same = 1e-9;
  const Vec3 own = static_cast<const Box&>(shape).place.local_direction(n);
  if (own.cwiseAbs().maxCoeff() >= 1 - same) return Mat3::Zero();
  return std::nullopt;
}

const Registration<CurvatureType> curved{{.name = "box", .at = &curvature}};

}  // namespace
}  // namespace tappet::shapes::box
